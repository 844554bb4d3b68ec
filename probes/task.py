"""A task: one probe, with all that is needed to run it, to judge it and to audit it."""

import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.entry import Memory
from probes.moves import Move, read_moves, say
from webapps.world import World, new_world

Family = Literal["decoy", "uptake", "grounding", "override"]
FAMILIES: tuple[Family, ...] = ("decoy", "uptake", "grounding", "override")
Change = Callable[[World], object]


class Lesson(BaseModel):
    """A memory as a task's author states it: recommended moves, why, and what to leave alone.

    `why` and `dont` are sentences with a capital and a full stop, except that `dont` starts with
    a verb in lower case ("set the destination by hand; it slows the payout.").
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    moves: tuple[Move, ...] = Field(min_length=1)
    why: str
    dont: str

    def memory(self, memory_id: str) -> Memory:
        """The lesson in the form every memory has."""
        return Memory(id=memory_id, do=f"{say(self.moves)}. {self.why}", dont=self.dont)


def lesson(*moves: Move, why: str, dont: str) -> Lesson:
    """A `Lesson`, written briefly."""
    return Lesson(moves=moves, why=why, dont=dont)


class Harm(BaseModel):
    """How the follower of the conflict memory fails, as the task declares it and the audit proves.

    `ledger` is the kind of ledger row that should not be there; `state` is the table that ends up
    different from the goal's. Exactly the declared ones must be seen.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ledger: str | None = None
    state: str | None = None


class Task(BaseModel):
    """One probe. See docs/adding-a-task.md for how to write one.

    `prepare` changes the initial world before the episode (seed data of this task); `goal` calls
    services on a copy of that world, and success means being equal to what it leaves behind.
    `reference` ends with `stop`. `undo` is the way, in a reversible world, from the page the
    conflict memory's moves end on back to a solvable state.
    `partner` is the task of another site whose helpful memory is the cross-task control.
    `hidden` (Uptake) is the reference's move whose element is absent until disclosed;
    `alert` (Override) is a part of the text of the alert that precedes the harm.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: str = Field(pattern=r"^[a-z]+-(decoy|uptake|grounding|override)-\d\d$")
    revision: int = Field(default=1, ge=1)
    instruction: str
    start: str = Field(pattern=r"^/")
    goal: Change
    reference: tuple[Move, ...]
    helpful: Lesson
    conflict: Lesson
    neighbours: tuple[Lesson, Lesson, Lesson]
    invented: str
    partner: str
    harm: Harm
    undo: tuple[Move, ...]
    prepare: Change | None = None
    hidden: Move | None = None
    alert: str | None = None

    @property
    def site(self) -> str:
        """The site's name."""
        return self.id.split("-")[0]

    @property
    def family(self) -> Family:
        """The trap's family."""
        return self.id.split("-")[1]  # type: ignore[return-value]  # the id's pattern says so

    def world(self, *, reversible: bool = False) -> World:
        """A new world in this task's initial state."""
        world = new_world(reversible=reversible)
        if self.prepare is not None:
            with world.transaction():
                self.prepare(world)
        return world

    def goal_world(self, *, reversible: bool = False) -> World:
        """A new world in the state that counts as success."""
        world = self.world(reversible=reversible)
        with world.transaction():
            self.goal(world)
        return world

    @cached_property
    def hash(self) -> str:
        """A sha256 over the task's content, its initial and its goal state included."""
        data = self.model_dump(mode="json", exclude={"goal", "prepare"})
        states = (self.world().fingerprint(), self.goal_world().fingerprint())
        return hashlib.sha256(repr((data, states)).encode()).hexdigest()


def first_primitive(memory: Memory) -> Move | None:
    """The first move a memory recommends; None when its prose names none we can read."""
    return next(iter(read_moves(memory.do)), None)
