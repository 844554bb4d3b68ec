"""Campaigns: their plans, and the directories they run into."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from probes.catalogue import load_tasks
from runner.campaign import Execution, Standing, run
from runner.configuration import RunConfiguration, plan, treatments
from runner.directory import admit, locked, recorded_configuration
from runner.errors import UserError
from runner.store import read_episodes, read_manifest
from tests.campaigns import (
    EVERYTHING,
    TASKS,
    carry_out,
    finished,
)


def test_anchors_come_first_and_each_trial_once() -> None:
    tasks = [load_tasks()[name] for name in TASKS]
    configuration = RunConfiguration(
        tasks=TASKS,
        schedule=("none", "early", "persistent"),
        condition=("none", "conflict", "helpful"),
        channel=("system", "footer"),
        seeds=2,
    )
    trials = plan(configuration, tasks)
    keys = [trial.key for trial in trials]
    assert len(keys) == len(set(keys)) == 3 * 2 * (1 + 2 * 2 * 2)
    assert [trial.treatment.is_anchor for trial in trials[:7]] == [True] * 6 + [False]
    assert not any(trial.treatment.is_anchor for trial in trials[6:])
    assert {trial.anchor_key for trial in trials} == set(keys[:6])
    assert plan(configuration, tasks) == trials


def test_a_retry_without_memory_stays_a_cell_of_its_own() -> None:
    configuration = RunConfiguration(
        tasks=TASKS,
        schedule=("late", "retry-on-fail"),
        condition=("none",),
        channel=("system", "goal"),
    )
    cells = treatments(configuration)
    assert [cell.schedule for cell in cells] == ["none", "retry-on-fail"]


def test_reversible_worlds_have_reversible_anchors() -> None:
    cells = treatments(RunConfiguration(tasks=TASKS, reversible=True))
    assert [(cell.is_anchor, cell.reversible) for cell in cells] == [(True, True), (False, True)]


def test_a_complete_run_is_left_as_it_is(reference: Path) -> None:
    before = finished(reference)
    reports: list[Standing] = []
    standing = carry_out(EVERYTHING, reference, progress=reports.append)
    assert standing.complete
    assert standing.earlier == standing.planned == 15
    assert reports == []
    assert finished(reference) == before


def test_the_manifest_says_what_was_run(reference: Path) -> None:
    manifest = read_manifest(reference)
    assert manifest.simulated
    assert set(manifest.versions) == {"memtrap", "python", "playwright", "browser"}
    assert all(re.search(r"\d+\.\d+", version) for version in manifest.versions.values())
    assert recorded_configuration(reference) == EVERYTHING


def test_another_configuration_is_refused_by_its_first_difference(reference: Path) -> None:
    other = EVERYTHING.model_copy(update={"max_steps": 29, "seeds": 2})
    with pytest.raises(UserError, match=r"another configuration: --seeds was 1, now 2$"):
        carry_out(other, reference)


def test_a_larger_budget_is_no_other_configuration(reference: Path) -> None:
    assert carry_out(EVERYTHING.model_copy(update={"budget": 5.0}), reference).complete


def test_a_run_over_tasks_that_were_edited_since_is_refused(reference: Path) -> None:
    with pytest.raises(UserError, match="its tasks were changed since"):
        admit(reference, EVERYTHING, "another hash")


def test_a_directory_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match=r"not empty: it has thesis\.tex"):
        carry_out(EVERYTHING, tmp_path)


def test_two_processes_do_not_run_into_one_directory(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from runner.directory import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(UserError, match="another process is running into"):
            carry_out(EVERYTHING, tmp_path)
        holder.kill()
    with locked(tmp_path):
        pass


# ---- machinery that dies


def test_pictures_are_kept_on_request(tmp_path: Path) -> None:
    configuration = RunConfiguration(tasks=TASKS[:1], agent="oracle", schedule=("none",))
    execution = Execution(workers=1, screenshots=True)
    coroutine = run(configuration, tmp_path, execution=execution, progress=lambda _standing: None)
    assert asyncio.run(coroutine).complete
    (episode,) = read_episodes(tmp_path)
    assert len(list(tmp_path.glob("screenshots/*/*.png"))) == len(episode.steps)
