"""Campaigns for tests: run here or below, compared, watched."""

import asyncio
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas

from probes.catalogue import load_tasks
from runner.campaign import Execution, Standing, run
from runner.configuration import RunConfiguration
from runner.records import MACHINERY_STATUSES
from runner.store import DATABASE, Tables, load_tables

TASKS = tuple(load_tasks())[:3]
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
    for left, right in zip(frames(first), frames(second), strict=True):
        pandas.testing.assert_frame_equal(left, right)


def frames(tables: Tables) -> list[pandas.DataFrame]:
    """A run's tables without what may differ between two runs."""
    found = (tables.plan, tables.episodes, tables.steps, tables.receipts)
    return [frame.drop(columns=INCIDENTAL, errors="ignore") for frame in found]


def launched(wrapped: Path) -> list[int]:
    """The process ids of all browsers so far, oldest first."""
    return [int(line) for line in wrapped.with_name("pids").read_text().split()]


def alive(pid: int) -> bool:
    """Whether a process is running (and no mere zombie)."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


def finished(directory: Path) -> dict[str, str]:
    """When each finished episode began, by key."""
    if not (directory / DATABASE).exists():
        return {}
    with closing(sqlite3.connect(directory / DATABASE)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'episode'").fetchone():
            return {}
        rows = database.execute("SELECT key, started_at, status FROM episode").fetchall()
        return {key: began for key, began, status in rows if status not in MACHINERY_STATUSES}


def wait_for_death(pids: list[int]) -> None:
    """Wait for processes to be gone; fail after ten seconds."""
    deadline = time.monotonic() + 10
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, "a browser outlived its run"
