"""Key names as agents write them, in the spelling that the browser's keyboard knows."""

NAMED = (
    *("Enter", "Tab", "Escape", "Backspace", "Delete", "Insert", "Home", "End", "PageUp"),
    *("PageDown", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"),
    *(f"F{number}" for number in range(1, 13)),
)
_MODIFIERS = ("Control", "Shift", "Alt", "Meta")
_OTHER_NAMES = {
    "return": "Enter",
    "esc": "Escape",
    "del": "Delete",
    "ins": "Insert",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "spacebar": "Space",
    " ": "Space",
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
}
_SPELLING = {name.lower(): name for name in (*NAMED, *_MODIFIERS)} | _OTHER_NAMES


class UnknownKeyError(ValueError):
    """No key has this name. The message is written for the agent."""


def key_name(text: str) -> str:
    """The browser's name for a key or combination: "ctrl+a" gives "Control+a".

    Raises `UnknownKeyError`.
    """
    *before, last = _split(text)
    modifiers = [_spelled(part) for part in before]
    key = _spelled(last)
    if any(each not in _MODIFIERS for each in modifiers) or key in _MODIFIERS:
        raise UnknownKeyError(f"{text[:40]!r} is no key combination; write it like Control+A")
    return "+".join((*modifiers, key))


def _split(text: str) -> list[str]:
    if text.endswith("+"):  # the plus key itself
        return [*[part for part in text[:-1].split("+") if part], "+"]
    return text.split("+")


def _spelled(part: str) -> str:
    if len(part) == 1 and part != " " and part.isascii() and part.isprintable():
        return part
    found = _SPELLING.get(part.strip(" ").lower() or part[:1])
    if found is None:
        raise UnknownKeyError(
            f"there is no key {part[:40]!r}; keys are single characters, {', '.join(NAMED)}, and "
            f"combinations with {', '.join(_MODIFIERS)}"
        )
    return found
