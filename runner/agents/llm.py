"""An agent whose decisions a language model makes, through LiteLLM."""

import re

from runner.actions import OPERATIONS
from runner.agents.base import Assignment, Reply, Turn, agents
from runner.errors import UserError
from runner.models import Completion, ContextExceededError, ModelClient, total_usage
from runner.prompts import as_messages, asked_again
from runner.records import Usage

# How often an empty reply is asked for again, at each step.
REASKS = 1
# A line that holds an action, however it is dressed: "**Action:** `click('12')`", "- click('12')".
_ACTION = re.compile(
    rf"^[\s*`>#-]*(?:action[\s*]*:[\s*`]*(?P<labelled>\S.*)|(?P<bare>(?:{'|'.join(OPERATIONS)})\(.*))$",
    re.IGNORECASE,
)
_THOUGHT_LABEL = re.compile(r"^[\s*]*thought[\s*]*:[\s*]*", re.IGNORECASE)
_EMPTY_LINE = re.compile(r"^[\s*`]*(?:action[\s*]*:[\s*]*|`+\w*\s*)$", re.IGNORECASE)


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
    """The (thought, action) of a reply: the one line that holds an action, and what precedes it.

    A reply with several such lines (some models go on and invent what happens next) gives them all
    on one line, and one with none is given as it is: neither can be read, and so becomes an error
    that the agent is told.
    """
    thoughts: list[str] = []
    found: list[str] = []
    for line in text.strip().splitlines():
        if match := _ACTION.match(line):
            found.append((match["labelled"] or match["bare"]).rstrip("`* "))
        elif not found and not _EMPTY_LINE.match(line):
            thoughts.append(line)
    if not found:
        return "", text.strip()
    return _THOUGHT_LABEL.sub("", "\n".join(thoughts)).strip(), " ".join(found)


@agents.register("llm")
def _llm(given: Assignment) -> LanguageModelAgent:
    if given.client is None:
        raise UserError("the llm agent needs a model: name one with --model")
    return LanguageModelAgent(given.client, given.trial.seed)
