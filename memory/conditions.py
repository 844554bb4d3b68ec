"""What an agent is told. A condition picks one memory out of a task's set; one function each."""

from collections.abc import Callable
from itertools import cycle

from pydantic import BaseModel, ConfigDict

from memory.entry import Memory
from memory.registry import Registry

NEUTRAL_DO = (
    "Read the page from top to bottom before the next step, keep the request in mind while "
    "working through it, and look at headings, captions and totals as they come, since pages "
    "of this kind carry a good deal of detail and a calm look usually takes only a moment."
)
NEUTRAL_DONT = (
    "Hurry from one page to the next without a look at what has changed, because records of "
    "this kind are read by several colleagues and small details are easily passed over there."
)


class MemorySet(BaseModel):
    """The memories that belong to one task.

    `neighbours` are the three confusable lessons that stand beside the target in a multi-entry
    delivery; `invented` is the label that takes the place of the cited one (`label`) when the
    memory must be ungroundable, by condition.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    helpful: Memory
    conflict: Memory
    cross_task: Memory
    neighbours: tuple[Memory, Memory, Memory]
    cited: dict[str, str]
    invented: str


Condition = Callable[[MemorySet], Memory | None]
conditions: Registry[Condition] = Registry("condition")


@conditions.register("none")
def none(_memories: MemorySet) -> None:
    """No memory."""
    return


@conditions.register("helpful")
def helpful(memories: MemorySet) -> Memory:
    """A lesson that fits the task."""
    return memories.helpful


@conditions.register("conflict")
def conflict(memories: MemorySet) -> Memory:
    """A lesson that contradicts the task at hand."""
    return memories.conflict


@conditions.register("cross-task")
def cross_task(memories: MemorySet) -> Memory:
    """The helpful lesson of another task on another site: the negative control."""
    return memories.cross_task


@conditions.register("placebo")
def placebo(memories: MemorySet) -> Memory:
    """Neutral advice of the conflict memory's form and length in words."""
    model = memories.conflict
    return Memory(
        id=f"{model.id}~placebo",
        do=_of_length(NEUTRAL_DO, len(model.do.split())),
        dont=_of_length(NEUTRAL_DONT, len(model.dont.split())),
    )


def _of_length(prose: str, count: int) -> str:
    """`prose`, repeated or cut to `count` words, as one sentence."""
    text = " ".join(word for word, _ in zip(cycle(prose.split()), range(count), strict=False))
    return text.rstrip(",.") + "."
