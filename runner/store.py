"""The run store: what a run writes down, and how it is read back.

A run directory holds `manifest.json` (what was run, and with what) and `run.sqlite` (the plan, and
every episode). An episode is written in one transaction when it has ended, so a run killed at any
instant holds whole episodes only.

An episode whose status is one of `records.MACHINERY_STATUSES` is kept as a row, so that it shows in
the counts, but it is not *finished*: continuing the run tries it again, and the new record takes
its place. A finished episode is never replaced.
"""

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from pydantic import ValidationError

from runner import tables
from runner.errors import StopRunError, UserError
from runner.records import MACHINERY_STATUSES, Episode, Record, Trial
from runner.tables import Column

if TYPE_CHECKING:
    import pandas

MANIFEST = "manifest.json"
DATABASE = "run.sqlite"


class Manifest(Record):
    """What was run, and with what.

    `configuration` is the run's configuration with every default filled in. `versions` maps
    "memtrap", "python", "playwright" and "browser" to theirs. `catalogue` is the sha256 of the
    content of the chosen tasks. `simulated` says that no model was asked: the agent is made up.
    """

    format: Literal[1] = 1
    created_at: str
    configuration: dict[str, Any]
    versions: dict[str, str]
    catalogue: str
    simulated: bool


@dataclass(frozen=True)
class Tables:
    """A run as data frames. Columns are those of `runner.tables`; booleans are booleans.

    `plan`: one row a planned trial, in order (`ordinal`). `episodes`: one row an ended trial, with
    the trial's columns. `steps` and `receipts`: one row a step, by the episode's `key` and the
    step's `number` (`step` in `receipts`). Unknown numbers are NA, lists are Python lists.
    """

    manifest: Manifest
    plan: "pandas.DataFrame"
    episodes: "pandas.DataFrame"
    steps: "pandas.DataFrame"
    receipts: "pandas.DataFrame"


class RunWriter:
    """Writes one run's database. Usable from several threads; one process at a time."""

    def __init__(self, directory: Path) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(
            directory / DATABASE, isolation_level=None, check_same_thread=False
        )
        try:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA foreign_keys = ON")
            with self._transaction():
                for statement in tables.SCHEMA:
                    self._database.execute(statement)
        except sqlite3.DatabaseError as error:
            raise UserError(f"{directory / DATABASE} cannot be used: {error}") from None

    def __enter__(self) -> "RunWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def write_plan(self, trials: Sequence[Trial]) -> None:
        """Record what is to be run. The same plan again changes nothing; another: UserError."""
        rows = [
            tables.to_row(tables.PLAN, {"ordinal": ordinal, **tables.trial_values(trial)})
            for ordinal, trial in enumerate(trials)
        ]
        with self._transaction():
            present = _select(self._database, "plan", tables.PLAN, "ORDER BY ordinal")
            if not present:
                self._insert("plan", tables.PLAN, rows)
            elif present != rows:
                raise UserError("the run was planned by another version; start a new one")

    def write(self, episode: Episode, observations: Mapping[str, str]) -> Episode:
        """Record an ended trial with the observations (text by sha256) that its steps refer to.

        Returns the episode that the run now holds under this key, as it reads back: a finished one
        that was there before stays, and writing twice is writing once. The trial must be planned.
        Raises StopRunError when the file cannot be written to (a full disk).
        """
        try:
            return self._written(episode, observations)
        except sqlite3.OperationalError as error:
            raise StopRunError(f"the run cannot be written down: {error}") from error

    def _written(self, episode: Episode, observations: Mapping[str, str]) -> Episode:
        with self._transaction():
            present = _read_episode(self._database, episode.key)
            if present is not None and present.status not in MACHINERY_STATUSES:
                return present
            for table in ("step", "receipt", "episode"):
                self._database.execute(f"DELETE FROM {table} WHERE key = ?", (episode.key,))
            self._insert_episode(episode)
            self._database.executemany(
                "INSERT OR IGNORE INTO observation VALUES (?, ?)",
                [(sha256, _compressed(text)) for sha256, text in observations.items()],
            )
            return _recorded(self._database, episode.key)

    def outcomes(self) -> dict[str, tuple[str, bool | None]]:
        """(status, success) of every recorded episode by key."""
        with self._lock:
            rows = self._database.execute("SELECT key, status, success FROM episode").fetchall()
        return {
            key: (status, None if success is None else bool(success))
            for key, status, success in rows
        }

    def spent_usd(self) -> float:
        """The sum of all known costs so far."""
        with self._lock:
            row = self._database.execute("SELECT total(cost_usd) FROM step").fetchone()
        return float(row[0])

    def episode(self, key: str) -> Episode:
        """A recorded episode; KeyError when there is none."""
        with self._lock:
            return _recorded(self._database, key)

    def _insert_episode(self, episode: Episode) -> None:
        key, steps = episode.key, episode.steps
        own = [tables.to_row(tables.EPISODE, tables.episode_values(episode))]
        self._insert("episode", tables.EPISODE, own)
        self._insert(
            "step",
            tables.STEP,
            [tables.to_row(tables.STEP, tables.step_values(key, step)) for step in steps],
        )
        self._insert(
            "receipt",
            tables.RECEIPT,
            [tables.to_row(tables.RECEIPT, tables.receipt_values(key, step)) for step in steps],
        )

    def _insert(
        self, table: str, columns: Sequence[Column], rows: Iterable[tuple[Any, ...]]
    ) -> None:
        names = ", ".join(column.name for column in columns)
        marks = ", ".join("?" * len(columns))
        self._database.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._database, self._lock)


class _Transaction:
    """One writer at a time; all or nothing."""

    def __init__(self, database: sqlite3.Connection, lock: threading.Lock) -> None:
        self._database, self._lock = database, lock

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._database.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._database.execute("COMMIT")
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            self._lock.release()


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Write the manifest, whole or not at all."""
    draft = directory / f"{MANIFEST}.tmp"
    text = json.dumps(manifest.model_dump(mode="json"), indent=2)
    draft.write_text(text + "\n", encoding="utf-8")
    draft.replace(directory / MANIFEST)


def read_manifest(directory: Path) -> Manifest:
    """The run's manifest; `UserError` when the directory holds none that can be read."""
    try:
        return Manifest.model_validate_json((directory / MANIFEST).read_bytes())
    except OSError:
        raise UserError(f"{directory} is not a run directory: it holds no {MANIFEST}") from None
    except ValidationError as error:
        reason = error.errors()[0]
        raise UserError(
            f"{directory / MANIFEST} cannot be read: "
            f"{'.'.join(map(str, reason['loc']))}: {reason['msg']}"
        ) from None


def read_episodes(directory: Path) -> Iterator[Episode]:
    """All recorded episodes in full, in the order of the plan."""
    with _reading(directory) as database:
        keys = database.execute(
            "SELECT key FROM episode JOIN plan USING (key) ORDER BY ordinal"
        ).fetchall()
        for (key,) in keys:
            yield _recorded(database, key)


def load_tables(directory: Path) -> Tables:
    """The whole run as data frames, in the order of the plan."""
    manifest = read_manifest(directory)
    in_order = "JOIN (SELECT key, ordinal FROM plan) USING (key) ORDER BY ordinal"
    with _reading(directory) as database:
        database.execute("BEGIN")  # one state of the file, should a run be writing to it
        return Tables(
            manifest=manifest,
            plan=_frame(database, "plan", tables.PLAN, "ORDER BY ordinal"),
            episodes=_frame(database, "episode", tables.EPISODE, in_order),
            steps=_frame(database, "step", tables.STEP, f"{in_order}, number"),
            receipts=_frame(database, "receipt", tables.RECEIPT, f"{in_order}, step"),
        )


def observation_text(directory: Path, sha256: str) -> str:
    """The text of an observation, in the form of `tables.storable`.

    The sha256 is that of the text before lone surrogates were replaced. An unknown one raises
    KeyError.
    """
    with _reading(directory) as database:
        row = database.execute(
            "SELECT text FROM observation WHERE sha256 = ?", (sha256,)
        ).fetchone()
    if row is None:
        raise KeyError(sha256)
    return tables.storable(zlib.decompress(row[0]).decode("utf-8", "surrogatepass"))


def _compressed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


@contextmanager
def _reading(directory: Path) -> Iterator[sqlite3.Connection]:
    """The run's database, to be read; `UserError` when it is none, or is damaged."""
    with closing(_open(directory)) as database:
        try:
            yield database
        except sqlite3.DatabaseError as error:
            raise UserError(f"{directory / DATABASE} cannot be read: {error}") from None


def _open(directory: Path) -> sqlite3.Connection:
    path = directory / DATABASE
    if not path.is_file():
        raise UserError(f"{directory} holds no {DATABASE}: nothing was recorded there yet")
    # A directory that cannot be written to can hold no index of a write-ahead log.
    fixed = not os.access(directory, os.W_OK) and not path.with_name(f"{DATABASE}-wal").exists()
    options = "mode=ro&immutable=1" if fixed else "mode=ro"
    return sqlite3.connect(f"file:{quote(str(path.resolve()))}?{options}", uri=True)


def _select(
    database: sqlite3.Connection,
    table: str,
    columns: Sequence[Column],
    clause: str,
    values: Sequence[Any] = (),
) -> list[tuple[Any, ...]]:
    names = ", ".join(f"{table}.{column.name}" for column in columns)
    return database.execute(f"SELECT {names} FROM {table} {clause}", values).fetchall()


def _read_episode(database: sqlite3.Connection, key: str) -> Episode | None:
    found = _values(database, "episode", tables.EPISODE, "", key)
    if not found:
        return None
    steps = _values(database, "step", tables.STEP, "ORDER BY number", key)
    receipts = _values(database, "receipt", tables.RECEIPT, "ORDER BY step", key)
    return tables.read_episode(found[0], zip(steps, receipts, strict=True))


def _recorded(database: sqlite3.Connection, key: str) -> Episode:
    found = _read_episode(database, key)
    if found is None:
        raise KeyError(key)
    return found


def _values(
    database: sqlite3.Connection, table: str, columns: Sequence[Column], order: str, key: str
) -> list[dict[str, Any]]:
    rows = _select(database, table, columns, f"WHERE key = ? {order}", (key,))
    return [tables.from_row(columns, row) for row in rows]


def _frame(
    database: sqlite3.Connection, table: str, columns: Sequence[Column], clause: str
) -> "pandas.DataFrame":
    import pandas

    rows = _select(database, table, columns, clause)
    by_column = list(zip(*rows, strict=True)) or [()] * len(columns)
    return pandas.DataFrame(
        {
            column.name: _series(column, values)
            for column, values in zip(columns, by_column, strict=True)
        }
    )


def _series(column: Column, values: Sequence[Any]) -> "pandas.Series[Any]":
    import pandas

    if column.kind == "list":
        return pandas.Series([json.loads(value) for value in values], dtype=object)
    if column.kind == "text":
        return pandas.Series(values, dtype=object)
    kinds = {"boolean": ("bool", "boolean"), "integer": ("int64", "Int64")}
    required, nullable = kinds.get(column.kind, ("float64", "Float64"))
    return pandas.Series(values, dtype=nullable if column.nullable else required)
