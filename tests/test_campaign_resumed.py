"""Campaigns that are cut off at any instant and gone on with."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from runner.cli import EXIT_INTERRUPTED
from runner.directory import locked
from runner.store import MANIFEST, load_tables
from tests.campaigns import EVERYTHING, assert_same_results, finished, launched, wait_for_death


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


@contextmanager
def heeding_interrupts() -> Iterator[None]:
    """Processes started inside heed Ctrl+C even where the tests run in the background of a shell,
    which makes all it starts ignore it.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def wait(process: "subprocess.Popen[str]", seconds: float) -> None:
    """Let a process run on for a while, or to its end."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def wait_for_more(process: "subprocess.Popen[str]", directory: Path, than: int) -> None:
    """Let a process run until it has recorded more than `than` episodes, or to its end."""
    while process.poll() is None and len(finished(directory)) <= than:
        wait(process, 0.02)


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
    with heeding_interrupts():
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
