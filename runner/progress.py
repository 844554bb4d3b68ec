"""How far a run is, for people: a live line on a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TextIO

from runner.campaign import Progress, Standing

SECONDS_BETWEEN_PLAIN_LINES = 10.0


@contextmanager
def shown(stream: TextIO) -> Iterator[Progress]:
    """A progress display on `stream` while the context lasts."""
    started = time.monotonic()
    if stream.isatty():
        with _live(stream, started) as progress:
            yield progress
    else:
        yield _plain(stream, started)


def _plain(stream: TextIO, started: float) -> Progress:
    last = -SECONDS_BETWEEN_PLAIN_LINES

    def progress(standing: Standing) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_PLAIN_LINES or standing.complete or standing.stopped:
            last = now
            print(describe(standing, now - started), file=stream, flush=True)

    return progress


@contextmanager
def _live(stream: TextIO, started: float) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(BarColumn(), TextColumn("{task.description}"), console=Console(file=stream)) as bar:
        line = bar.add_task("starting the browser", total=None)

        def progress(standing: Standing) -> None:
            bar.update(
                line,
                total=standing.planned,
                completed=standing.done + standing.errors,
                description=describe(standing, time.monotonic() - started),
            )

        yield progress


def describe(standing: Standing, seconds: float) -> str:
    """One line: counts, pace, cost and time left, after `seconds` of this sitting."""
    parts = [
        f"{standing.done}/{standing.planned} done",
        f"{standing.failed} failed",
        f"{standing.errors} errors",
    ]
    here = standing.done - standing.earlier + standing.errors
    left = standing.planned - standing.done - standing.errors
    if here and seconds > 0:
        parts.append(f"{here / seconds * 60:.1f} a minute")
        if left:
            parts.append(f"{timedelta(seconds=round(left * seconds / here))} left")
    if standing.cost_usd is not None:
        parts.append(f"${standing.cost_usd:.4f}")
    return ", ".join(parts)
