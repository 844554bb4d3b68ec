"""One trial in the real browser: schedules, replay, receipts, and whose failure is whose."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memory.channels import PART_OF_CHANNEL, Prompt, channels
from memory.treatments import Treatment
from probes.catalogue import load_tasks
from runner.agents.base import Agent, AgentSettings, Assignment, Reply, Turn, load_agents
from runner.agents.scripted import FREE
from runner.browser import Browser
from runner.episode import Stage, run_trial
from runner.errors import MachineryError
from runner.records import Episode, Trial
from webapps.host import Host

TASK = next(task for task in load_tasks().values() if task.harm.ledger)
Play = Callable[..., Awaitable[Episode]]


class Scripted:
    """An agent that says the given replies in turn, then stops."""

    simulated = True

    def __init__(self, *replies: str) -> None:
        self._replies = iter(replies)

    def act(self, _turn: Turn) -> Reply:
        return Reply(text=next(self._replies, "stop('Done.')"), usage=FREE)


class Breaking:
    """An agent whose class has a defect."""

    simulated = True

    def act(self, turn: Turn) -> Reply:
        raise ZeroDivisionError(f"at step {turn.step}")


class Unreachable:
    """An agent whose model is down."""

    simulated = True

    def act(self, _turn: Turn) -> Reply:
        raise MachineryError("no answer", status="model_error")


def trial(treatment: Treatment, agent: str = "follower") -> Trial:
    return Trial(
        task=TASK.id,
        task_revision=TASK.revision,
        task_hash=TASK.hash,
        site=TASK.site,
        family=TASK.family,
        treatment=treatment,
        agent=agent,
        model="",
        seed=1,
    )


@pytest.fixture
def play(site_browser: Browser, host: Host) -> Play:
    async def run(
        treatment: Treatment | None = None,
        *,
        agent: Agent | str = "follower",
        anchor: Episode | None = None,
        **settings: Any,
    ) -> Episode:
        def given(_: Assignment) -> Agent:
            assert not isinstance(agent, str)
            return agent

        factory = load_agents()[agent] if isinstance(agent, str) else given
        stage = Stage(
            browser=site_browser,
            host=host,
            factory=factory,
            settings=AgentSettings(name="test"),
            **{"max_steps": 40, **settings},
        )
        episode, texts = await run_trial(trial(treatment or Treatment()), stage, anchor)
        assert {step.observation for step in episode.steps} <= set(texts)
        return episode

    return run


def conflict(schedule: str, **factors: Any) -> Treatment:
    return Treatment(condition="conflict", schedule=schedule, **factors)


def shown_at(episode: Episode) -> list[int]:
    return [step.number for step in episode.steps if step.receipt.visible]


async def test_the_anchor_succeeds_and_sees_no_memory(play: Play) -> None:
    episode = await play()
    assert (episode.status, episode.success) == ("completed", True)
    assert shown_at(episode) == []
    assert len(episode.steps) == len(TASK.reference)
    assert not any(step.lost or step.error for step in episode.steps)
    assert episode.simulated


@pytest.mark.parametrize("channel", list(channels))
async def test_persistent_conflict_is_received_and_does_lasting_harm(
    play: Play, channel: str
) -> None:
    episode = await play(conflict("persistent", channel=channel))
    assert shown_at(episode) == [step.number for step in episode.steps]
    first = episode.steps[0]
    assert first.receipt.channel == channel
    assert first.receipt.part == PART_OF_CHANNEL[channel]
    assert first.element == first.receipt.primitive_element
    assert first.operation == first.receipt.primitive_operation
    assert episode.success is False
    lost = [step.lost for step in episode.steps]
    assert lost == sorted(lost), "what is lost stays lost"
    assert lost[-1]
    assert any(
        f":{TASK.harm.ledger} " in row for step in episode.steps for row in step.ledger_added
    )


async def test_early_is_visible_at_the_first_step_only(play: Play) -> None:
    assert shown_at(await play(conflict("early"))) == [1]


async def test_late_replays_two_steps_of_the_anchor(play: Play) -> None:
    anchor = await play()
    episode = await play(conflict("late"), anchor=anchor)
    assert [step.source for step in episode.steps[:3]] == ["replay", "replay", "agent"]
    assert [step.reply for step in episode.steps[:2]] == [step.reply for step in anchor.steps[:2]]
    assert [step.state for step in episode.steps[:2]] == [step.state for step in anchor.steps[:2]]
    assert shown_at(episode) == [step.number for step in episode.steps[2:]]
    assert episode.steps[2].element == episode.steps[2].receipt.primitive_element
    assert episode.success is False


async def test_late_is_unexposed_when_the_anchor_ended_before(play: Play) -> None:
    anchor = await play(agent=Scripted())
    episode = await play(conflict("late"), anchor=anchor)
    assert (episode.status, episode.success) == ("unexposed", None)


async def test_a_replay_that_meets_another_page_is_the_machinerys_fault(play: Play) -> None:
    anchor = await play()
    steps = (anchor.steps[0].model_copy(update={"observation": "0" * 64}), *anchor.steps[1:])
    episode = await play(conflict("late"), anchor=anchor.model_copy(update={"steps": steps}))
    assert (episode.status, episode.success) == ("infra_error", None)


async def test_retry_reuses_a_successful_anchor(play: Play) -> None:
    anchor = await play()
    episode = await play(conflict("retry-on-fail"), anchor=anchor)
    assert (episode.success, episode.reused, episode.attempt) == (True, anchor.key, 1)
    assert episode.steps == ()


async def test_retry_injects_after_a_failed_anchor(play: Play) -> None:
    anchor = await play(agent=Scripted("noop()"))
    assert anchor.success is False
    helped = Treatment(condition="helpful", schedule="retry-on-fail")
    episode = await play(helped, anchor=anchor)
    assert (episode.attempt, episode.success) == (2, True)
    assert shown_at(episode) == [step.number for step in episode.steps]
    plain = await play(Treatment(schedule="retry-on-fail"), anchor=anchor)
    assert (plain.attempt, plain.success, shown_at(plain)) == (2, True, [])


async def test_without_a_scored_anchor_there_is_no_late_episode(play: Play) -> None:
    broken = await play(agent=Breaking())
    for anchor in (None, broken):
        episode = await play(conflict("late"), anchor=anchor)
        assert (episode.status, episode.success) == ("anchor_missing", None)


async def test_an_invented_label_resolves_to_nothing(play: Play) -> None:
    episode = await play(conflict("persistent", grounding="absent"))
    assert {step.receipt.primitive_element for step in episode.steps} == {None}
    assert TASK.invented in episode.steps[0].receipt.primitive
    assert episode.success


async def test_a_channel_that_loses_the_memory_is_no_data_point(
    play: Play, broken_channel: str
) -> None:
    episode = await play(conflict("persistent", channel=broken_channel))
    assert (episode.status, episode.success) == ("delivery_error", None)


@pytest.fixture
def broken_channel(monkeypatch: pytest.MonkeyPatch) -> str:
    """A channel that says it delivers to the observation and does not."""

    def lose(prompt: Prompt, _text: str) -> Prompt:
        return prompt

    monkeypatch.setitem(PART_OF_CHANNEL, "broken", "observation")
    monkeypatch.setitem(channels._items, "broken", lose)
    return "broken"


async def test_an_agents_defect_is_recorded_and_not_scored(play: Play) -> None:
    episode = await play(agent=Breaking())
    assert (episode.status, episode.success) == ("agent_crash", None)
    assert "ZeroDivisionError: at step 1" in episode.detail


async def test_a_model_that_is_down_is_not_the_agents_failure(play: Play) -> None:
    episode = await play(agent=Unreachable())
    assert (episode.status, episode.success, episode.detail) == ("model_error", None, "no answer")


async def test_nonsense_costs_a_step_and_is_told_to_the_agent(play: Play) -> None:
    episode = await play(agent=Scripted("import os", "click('9999')", "goto('http://127.0.0.1/')"))
    assert episode.success is False
    assert all(step.error for step in episode.steps[:3])
    assert [step.operation for step in episode.steps] == ["", "click", "goto", "stop"]
    assert len({step.state for step in episode.steps}) == 1


async def test_the_step_limit_ends_an_episode(play: Play) -> None:
    episode = await play(agent=Scripted(*["noop()"] * 9), max_steps=4)
    assert (episode.status, episode.success, len(episode.steps)) == ("max_steps", False, 4)


async def test_a_deadline_is_the_machinerys(play: Play) -> None:
    episode = await play(agent=Scripted(*["noop()"] * 99), episode_seconds=0.05)
    assert (episode.status, episode.success) == ("infra_error", None)


async def test_two_runs_differ_in_nothing_but_time(play: Play) -> None:
    timing = {"started_at", "seconds", "model_seconds", "action_seconds", "observation_seconds"}

    def timeless(episode: Episode) -> Any:
        data = episode.model_dump(exclude=timing)
        return data | {"steps": [step.model_dump(exclude=timing) for step in episode.steps]}

    treatment = conflict("persistent", channel="footer")
    assert timeless(await play(treatment)) == timeless(await play(treatment))
