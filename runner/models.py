"""The one model client: retries, cache, budget and book-keeping around single requests."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import Field

from runner.errors import MachineryError, StopRunError
from runner.gateway import (
    Completion,
    ContextExceededError,
    ToolCall,
    TransientError,
    request_once,
)
from runner.records import Record, Usage
from runner.tables import storable

__all__ = [
    "Completion",
    "ContextExceededError",
    "ModelClient",
    "ModelSettings",
    "Prices",
    "Spending",
    "ToolCall",
    "total_usage",
]

# Part of every cache key: raise it when the stored form of a reply changes.
_CACHE_FORMAT = 1
_FIRST_WAIT_SECONDS = 2.0
# A server that asks for more patience than this is treated as down.
_LONGEST_WAIT_SECONDS = 300.0


class Prices(Record):
    """US dollars for a million tokens, for models whose price LiteLLM does not know."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class ModelSettings(Record):
    """Which model, and how it is called: part of a run's configuration.

    `tries` counts all requests for one reply, the first included. `timeout_seconds` is for one
    request. `extra` goes to LiteLLM as further keyword arguments. Without `cache_directory`
    nothing is cached; without `budget_usd` nothing is limited.
    """

    model: str = Field(min_length=1)
    temperature: float = Field(default=0.0, ge=0)
    max_tokens: int = Field(default=1024, ge=1)
    timeout_seconds: float = Field(default=120.0, gt=0)
    tries: int = Field(default=3, ge=1)
    api_base: str = ""
    extra: dict[str, Any] = Field(default_factory=dict)
    prices: Prices | None = None
    cache_directory: Path | None = None
    budget_usd: float | None = Field(default=None, ge=0)


class Spending(Record):
    """What a client has used so far. `requests` counts all that went out, retries included.

    `usd` is the sum of the known costs; the cost of `unknown_cost` replies is not in it.
    """

    requests: int = 0
    retries: int = 0
    replies: int = 0
    cached: int = 0
    unknown_cost: int = 0
    usd: float = 0.0

    def __str__(self) -> str:
        unknown = f" and {self.unknown_cost} replies of unknown cost" if self.unknown_cost else ""
        return f"${self.usd:.4f}{unknown}"


def total_usage(parts: Sequence[Usage]) -> Usage:
    """The sum over several requests; a sum with an unknown part is unknown."""

    def total(values: list[Any]) -> Any:
        return None if None in values else sum(values)

    return Usage(
        prompt_tokens=total([part.prompt_tokens for part in parts]),
        completion_tokens=total([part.completion_tokens for part in parts]),
        cost_usd=total([part.cost_usd for part in parts]),
        calls=sum(part.calls for part in parts),
        cached=bool(parts) and all(part.cached for part in parts),
    )


class ModelClient:
    """Calls one model. Safe to share between threads.

    `sleep` and `clock` (seconds since the epoch) are the client's only sense of time.
    `already_spent_usd` counts towards the budget: what a run that is resumed had spent before.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
        already_spent_usd: float = 0.0,
    ) -> None:
        self.settings = settings
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._spending = Spending(usd=already_spent_usd)
        self._store = _Store(settings.cache_directory) if settings.cache_directory else None

    def __enter__(self) -> "ModelClient":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the cache."""
        if self._store is not None:
            self._store.close()

    @property
    def spending(self) -> Spending:
        """What was used so far."""
        with self._lock:
            return self._spending

    def complete(
        self,
        messages: list[dict[str, Any]],
        *,
        seed: int,
        tools: list[dict[str, Any]] | None = None,
    ) -> Completion:
        """The model's reply to `messages`.

        An identical earlier request is answered from the cache at no cost; of several identical
        ones at the same time only the first goes out. Raises StopRunError when no request can
        succeed or the budget is spent, ContextExceededError when the prompt is too long, and
        MachineryError("model_error") when the last try failed too.
        """
        request = self._request(messages, seed=seed, tools=tools)
        if self._store is None:
            return self._fresh(request)
        key = hashlib.sha256(
            json.dumps([_CACHE_FORMAT, request], sort_keys=True).encode()
        ).hexdigest()
        with self._store.holding(key):
            if (stored := self._store.read(key)) is not None:
                self._count(cached=1)
                return stored
            completion = self._fresh(request)
            self._store.write(key, completion)
            return completion

    def _request(
        self, messages: list[dict[str, Any]], *, seed: int, tools: list[dict[str, Any]] | None
    ) -> dict[str, Any]:
        settings = self.settings
        request: dict[str, Any] = {
            **settings.extra,
            "model": settings.model,
            "messages": [_sendable(message) for message in messages],
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
            "seed": seed,
        }
        if settings.api_base:
            request["api_base"] = settings.api_base
        if tools:
            request["tools"] = tools
        return request

    def _fresh(self, request: dict[str, Any]) -> Completion:
        """A reply from the model itself, after as many tries as it takes and is allowed."""
        for attempt in range(1, self.settings.tries + 1):
            self._check_budget()
            self._count(requests=1, retries=int(attempt > 1))
            try:
                completion = request_once(request, timeout_seconds=self.settings.timeout_seconds)
            except TransientError as trouble:
                wait = max(_FIRST_WAIT_SECONDS * 2 ** (attempt - 1), self._asked_wait(trouble))
                if attempt == self.settings.tries or wait > _LONGEST_WAIT_SECONDS:
                    raise MachineryError(
                        f"no reply from {self.settings.model!r} (tries: {attempt}): {trouble}",
                        status="model_error",
                    ) from trouble
                self._sleep(wait)
            else:
                return self._booked(completion, attempt)
        raise AssertionError("the loop above returns or raises")

    def _check_budget(self) -> None:
        budget, spending = self.settings.budget_usd, self.spending
        if budget is not None and spending.usd >= budget:
            raise StopRunError(f"budget of ${budget:g} is spent: {spending} so far")

    def _booked(self, completion: Completion, calls: int) -> Completion:
        cost = self._cost(completion.usage)
        self._count(replies=1, unknown_cost=int(cost is None), usd=cost or 0.0)
        usage = completion.usage.model_copy(update={"cost_usd": cost, "calls": calls})
        return completion.model_copy(update={"usage": usage})

    def _cost(self, usage: Usage) -> float | None:
        prices = self.settings.prices
        if prices is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return usage.cost_usd
        millionths = (
            usage.prompt_tokens * prices.prompt + usage.completion_tokens * prices.completion
        )
        return millionths / 1e6

    def _count(self, **more: float) -> None:
        with self._lock:
            before = self._spending
            self._spending = before.model_copy(
                update={name: getattr(before, name) + value for name, value in more.items()}
            )

    def _asked_wait(self, trouble: TransientError) -> float:
        """Seconds a server's Retry-After asks for: a number or a date; 0 when it says neither."""
        asked = trouble.retry_after
        if asked.strip().isdecimal():
            return float(asked)
        try:
            return parsedate_to_datetime(asked).timestamp() - self._clock()
        except ValueError:
            return 0.0


def _sendable(message: dict[str, Any]) -> dict[str, Any]:
    """The message without what UTF-8 cannot hold."""
    content = message.get("content")
    return {**message, "content": storable(content)} if isinstance(content, str) else message


class _Store:
    """Replies on disk by key, and a lock for each key that is being worked on."""

    def __init__(self, directory: Path) -> None:
        import diskcache

        self._disk = diskcache.Cache(str(directory), eviction_policy="none")
        self._guard = threading.Lock()
        self._busy: dict[str, tuple[threading.Lock, int]] = {}

    def close(self) -> None:
        self._disk.close()

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """Keep other threads from asking for the same reply meanwhile."""
        with self._guard:
            lock, holders = self._busy.get(key, (threading.Lock(), 0))
            self._busy[key] = (lock, holders + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, holders = self._busy.pop(key)
                if holders > 1:
                    self._busy[key] = (lock, holders - 1)

    def read(self, key: str) -> Completion | None:
        text = self._disk.get(key)
        if text is None:
            return None
        completion = Completion.model_validate_json(text)
        usage = completion.usage.model_copy(update={"cost_usd": 0.0, "calls": 0, "cached": True})
        return completion.model_copy(update={"usage": usage})

    def write(self, key: str, completion: Completion) -> None:
        self._disk.set(key, completion.model_dump_json())
