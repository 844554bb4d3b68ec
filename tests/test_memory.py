"""What an agent is told, when, and where: memories, schedules, channels, conditions, treatments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.channels import PART_OF_CHANNEL, Prompt, channels
from memory.conditions import MemorySet, conditions
from memory.entry import Memory, read, render
from memory.registry import UnknownNameError
from memory.schedules import schedules
from memory.treatments import NOTHING, Treatment, deliver

PROMPT = Prompt(system="S", goal="G", history="H", tool_result="", observation="O")


def memory(name: str, label: str = "Refund now") -> Memory:
    return Memory(
        id=name,
        do=f'click the button "{label}". The router picks the destination by itself.',
        dont=f'set the destination by hand; "{label}" does it.',
    )


MEMORIES = MemorySet(
    helpful=memory("t/helpful", "Choose destination"),
    conflict=memory("t/conflict"),
    cross_task=memory("other/helpful", "Add member"),
    neighbours=(memory("n1", "Capture"), memory("n2", "Exchange"), memory("n3", "Fees")),
    cited={"helpful": "Choose destination", "conflict": "Refund now"},
    invented="Settle instantly",
)

prose = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=80)


@given(st.lists(st.tuples(prose, prose), min_size=1, max_size=5))
def test_rendered_memories_are_read_back(pairs: list[tuple[str, str]]) -> None:
    entries = [Memory(id="m", do=do, dont=dont) for do, dont in pairs]
    assert list(read(f"before\n{render(entries)}\nafter")) == pairs


@pytest.mark.parametrize("text", ["two\nlines", " padded", "", "form\x0cfeed", "line\u2028break"])
def test_a_memory_is_one_plain_line(text: str) -> None:
    with pytest.raises(ValidationError):
        Memory(id="m", do=text, dont="x")


@pytest.mark.parametrize(
    ("name", "shown", "replayed"),
    [
        ("none", [], 0),
        ("early", [1], 0),
        ("persistent", [1, 2, 3, 4, 5], 0),
        ("late", [3, 4, 5], 2),
        ("retry-on-fail", [], 0),
    ],
)
def test_schedules_in_the_first_attempt(name: str, shown: list[int], replayed: int) -> None:
    schedule = schedules[name]
    assert [step for step in range(1, 6) if schedule.visible(step, 1)] == shown
    assert schedule.replayed == replayed
    assert schedule.first_exposure(1) == (shown[0] if shown else None)


def test_retry_shows_the_memory_after_a_failure() -> None:
    schedule = schedules["retry-on-fail"]
    assert schedule.attempts == 2
    assert all(schedule.visible(step, 2) for step in range(1, 6))
    assert schedule.first_exposure(2) == 1


@pytest.mark.parametrize("name", list(channels))
def test_a_channel_adds_the_text_to_its_part_alone(name: str) -> None:
    told = channels[name](PROMPT, "TEXT")
    part = PART_OF_CHANNEL[name]
    assert getattr(told, part).endswith("TEXT")
    assert told.model_copy(update={part: getattr(PROMPT, part)}) == PROMPT


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="choose from: none, early, persistent, late"):
        schedules["sometimes"]
    with pytest.raises(ValidationError, match="unknown condition 'rude'"):
        Treatment(condition="rude")


@pytest.mark.parametrize("name", [name for name in conditions if name != "none"])
def test_every_condition_delivers_the_one_form(name: str) -> None:
    delivery = deliver(MEMORIES, Treatment(condition=name, schedule="persistent"))
    assert delivery.target is not None
    assert read(delivery.text) == ((delivery.target.do, delivery.target.dont),)


def test_the_placebo_has_the_conflicts_length_and_none_of_its_content() -> None:
    placebo, conflict = conditions["placebo"](MEMORIES), MEMORIES.conflict
    assert placebo is not None
    assert len(placebo.do.split()) == len(conflict.do.split())
    assert len(placebo.dont.split()) == len(conflict.dont.split())
    assert "Refund now" not in placebo.do + placebo.dont


def test_an_anchor_is_told_nothing() -> None:
    assert deliver(MEMORIES, Treatment(condition="conflict")) == NOTHING
    assert deliver(MEMORIES, Treatment(schedule="persistent")) == NOTHING


def test_the_ungroundable_variant_cites_only_the_invented_label() -> None:
    treatment = Treatment(condition="conflict", schedule="persistent", grounding="absent")
    text = deliver(MEMORIES, treatment).text
    assert "Refund now" not in text
    assert text.count('"Settle instantly"') == 2


def test_several_entries_hold_the_target_once_in_a_fixed_order() -> None:
    treatment = Treatment(condition="conflict", schedule="persistent", entry="multi")
    delivery = deliver(MEMORIES, treatment)
    assert sorted(entry.id for entry in delivery.entries) == ["n1", "n2", "n3", "t/conflict"]
    assert delivery.target == MEMORIES.conflict
    assert deliver(MEMORIES, treatment) == delivery


def test_keys_tell_cells_apart() -> None:
    cells = [
        Treatment(condition="conflict", schedule=schedule, channel=channel, entry=entry)
        for schedule in ("early", "persistent")
        for channel in channels
        for entry in ("single", "multi")
    ]
    assert len({cell.key for cell in cells}) == len(cells)
    assert len({cell.anchor().key for cell in cells}) == 1
    assert Treatment(reversible=True, schedule="late").anchor().key == "anchor/reversible"
