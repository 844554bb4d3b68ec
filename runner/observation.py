"""What an agent sees of a page: text, and the elements behind its ids."""

import hashlib
from functools import cached_property

from runner.records import Record


class Element(Record):
    """A node of the accessibility tree as shown. `id` is empty for nodes that cannot be acted on.

    `parent` is the index of the enclosing node in `Observation.elements`, None at the top.
    `text` is the node's own name followed by all text inside it, in reading order.
    """

    id: str
    role: str
    name: str
    value: str = ""
    states: tuple[str, ...] = ()
    depth: int
    parent: int | None
    text: str = ""


class Observation(Record):
    """One look at the browser. Ids count from 1 anew in each observation."""

    text: str
    url: str
    """Path, query and fragment on the sites' host; a whole URL elsewhere."""
    title: str
    elements: tuple[Element, ...] = ()
    truncated: bool = False
    dialog: str = ""
    """Type and message of an open JavaScript dialog; while one is open the page has no elements."""
    alerts: tuple[str, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """Hash of the text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
