"""One request to a model through LiteLLM: the only place that imports it, on the first call.

A request goes out exactly once. What comes back is a `Completion`, or one of the errors below, so
that whoever retries need not know LiteLLM's classes.
"""

import json
import logging
import os
import queue
import re
import threading
import warnings
from collections.abc import Callable
from functools import cache, partial
from types import ModuleType
from typing import Any

from runner.errors import MachineryError, StopRunError
from runner.records import Record, Usage
from runner.tables import storable

# What servers say when a prompt is too long; LiteLLM recognises only some of these.
_TOO_LONG = re.compile(
    r"context[ _](length|window|size)|context_length_exceeded|prompt is too long|too many tokens",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(r"api[ _-]?key|credential", re.IGNORECASE)
_THINKING = re.compile(r"^\s*<think>(.*?)(?:</think>|\Z)", re.DOTALL)
_MESSAGE_LIMIT = 300


class ContextExceededError(Exception):
    """The prompt is longer than the model can read."""


class TransientError(Exception):
    """The request may succeed later. `retry_after` is the server's own wish, as it wrote it."""

    def __init__(self, message: str, *, retry_after: str = "") -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ToolCall(Record):
    """A call the model asks for. `arguments` is JSON text as it came, perhaps malformed."""

    id: str
    name: str
    arguments: str


class Completion(Record):
    """A model's reply. `reasoning` is what it thought aloud; it is never an action.

    `text` is empty when the reply held no text, `finish_reason` when there was no reply at all.
    `model` is the name the server gave itself. All strings are `runner.tables.storable`.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = Usage()
    model: str = ""


def request_once(request: dict[str, Any], *, timeout_seconds: float) -> Completion:
    """Send `request` (LiteLLM's keyword arguments) once.

    Raises TransientError, ContextExceededError, StopRunError for what no later request can mend
    (bad key, unknown model, bad request), and MachineryError for one refused by a content filter.
    """
    litellm = _litellm()
    answers: list[object] = []
    call = partial(
        litellm.completion,
        **request,
        timeout=timeout_seconds,
        max_retries=0,
        drop_params=True,  # not every provider takes a seed
        logger_fn=lambda details: answers.append(details.get("original_response")),
    )
    try:
        response = _within(timeout_seconds, call)
    except TransientError:
        raise
    except Exception as error:
        # A well-formed HTTP answer in a shape LiteLLM will not read (parts instead of text, say).
        for answer in answers:
            raw = _json_object(answer)
            if isinstance(raw.get("choices"), list):
                return read_reply(raw, cost=None)
        raise _translated(error, model=request["model"]) from error
    return read_reply(response.model_dump(warnings=False), cost=_cost(response))


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """What `call` returns or raises, unless it takes longer than `seconds`.

    The HTTP client's own timeout starts anew with every byte, so a connection that is kept open
    by a trickle of spaces would pass it by. The thread left behind ends with its connection.
    """
    ended: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            ended.put((call(), None))
        except Exception as error:
            ended.put((None, error))

    threading.Thread(target=work, daemon=True, name="model-request").start()
    try:
        value, error = ended.get(timeout=seconds)
    except queue.Empty:
        raise TransientError(f"no whole reply within {seconds:g} seconds") from None
    if error is not None:
        raise error
    return value


@cache
def _litellm() -> ModuleType:
    """LiteLLM, told to be silent, and to use the price list it brings along."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    return litellm


def _json_object(text: object) -> dict[str, Any]:
    """The JSON object in `text`; empty when it holds none."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _cost(response: Any) -> float | None:
    """LiteLLM's own figure, None where it knows no price."""
    cost = response._hidden_params.get("response_cost")
    return None if cost is None else float(cost)


def read_reply(response: dict[str, Any], *, cost: float | None) -> Completion:
    """Read a chat completion in OpenAI's form, whatever is missing from it.

    Missing or zero token counts are unknown, and then so is the cost.
    """
    choices = response.get("choices") or [{}]
    choice = choices[0] if isinstance(choices[0], dict) else {}
    message = choice.get("message") or {}
    text = _joined(message.get("content"))
    reasoning = _joined(message.get("reasoning_content") or message.get("reasoning"))
    if found := _THINKING.match(text):
        reasoning, text = reasoning or found[1], text[found.end() :]
    counts = response.get("usage") or {}
    prompt_tokens = counts.get("prompt_tokens") or None
    completion_tokens = counts.get("completion_tokens") or None
    known = prompt_tokens is not None and completion_tokens is not None
    return Completion(
        text=storable(text),
        reasoning=storable(reasoning),
        tool_calls=tuple(_tool_call(call) for call in message.get("tool_calls") or ()),
        finish_reason=storable(str(choice.get("finish_reason") or "")),
        usage=Usage(
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=cost if known else None,
        ),
        model=storable(str(response.get("model") or "")),
    )


def _joined(content: object) -> str:
    """The text of a message's content, which may be a string, typed parts or nothing."""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _tool_call(call: dict[str, Any]) -> ToolCall:
    function = call.get("function") or {}
    arguments = function.get("arguments")
    return ToolCall(
        id=storable(str(call.get("id") or "")),
        name=storable(str(function.get("name") or "")),
        arguments=storable(arguments if isinstance(arguments, str) else json.dumps(arguments)),
    )


def _translated(error: Exception, *, model: str) -> Exception:
    """The error of ours that says what a failed request means for the run."""
    litellm = _litellm()
    status = getattr(error, "status_code", None)
    said = _one_line(str(error))
    refused = isinstance(status, int) and 400 <= status < 500 and status not in (408, 429)
    if isinstance(error, litellm.ContextWindowExceededError) or (
        refused and _TOO_LONG.search(said)
    ):
        return ContextExceededError(said)
    filtered = isinstance(error, litellm.ContentPolicyViolationError)
    if filtered or getattr(error, "code", None) == "content_filter":
        return MachineryError(f"a content filter refused the prompt: {said}", status="model_error")
    missing = _missing_keys(said, model)
    if refused or missing or "insufficient_quota" in said:
        return StopRunError(f"{_refusal(error, model, missing)}: {said}")
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    return TransientError(said, retry_after=headers.get("retry-after", ""))


def _missing_keys(said: str, model: str) -> list[str]:
    """Names of the environment variables that an error which speaks of credentials misses.

    LiteLLM reports a key that was never given as a server's internal error.
    """
    if not _CREDENTIALS.search(said):
        return []
    return list(_litellm().validate_environment(model).get("missing_keys") or [])


def _refusal(error: Exception, model: str, missing: list[str]) -> str:
    litellm = _litellm()
    if missing:
        return f"no key for model {model!r} (set {' and '.join(missing)})"
    if isinstance(error, litellm.AuthenticationError):
        return f"the key for model {model!r} was refused"
    if isinstance(error, litellm.NotFoundError):
        return f"model {model!r} was not found"
    return f"the request to model {model!r} was refused"


def _one_line(message: str) -> str:
    line = " ".join(storable(message).removeprefix("litellm.").split())
    return line if len(line) <= _MESSAGE_LIMIT else f"{line[: _MESSAGE_LIMIT - 1]}…"
