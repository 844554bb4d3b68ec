"""Fitting a page into the agent's budget without hiding that something is left out.

First plain text far from any control goes. If that is not enough, the page is shown in parts, and
a marker line says how many elements are left out above and below, and how to reach them.
"""

from collections.abc import Sequence
from typing import NamedTuple

MAX_CHARACTERS = 24_000
_NEAR = 2
_ROOM_FOR_MARKERS = 240


class Line(NamedTuple):
    """One line of the tree. `element` is the id shown on it, or empty."""

    text: str
    element: str = ""
    plain: bool = False


class Fitted(NamedTuple):
    """What is shown. `part` counts from 0."""

    lines: tuple[str, ...]
    elements: frozenset[str]
    truncated: bool
    part: int


def fit(lines: Sequence[Line], *, characters: int, part: int = 0) -> Fitted:
    """As many of `lines` as fit; of a page in several parts, the given (or last) one."""
    if _size(lines) <= characters:
        return _shown(lines, truncated=False, part=0)
    room = max(characters - _ROOM_FOR_MARKERS, 1)
    lines = _without_far_text(lines)
    if _size(lines) <= room:
        return _shown(lines, truncated=True, part=0)
    parts = _split(lines, room)
    part = max(0, min(part, len(parts) - 1))
    above = sum(bool(line.element) for each in parts[:part] for line in each)
    below = sum(bool(line.element) for each in parts[part + 1 :] for line in each)
    here = list(parts[part])
    if part > 0:
        here.insert(0, Line(f"(left out above: {above} elements; scroll(0, -400) shows them)"))
    if part < len(parts) - 1:
        here.append(Line(f"(left out below: {below} elements; scroll(0, 400) shows more)"))
    return _shown(here, truncated=True, part=part)


def _shown(lines: Sequence[Line], *, truncated: bool, part: int) -> Fitted:
    elements = frozenset(line.element for line in lines if line.element)
    return Fitted(tuple(line.text for line in lines), elements, truncated, part)


def _size(lines: Sequence[Line]) -> int:
    return sum(len(line.text) + 1 for line in lines)


def _without_far_text(lines: Sequence[Line]) -> list[Line]:
    """Runs of plain text more than a few lines from a control become one line that says so."""
    near: set[int] = set()
    for index, line in enumerate(lines):
        if line.element:
            near.update(range(index - _NEAR, index + _NEAR + 1))
    kept: list[Line] = []
    dropped = 0
    for index, line in enumerate(lines):
        if line.plain and index not in near:
            dropped += 1
            continue
        if dropped:
            kept.append(Line(f"(left out here: {dropped} lines of text)"))
            dropped = 0
        kept.append(line)
    if dropped:
        kept.append(Line(f"(left out here: {dropped} lines of text)"))
    return kept


def _split(lines: Sequence[Line], room: int) -> list[list[Line]]:
    parts: list[list[Line]] = [[]]
    used = 0
    for whole in lines:
        line = whole
        if len(line.text) >= room:
            line = line._replace(text=line.text[: room - 20] + " (cut)")
        if used + len(line.text) + 1 > room and parts[-1]:
            parts.append([])
            used = 0
        parts[-1].append(line)
        used += len(line.text) + 1
    return parts
