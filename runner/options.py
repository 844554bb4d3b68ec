"""The command line of `python -m runner`. Choices are what is registered."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import PydanticUndefined

from memory.channels import channels
from memory.conditions import conditions
from memory.own import OwnMemoriesError, read_memories
from memory.registry import UnknownNameError
from memory.schedules import schedules
from memory.treatments import ENTRIES, GROUNDINGS
from probes.catalogue import SUBSETS, UnknownTaskError, choose
from probes.task import FAMILIES
from runner.agents.base import load_agents
from runner.configuration import LANGUAGE_MODEL_AGENT, RunConfiguration, option
from runner.errors import UserError

_FIELDS = RunConfiguration.model_fields
_ALL_TASKS = ["all"]


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise UserError(message)


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line; options that define a run are absent when they were not given."""
    return _parser().parse_args(arguments)


def build_configuration(options: argparse.Namespace) -> RunConfiguration:
    """The configuration that the options ask for. Raises UserError."""
    given = _given(options)
    agent, _, preset = given.pop("agent", "").partition(":")
    if agent or "model" in given:
        given |= {"agent": agent or LANGUAGE_MODEL_AGENT, "preset": preset}
    try:
        given["tasks"] = [task.id for task in choose(given.get("tasks", _ALL_TASKS))]
        if "memories" in given:
            given["memories"] = read_memories(given["memories"])
        return RunConfiguration.model_validate(given)
    except ValidationError as error:
        raise UserError(_explained(error)) from None
    except (UnknownTaskError, OwnMemoriesError) as error:
        raise UserError(str(error)) from None


def refuse_defining_options(options: argparse.Namespace) -> None:
    """Raise UserError when a run is to be continued and yet described anew."""
    defining = [name for name in _given(options) if name != "budget"]
    if options.out is not None:
        defining.append("out")
    if defining:
        raise UserError(
            f"--resume takes everything from the run itself: leave out {option(defining[0])}"
        )


def _given(options: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name, value in vars(options).items() if name in _FIELDS}


def _explained(error: ValidationError) -> str:
    problem = error.errors()[0]
    message = problem["msg"].removeprefix("Value error, ")
    return f"{option(str(problem['loc'][0]))}: {message}" if problem["loc"] else message


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m runner",
        description="Run browser agents over the tasks, with and without memories, and compare.",
        epilog="Without options: the simulated agent, all tasks, the conflict memory at each step.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    _add_design(parser)
    _add_agent(parser)
    _add_extent(parser)
    _add_execution(parser)
    return parser


def _add_design(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what the agent is told (several values are crossed)")
    several = (
        ("schedule", "when the memory is visible", schedules),
        ("condition", "what it says", conditions),
        ("channel", "where in the prompt it stands", channels),
        ("entry", "alone or among three others", ENTRIES),
        ("grounding", "whether the element it names exists", GROUNDINGS),
    )
    for name, meaning, choices in several:
        group.add_argument(
            option(name),
            nargs="+",
            action="extend",
            choices=list(choices),
            help=f"{meaning}: {', '.join(choices)}{_default(name)}",
            metavar=name.upper(),
        )
    group.add_argument("--reversible", action="store_true", help="sites that offer an undo")
    group.add_argument("--memories", type=Path, metavar="FILE", help="your own memories, as JSONL")


def _add_agent(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("who acts")
    names = ", ".join(load_agents())
    group.add_argument(
        "--agent",
        type=_agent,
        metavar="NAME[:PRESET]",
        help=f"one of {names}{_default('agent')}",
    )
    group.add_argument("--model", help=f"a LiteLLM model name; implies {LANGUAGE_MODEL_AGENT}")
    group.add_argument("--api-base", metavar="URL", help="where the model is served")
    group.add_argument("--temperature", type=float, metavar="T", help=_default("temperature"))
    group.add_argument(
        "--no-cache", action="store_true", help="ask the model anew even for an identical prompt"
    )


def _add_extent(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how much")
    subsets = ", ".join(SUBSETS)
    group.add_argument(
        "--tasks",
        nargs="+",
        action="extend",
        metavar="TASK",
        help=f"ids, globs, sites, families ({', '.join(FAMILIES)}) or subsets ({subsets}) "
        f"(default: {_ALL_TASKS[0]})",
    )
    group.add_argument("--seeds", type=int, metavar="N", help=f"seeds a task{_default('seeds')}")
    group.add_argument(
        "--max-steps", type=int, metavar="N", help=f"steps an episode{_default('max_steps')}"
    )
    group.add_argument("--budget", type=float, metavar="USD", help="end early when it is spent")


def _add_execution(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how it is carried out")
    group.add_argument(
        "--workers",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="episodes at a time (default: one a core, %(default)s)",
    )
    group.add_argument(
        "--out",
        type=Path,
        default=None,
        metavar="DIR",
        help="run directory; a run of the same configuration in it is continued (default: a new "
        "one below runs/)",
    )
    group.add_argument(
        "--resume", type=Path, default=None, metavar="DIR", help="go on with the run in DIR"
    )
    group.add_argument(
        "--dry-run", action="store_true", default=False, help="print the plan and its size"
    )
    group.add_argument(
        "--browser", default=None, metavar="PATH", help="a Chrome or Chromium (default: found)"
    )
    group.add_argument(
        "--headed", action="store_true", default=False, help="show the browser's window"
    )
    group.add_argument(
        "--screenshots", action="store_true", default=False, help="keep a picture of every step"
    )


def _default(name: str) -> str:
    value = _FIELDS[name].default
    assert value is not PydanticUndefined
    return f" (default: {' '.join(value) if isinstance(value, tuple) else value})"


def _agent(text: str) -> str:
    try:
        load_agents()[text.partition(":")[0]]
    except UnknownNameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)
