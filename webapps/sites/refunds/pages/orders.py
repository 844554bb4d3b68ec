"""Orders and refunds: lists, one of each, the quick refund."""

from flask import Blueprint
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.pages import act, entered, row_or_404
from webapps.sites.refunds.pages.tools import can_recall, searched, show, to, try_recall
from webapps.sites.refunds.services import money, runs
from webapps.sites.refunds.services.common import pounds

pages = Blueprint("orders", __name__)


@pages.get("/orders")
def orders() -> str:
    """All orders, newest first."""
    found = searched(
        "SELECT o.*, c.name FROM refunds_orders o JOIN refunds_customers c ON c.id = o.customer_id",
        ("o.id", "c.name", "o.store"),
        "o.placed DESC, o.id DESC",
    )
    return show("orders", **found)


@pages.get("/orders/<order_id>")
def order(order_id: str) -> str:
    """One order with its lines, refunds and messages."""
    world = current_world()
    row = row_or_404("refunds_orders", order_id)
    return show(
        "order",
        order=row,
        customer=row_or_404("refunds_customers", row["customer_id"]),
        lines=world.rows("SELECT * FROM refunds_lines WHERE order_id = ? ORDER BY id", order_id),
        refunds=world.rows(
            "SELECT * FROM refunds_refunds WHERE order_id = ? ORDER BY id", order_id
        ),
        messages=world.rows(
            "SELECT * FROM refunds_messages WHERE customer_id = ? ORDER BY id", row["customer_id"]
        ),
    )


@pages.post("/orders/<order_id>/refund-all")
def refund_all(order_id: str) -> Response:
    """The quick refund of the order bar."""
    row_or_404("refunds_orders", order_id)
    refund_id = attempt(money.refund_everything, order_id)
    if refund_id:
        amount = row_or_404("refunds_refunds", refund_id)["amount"]
        current_world().notify(f"Refund {refund_id} of {pounds(amount)} is on its way.")
    return to(f"/orders/{order_id}")


@pages.get("/refunds")
def refunds() -> str:
    """The history of refunds, newest first."""
    found = searched(
        "SELECT r.*, c.name FROM refunds_refunds r JOIN refunds_orders o ON o.id = r.order_id"
        " JOIN refunds_customers c ON c.id = o.customer_id",
        ("r.id", "r.order_id", "c.name", "r.destination"),
        "r.created DESC, r.id DESC",
    )
    return show("refunds", **found)


@pages.get("/refunds/<refund_id>")
def refund(refund_id: str) -> str:
    """One refund."""
    row = row_or_404("refunds_refunds", refund_id)
    world = current_world()
    messages = world.rows("SELECT * FROM refunds_messages WHERE about = ? ORDER BY id", refund_id)
    return show(
        "refund",
        refund=row,
        order=row_or_404("refunds_orders", row["order_id"]),
        messages=messages,
        subjects=runs.REQUESTS,
        recallable=can_recall(refund_id),
    )


@pages.post("/refunds/<refund_id>/recall")
def recall_refund(refund_id: str) -> Response:
    """Take a refund back, where that is possible."""
    order_id = row_or_404("refunds_refunds", refund_id)["order_id"]
    try_recall(refund_id, f"Refund {refund_id} was recalled.")
    return to(f"/orders/{order_id}")


@pages.post("/refunds/<refund_id>/request")
def request_details(refund_id: str) -> Response:
    """Ask the customer for something about a refund."""
    row_or_404("refunds_refunds", refund_id)
    act(
        runs.request_details,
        refund_id,
        entered("subject"),
        entered("answer_by"),
        done=lambda message_id: f"Message {message_id} goes out with the evening post.",
    )
    return to(f"/refunds/{refund_id}")
