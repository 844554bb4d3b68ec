"""Return rules, and their exceptions by store."""

import sqlite3

from webapps.sites.refunds.services.common import (
    day_from,
    find,
    needed,
    next_id,
    one_of,
    whole_number,
)
from webapps.world import Refusal, World

STORES = ("Leeds Kirkgate", "Leeds Trinity", "York Parliament Street", "Online shop")
GOODS = ("All goods", "Outlet goods", "Furniture", "Lighting")
KEEP, SHORTEN = "Keep the deadline they were given", "Take over the new deadline"
EFFECTS = (KEEP, SHORTEN)


def save_return_rules(world: World, window: str, handling: str) -> str:
    """Set the rules for all stores."""
    for key, value in (
        ("window", whole_number(window, "The return window", 7, 100)),
        ("handling", whole_number(handling, "The handling share", 0, 50)),
    ):
        world.execute("UPDATE refunds_policies SET value = ? WHERE id = ?", str(value), key)
    return "rules"


def save_approval_limit(world: World, limit: str) -> str:
    """Set the sum in pounds up to which one colleague may approve."""
    world.execute(
        "UPDATE refunds_policies SET value = ? WHERE id = 'limit'",
        str(whole_number(limit, "The approval limit", 1, 5000)),
    )
    return "limit"


def draft_exception(world: World, store: str, goods: str, days: str, starts: str) -> str:
    """Begin an exception for one store; returns its number. It has no effect yet."""
    exception_id = next_id(world, "exceptions", "PX-")
    world.execute(
        "INSERT INTO refunds_exceptions VALUES (?, ?, ?, ?, ?, '', '', 'Draft')",
        exception_id,
        one_of(store, STORES, "a store"),
        one_of(goods, GOODS, "the goods"),
        whole_number(days, "The days", 7, 100),
        day_from(world, starts, "The first day"),
    )
    return exception_id


def _draft(world: World, exception_id: str) -> sqlite3.Row:
    exception = find(world, "exceptions", exception_id, "exception")
    if exception["status"] != "Draft":
        raise Refusal(f"Exception {exception_id} is in force and can no longer be changed.")
    return exception


def set_effect(world: World, exception_id: str, open_returns: str, reference: str) -> str:
    """Say what happens to returns that were announced before."""
    _draft(world, exception_id)
    world.execute(
        "UPDATE refunds_exceptions SET open_returns = ?, reference = ? WHERE id = ?",
        one_of(open_returns, EFFECTS, "what happens to open returns"),
        needed(reference, "A change reference"),
        exception_id,
    )
    return exception_id


def open_returns(world: World, store: str) -> int:
    """How many returns of a store are under way."""
    count: int = world.value(
        "SELECT count(*) FROM refunds_returns r JOIN refunds_orders o ON o.id = r.order_id"
        " WHERE o.store = ? AND r.status <> 'Closed'",
        store,
    )
    return count


def activate(world: World, exception_id: str, count: str) -> str:
    """Put an exception in force. `count` is the store's number of open returns, as typed."""
    exception = _draft(world, exception_id)
    if not exception["open_returns"]:
        raise Refusal("Say first what happens to open returns.")
    if whole_number(count, "The number of open returns", 0, 999) != open_returns(
        world, exception["store"]
    ):
        raise Refusal(f"{exception['store']} does not have {count} open returns.")
    world.execute("UPDATE refunds_exceptions SET status = 'In force' WHERE id = ?", exception_id)
    return exception_id
