"""The command line: quick help, one clear line for bad input, plans that cost nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory.channels import channels
from memory.conditions import conditions
from memory.schedules import schedules
from probes.catalogue import SUBSETS, load_tasks
from runner.agents.base import load_agents
from runner.cli import EXIT_BAD_INPUT, EXIT_DONE, main
from runner.configuration import RunConfiguration, option
from runner.options import build_configuration, read_options

HEAVY = ["flask", "litellm", "matplotlib", "numpy", "pandas", "playwright", "rich", "scipy"]
TASK, OTHER_TASK = list(load_tasks())[:2]


def configured(*arguments: str) -> RunConfiguration:
    """The configuration of a command line."""
    return build_configuration(read_options(arguments))


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says of bad input: one line, and nothing on standard output."""
    assert main(arguments) == EXIT_BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("python -m runner: ")
    return said.err


def test_help_is_shown() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "runner", "--help"], capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith("usage: python -m runner")


def test_reading_the_options_imports_nothing_heavy() -> None:
    code = (
        "import sys; from runner.options import read_options; import runner.cli\n"
        f"try: read_options(['--help'])\nexcept SystemExit: print([m for m in {HEAVY!r}"
        " if m in sys.modules], file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr.strip() == "[]"


def test_help_names_every_option_and_every_registered_choice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        read_options(["--help"])
    text = capsys.readouterr().out
    fields = [name for name in RunConfiguration.model_fields if name != "preset"]
    for name in (*map(option, fields), *schedules, *conditions, *channels, *load_agents()):
        assert name in text, name
    for subset in SUBSETS:
        assert subset in text


def test_without_options_the_defaults_of_the_configuration_hold() -> None:
    assert configured() == RunConfiguration(tasks=tuple(load_tasks()))


def test_several_values_may_follow_an_option_or_come_with_it_repeated() -> None:
    once = configured("--schedule", "early", "late", "--tasks", TASK, OTHER_TASK)
    twice = configured("--schedule", "early", "--schedule", "late", "--tasks", TASK, OTHER_TASK)
    assert once == twice
    assert once.schedule == ("early", "late")


def test_an_agent_may_come_with_a_preset_and_a_model_implies_its_agent() -> None:
    weak = configured("--agent", "simulated:weak")
    assert (weak.agent, weak.preset) == ("simulated", "weak")
    asked = configured("--model", "openai/some-model", "--api-base", "http://127.0.0.1:1/v1")
    assert (asked.agent, asked.model) == ("llm", "openai/some-model")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--schedule", "sometimes"], "--schedule: invalid choice: 'sometimes'"),
        (["--condition", "evil"], "--condition: invalid choice: 'evil'"),
        (["--schedule"], "--schedule: expected at least one argument"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["--sched", "late"], "unrecognized arguments: --sched late"),
        (["--tasks", "no-such-*"], "no task matches 'no-such-*'"),
        (["--agent", "robot"], "unknown agent 'robot'; choose from: "),
        (["--agent", "simulated:bogus", "--dry-run"], "simulated agent 'bogus'"),
        (["--agent", "simulated:bogus"], "simulated agent 'bogus'"),
        (["--agent", "oracle", "--model", "x"], "needs a --model, and only it can use one"),
        (["--agent", "llm"], "needs a --model"),
        (["--seeds", "0"], "--seeds: Input should be greater than or equal to 1"),
        (["--seeds", "two"], "--seeds: invalid int value: 'two'"),
        (["--max-steps", "-1"], "--max-steps: Input should be greater than or equal to 1"),
        (["--workers", "0"], "--workers: '0' is not a number from 1 up"),
        (["--budget", "nan"], "--budget: Input should be a finite number"),
        (["--temperature", "-1"], "--temperature: Input should be greater than or equal to 0"),
        (["--model", "bad\nname"], "the model's name is not plain text"),
        (["--memories", "absent.jsonl"], "absent.jsonl: No such file"),
        (["--resume", "absent"], "absent is not a run directory: it holds no manifest.json"),
        (["--resume", "x", "--seeds", "2"], "leave out --seeds"),
        (["--resume", "x", "--out", "y"], "leave out --out"),
    ],
)
def test_bad_input_is_one_clear_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert expected in complaint(capsys, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_the_exit_code_reaches_the_shell() -> None:
    tried = subprocess.run(
        [sys.executable, "-m", "runner", "--seeds", "0"], capture_output=True, check=False
    )
    assert tried.returncode == EXIT_BAD_INPUT


def test_a_dry_run_prints_the_plan_and_its_size_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chosen = ("--tasks", TASK, OTHER_TASK, "--seeds", "3", "--schedule", "early", "late")
    assert main([*chosen, "--dry-run"]) == EXIT_DONE
    lines = capsys.readouterr().out.splitlines()
    assert "18 episodes: 2 tasks, seeds 1 to 3" in lines[-1]
    assert len([line for line in lines if "|" in line]) == 18
    assert list(tmp_path.iterdir()) == []


def test_own_memories_must_cover_every_task(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.jsonl"
    line = {"task": TASK, "condition": "conflict", "do": "Click it.", "dont": "wait."}
    mine.write_text(json.dumps(line))
    given = ("--memories", str(mine), "--tasks", TASK)
    assert configured(*given).memories[0].do == "Click it."
    assert f"no conflict memory of yours is for task {OTHER_TASK}" in complaint(
        capsys, *given, OTHER_TASK
    )
    assert "the memories are for conflict, the run is for helpful" in complaint(
        capsys, *given, "--condition", "helpful"
    )
    assert "leave out --grounding absent" in complaint(capsys, *given, "--grounding", "absent")


def test_a_model_name_that_is_not_text_is_refused() -> None:
    """Bytes on the command line that are no UTF-8 arrive as lone surrogates."""
    tried = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"runner", b"--model", b"bad\xff", b"--dry-run"],
        capture_output=True,
        check=False,
    )
    assert tried.returncode == EXIT_BAD_INPUT
    assert b"the model's name is not plain text" in tried.stderr
