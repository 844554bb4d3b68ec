"""A run's tables as files: JSON lines and Parquet, for whatever reads them next."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from runner.store import load_tables

TABLES = ("plan", "episodes", "steps", "receipts")


def _jsonl(frame: pd.DataFrame, path: Path) -> None:
    # Pure ASCII: no line separator that some readers know and others do not can end a line early.
    if frame.empty:
        path.write_text("")  # pandas would write one blank line
        return
    frame.to_json(path, orient="records", lines=True, force_ascii=True, double_precision=15)


def _parquet(frame: pd.DataFrame, path: Path) -> None:
    frame.to_parquet(path, index=False, engine="pyarrow")


FORMATS: dict[str, Callable[[pd.DataFrame, Path], None]] = {"jsonl": _jsonl, "parquet": _parquet}


def export(directory: Path, out: Path, formats: Iterable[str]) -> list[Path]:
    """Write each of `TABLES` to `out`, one file a format; returns the files.

    One row an episode, step or receipt; the plan holds the trials that were never run, too.
    Columns are those of `runner.tables`.
    """
    tables = load_tables(directory)
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name in formats:
        for table in TABLES:
            path = out / f"{table}.{name}"
            FORMATS[name](getattr(tables, table), path)
            written.append(path)
    return written
