"""A user's own memories: read from JSONL, refused by line, put in the right place."""

import json
from pathlib import Path

import pytest

from memory.conditions import MemorySet, conditions
from memory.entry import Memory
from memory.own import OwnMemoriesError, OwnMemory, override, own_memory, read_memories

LINE = {"task": "refunds-*", "condition": "conflict", "do": "Click it.", "dont": "wait."}


def write(path: Path, *lines: object) -> Path:
    """A file with a JSON object a line; text is written as it is."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file = path / "mine.jsonl"
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


def memories() -> MemorySet:
    """The memories of a made-up task."""

    def lesson(name: str) -> Memory:
        return Memory(id=name, do=f'click the button "{name}".', dont="wait.")

    return MemorySet(
        helpful=lesson("helpful"),
        conflict=lesson("conflict"),
        cross_task=lesson("cross"),
        neighbours=(lesson("a"), lesson("b"), lesson("c")),
        cited={"helpful": "helpful", "conflict": "conflict"},
        invented="nowhere",
    )


def test_memories_are_read_in_order_and_empty_lines_do_not_count(tmp_path: Path) -> None:
    named = {**LINE, "task": "refunds-decoy-01", "id": "from-my-store"}
    file = write(tmp_path, LINE, "", named)
    assert [own.task for own in read_memories(file)] == ["refunds-*", "refunds-decoy-01"]
    assert [own.memory().id for own in read_memories(file)] == [
        "own/refunds-*/conflict",
        "from-my-store",
    ]


def test_a_byte_order_mark_and_unusual_separators_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    text = json.dumps({**LINE, "task": "a\u2028b"}, ensure_ascii=False)
    file.write_bytes(b"\xef\xbb\xbf" + text.encode() + b"\r\n")
    assert [own.task for own in read_memories(file)] == ["a\u2028b"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: Input should be a valid dictionary"),
        ({**LINE, "task": ""}, "line 2: task: "),
        ({**LINE, "condition": "placebo"}, "line 2: condition: 'placebo' is none of helpful, "),
        ({**LINE, "do": "two\nlines"}, "line 2: do: must be one line"),
        ({**LINE, "do": " space"}, "line 2: do: must be one line without spaces at its ends"),
        ({**LINE, "do": "half \ud83d"}, "line 2: do: holds half of a surrogate pair"),
        ({**LINE, "dont": 3}, "line 2: dont: Input should be a valid string"),
        ({**LINE, "extra": 1}, "line 2: extra: "),
        ({"task": "x"}, "line 2: condition: Field required"),
        (LINE, "line 2: task 'refunds-\\*' has a memory for conflict on line 1 already"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: object, complaint: str) -> None:
    file = write(tmp_path, LINE, line)
    with pytest.raises(OwnMemoriesError, match=complaint) as caught:
        read_memories(file)
    assert str(caught.value).startswith(str(file))
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(OwnMemoriesError, match=r"absent\.jsonl: No such file"):
        read_memories(tmp_path / "absent.jsonl")
    with pytest.raises(OwnMemoriesError, match="holds no memories"):
        read_memories(write(tmp_path, ""))
    (tmp_path / "latin.jsonl").write_bytes(b'{"task": "\xe9"}')
    with pytest.raises(OwnMemoriesError, match="not UTF-8 at byte 10"):
        read_memories(tmp_path / "latin.jsonl")


def test_a_named_task_comes_before_any_glob_and_globs_come_in_order() -> None:
    first, second = (
        OwnMemory.model_validate({**LINE, "task": task}) for task in ("*-decoy-*", "refunds-*")
    )
    named = OwnMemory.model_validate({**LINE, "task": "refunds-decoy-01"})
    given = (first, second, named)
    assert own_memory(given, "refunds-decoy-01", "conflict") == named
    assert own_memory(given, "refunds-decoy-02", "conflict") == first
    assert own_memory(given, "refunds-uptake-02", "conflict") == second
    assert own_memory(given, "settings-uptake-02", "conflict") is None
    assert own_memory(given, "refunds-decoy-01", "helpful") is None


def test_own_memories_take_the_place_of_the_condition_they_are_for() -> None:
    mine = OwnMemory.model_validate({**LINE, "condition": "cross-task"})
    changed = override(memories(), [mine], "refunds-decoy-01")
    assert conditions["cross-task"](changed) == mine.memory()
    assert conditions["conflict"](changed) == memories().conflict
    assert override(memories(), [mine], "settings-decoy-01") == memories()


def test_a_replaced_memory_no_longer_claims_to_cite_the_old_label() -> None:
    changed = override(memories(), [OwnMemory.model_validate(LINE)], "refunds-decoy-01")
    assert changed.cited == {"helpful": "helpful"}
