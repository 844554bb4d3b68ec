"""Policies: return rules, approval limit, exceptions by store."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.sites.refunds.pages.tools import row_or_404, show, to
from webapps.sites.refunds.services import policies as services

pages = Blueprint("policies", __name__, url_prefix="/policies")


@pages.get("")
def overview() -> str:
    """The rules in force."""
    world = current_world()
    policies = world.rows("SELECT * FROM refunds_policies")
    return show(
        "policies",
        rules={row["id"]: row["value"] for row in policies},
        exceptions=world.rows("SELECT * FROM refunds_exceptions ORDER BY id"),
        services=services,
    )


@pages.post("/rules")
def rules() -> Response:
    """Save the return rules."""
    entered = request.form.get("window", ""), request.form.get("handling", "")
    if attempt(services.save_return_rules, *entered):
        current_world().notify("The return rules are saved.")
    return to("/policies")


@pages.post("/limit")
def limit() -> Response:
    """Save the approval limit."""
    if attempt(services.save_approval_limit, request.form.get("limit", "")):
        current_world().notify("The approval limit is saved.")
    return to("/policies")


@pages.post("/exceptions")
def draft() -> Response:
    """Begin an exception."""
    entered = [request.form.get(name, "") for name in ("store", "goods", "days", "starts")]
    exception_id = attempt(services.draft_exception, *entered)
    return to(f"/policies/exceptions/{exception_id}" if exception_id else "/policies")


@pages.get("/exceptions/<exception_id>")
def exception(exception_id: str) -> str:
    """An exception and what it does to open returns."""
    row = row_or_404("exceptions", exception_id)
    count = services.open_returns(current_world(), row["store"])
    return show("exception", exception=row, count=count, services=services)


@pages.post("/exceptions/<exception_id>/effect")
def effect(exception_id: str) -> Response:
    """Say what happens to open returns."""
    entered = request.form.get("open_returns", ""), request.form.get("reference", "")
    if attempt(services.set_effect, exception_id, *entered):
        current_world().notify("Saved. The exception is not in force yet.")
    return to(f"/policies/exceptions/{exception_id}")


@pages.post("/exceptions/<exception_id>/activate")
def activate(exception_id: str) -> Response:
    """Put an exception in force."""
    if attempt(services.activate, exception_id, request.form.get("count", "")):
        current_world().notify(f"Exception {exception_id} is in force.")
    return to(f"/policies/exceptions/{exception_id}")
