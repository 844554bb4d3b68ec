"""`python -m runner`: run a design, show how far it is, and print what came out."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runner.configuration import RunConfiguration, chosen_tasks, first_agent, plan
from runner.directory import new_directory, recorded_configuration
from runner.errors import UserError
from runner.models import ModelClient
from runner.options import build_configuration, read_options, refuse_defining_options
from runner.records import MACHINERY_STATUSES
from runner.store import read_episodes

if TYPE_CHECKING:
    from runner.campaign import Standing

EXIT_DONE = 0
EXIT_INCOMPLETE = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Carry out a command line; returns the exit code.

    0: every planned episode is finished. 1: the run ended early, or the machinery spoiled
    episodes. 2: bad input. 130: interrupted by Ctrl+C.
    """
    try:
        options = read_options(arguments)
        if options.resume is None:
            configuration = build_configuration(options)
            directory = options.out or new_directory(configuration)
        else:
            refuse_defining_options(options)
            configuration = recorded_configuration(options.resume)
            directory = options.resume
        _check_agent(configuration)
        if options.dry_run:
            _print_plan(configuration)
            return EXIT_DONE
        return _run(configuration, directory, options)
    except UserError as error:
        print(f"python -m runner: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT


def _run(configuration: RunConfiguration, directory: Path, options: argparse.Namespace) -> int:
    try:
        standing = _carried_out(configuration, directory, options)
    except KeyboardInterrupt:
        _say_how_to_go_on("interrupted", directory)
        return EXIT_INTERRUPTED
    if standing.stopped:
        _say_how_to_go_on(f"stopped early: {standing.stopped}", directory)
        return EXIT_INCOMPLETE
    _print_results(directory)
    if standing.complete:
        return EXIT_DONE
    _say_how_to_go_on(_spoiled(directory), directory)
    return EXIT_INCOMPLETE


def _carried_out(
    configuration: RunConfiguration, directory: Path, options: argparse.Namespace
) -> "Standing":
    import asyncio

    from runner.campaign import Execution, run
    from runner.progress import shown

    execution = Execution(
        workers=options.workers,
        browser=options.browser,
        headless=not options.headed,
        screenshots=options.screenshots,
        budget=vars(options).get("budget"),
    )
    # Closing this waits for model calls in flight, so a run that ends early leaves it open.
    loop = asyncio.Runner()
    with shown(sys.stderr) as progress:
        standing = loop.run(run(configuration, directory, execution=execution, progress=progress))
    if not standing.stopped:
        loop.close()
    return standing


def _check_agent(configuration: RunConfiguration) -> None:
    """Raise UserError for an agent that cannot be made, before anything is begun."""
    settings = configuration.model_settings(None, None)
    first_agent(configuration, None if settings is None else ModelClient(settings))


def _print_plan(configuration: RunConfiguration) -> None:
    trials = plan(configuration, chosen_tasks(configuration))
    for number, trial in enumerate(trials, start=1):
        print(f"{number:>5}  {trial.key}")
    cells = Counter(trial.treatment.key for trial in trials)
    for cell, count in cells.items():
        print(f"{count:>5} episodes  {cell}")
    print(
        f"{len(trials)} episodes: {len(configuration.tasks)} tasks, "
        f"seeds 1 to {configuration.seeds}, at most {configuration.max_steps} steps each"
    )


def _print_results(directory: Path) -> None:
    from analysis.report import closing_table, write_report

    print(closing_table(directory))
    report = write_report(directory)
    print(f"\nrun     {directory}\nreport  {report}")


def _spoiled(directory: Path) -> str:
    """What the machinery did to the run, in one line."""
    spoiled = [each for each in read_episodes(directory) if each.status in MACHINERY_STATUSES]
    counts = Counter(each.status for each in spoiled)
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    return f"{len(spoiled)} episodes were spoiled ({told}; the first: {spoiled[0].detail})"


def _say_how_to_go_on(what: str, directory: Path) -> None:
    print(
        f"{what}; what is recorded stays. Go on with: python -m runner --resume {directory}",
        file=sys.stderr,
    )
