"""Returns: list, one, inspection, routing, collection, label, letters."""

import sqlite3
from typing import Any

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import current_world
from webapps.pages import act, entered, row_or_404
from webapps.sites.refunds.pages.tools import can_recall, searched, show, to, try_recall
from webapps.sites.refunds.services import returns as services

pages = Blueprint("returns", __name__, url_prefix="/returns")


@pages.get("")
def overview() -> str:
    """All returns, newest first."""
    found = searched(
        "SELECT r.*, c.name FROM refunds_returns r JOIN refunds_orders o ON o.id = r.order_id"
        " JOIN refunds_customers c ON c.id = o.customer_id",
        ("r.id", "r.order_id", "c.name", "r.status"),
        "r.announced DESC, r.id DESC",
    )
    return show("returns", **found)


def _show(template: str, return_id: str, **values: Any) -> str:
    row = row_or_404("refunds_returns", return_id)
    order = row_or_404("refunds_orders", row["order_id"])
    return show(
        template,
        returned=row,
        order=order,
        customer=row_or_404("refunds_customers", order["customer_id"]),
        services=services,
        **values,
    )


def _units(return_id: str) -> list[sqlite3.Row]:
    sql = "SELECT * FROM refunds_units WHERE return_id = ? ORDER BY id"
    return current_world().rows(sql, return_id)


@pages.get("/<return_id>")
def one(return_id: str) -> str:
    """A return with its units, claims and disposal orders."""
    world = current_world()
    return _show(
        "return",
        return_id,
        units=_units(return_id),
        tab=request.args.get("tab", "units"),
        claims=world.rows(
            "SELECT c.* FROM refunds_claims c JOIN refunds_units u ON u.id = c.unit_id"
            " WHERE u.return_id = ? ORDER BY c.id",
            return_id,
        ),
        disposals=world.rows("SELECT * FROM refunds_disposals WHERE return_id = ?", return_id),
    )


@pages.get("/<return_id>/units/<unit_id>/inspection")
def inspection(return_id: str, unit_id: str) -> str:
    """The form for an inspection."""
    return _show("inspection", return_id, unit=row_or_404("refunds_units", unit_id))


@pages.post("/<return_id>/units/<unit_id>/inspection")
def inspect(return_id: str, unit_id: str) -> Response:
    """Record an inspection."""
    ok = act(
        services.inspect,
        unit_id,
        entered("grade"),
        entered("part"),
        entered("finding"),
        done=f"The inspection of {unit_id} is recorded.",
    )
    return (
        to(f"/returns/{return_id}")
        if ok
        else to(f"/returns/{return_id}/units/{unit_id}/inspection")
    )


@pages.get("/<return_id>/units/<unit_id>/route")
def routing(return_id: str, unit_id: str) -> str:
    """The form for a unit's route."""
    return _show("route", return_id, unit=row_or_404("refunds_units", unit_id))


@pages.post("/<return_id>/units/<unit_id>/route")
def route(return_id: str, unit_id: str) -> Response:
    """Route a unit."""
    ok = act(
        services.route, unit_id, entered("route"), entered("bay"), done=f"{unit_id} has its route."
    )
    return to(f"/returns/{return_id}") if ok else to(f"/returns/{return_id}/units/{unit_id}/route")


@pages.post("/<return_id>/claims")
def claim(return_id: str) -> Response:
    """File a supplier claim."""
    act(
        services.file_claim,
        entered("unit"),
        entered("reference"),
        entered("percent"),
        done=lambda claim_id: f"Claim {claim_id} is filed.",
    )
    return to(f"/returns/{return_id}?tab=claims")


@pages.post("/<return_id>/write-off")
def write_off(return_id: str) -> Response:
    """Hand a return to disposal."""
    act(
        services.write_off,
        return_id,
        done=lambda disposal_id: f"Return {return_id} is settled; disposal order {disposal_id}.",
    )
    return to(f"/returns/{return_id}")


@pages.get("/disposals/<disposal_id>")
def disposal(disposal_id: str) -> str:
    """A disposal order."""
    row = row_or_404("refunds_disposals", disposal_id)
    return _show("disposal", row["return_id"], disposal=row, recallable=can_recall(disposal_id))


@pages.post("/disposals/<disposal_id>/recall")
def recall_disposal(disposal_id: str) -> Response:
    """Take a disposal order back, where that is possible."""
    return_id = row_or_404("refunds_disposals", disposal_id)["return_id"]
    try_recall(disposal_id, f"Disposal order {disposal_id} was recalled.")
    return to(f"/returns/{return_id}")


@pages.get("/<return_id>/collection")
def collection(return_id: str) -> str:
    """How the goods come back."""
    world = current_world()
    return _show(
        "collection",
        return_id,
        collection=row_or_404("refunds_collections", return_id),
        addresses=services.addresses(world, return_id),
        units=_units(return_id),
    )


@pages.post("/<return_id>/collection")
def arrange(return_id: str) -> Response:
    """Change how the goods come back."""
    saved = "The collection is saved. Labels made before do not change."
    if entered("mode") == services.PICK_UP:
        pick_up = services.PickUp(
            address=entered("address"),
            day=entered("day"),
            slot=entered("slot"),
            carrier=entered("carrier"),
        )
        act(services.arrange_pick_up, return_id, pick_up, done=saved)
    else:
        act(services.arrange_drop_off, return_id, done=saved)
    return to(f"/returns/{return_id}/collection")


@pages.get("/<return_id>/label")
def label(return_id: str) -> str:
    """The return's labels."""
    labels = current_world().rows(
        "SELECT * FROM refunds_labels WHERE return_id = ? ORDER BY id", return_id
    )
    return _show(
        "label", return_id, labels=labels, valid=services.valid_label(current_world(), return_id)
    )


@pages.post("/<return_id>/label")
def create_label(return_id: str) -> Response:
    """Make a label."""
    act(services.create_label, return_id, done=lambda label_id: f"Label {label_id} is ready.")
    return to(f"/returns/{return_id}/label")


@pages.post("/<return_id>/label/withdraw")
def withdraw_label(return_id: str) -> Response:
    """Withdraw a label."""
    label_id = entered("label")
    act(services.withdraw_label, label_id, done=f"Label {label_id} is withdrawn.")
    return to(f"/returns/{return_id}/label")


@pages.post("/<return_id>/label/resend")
def resend_label(return_id: str) -> Response:
    """Mail the label in use again."""
    act(
        services.resend_label,
        return_id,
        done=lambda message_id: f"Message {message_id} with the label was mailed.",
    )
    return to(f"/returns/{return_id}/letters")


@pages.get("/<return_id>/letters")
def letters(return_id: str) -> str:
    """What was written to the customer about this return, and the form for more."""
    messages = current_world().rows(
        "SELECT * FROM refunds_messages WHERE about = ? ORDER BY id", return_id
    )
    return _show("letters", return_id, messages=messages)


@pages.post("/<return_id>/letters")
def write(return_id: str) -> Response:
    """Write to the customer."""
    act(
        services.write_to_customer,
        return_id,
        entered("template"),
        entered("language"),
        done=lambda message_id: f"Message {message_id} was mailed.",
    )
    return to(f"/returns/{return_id}/letters")


@pages.get("/messages/<message_id>")
def message(message_id: str) -> str:
    """A message about a return."""
    row = row_or_404("refunds_messages", message_id)
    return _show("message", row["about"], message=row, recallable=can_recall(message_id))


@pages.post("/messages/<message_id>/recall")
def recall_message(message_id: str) -> Response:
    """Take a message back, where that is possible."""
    return_id = row_or_404("refunds_messages", message_id)["about"]
    try_recall(message_id, f"Message {message_id} was recalled.")
    return to(f"/returns/{return_id}/letters")
