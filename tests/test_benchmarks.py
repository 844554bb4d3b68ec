"""The benchmarks still run: each for real, at its smallest size."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.episodes import measure as measure_episodes
from benchmarks.step_latency import CLICKS, OURS
from benchmarks.step_latency import measure as measure_steps
from benchmarks.timing import summarize
from benchmarks.world_clone import clone_seconds
from probes.catalogue import load_tasks
from runner.configuration import RunConfiguration

ROOT = Path(__file__).resolve().parent.parent


def test_a_summary_gives_median_and_percentile_in_milliseconds() -> None:
    timing = summarize([number / 1000 for number in range(101)])
    assert (timing.median, timing.p95, timing.n) == (50.0, 95.0, 101)


def test_a_world_is_created_within_two_milliseconds() -> None:
    # The fastest of many: what creation takes, not what a busy machine adds.
    assert min(clone_seconds(200)) <= 0.002


def test_steps_are_timed_for_every_click() -> None:
    timings = asyncio.run(measure_steps(None, 2))
    assert timings.keys() == CLICKS.keys()
    assert all(timing[OURS].n == 2 and timing[OURS].median > 0 for timing in timings.values())


def test_the_oracle_s_episodes_are_timed() -> None:
    task = next(iter(load_tasks()))
    configuration = RunConfiguration(agent="oracle", schedule=("none",), tasks=(task,))
    standing, seconds = measure_episodes(configuration, 1)
    assert standing.complete
    assert standing.failed == 0
    assert seconds > 0


@pytest.mark.parametrize("name", ["episodes", "step_latency", "world_clone"])
def test_every_benchmark_explains_itself(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", "--help"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert f"usage: python -m benchmarks.{name}" in done.stdout
