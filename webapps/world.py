"""A world: one episode's private state, all sites' tables in one in-memory SQLite database."""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import RLock
from typing import Any

from webapps import ledger
from webapps.site import WHOLE_TABLE, Site, load_sites

NOW = datetime(2026, 9, 15, 10, 0)  # noqa: DTZ001 - a civil time on the sites' own clock
Rows = tuple[tuple[Any, ...], ...]


class Refusal(Exception):  # noqa: N818 - a service's answer, not a programming error
    """A service declines; the text is shown to the user with role=alert and nothing is changed."""


@dataclass(frozen=True)
class Notice:
    """A message for the next page: role `status` (it worked) or `alert` (it did not)."""

    role: str
    text: str


class World:
    """The state of one episode. Not safe for concurrent requests: the host takes `lock` for each.

    `reversible` worlds offer an undo for irreversible acts; nothing else differs.
    """

    def __init__(self, image: bytes, *, reversible: bool = False) -> None:
        self.db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self.db.deserialize(image)
        self.db.row_factory = sqlite3.Row
        self.reversible = reversible
        self.ledger = ledger.Ledger(self.db, reversible=reversible)
        self.notices: list[Notice] = []
        self.lock = RLock()

    @property
    def now(self) -> datetime:
        """The sites' clock. It stands still, so that equal states give equal pages."""
        return NOW

    def rows(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self.db.execute(sql, values).fetchall()

    def row(self, sql: str, *values: Any) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        found: sqlite3.Row | None = self.db.execute(sql, values).fetchone()
        return found

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, or None."""
        found = self.row(sql, *values)
        return None if found is None else found[0]

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """Change something."""
        return self.db.execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: a `Refusal` or any other exception inside leaves the state untouched."""
        with self.lock:
            self.db.execute("SAVEPOINT request")
            try:
                yield
            except BaseException:
                self.db.execute("ROLLBACK TO request")
                raise
            finally:
                self.db.execute("RELEASE request")

    def notify(self, text: str, role: str = "status") -> None:
        """Show `text` on the next page."""
        self.notices.append(Notice(role, text))

    def take_notices(self) -> list[Notice]:
        """The messages that wait, which are gone with this call."""
        taken, self.notices = self.notices, []
        return taken

    def copy(self) -> "World":
        """An independent world in the same state (a fork)."""
        with self.lock:
            twin = World(self.db.serialize(), reversible=self.reversible)
            twin.notices = list(self.notices)
            return twin

    def close(self) -> None:
        """Free the database."""
        with self.lock:
            self.db.close()

    def state(self) -> dict[str, Rows]:
        """The business state: every table's rows without volatile columns, in a fixed order."""
        with self.lock:
            return {
                table: tuple(sorted((tuple(row) for row in self.db.execute(sql)), key=repr))
                for table, sql in _state_queries().items()
            }

    def fingerprint(self) -> str:
        """A sha256 over the business state and the acts in force."""
        acts = sorted(self.ledger.entries())
        return hashlib.sha256(repr((self.state(), acts)).encode()).hexdigest()


def differences(world: World, goal: World) -> list[str]:
    """What keeps `world` from being `goal`, in words; empty when the goal is reached."""
    ours, wanted = world.state(), goal.state()
    found: list[str] = []
    for table in ours:
        extra = [row for row in ours[table] if row not in set(wanted[table])]
        missing = [row for row in wanted[table] if row not in set(ours[table])]
        found += [f"{table}: has {row}" for row in extra]
        found += [f"{table}: lacks {row}" for row in missing]
        if not extra and not missing and ours[table] != wanted[table]:
            found.append(f"{table}: holds a row a different number of times")
    found += [f"ledger: has {entry}" for entry in world.ledger.lost_against(goal.ledger)]
    found += [f"ledger: lacks {entry}" for entry in goal.ledger.lost_against(world.ledger)]
    return found


def new_world(*, reversible: bool = False) -> World:
    """A world in its initial state, cloned from the template that is built once a process."""
    return World(_template(), reversible=reversible)


def build_template(sites: Mapping[str, Site]) -> bytes:
    """The initial database of `sites` as bytes."""
    db = sqlite3.connect(":memory:")
    db.executescript(ledger.SCHEMA)
    for site in sites.values():
        db.executescript(site.schema)
    world = World(db.serialize())
    for site in sites.values():
        with world.transaction():
            site.seed(world)
    return world.db.serialize()


@cache
def _template() -> bytes:
    return build_template(load_sites())


@cache
def _state_queries() -> Mapping[str, str]:
    """A SELECT of the columns that count, by table."""
    volatile: dict[str, tuple[str, ...]] = {}
    for site in load_sites().values():
        volatile.update(site.volatile)
    world = new_world()
    tables = world.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        " AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    queries = {}
    for (table,) in tables:
        if table in ledger.TABLES or volatile.get(table) == WHOLE_TABLE:
            continue
        info = world.rows(f"PRAGMA table_info({table})")
        columns = [row["name"] for row in info if row["name"] not in volatile.get(table, ())]
        queries[table] = f"SELECT {', '.join(columns)} FROM {table}"
    return queries
