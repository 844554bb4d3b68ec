"""Refund requests: list, one, correction, decision."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.pages import act, entered, row_or_404, ticked
from webapps.sites.refunds.pages.tools import searched, show, to
from webapps.sites.refunds.services import drafts
from webapps.sites.refunds.services import requests as services

pages = Blueprint("requests", __name__, url_prefix="/requests")


@pages.get("")
def overview() -> str:
    """All requests."""
    found = searched(
        "SELECT q.*, l.title, c.name FROM refunds_requests q"
        " JOIN refunds_lines l ON l.id = q.line_id JOIN refunds_orders o ON o.id = l.order_id"
        " JOIN refunds_customers c ON c.id = o.customer_id",
        ("q.id", "c.name", "l.title", "q.status"),
        "q.id DESC",
    )
    return show("requests", **found)


def _show(template: str, request_id: str) -> str:
    world = current_world()
    row = row_or_404("refunds_requests", request_id)
    line = row_or_404("refunds_lines", row["line_id"])
    order = row_or_404("refunds_orders", line["order_id"])
    return show(
        template,
        asked=row,
        line=line,
        order=order,
        customer=row_or_404("refunds_customers", order["customer_id"]),
        earlier=services.earlier_refunds(world, request_id),
        tab=request.args.get("tab", "asked"),
        warned="warned" in request.args,
        draft=drafts.read(world, request_id),
        payable=services.PAYABLE,
    )


@pages.get("/<request_id>")
def one(request_id: str) -> str:
    """A request with its checks and earlier refunds."""
    return _show("request", request_id)


@pages.get("/<request_id>/edit")
def edit(request_id: str) -> str:
    """The form that corrects a request."""
    return _show("request_edit", request_id)


@pages.post("/<request_id>/edit")
def correct(request_id: str) -> Response:
    """Correct a request."""
    ok = act(
        services.correct,
        request_id,
        entered("quantity"),
        entered("amount"),
        done="The request was corrected. Run the checks again.",
    )
    return to(f"/requests/{request_id}") if ok else to(f"/requests/{request_id}/edit")


@pages.post("/<request_id>/consider")
def consider(request_id: str) -> Response:
    """Take an earlier refund into account."""
    refund_id = entered("refund")
    act(services.consider, request_id, refund_id, done=f"{refund_id} is taken into account.")
    return to(f"/requests/{request_id}?tab=earlier")


@pages.post("/<request_id>/checks")
def checks(request_id: str) -> Response:
    """Run the checks."""
    act(services.run_checks, request_id, done="All three checks passed.")
    return to(f"/requests/{request_id}")


@pages.post("/<request_id>/approve")
def approve(request_id: str) -> Response:
    """The fast approval of the request bar."""
    row_or_404("refunds_requests", request_id)
    refund_id = attempt(services.fast_approve, request_id, anyway=ticked("anyway"))
    if refund_id:
        current_world().notify(f"Request {request_id} is approved; {refund_id} is on its way.")
        return to(f"/requests/{request_id}")
    return to(f"/requests/{request_id}?warned=1")


@pages.get("/<request_id>/decision")
def decision(request_id: str) -> str:
    """The form of the decision."""
    return _show("decision", request_id)


@pages.post("/<request_id>/decision")
def prepare(request_id: str) -> Response:
    """Step 1 of the decision."""
    if attempt(
        services.prepare_decision,
        request_id,
        entered("decision"),
        entered("destination"),
        entered("note"),
    ):
        return to(f"/requests/{request_id}/confirmation")
    return to(f"/requests/{request_id}/decision")


@pages.get("/<request_id>/confirmation")
def confirmation(request_id: str) -> str:
    """What is about to be decided."""
    return _show("confirmation", request_id)


@pages.post("/<request_id>/confirmation")
def confirm(request_id: str) -> Response:
    """Step 2 of the decision."""
    act(
        services.confirm_decision,
        request_id,
        done=f"The decision on {request_id} is booked.",
    )
    return to(f"/requests/{request_id}")
