"""Episodes a minute of the oracle by the number of contexts: `python -m benchmarks.episodes`.

Runs the anchors of some tasks through the same campaign as `python -m runner`, once for each
number of contexts, and counts from the first episode's start to the last one's end.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from benchmarks.timing import machine
from probes.catalogue import choose
from runner.campaign import Execution, Standing, run
from runner.configuration import RunConfiguration


def measure(configuration: RunConfiguration, contexts: int) -> tuple[Standing, float]:
    """How a run with `contexts` episodes at a time ended, and the seconds it took."""
    moments: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        standing = asyncio.run(
            run(
                configuration,
                Path(folder) / "run",
                execution=Execution(workers=contexts),
                progress=lambda _standing: moments.append(time.perf_counter()),
            )
        )
    return standing, moments[-1] - moments[0]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.episodes", description=__doc__)
    parser.add_argument("--tasks", nargs="+", default=["all"], help="default: all")
    parser.add_argument("--seeds", type=int, default=2, help="runs a task; default: %(default)s")
    parser.add_argument("--contexts", type=int, nargs="+", default=[1, 2, 4, 8])
    chosen = parser.parse_args()
    configuration = RunConfiguration(
        agent="oracle",
        schedule=("none",),
        tasks=tuple(task.id for task in choose(chosen.tasks)),
        seeds=chosen.seeds,
    )
    print(machine())
    base = None
    for contexts in chosen.contexts:
        standing, seconds = measure(configuration, contexts)
        if not standing.complete or standing.failed:
            parser.exit(1, f"the oracle did not solve every task: {standing}\n")
        rate = standing.done / seconds * 60
        base = base or rate
        print(
            f"{contexts} contexts  {rate:6.1f} episodes a minute  x{rate / base:.2f}  "
            f"({standing.done} episodes in {seconds:.1f} s)"
        )


if __name__ == "__main__":
    main()
