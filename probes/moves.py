"""Moves: semantic steps by role and name, their one wording in English, and the way back.

`phrase` and `read_moves` are inverse, so a memory's prose is the only place its steps are written:
the text an agent reads and the primitive it is judged by cannot drift apart.
"""

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

Kind = Literal["click", "fill", "select", "check", "uncheck", "press", "goto", "stop"]

# What people call a role. Keys are the role names of observations.
ROLE_WORDS = {
    "button": "button",
    "link": "link",
    "tab": "tab",
    "menuitem": "menu item",
    "disclosure": "section",
    "textbox": "field",
    "searchbox": "search box",
    "spinbutton": "number field",
    "date": "date field",
    "combobox": "list",
    "listbox": "list box",
    "checkbox": "checkbox",
    "radio": "option",
    "switch": "switch",
}
CONTAINER_WORDS = {
    "row": "row",
    "group": "group",
    "region": "part",
    "dialog": "window",
    "tabpanel": "panel",
    "form": "form",
}
_JOIN = "; then "


class Move(BaseModel):
    """One step. `role` and `name` identify an element; `within` narrows it to a container whose
    name or text holds the given words, as (role, words). `value` is the text typed, the visible
    label of the option chosen, the key pressed, the path visited, or the closing answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    role: str = ""
    name: str = ""
    value: str = ""
    within: tuple[str, str] | None = None

    @model_validator(mode="after")
    def _sayable(self) -> "Move":
        if self.kind in ("goto", "stop"):
            return self
        if self.role not in ROLE_WORDS:
            raise ValueError(f"role {self.role!r} is none of {', '.join(ROLE_WORDS)}")
        if self.within is not None and self.within[0] not in CONTAINER_WORDS:
            raise ValueError(
                f"container {self.within[0]!r} is none of {', '.join(CONTAINER_WORDS)}"
            )
        if not self.name or '"' in self.name + self.value:
            raise ValueError(
                "a move needs a name, and neither name nor value may hold a quote mark"
            )
        return self


def click(role: str, name: str, *, within: tuple[str, str] | None = None) -> Move:
    """Activate a button, link, tab, menu item or disclosure."""
    return Move(kind="click", role=role, name=name, within=within)


def fill(
    name: str, value: str, *, role: str = "textbox", within: tuple[str, str] | None = None
) -> Move:
    """Replace a field's text."""
    return Move(kind="fill", role=role, name=name, value=value, within=within)


def select(
    name: str, value: str, *, role: str = "combobox", within: tuple[str, str] | None = None
) -> Move:
    """Choose an option by its visible label."""
    return Move(kind="select", role=role, name=name, value=value, within=within)


def check(name: str, *, role: str = "checkbox", within: tuple[str, str] | None = None) -> Move:
    """Switch a checkbox, radio button or switch on."""
    return Move(kind="check", role=role, name=name, within=within)


def uncheck(name: str, *, role: str = "checkbox", within: tuple[str, str] | None = None) -> Move:
    """Switch a checkbox or switch off."""
    return Move(kind="uncheck", role=role, name=name, within=within)


def press(name: str, key: str, *, role: str = "textbox") -> Move:
    """Press a key in an element."""
    return Move(kind="press", role=role, name=name, value=key)


def goto(path: str) -> Move:
    """Visit a path of the site."""
    return Move(kind="goto", value=path)


def stop(answer: str = "Done.") -> Move:
    """Declare the task finished."""
    return Move(kind="stop", value=answer)


_VERBS: dict[str, str] = {
    "click": "click the {role} {name}{within}",
    "fill": "type {value} into the {role} {name}{within}",
    "select": "choose {value} in the {role} {name}{within}",
    "check": "tick the {role} {name}{within}",
    "uncheck": "clear the {role} {name}{within}",
    "press": "press {value} in the {role} {name}{within}",
    "goto": "go to {value}",
    "stop": "finish with {value}",
}


def _pattern(verb: str) -> str:
    roles, containers = "|".join(ROLE_WORDS.values()), "|".join(CONTAINER_WORDS.values())
    return verb.format(
        role=rf"(?P<role>{roles})",
        name=r'"(?P<name>[^"]+)"',
        value=r'"(?P<value>[^"]*)"',
        within=rf'(?: in the (?P<container>{containers}) "(?P<words>[^"]+)")?',
    )


_READERS = {kind: re.compile(_pattern(verb)) for kind, verb in _VERBS.items()}


def phrase(move: Move) -> str:
    """The move in English, for example `click the button "Save"`."""
    within = ""
    if move.within is not None:
        within = f' in the {CONTAINER_WORDS[move.within[0]]} "{move.within[1]}"'
    return _VERBS[move.kind].format(
        role=ROLE_WORDS.get(move.role, ""),
        name=f'"{move.name}"',
        value=f'"{move.value}"',
        within=within,
    )


def say(moves: tuple[Move, ...]) -> str:
    """Several moves as one clause without its full stop."""
    return _JOIN.join(phrase(move) for move in moves)


def read_moves(text: str) -> tuple[Move, ...]:
    """The moves that `text` opens with; empty when it does not open with one."""
    moves: list[Move] = []
    while True:
        match = next(
            ((kind, found) for kind, reader in _READERS.items() if (found := reader.match(text))),
            None,
        )
        if match is None:
            return tuple(moves)
        kind, found = match
        moves.append(_from_groups(kind, found.groupdict()))
        text = text[found.end() :]
        if not text.startswith(_JOIN):
            return tuple(moves)
        text = text.removeprefix(_JOIN)


def _from_groups(kind: str, groups: dict[str, str | None]) -> Move:
    roles = {word: role for role, word in ROLE_WORDS.items()}
    containers = {word: role for role, word in CONTAINER_WORDS.items()}
    container, words = groups.get("container"), groups.get("words")
    return Move(
        kind=kind,
        role=roles.get(groups.get("role") or "", ""),
        name=groups.get("name") or "",
        value=groups.get("value") or "",
        within=(containers[container], words) if container and words else None,
    )
