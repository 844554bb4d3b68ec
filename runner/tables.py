"""The tables of a run store: their columns are derived from the records, so neither can drift."""

import json
import re
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from memory.treatments import Treatment
from runner.records import Episode, Receipt, Step, Trial, Usage

Kind = Literal["text", "integer", "real", "boolean", "list"]
_SQL = {
    "text": "TEXT",
    "integer": "INTEGER",
    "real": "REAL",
    "boolean": "INTEGER",
    "list": "TEXT",
}
_KINDS: dict[type, Kind] = {str: "text", int: "integer", float: "real", bool: "boolean"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True)
class Column:
    """One column: its kind, and whether NULL (unknown, or no such thing) is allowed."""

    name: str
    kind: Kind
    nullable: bool = False

    @property
    def sql(self) -> str:
        """The column's definition in CREATE TABLE."""
        return f"{self.name} {_SQL[self.kind]}{'' if self.nullable else ' NOT NULL'}"

    def to_sql(self, value: Any) -> Any:
        """A record's value as SQLite keeps it."""
        if self.kind == "list":
            return json.dumps([storable(item) for item in value], ensure_ascii=False)
        return storable(value) if isinstance(value, str) else value

    def from_sql(self, value: Any) -> Any:
        """The value a record had."""
        if value is None or self.kind not in ("boolean", "list"):
            return value
        return bool(value) if self.kind == "boolean" else json.loads(value)


def storable(text: str) -> str:
    """`text` in the one form in which stored text reads back.

    Text is kept as it is, with one exception: half of a surrogate pair on its own, which no UTF-8
    file can hold, becomes its escape in plain letters (a lone U+D83D reads `\\ud83d`). Two halves
    in a row become the character they stand for.
    """
    whole = _PAIR.sub(
        lambda match: match[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text
    )
    return whole.encode("utf-8", "backslashreplace").decode("utf-8")


def _columns(model: type[BaseModel], *, leave_out: Sequence[str] = ()) -> tuple[Column, ...]:
    return tuple(
        _column(name, field.annotation)
        for name, field in model.model_fields.items()
        if name not in leave_out
    )


def _column(name: str, annotation: Any) -> Column:
    options = get_args(annotation)
    if get_origin(annotation) in (Union, types.UnionType):
        (inner,) = (option for option in options if option is not type(None))
        return Column(name, _column(name, inner).kind, nullable=True)
    if get_origin(annotation) is Literal:
        return Column(name, "text")
    if get_origin(annotation) is tuple:
        return Column(name, "list")
    return Column(name, _KINDS[annotation])


_TRIAL = (*_columns(Trial, leave_out=["treatment"]), *_columns(Treatment))
_USAGE = _columns(Usage)
_EPISODE_OWN = _columns(Episode, leave_out=["trial", "key", "steps"])
_STEP_OWN = _columns(Step, leave_out=["receipt", "usage"])
_KEY = Column("key", "text")

PLAN = (Column("ordinal", "integer"), _KEY, Column("anchor_key", "text"), *_TRIAL)
EPISODE = (
    _KEY,
    Column("anchor_key", "text"),
    *_TRIAL,
    *_EPISODE_OWN,
    Column("scored", "boolean"),
    Column("steps", "integer"),
    Column("prompt_tokens", "integer", nullable=True),
    Column("completion_tokens", "integer", nullable=True),
    Column("cost_usd", "real", nullable=True),
)
STEP = (_KEY, *_STEP_OWN, *_USAGE)
RECEIPT = (_KEY, Column("step", "integer"), *_columns(Receipt))
ANNOTATION = tuple(
    Column(name, "text") for name in ("key", "kind", "author", "version", "verdict", "reason")
)

_CONSTRAINTS = {
    "plan": (PLAN, "PRIMARY KEY (key), UNIQUE (ordinal)"),
    "episode": (EPISODE, "PRIMARY KEY (key), FOREIGN KEY (key) REFERENCES plan (key)"),
    "step": (STEP, "PRIMARY KEY (key, number), FOREIGN KEY (key) REFERENCES episode (key)"),
    "receipt": (RECEIPT, "PRIMARY KEY (key, step), FOREIGN KEY (key) REFERENCES episode (key)"),
    "annotation": (ANNOTATION, "PRIMARY KEY (key, kind, author, version)"),
}
SCHEMA = (
    *(
        f"CREATE TABLE IF NOT EXISTS {table} "
        f"({', '.join(column.sql for column in columns)}, {constraint})"
        for table, (columns, constraint) in _CONSTRAINTS.items()
    ),
    "CREATE TABLE IF NOT EXISTS observation (sha256 TEXT PRIMARY KEY, text BLOB NOT NULL)",
)


def to_row(columns: Iterable[Column], values: Mapping[str, Any]) -> tuple[Any, ...]:
    """`values` in the order and form of `columns`."""
    return tuple(column.to_sql(values[column.name]) for column in columns)


def from_row(columns: Sequence[Column], row: Sequence[Any]) -> dict[str, Any]:
    """The inverse of `to_row`."""
    return {column.name: column.from_sql(value) for column, value in zip(columns, row, strict=True)}


def trial_values(trial: Trial) -> dict[str, Any]:
    """A trial's values by column, its key and its anchor's key among them."""
    data = trial.model_dump()
    return {**data, **data["treatment"], "key": trial.key, "anchor_key": trial.anchor_key}


def episode_values(episode: Episode) -> dict[str, Any]:
    """An episode's values by column, without its steps."""
    data = episode.model_dump(exclude={"steps", "trial"})
    used = [step.usage for step in episode.steps if step.usage.calls or step.usage.cached]
    totals = {
        name: _total([getattr(usage, name) for usage in used])
        for name in ("prompt_tokens", "completion_tokens", "cost_usd")
    }
    own = {**data, **totals, "scored": episode.scored, "steps": len(episode.steps)}
    return {**trial_values(episode.trial), **own}


def _total(amounts: Sequence[float | None]) -> float | None:
    """The sum; unknown as soon as one model call's amount is. No call at all makes 0."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def step_values(key: str, step: Step) -> dict[str, Any]:
    """A step's values by column, without its receipt."""
    return {**step.model_dump(exclude={"receipt", "usage"}), **step.usage.model_dump(), "key": key}


def receipt_values(key: str, step: Step) -> dict[str, Any]:
    """The values of a step's receipt by column."""
    return {**step.receipt.model_dump(), "key": key, "step": step.number}


def read_trial(values: Mapping[str, Any]) -> Trial:
    """The trial among a row's values."""
    treatment = {name: values[name] for name in Treatment.model_fields}
    own = {name: values[name] for name in Trial.model_fields if name != "treatment"}
    return Trial(**own, treatment=Treatment(**treatment))


def read_episode(
    values: Mapping[str, Any], steps: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Episode:
    """The episode of a row's values and of its steps' and receipts' values, in order."""
    own = {column.name: values[column.name] for column in (_KEY, *_EPISODE_OWN)}
    return Episode(
        **own, trial=read_trial(values), steps=tuple(_read_step(*pair) for pair in steps)
    )


def _read_step(values: Mapping[str, Any], receipt: Mapping[str, Any]) -> Step:
    own = {column.name: values[column.name] for column in _STEP_OWN}
    usage = Usage(**{column.name: values[column.name] for column in _USAGE})
    proof = Receipt(**{name: receipt[name] for name in Receipt.model_fields})
    return Step(**own, usage=usage, receipt=proof)
