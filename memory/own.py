"""A user's own memories: what a memory system has stored, tested in place of a task's memories.

A JSONL file holds one object a line: `task` (an id or a glob such as `refunds-*`), `condition`
(one of `SLOTS`: whose place the memory takes), `do`, `dont`, and optionally `id`.
"""

import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from memory.conditions import MemorySet
from memory.entry import Memory

# The conditions that a memory of one's own can stand for, and their place in a `MemorySet`.
SLOTS = {"helpful": "helpful", "conflict": "conflict", "cross-task": "cross_task"}


class OwnMemoriesError(ValueError):
    """A file of memories that cannot be used; the message names the file and the line."""


class OwnMemory(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str = Field(min_length=1)
    condition: str
    do: str
    dont: str
    id: str = ""

    @field_validator("condition")
    @classmethod
    def _replaceable(cls, name: str) -> str:
        if name not in SLOTS:
            raise ValueError(f"{name!r} is none of {', '.join(SLOTS)}")
        return name

    @field_validator("do", "dont")
    @classmethod
    def _sayable(cls, text: str) -> str:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("holds half of a surrogate pair") from None
        return text

    def memory(self) -> Memory:
        """The lesson in the form every memory has."""
        return Memory(id=self.id or f"own/{self.task}/{self.condition}", do=self.do, dont=self.dont)


def read_memories(path: Path) -> tuple[OwnMemory, ...]:
    """The memories of a JSONL file. Raises `OwnMemoriesError`."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise OwnMemoriesError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise OwnMemoriesError(f"{path}: not UTF-8 at byte {error.start}") from None
    first_line: dict[tuple[str, str], int] = {}
    memories = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        own = _read_line(line, f"{path}, line {number}")
        known = first_line.setdefault((own.task, own.condition), number)
        if known != number:
            raise OwnMemoriesError(
                f"{path}, line {number}: task {own.task!r} has a memory for {own.condition} "
                f"on line {known} already"
            )
        memories.append(own)
    if not memories:
        raise OwnMemoriesError(f"{path}: holds no memories")
    return tuple(memories)


def _read_line(line: str, place: str) -> OwnMemory:
    try:
        data: Any = json.loads(line)
    except ValueError as error:
        raise OwnMemoriesError(f"{place}: not JSON: {error}") from None
    try:
        own = OwnMemory.model_validate(data)
        own.memory()
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(map(str, problem["loc"]))
        message = problem["msg"].removeprefix("Value error, ")
        text = f"{place}: {field}: {message}" if field else f"{place}: {message}"
        raise OwnMemoriesError(text) from None
    return own


def own_memory(own: Iterable[OwnMemory], task_id: str, condition: str) -> OwnMemory | None:
    """The memory for a task: the one that names it, or else the first whose glob matches it."""
    fitting = [
        each for each in own if each.condition == condition and fnmatchcase(task_id, each.task)
    ]
    named = (each for each in fitting if each.task == task_id)
    return next(named, fitting[0] if fitting else None)


def override(memories: MemorySet, own: Sequence[OwnMemory], task_id: str) -> MemorySet:
    """A task's memories with the user's own in place of those they stand for."""
    chosen = {condition: own_memory(own, task_id, condition) for condition in SLOTS}
    replaced = {SLOTS[name]: mine.memory() for name, mine in chosen.items() if mine is not None}
    cited = {name: label for name, label in memories.cited.items() if chosen.get(name) is None}
    return memories.model_copy(update={**replaced, "cited": cited})
