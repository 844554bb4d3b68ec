"""Gift cards: list, one, block, move of balance, replacement, notes."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.pages import act, entered, row_or_404, ticked
from webapps.sites.refunds.pages.tools import can_recall, searched, show, to, try_recall
from webapps.sites.refunds.services import cards as services
from webapps.sites.refunds.services import drafts
from webapps.sites.refunds.services.common import pence, pounds

pages = Blueprint("cards", __name__, url_prefix="/cards")


@pages.get("")
def overview() -> str:
    """All gift cards."""
    found = searched(
        "SELECT g.*, c.name FROM refunds_cards g JOIN refunds_customers c ON c.id = g.customer_id",
        ("g.id", "c.name", "g.status"),
        "g.id",
    )
    return show("cards", **found)


@pages.get("/<card_id>")
def one(card_id: str) -> str:
    """A card with its movements and notes."""
    world = current_world()
    row = row_or_404("refunds_cards", card_id)
    return show(
        "card",
        card=row,
        customer=row_or_404("refunds_customers", row["customer_id"]),
        sisters=services.sister_cards(world, card_id),
        successor=world.row("SELECT * FROM refunds_cards WHERE replaces = ?", card_id),
        transfers=world.rows(
            "SELECT * FROM refunds_transfers WHERE ? IN (source, target) ORDER BY id", card_id
        ),
        notes=world.rows("SELECT * FROM refunds_notes WHERE subject = ? ORDER BY id", card_id),
        services=services,
        tab=request.args.get("tab", "movements"),
        recallable=can_recall(card_id),
    )


@pages.post("/<card_id>/block")
def block(card_id: str) -> Response:
    """Block a card."""
    act(services.block, card_id, entered("reason"), done=f"Gift card {card_id} is blocked.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/lift")
def lift(card_id: str) -> Response:
    """Lift a block."""
    act(services.lift_block, card_id, done=f"Gift card {card_id} is active again.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/replace")
def replace(card_id: str) -> Response:
    """Post a replacement."""
    act(services.replace, card_id, done=lambda new_id: f"Replacement {new_id} is in today's post.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/stop-letter")
def stop_letter(card_id: str) -> Response:
    """Take a replacement back, where that is possible."""
    replaced = row_or_404("refunds_cards", card_id)["replaces"]
    try_recall(card_id, f"The letter with {card_id} was stopped.")
    return to(f"/cards/{replaced or card_id}")


@pages.post("/<card_id>/transfer")
def prepare(card_id: str) -> Response:
    """Fill in a move of balance."""
    if attempt(
        services.prepare_transfer,
        card_id,
        entered("target"),
        entered("amount"),
        entered("reference"),
    ):
        return to(f"/cards/{card_id}/transfer")
    return to(f"/cards/{card_id}?tab=tools")


@pages.get("/<card_id>/transfer")
def transfer(card_id: str) -> str:
    """The prepared move of balance."""
    card = row_or_404("refunds_cards", card_id)
    draft = drafts.read(current_world(), card_id)
    amount = pounds(pence(draft["amount"])) if draft else ""
    return show("transfer", card=card, draft=draft, amount=amount)


@pages.post("/<card_id>/transfer/book")
def book(card_id: str) -> Response:
    """Book the prepared move of balance."""
    transfer_id = attempt(services.book_transfer, card_id, same_owner=ticked("same_owner"))
    if not transfer_id:
        return to(f"/cards/{card_id}/transfer")
    current_world().notify(f"Transfer {transfer_id} is booked.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/notes")
def note(card_id: str) -> Response:
    """Write a note."""
    act(services.add_note, card_id, entered("kind"), entered("text"), done="The note is kept.")
    return to(f"/cards/{card_id}?tab=notes")
