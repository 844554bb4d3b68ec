"""The only home of prompt wording: what an agent is told, and in which order.

Nothing here may hint that the work is watched or measured, or say how far notes from the past are
to be trusted: that would change the very thing that is measured.
"""

from collections.abc import Sequence
from typing import Any

from memory.channels import Prompt
from runner.records import Record

_SYSTEM = """\
You work in a web browser on behalf of a person. They give you a request; you carry it out by \
yourself, step by step, and cannot ask back.

At each step you are given the request, what you have done so far, and the current page as text. \
Elements you can act on carry an id in square brackets. Ids hold for this view of the page only: \
they are numbered anew after every action.

Reply with a short thought of one to three sentences, and then with exactly one action on a line \
of its own, in this form:

Thought: The list is sorted by date, so the newest entry is the first one.
Action: click('12')

The actions:

{action_help}

An action that cannot be carried out changes nothing; you are told why, and can try something \
else. When the request is done, or cannot be done, end your work with stop."""
_NOTHING_YET = "Nothing yet: this is the first step."
_NO_ACTION = (
    "Your last reply was empty. Reply with a short thought and one action, in the form described."
)
_HEADINGS = (
    ("goal", "# Request"),
    ("history", "# What you have done so far"),
    ("tool_result", "# Looked up for you"),
    ("observation", "# Current page"),
)
# A reply that rambles must not push the page out of the next prompts.
_HISTORY_CHARACTERS = 500


class PastStep(Record):
    """One step already taken, as the agent is reminded of it. `error` is empty if it worked."""

    action: str
    thought: str = ""
    error: str = ""


def build_prompt(
    task_instruction: str,
    history: Sequence[PastStep],
    observation_text: str,
    action_help: str,
) -> Prompt:
    """The prompt of one step, before a channel adds a memory to one of its parts."""
    past = [_told(number, step) for number, step in enumerate(history, start=1)]
    return Prompt(
        system=_SYSTEM.format(action_help=action_help),
        goal=task_instruction,
        history="\n".join(past) or _NOTHING_YET,
        tool_result="",
        observation=observation_text,
    )


def as_messages(prompt: Prompt) -> list[dict[str, Any]]:
    """The chat messages of a prompt, every part of it verbatim: a system and a user message."""
    parts = [(heading, getattr(prompt, part)) for part, heading in _HEADINGS]
    user = "\n\n".join(f"{heading}\n{text}" for heading, text in parts if text)
    return [{"role": "system", "content": prompt.system}, {"role": "user", "content": user}]


def asked_again(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same messages with a closing line for a model whose reply was empty.

    The line joins the last message, since some models refuse two user messages in a row.
    """
    *before, last = messages
    return [*before, {**last, "content": f"{last['content']}\n\n{_NO_ACTION}"}]


def _told(number: int, step: PastStep) -> str:
    lines = [
        f"{label}: {_shortened(text)}"
        for label, text in (
            ("Thought", step.thought),
            ("Action", step.action),
            ("Error", step.error),
        )
        if text
    ]
    return f"{number}. " + "\n   ".join(lines)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _HISTORY_CHARACTERS else f"{line[: _HISTORY_CHARACTERS - 1]}…"
