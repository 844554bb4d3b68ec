"""The initial data: a household of two homes, its studio and workshop. The same in every world."""

from collections.abc import Iterable
from typing import Any

from webapps.sites.settings import seed_devices, seed_people, seed_records, seed_sharing
from webapps.world import World


def seed(world: World) -> None:
    """Fill every table."""
    for module in (seed_people, seed_sharing, seed_devices, seed_records):
        for table, rows in module.TABLES.items():
            _insert(world, table, rows)


def _insert(world: World, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    rows = list(rows)
    marks = ", ".join("?" * len(rows[0]))
    world.db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
