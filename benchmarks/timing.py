"""What the benchmarks share: summaries of timings, and the machine they were made on."""

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Median and 95th percentile of some durations, in milliseconds."""

    median: float
    p95: float
    n: int

    def __str__(self) -> str:
        return f"median {self.median:8.2f} ms   p95 {self.p95:8.2f} ms   n {self.n}"


def summarize(seconds: Sequence[float]) -> Timing:
    """The timing of at least two durations given in seconds."""
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return Timing(statistics.median(seconds) * 1000, cuts[-1] * 1000, len(seconds))


def machine() -> str:
    """This machine in one line, with how busy it was over the last minute."""
    load = os.getloadavg()[0]
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, "
        f"Python {platform.python_version()}"
    )
