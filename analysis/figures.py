"""The report's figures, as SVG text. The same rows give the same bytes."""

import io
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.estimates import Estimate
from analysis.table import Row, cell_name

# Okabe and Ito's colours stay apart for colour-blind readers; shapes stay apart in black and white.
BLUE, VERMILION, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#5b6675"
MOST_ROWS = 30
"""A figure shows no more rows than a reader can take in."""
WIDTH = 4.6  # inches; drawn narrow, so that letters stay legible on a phone
LANE = 0.21  # inches between one mark and the next


@dataclass(frozen=True)
class _Series:
    name: str
    colour: str
    marker: str
    of: Callable[[Row], Estimate]


_EFFECTS = (
    _Series("ΔSR, all pairs", BLUE, "o", lambda row: row.delta),
    _Series("DPC, pairs that complied", VERMILION, "s", lambda row: row.dpc),
)
_COMPLIANCE = (_Series("RCR", GREEN, "D", lambda row: row.rcr),)


def effects(rows: Sequence[Row], factors: Sequence[str]) -> str:
    """ΔSR and DPC of each cell with their intervals, in percentage points."""
    return _forest(rows, factors, _EFFECTS, "percentage points")


def compliance(rows: Sequence[Row], factors: Sequence[str]) -> str:
    """RCR of each cell with its interval, in per cent."""
    return _forest(rows, factors, _COMPLIANCE, "per cent of pairs with a verdict", limits=(0, 100))


def _forest(
    rows: Sequence[Row],
    factors: Sequence[str],
    series: Sequence[_Series],
    label: str,
    *,
    limits: tuple[float, float] | None = None,
) -> str:
    """Marks with whiskers, a block of lanes for each row under its name."""
    shown = [row for row in rows if not row.anchor][:MOST_ROWS]
    lanes = len(series) + 1.4
    with _style():
        inside, below, above = LANE * lanes * len(shown), 0.5, 0.3
        figure = Figure(figsize=(WIDTH, inside + below + above))
        bottom, height = below / (inside + below + above), inside / (inside + below + above)
        axes = figure.add_axes((0.03, bottom, 0.94, height))
        for place, row in enumerate(shown):
            top = -place * lanes
            name = cell_name(row.labels, factors)
            axes.text(
                0,
                top - 0.55,
                name,
                transform=axes.get_yaxis_transform(),
                va="center",
                parse_math=False,  # a model's name may hold any character
            )
            for lane, each in enumerate(series):
                _mark(axes, top - 1.35 - lane, each, each.of(row))
        _frame(axes, lanes * len(shown), label, limits)
        _legend(axes, series)
        return _svg(figure)


def _style() -> AbstractContextManager[None]:
    return mpl.rc_context(
        {
            "svg.hashsalt": "memtrap",
            "svg.fonttype": "none",
            "font.family": "sans-serif",
            "font.sans-serif": ["DejaVu Sans"],
            "font.size": 10,
        }
    )


def _mark(axes: Axes, height: float, series: _Series, estimate: Estimate) -> None:
    if estimate.value is None:
        return
    if estimate.low is not None and estimate.high is not None:
        ends = [100 * estimate.low, 100 * estimate.high]
        axes.plot(ends, [height, height], color=series.colour, linewidth=1.6)
    hollow = estimate.status != "ok"
    axes.plot(
        [100 * estimate.value],
        [height],
        marker=series.marker,
        markersize=6,
        color=series.colour,
        markerfacecolor="white" if hollow else series.colour,
    )


def _frame(axes: Axes, depth: float, label: str, limits: tuple[float, float] | None) -> None:
    axes.set_ylim(-depth - 0.1, 0.1)
    if limits is None:
        axes.axvline(0, color=GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        low, high = axes.get_xlim()
        limits = (min(low, -10), max(high, 10))
    axes.set_xlim(*limits)
    axes.set_yticks([])
    axes.set_xlabel(label)
    axes.grid(axis="x", color="#e3e7ed", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["left", "right", "top"]].set_visible(False)


def _legend(axes: Axes, series: Sequence[_Series]) -> None:
    for each in series:
        axes.plot([], [], color=each.colour, marker=each.marker, label=each.name)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=len(series), frameon=False, borderpad=0.1
    )


def _svg(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    whole = text.getvalue()
    return whole[whole.index("<svg") :]
