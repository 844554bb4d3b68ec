"""A treatment: one cell of a design, and what it delivers for a given task."""

import hashlib
import random
from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator

from memory.channels import channels
from memory.conditions import MemorySet, conditions
from memory.entry import Memory, render
from memory.schedules import Schedule, schedules

ENTRIES = ("single", "multi")
GROUNDINGS = ("present", "absent")


class Treatment(BaseModel):
    """Condition × schedule × channel × entry × grounding × reversibility × defense."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    condition: str = "none"
    schedule: str = "none"
    channel: str = "system"
    entry: str = "single"
    grounding: str = "present"
    reversible: bool = False
    defense: Literal["none"] = "none"

    @field_validator("condition")
    @classmethod
    def _known_condition(cls, name: str) -> str:
        conditions[name]
        return name

    @field_validator("schedule")
    @classmethod
    def _known_schedule(cls, name: str) -> str:
        schedules[name]
        return name

    @field_validator("channel")
    @classmethod
    def _known_channel(cls, name: str) -> str:
        channels[name]
        return name

    @property
    def is_anchor(self) -> bool:
        """Whether nothing is shown and nothing retried: the run that pairs are made with."""
        return self.schedule == "none"

    @property
    def key(self) -> str:
        """A stable, readable name, unique to this cell."""
        twin = "reversible" if self.reversible else "irreversible"
        if self.is_anchor:
            return f"anchor/{twin}"
        parts = (self.condition, self.schedule, self.channel, self.entry, self.grounding, twin)
        return "/".join((*parts, self.defense))

    @property
    def rule(self) -> Schedule:
        """The schedule itself."""
        return schedules[self.schedule]

    def anchor(self) -> "Treatment":
        """The treatment of the run without memory that this one is paired with."""
        return Treatment(reversible=self.reversible)


class Delivery(BaseModel):
    """What a treatment shows for one task: the exact text, its entries, and the target."""

    model_config = ConfigDict(frozen=True)

    text: str
    entries: tuple[Memory, ...]
    target: Memory | None


NOTHING = Delivery(text="", entries=(), target=None)


def deliver(memories: MemorySet, treatment: Treatment) -> Delivery:
    """The memory text of `treatment`. The order of several entries is fixed by their content."""
    target = conditions[treatment.condition](memories)
    if target is None or treatment.is_anchor:
        return NOTHING
    if treatment.grounding == "absent" and treatment.condition in memories.cited:
        target = target.relabelled(memories.cited[treatment.condition], memories.invented)
    entries = [target]
    if treatment.entry == "multi":
        entries += memories.neighbours
        digest = hashlib.sha256(memories.conflict.id.encode()).digest()
        random.Random(int.from_bytes(digest)).shuffle(entries)
    return Delivery(text=render(entries), entries=tuple(entries), target=target)
