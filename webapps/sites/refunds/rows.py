"""Filling tables with seed data."""

from collections.abc import Iterable, Sequence
from typing import Any

from webapps.world import World


def insert(world: World, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Append rows to refunds_`table`, all columns given."""
    for row in rows:
        marks = ", ".join("?" * len(row))
        world.execute(f"INSERT INTO refunds_{table} VALUES ({marks})", *row)
