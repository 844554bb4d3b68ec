"""When a memory is visible. A schedule is one function of step and attempt, registered by name.

Steps and attempts count from 1. `replayed` is how many of the anchor's first actions the runner
carries out in the agent's place before the agent takes over; `attempts` is how many episodes a
trial may take.
"""

from collections.abc import Callable
from dataclasses import dataclass

from memory.registry import Registry


@dataclass(frozen=True)
class Schedule:
    """A visibility rule with what it asks of the runner."""

    visible: Callable[[int, int], bool]
    replayed: int = 0
    attempts: int = 1

    def first_exposure(self, attempt: int) -> int | None:
        """The first step of `attempt` at which the memory is visible; None when it never is."""
        horizon = range(1, self.replayed + 2)
        return next((step for step in horizon if self.visible(step, attempt)), None)


schedules: Registry[Schedule] = Registry("schedule")
LATE_STEP = 3


def _register(
    name: str, *, replayed: int = 0, attempts: int = 1
) -> Callable[[Callable[[int, int], bool]], Callable[[int, int], bool]]:
    def add(rule: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
        schedules.register(name)(Schedule(rule, replayed=replayed, attempts=attempts))
        return rule

    return add


@_register("none")
def never(_step: int, _attempt: int) -> bool:
    """No memory at any step: the anchor."""
    return False


@_register("early")
def early(step: int, _attempt: int) -> bool:
    """Visible at step 1 only: isolates Entry."""
    return step == 1


@_register("persistent")
def persistent(_step: int, _attempt: int) -> bool:
    """Visible at every step: Propagation."""
    return True


@_register("late", replayed=LATE_STEP - 1)
def late(step: int, _attempt: int) -> bool:
    """Visible from step 3 on, after the anchor's first two actions were replayed: Recovery."""
    return step >= LATE_STEP


@_register("retry-on-fail", attempts=2)
def retry_on_fail(_step: int, attempt: int) -> bool:
    """No memory in attempt 1 (the anchor); visible at every step of the attempt after a failure."""
    return attempt > 1
