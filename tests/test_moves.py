"""Moves and their wording: what is said can be read back exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.entry import Memory
from probes.moves import (
    CONTAINER_WORDS,
    ROLE_WORDS,
    Move,
    check,
    click,
    fill,
    goto,
    phrase,
    press,
    read_moves,
    say,
    select,
    stop,
    uncheck,
)
from probes.task import first_primitive, lesson

words = st.text(
    st.characters(exclude_characters='"', exclude_categories=["C", "Zl", "Zp"]), min_size=1
).map(lambda text: f"x{text}")
containers = st.none() | st.tuples(st.sampled_from(list(CONTAINER_WORDS)), words)
moves = st.builds(
    Move,
    kind=st.sampled_from(["click", "check", "uncheck"]),
    role=st.sampled_from(list(ROLE_WORDS)),
    name=words,
    within=containers,
) | st.builds(
    Move,
    kind=st.sampled_from(["fill", "select", "press"]),
    role=st.sampled_from(list(ROLE_WORDS)),
    name=words,
    value=words,
    within=containers,
)


@given(st.lists(moves, min_size=1, max_size=4), words)
def test_every_move_is_read_back_from_its_wording(path: list[Move], why: str) -> None:
    assert read_moves(f"{say(tuple(path))}. {why}") == tuple(path)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(read_moves(text), tuple)


def test_wording() -> None:
    assert phrase(click("button", "Save", within=("row", "R-1"))) == (
        'click the button "Save" in the row "R-1"'
    )
    assert phrase(fill("Note", "K-77")) == 'type "K-77" into the field "Note"'
    assert phrase(select("Refund to", "Store credit")) == (
        'choose "Store credit" in the list "Refund to"'
    )
    assert phrase(check("Gift")) == 'tick the checkbox "Gift"'
    assert phrase(uncheck("Partners", role="switch")) == 'clear the switch "Partners"'
    assert phrase(press("Search", "Enter", role="searchbox")) == (
        'press "Enter" in the search box "Search"'
    )
    assert read_moves(phrase(goto("/a"))) == (goto("/a"),)
    assert read_moves(phrase(stop("ok"))) == (stop("ok"),)


@pytest.mark.parametrize(
    "given_",
    [
        {"kind": "click", "role": "wombat", "name": "Save"},
        {"kind": "click", "role": "button", "name": ""},
        {"kind": "fill", "role": "textbox", "name": "Note", "value": 'say "hi"'},
        {"kind": "click", "role": "button", "name": "Save", "within": ("planet", "x")},
    ],
)
def test_what_cannot_be_said_is_refused(given_: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Move.model_validate(given_)


def test_the_judged_primitive_is_the_one_in_the_text() -> None:
    told = lesson(
        click("button", "Release run"),
        click("button", "Release anyway"),
        why="It is a stale-cache notice.",
        dont="re-approve; it reopens the period.",
    ).memory("m")
    assert told.do.endswith('then click the button "Release anyway". It is a stale-cache notice.')
    assert first_primitive(told) == click("button", "Release run")
    assert first_primitive(Memory(id="m", do="Think first.", dont="rush.")) is None
