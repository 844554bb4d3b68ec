"""`python -m probes`: list the tasks, show one in full, audit them in the browser."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from memory.entry import Memory, render
from probes.catalogue import UnknownTaskError, choose, load_tasks, memory_set
from probes.moves import phrase
from probes.task import Task


def list_tasks(tasks: Sequence[Task]) -> None:
    """One line a task."""
    for task in tasks:
        print(f"{task.id:<24} r{task.revision}  {len(task.reference):>2} moves  {task.instruction}")
    print(f"{len(tasks)} tasks")


def show(task: Task) -> None:
    """A task with its memories and its path."""
    memories = memory_set(task)
    print(f"{task.id}  revision {task.revision}  {task.hash}\n\n{task.instruction}\n")
    print(f"starts at {task.start}\n\nReference path")
    for number, move in enumerate(task.reference, start=1):
        print(f"  {number:>2}. {phrase(move)}")
    _show_memory("Helpful memory", memories.helpful)
    _show_memory("Conflict memory", memories.conflict)
    ungrounded = memories.conflict.relabelled(memories.cited["conflict"], memories.invented)
    _show_memory("Conflict memory, ungroundable", ungrounded)
    _show_memory(f"Cross-task memory (of {task.partner})", memories.cross_task)
    for number, neighbour in enumerate(memories.neighbours, start=1):
        _show_memory(f"Neighbour {number}", neighbour)
    declared = ", ".join(f"{name} {kind}" for name, kind in task.harm if kind)
    print(f"\nThe conflict memory's follower fails by: {declared}")
    print(f"Undone in the reversible twin by: {'; '.join(map(phrase, task.undo))}")


def _show_memory(title: str, memory: Memory) -> None:
    print(f"\n{title}\n{render([memory])}")


def run_audit(tasks: Sequence[Task], jobs: int, executable: str | None, report: Path) -> bool:
    """Audit in the browser, print a row a task, write the report; whether all passed."""
    from runner import audit

    def tell(verdict: audit.Verdict) -> None:
        state = "failed" if verdict.problems else "ok"
        print(f"{verdict.task:<24} {verdict.moves:>2} moves  {state}", flush=True)
        for problem in verdict.problems:
            print(f"    {problem}", flush=True)

    verdicts = asyncio.run(audit.audit(tasks, jobs=jobs, executable=executable, tell=tell))
    print("\n".join(audit.summary(tasks, verdicts)))
    rows = [vars(verdict) for verdict in verdicts]
    report.write_text(json.dumps(rows, indent=1, default=list) + "\n", encoding="utf-8")
    return not any(verdict.problems for verdict in verdicts) and not audit.overused_flows(tasks)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m probes", description="The catalogue of tasks.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="one line a task")
    listing.add_argument("tasks", nargs="*", default=["all"], help="ids, globs, families, sites")
    showing = commands.add_parser("show", help="one task in full")
    showing.add_argument("task")
    auditing = commands.add_parser("audit", help="prove the tasks in the real browser")
    auditing.add_argument("tasks", nargs="*", default=["all"], help="ids, globs, families, sites")
    auditing.add_argument("--site", help="only this site's tasks")
    auditing.add_argument("--family", help="only this family's tasks")
    auditing.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tasks at a time")
    auditing.add_argument("--browser", help="path of a Chrome or Chromium")
    auditing.add_argument("--report", type=Path, default=Path("audit.json"), help="%(default)s")
    return parser


def main() -> int:
    """The command line; the exit code is 1 when an audit fails and 2 for bad input."""
    chosen = _parser().parse_args()
    try:
        if chosen.command == "show":
            if chosen.task not in load_tasks():
                raise UnknownTaskError(f"no task is called {chosen.task!r}; see: probes list")
            show(load_tasks()[chosen.task])
            return 0
        tasks = choose(chosen.tasks)
    except UnknownTaskError as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.command == "list":
        list_tasks(tasks)
        return 0
    tasks = [
        task
        for task in tasks
        if chosen.site in (None, task.site) and chosen.family in (None, task.family)
    ]
    if not tasks:
        print("no task is of that site and family", file=sys.stderr)
        return 2
    return 0 if run_audit(tasks, chosen.jobs, chosen.browser, chosen.report) else 1


if __name__ == "__main__":
    sys.exit(main())
