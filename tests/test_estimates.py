"""Estimates and their intervals: published figures, oracles, properties, calibration."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis import estimates
from analysis.estimates import (
    ci_percentile_exact,
    ci_tango,
    ci_wilson,
    cluster_bootstrap,
    delta_sr,
    dpc,
    holm,
    mcnemar_midp,
    paired_counts,
    paired_difference,
    published_rounding,
    rcr,
    success_rate,
)

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
WEBARENA = [(row, split) for row in GOLDEN["webarena"] for split in row["candidates"]]
quick = settings(deadline=None, max_examples=60)  # the machine may be busy
MEMTRAP = [(row, split) for row in GOLDEN["memtrapbench"] for split in row["candidates"]]


def arrays(both, only_base, only_treated, neither):
    """(base, treated) of pairs that came out so."""
    base = np.repeat([True, True, False, False], [both, only_base, only_treated, neither])
    treated = np.repeat([True, False, True, False], [both, only_base, only_treated, neither])
    return base, treated


@st.composite
def counts(draw):
    """(b, c, n) of a set of pairs."""
    n = draw(st.integers(1, 120))
    b = draw(st.integers(0, n))
    return b, draw(st.integers(0, n - b)), n


@pytest.mark.parametrize(("row", "split"), WEBARENA)
def test_published_webarena_table(row, split):
    published = row["published"]
    shape = (split["both"], split["only_base"], split["only_treated"], split["neither"])
    base, treated = arrays(*shape)
    found = paired_counts(base, treated)
    assert (found.both, found.only_base, found.only_treated, found.neither) == shape
    assert found.n == published["n_compliant"]
    tasks, members = np.arange(found.n), np.ones(found.n, bool)
    assert published_rounding(base.mean()) == f"{published['SR0_pct']}"
    assert published_rounding(treated.mean()) == f"{published['SRc_pct']}"
    damage = dpc(base, treated, members, tasks, key="")
    assert published_rounding(damage.value) == f"{published['DPC_pp']}"
    assert delta_sr(base, treated, tasks, key="").value == -damage.value
    b, c = split["only_base"], split["only_treated"]
    interval = ci_percentile_exact(b, c, found.n)
    assert [published_rounding(end) for end in interval] == [f"{e}" for e in published["CI_pp"]]
    assert interval == pytest.approx(split["percentile"], abs=1e-12)
    assert ci_tango(b, c, found.n) == pytest.approx(split["tango"], abs=1e-9)
    assert mcnemar_midp(b, c) == pytest.approx(split["mcnemar_midp"])
    share = published["n_compliant"] / published["N"]
    assert f"{share:.0%}" == f"{published['RCR_pct']}%"


@pytest.mark.parametrize(("row", "split"), MEMTRAP)
def test_published_divergence_table(row, split):
    published, b, c, n = row["published"], split["only_base"], split["only_treated"], split["n"]
    interval = ci_percentile_exact(b, c, n)
    assert interval == pytest.approx(split["percentile"], abs=1e-12)
    assert ci_tango(b, c, n) == pytest.approx(split["tango"], abs=1e-9)
    # The source rounds this table once in places and twice in others.
    found = (*interval, (b - c) / n)
    for end, printed in zip(found, (*published["CI_pp"], published["DPC_div_pp"]), strict=True):
        assert f"{printed:.1f}" in (published_rounding(end), f"{100 * end:.1f}")


@pytest.mark.parametrize("row", GOLDEN["memtrapbench"], ids=lambda row: row["model"])
def test_published_success_rates(row):
    published, won, n = row["published"], row["successes"], row["tasks"]
    assert published_rounding(won["base"] / n) == f"{published['SR0_pct']}"
    for condition in ("helpful", "conflict", "crosstask"):
        base, treated = np.arange(n) < won["base"], np.arange(n) < won[condition]
        delta = delta_sr(base, treated, np.arange(n), key="")
        assert published_rounding(delta.value) == f"{published[f'{condition}_delta_pp']}"


def test_rounding_twice_is_needed():
    assert published_rounding(13 / 42) == "30.9" != f"{100 * 13 / 42:.1f}"
    assert published_rounding(8 / 42) == "19.1" != f"{100 * 8 / 42:.1f}"


@pytest.mark.parametrize("case", GOLDEN["degenerate"], ids=str)
def test_degenerate_sets_have_a_stated_result(case):
    estimate = paired_difference(case["b"], case["c"], case["n"])
    if case["n"] == 0:
        assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
        assert (estimate.status, estimate.reason) == ("empty", "no pairs")
        return
    assert (estimate.low, estimate.high) == pytest.approx(case["tango"], abs=1e-9)
    assert estimate.method == "tango"
    assert estimate.status == ("ok" if case["b"] == 3 else "degenerate")
    if "percentile" in case:
        exact = ci_percentile_exact(case["b"], case["c"], case["n"])
        assert exact == pytest.approx(case["percentile"], abs=1e-12)


@pytest.mark.parametrize(
    ("b", "c", "n", "leads"),
    [
        (15, 2, 51, "percentile"),
        (15, 2, 29, "tango"),  # few pairs
        (7, 2, 51, "tango"),  # few that differ
        (15, 0, 51, "tango"),  # all on one side
    ],
)
def test_which_interval_leads(b, c, n, leads):
    estimate = paired_difference(b, c, n)
    assert estimate.method == leads
    assert {leads, estimate.beside.method} == {"percentile", "tango"}
    assert estimate.value == estimate.beside.value == (b - c) / n


@quick
@given(counts())
def test_exact_percentile_is_the_multinomials_quantile(case):
    b, c, n = case
    cumulated, both_tails = [], []
    discordant = stats.binom(n, (b + c) / n)
    share = b / (b + c) if b + c else 0.0
    mass = np.zeros(2 * n + 1)
    for d in range(n + 1):
        won = np.arange(d + 1)
        mass[n + 2 * won - d] += discordant.pmf(d) * stats.binom.pmf(won, d, share)
    cumulated = np.cumsum(mass)
    both_tails = [(int(np.argmax(cumulated >= tail - 1e-9)) - n) / n for tail in (0.025, 0.975)]
    assert ci_percentile_exact(b, c, n) == pytest.approx(both_tails)


def test_exact_percentile_is_what_resampling_tends_to():
    differences = np.repeat([1.0, -1.0, 0.0], [15, 6, 39])
    by_chance = stats.bootstrap(
        (differences,), np.mean, n_resamples=20_000, method="percentile", rng=1, batch=2_000
    ).confidence_interval
    assert ci_percentile_exact(15, 6, 60) == pytest.approx(tuple(by_chance), abs=1 / 60)


@quick
@given(counts())
def test_intervals_hold_the_value_and_mirror(case):
    b, c, n = case
    for method in (ci_percentile_exact, ci_tango):
        low, high = method(b, c, n)
        assert -1 <= low <= (b - c) / n <= high <= 1
    low, high = ci_tango(b, c, n)
    assert ci_tango(c, b, n) == pytest.approx((-high, -low), abs=1e-9)
    assert low < high


@quick
@given(counts())
def test_tango_bounds_are_where_the_score_test_turns(case):
    b, c, n = case

    def score(delta):
        """The score statistic, with the maximum-likelihood c-cell found by search."""
        grid = np.linspace(max(0, -delta), (1 - delta) / 2, 20_001)[1:-1]
        cells = [(b, grid + delta), (c, grid), (n - b - c, 1 - 2 * grid - delta)]
        fit = sum(k * np.log(np.maximum(p, 1e-300)) for k, p in cells)
        q = grid[int(np.argmax(fit))]
        return ((b - c) - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))

    for bound, sign in zip(ci_tango(b, c, n), (1, -1), strict=True):
        if abs(bound) < 0.999:
            assert score(bound) == pytest.approx(sign * 1.96, abs=0.02)


@quick
@given(st.integers(1, 500), st.data())
def test_wilson_agrees_with_statsmodels(n, data):
    successes = data.draw(st.integers(0, n))
    expected = proportion_confint(successes, n, method="wilson")
    assert ci_wilson(successes, n) == pytest.approx(expected, abs=1e-9)


def test_wilson_published():
    case = GOLDEN["wilson"][0]
    assert [round(end, 3) for end in ci_wilson(case["successes"], case["n"])] == case["interval"]


@quick
@given(st.lists(st.integers(0, 999).map(lambda k: k / 999), min_size=1, max_size=12))
def test_holm_agrees_with_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_of_nothing():
    assert holm([]) == []


@quick
@given(st.integers(0, 60), st.integers(0, 60))
def test_midp_lies_below_the_exact_test_and_is_symmetric(b, c):
    exact = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar_midp(b, c) == pytest.approx(mcnemar_midp(c, b))
    assert 0 < mcnemar_midp(b, c) <= exact
    if b + c:
        tie = stats.binom.pmf(b, b + c, 0.5)
        assert mcnemar_midp(b, c) == pytest.approx(exact - (tie / 2 if b == c else tie))


def several_seeds(tasks, seeds, *, noise, seed=0):
    """Pairs in which the seeds of a task mostly agree: (base, treated, tasks)."""
    draw = np.random.default_rng(seed)
    codes = np.repeat(np.arange(tasks), seeds)
    base = np.repeat(draw.random(tasks) < 0.6, seeds) ^ (draw.random(tasks * seeds) < noise)
    hurt = np.repeat(draw.random(tasks) < 0.5, seeds) ^ (draw.random(tasks * seeds) < noise)
    return base, base & ~hurt, codes


def test_cluster_bootstrap_is_resampling_of_tasks():
    base, treated, codes = several_seeds(60, 3, noise=0.2)
    lost = base.astype(int) - treated.astype(int)
    members = np.random.default_rng(3).random(len(base)) < 0.6
    sums = np.array(
        [[(lost * members)[codes == t].sum(), members[codes == t].sum()] for t in range(60)]
    )
    draw = np.random.default_rng(5)
    picked = sums[draw.integers(0, 60, size=(20_000, 60))].sum(axis=1)
    by_hand = np.quantile(picked[:, 0] / picked[:, 1], [0.025, 0.975])
    interval = cluster_bootstrap(sums[:, 0], sums[:, 1], key="x")
    assert interval == pytest.approx(tuple(by_hand), abs=0.01)
    whole = dpc(base, treated, members, codes, key="x")
    assert (whole.low, whole.high) == interval
    assert whole.value == pytest.approx(sums[:, 0].sum() / sums[:, 1].sum())
    assert cluster_bootstrap(sums[:, 0], sums[:, 1], key="x") == interval
    others = {cluster_bootstrap(sums[:, 0], sums[:, 1], key=f"{i}") for i in range(20)}
    assert len(others) > 1


def test_few_tasks_widen_the_cluster_bootstrap():
    base, treated, codes = several_seeds(12, 3, noise=0.2)
    few = delta_sr(base, treated, codes, key="x")
    gained = [int(treated[codes == t].sum() - base[codes == t].sum()) for t in range(12)]
    draws = np.random.default_rng(1).choice(gained, size=(20_000, 12)).sum(axis=1) / (12 * 3)
    tail = stats.norm.cdf(-math.sqrt(12 / 11) * stats.t.ppf(0.975, 11))
    expanded = np.quantile(draws, [tail, 1 - tail], method="inverted_cdf")
    assert (few.low, few.high) == pytest.approx(tuple(expanded), abs=0.03)
    plain = np.quantile(draws, [0.025, 0.975], method="inverted_cdf")
    assert few.high - few.low > plain[1] - plain[0] + 0.03


def test_repeated_seeds_are_no_new_evidence():
    base, treated, codes = several_seeds(80, 5, noise=0.02)
    together = delta_sr(base, treated, codes, key="x")
    as_if_apart = delta_sr(base, treated, np.arange(len(codes)), key="x")
    assert together.method == "cluster bootstrap"
    assert together.high - together.low > 1.5 * (as_if_apart.high - as_if_apart.low)


@pytest.mark.parametrize(
    ("treated", "status", "method"),
    [
        ([0, 0, 0, 0, 0, 0], "degenerate", "tango"),  # all pairs equal
        ([1, 0, 1, 0, 1, 0], "degenerate", "tango"),  # all tasks alike
        ([1, 0, 1, 0, 1, 1], "ok", "cluster bootstrap"),
    ],
)
def test_repeated_tasks_that_are_alike(treated, status, method):
    base, codes = np.ones(6, bool), np.repeat([0, 1, 2], 2)
    estimate = delta_sr(base, np.array(treated, bool), codes, key="x")
    assert (estimate.status, estimate.method) == (status, method)
    assert estimate.low < estimate.value < estimate.high or estimate.value == estimate.low == -1
    assert (estimate.reason != "") == (status != "ok")
    rate = success_rate(np.array(treated, bool), codes, key="x")
    assert rate.status == status
    assert rate.low < rate.high


def test_one_task_alone_has_no_interval():
    once, codes = np.array([True, False]), np.zeros(2, int)
    for estimate in (delta_sr(once, ~once, codes, key=""), success_rate(once, codes, key="")):
        assert (estimate.low, estimate.high, estimate.status) == (None, None, "degenerate")
        assert estimate.reason


def test_empty_sets_say_why():
    none = np.zeros(0, bool)
    assert delta_sr(none, none, none.astype(int), key="").reason == "no pairs"
    pair, task = np.array([True]), np.array([0])
    assert dpc(pair, pair, ~pair, task, key="").reason == "no pair in the set"
    assert rcr(pair, ~pair, task, key="").reason == "no pair has a verdict"
    for method in (ci_percentile_exact, ci_tango):
        with pytest.raises(ValueError, match="no pairs"):
            method(0, 0, 0)


def test_compliance_counts_judged_pairs_only():
    complied = np.array([True, True, False, True])
    judged = np.array([True, True, True, False])
    estimate = rcr(complied, judged, np.arange(4), key="")
    assert (estimate.value, estimate.n) == (pytest.approx(2 / 3), 3)


@quick
@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans(), st.integers(0, 4)), max_size=30)
)
def test_no_data_make_nan(rows):
    base, treated, members = (np.array([row[i] for row in rows], bool) for i in range(3))
    tasks = np.array([row[3] for row in rows], np.int64)
    for each in (
        delta_sr(base, treated, tasks, key="x"),
        dpc(base, treated, members, tasks, key="x"),
        rcr(base, members, tasks, key="x"),
        success_rate(base, tasks, key="x"),
    ):
        numbers = [each.value, each.low, each.high]
        assert not any(number is not None and math.isnan(number) for number in numbers)
        assert None not in numbers or each.reason
        if each.low is not None:
            assert each.low <= each.value <= each.high
            assert each.low < each.high


def coverage_of(interval, n, b_rate, c_rate):
    """The exact probability that the interval of (b, c) holds b_rate − c_rate."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    likely = stats.multinomial(n, [b_rate, c_rate, 1 - b_rate - c_rate])
    possible = b + c <= n
    table = np.stack([b, c, n - b - c], axis=-1)[possible]
    chance = likely.pmf(table)
    truth = b_rate - c_rate
    held = 0.0
    for (won, lost, _), weight in zip(table[chance > 1e-7], chance[chance > 1e-7], strict=True):
        low, high = interval(int(won), int(lost), n)
        held += weight * (low - 1e-12 <= truth <= high + 1e-12)
    return held


@pytest.mark.parametrize("name", ["percentile", "tango"])
@pytest.mark.parametrize("rates", ["0.1|0.0", "0.12|0.02", "0.3|0.02"])
def test_coverage_is_what_the_design_states(name, rates):
    method = {"percentile": ci_percentile_exact, "tango": ci_tango}[name]
    b_rate, c_rate = (float(rate) for rate in rates.split("|"))
    held = coverage_of(method, 42, b_rate, c_rate)
    assert held == pytest.approx(GOLDEN["coverage"][f"42|{rates}|{name}"], abs=2e-3)


def test_known_compliance_and_damage_are_recovered():
    """400 draws of 200 pairs: the stated intervals hold the truth about as often as they say."""
    draw = np.random.default_rng(20)
    n, skill, compliance, damage = 200, 0.6, 0.66, 0.8
    held = {"rcr": 0, "dpc": 0, "delta": 0, "rest": 0}
    truth = {
        "rcr": compliance,
        "dpc": skill * damage,
        "delta": -compliance * skill * damage,
        "rest": 0.0,
    }
    for _ in range(400):
        base = draw.random(n) < skill
        complied = draw.random(n) < compliance
        lucky = draw.random(n) < 0.1
        again = np.where(lucky, draw.random(n) < skill, base)  # the agent's own noise
        treated = np.where(complied, base & (draw.random(n) >= damage), again)
        tasks, judged = np.arange(n), np.ones(n, bool)
        found = {
            "rcr": rcr(complied, judged, tasks, key=""),
            "dpc": dpc(base, treated, complied, tasks, key=""),
            "delta": delta_sr(base, treated, tasks, key=""),
            "rest": dpc(base, treated, ~complied, tasks, key=""),
        }
        for name, estimate in found.items():
            held[name] += estimate.low <= truth[name] <= estimate.high
    assert all(0.92 <= count / 400 <= 0.99 for count in held.values()), held


def test_clustered_intervals_hold_the_truth():
    """300 draws of 60 tasks by 3 seeds whose seeds mostly agree."""
    held = naive = 0
    for seed in range(300):
        base, treated, codes = several_seeds(60, 3, noise=0.05, seed=seed)
        chance_base, chance_hurt = (p * 0.95 + (1 - p) * 0.05 for p in (0.6, 0.5))
        truth = -chance_base * chance_hurt
        estimate = delta_sr(base, treated, codes, key=f"{seed}")
        held += estimate.low <= truth <= estimate.high
        apart = delta_sr(base, treated, np.arange(len(codes)), key="")
        naive += apart.low <= truth <= apart.high
    assert 0.91 <= held / 300 <= 0.98
    assert naive / 300 < 0.88


def test_a_million_pairs_take_a_moment():
    draw = np.random.default_rng(0)
    codes = np.repeat(np.arange(100_000), 10)
    base, treated = draw.random(1_000_000) < 0.5, draw.random(1_000_000) < 0.3
    estimate = delta_sr(base, treated, codes, key="x")
    assert estimate.value == pytest.approx(-0.2, abs=0.003)
    assert estimate.high - estimate.low < 0.006
    assert estimates.RESAMPLES == 10_000
