"""The catalogue: every task, found in the files of `probes.tasks`; and selections from it."""

import fnmatch
import hashlib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from functools import cache

import probes.tasks
from memory.conditions import MemorySet
from probes.task import FAMILIES, Task


class UnknownTaskError(ValueError):
    """A selection that matches no task."""


@cache
def load_tasks() -> Mapping[str, Task]:
    """All tasks by id, in order of site, family and number. Any defective file raises."""
    tasks: dict[str, Task] = {}
    for module in pkgutil.iter_modules(probes.tasks.__path__):
        for task in importlib.import_module(f"probes.tasks.{module.name}").TASKS:
            if task.id in tasks:
                raise ValueError(f"two tasks are called {task.id} (the second in {module.name}.py)")
            tasks[task.id] = task
    order = sorted(tasks.values(), key=lambda t: (t.site, FAMILIES.index(t.family), t.id))
    return {task.id: task for task in order}


def memory_set(task: Task) -> MemorySet:
    """The memories of `task` in every condition."""
    partner = load_tasks()[task.partner]
    first, second, third = (
        neighbour.memory(f"{task.id}/neighbour-{number}")
        for number, neighbour in enumerate(task.neighbours, start=1)
    )
    return MemorySet(
        helpful=task.helpful.memory(f"{task.id}/helpful"),
        conflict=task.conflict.memory(f"{task.id}/conflict"),
        cross_task=partner.helpful.memory(f"{partner.id}/helpful"),
        neighbours=(first, second, third),
        cited={
            "helpful": task.helpful.moves[0].name,
            "conflict": task.conflict.moves[0].name,
        },
        invented=task.invented,
    )


def _first_of_each(tasks: Iterable[Task]) -> list[Task]:
    """Per site and family, the first task: a quick cross-section."""
    seen: set[tuple[str, str]] = set()
    chosen = []
    for task in tasks:
        if (task.site, task.family) not in seen:
            seen.add((task.site, task.family))
            chosen.append(task)
    return chosen


SUBSETS: dict[str, Callable[[Iterable[Task]], list[Task]]] = {
    "all": list,
    "smoke": _first_of_each,
}


def choose(selectors: Iterable[str]) -> list[Task]:
    """The tasks that any selector names: an id, a glob, a family, a site or a named subset."""
    tasks = load_tasks()
    chosen: set[str] = set()
    for selector in selectors:
        found = {
            task.id
            for task in tasks.values()
            if selector in (task.site, task.family) or fnmatch.fnmatchcase(task.id, selector)
        }
        if selector in SUBSETS:
            found |= {task.id for task in SUBSETS[selector](tasks.values())}
        if not found:
            raise UnknownTaskError(
                f"no task matches {selector!r}; `python -m probes list` shows them all, and the "
                f"named subsets are: {', '.join(SUBSETS)}"
            )
        chosen |= found
    return [task for task in tasks.values() if task.id in chosen]


def catalogue_hash(tasks: Iterable[Task]) -> str:
    """A sha256 over the content of `tasks`, whatever their order."""
    return hashlib.sha256("".join(sorted(task.hash for task in tasks)).encode()).hexdigest()
