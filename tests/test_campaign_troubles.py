"""Campaigns whose machinery dies or whose agents misbehave: only the affected suffer."""

import os
import signal
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pandas

from runner.agents.base import Agent, Assignment, Reply, Turn, agents
from runner.campaign import TRIES, Standing
from runner.configuration import RunConfiguration
from runner.errors import StopRunError
from runner.records import MACHINERY_STATUSES, Episode
from runner.store import load_tables, read_episodes
from tests.campaigns import (
    EVERYTHING,
    TASKS,
    alive,
    assert_same_results,
    carry_out,
    frames,
    launched,
    wait_for_death,
)

TROUBLED = (TASKS[1], 2)
NUMBERS = count(1)


def test_results_depend_neither_on_workers_nor_on_a_browser_that_dies(
    reference: Path, tmp_path: Path, wrapped: Path
) -> None:
    """H15: SIGKILL in the middle, twice; the others finish, the affected are run again."""
    directory = tmp_path / "run"

    def kill(standing: Standing) -> None:
        if (standing.done, len(launched(wrapped))) in ((4, 1), (9, 2)):
            os.kill(launched(wrapped)[-1], signal.SIGKILL)

    standing = carry_out(EVERYTHING, directory, workers=3, browser=wrapped, progress=kill)
    assert standing.complete
    assert standing.errors == 0
    assert len(launched(wrapped)) >= 2
    assert not any(map(alive, launched(wrapped)))
    assert max(episode.tries for episode in read_episodes(directory)) > 1
    assert_same_results(reference, directory)


class Troublemaker:
    """Looks at the page twice and stops, except in one episode, where it makes trouble."""

    simulated = True

    def __init__(self, given: Assignment, trouble: Callable[[], None]) -> None:
        self._troubled = (given.task.id, given.trial.seed) == TROUBLED
        self._trouble = trouble

    def act(self, turn: Turn) -> Reply:
        """Decide on the next action."""
        if turn.step == 2 and self._troubled:
            self._trouble()
        return Reply(text="noop()" if turn.step < 3 else "stop('done')")


def agent_with(
    trouble: Callable[[], None], *, schedule: str = "none", seeds: int = 2
) -> RunConfiguration:
    """A run in one anchor of which the agent makes trouble in its second step."""
    name = f"troublemaker-{next(NUMBERS)}"
    agents.register(name)(lambda given: Troublemaker(given, trouble))
    return RunConfiguration(tasks=TASKS, agent=name, seeds=seeds, schedule=(schedule,))


class UnpicklableError(Exception):
    """An error with something in it that could not be sent to another process."""

    def __init__(self) -> None:
        super().__init__("boom")
        self.lock = threading.Lock()


def crash() -> None:
    """An agent's trouble of its own."""
    raise UnpicklableError


def spoiled(directory: Path) -> list[Episode]:
    """The episodes that the machinery spoiled."""
    return [each for each in read_episodes(directory) if each.status in MACHINERY_STATUSES]


def test_an_episode_that_always_kills_its_browser_spoils_only_itself(
    tmp_path: Path, wrapped: Path
) -> None:
    """H15: the other eleven finish, the one is recorded, and only it is run on resuming."""
    deadly = [True]

    def kill_newest() -> None:
        if deadly:
            os.kill(launched(wrapped)[-1], signal.SIGKILL)

    configuration, directory = agent_with(kill_newest, seeds=4), tmp_path / "run"
    standing = carry_out(configuration, directory, workers=1, browser=wrapped)
    assert (standing.planned, standing.done, standing.errors) == (12, 11, 1)
    assert not standing.complete
    (victim,) = spoiled(directory)
    assert (victim.trial.task, victim.trial.seed) == TROUBLED
    assert (victim.status, victim.tries) == ("infra_error", TRIES)
    assert len(load_tables(directory).episodes) == 12
    deadly.clear()
    again = carry_out(configuration, directory, browser=wrapped)
    assert (again.earlier, again.done, again.errors) == (11, 12, 0)
    assert spoiled(directory) == []
    assert not any(map(alive, launched(wrapped)))


class Meeting:
    """Two agents at a time: one kills its browser in each try, the other is at work meanwhile."""

    patience = 60.0

    def __init__(self, wrapped: Path) -> None:
        self._wrapped = wrapped
        self._at_work = [threading.Event(), threading.Event()]
        self._killed_twice = threading.Event()
        self._kills = 0
        self._looks = 0

    def kill(self) -> None:
        """The killer's second step: first the shared browser, twice; then its own."""
        if self._kills == 0:
            assert self._at_work[0].wait(self.patience)
        newest = launched(self._wrapped)[-1]
        os.kill(newest, signal.SIGKILL)
        wait_for_death([newest])
        self._kills += 1
        if self._kills == 2:
            self._killed_twice.set()
            assert self._at_work[1].wait(self.patience)

    def look_on(self) -> None:
        """The other's second step: it lasts until the browser was killed twice."""
        self._at_work[min(self._looks, 1)].set()
        self._looks += 1
        assert self._killed_twice.wait(self.patience)


def test_the_last_try_has_a_browser_of_its_own(tmp_path: Path, wrapped: Path) -> None:
    """Else the neighbour would lose its second try, too, to the killer's third."""
    meeting, name = Meeting(wrapped), f"meeting-{next(NUMBERS)}"

    class Visitor:
        simulated = True

        def __init__(self, given: Assignment) -> None:
            self._deed = meeting.kill if given.task.id == TASKS[1] else meeting.look_on

        def act(self, turn: Turn) -> Reply:
            if turn.step == 2:
                self._deed()
            return Reply(text="noop()" if turn.step < 4 else "stop('done')")

    agents.register(name)(Visitor)
    configuration = RunConfiguration(tasks=TASKS[:2], agent=name, schedule=("none",))
    carry_out(configuration, tmp_path / "run", workers=2, browser=wrapped)
    neighbour, killer = read_episodes(tmp_path / "run")
    assert (killer.status, killer.tries) == ("infra_error", TRIES)
    assert (neighbour.status, neighbour.tries) == ("completed", 2)


def test_an_agent_that_crashes_spoils_its_episode_and_what_builds_on_it(tmp_path: Path) -> None:
    standing = carry_out(agent_with(crash, schedule="late"), tmp_path, workers=3)
    assert (standing.planned, standing.done, standing.errors) == (12, 10, 2)
    crashed, missing = spoiled(tmp_path)
    assert (crashed.status, crashed.tries) == ("agent_crash", TRIES)
    assert "boom" in crashed.detail
    assert (missing.status, missing.tries) == ("anchor_missing", 1)
    assert missing.trial.anchor_key == crashed.key


def test_a_run_that_must_stop_keeps_what_it_has_and_can_go_on(tmp_path: Path) -> None:
    troubles = [StopRunError("the budget is spent")]

    def stop() -> None:
        if troubles:
            raise troubles.pop()

    configuration = agent_with(stop)
    standing = carry_out(configuration, tmp_path, workers=1)
    assert standing.stopped == "the budget is spent"
    assert (standing.planned, standing.done, standing.errors) == (6, 4, 0)
    assert len(list(read_episodes(tmp_path))) == 4
    assert carry_out(configuration, tmp_path).complete


def test_an_episode_leaves_nothing_behind_for_the_next(tmp_path: Path) -> None:
    """H05: whatever is done before B, with more tabs and changed data, B's record is the same."""

    class Vandal:
        simulated = True

        def __init__(self, given: Assignment) -> None:
            self._inner = agents["follower"](given)
            self._before = ["new_tab()", f"goto('{given.task.start}')"]

        def act(self, turn: Turn) -> Reply:
            if self._before:
                return Reply(text=self._before.pop(0))
            return self._inner.act(turn)

    def mixed(given: Assignment) -> Agent:
        return agents["oracle"](given) if given.task.id == TASKS[1] else Vandal(given)

    agents.register("vandal")(mixed)

    def records_of_b(*tasks: str) -> list[pandas.DataFrame]:
        directory = tmp_path / "-".join(tasks)
        carry_out(RunConfiguration(tasks=tasks, agent="vandal"), directory, workers=1)
        return [
            frame[frame["key"].str.startswith(TASKS[1])].drop(columns="ordinal", errors="ignore")
            for frame in frames(load_tables(directory))
        ]

    alone = records_of_b(TASKS[1])
    for others in (records_of_b(*TASKS[:2]), records_of_b(*TASKS[1:])):
        for left, right in zip(alone, others, strict=True):
            pandas.testing.assert_frame_equal(
                left.reset_index(drop=True), right.reset_index(drop=True)
            )


def test_half_an_emoji_in_a_reply_changes_no_score(tmp_path: Path) -> None:
    """H12, from an agent's reply through the site's form to the record."""
    nasty = "half \ud83d, \u2028 and \0"
    name = f"emoji-{next(NUMBERS)}"

    class Emoji:
        simulated = True

        def act(self, turn: Turn) -> Reply:
            return Reply(text="noop()" if turn.step == 1 else "stop('done')", thought=nasty)

    agents.register(name)(lambda _given: Emoji())
    configuration = RunConfiguration(tasks=TASKS[:1], agent=name, schedule=("late",))
    assert carry_out(configuration, tmp_path).complete
    thoughts = {step.thought for each in read_episodes(tmp_path) for step in each.steps}
    assert thoughts == {"half \\ud83d, \u2028 and \0"}
