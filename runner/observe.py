"""From a page's tree to the observation an agent reads.

Ids count from 1 anew in each observation, in reading order; so equal states give equal text. What
an id stands for is kept by the session, outside everything the agent sees.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from runner.budget import Line, fit
from runner.observation import Element, Observation
from runner.tree import FIELDS, Handle, Node, join_words, tidy

_INDENT = "  "
_CELLS = ("cell", "columnheader", "rowheader")


@dataclass(frozen=True)
class Page:
    """What there is to show of the browser. `part` is asked for when the page is too long."""

    url: str
    title: str
    tabs: tuple[str, ...]
    active_tab: int
    nodes: Sequence[Node] = ()
    focused: Node | None = None
    error: str = ""
    dialog: str = ""
    part: int = 0


@dataclass(frozen=True)
class Look:
    """An observation, what its ids stand for, and which part of the page it shows."""

    observation: Observation
    handles: dict[str, Handle]
    part: int = 0


def quoted(text: str) -> str:
    """Text between quote marks, with those inside escaped."""
    return json.dumps(text, ensure_ascii=False)


def look(page: Page, *, max_characters: int) -> Look:
    """The observation of `page`, of at most about `max_characters` (its first lines aside)."""
    if page.dialog:
        text = "\n".join([*_head(page, ""), "", *_dialog_lines(page.dialog)])
        return Look(
            Observation(text=text, url=page.url, title=page.title, dialog=page.dialog), handles={}
        )
    writer = _Writer(said=join_words(page.nodes))
    writer.write_all(page.nodes, parent=None, depth=0)
    fitted = fit(writer.lines, characters=max_characters, part=page.part)
    focus = _focus(page.focused, writer.ids.get(id(page.focused)), fitted.elements)
    text = "\n".join([*_head(page, focus), "", *fitted.lines])
    observation = Observation(
        text=text,
        url=page.url,
        title=page.title,
        elements=tuple(
            element if element.id in fitted.elements else element.model_copy(update={"id": ""})
            for element in writer.elements
        )
        if fitted.truncated
        else tuple(writer.elements),
        truncated=fitted.truncated,
        alerts=tuple(element.text for element in writer.elements if element.role == "alert"),
    )
    handles = {each: writer.handles[each] for each in fitted.elements}
    return Look(observation, handles, fitted.part)


def _head(page: Page, focus: str) -> list[str]:
    tabs = [
        f"{index} {quoted(title)}{' (active)' if index == page.active_tab else ''}"
        for index, title in enumerate(page.tabs)
    ]
    lines = [f"URL: {page.url}", f"Title: {page.title}", f"Tabs: {', '.join(tabs)}"]
    if focus:
        lines.append(f"Focused: {focus}")
    if page.error:
        lines.append(f"Error of the last action: {page.error}")
    return lines


def _focus(node: Node | None, element_id: str | None, shown: frozenset[str]) -> str:
    if node is None:
        return ""
    return f"{f'[{element_id}] ' if element_id in shown else ''}{node.role} {quoted(node.name)}"


def _dialog_lines(dialog: str) -> list[str]:
    return [
        f"dialog: {dialog}",
        "The page waits for an answer: dialog_accept() or dialog_dismiss(). "
        "A prompt is answered by dialog_accept('text').",
    ]


@dataclass
class _Writer:
    """Writes nodes as lines and as elements at the same time, so that both agree."""

    said: str
    """All text of the page: a description that is part of it is not repeated."""
    lines: list[Line] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    handles: dict[str, Handle] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    """The id of each control, by the identity of its node."""

    def write_all(self, nodes: Sequence[Node], *, parent: int | None, depth: int) -> None:
        for node in nodes:
            self.write(node, parent=parent, depth=depth)

    def write(self, node: Node, *, parent: int | None, depth: int) -> None:
        if node.role == "text":
            self._line(f"text: {tidy(node.name)}", depth, plain=True)
            return
        element_id = self._issue(node)
        index = self._element(node, element_id, parent, depth)
        children = node.children
        if node.role == "row" and not element_id:
            children = self._row(node, depth)
        elif node.role in ("listitem", "alert", "status"):
            children = self._text_block(node, depth)
        elif node.role in ("list", "cell") and not element_id:
            self.write_all(children, parent=index, depth=depth)
            return
        else:
            description = "" if node.description in self.said else node.description
            self._line(_describe(node, element_id, description), depth, element=element_id)
        self.write_all(children, parent=index, depth=depth + 1)

    def _issue(self, node: Node) -> str:
        if node.handle is None:
            return ""
        element_id = str(len(self.handles) + 1)
        self.handles[element_id] = node.handle
        self.ids[id(node)] = element_id
        return element_id

    def _element(self, node: Node, element_id: str, parent: int | None, depth: int) -> int:
        self.elements.append(
            Element(
                id=element_id,
                role=node.role,
                name=node.name,
                value=node.value,
                states=node.states,
                depth=depth,
                parent=parent,
                text=node.words(),
            )
        )
        return len(self.elements) - 1

    def _line(self, text: str, depth: int, *, element: str = "", plain: bool = False) -> None:
        self.lines.append(Line(_INDENT * depth + text, element, plain))

    def _row(self, node: Node, depth: int) -> list[Node]:
        """A table row in one line; what can be acted on in it follows in lines of its own."""
        cells = [child for child in node.children if child.role in _CELLS]
        kind = "columns" if all(cell.role == "columnheader" for cell in cells) else "row"
        texts = [join_words(part for part in cell.children if _is_said_in(part)) for cell in cells]
        states = f" ({', '.join(node.states)})" if node.states else ""
        self._line(f"{kind}{states}: {' | '.join(texts).rstrip(' |')}", depth, plain=False)
        rest = [child for child in node.children if child.role not in _CELLS]
        return [part for cell in cells for part in cell.children if part.role != "text"] + rest

    def _text_block(self, node: Node, depth: int) -> list[Node]:
        label = "-" if node.role == "listitem" else f"{node.role}:"
        texts = [child for child in node.children if child.role == "text"]
        if texts or node.role != "listitem":
            self._line(f"{label} {join_words(texts)}".rstrip(), depth, plain=not node.handle)
        return [child for child in node.children if child.role != "text"]


def _is_said_in(part: Node) -> bool:
    return part.role in ("text", "link")


def _describe(node: Node, element_id: str, description: str) -> str:
    parts = [f"[{element_id}]"] if element_id else []
    parts.append(node.role)
    if node.name or element_id:
        parts.append(quoted(node.name))
    if node.role in FIELDS:
        parts.append(f"= {quoted(node.value)}")
    if node.options:
        parts.append(f"of {', '.join(quoted(option) for option in node.options)}")
    parts += node.states
    if description:
        parts.append(f"({description})")
    return " ".join(parts)
