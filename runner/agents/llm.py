"""An agent whose decisions a language model makes, through LiteLLM."""

import re

from runner.agents.base import Assignment, Reply, Turn, agents
from runner.errors import UserError
from runner.models import Completion, ContextExceededError, ModelClient, total_usage
from runner.prompts import as_messages, asked_again
from runner.records import Usage

# How often an empty reply is asked for again, at each step.
REASKS = 1
# A line that holds a call, however it is dressed: "Action: `click('12')`", "- **click('12')**".
_CALL = re.compile(r"^[\s*`>#-]*(?:action\s*:)?[\s*`]*(?P<call>[a-z_]+\(.*)$", re.IGNORECASE)
_THOUGHT_LABEL = re.compile(r"^[\s*]*thought\s*:[\s*]*", re.IGNORECASE)
_LABEL_ONLY = re.compile(r"^[\s*`]*(?:action\s*:[\s*]*|`+\w*\s*)$", re.IGNORECASE)


class LanguageModelAgent:
    """Asks a model at every step. It is told what the prompt says, and nothing else.

    An empty reply (no text, whatever was reasoned) is asked for again `REASKS` times and then
    ends the episode. A reply whose action is malformed is not: it is a step spent on an error.
    """

    simulated = False

    def __init__(self, client: ModelClient, seed: int) -> None:
        self._client = client
        self._seed = seed

    def act(self, turn: Turn) -> Reply:
        """The model's next action."""
        messages = as_messages(turn.prompt)
        used: list[Usage] = []
        completion = Completion()
        for _ in range(1 + REASKS):
            try:
                completion = self._client.complete(messages, seed=self._seed)
            except ContextExceededError:
                used.append(Usage(calls=1))
                return Reply(text="", usage=total_usage(used), ending="context_exceeded")
            used.append(completion.usage)
            if completion.text.strip():
                thought, action = split_reply(completion.text)
                return Reply(
                    text=action,
                    thought=thought,
                    reasoning=completion.reasoning,
                    usage=total_usage(used),
                )
            messages = asked_again(messages)
        return Reply(
            text="",
            reasoning=completion.reasoning,
            usage=total_usage(used),
            ending="empty_reply",
        )


def split_reply(text: str) -> tuple[str, str]:
    """The (thought, action) of a reply.

    The action is the one line that holds a call; prose around it is dropped or is the thought.
    When there is no such line, or there are several, nothing is guessed: the reply (from the first
    call to the last) is the action as it stands, and reading it will fail with an error.
    """
    lines = text.strip().splitlines()
    calls = [number for number, line in enumerate(lines) if _CALL.match(line)]
    if not calls:
        return "", text.strip()
    first, last = calls[0], calls[-1]
    thought = "\n".join(line for line in lines[:first] if not _LABEL_ONLY.match(line)).strip()
    if first != last:
        return _THOUGHT_LABEL.sub("", thought), "\n".join(lines[first : last + 1]).strip()
    return _THOUGHT_LABEL.sub("", thought), _call_in(lines[first:])


def _call_in(lines: list[str]) -> str:
    """The call that the first line opens; it goes on to later lines when it closes only there."""
    found = _CALL.match(lines[0])
    assert found is not None
    call = found["call"].rstrip("`* ")
    if not call.endswith(")"):
        rest = "\n".join([found["call"], *lines[1:]])
        end = rest.rfind(")")
        call = rest[: end + 1] if end >= 0 else call
    return call


@agents.register("llm")
def _llm(given: Assignment) -> LanguageModelAgent:
    if given.client is None:
        raise UserError("the llm agent needs a model: name one with --model")
    return LanguageModelAgent(given.client, given.trial.seed)
