"""Policies: return rules, approval limit, exceptions by store."""

from flask import Blueprint
from werkzeug.wrappers import Response

from webapps.host import attempt, current_world
from webapps.pages import act, entered, row_or_404
from webapps.sites.refunds.pages.tools import show, to
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
    act(
        services.save_return_rules,
        entered("window"),
        entered("handling"),
        done="The return rules are saved.",
    )
    return to("/policies")


@pages.post("/limit")
def limit() -> Response:
    """Save the approval limit."""
    act(services.save_approval_limit, entered("limit"), done="The approval limit is saved.")
    return to("/policies")


@pages.post("/exceptions")
def draft() -> Response:
    """Begin an exception."""
    exception_id = attempt(
        services.draft_exception,
        entered("store"),
        entered("goods"),
        entered("days"),
        entered("starts"),
    )
    return to(f"/policies/exceptions/{exception_id}" if exception_id else "/policies")


@pages.get("/exceptions/<exception_id>")
def exception(exception_id: str) -> str:
    """An exception and what it does to open returns."""
    row = row_or_404("refunds_exceptions", exception_id)
    count = services.open_returns(current_world(), row["store"])
    return show("exception", exception=row, count=count, services=services)


@pages.post("/exceptions/<exception_id>/effect")
def effect(exception_id: str) -> Response:
    """Say what happens to open returns."""
    act(
        services.set_effect,
        exception_id,
        entered("open_returns"),
        entered("reference"),
        done="Saved. The exception is not in force yet.",
    )
    return to(f"/policies/exceptions/{exception_id}")


@pages.post("/exceptions/<exception_id>/activate")
def activate(exception_id: str) -> Response:
    """Put an exception in force."""
    act(
        services.activate,
        exception_id,
        entered("count"),
        done=f"Exception {exception_id} is in force.",
    )
    return to(f"/policies/exceptions/{exception_id}")
