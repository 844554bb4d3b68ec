"""The run store: what is written reads back; nothing finished is replaced; any text is storable."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memory.treatments import Treatment
from runner.errors import StopRunError, UserError
from runner.records import MACHINERY_STATUSES, Episode, Receipt, Step, Trial, Usage
from runner.store import (
    Manifest,
    RunWriter,
    load_tables,
    observation_text,
    read_episodes,
    read_manifest,
    write_manifest,
)
from runner.tables import storable

ANCHOR = Treatment()
TREATED = Treatment(condition="conflict", schedule="persistent")
LONE = "half \ud83d of an emoji"
NASTY = f"{LONE}, a NUL \0, a separator \u2028 and a long line: " + "x" * 1_000_000


def trial(task: str = "refunds-decoy-01", treatment: Treatment = ANCHOR, seed: int = 1) -> Trial:
    """A trial of a made-up task."""
    site, family, _ = task.split("-")
    return Trial(
        task=task,
        task_revision=1,
        task_hash="0" * 64,
        site=site,
        family=family,
        treatment=treatment,
        agent="simulated",
        model="",
        seed=seed,
    )


def step(number: int, **changes: object) -> Step:
    """A step without a memory."""
    fields: dict[str, object] = {
        "number": number,
        "source": "agent",
        "url": "/refunds/",
        "observation": "a" * 64,
        "observation_truncated": False,
        "receipt": Receipt(visible=False),
    }
    return Step.model_validate(fields | changes)


def episode(of: Trial, status: str = "completed", **changes: object) -> Episode:
    """An ended episode of `of`."""
    fields: dict[str, object] = {
        "trial": of,
        "key": of.key,
        "status": status,
        "success": None if status in MACHINERY_STATUSES else True,
        "steps": (step(1), step(2)),
    }
    return Episode.model_validate(fields | changes)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A run directory with a manifest and a plan of two trials."""
    manifest = Manifest(
        created_at="2026-11-30T07:00:00+00:00",
        configuration={"agent": "simulated"},
        versions={"memtrap": "0.1.0"},
        catalogue="c" * 64,
        simulated=True,
    )
    write_manifest(tmp_path, manifest)
    with RunWriter(tmp_path) as writer:
        writer.write_plan([trial(), trial(treatment=TREATED)])
    return tmp_path


def test_an_episode_reads_back_as_it_was_written(directory: Path) -> None:
    receipt = Receipt(
        visible=True,
        text="DO: a\nDON'T: b",
        sha256="b" * 64,
        channel="system",
        part="system",
        position=10,
        tokens=4,
        target="t/conflict",
        primitive='click the button "Save"',
        primitive_operation="click",
        primitive_element="7",
    )
    paid = Usage(prompt_tokens=10, completion_tokens=2, cost_usd=0.5, calls=1)
    written = episode(
        trial(treatment=TREATED),
        success=False,
        detail="refunds_refund differs",
        blocked_requests=("https://elsewhere.example/",),
        steps=(
            step(1, receipt=receipt, usage=paid, alerts=("one", "two"), element="7", lost=True),
            step(2, usage=paid),
        ),
    )
    with RunWriter(directory) as writer:
        assert writer.write(written, {"a" * 64: "page"}) == written
        assert writer.episode(written.key) == written
        assert writer.outcomes() == {written.key: ("completed", False)}
        assert writer.spent_usd() == 1.0
    assert list(read_episodes(directory)) == [written]
    assert observation_text(directory, "a" * 64) == "page"
    assert read_manifest(directory).simulated is True


def test_episodes_come_in_the_order_of_the_plan(directory: Path) -> None:
    anchor, treated = episode(trial()), episode(trial(treatment=TREATED))
    with RunWriter(directory) as writer:
        writer.write(treated, {})
        writer.write(anchor, {})
    assert [found.key for found in read_episodes(directory)] == [anchor.key, treated.key]
    assert list(load_tables(directory).episodes["key"]) == [anchor.key, treated.key]


def test_a_finished_episode_is_never_replaced(directory: Path) -> None:
    first, second = episode(trial(), detail="first"), episode(trial(), detail="second")
    with RunWriter(directory) as writer:
        writer.write(first, {})
        assert writer.write(second, {}) == first
        assert writer.write(episode(trial(), "infra_error"), {}) == first
    tables = load_tables(directory)
    assert list(tables.episodes["detail"]) == ["first"]
    assert len(tables.steps) == len(tables.receipts) == 2


@pytest.mark.parametrize("status", MACHINERY_STATUSES)
def test_a_machinery_failure_is_kept_until_a_later_try_replaces_it(
    directory: Path, status: str
) -> None:
    with RunWriter(directory) as writer:
        writer.write(episode(trial(), status), {})
        assert writer.outcomes() == {trial().key: (status, None)}
        writer.write(episode(trial(), steps=(step(1),)), {})
    tables = load_tables(directory)
    assert list(tables.episodes["status"]) == ["completed"]
    assert len(tables.steps) == 1


def test_any_text_is_storable_and_reads_back_in_one_form(directory: Path) -> None:
    """H12: half an emoji, NUL, U+2028 and a line of a megabyte."""
    typed = step(1, reply=NASTY, value=NASTY, alerts=(NASTY,), operation="fill")
    nasty, other = episode(trial(), answer=NASTY, steps=(typed,)), episode(trial(treatment=TREATED))
    with RunWriter(directory) as writer:
        writer.write(other, {})
        stored = writer.write(nasty, {"a" * 64: NASTY})
    expected = NASTY.replace("\ud83d", "\\ud83d")
    assert list(read_episodes(directory)) == [stored, other]
    assert stored.answer == stored.steps[0].reply == stored.steps[0].value == expected
    assert stored.steps[0].alerts == (expected,)
    assert observation_text(directory, "a" * 64) == expected
    assert (stored.status, stored.success) == (nasty.status, nasty.success)
    tables = load_tables(directory)
    assert tables.episodes["answer"][0] == tables.steps["reply"][0] == expected
    expected.encode("utf-8")


def test_storable_keeps_whole_characters_and_is_stable() -> None:
    assert storable("\ud83d\ude00 plain é") == "😀 plain é"
    assert storable("\ude00\ud83d") == "\\ude00\\ud83d"
    assert storable(storable(LONE)) == storable(LONE)


def test_counts_come_from_the_plan(directory: Path) -> None:
    """H13: a trial that only failed, or that is missing, is still in the plan's table."""
    with RunWriter(directory) as writer:
        writer.write(episode(trial(), "infra_error", success=None), {})
    tables = load_tables(directory)
    assert len(tables.plan) == 2
    assert list(tables.plan["key"]) == [trial().key, trial(treatment=TREATED).key]
    assert list(tables.plan["anchor_key"]) == [trial().key] * 2
    assert len(tables.episodes) == 1
    assert not tables.episodes["scored"][0]


def test_frames_have_typed_columns_even_when_empty(directory: Path) -> None:
    for filled in (False, True):
        if filled:
            with RunWriter(directory) as writer:
                writer.write(episode(trial(), "infra_error"), {})
        tables = load_tables(directory)
        assert tables.episodes["scored"].dtype == "bool"
        assert tables.episodes["success"].dtype == "boolean"
        assert tables.episodes["cost_usd"].dtype == "Float64"
        assert tables.steps["lost"].dtype == "bool"
        assert tables.receipts["position"].dtype == "Int64"


@pytest.mark.parametrize(
    ("usages", "total"),
    [
        ([], 0),
        ([Usage()], 0),
        ([Usage(calls=1, cost_usd=0.25), Usage(calls=1, cost_usd=0.5)], 0.75),
        ([Usage(calls=1, cost_usd=0.25), Usage(calls=1)], None),
        ([Usage(cached=True)], None),
    ],
)
def test_an_unknown_cost_makes_the_total_unknown(
    directory: Path, usages: list[Usage], total: float | None
) -> None:
    steps = tuple(step(number, usage=usage) for number, usage in enumerate(usages, start=1))
    with RunWriter(directory) as writer:
        writer.write(episode(trial(), steps=steps), {})
    (cost,) = load_tables(directory).episodes["cost_usd"].astype(object)
    assert cost == total if total is not None else str(cost) == "<NA>"


def test_several_threads_may_write(directory: Path) -> None:
    more = [trial(seed=seed) for seed in range(1, 41)]
    run = directory / "threads"
    run.mkdir()
    with RunWriter(run) as writer:
        writer.write_plan(more)
        threads = [
            threading.Thread(target=writer.write, args=(episode(one), {"a" * 64: "page"}))
            for one in more
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(writer.outcomes()) == 40
    assert [found.key for found in read_episodes(run)] == [one.key for one in more]


def test_another_plan_and_an_unplanned_trial_are_refused(directory: Path) -> None:
    with RunWriter(directory) as writer:
        writer.write_plan([trial(), trial(treatment=TREATED)])
        with pytest.raises(UserError, match="another version"):
            writer.write_plan([trial()])
        with pytest.raises(Exception, match="FOREIGN KEY"):
            writer.write(episode(trial(seed=9)), {})
        assert writer.outcomes() == {}


def test_a_directory_that_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"not a run directory: it holds no manifest\.json"):
        read_manifest(tmp_path)
    with pytest.raises(UserError, match=r"holds no run\.sqlite"):
        list(read_episodes(tmp_path))
    (tmp_path / "manifest.json").write_text('{"format": 2}')
    with pytest.raises(UserError, match=r"manifest\.json cannot be read: format"):
        read_manifest(tmp_path)


def test_a_full_disk_stops_the_run_and_keeps_what_it_has(directory: Path) -> None:
    with RunWriter(directory) as writer:
        writer.write(episode(trial()), {})
        pages = writer._database.execute("PRAGMA page_count").fetchone()[0]
        writer._database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StopRunError, match="cannot be written down: database or disk is full"):
            writer.write(episode(trial(treatment=TREATED)), {"a" * 64: os.urandom(9999).hex()})
    assert [found.key for found in read_episodes(directory)] == [trial().key]


def test_a_damaged_file_is_one_clear_line(directory: Path) -> None:
    (directory / "run.sqlite").write_bytes(b"no database at all, but long enough to be read" * 99)
    with pytest.raises(UserError, match=r"run\.sqlite cannot be used: file is not a database"):
        RunWriter(directory)


def test_an_unknown_observation_is_a_key_error(directory: Path) -> None:
    with pytest.raises(KeyError):
        observation_text(directory, "f" * 64)


def test_reading_needs_neither_a_browser_nor_a_model_client() -> None:
    heavy = "'playwright', 'litellm', 'pandas', 'flask', 'webapps', 'probes'"
    code = f"import sys, runner.store; print([m for m in ({heavy}) if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
