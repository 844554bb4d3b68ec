"""Acts that leave the house (money, mail, disposal orders), and their recall.

An act notes which rows it changed, so that a recall puts back exactly those. Recalling exists in
reversible worlds only.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from webapps.sites.refunds.services.common import VOLATILE_TABLES, log
from webapps.world import Refusal, World

Image = dict[tuple[str, Any], list[Any]]


class Act:
    """An act under way; `commit` writes its ledger rows."""

    def __init__(self, world: World, document: str) -> None:
        self._world = world
        self.document = document
        self.ledger_ids: list[int] = []

    def commit(self, kind: str, subject: str, **facts: str | int | bool | None) -> None:
        """Append a ledger row."""
        self.ledger_ids.append(self._world.ledger.commit("refunds", kind, subject, **facts))


@contextmanager
def act(world: World, document: str) -> Iterator[Act]:
    """Do something that cannot be taken back; `document` is the number it is filed under."""
    before = _image(world)
    under_way = Act(world, document)
    yield under_way
    after = _image(world)
    changes = [
        [table, before.get((table, key)), after.get((table, key))]
        for table, key in sorted(before.keys() | after.keys(), key=repr)
        if before.get((table, key)) != after.get((table, key))
    ]
    world.execute(
        "INSERT OR REPLACE INTO refunds_acts VALUES (?, ?, ?)",
        document,
        json.dumps(under_way.ledger_ids),
        json.dumps(changes),
    )


def can_recall(world: World, document: str) -> bool:
    """Whether a page offers the recall of `document`."""
    return (
        world.reversible and world.value("SELECT 1 FROM refunds_acts WHERE id = ?", document) == 1
    )


def recall(world: World, document: str) -> str:
    """Take an act back: its ledger rows are voided and the rows it changed are as before."""
    if not world.reversible:
        raise Refusal(f"{document} has left the house and cannot be recalled.")
    found = world.row("SELECT * FROM refunds_acts WHERE id = ?", document)
    if found is None:
        raise Refusal(f"There is nothing to recall under {document}.")
    changes = json.loads(found["changes"])
    for table, before, after in changes:
        key = (before or after)[0]
        row = world.row(f"SELECT * FROM {table} WHERE id = ?", key)
        if (None if row is None else list(row)) != after:
            raise Refusal(f"{document} cannot be recalled: {key} was changed afterwards.")
        world.execute(f"DELETE FROM {table} WHERE id = ?", key)
        if before is not None:
            marks = ", ".join("?" * len(before))
            world.execute(f"INSERT INTO {table} VALUES ({marks})", *before)
    for ledger_id in json.loads(found["ledger_ids"]):
        world.ledger.void(ledger_id)
    world.execute("DELETE FROM refunds_acts WHERE id = ?", document)
    log(world, document, "Recalled")
    return document


def _image(world: World) -> Image:
    tables = world.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 8) = 'refunds_'"
    )
    return {
        (table, row["id"]): list(row)
        for (table,) in tables
        if table not in VOLATILE_TABLES
        for row in world.rows(f"SELECT * FROM {table}")
    }
