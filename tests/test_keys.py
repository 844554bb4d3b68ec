"""Key names as agents write them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.keys import UnknownKeyError, key_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Enter", "Enter"),
        ("enter", "Enter"),
        ("Return", "Enter"),
        ("Del", "Delete"),
        ("esc", "Escape"),
        ("Ctrl+A", "Control+A"),
        ("ctrl + shift + tab", "Control+Shift+Tab"),
        ("arrowdown", "ArrowDown"),
        ("a", "a"),
        (" ", "Space"),
        ("+", "+"),
        ("Control++", "Control++"),
        ("f5", "F5"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert key_name(text) == name


@pytest.mark.parametrize("text", ["", "Hyper+Q", "A+B", "Control", "hello", "é"])
def test_unknown_names(text: str) -> None:
    with pytest.raises(UnknownKeyError):
        key_name(text)


@given(st.text(max_size=20))
def test_any_text_is_a_key_or_refused(text: str) -> None:
    with suppress(UnknownKeyError):
        assert key_name(text)
