"""Single requests to a real local server, through the real LiteLLM."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from model_server import (
    DOLLAR_A_REPLY,
    MESSAGES,
    SERVER_MODEL,
    Behaviour,
    ModelServer,
    Waits,
    fails,
    replies,
    replies_nothing,
    replies_without_usage,
)

from runner.errors import MachineryError, StopRunError
from runner.models import Completion, ContextExceededError, ModelClient, ModelSettings, ToolCall
from runner.records import Usage


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")


def ask(behaviour: Behaviour, **settings: Any) -> Completion:
    with ModelServer(behaviour) as server:
        return Waits().client(server, **settings).complete(MESSAGES, seed=7)


def test_request_carries_what_was_recorded() -> None:
    with ModelServer(replies("click('3')")) as server:
        client = Waits().client(server, max_tokens=50, extra={"top_p": 0.5})
        completion = client.complete(MESSAGES, seed=7)
    assert server.requests == [
        {
            "model": "small",
            "messages": MESSAGES,
            "temperature": 0.0,
            "max_tokens": 50,
            "seed": 7,
            "top_p": 0.5,
        }
    ]
    assert server.keys == ["Bearer test-key"]
    assert completion == Completion(
        text="click('3')",
        finish_reason="stop",
        usage=Usage(prompt_tokens=10, completion_tokens=2, cost_usd=None, calls=1),
        model=SERVER_MODEL,
    )


@pytest.mark.parametrize(
    "behaviour",
    [
        replies_nothing([]),
        replies(None, finish="length"),
        replies([]),
        replies("", reasoning_content="click('5')"),
        replies("", reasoning="click('5')"),
        replies("<think>click('5')</think>"),
        replies("<think>click('5')", finish="length"),
    ],
)
def test_reply_without_text_is_an_empty_completion(behaviour: Behaviour) -> None:
    assert ask(behaviour).text == ""


@pytest.mark.parametrize(
    "behaviour",
    [
        replies("go_back()", reasoning_content="click('5')"),
        replies("go_back()", reasoning="click('5')"),
        replies("<think>click('5')</think>go_back()"),
    ],
)
def test_reasoning_is_kept_apart_from_the_text(behaviour: Behaviour) -> None:
    completion = ask(behaviour)
    assert (completion.text, completion.reasoning) == ("go_back()", "click('5')")


def test_text_parts_are_joined() -> None:
    parts = [
        {"type": "text", "text": "click("},
        {"type": "image", "image": "x"},
        {"type": "text", "text": "'3')"},
    ]
    completion = ask(replies(parts))
    assert completion.text == "click('3')"
    assert completion.usage.prompt_tokens == 10


@pytest.mark.parametrize(
    "behaviour",
    [
        replies_without_usage("hello"),
        replies("hello", usage={"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}),
    ],
)
@pytest.mark.parametrize("settings", [{}, {"prices": DOLLAR_A_REPLY}, {"model": "openai/gpt-4o"}])
def test_missing_token_counts_are_unknown_and_so_is_the_cost(
    behaviour: Behaviour, settings: dict[str, Any]
) -> None:
    assert ask(behaviour, **settings).usage == Usage(calls=1)


def test_cost_is_litellms_or_ours_or_unknown() -> None:
    assert ask(replies("hello")).usage.cost_usd is None
    assert ask(replies("hello"), prices=DOLLAR_A_REPLY).usage.cost_usd == 1.0
    known = ask(replies("hello"), model="openai/gpt-4o").usage.cost_usd
    assert known is not None
    assert 0 < known < 0.001


@pytest.mark.parametrize("arguments", ['{"city": "Par', "[]", "null", '"x"'])
def test_tool_arguments_stay_as_they_came(arguments: str) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "clik", "arguments": arguments}}
    completion = ask(replies(None, finish="tool_calls", tool_calls=[call]))
    assert completion.tool_calls == (ToolCall(id="c1", name="clik", arguments=arguments),)


def test_text_that_utf8_cannot_hold_is_escaped(tmp_path: Path) -> None:
    content = "a\ud83db\x00c\u2028d" + "e" * 1_000_000
    with ModelServer(replies(content, reasoning_content="\ud83d")) as server:
        client = Waits().client(server, cache_directory=tmp_path)
        fresh, cached = (client.complete(MESSAGES, seed=7) for _ in range(2))
    assert fresh.text == cached.text == "a\\ud83db\x00c\u2028d" + "e" * 1_000_000
    assert fresh.reasoning == cached.reasoning == "\\ud83d"
    assert Completion.model_validate_json(fresh.model_dump_json()) == fresh


def test_prompt_with_half_an_emoji_can_be_sent() -> None:
    with ModelServer(replies("hello")) as server:
        Waits().client(server).complete([{"role": "user", "content": "a\ud83db"}], seed=7)
    assert server.requests[0]["messages"] == [{"role": "user", "content": "a\\ud83db"}]


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [
        (fails(400), "'openai/small' was refused: .*it went wrong"),
        (fails(401), "the key for model 'openai/small' was refused: .*it went wrong"),
        (fails(402), "was refused"),
        (fails(403), "was refused"),
        (fails(404), "model 'openai/small' was not found"),
        (fails(422), "was refused"),
        (fails(429, code="insufficient_quota", message="insufficient_quota"), "was refused"),
        (fails(400, "a\nb " + "long " * 200), "a b long"),
    ],
)
def test_what_cannot_be_mended_stops_the_run_after_one_request(
    behaviour: Behaviour, says: str
) -> None:
    waits = Waits()
    with ModelServer(behaviour) as server, pytest.raises(StopRunError, match=says) as caught:
        waits.client(server).complete(MESSAGES, seed=7)
    assert (len(server.requests), waits) == (1, [])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_missing_key_is_named_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with (
        ModelServer(replies("hello")) as server,
        pytest.raises(StopRunError, match="set OPENAI_API_KEY"),
    ):
        Waits().client(server).complete(MESSAGES, seed=7)
    assert server.requests == []


def test_unknown_provider_stops_the_run() -> None:
    client = ModelClient(ModelSettings(model="no-such-provider/model"))
    with pytest.raises(StopRunError, match="no-such-provider/model"):
        client.complete(MESSAGES, seed=7)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "This model's maximum context length is 4096 tokens"),
        (400, "the request exceeds the available context size"),
        (413, "prompt is too long"),
        (400, "maximum context length is 10 tokens"),
    ],
)
def test_overlong_prompt_has_an_error_of_its_own(status: int, message: str) -> None:
    with ModelServer(fails(status, message)) as server, pytest.raises(ContextExceededError):
        Waits().client(server).complete(MESSAGES, seed=7)
    assert len(server.requests) == 1


def test_content_filter_costs_the_episode_not_the_run() -> None:
    behaviour = fails(400, "The response was filtered", code="content_filter")
    with ModelServer(behaviour) as server, pytest.raises(MachineryError, match="filter") as caught:
        Waits().client(server).complete(MESSAGES, seed=7)
    assert (caught.value.status, len(server.requests)) == ("model_error", 1)


PROGRAM = """
import sys

connected = []
sys.addaudithook(lambda name, args: connected.append(args[1][0]) if name == "socket.connect" else 0)
import runner.models
from runner.agents.base import load_agents

load_agents()
assert "litellm" not in sys.modules, "litellm was imported before it was needed"
from runner.errors import MachineryError

settings = runner.models.ModelSettings(model="openai/small", api_base=sys.argv[1], tries=1)
client = runner.models.ModelClient(settings)
for seed in range(3):
    try:
        client.complete([{"role": "user", "content": "What next?"}], seed=seed)
    except MachineryError:
        pass
assert "litellm" in sys.modules
assert connected and set(connected) == {"127.0.0.1"}, connected
"""


def test_litellm_is_imported_late_and_stays_silent_and_local() -> None:
    parts = replies([{"type": "text", "text": "hello"}])
    odd = replies("hello", finish="some_new_reason")
    with ModelServer(fails(503), parts, odd) as server:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, server.api_base],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(server.requests) == 3
