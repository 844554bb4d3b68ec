"""Campaigns: order, independence of workers, machinery that dies, runs that are cut off."""

import asyncio
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pandas
import pytest

from probes.catalogue import load_tasks
from runner.agents.base import Agent, Assignment, Reply, Turn, agents
from runner.browser import resolve_executable
from runner.campaign import TRIES, Execution, Standing, run
from runner.cli import EXIT_INTERRUPTED
from runner.configuration import RunConfiguration, plan, treatments
from runner.directory import admit, locked, recorded_configuration
from runner.errors import StopRunError, UserError
from runner.records import MACHINERY_STATUSES, Episode
from runner.store import DATABASE, MANIFEST, Tables, load_tables, read_episodes, read_manifest

TASKS = tuple(load_tasks())[:3]
TROUBLED = (TASKS[1], 2)
NUMBERS = count(1)
TIMES = ["started_at", "seconds", "model_seconds", "action_seconds", "observation_seconds"]
# All that may differ between two runs of one configuration.
INCIDENTAL = [*TIMES, "tries"]
EVERYTHING = RunConfiguration(
    tasks=TASKS,
    schedule=("early", "persistent", "late", "retry-on-fail"),
    agent="simulated",
    preset="skill=0.5,compliance=0.5",
)


def carry_out(
    configuration: RunConfiguration,
    directory: Path,
    *,
    workers: int = 2,
    browser: Path | None = None,
    progress: Callable[[Standing], None] = lambda _standing: None,
) -> Standing:
    """Run a campaign in this process."""
    execution = Execution(workers=workers, browser=str(browser) if browser else None)
    return asyncio.run(run(configuration, directory, execution=execution, progress=progress))


def assert_same_results(one: Path, other: Path) -> None:
    """Whether two runs hold the same plan, episodes, steps and receipts."""
    first, second = load_tables(one), load_tables(other)
    for left, right in zip(_frames(first), _frames(second), strict=True):
        pandas.testing.assert_frame_equal(left, right)


def _frames(tables: Tables) -> list[pandas.DataFrame]:
    frames = (tables.plan, tables.episodes, tables.steps, tables.receipts)
    return [frame.drop(columns=INCIDENTAL, errors="ignore") for frame in frames]


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undisturbed run of `EVERYTHING`, one episode at a time."""
    directory = tmp_path_factory.mktemp("reference") / "run"
    assert carry_out(EVERYTHING, directory, workers=1).complete
    return directory


@pytest.fixture
def wrapped(tmp_path: Path) -> Path:
    """A browser that writes its process id, a line a launch, to `pids` beside it."""
    script = tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\necho $$ >>"{tmp_path}/pids"\nexec "{resolve_executable(None)}" "$@"\n'
    )
    script.chmod(0o755)
    return script


def launched(wrapped: Path) -> list[int]:
    """The process ids of all browsers so far, oldest first."""
    return [int(line) for line in wrapped.with_name("pids").read_text().split()]


def alive(pid: int) -> bool:
    """Whether a process is running (and no mere zombie)."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


# ---- the plan


def test_anchors_come_first_and_each_trial_once() -> None:
    tasks = [load_tasks()[name] for name in TASKS]
    configuration = RunConfiguration(
        tasks=TASKS,
        schedule=("none", "early", "persistent"),
        condition=("none", "conflict", "helpful"),
        channel=("system", "footer"),
        seeds=2,
    )
    trials = plan(configuration, tasks)
    keys = [trial.key for trial in trials]
    assert len(keys) == len(set(keys)) == 3 * 2 * (1 + 2 * 2 * 2)
    assert [trial.treatment.is_anchor for trial in trials[:7]] == [True] * 6 + [False]
    assert not any(trial.treatment.is_anchor for trial in trials[6:])
    assert {trial.anchor_key for trial in trials} == set(keys[:6])
    assert plan(configuration, tasks) == trials


def test_a_retry_without_memory_stays_a_cell_of_its_own() -> None:
    configuration = RunConfiguration(
        tasks=TASKS,
        schedule=("late", "retry-on-fail"),
        condition=("none",),
        channel=("system", "goal"),
    )
    cells = treatments(configuration)
    assert [cell.schedule for cell in cells] == ["none", "retry-on-fail"]


def test_reversible_worlds_have_reversible_anchors() -> None:
    cells = treatments(RunConfiguration(tasks=TASKS, reversible=True))
    assert [(cell.is_anchor, cell.reversible) for cell in cells] == [(True, True), (False, True)]


# ---- the run directory


def test_a_complete_run_is_left_as_it_is(reference: Path) -> None:
    before = finished(reference)
    reports: list[Standing] = []
    standing = carry_out(EVERYTHING, reference, progress=reports.append)
    assert standing.complete
    assert standing.earlier == standing.planned == 15
    assert reports == []
    assert finished(reference) == before


def test_the_manifest_says_what_was_run(reference: Path) -> None:
    manifest = read_manifest(reference)
    assert manifest.simulated
    assert set(manifest.versions) == {"memtrap", "python", "playwright", "browser"}
    assert all(re.search(r"\d+\.\d+", version) for version in manifest.versions.values())
    assert recorded_configuration(reference) == EVERYTHING


def test_another_configuration_is_refused_by_its_first_difference(reference: Path) -> None:
    other = EVERYTHING.model_copy(update={"max_steps": 29, "seeds": 2})
    with pytest.raises(UserError, match=r"another configuration: --seeds was 1, now 2$"):
        carry_out(other, reference)


def test_a_larger_budget_is_no_other_configuration(reference: Path) -> None:
    assert carry_out(EVERYTHING.model_copy(update={"budget": 5.0}), reference).complete


def test_a_run_over_tasks_that_were_edited_since_is_refused(reference: Path) -> None:
    with pytest.raises(UserError, match="its tasks were changed since"):
        admit(reference, EVERYTHING, "another hash")


def test_a_directory_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match=r"not empty: it has thesis\.tex"):
        carry_out(EVERYTHING, tmp_path)


def test_two_processes_do_not_run_into_one_directory(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from runner.directory import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(UserError, match="another process is running into"):
            carry_out(EVERYTHING, tmp_path)
        holder.kill()
    with locked(tmp_path):
        pass


# ---- machinery that dies


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


def test_pictures_are_kept_on_request(tmp_path: Path) -> None:
    configuration = RunConfiguration(tasks=TASKS[:1], agent="oracle", schedule=("none",))
    execution = Execution(workers=1, screenshots=True)
    coroutine = run(configuration, tmp_path, execution=execution, progress=lambda _standing: None)
    assert asyncio.run(coroutine).complete
    (episode,) = read_episodes(tmp_path)
    assert len(list(tmp_path.glob("screenshots/*/*.png"))) == len(episode.steps)


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
        frames = [
            frame.drop(columns="ordinal", errors="ignore")
            for frame in _frames(load_tables(directory))
        ]
        return [frame[frame["key"].str.startswith(TASKS[1])] for frame in frames]

    alone = records_of_b(TASKS[1])
    for others in (records_of_b(*TASKS[:2]), records_of_b(*TASKS[1:])):
        for left, right in zip(alone, others, strict=True):
            pandas.testing.assert_frame_equal(
                left.reset_index(drop=True), right.reset_index(drop=True)
            )


# ---- runs that are cut off


def start(directory: Path, browser: Path, *options: str) -> "subprocess.Popen[str]":
    """`python -m runner` on `EVERYTHING`, begun or gone on with, in a process group of its own."""
    chosen = ["--agent", f"{EVERYTHING.agent}:{EVERYTHING.preset}", "--tasks", *EVERYTHING.tasks]
    begin = [*chosen, "--schedule", *EVERYTHING.schedule, "--out", str(directory)]
    go_on = ["--resume", str(directory)]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "runner",
            *(go_on if (directory / MANIFEST).exists() else begin),
            *("--workers", "2", "--browser", str(browser), *options),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished(directory: Path) -> dict[str, str]:
    """When each finished episode began, by key."""
    if not (directory / DATABASE).exists():
        return {}
    with closing(sqlite3.connect(directory / DATABASE)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'episode'").fetchone():
            return {}
        rows = database.execute("SELECT key, started_at, status FROM episode").fetchall()
        return {key: began for key, began, status in rows if status not in MACHINERY_STATUSES}


def wait(process: "subprocess.Popen[str]", seconds: float) -> None:
    """Let a process run on for a while, or to its end."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def wait_for_more(process: "subprocess.Popen[str]", directory: Path, than: int) -> None:
    """Let a process run until it has recorded more than `than` episodes, or to its end."""
    while process.poll() is None and len(finished(directory)) <= than:
        wait(process, 0.02)


def wait_for_death(pids: list[int]) -> None:
    """Wait for processes to be gone; fail after ten seconds."""
    deadline = time.monotonic() + 10
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, "a browser outlived its run"


def test_a_run_killed_at_any_instant_loses_and_doubles_nothing(
    reference: Path, tmp_path: Path, wrapped: Path
) -> None:
    directory = tmp_path / "run"
    moments = random.Random(20261130)
    kept: dict[str, str] = {}
    killed = 0
    for number in range(12):
        process = start(directory, wrapped)
        if number % 2:
            wait_for_more(process, directory, than=len(kept))
            wait(process, moments.uniform(0, 0.4))
        else:
            wait(process, moments.uniform(0.3, 2.5))
        killed += process.poll() is None
        process.kill()
        process.communicate()
        now = finished(directory)
        assert kept.items() <= now.items()
        kept = now
    assert killed >= 10
    assert 0 < len(kept) < len(load_tables(reference).plan)
    last = start(directory, wrapped)
    output, errors = last.communicate()
    assert last.returncode == 0, errors
    assert str(directory) in output
    assert kept.items() <= finished(directory).items()
    assert_same_results(reference, directory)
    wait_for_death(launched(wrapped))


def test_an_interrupted_run_ends_cleanly_and_says_how_to_go_on(
    tmp_path: Path, wrapped: Path
) -> None:
    """Ctrl+C, as a terminal sends it: to the runner and to every process below it."""
    directory = tmp_path / "run"
    process = start(directory, wrapped)
    wait_for_more(process, directory, than=1)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("interrupted; what is recorded stays.")
    assert f"--resume {directory}" in errors
    wait_for_death(launched(wrapped))
    with locked(directory):
        assert len(finished(directory)) > 1


# ---- any text


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
