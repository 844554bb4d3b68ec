"""Gift cards: list, one, block, move of balance, replacement, notes."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.sites.refunds.pages.tools import can_recall, row_or_404, searched, show, to, try_recall
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
    row = row_or_404("cards", card_id)
    return show(
        "card",
        card=row,
        customer=row_or_404("customers", row["customer_id"]),
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
    if attempt(services.block, card_id, request.form.get("reason", "")):
        current_world().notify(f"Gift card {card_id} is blocked.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/lift")
def lift(card_id: str) -> Response:
    """Lift a block."""
    if attempt(services.lift_block, card_id):
        current_world().notify(f"Gift card {card_id} is active again.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/replace")
def replace(card_id: str) -> Response:
    """Post a replacement."""
    new_id = attempt(services.replace, card_id)
    if new_id:
        current_world().notify(f"Replacement {new_id} is in today's post.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/stop-letter")
def stop_letter(card_id: str) -> Response:
    """Take a replacement back, where that is possible."""
    replaced = row_or_404("cards", card_id)["replaces"]
    try_recall(card_id, f"The letter with {card_id} was stopped.")
    return to(f"/cards/{replaced or card_id}")


@pages.post("/<card_id>/transfer")
def prepare(card_id: str) -> Response:
    """Fill in a move of balance."""
    entered = [request.form.get(name, "") for name in ("target", "amount", "reference")]
    if attempt(services.prepare_transfer, card_id, *entered):
        return to(f"/cards/{card_id}/transfer")
    return to(f"/cards/{card_id}?tab=tools")


@pages.get("/<card_id>/transfer")
def transfer(card_id: str) -> str:
    """The prepared move of balance."""
    card = row_or_404("cards", card_id)
    draft = drafts.read(current_world(), card_id)
    amount = pounds(pence(draft["amount"])) if draft else ""
    return show("transfer", card=card, draft=draft, amount=amount)


@pages.post("/<card_id>/transfer/book")
def book(card_id: str) -> Response:
    """Book the prepared move of balance."""
    transfer_id = attempt(services.book_transfer, card_id, same_owner="same_owner" in request.form)
    if not transfer_id:
        return to(f"/cards/{card_id}/transfer")
    current_world().notify(f"Transfer {transfer_id} is booked.")
    return to(f"/cards/{card_id}")


@pages.post("/<card_id>/notes")
def note(card_id: str) -> Response:
    """Write a note."""
    entered = request.form.get("kind", ""), request.form.get("text", "")
    if attempt(services.add_note, card_id, *entered):
        current_world().notify("The note is kept.")
    return to(f"/cards/{card_id}?tab=notes")
