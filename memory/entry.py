"""One memory: a DO / DON'T lesson, and the one template that turns lessons into prompt text."""

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, field_validator

HEADER = "Memory of past work:"
DO = "DO: "
DONT = "DON'T: "
_ENTRY = re.compile(rf"^{DO}(?P<do>.+)\n{DONT}(?P<dont>.+)$", re.MULTILINE)


class Memory(BaseModel):
    """A lesson as an agent is shown it. `do` and `dont` are one line of plain prose each.

    The prose of `do` opens with the steps it recommends, in the wording of `probes.moves.phrase`,
    so that the text an agent reads and the primitive it is judged by are one and the same.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    do: str = Field(min_length=1)
    dont: str = Field(min_length=1)

    @field_validator("do", "dont")
    @classmethod
    def _one_line(cls, text: str) -> str:
        if len(text.splitlines()) != 1 or text != text.strip():
            raise ValueError("must be one line without spaces at its ends")
        return text

    def relabelled(self, label: str, invented: str) -> "Memory":
        """This lesson with every quoted `label` replaced: the ungroundable (G−) variant."""
        old, new = f'"{label}"', f'"{invented}"'
        return Memory(
            id=f"{self.id}~ungrounded",
            do=self.do.replace(old, new),
            dont=self.dont.replace(old, new),
        )


def render(entries: Sequence[Memory]) -> str:
    """The text of `entries` in every condition and channel; the empty string for none."""
    if not entries:
        return ""
    blocks = [f"{DO}{entry.do}\n{DONT}{entry.dont}" for entry in entries]
    return "\n\n".join([HEADER, *blocks])


def read(text: str) -> tuple[tuple[str, str], ...]:
    """The (do, dont) pairs found anywhere in `text`: what a reader of a prompt can learn."""
    return tuple((match["do"], match["dont"]) for match in _ENTRY.finditer(text))
