"""A refund step by step: lines, amount, destination, message, review."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.pages import entered, row_or_404, ticked
from webapps.sites.refunds.pages.tools import show, to
from webapps.sites.refunds.services import drafts, money
from webapps.sites.refunds.services.common import pounds

pages = Blueprint("wizard", __name__, url_prefix="/orders/<order_id>/refund")
STEPS = ("lines", "amount", "destination", "message", "review")


def _show(step: str, order_id: str) -> str:
    order = row_or_404("refunds_orders", order_id)
    world = current_world()
    return show(
        f"wizard_{step}",
        order=order,
        customer=row_or_404("refunds_customers", order["customer_id"]),
        step=STEPS.index(step) + 1,
        lines=money.open_lines(world, order_id),
        draft=drafts.read(world, order_id),
        money=money,
        payment=attempt(money.draft_payment, order_id) if step == "review" else None,
    )


@pages.get("/<any(lines, amount, destination, message, review):step>")
def form(order_id: str, step: str) -> str:
    """The form of a step."""
    return _show(step, order_id)


@pages.post("/lines")
def lines(order_id: str) -> Response:
    """Step 1."""
    chosen = attempt(
        money.choose_lines,
        order_id,
        request.form.getlist("line"),
        shipping=ticked("shipping"),
        reason=entered("reason"),
    )
    return to(f"/orders/{order_id}/refund/{'amount' if chosen else 'lines'}")


@pages.post("/amount")
def amount(order_id: str) -> Response:
    """Step 2."""
    chosen = attempt(money.choose_basis, order_id, entered("basis"))
    return to(f"/orders/{order_id}/refund/{'destination' if chosen else 'amount'}")


@pages.post("/destination")
def destination(order_id: str) -> Response:
    """Step 3."""
    chosen = attempt(money.choose_destination, order_id, entered("destination"), entered("code"))
    return to(f"/orders/{order_id}/refund/{'message' if chosen else 'destination'}")


@pages.post("/message")
def message(order_id: str) -> Response:
    """Step 4."""
    chosen = attempt(money.choose_message, order_id, entered("message"))
    return to(f"/orders/{order_id}/refund/{'review' if chosen else 'message'}")


@pages.post("/review")
def confirm(order_id: str) -> Response:
    """The last step pays."""
    refund_id = attempt(money.confirm_refund, order_id, compared=ticked("compared"))
    if not refund_id:
        return to(f"/orders/{order_id}/refund/review")
    refund = row_or_404("refunds_refunds", refund_id)
    current_world().notify(
        f"Refund {refund_id} of {pounds(refund['amount'])} was made: {refund['destination']}."
    )
    return to(f"/orders/{order_id}")
