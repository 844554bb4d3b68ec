"""The model client's retries, cache, budget and counts, against a real local server."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from model_server import (
    DOLLAR_A_REPLY,
    MESSAGES,
    NOW,
    Behaviour,
    ModelServer,
    Waits,
    broken_json,
    fails,
    hangs,
    replies,
    replies_nothing,
    resets_connection,
    trickles,
    waits_for_requests,
)

from runner.errors import MachineryError, StopRunError
from runner.models import ModelClient, ModelSettings, total_usage
from runner.records import Usage


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")


@pytest.mark.parametrize(
    "behaviour",
    [
        fails(408),
        fails(429),
        fails(500),
        fails(503),
        broken_json,
        resets_connection,
        replies_nothing(None),
    ],
)
def test_passing_trouble_is_tried_three_times_in_all(behaviour: Behaviour) -> None:
    waits = Waits()
    with (
        ModelServer(behaviour) as server,
        pytest.raises(MachineryError, match=r"tries: 3") as caught,
    ):
        waits.client(server).complete(MESSAGES, seed=7)
    assert caught.value.status == "model_error"
    assert (len(server.requests), waits) == (3, [2.0, 4.0])


@pytest.mark.parametrize("behaviour", [hangs, trickles])
def test_request_ends_at_its_timeout(behaviour: Behaviour) -> None:
    waits = Waits()
    with ModelServer(behaviour) as server, pytest.raises(MachineryError, match=r"tries: 2"):
        waits.client(server, timeout_seconds=2.0, tries=2).complete(MESSAGES, seed=7)
    assert (len(server.requests), waits) == (2, [2.0])


def test_server_that_is_down_is_passing_trouble() -> None:
    with ModelServer(replies("hello")) as server:
        pass
    with pytest.raises(MachineryError, match=r"tries: 3"):
        Waits().client(server).complete(MESSAGES, seed=7)


def test_recovery_is_a_reply_that_counts_its_requests() -> None:
    waits = Waits()
    with ModelServer(fails(503), broken_json, replies("hello")) as server:
        client = waits.client(server)
        completion = client.complete(MESSAGES, seed=7)
    assert (completion.text, completion.usage.calls, len(server.requests)) == ("hello", 3, 3)
    spending = client.spending
    assert (spending.requests, spending.retries, spending.replies) == (3, 2, 1)


@pytest.mark.parametrize(
    ("retry_after", "wait"),
    [
        ("7", 7.0),
        ("1", 2.0),
        ("inf", 2.0),
        (formatdate(NOW + 30, usegmt=True), 30.0),
        (formatdate(NOW - 30, usegmt=True), 2.0),
        ("soon", 2.0),
    ],
)
def test_retry_after_is_honoured(retry_after: str, wait: float) -> None:
    waits = Waits()
    with ModelServer(fails(429, retry_after=retry_after), replies("hello")) as server:
        assert waits.client(server).complete(MESSAGES, seed=7).text == "hello"
    assert waits == [wait]


@pytest.mark.parametrize("retry_after", ["3600", formatdate(NOW + 3600, usegmt=True)])
def test_unreasonable_retry_after_is_not_waited_for(retry_after: str) -> None:
    waits = Waits()
    with (
        ModelServer(fails(429, retry_after=retry_after)) as server,
        pytest.raises(MachineryError, match=r"tries: 1"),
    ):
        waits.client(server).complete(MESSAGES, seed=7)
    assert waits == []


def test_spent_budget_stops_before_the_next_request() -> None:
    with ModelServer(replies("hello")) as server:
        client = Waits().client(server, prices=DOLLAR_A_REPLY, budget_usd=2.0)
        client.complete(MESSAGES, seed=1)
        client.complete(MESSAGES, seed=2)
        with pytest.raises(StopRunError, match=r"budget of \$2 is spent: \$2\.0000 so far"):
            client.complete(MESSAGES, seed=3)
    assert len(server.requests) == 2


def test_budget_holds_between_tries_and_counts_earlier_spending() -> None:
    settings = ModelSettings(model="openai/small", budget_usd=2.0)
    client = ModelClient(settings, already_spent_usd=2.5)
    with pytest.raises(StopRunError, match="budget"):
        client.complete(MESSAGES, seed=1)


def test_unknown_costs_are_counted_and_said() -> None:
    with ModelServer(replies("hello")) as server:
        client = Waits().client(server, budget_usd=1.0)
        for seed in range(3):
            client.complete(MESSAGES, seed=seed)
    assert (client.spending.unknown_cost, client.spending.usd) == (3, 0.0)
    assert str(client.spending) == "$0.0000 and 3 replies of unknown cost"


def test_identical_requests_share_one_call_over_clients(tmp_path: Path) -> None:
    with ModelServer(replies("hello")) as server:
        with Waits().client(server, cache_directory=tmp_path, prices=DOLLAR_A_REPLY) as client:
            fresh = client.complete(MESSAGES, seed=7)
        settings = {"prices": DOLLAR_A_REPLY, "budget_usd": 0.0}
        with Waits().client(server, cache_directory=tmp_path, **settings) as later:
            cached = later.complete(MESSAGES, seed=7)
            assert later.spending.cached == 1
            assert later.spending.usd == 0.0
    assert len(server.requests) == 1
    assert cached.text == fresh.text
    assert fresh.usage == Usage(prompt_tokens=10, completion_tokens=2, cost_usd=1.0, calls=1)
    assert cached.usage == Usage(
        prompt_tokens=10, completion_tokens=2, cost_usd=0.0, calls=0, cached=True
    )


CHANGES: dict[str, Callable[[ModelClient], object]] = {
    "messages": lambda client: client.complete([{"role": "user", "content": "Other"}], seed=7),
    "seed": lambda client: client.complete(MESSAGES, seed=8),
    "tools": lambda client: client.complete(
        MESSAGES, seed=7, tools=[{"type": "function", "function": {"name": "click"}}]
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_different_prompts_are_different_calls(change: str, tmp_path: Path) -> None:
    with ModelServer(replies("hello")) as server:
        client = Waits().client(server, cache_directory=tmp_path)
        client.complete(MESSAGES, seed=7)
        CHANGES[change](client)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "setting",
    [{"model": "openai/other"}, {"temperature": 0.5}, {"max_tokens": 9}, {"extra": {"top_p": 0.1}}],
)
def test_different_settings_are_different_calls(setting: dict[str, Any], tmp_path: Path) -> None:
    with ModelServer(replies("hello")) as server:
        for settings in ({}, setting):
            with Waits().client(server, cache_directory=tmp_path, **settings) as client:
                client.complete(MESSAGES, seed=7)
    assert len(server.requests) == 2


def test_failures_are_not_cached(tmp_path: Path) -> None:
    with ModelServer(fails(503), replies("hello")) as server:
        client = Waits().client(server, cache_directory=tmp_path, tries=1)
        with pytest.raises(MachineryError):
            client.complete(MESSAGES, seed=7)
        assert client.complete(MESSAGES, seed=7).text == "hello"


def test_simultaneous_identical_requests_make_one_call(tmp_path: Path) -> None:
    behaviour = waits_for_requests(2, seconds=1.0, then=replies("hello"))
    with ModelServer(behaviour) as server, ThreadPoolExecutor(4) as pool:
        client = Waits().client(server, cache_directory=tmp_path)
        asked = [pool.submit(client.complete, MESSAGES, seed=7) for _ in range(4)]
        completions = [each.result() for each in asked]
    assert len(server.requests) == 1
    assert {completion.text for completion in completions} == {"hello"}
    assert sorted(completion.usage.cached for completion in completions) == [False] + [True] * 3


def test_different_requests_do_not_wait_for_each_other(tmp_path: Path) -> None:
    behaviour = waits_for_requests(2, seconds=30.0, then=replies("hello"))
    with ModelServer(behaviour) as server, ThreadPoolExecutor(2) as pool:
        client = Waits().client(server, cache_directory=tmp_path, timeout_seconds=10, tries=1)
        asked = [pool.submit(client.complete, MESSAGES, seed=seed) for seed in (1, 2)]
        assert [each.result().text for each in asked] == ["hello", "hello"]


def test_counts_are_exact_over_threads() -> None:
    with ModelServer(replies("hello")) as server, ThreadPoolExecutor(4) as pool:
        client = Waits().client(server, prices=DOLLAR_A_REPLY)
        start = threading.Barrier(4)

        def work(thread: int) -> None:
            start.wait()
            for number in range(5):
                client.complete(MESSAGES, seed=10 * thread + number)

        list(pool.map(work, range(4)))
    assert (client.spending.requests, client.spending.usd) == (20, 20.0)


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    known = Usage(prompt_tokens=1, completion_tokens=2, cost_usd=0.5, calls=1)
    assert total_usage([known, known]) == Usage(
        prompt_tokens=2, completion_tokens=4, cost_usd=1.0, calls=2
    )
    assert total_usage([known, Usage(calls=2)]) == Usage(calls=3)
