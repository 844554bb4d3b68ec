"""What the services share: look-ups that refuse, numbers, sums, the activity log."""

import re
import sqlite3
from collections.abc import Collection
from datetime import date

from webapps.world import Refusal, World

SITE = "refunds"
_POUNDS = re.compile(r"£?\s*(\d{1,6})(?:\.(\d{2}))?")


def today(world: World) -> str:
    """The sites' day as an ISO date."""
    return world.now.date().isoformat()


def find(world: World, table: str, key: str | int, what: str) -> sqlite3.Row:
    """The row `key` of refunds_`table`. Refuses when there is none."""
    row = world.row(f"SELECT * FROM refunds_{table} WHERE id = ?", key)
    if row is None:
        raise Refusal(f"There is no {what} {key}.")
    return row


def next_id(world: World, table: str, prefix: str) -> str:
    """The number after the highest one in use, such as RF-3201."""
    highest = world.value(
        f"SELECT max(CAST(substr(id, ?) AS INTEGER)) FROM refunds_{table}", len(prefix) + 1
    )
    return f"{prefix}{(highest or 0) + 1}"


def pence(text: str) -> int:
    """A sum as typed, such as 63.50. Refuses what is no positive sum."""
    match = _POUNDS.fullmatch(text.strip())
    amount = int(match[1]) * 100 + int(match[2] or 0) if match else 0
    if amount == 0:
        raise Refusal("Enter the sum in pounds and pence, for example 63.50.")
    return amount


def pounds(amount: int) -> str:
    """A sum for people, such as £1,063.50."""
    return f"£{amount / 100:,.2f}"


def whole_number(text: str, what: str, low: int, high: int) -> int:
    """A whole number as typed. Refuses one outside `low` to `high`."""
    if not text.strip().isdecimal() or not low <= int(text) <= high:
        raise Refusal(f"{what} must be a whole number from {low} to {high}.")
    return int(text)


def day_from(world: World, text: str, what: str) -> str:
    """A day as typed. Refuses a day that is no date or has passed."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal(f"{what} must be a date.") from None
    if day < world.now.date():
        raise Refusal(f"{what} must not lie in the past.")
    return day.isoformat()


def one_of(value: str, allowed: Collection[str], what: str) -> str:
    """`value`, if it is one of the allowed ones; otherwise refuses."""
    if value not in allowed:
        raise Refusal(f"Choose {what}.")
    return value


def needed(text: str, what: str) -> str:
    """`text` without spaces at its ends. Refuses an empty one."""
    if not text.strip():
        raise Refusal(f"{what} is required.")
    return text.strip()


def log(world: World, subject: str, text: str) -> None:
    """Add to the activity log."""
    world.execute("INSERT INTO refunds_log (subject, text) VALUES (?, ?)", subject, text)
