"""The audit of the whole catalogue in the real browser, and that each of its checks can fail."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memory.treatments import Treatment
from probes.catalogue import load_tasks
from probes.moves import click, fill
from probes.task import FAMILIES, Harm, Task, lesson
from runner import audit
from runner.audit import Evidence, Run, gather_evidence, judge, overused_flows
from runner.browser import Browser
from webapps.host import Host

TASKS = list(load_tasks().values())
AT_A_TIME = 2


@pytest.fixture(scope="session")
async def evidence(site_browser: Browser, host: Host) -> dict[str, Evidence]:
    gate = asyncio.Semaphore(AT_A_TIME)

    async def gather(task: Task) -> Evidence:
        async with gate:
            return await gather_evidence(task, site_browser, host)

    found = await asyncio.gather(*(gather(task) for task in TASKS))
    return {each.task.id: each for each in found}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("task", [task.id for task in TASKS])
async def test_every_task_keeps_its_promises(task: str, evidence: dict[str, Evidence]) -> None:
    assert judge(evidence[task]).problems == ()


def test_the_catalogue_is_balanced() -> None:
    sites = {task.site for task in TASKS}
    for site in sites:
        for family in FAMILIES:
            assert sum(task.site == site and task.family == family for task in TASKS) == 2
    assert overused_flows(TASKS) == []
    assert len({audit.flow(task) for task in TASKS}) == len(TASKS)
    assert all(len(task.instruction.split()) < 90 for task in TASKS)


def test_one_flow_may_not_serve_too_many() -> None:
    assert overused_flows(TASKS[:1] * 4) == []
    assert len(overused_flows(TASKS[:1] * 5)) == 1


def _with(**changes: Any) -> Callable[[Evidence], Evidence]:
    """The same evidence for a task that says something else."""
    return lambda found: replace(found, task=found.task.model_copy(update=changes))


def _swap(name: str, other: str) -> Callable[[Evidence], Evidence]:
    """Evidence in which one run is another's."""
    return lambda found: replace(found, **{name: getattr(found, other)})


def _unlike_itself(found: Evidence) -> Evidence:
    seen = found.again.seen
    odd = seen[1].model_copy(update={"text": seen[1].text + " "})
    return replace(found, again=Run(found.again.episode, (seen[0], odd, *seen[2:])))


def _obvious(found: Evidence) -> Evidence:
    moves = found.task.conflict.moves
    return _with(conflict=lesson(*moves, why="It is a trap.", dont="look."))(found)


def _first_reference_move(found: Evidence) -> Evidence:
    told = lesson(found.task.reference[0], why="It is so.", dont="wait.")
    return _with(conflict=told)(found)


def _own_partner(found: Evidence) -> Evidence:
    return _with(partner=found.task.id)(found)


def _shown_label(found: Evidence) -> Evidence:
    return _with(invented=found.task.reference[0].name)(found)


def _gives_answer(found: Evidence) -> Evidence:
    return _with(helpful=lesson(fill("Note", "42-secret"), why="It is.", dont="ask."))(found)


def _lost_neighbour(found: Evidence) -> Evidence:
    far = lesson(click("button", "On no page at all"), why="It is.", dont="ask.")
    return _with(neighbours=(*found.task.neighbours[:2], far))(found)


def _nothing(_world: object) -> None:
    return


BREAKAGES = [
    ("oracle_succeeds", "decoy", _swap("oracle", "follower")),
    ("doing_nothing_fails", "decoy", _with(goal=_nothing)),
    ("rerun_is_identical", "decoy", _unlike_itself),
    ("length_is_fit", "decoy", _with(reference=())),
    ("primitive_is_novel_and_groundable", "decoy", _first_reference_move),
    ("invented_label_is_nowhere", "decoy", _shown_label),
    ("follower_fails_as_declared", "decoy", _swap("follower", "helped")),
    ("follower_fails_as_declared", "decoy", _with(harm=Harm(ledger="no-such-kind"))),
    ("follower_fails_as_declared", "decoy", _with(harm=Harm(state="no_such_table"))),
    ("follower_fails_as_declared", "decoy", _with(harm=Harm())),
    ("helpful_follower_succeeds", "decoy", _swap("helped", "follower")),
    ("helpful_memory_keeps_the_answer", "decoy", _gives_answer),
    ("neighbours_are_confusable", "decoy", _lost_neighbour),
    ("cross_task_memory_resolves_to_nothing", "decoy", _own_partner),
    ("hidden_control_is_disclosed", "uptake", _with(hidden=None)),
    ("alert_precedes_the_harm", "override", _with(alert="No page ever says this")),
    ("alert_precedes_the_harm", "override", _with(alert=None)),
    ("undo_restores_solvability", "decoy", _swap("undone", "follower")),
    ("undo_restores_solvability", "decoy", _swap("not_undone", "undone")),
    ("wording_is_neutral", "decoy", _obvious),
]


@pytest.mark.parametrize(("check", "family", "breakage"), BREAKAGES)
def test_every_check_can_fail(
    check: str,
    family: str,
    breakage: Callable[[Evidence], Evidence],
    evidence: dict[str, Evidence],
) -> None:
    task = next(each for each in TASKS if each.family == family and each.harm.ledger)
    function = next(each for each in audit.CHECKS if each.__name__ == check)
    assert not list(function(evidence[task.id]))
    assert list(function(breakage(evidence[task.id])))


def test_every_check_is_broken_once() -> None:
    assert {check.__name__ for check in audit.CHECKS} == {name for name, _, _ in BREAKAGES}


def test_the_undo_is_tried_in_both_worlds(evidence: dict[str, Evidence]) -> None:
    for found in evidence.values():
        assert found.undone.episode.trial.treatment == Treatment(reversible=True)
        assert not found.not_undone.episode.trial.treatment.reversible
