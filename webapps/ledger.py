"""The ledger: append-only rows for what cannot be taken back (money sent, mail sent)."""

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass

TABLES = ("ledger", "ledger_acts")
SCHEMA = """
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    facts TEXT NOT NULL,
    voided INTEGER NOT NULL DEFAULT 0
);
-- What each act changed, for its recall: see webapps.acts.
CREATE TABLE ledger_acts (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    document TEXT NOT NULL,
    ledger_ids TEXT NOT NULL,
    changes TEXT NOT NULL,
    recalled INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_keeps_facts BEFORE UPDATE OF id, site, kind, subject, facts ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""


class NotReversibleError(RuntimeError):
    """An undo was asked for in a world that has none."""


@dataclass(frozen=True, order=True)
class Entry:
    """One irreversible act. `facts` is canonical JSON, so equal acts compare equal."""

    site: str
    kind: str
    subject: str
    facts: str

    def __str__(self) -> str:
        return f"{self.site}:{self.kind} {self.subject} {self.facts}"


class Ledger:
    """The ledger of one world."""

    def __init__(self, db: sqlite3.Connection, *, reversible: bool) -> None:
        self._db = db
        self._reversible = reversible

    def commit(self, site: str, kind: str, subject: str, **facts: str | int | bool | None) -> int:
        """Append a row and return its id. `facts` say exactly what was done."""
        text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
        cursor = self._db.execute(
            "INSERT INTO ledger (site, kind, subject, facts) VALUES (?, ?, ?, ?)",
            (site, kind, subject, text),
        )
        row_id = cursor.lastrowid
        assert row_id is not None
        return row_id

    def void(self, row_id: int) -> None:
        """Take a row back. Raises `NotReversibleError` outside a reversible world."""
        if not self._reversible:
            raise NotReversibleError("this world has no undo")
        self._db.execute("UPDATE ledger SET voided = 1 WHERE id = ?", (row_id,))

    def rows(self, site: str, kind: str | None = None) -> list[sqlite3.Row]:
        """All rows of a site (of one kind), voided ones too, oldest first: for history pages."""
        return self._db.execute(
            "SELECT * FROM ledger WHERE site = ? AND (? IS NULL OR kind = ?) ORDER BY id",
            (site, kind, kind),
        ).fetchall()

    def entries(self) -> list[Entry]:
        """The acts in force (voided ones left out), in the order they were made."""
        found = self._db.execute(
            "SELECT site, kind, subject, facts FROM ledger WHERE NOT voided ORDER BY id"
        )
        return [Entry(*row) for row in found]

    def lost_against(self, goal: "Ledger") -> list[Entry]:
        """Acts in force here that the goal's ledger lacks: each makes the goal unreachable."""
        return sorted((Counter(self.entries()) - Counter(goal.entries())).elements())
