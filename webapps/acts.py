"""Irreversible acts, and their recall in reversible worlds.

While an act is under way every change to its site's business tables is noted, so that a recall
puts back exactly what the act changed. No site has to say what an act touches.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from webapps.site import WHOLE_TABLE, load_sites
from webapps.world import Refusal, World

Row = dict[str, Any]
Image = dict[tuple[str, int], sqlite3.Row]


class Act:
    """An act under way; `commit` writes its ledger rows."""

    def __init__(self, world: World, site: str, document: str | None) -> None:
        self._world = world
        self._site = site
        self._document = document
        self.ledger_ids: list[int] = []

    def commit(self, kind: str, subject: str, **facts: str | int | bool | None) -> None:
        """Append a ledger row. `facts` say exactly what was done."""
        self.ledger_ids.append(self._world.ledger.commit(self._site, kind, subject, **facts))

    @property
    def document(self) -> str:
        """The number the act is filed under."""
        return str(self.ledger_ids[0]) if self._document is None else self._document


@dataclass(frozen=True)
class Change:
    """A row of a site, known by its rowid, before and after an act; None where there is none."""

    table: str
    rowid: int
    before: Row | None
    after: Row | None

    @property
    def name(self) -> str:
        """What users know the row by: its first column."""
        row = self.before or self.after or {}
        return str(next(iter(row.values())))


@contextmanager
def irreversible(world: World, site: str, document: str | None = None) -> Iterator[Act]:
    """Do something that cannot be taken back: change rows and commit to the ledger inside.

    The act is filed under `document`, or else under the id of its first ledger row. Acts must not
    contain each other.
    """
    before = _image(world, site)
    act = Act(world, site, document)
    yield act
    after = _image(world, site)
    changed = [key for key in before | after if before.get(key) != after.get(key)]
    # Rows that the act added come first, to be gone before a row with their key is put back.
    changed.sort(key=before.__contains__)
    world.execute(
        "INSERT INTO ledger_acts (site, document, ledger_ids, changes) VALUES (?, ?, ?, ?)",
        site,
        act.document,
        json.dumps(act.ledger_ids),
        json.dumps([[*key, _cells(before.get(key)), _cells(after.get(key))] for key in changed]),
    )


def can_recall(world: World, site: str, document: str) -> bool:
    """Whether a page offers the recall of `document`."""
    found = _last(world, site, document)
    return world.reversible and found is not None and not found["recalled"]


def recall(world: World, site: str, document: str) -> None:
    """Take the last act under `document` back.

    Its ledger rows are voided and what it changed is as before; what was changed since then in
    other columns of those rows stays. Refused outside a reversible world, and when something
    that the act changed was changed again.
    """
    if not world.reversible:
        raise Refusal("This is final and cannot be taken back.")
    found = _last(world, site, document)
    if found is None:
        raise Refusal("There is nothing to take back.")
    if found["recalled"]:
        raise Refusal("This was taken back already.")
    changes = [Change(*each) for each in json.loads(found["changes"])]
    for change in changes:
        if _changed_since(world, change, load_sites()[site].volatile.get(change.table, ())):
            raise Refusal(f"This cannot be taken back: {change.name} was changed afterwards.")
    try:
        with world.transaction():
            for change in changes:
                _put_back(world, change)
    except sqlite3.IntegrityError:
        raise Refusal("This cannot be taken back: something else took its place.") from None
    for ledger_id in json.loads(found["ledger_ids"]):
        world.ledger.void(ledger_id)
    world.execute("UPDATE ledger_acts SET recalled = 1 WHERE id = ?", found["id"])


def _last(world: World, site: str, document: str) -> sqlite3.Row | None:
    """The last act in force under `document`; without one, the last that was taken back."""
    return world.row(
        "SELECT * FROM ledger_acts WHERE site = ? AND document = ? ORDER BY recalled, id DESC",
        site,
        document,
    )


def _image(world: World, site: str) -> Image:
    volatile = load_sites()[site].volatile
    tables = world.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return {
        (table, row[-1]): row
        for (table,) in tables
        if table.startswith(f"{site}_") and volatile.get(table) != WHOLE_TABLE
        for row in world.rows(f"SELECT *, rowid FROM {table}")
    }


def _cells(row: sqlite3.Row | None) -> Row | None:
    return None if row is None else dict(row)


def _changed_since(world: World, change: Change, volatile: tuple[str, ...]) -> bool:
    """Whether the cells that an act changed do not hold what it left there."""
    row = world.row(f"SELECT *, rowid FROM {change.table} WHERE rowid = ?", change.rowid)
    if row is None or change.after is None:
        return row is not None or change.after is not None
    return any(
        row[column] != value
        for column, value in change.after.items()
        if column not in volatile and (change.before is None or change.before[column] != value)
    )


def _put_back(world: World, change: Change) -> None:
    if change.before is None:
        world.execute(f"DELETE FROM {change.table} WHERE rowid = ?", change.rowid)
    elif change.after is None:
        columns, marks = ", ".join(change.before), ", ".join("?" * len(change.before))
        world.execute(
            f"INSERT INTO {change.table} ({columns}) VALUES ({marks})", *change.before.values()
        )
    else:
        cells = {
            column: value
            for column, value in change.before.items()
            if value != change.after[column]
        }
        marks = ", ".join(f"{column} = ?" for column in cells)
        world.execute(
            f"UPDATE {change.table} SET {marks} WHERE rowid = ?", *cells.values(), change.rowid
        )
