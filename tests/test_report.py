"""The report, the export and their command, on run stores written by the real store."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest
from synthetic_run import (
    TOLD,
    Design,
    drawn_run,
    make_episode,
    make_step,
    make_trial,
    write_run,
)

from analysis import report as report_module
from analysis.__main__ import main
from analysis.export import TABLES, export
from analysis.report import closing_table, write_report
from analysis.table import render, tabulate
from runner.store import load_tables

CONFLICT = {"condition": "conflict", "schedule": "persistent"}
PLACEBO = {"condition": "placebo", "schedule": "persistent"}
# What ends a line for some reader or other, what ends a string in C, and half a character.
NASTY = 'a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\r\nh\x00i\ud83dj"k\\l\tm\U0001f600n<b>o&amp;'


class Page(HTMLParser):
    """What a browser would fetch, the text by section, and whether all tags are closed."""

    EMPTY = ("meta", "br", "link", "img", "input")

    def __init__(self, text):
        super().__init__()
        self.fetched, self.open, self.sections, self.text, self.tags = [], [], {}, "", set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        values = dict(attrs)
        if tag == "section":
            self.section = values["id"]
            self.sections[self.section] = ""
        targets = [values.get(name) or "" for name in ("src", "href", "xlink:href", "action")]
        self.fetched += [target for target in targets if target and not target.startswith("#")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if "section" in self.open:
            self.sections[self.section] += data


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run with two conditions, some trouble, and no verdicts for the placebo."""
    design = Design(per_family=3, cells=(CONFLICT, {**CONFLICT, "schedule": "early"}), trouble=0.1)
    return drawn_run(tmp_path_factory.mktemp("runs") / "a-run", design)


def nasty_run(directory):
    """One pair whose texts hold every character that breaks careless files."""
    step = make_step(told=TOLD, value=NASTY, alerts=(NASTY,), target_name=NASTY)
    pair = [
        make_episode(make_trial(), True, steps=(make_step(),)),
        make_episode(make_trial(**CONFLICT), False, steps=(step,), detail=NASTY, answer=NASTY),
    ]
    return write_run(directory, [episode.trial for episode in pair], pair)


def test_the_report_is_one_file_that_fetches_nothing(run, tmp_path):
    text = write_report(run, tmp_path / "made" / "r.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert page.fetched == []
    assert "script" not in page.tags
    assert not re.search(r"url\((?!#)|@import", text)
    assert next(iter(page.sections)) == "table"
    assert text.count("<svg") == 2


def test_the_report_is_the_same_bytes_each_time(run, tmp_path):
    first, again = (write_report(run, tmp_path / name) for name in ("1.html", "2.html"))
    assert first.read_bytes() == again.read_bytes()


def test_the_report_goes_into_the_run_directory(tmp_path):
    directory = drawn_run(tmp_path / "r", Design(per_family=1))
    assert write_report(directory) == directory / "report.html"
    assert (directory / "report.html").is_file()


def test_the_report_shows_the_numbers_of_the_table(run):
    results = tabulate(load_tables(run))
    page = Page(report_module.page(load_tables(run), "a-run"))
    for row in results.rows:
        counts = row.coverage
        beside = f"{counts.planned} / {counts.run} / {counts.scored} / {counts.errors}"
        assert beside in page.sections["table"]
        if not row.anchor:
            assert (
                f"[{100 * row.rcr.low:.1f}, {100 * row.rcr.high:.1f}] w" in page.sections["table"]
            )
            assert f"over {row.compliant.n}" in page.sections["table"]
    assert "incomplete" in page.sections["table"]
    assert "infra_error" in page.sections["coverage"]
    assert "another element" in page.sections["coverage"]
    assert "versions.memtrap" in page.sections["configuration"]
    assert page.sections["episodes"].count("refunds-decoy-01") == 3
    for part in ("decoy", "uptake", "grounding", "override", "refunds", "settings"):
        assert part in page.sections["parts"]
    assert "nan" not in page.text.lower().replace("configuration", "")


@pytest.mark.parametrize("simulated", [True, False])
def test_simulated_figures_are_labelled_and_real_ones_are_not(tmp_path, simulated):
    who = {"agent": "simulated"} if simulated else {"agent": "llm", "model": "some/model"}
    directory = drawn_run(tmp_path, Design(agents=(who,), per_family=1), simulated=simulated)
    page = Page(write_report(directory).read_text(encoding="utf-8"))
    assert ("no model was asked" in page.text) is simulated
    assert ("simulated" in page.sections["figures"]) is simulated
    assert closing_table(directory).startswith("SIMULATED") is simulated


def test_one_simulated_episode_labels_the_whole(tmp_path):
    agents = ({"agent": "llm", "model": "m"}, {"agent": "simulated"})
    directory = drawn_run(tmp_path, Design(agents=agents, per_family=1), simulated=False)
    assert closing_table(directory).startswith("SIMULATED")


@pytest.mark.parametrize(
    "planned",
    [
        [],
        [(make_trial(), True)],
        [(make_trial(), None), (make_trial(**CONFLICT), None)],
        [(make_trial(), True), (make_trial(**PLACEBO), True)],
        [(make_trial(), True), (make_trial(**CONFLICT), "unexposed")],
        [(make_trial(), "infra_error"), (make_trial(**CONFLICT), "anchor_missing")],
    ],
    ids=["nothing", "anchor", "begun", "placebo", "unexposed", "broken"],
)
def test_thin_runs_have_a_report(tmp_path, planned):
    episodes = [
        make_episode(trial, True, status=end if isinstance(end, str) else "completed")
        for trial, end in planned
        if end is not None
    ]
    write_run(tmp_path, [trial for trial, _ in planned], episodes)
    page = Page(write_report(tmp_path).read_text(encoding="utf-8"))
    assert "nan" not in page.text.lower()
    assert closing_table(tmp_path)


def test_nasty_texts_stay_text_in_the_report(tmp_path):
    page = Page(write_report(nasty_run(tmp_path)).read_text(encoding="utf-8"))
    assert "n<b>o&amp;" in page.sections["episodes"]


def test_a_long_run_lists_its_first_episodes(run):
    page = Page(report_module.page(load_tables(run), "a-run", most_episodes=5))
    assert "The first 5 of 72 in the plan" in page.sections["episodes"]
    assert page.sections["episodes"].count("refunds-") == 5


def test_export_has_one_line_an_episode_whatever_it_says(tmp_path):
    directory = nasty_run(tmp_path / "run")
    export(directory, tmp_path / "out", ["jsonl", "parquet"])
    for table, rows in (("plan", 2), ("episodes", 2), ("steps", 2), ("receipts", 2)):
        raw = (tmp_path / "out" / f"{table}.jsonl").read_bytes()
        assert raw.count(b"\n") == len(raw.decode().splitlines()) == rows
        assert len(pd.read_parquet(tmp_path / "out" / f"{table}.parquet")) == rows
    lines = (tmp_path / "out" / "episodes.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines][1]
    stored = NASTY.replace("\ud83d", r"\ud83d")
    assert (told["detail"], told["answer"]) == (stored, stored)
    parquet = pd.read_parquet(tmp_path / "out" / "episodes.parquet")
    assert list(parquet["detail"]) == ["", stored]
    step = json.loads((tmp_path / "out" / "steps.jsonl").read_text().splitlines()[1])
    assert (step["value"], step["alerts"]) == (stored, [stored])


def test_export_has_the_promised_columns(run, tmp_path):
    export(run, tmp_path, ["jsonl"])
    first = json.loads((tmp_path / "episodes.jsonl").read_text().splitlines()[0])
    promised = "key task site family agent model condition schedule channel seed status success"
    assert set(promised.split()) <= set(first)


def test_export_of_an_empty_run_is_empty(tmp_path):
    write_run(tmp_path / "run", [], [])
    export(tmp_path / "run", tmp_path / "out", ["jsonl", "parquet"])
    for table in TABLES:
        assert (tmp_path / "out" / f"{table}.jsonl").read_bytes() == b""
        assert pd.read_parquet(tmp_path / "out" / f"{table}.parquet").empty


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_the_table_is_the_same_after_export_and_reload(run, tmp_path, form):
    export(run, tmp_path, [form])
    readers = {
        "jsonl": lambda path: pd.read_json(path, lines=True, dtype=False),
        "parquet": pd.read_parquet,
    }
    tables = load_tables(run)
    again = replace(tables, **{name: readers[form](tmp_path / f"{name}.{form}") for name in TABLES})
    first, second = tabulate(tables), tabulate(again)
    assert first.rows == second.rows
    assert render(first.rows, simulated=True) == render(second.rows, simulated=True)


def test_the_command_prints_the_table_and_writes_the_report(run, tmp_path, capsys):
    out = tmp_path / "r.html"
    assert main(["report", str(run), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert closing_table(run) in printed
    assert str(out) in printed
    assert out.is_file()
    assert main(["export", str(run), "--jsonl", "--parquet", "--out", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 * len(TABLES)


def damaged(directory, how):
    """A directory that is no whole run."""
    if how == "missing":
        return directory / "nowhere"
    drawn_run(directory, Design(per_family=1))
    (directory / "run.sqlite-wal").unlink(missing_ok=True)
    if how == "no manifest":
        (directory / "manifest.json").unlink()
    elif how == "half a manifest":
        (directory / "manifest.json").write_text('{"format": 1')
    elif how == "no database":
        (directory / "run.sqlite").unlink()
    elif how == "empty database":
        (directory / "run.sqlite").write_bytes(b"")
    elif how == "half a database":
        whole = (directory / "run.sqlite").read_bytes()
        (directory / "run.sqlite").write_bytes(whole[: len(whole) // 2])
    return directory


@pytest.mark.parametrize("command", ["report", "export"])
@pytest.mark.parametrize(
    "how",
    [
        "missing",
        "no manifest",
        "half a manifest",
        "no database",
        "empty database",
        "half a database",
    ],
)
def test_what_is_no_run_is_one_clear_line(tmp_path, capsys, command, how):
    directory = damaged(tmp_path / "run", how)
    options = ["--jsonl", "--out", str(tmp_path / "out")] if command == "export" else []
    assert main([command, str(directory), *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert str(directory) in captured.err


def test_export_without_a_format_is_refused(run, tmp_path, capsys):
    assert main(["export", str(run), "--out", str(tmp_path)]) == 2
    assert "--jsonl, --parquet or both" in capsys.readouterr().err


def test_help_loads_nothing_heavy():
    script = (
        "import sys\nfrom analysis.__main__ import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'pandas', 'scipy', 'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
