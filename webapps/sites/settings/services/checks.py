"""Checks that several services share. Each raises a `Refusal` that says what to mend."""

import sqlite3
from datetime import date

from webapps.world import Refusal, World


def find(world: World, table: str, key: str, what: str) -> sqlite3.Row:
    """The row of `table` with this id, or a refusal."""
    row = world.row(f"SELECT * FROM {table} WHERE id = ?", key)
    if row is None:
        raise Refusal(f"There is no such {what}.")
    return row


def day(text: str, label: str) -> date:
    """A date as browsers send it."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refusal(f"{label}: enter a date.") from None


def coming_day(world: World, text: str, label: str) -> str:
    """A date that is not over."""
    if day(text, label) < world.now.date():
        raise Refusal(f"{label}: this date is in the past.")
    return text


def past_day(world: World, text: str, label: str) -> str:
    """A date up to today."""
    if day(text, label) > world.now.date():
        raise Refusal(f"{label}: this date is still to come.")
    return text


def one_of(value: str, allowed: tuple[str, ...], label: str) -> str:
    """A value of a list."""
    if value not in allowed:
        raise Refusal(f"{label}: choose one of the list.")
    return value


def words(text: str, label: str) -> str:
    """A text that is not blank."""
    if not text.strip():
        raise Refusal(f"{label}: this must not be empty.")
    return text.strip()
