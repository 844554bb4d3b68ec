"""`python -m analysis report RUN` and `python -m analysis export RUN`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from runner.errors import UserError

EXIT_BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Bad input is one line on stderr and exit code 2."""
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except (UserError, ValueError, OSError) as error:
        print(f"python -m analysis: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m analysis", description="Read what a run wrote down."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    report = commands.add_parser("report", help="print the closing table, write the HTML report")
    report.add_argument("run", type=Path, metavar="RUN", help="a run directory")
    report.add_argument("--out", type=Path, help="the file to write (default: RUN/report.html)")
    report.set_defaults(command=_report)
    export = commands.add_parser("export", help="write the tables as JSONL or Parquet files")
    export.add_argument("run", type=Path, metavar="RUN", help="a run directory")
    export.add_argument("--jsonl", action="store_true", help="one JSON object a line")
    export.add_argument("--parquet", action="store_true", help="Parquet files")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    export.set_defaults(command=_export)
    return parser


def _report(options: argparse.Namespace) -> None:
    from analysis.report import closing_table, write_report

    print(closing_table(options.run))
    print(f"\nreport  {write_report(options.run, options.out)}")


def _export(options: argparse.Namespace) -> None:
    from analysis.export import FORMATS, export

    formats = [name for name in FORMATS if getattr(options, name)]
    if not formats:
        raise UserError("say what to export: --jsonl, --parquet or both")
    for path in export(options.run, options.out, formats):
        print(path)


if __name__ == "__main__":
    sys.exit(main())
