"""From a move, which names an element by role and name, to the elements it means on a page."""

from probes.moves import Move
from runner.observation import Element, Observation


def resolve(move: Move, observation: Observation) -> tuple[str, ...]:
    """Ids of the elements shown that have the move's role and exactly its name.

    With `within`, only those inside a container of that role whose name or text holds the words.
    Disabled elements count; hidden ones are not on the page.
    """
    return tuple(
        element.id
        for element in observation.elements
        if element.id
        and element.role == move.role
        and element.name == move.name
        and _is_within(element, move.within, observation)
    )


def the_element(move: Move, observation: Observation) -> str | None:
    """The id of the one element that the move means; None when there is none or several."""
    found = resolve(move, observation)
    return found[0] if len(found) == 1 else None


def _is_within(element: Element, within: tuple[str, str] | None, observation: Observation) -> bool:
    if within is None:
        return True
    role, words = within
    parent = element.parent
    while parent is not None:
        container = observation.elements[parent]
        if container.role == role and (words in container.name or words in container.text):
            return True
        parent = container.parent
    return False
