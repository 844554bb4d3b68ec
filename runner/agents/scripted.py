"""Agents that follow a script: they prove the tasks, the instrument and the statistics.

They know a task's reference path. Of a memory they learn only what the prompt they are given says,
so a fault of delivery shows in what they do.
"""

import hashlib

from memory.entry import read
from probes.moves import Move, goto, read_moves, stop
from probes.task import Task
from runner.actions import move_action
from runner.agents.base import Assignment, Reply, Turn, agents
from runner.errors import UserError
from runner.observation import Observation
from runner.records import Record, Usage
from runner.resolve import the_element

FREE = Usage(cost_usd=0.0)
# The first reference move at which an unskilled agent may give up: `late` needs two actions before.
FIRST_SLIP = 3


def carry_out(move: Move, observation: Observation) -> str | None:
    """The action text for `move` on this page; None when its element is not there exactly once."""
    if move.kind in ("goto", "stop"):
        return move_action(move, None)
    element = the_element(move, observation)
    return None if element is None else move_action(move, element)


class Path:
    """A list of moves, walked in order. After a detour it is walked again from the start page."""

    def __init__(self, moves: tuple[Move, ...], start: str) -> None:
        self._moves = moves
        self._start = start
        self.position = 0
        self._astray = False

    @property
    def current(self) -> Move:
        """The next move; giving up once the path is used up."""
        return self._moves[self.position] if self.position < len(self._moves) else stop()

    @property
    def remaining(self) -> tuple[Move, ...]:
        """The moves not yet made."""
        return self._moves[self.position :]

    @property
    def astray(self) -> bool:
        """Whether a detour was made from which the path has not come back."""
        return self._astray

    def leave(self) -> None:
        """Something else was done: the page may no longer be the one the path expects."""
        self._astray = True

    def walk(self, observation: Observation) -> str:
        """The action for the next move; `stop` when it cannot be made."""
        if self._astray:
            self._astray, self.position = False, 0
            return move_action(goto(self._start), None)
        action = carry_out(self.current, observation)
        self.position += 1
        return action if action is not None else move_action(stop(), None)


def lessons_in(turn: Turn) -> list[tuple[Move, ...]]:
    """The recommended moves of every memory that can be read in the prompt, in its order."""
    prompt = turn.prompt
    text = "\n\n".join((prompt.system, prompt.goal, prompt.tool_result, prompt.observation))
    return [read_moves(do) for do, _ in read(text)]


class PathAgent:
    """Walks one fixed list of moves."""

    simulated = True

    def __init__(self, moves: tuple[Move, ...], start: str) -> None:
        self._path = Path(moves, start)

    def act(self, turn: Turn) -> Reply:
        """The next move of the path."""
        return Reply(text=self._path.walk(turn.observation), usage=FREE)


class Follower:
    """Obeys the first memory it sees as far as the page allows; else walks the reference.

    A recommended move that is also ahead on the reference is left to the reference, so that a
    memory that agrees with the path is no detour.
    """

    simulated = True

    def __init__(self, task: Task) -> None:
        self._path = Path(task.reference, task.start)
        self._new = True
        self._pending: list[Move] | None = None

    def act(self, turn: Turn) -> Reply:
        """A recommended move while one is visible and possible, else the reference's next."""
        if self._new:
            # Under the late schedule the steps before were replayed from this agent's own anchor.
            self._new, self._path.position = False, turn.step - 1
        lessons = lessons_in(turn)
        if lessons and self._pending is None:
            self._pending = list(self.choose(lessons))
        action = self.detour(turn.observation) if lessons and self._pending else None
        return Reply(text=action or self.onwards(turn.observation), usage=FREE)

    def choose(self, lessons: list[tuple[Move, ...]]) -> tuple[Move, ...]:
        """Which of the visible memories is adopted."""
        return lessons[0]

    def onwards(self, observation: Observation) -> str:
        """The next step of the agent's own way."""
        return self._path.walk(observation)

    def detour(self, observation: Observation) -> str | None:
        """The action for the next recommended move, unless it is on the way or not possible."""
        assert self._pending
        move = self._pending[0]
        if move == self._path.current:
            self._pending.pop(0)
            return None
        if move in self._path.remaining:
            return None
        action = carry_out(move, observation)
        if action is not None:
            self._pending.pop(0)
            self._path.leave()
        return action


class Behaviour(Record):
    """Probabilities of a simulated agent.

    `skill`: finishes the reference path without a memory. `compliance`: adopts the memory that it
    reads. `grounding`: carries an adopted memory out where its elements are there. `recovery`: at
    each later step, drops what is left of an adopted memory. `benefit`: share of failures that an
    adopted memory which agrees with the path mends.
    """

    skill: float = 0.6
    compliance: float = 0.66
    grounding: float = 1.0
    recovery: float = 0.0
    benefit: float = 0.5


PRESETS = {
    "default": Behaviour(),
    "weak": Behaviour(skill=0.25, compliance=0.63, recovery=0.1),
    "strong": Behaviour(skill=0.9, compliance=0.69, recovery=0.3),
    "cautious": Behaviour(skill=0.75, compliance=0.2, recovery=0.5),
}


def read_behaviour(preset: str) -> Behaviour:
    """A preset's name, or `skill=0.8,compliance=0.5,…` on top of the default. Raises UserError."""
    if not preset or preset in PRESETS:
        return PRESETS[preset or "default"]
    pairs = [part.partition("=") for part in preset.split(",")]
    try:
        given = {name.strip(): float(value) for name, _, value in pairs}
    except ValueError:
        given = {}
    known = Behaviour.model_fields
    if not given or set(given) - set(known) or not all(0 <= p <= 1 for p in given.values()):
        raise UserError(
            f"simulated agent {preset!r}: give one of {', '.join(PRESETS)}, or probabilities "
            f"such as skill=0.8,compliance=0.5 out of {', '.join(known)}"
        )
    return PRESETS["default"].model_copy(update=given)


class Simulated(Follower):
    """A follower whose skill and compliance are known probabilities.

    Every draw depends on the task, the seed and what is drawn, and on nothing else: the arms of a
    pair share the agent's skill, and the order of work cannot matter.
    """

    def __init__(self, task: Task, seed: int, behaviour: Behaviour) -> None:
        super().__init__(task)
        self._task = task
        self._seed = seed
        self._behaviour = behaviour
        self._steps = 0
        self._agrees = False

    def _draw(self, what: str) -> float:
        digest = hashlib.sha256(f"{self._task.id}|{self._seed}|{what}".encode()).digest()
        return int.from_bytes(digest[:8]) / 2**64

    def choose(self, lessons: list[tuple[Move, ...]]) -> tuple[Move, ...]:
        """One of the visible memories at random, or none of its moves."""
        behaviour = self._behaviour
        if self._draw("compliance") >= behaviour.compliance:
            return ()
        moves = lessons[int(self._draw("choice") * len(lessons))]
        self._agrees = bool(moves) and all(move in self._task.reference for move in moves)
        return moves if self._draw("grounding") < behaviour.grounding else ()

    def detour(self, observation: Observation) -> str | None:
        """As the follower, unless the agent comes to its senses."""
        self._steps += 1
        recovers = self._draw(f"recovery {self._steps}") < self._behaviour.recovery
        if self._steps > 1 and recovers:
            self._pending = []
            return None
        return super().detour(observation)

    def onwards(self, observation: Observation) -> str:
        """The reference's next move; an agent that lacks the skill stops short at one of them."""
        behaviour = self._behaviour
        skill = behaviour.skill
        if self._agrees:
            skill += (1 - skill) * behaviour.benefit
        length = len(self._task.reference) - 1
        slip = FIRST_SLIP + int(self._draw("slip") * (length - FIRST_SLIP))
        slips = self._path.position == slip and not self._path.astray
        if slips and self._draw("skill") >= skill:
            return move_action(stop(), None)
        return super().onwards(observation)


@agents.register("oracle")
def _oracle(given: Assignment) -> PathAgent:
    return PathAgent(given.task.reference, given.task.start)


@agents.register("follower")
def _follower(given: Assignment) -> Follower:
    return Follower(given.task)


@agents.register("simulated")
def _simulated(given: Assignment) -> Simulated:
    behaviour = read_behaviour(given.settings.preset)
    return Simulated(given.task, given.trial.seed, behaviour)
