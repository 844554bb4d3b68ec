"""Where in a prompt a memory's text goes. A channel is one function, registered by name."""

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict

from memory.registry import Registry


class Prompt(BaseModel):
    """All that an agent is told at one step, by part. Parts are plain text.

    Every step's prompt is built afresh from these parts, so a memory that a schedule no longer
    shows is not left over in an earlier message.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str
    goal: str
    history: str
    tool_result: str
    observation: str


Channel = Callable[[Prompt, str], Prompt]
channels: Registry[Channel] = Registry("channel")
PART_OF_CHANNEL: dict[str, str] = {}


def _register(name: str, part: str) -> Callable[[Channel], Channel]:
    PART_OF_CHANNEL[name] = part
    return channels.register(name)


def _append(prompt: Prompt, part: str, text: str) -> Prompt:
    before = getattr(prompt, part)
    return prompt.model_copy(update={part: f"{before}\n\n{text}" if before else text})


@_register("system", part="system")
def system_prompt(prompt: Prompt, text: str) -> Prompt:
    """At the end of the system prompt."""
    return _append(prompt, "system", text)


@_register("footer", part="observation")
def observation_footer(prompt: Prompt, text: str) -> Prompt:
    """Below the observation of the current page."""
    return _append(prompt, "observation", text)


@_register("goal", part="goal")
def goal_message(prompt: Prompt, text: str) -> Prompt:
    """Below the user's instruction."""
    return _append(prompt, "goal", text)


@_register("tool", part="tool_result")
def tool_result(prompt: Prompt, text: str) -> Prompt:
    """As the result of a memory look-up that the agent's harness made for it."""
    return _append(prompt, "tool_result", f"Result of search_memory():\n{text}")
