"""Estimates with intervals: success rates, paired differences, compliance, damage per compliance.

Notation of a set of n pairs: `only_base` (b) pairs succeed only without memory, `only_treated` (c)
only with it. Values and bounds are proportions (multiply by 100 for percentage points). Where there
is no value or no interval it is None and `reason` says why; NaN never appears.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import fft, optimize, stats

LEVEL = 0.95
RESAMPLES = 10_000
FEW_TASKS = 50
"""Below this many tasks the cluster bootstrap uses expanded percentiles."""
FEW_PAIRS = 30
FEW_DISCORDANT = 10

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]
Interval = tuple[float, float]
Method = Literal["percentile", "tango", "wilson", "cluster bootstrap", ""]


@dataclass(frozen=True)
class Estimate:
    """A proportion or a difference of proportions with its 95% interval.

    `n` is the number of pairs (or episodes) behind it. `status` is "ok"; "empty" for n = 0;
    "degenerate" when all observations are equal, so that resampling says nothing. `beside` is the
    interval by the method that does not lead, where there is one.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: Method
    status: Literal["ok", "empty", "degenerate"] = "ok"
    reason: str = ""
    beside: "Estimate | None" = None


def empty(reason: str) -> Estimate:
    """The estimate from no observation at all."""
    return Estimate(None, None, None, 0, "", "empty", reason)


@dataclass(frozen=True)
class PairedCounts:
    """How the pairs of a set came out."""

    both: int
    only_base: int
    only_treated: int
    neither: int

    @property
    def n(self) -> int:
        """The number of pairs."""
        return self.both + self.only_base + self.only_treated + self.neither


def paired_counts(base: Bools, treated: Bools) -> PairedCounts:
    """Count the pairs of `base` (success without memory) and `treated` (with it)."""
    cells = np.bincount(2 * base.astype(int) + treated.astype(int), minlength=4)
    neither, only_treated, only_base, both = (int(count) for count in cells)
    return PairedCounts(both, only_base, only_treated, neither)


def ci_percentile_exact(b: int, c: int, n: int, *, level: float = LEVEL) -> Interval:
    """The percentile bootstrap interval of (b − c)/n, without random numbers.

    Resampling n pairs makes the difference of two multinomial counts; its distribution is the
    n-fold convolution of one pair's, taken here by FFT. Bounds are the smallest differences at
    which the distribution function reaches (1 ∓ level)/2, so they lie on the lattice k/n.
    """
    if n == 0:
        raise ValueError("no pairs: there is no interval")
    length = fft.next_fast_len(2 * n + 1, real=True)
    turn = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)
    one_pair = (n - b - c) / n + b / n * turn + c / n * np.conj(turn)
    mass = fft.irfft(one_pair**n, length)
    cumulated = np.cumsum(np.concatenate([mass[length - n :], mass[: n + 1]]))
    tails = np.array([(1 - level) / 2, (1 + level) / 2]) - 1e-9  # the FFT's rounding
    low, high = (np.searchsorted(cumulated, tails) - n) / n
    return float(low), float(high)


def ci_tango(b: float, c: float, n: int, *, level: float = LEVEL) -> Interval:
    """Tango's score interval of (b − c)/n (Statistics in Medicine 17, 1998).

    Holds its level for few pairs and for rare events, where resampling does not.
    """
    if n == 0:
        raise ValueError("no pairs: there is no interval")
    z = float(stats.norm.ppf((1 + level) / 2))

    def excess(delta: float, sign: int) -> float:
        first = 2 * n
        second = -b - c + (2 * n - b + c) * delta
        third = -c * delta * (1 - delta)
        only_treated = (math.sqrt(max(second**2 - 4 * first * third, 0)) - second) / (2 * first)
        variance = max(n * (2 * only_treated + delta * (1 - delta)), 0)
        return (b - c - n * delta) - sign * z * math.sqrt(variance)

    def bound(outer: float, sign: int) -> float:
        # Where the variance is 0 at the value itself, the value is a root too, but not a bound.
        inner = (b - c) / n - sign * 1e-10
        return float(optimize.brentq(excess, outer, inner, args=(sign,), xtol=1e-13))

    return -1.0 if c == n else bound(-1, 1), 1.0 if b == n else bound(1, -1)


def ci_wilson(successes: float, n: int, *, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion."""
    if n == 0:
        raise ValueError("no observations: there is no interval")
    z2 = float(stats.norm.ppf((1 + level) / 2)) ** 2
    middle = (successes + z2 / 2) / (n + z2)
    half = math.sqrt(z2 * (successes * (n - successes) / n + z2 / 4)) / (n + z2)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def cluster_bootstrap(
    numerator: npt.ArrayLike, denominator: npt.ArrayLike, *, key: str, level: float = LEVEL
) -> Interval:
    """The interval of Σ numerator / Σ denominator over tasks, by resampling tasks.

    Both hold one sum a task. Tasks with equal sums are interchangeable, so the number of times
    each distinct kind is drawn is multinomial: the same distribution as drawing tasks, at a
    fraction of the cost. Under `FEW_TASKS` tasks with an observation (T) the percentiles are
    expanded, α' = Φ(−√(T/(T−1))·t). `key` names the estimate and seeds its generator. Draws
    without any observation are left out.
    """
    sums = np.column_stack([np.asarray(numerator), np.asarray(denominator)])
    tasks, observed = len(sums), int((sums[:, 1] > 0).sum())
    if observed < 2:
        raise ValueError("a bootstrap over tasks needs observations of two tasks")
    kinds, counts = np.unique(sums, axis=0, return_counts=True)
    seed = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8])
    draws = np.random.default_rng(seed).multinomial(tasks, counts / tasks, size=RESAMPLES)
    totals = draws @ kinds
    totals = totals[totals[:, 1] > 0]
    tail = (1 - level) / 2
    if observed < FEW_TASKS:
        width = math.sqrt(observed / (observed - 1)) * stats.t.ppf(1 - tail, observed - 1)
        tail = float(stats.norm.cdf(-width))
    ratios = totals[:, 0] / totals[:, 1]
    low, high = np.quantile(ratios, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)


def success_rate(success: Bools, tasks: Codes, *, key: str) -> Estimate:
    """Share of successes; Wilson, or a bootstrap over tasks when tasks come more than once."""
    return _rate(success, np.ones_like(success), tasks, key, "no episodes")


def rcr(complied: Bools, judged: Bools, tasks: Codes, *, key: str) -> Estimate:
    """Recommendation compliance rate: |C| / N over the pairs that have a verdict.

    `complied` is read where `judged` is true. `tasks` are integer codes, one a pair.
    """
    return _rate(complied & judged, judged, tasks, key, "no pair has a verdict")


def delta_sr(base: Bools, treated: Bools, tasks: Codes, *, key: str) -> Estimate:
    """ΔSR = mean(y_treated − y_base) over pairs."""
    return _difference(_contrast(treated, base), np.ones_like(base), tasks, key, "no pairs")


def dpc(base: Bools, treated: Bools, members: Bools, tasks: Codes, *, key: str) -> Estimate:
    """Damage per compliance: Σ_S (y_base − y_treated) / |S| for the pairs in S, `members`.

    S is chosen after treatment, so this describes; it does not identify a cause. Report it on the
    complement of S beside it. All pairs are passed, since tasks without a member are resampled too.
    """
    return _difference(_contrast(base, treated), members, tasks, key, "no pair in the set")


def paired_difference(b: int, c: int, n: int) -> Estimate:
    """(b − c)/n of n pairs of distinct tasks, with the default interval and its companion.

    Percentile leads, for comparability with the published figures; Tango leads where resampling
    does not hold its level: few pairs, few discordant ones, or all of them on one side.
    """
    if n == 0:
        return empty("no pairs")
    value = (b - c) / n
    tango = Estimate(value, *ci_tango(b, c, n), n, "tango")
    if n in (b, c) or b + c == 0:
        reason = "all pairs equal: resampling says nothing"
        return Estimate(value, tango.low, tango.high, n, "tango", "degenerate", reason)
    percentile = Estimate(value, *ci_percentile_exact(b, c, n), n, "percentile")
    tango_leads = n < FEW_PAIRS or b + c < FEW_DISCORDANT or min(b, c) == 0
    lead, beside = (tango, percentile) if tango_leads else (percentile, tango)
    return Estimate(value, lead.low, lead.high, n, lead.method, beside=beside)


def mcnemar_midp(b: int, c: int) -> float:
    """McNemar's two-sided mid-p value for b against c discordant pairs; 1 when there is none."""
    if b + c == 0:
        return 1.0
    law = stats.binom(b + c, 0.5)
    if b == c:
        return float(1 - law.pmf(b) / 2)
    fewer = min(b, c)
    return float(2 * law.cdf(fewer) - law.pmf(fewer))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given."""
    order = np.argsort(p_values, kind="stable")
    steps = np.asarray(p_values)[order] * np.arange(len(order), 0, -1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return [float(p) for p in adjusted]


def published_rounding(proportion: float) -> str:
    """A proportion in per cent as the paper prints it: four places first, so 13/42 is 30.9."""
    return f"{round(proportion, 4) * 100:.1f}"


def _rate(hits: Bools, members: Bools, tasks: Codes, key: str, nothing: str) -> Estimate:
    n, successes = int(members.sum()), int(hits.sum())
    if n == 0:
        return empty(nothing)
    if _each_once(tasks):
        return Estimate(successes / n, *ci_wilson(successes, n), n, "wilson")

    def alike(share: float, count: int) -> Estimate:
        return Estimate(share, *ci_wilson(share * count, count), count, "wilson")

    return _over_tasks(hits.astype(int), members.astype(int), tasks, key, alike)


def _difference(contrast: Codes, members: Bools, tasks: Codes, key: str, nothing: str) -> Estimate:
    n = int(members.sum())
    if n == 0:
        return empty(nothing)
    b, c = (int((contrast[members] == sign).sum()) for sign in (1, -1))
    if _each_once(tasks):
        return paired_difference(b, c, n)

    def alike(value: float, count: int) -> Estimate:
        bounds = ci_tango(b / n * count, c / n * count, count)
        return Estimate(value, *bounds, count, "tango")

    return _over_tasks(contrast * members, members.astype(int), tasks, key, alike)


def _over_tasks(
    numerator: Codes,
    denominator: Codes,
    tasks: Codes,
    key: str,
    alike: Callable[[float, int], Estimate],
) -> Estimate:
    """The ratio of sums with a bootstrap over tasks; `alike` answers where that says nothing."""
    sums = _sums_by_task(tasks, numerator, denominator)
    seen = sums[sums[:, 1] > 0]
    total, n = (int(part) for part in seen.sum(axis=0))
    value = total / n
    if len(seen) == 1:
        reason = "one task, repeated: nothing to resample"
        return Estimate(value, None, None, n, "", "degenerate", reason)
    ratios = seen[:, 0] / seen[:, 1]
    if ratios.min() == ratios.max():
        reason = "all tasks alike: interval as if each task stood once"
        return replace(alike(value, len(seen)), n=n, status="degenerate", reason=reason)
    bounds = cluster_bootstrap(sums[:, 0], sums[:, 1], key=key)
    return Estimate(value, *bounds, n, "cluster bootstrap")


def _contrast(first: Bools, second: Bools) -> Codes:
    return first.astype(np.int64) - second.astype(np.int64)


def _each_once(tasks: Codes) -> bool:
    return len(np.unique(tasks)) == len(tasks)


def _sums_by_task(tasks: Codes, *columns: Codes) -> Codes:
    _, codes = np.unique(tasks, return_inverse=True)
    sums = [np.bincount(codes, weights=column).astype(np.int64) for column in columns]
    return np.column_stack(sums)
