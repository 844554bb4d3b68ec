"""One step of ours against one of BrowserGym's: `python -m benchmarks.step_latency`.

A step is what lies between an agent's action and its next observation: act, wait for the page to
settle, observe. Both sides take turns on the same page, with the same click, in the same Chromium
with the same arguments, so that a busy machine is as busy for one as for the other.

BrowserGym runs in an environment of its own, as its pins differ from ours:

    python3 -m venv ~/browsergym && ~/browsergym/bin/pip install browsergym-core
    python -m benchmarks.step_latency --browsergym-python ~/browsergym/bin/python
"""

import argparse
import asyncio
import contextlib
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.timing import Timing, machine, summarize
from runner.actions import parse
from runner.browser import Session, launch_arguments, open_browser, resolve_executable
from runner.observation import Observation
from webapps.host import COOKIE, ORIGIN, Host
from webapps.world import new_world

START = "/refunds/orders"
CLICKS = {
    "a click that loads the page anew": {"role": "link", "name": "Orders"},
    "a click that stays on the page": {
        "role": "searchbox",
        "name": "Order, customer or store",
    },
}
# From all of BrowserGym's defaults to none of its fixed waits.
BROWSERGYM: dict[str, dict[str, float]] = {
    "BrowserGym, its defaults": {},
    "BrowserGym, slow_mo 0": {"slow_mo": 0},
    "BrowserGym, slow_mo 0, no delay": {"slow_mo": 0, "pre_observation_delay": 0},
}
OURS = "MemTrap"
Click = dict[str, str]


class Competitor:
    """BrowserGym in a process of its own."""

    errors = 0
    """Steps that went wrong: ended by BrowserGym's time-out, or with a look at a page half loaded.
    They count, as going wrong only makes them shorter.
    """

    def __init__(self, python: Path, host: Host, token: str, options: dict[str, float]) -> None:
        worker = Path(__file__).with_name("browsergym_worker.py")
        self._process = subprocess.Popen(
            [python, worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._ask(
            {
                "executable": resolve_executable(None),
                "arguments": launch_arguments(host.port),
                "url": f"{ORIGIN}{START}",
                "cookie": {"name": COOKIE, "value": token, "url": ORIGIN},
                "options": options,
            }
        )

    def step(self, click: Click) -> float:
        """Take a step; returns its seconds."""
        answer = self._ask(click)
        self.errors += answer["error"]
        assert answer["url"] == f"{ORIGIN}{START}", answer
        return float(answer["seconds"])

    def close(self) -> None:
        """End the process and its browser."""
        self._process.communicate()

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit("BrowserGym's process ended; its message stands above")
        found: dict[str, Any] = json.loads(answer)
        return found


async def our_step(session: Session, seen: Observation, click: Click) -> tuple[Observation, float]:
    """Take a step; returns the new observation and the seconds."""
    (element,) = (
        each.id
        for each in seen.elements
        if each.id and (each.role, each.name) == (click["role"], click["name"])
    )
    action = parse(f"click('{element}')")
    started = time.perf_counter()
    outcome = await session.execute(action)
    seen = await session.observe()
    seconds = time.perf_counter() - started
    assert not outcome.error, outcome.error
    assert seen.url == START, seen.url
    return seen, seconds


@contextlib.contextmanager
def competitors(python: Path | None, host: Host) -> Iterator[dict[str, Competitor]]:
    """BrowserGym in each of its settings, each with a world of its own."""
    running: dict[str, Competitor] = {}
    try:
        if python is not None:
            for name, options in BROWSERGYM.items():
                running[name] = Competitor(python, host, host.open(new_world()), options)
        yield running
    finally:
        for name, each in running.items():
            each.close()
            if each.errors:
                print(f"{name}: {each.errors} steps went wrong")


async def measure(python: Path | None, repeats: int) -> dict[str, dict[str, Timing]]:
    """The timings of every click, by who took the step. The first round is not counted."""
    results = {}
    with Host() as host, competitors(python, host) as others:
        async with open_browser(host.port) as browser:
            session = await browser.session(host.open(new_world()))
            await session.execute(parse(f"goto('{START}')"))
            seen = await session.observe()
            for what, click in CLICKS.items():
                seconds: dict[str, list[float]] = {name: [] for name in (OURS, *others)}
                for _ in range(repeats + 1):
                    seen, ours = await our_step(session, seen, click)
                    seconds[OURS].append(ours)
                    for name, other in others.items():
                        # Blocks the event loop, so that each has the machine to itself.
                        seconds[name].append(other.step(click))
                results[what] = {name: summarize(all_[1:]) for name, all_ in seconds.items()}
            await session.close()
    return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.step_latency",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--browsergym-python", type=Path, metavar="PATH")
    parser.add_argument("--repeats", type=int, default=20, help="default: %(default)s")
    chosen = parser.parse_args()
    print(machine())
    for what, timings in asyncio.run(measure(chosen.browsergym_python, chosen.repeats)).items():
        print(f"\n{what} ({START})")
        for name, timing in timings.items():
            ratio = timing.median / timings[OURS].median
            p95_ratio = timing.p95 / timings[OURS].p95
            print(f"  {name:32} {timing}   ratio {ratio:5.1f} (p95 {p95_ratio:.1f})")


if __name__ == "__main__":
    main()
