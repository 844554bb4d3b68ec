"""The browser's own accessibility tree, cleaned into the nodes an agent is shown.

Input is what Chromium answers to `Accessibility.getFullAXTree`, frame by frame. What a screen
reader would not reach is not in it. Wrappers without a meaning of their own are dissolved into
their parents, Chromium's private role names become those of `probes.moves`, and texts beside the
control they label are said once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

RawNode = Mapping[str, Any]


class Handle(NamedTuple):
    """The DOM node behind an id: good in the tab and the document it was seen in, only there."""

    backend_node_id: int
    frame_id: str


@dataclass(slots=True)
class Node:
    """A node as shown. Role `text` is plain text; `separate` tells text that starts a new block."""

    role: str
    name: str = ""
    value: str = ""
    description: str = ""
    states: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    children: list["Node"] = field(default_factory=list)
    handle: Handle | None = None
    separate: bool = False

    said: str | None = None
    """What `words` found, kept because every node around this one asks for it."""

    def words(self) -> str:
        """The node's own name followed by all text inside it, in reading order."""
        if self.said is None:
            inner = join_words(self.children)
            if not self.name or inner.startswith(self.name):
                self.said = inner
            else:
                self.said = f"{self.name} {inner}".rstrip()
        return self.said


ROLE_NAMES = {
    "ColorWell": "textbox",
    "ComboBoxMenuButton": "combobox",
    "ComboBoxSelect": "combobox",
    "Date": "date",
    "DateTime": "date",
    "DisclosureTriangle": "disclosure",
    "DisclosureTriangleGrouped": "disclosure",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "InputTime": "textbox",
    "comboBoxMenuButton": "combobox",
    "gridcell": "cell",
    "image": "image",
    "img": "image",
    "listBoxOption": "option",
    "menuItemCheckBox": "menuitem",
    "menuItemRadio": "menuitem",
    "menuitemcheckbox": "menuitem",
    "menuitemradio": "menuitem",
    "textField": "textbox",
}
# Their name says what is in them, so the text inside is not repeated.
NAMED_BY_CONTENT = frozenset(
    (
        *("button", "link", "tab", "menuitem", "disclosure", "checkbox", "radio", "switch"),
        *("option", "treeitem", "heading"),
    )
)
# Their value says what is in them.
FIELDS = frozenset(
    ("textbox", "searchbox", "spinbutton", "date", "combobox", "slider", "progressbar", "meter")
)
INTERACTIVE = (NAMED_BY_CONTENT - {"heading"}) | (FIELDS - {"progressbar", "meter"}) | {"listbox"}
_CONTAINERS = frozenset(
    (
        *("banner", "navigation", "main", "contentinfo", "complementary", "search", "form"),
        *("region", "group", "dialog", "alertdialog", "alert", "status", "log", "table", "grid"),
        *("treegrid", "row", "cell", "columnheader", "rowheader", "list", "listitem", "tablist"),
        *("tabpanel", "tree", "menu", "menubar", "toolbar", "radiogroup", "article", "figure"),
        *("image", "iframe"),
    )
)
# Taking the focus does not make these anything to act on.
_PLACES = (_CONTAINERS - {"row", "cell", "listitem", "image"}) | {"heading", "RootWebArea"}
# Without a name these say nothing.
_NOTHING_UNNAMED = frozenset(("group", "form", "region", "figure", "image", "article", "list"))
# Their name, if any, is just the text inside.
_NAMED_BY_TEXT = frozenset(
    ("row", "cell", "columnheader", "rowheader", "listitem", "alert", "status")
)
_SILENT = frozenset(("InlineTextBox", "ListMarker", "separator", "splitter"))
_INLINE = frozenset(("strong", "emphasis", "code", "mark", "time", "superscript", "subscript"))
_SPACE = re.compile(r"[\s\x00-\x1f\x7f\u200b\ufeff]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def tidy(text: object) -> str:
    """One line of well-formed text: white space collapsed, half characters replaced."""
    return _SURROGATE.sub("\ufffd", _SPACE.sub(" ", str(text))).strip()


def join_words(nodes: Iterable[Node]) -> str:
    """The text of neighbours: inline pieces as they stand, blocks with a space between."""
    pieces: list[str] = []
    for node in nodes:
        text = node.name if node.role == "text" else node.words()
        if text:
            pieces.append(text if node.role == "text" and not node.separate else f" {text} ")
    return tidy("".join(pieces))


class Trees:
    """Cleans the trees of a page. `frames` maps an iframe's DOM node to its frame's raw nodes."""

    def __init__(self, frames: Mapping[int, tuple[str, Sequence[RawNode]]]) -> None:
        self._frames = frames
        self.focused: Node | None = None
        self.title = ""

    def clean(self, raw: Sequence[RawNode], frame_id: str) -> list[Node]:
        """The shown nodes of one frame, top level first."""
        reader = _FrameReader(self, raw, frame_id)
        return _say_labels_once(_merge_text(reader.children_of(raw[0])), "") if raw else []

    def inside(self, backend_node_id: int) -> list[Node]:
        """The nodes of the document in an iframe."""
        if backend_node_id not in self._frames:
            return []
        frame_id, raw = self._frames[backend_node_id]
        return self.clean(raw, frame_id)


class _FrameReader:
    def __init__(self, trees: Trees, raw: Sequence[RawNode], frame_id: str) -> None:
        self._trees = trees
        self._by_id = {node["nodeId"]: node for node in raw}
        self._frame_id = frame_id

    def children_of(self, raw: RawNode) -> list[Node]:
        found: list[Node] = []
        for child_id in raw.get("childIds", ()):
            child = self._by_id.get(child_id)
            if child is not None:
                found.extend(self.read(child))
        return found

    def read(self, raw: RawNode) -> list[Node]:
        """The shown nodes that a raw node becomes: itself, its children, or nothing."""
        if raw["ignored"]:
            return self.children_of(raw)
        role = str(raw["role"]["value"])
        if role in _SILENT:
            return []
        if role in ("StaticText", "LineBreak"):
            return [Node("text", name=str(_value(raw, "name")))]
        return self._read_element(raw, ROLE_NAMES.get(role, role))

    def _read_element(self, raw: RawNode, role: str) -> list[Node]:
        properties = {each["name"]: each["value"].get("value") for each in raw["properties"]}
        if role in INTERACTIVE or (properties.get("focusable") and role not in _PLACES):
            return [self._control(raw, role, properties)]
        if role in FIELDS:
            return [self._field(raw, role, properties)]
        if role == "heading" or role in _CONTAINERS:
            return self._container(raw, role, properties)
        children = self.children_of(raw)
        return children if role in _INLINE else _as_block(children)

    def _control(self, raw: RawNode, role: str, properties: dict[str, Any]) -> Node:
        backend_node_id = raw["backendDOMNodeId"]
        if role == "generic" and properties.get("editable"):
            role = "textbox"
        children = self.children_of(raw)
        node = Node(
            role=role,
            name=tidy(_value(raw, "name")),
            description=tidy(_value(raw, "description")),
            states=_states(role, properties),
            handle=Handle(backend_node_id, self._frame_id),
        )
        if role in FIELDS:
            node.value = tidy(_value(raw, "value"))
            node.options = tuple(child.name for child in _all(children) if child.role == "option")
        elif role in NAMED_BY_CONTENT:
            node.children = [child for child in _all(children) if child.handle is not None]
        else:
            node.children = _say_labels_once(_merge_text(children), node.name)
        if properties.get("focused"):
            self._trees.focused = node
        return node

    def _field(self, raw: RawNode, role: str, properties: dict[str, Any]) -> Node:
        return Node(
            role,
            name=tidy(_value(raw, "name")),
            value=tidy(properties.get("valuetext") or _value(raw, "value")),
        )

    def _container(self, raw: RawNode, role: str, properties: dict[str, Any]) -> list[Node]:
        name = "" if role in _NAMED_BY_TEXT else tidy(_value(raw, "name"))
        if role == "iframe":
            children = self._trees.inside(raw["backendDOMNodeId"])
        else:
            children = _say_labels_once(_merge_text(self.children_of(raw)), name)
        if role == "heading":
            children = [child for child in children if child.role != "text"]
        elif role in ("alert", "status") and not children:
            # An empty live region, or the browser's own bubble, which goes away after a while.
            return []
        if not name and role in _NOTHING_UNNAMED and not (role == "form" and len(children) > 1):
            return _as_block(children)
        return [Node(role, name=name, states=_states(role, properties), children=children)]


def _value(raw: RawNode, key: str) -> Any:
    return raw.get(key, {}).get("value", "")


def _all(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _all(node.children)


def _states(role: str, properties: Mapping[str, Any]) -> tuple[str, ...]:
    found = []
    if "level" in properties and role == "heading":
        found.append(f"level {properties['level']}")
    if "checked" in properties:
        words = {"true": "checked", "mixed": "partly checked"}
        found.append(words.get(properties["checked"], "unchecked"))
    if "expanded" in properties and role != "combobox":
        found.append("expanded" if properties["expanded"] else "collapsed")
    if "pressed" in properties:
        found.append("pressed" if properties["pressed"] == "true" else "not pressed")
    if properties.get("hasPopup") and role not in ("combobox", "date", "textbox"):
        found.append(f"opens {properties['hasPopup']}")
    if properties.get("invalid", "false") != "false":
        found.append("invalid")
    found += [state for state in _FLAGS if properties.get(state) is True]
    if properties.get("multiselectable") and role == "listbox":
        found.append("multiple")
    return tuple(found)


_FLAGS = ("selected", "required", "readonly", "disabled", "busy")


def _as_block(nodes: list[Node]) -> list[Node]:
    """The nodes of a block: their text does not run into that of the neighbours."""
    merged = _merge_text(nodes)
    for node in merged:
        node.separate = True
    return merged


def _merge_text(nodes: list[Node]) -> list[Node]:
    """Joins inline neighbours of plain text, and drops what is empty."""
    merged: list[Node] = []
    for node in nodes:
        if node.role == "text" and not node.separate:
            last = merged[-1] if merged else None
            if last is not None and last.role == "text" and not last.separate:
                merged[-1] = Node("text", name=last.name + node.name)
                continue
        merged.append(node)
    return [node for node in merged if node.role != "text" or tidy(node.name)]


def _say_labels_once(nodes: list[Node], container: str) -> list[Node]:
    """Drops text that only repeats the name of the control beside it or of what encloses it."""

    def repeats(index: int) -> bool:
        beside = nodes[max(index - 1, 0) : index] + nodes[index + 1 : index + 2]
        names = {node.name for node in beside if node.handle is not None}
        return tidy(nodes[index].name) in names | {container}

    return [node for index, node in enumerate(nodes) if node.role != "text" or not repeats(index)]
