"""The language-model agent and the prompt it sends, against a real local server."""

import pytest
from model_server import (
    Behaviour,
    ModelServer,
    fails,
    replies,
    replies_nothing,
)

from memory.channels import PART_OF_CHANNEL, channels
from memory.entry import Memory, render
from memory.treatments import Treatment
from probes.catalogue import load_tasks
from runner.actions import ActionSyntaxError, action_help, parse
from runner.agents.base import Agent, AgentSettings, Assignment, Reply, Turn, load_agents
from runner.agents.llm import REASKS, split_reply
from runner.errors import MachineryError, StopRunError, UserError
from runner.models import ModelClient, ModelSettings
from runner.observation import Observation
from runner.prompts import PastStep, as_messages, asked_again, build_prompt
from runner.records import Trial

PAGE = "/refunds\n[1] button 'Save'\n[2] link 'Orders'"
PAST = [
    PastStep(action="click('2')", thought="The orders are elsewhere."),
    PastStep(action="click('9')", error="there is no element 9 on this page"),
]
PROMPT = build_prompt("Refund order 7.", PAST, PAGE, action_help())
TURN = Turn(
    step=3, prompt=PROMPT, observation=Observation(text=PAGE, url="/refunds", title="Orders")
)
SEED = 42


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")


def assignment(client: ModelClient | None) -> Assignment:
    task = next(iter(load_tasks().values()))
    trial = Trial(
        task=task.id,
        task_revision=task.revision,
        task_hash="0" * 64,
        site=task.site,
        family=task.family,
        treatment=Treatment(),
        agent="llm",
        model="openai/small",
        seed=SEED,
    )
    settings = AgentSettings(name="llm", model="openai/small")
    return Assignment(settings=settings, trial=trial, task=task, attempt=1, client=client)


def make_agent(server: ModelServer) -> Agent:
    settings = ModelSettings(model="openai/small", api_base=server.api_base)
    client = ModelClient(settings, sleep=lambda _seconds: None)
    return load_agents()["llm"](assignment(client))


def act(*script: Behaviour) -> tuple[Reply, ModelServer]:
    with ModelServer(*script) as server:
        return make_agent(server).act(TURN), server


def test_the_model_is_asked_with_the_prompt_and_the_trials_seed() -> None:
    reply, server = act(replies("Thought: It is done.\nAction: stop('Done.')"))
    assert (reply.thought, reply.text, reply.ending) == ("It is done.", "stop('Done.')", "")
    assert reply.usage.prompt_tokens == 10
    assert [request["seed"] for request in server.requests] == [SEED]
    assert server.requests[0]["messages"] == as_messages(PROMPT)


def test_the_agent_is_no_simulation_and_needs_a_model() -> None:
    with pytest.raises(UserError, match="--model"):
        load_agents()["llm"](assignment(None))
    with ModelServer(replies("noop()")) as server:
        assert make_agent(server).simulated is False


@pytest.mark.parametrize(
    "empty",
    [
        replies_nothing([]),
        replies(None, finish="length"),
        replies(" \n", reasoning_content="click('1')"),
        replies("<think>click('1')", finish="length"),
    ],
)
def test_empty_reply_is_asked_for_again_and_then_ends_the_episode(empty: Behaviour) -> None:
    reply, server = act(empty)
    assert (reply.ending, reply.text) == ("empty_reply", "")
    assert len(server.requests) == 1 + REASKS == 2
    first, again = (request["messages"] for request in server.requests)
    assert again == asked_again(first) != first
    assert [message["role"] for message in again] == ["system", "user"]
    assert reply.usage.calls == 2
    assert reply.usage.prompt_tokens == 20

    recovered, server = act(empty, replies("noop()"))
    assert (recovered.ending, recovered.text, len(server.requests)) == ("", "noop()", 2)


def test_reasoning_is_recorded_and_never_carried_out() -> None:
    reply, _ = act(replies("Action: noop()", reasoning_content="Action: click('1')"))
    assert (reply.text, reply.reasoning) == ("noop()", "Action: click('1')")
    reply, _ = act(replies("", reasoning_content="Action: click('1')"))
    assert (reply.text, reply.reasoning) == ("", "Action: click('1')")


def test_malformed_action_is_a_step_not_a_second_question() -> None:
    reply, server = act(replies("I would click the button now."))
    assert (reply.text, reply.ending) == ("I would click the button now.", "")
    assert len(server.requests) == 1
    with pytest.raises(ActionSyntaxError):
        parse(reply.text)


def test_overlong_prompt_ends_the_episode() -> None:
    message = "This model's maximum context length is 4096 tokens"
    reply, server = act(fails(400, message))
    assert (reply.ending, reply.text, len(server.requests)) == ("context_exceeded", "", 1)
    assert reply.usage.prompt_tokens is None


@pytest.mark.parametrize(("status", "error"), [(401, StopRunError), (503, MachineryError)])
def test_troubles_of_the_machinery_are_not_the_agents(status: int, error: type[Exception]) -> None:
    with ModelServer(fails(status)) as server, pytest.raises(error):
        make_agent(server).act(TURN)


@pytest.mark.parametrize(
    ("text", "thought", "action"),
    [
        ("Thought: One.\nTwo.\nAction: click('1')", "One.\nTwo.", "click('1')"),
        ("click('1')", "", "click('1')"),
        ("I see (it) and button(s) here.\n\n```python\nclick('1')\n```", None, "click('1')"),
        ("**Thought:** One.\n**Action:** `click('1')`", "One.", "click('1')"),
        ("Thought: One.\nAction:\nfill('1', 'a (b) c')", "One.", "fill('1', 'a (b) c')"),
        ("Action: click('1')\nThis will save it.", "", "click('1')"),
        ("- click('1')", "", "click('1')"),
        ("One.\u2028click('1')", "One.", "click('1')"),
    ],
)
def test_thought_and_action_are_told_apart(text: str, thought: str | None, action: str) -> None:
    split = split_reply(text)
    assert split[1] == action
    assert thought is None or split[0] == thought
    parse(split[1])


@pytest.mark.parametrize(
    "text",
    [
        "click('1')\nclick('2')",
        "Thought: One.\nAction: click('1')\nObservation: saved\nThought: Two.\nAction: stop('x')",
        "Action: click the button",
        "I will click('1')",
        "Thought: One.\nAction: fly('1')",
        "fill('1', 'half",
        "x" * 1_000_000,
    ],
)
def test_nothing_is_guessed_from_an_unclear_reply(text: str) -> None:
    with pytest.raises(ActionSyntaxError):
        parse(split_reply(text)[1])


def test_every_part_of_the_prompt_is_sent_verbatim() -> None:
    lesson = Memory(id="m", do='click the button "Save". It is quick.', dont="wait; it is slow.")
    for name in channels:
        prompt = channels[name](PROMPT, render([lesson]))
        system, user = (message["content"] for message in as_messages(prompt))
        sent = f"{system}\n{user}"
        for part in ("system", "goal", "history", "tool_result", "observation"):
            assert getattr(prompt, part) in sent
        assert sent.count(render([lesson])) == 1
        assert (render([lesson]) in system) == (PART_OF_CHANNEL[name] == "system")


def test_the_prompt_tells_the_past_with_thoughts_and_errors() -> None:
    assert PROMPT.history == (
        "1. Thought: The orders are elsewhere.\n"
        "   Action: click('2')\n"
        "2. Action: click('9')\n"
        "   Error: there is no element 9 on this page"
    )
    assert build_prompt("Go.", [], PAGE, action_help()).history != ""
    assert action_help() in PROMPT.system
    rambling = build_prompt("Go.", [PastStep(action="x" * 10_000)], PAGE, action_help())
    assert len(rambling.history) < 600


def test_the_prompt_hides_that_it_is_a_measurement_and_says_nothing_of_trust() -> None:
    words = "test bench evaluat experiment mislead conflict trap probe memor trust simulat score"
    sent = "\n".join(message["content"] for message in as_messages(PROMPT)).lower()
    assert [word for word in words.split() if word in sent] == []
