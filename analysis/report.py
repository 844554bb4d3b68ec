"""The report of a run: one HTML file that needs nothing else, and the closing table as text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis import figures
from analysis.pairs import COMPLETE_COVERAGE, OUTCOMES, PAIR
from analysis.table import (
    MARKS,
    METHODS,
    Results,
    adjusted,
    broken_down,
    cell_name,
    cells_of,
    factor,
    heading,
    label,
    p_value,
    percent,
    points,
    render,
    subject,
    tabulate,
    varying,
)
from runner.records import AGENT_STATUSES, MACHINERY_STATUSES, UNEXPOSED_STATUSES
from runner.store import Tables, load_tables

REPORT = "report.html"
MOST_EPISODES = 2_000
"""A page lists no more episodes than a browser opens at once; the export has all."""
LONGEST_VALUE = 200
STATUSES = (*AGENT_STATUSES, *UNEXPOSED_STATUSES, *MACHINERY_STATUSES)


@dataclass(frozen=True)
class Counts:
    """A table of counts: a row of numbers under `columns` for each name."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


def closing_table(directory: Path) -> str:
    """The run's closing table as plain text."""
    results = tabulate(load_tables(directory))
    return render(results.rows, simulated=results.simulated)


def write_report(directory: Path, out: Path | None = None) -> Path:
    """Write the run's report to `out`, or into the run directory; returns the file's path.

    The same run gives the same bytes.
    """
    path = out or directory / REPORT
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(load_tables(directory), directory.resolve().name), encoding="utf-8")
    return path


def page(tables: Tables, name: str, *, most_episodes: int = MOST_EPISODES) -> str:
    """The report as HTML. It lists the first `most_episodes` of the plan."""
    results = tabulate(tables)
    factors, fixed = varying(results.rows)
    cells = [row for row in results.rows if not row.anchor]
    paired = results.pairs[results.pairs["outcome"] == PAIR]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": percent,
        "points": points,
        "p_value": p_value,
        "subject": subject,
        "heading": heading,
    }
    return environment.get_template("report.html").render(
        name=name,
        manifest=tables.manifest,
        results=results,
        cells=cells,
        factors=factors,
        fixed=fixed,
        factor=factor,
        cell_name=cell_name,
        marks=MARKS,
        methods=METHODS,
        complete_coverage=COMPLETE_COVERAGE,
        holm=adjusted(cells),
        parts={part: broken_down(results.pairs, part) for part in ("family", "site")},
        effects=figures.effects(cells, factors) if cells else "",
        compliance=figures.compliance(cells, factors) if cells else "",
        most_rows=figures.MOST_ROWS,
        outcomes=_counts(results.pairs, "outcome", OUTCOMES, factors),
        verdicts=_counts(paired, "verdict", _found(paired, "verdict"), factors),
        statuses=_counts(_all_trials(results), "status", STATUSES, factors),
        settings=_flat(tables.manifest.model_dump(mode="json")),
        episodes=_listing(_all_trials(results).head(most_episodes)),
        planned=len(tables.plan),
    )


def _all_trials(results: Results) -> pd.DataFrame:
    """Every planned trial, in the plan's order."""
    return pd.concat([results.anchors, results.pairs]).sort_values("ordinal", kind="stable")


def _found(frame: pd.DataFrame, column: str) -> tuple[str, ...]:
    return tuple(frame[column].dropna().value_counts().index)


def _counts(
    frame: pd.DataFrame, column: str, values: Sequence[str], factors: Sequence[str]
) -> Counts:
    """How often each of `values` stands in `column`, by cell; values that never do are left out."""
    columns = tuple(value for value in values if (frame[column] == value).any())
    rows = []
    for labels, cell in cells_of(frame):
        found = cell[column].value_counts()
        counts = tuple(int(found.get(value, 0)) for value in columns)
        rows.append((cell_name(labels, factors), counts))
    return Counts(columns, tuple(rows))


def _listing(trials: pd.DataFrame) -> list[Mapping[str, Any]]:
    """Trials as the page lists them."""
    shown = trials.astype(object).where(trials.notna(), None)
    shown["reversible"] = [label("reversible", value) for value in shown["reversible"]]
    return [{str(name): value for name, value in row.items()} for row in shown.to_dict("records")]


def _flat(tree: Mapping[str, Any], above: str = "") -> dict[str, str]:
    """A tree of settings as one list, with dotted names and values cut to a readable length."""
    flat: dict[str, str] = {}
    for name, value in tree.items():
        path = f"{above}{name}"
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{path}.")
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        flat[path] = text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
    return flat
