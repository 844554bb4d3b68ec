"""How long a new world takes until it has answered a query: `python -m benchmarks.world_clone`.

The template database of all sites is built once a process and is not part of the figure.
"""

import argparse
import time

from benchmarks.timing import machine, summarize
from webapps.world import new_world


def clone_seconds(repeats: int) -> list[float]:
    """Durations of `repeats` creations of a world, each of which is closed again, untimed."""
    new_world().close()
    durations = []
    for _ in range(repeats):
        started = time.perf_counter()
        world = new_world()
        world.value("SELECT count(*) FROM ledger")
        durations.append(time.perf_counter() - started)
        world.close()
    return durations


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.world_clone", description=__doc__)
    parser.add_argument("--repeats", type=int, default=2000, help="default: %(default)s")
    chosen = parser.parse_args()
    print(machine())
    print(f"new world  {summarize(clone_seconds(chosen.repeats))}")


if __name__ == "__main__":
    main()
