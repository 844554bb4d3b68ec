"""A named set of functions or classes: how a schedule, channel or condition is found by name."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


class UnknownNameError(ValueError):
    """A name that nothing is registered under; the message lists those that are."""


class Registry(Generic[Item]):
    """Items by name, in the order of their registration."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._items: dict[str, Item] = {}

    def register(self, name: str) -> Callable[[Item], Item]:
        """Decorator: make the decorated item available as `name`."""

        def add(item: Item) -> Item:
            if name in self._items:
                raise ValueError(f"{self.kind} {name!r} is registered twice")
            self._items[name] = item
            return item

        return add

    def __getitem__(self, name: str) -> Item:
        if name not in self._items:
            known = ", ".join(self._items)
            raise UnknownNameError(f"unknown {self.kind} {name!r}; choose from: {known}")
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)
