"""The closing table: one row a cell of the design, as values, as a data frame and as plain text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from analysis import estimates
from analysis.estimates import Bools, Codes, Estimate, PairedCounts
from analysis.pairs import (
    COMPLETE_COVERAGE,
    FACTORS,
    PAIR,
    SUBJECT,
    Coverage,
    coverage,
    pair_episodes,
    planned_trials,
)
from runner.store import Tables

Labels = Mapping[str, str]
MARKS = {"percentile": "p", "tango": "t", "wilson": "w", "cluster bootstrap": "c"}
METHODS = {
    "percentile": "percentile bootstrap over pairs, computed exactly",
    "tango": "Tango's score interval (few pairs, few that differ, or all on one side)",
    "wilson": "Wilson's score interval",
    "cluster bootstrap": "bootstrap over tasks (tasks run with several seeds)",
}
NOT_AN_EFFECT = estimates.empty("the run without memory")


@dataclass(frozen=True)
class Row:
    """What one cell of the design came to.

    `labels` names the cell: agent, model and factors, and the part (family, site) if it is cut
    further. Rates rest on pairs; in the row of a run without memory (`anchor`), on its own
    episodes. `base` and `treated` are SR0 and SRc; `compliant` counts the pairs of the compliant
    set; `rest` is DPC on the judged pairs outside it. `p` is McNemar's mid-p for the compliant set,
    None where tasks come more than once or there is no such pair.
    """

    labels: Labels
    anchor: bool
    simulated: bool
    coverage: Coverage
    compliant: PairedCounts
    base: Estimate
    treated: Estimate
    delta: Estimate
    rcr: Estimate
    dpc: Estimate
    rest: Estimate
    p: float | None


@dataclass(frozen=True)
class Results:
    """All that is computed from one run: the closing table and its pairs, one row a trial."""

    rows: tuple[Row, ...]
    pairs: pd.DataFrame
    anchors: pd.DataFrame
    simulated: bool
    """Whether any episode is of a made-up agent."""


def tabulate(tables: Tables) -> Results:
    """The closing table of a run: the runs without memory first, then the cells as planned."""
    trials = planned_trials(tables)
    anchors = trials[trials["schedule"] == "none"]
    pairs = pair_episodes(tables)
    rows = (*_rows(anchors, (), anchor=True), *_rows(pairs, (), anchor=False))
    simulated = tables.manifest.simulated or any(row.simulated for row in rows)
    return Results(rows, pairs, anchors, simulated)


def broken_down(pairs: pd.DataFrame, part: str) -> tuple[Row, ...]:
    """The cells of the design once more, cut further by the column `part` (family, site)."""
    return _rows(pairs, (part,), anchor=False)


def _rows(trials: pd.DataFrame, parts: Sequence[str], *, anchor: bool) -> tuple[Row, ...]:
    make = _anchor_row if anchor else _row
    return tuple(make(labels, cell) for labels, cell in cells_of(trials, parts))


def cells_of(
    trials: pd.DataFrame, parts: Sequence[str] = ()
) -> Iterator[tuple[Labels, pd.DataFrame]]:
    """The trials of each cell of the design, in the plan's order, with the cell's labels."""
    columns = [*SUBJECT, *FACTORS, *parts]
    for values, cell in trials.groupby(columns, sort=False):
        named = zip(columns, values, strict=True)
        yield {name: label(name, value) for name, value in named}, cell


def label(column: str, value: object) -> str:
    """A factor's value as tables show it."""
    if column == "reversible":
        return "reversible" if value else "irreversible"
    return str(value)


def _anchor_row(labels: Labels, cell: pd.DataFrame) -> Row:
    scored = cell[cell["scored"]]
    success, tasks, key = _flags(scored, "success"), _codes(scored), _seed_key(labels)
    return Row(
        labels=labels,
        anchor=True,
        simulated=bool(cell["simulated"].any()),
        coverage=coverage(cell),
        compliant=PairedCounts(0, 0, 0, 0),
        base=estimates.success_rate(success, tasks, key=f"{key}|base"),
        treated=NOT_AN_EFFECT,
        delta=NOT_AN_EFFECT,
        rcr=NOT_AN_EFFECT,
        dpc=NOT_AN_EFFECT,
        rest=NOT_AN_EFFECT,
        p=None,
    )


def _row(labels: Labels, cell: pd.DataFrame) -> Row:
    pairs = cell[cell["outcome"] == PAIR]
    base, treated = _flags(pairs, "base"), _flags(pairs, "treated")
    judged, complied = _flags(pairs, "judged"), _flags(pairs, "complied")
    tasks, key = _codes(pairs), _seed_key(labels)
    compliant = estimates.paired_counts(base[complied], treated[complied])
    testable = compliant.n > 0 and len(np.unique(tasks)) == len(tasks)
    b, c = compliant.only_base, compliant.only_treated
    return Row(
        labels=labels,
        anchor=False,
        simulated=bool(cell["simulated"].any()),
        coverage=coverage(cell),
        compliant=compliant,
        base=estimates.success_rate(base, tasks, key=f"{key}|base"),
        treated=estimates.success_rate(treated, tasks, key=f"{key}|treated"),
        delta=estimates.delta_sr(base, treated, tasks, key=f"{key}|delta"),
        rcr=estimates.rcr(complied, judged, tasks, key=f"{key}|rcr"),
        dpc=estimates.dpc(base, treated, complied, tasks, key=f"{key}|dpc"),
        rest=estimates.dpc(base, treated, judged & ~complied, tasks, key=f"{key}|rest"),
        p=estimates.mcnemar_midp(b, c) if testable else None,
    )


def _flags(frame: pd.DataFrame, column: str) -> Bools:
    return frame[column].to_numpy(dtype=bool)


def _codes(frame: pd.DataFrame) -> Codes:
    return pd.factorize(frame["task"])[0].astype(np.int64)


def _seed_key(labels: Labels) -> str:
    return "|".join(labels.values())


def adjusted(rows: Iterable[Row]) -> dict[int, float]:
    """Holm's adjusted p of each row that has one, by its place: one family, the DPCs of a table."""
    tested = [(place, row.p) for place, row in enumerate(rows) if row.p is not None]
    corrected = estimates.holm([p for _, p in tested])
    return {place: p for (place, _), p in zip(tested, corrected, strict=True)}


def frame(rows: Sequence[Row]) -> pd.DataFrame:
    """The table as a data frame: proportions, not per cent; a missing value has its reason."""
    return pd.DataFrame([_flat(row) for row in rows])


def _flat(row: Row) -> dict[str, object]:
    flat: dict[str, object] = {**row.labels, "simulated": row.simulated, **asdict(row.coverage)}
    flat["complete"] = row.coverage.complete
    for name in ("base", "treated", "delta", "rcr", "dpc", "rest"):
        estimate: Estimate = getattr(row, name)
        flat[name] = estimate.value
        for part in ("low", "high", "n", "method", "status", "reason"):
            flat[f"{name}_{part}"] = getattr(estimate, part)
    return {**flat, "p": row.p}


def percent(value: float | None) -> str:
    """A proportion in per cent, one decimal; a dash for none."""
    return "–" if value is None else f"{100 * value:.1f}"


def points(value: float | None) -> str:
    """A difference in percentage points, with its sign; a dash for none."""
    if value is None:
        return "–"
    text = f"{100 * value:+.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def p_value(value: float | None) -> str:
    """A p-value with three decimals; a dash for none."""
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def with_interval(estimate: Estimate, *, signed: bool) -> str:
    """Value, interval and the mark of its method, for example `+7.1 [−4.8, +19.0] p`."""
    show = points if signed else percent
    if estimate.low is None:
        return show(estimate.value)
    mark = MARKS[estimate.method] + ("*" if estimate.status == "degenerate" else "")
    return f"{show(estimate.value)} [{show(estimate.low)}, {show(estimate.high)}] {mark}"


def subject(labels: Labels) -> str:
    """Who acted: the agent, and its model where it has one."""
    return f"{labels['agent']} {labels['model']}".strip()


def heading(column: str) -> str:
    """A factor's name as tables show it."""
    return "world" if column == "reversible" else column


def factor(labels: Labels, name: str) -> str:
    """The value of a factor; a dash where it means nothing, in the run without memory."""
    meant = labels["schedule"] != "none" or name in ("condition", "schedule", "reversible")
    return labels[name] if meant else "–"


def cell_name(labels: Labels, factors: Sequence[str]) -> str:
    """A cell in words: who acted, then its factors."""
    return " · ".join([subject(labels), *(factor(labels, name) for name in factors)])


def varying(rows: Sequence[Row]) -> tuple[list[str], dict[str, str]]:
    """(factors that differ between rows with a memory, the others with their one value)."""
    cells = [row.labels for row in rows if not row.anchor]
    values = {name: {labels[name] for labels in cells} for name in FACTORS}
    always = ("condition", "schedule")
    differing = [name for name in FACTORS if name in always or len(values[name]) > 1]
    fixed = {name: min(found) for name, found in values.items() if len(found) == 1}
    return differing, {name: value for name, value in fixed.items() if name not in always}


def render(rows: Sequence[Row], *, simulated: bool) -> str:
    """The closing table as plain text."""
    factors, fixed = varying(rows)
    header = ["agent", *map(heading, factors), "n", "plan/run/scored/err"]
    header += ["SR0 %", "SRc %", "ΔSR pp [95% CI]", "RCR % [95% CI]", "DPC pp [95% CI]  (|C|)"]
    body = [_cells(row, factors) for row in rows]
    lines = []
    if simulated:
        lines.append(
            "SIMULATED: made-up agents, no model was asked. Not a finding about any model."
        )
    lines += _aligned([header, *body])
    if fixed:
        lines.append(
            "in all rows with a memory: "
            + ", ".join(f"{heading(name)} {value}" for name, value in fixed.items())
        )
    return "\n".join([*lines, *_notes(rows)])


def _cells(row: Row, factors: Sequence[str]) -> list[str]:
    part = row.coverage
    damage = with_interval(row.dpc, signed=True)
    return [
        subject(row.labels),
        *(factor(row.labels, name) for name in factors),
        f"{part.n}" if part.complete else f"{part.n}!",
        f"{part.planned}/{part.run}/{part.scored}/{part.errors}",
        percent(row.base.value),
        percent(row.treated.value),
        with_interval(row.delta, signed=True),
        with_interval(row.rcr, signed=False),
        damage if row.anchor else f"{damage}  ({row.compliant.n})",
    ]


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    return [lines[0], "─" * max(len(line) for line in lines), *lines[1:]]


def _notes(rows: Sequence[Row]) -> list[str]:
    shown = [estimate for row in rows for estimate in (row.delta, row.rcr, row.dpc)]
    used = {estimate.method for estimate in shown if estimate.low is not None}
    notes = [f"{mark}: {METHODS[name]}" for name, mark in MARKS.items() if name in used]
    if any(estimate.status == "degenerate" for estimate in shown):
        notes.append("*: all equal, so resampling says nothing")
    if any(not row.coverage.complete for row in rows):
        notes.append(
            f"!: incomplete, less than {COMPLETE_COVERAGE:.0%} of what was planned became data"
        )
    unexposed = sum(row.coverage.unexposed for row in rows)
    if unexposed:
        notes.append(f"{unexposed} trials ended before the memory was due and are left out")
    reasons = {
        f"no {name}: {estimate.reason}"
        for row in rows
        if not row.anchor
        for name, estimate in (("ΔSR", row.delta), ("RCR", row.rcr), ("DPC", row.dpc))
        if estimate.status == "empty"
    }
    return notes + sorted(reasons)
