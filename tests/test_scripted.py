"""Scripted agents: what they do, and that they learn of a memory from the prompt alone."""

import pytest

from memory.channels import Prompt, channels
from memory.entry import Memory, render
from probes.catalogue import load_tasks, memory_set
from probes.moves import Move, click, say
from probes.task import Task
from runner.agents.base import Turn
from runner.agents.scripted import (
    PRESETS,
    Behaviour,
    Follower,
    PathAgent,
    Simulated,
    read_behaviour,
)
from runner.errors import UserError
from runner.observation import Element, Observation

TASK = next(iter(load_tasks().values()))
PROMPT = Prompt(system="S", goal="G", history="H", tool_result="", observation="O")
ELSEWHERE = click("button", "Somewhere else")


def page(*moves: Move) -> Observation:
    """A page with one element for each move, ids from 1."""
    elements = tuple(
        Element(id=str(number), role=move.role, name=move.name, depth=0, parent=None)
        for number, move in enumerate(moves, start=1)
    )
    return Observation(text="page", url="/", title="", elements=elements)


def turn(
    step: int, seen: Observation, memory: Memory | None = None, channel: str = "footer"
) -> Turn:
    prompt = channels[channel](PROMPT, render([memory])) if memory else PROMPT
    return Turn(step=step, prompt=prompt, observation=seen)


def recommending(*moves: Move) -> Memory:
    return Memory(id="m", do=f"{say(moves)}. It is quicker.", dont="wait.")


def test_the_oracle_gives_up_when_its_element_is_not_there() -> None:
    agent = PathAgent((click("button", "Save"), ELSEWHERE), "/")
    assert agent.act(turn(1, page(ELSEWHERE))).text == "stop('Done.')"


def test_two_elements_of_one_name_are_none() -> None:
    twice = page(ELSEWHERE, ELSEWHERE)
    assert PathAgent((ELSEWHERE,), "/").act(turn(1, twice)).text == "stop('Done.')"


@pytest.mark.parametrize("channel", list(channels))
def test_the_follower_obeys_what_it_reads_in_any_channel(channel: str) -> None:
    seen = page(TASK.reference[0], ELSEWHERE)
    told = Follower(TASK).act(turn(1, seen, recommending(ELSEWHERE), channel))
    assert told.text == "click('2')"


def test_the_follower_goes_back_to_the_start_after_a_detour() -> None:
    agent = Follower(TASK)
    seen = page(ELSEWHERE)
    agent.act(turn(1, seen, recommending(ELSEWHERE)))
    assert agent.act(turn(2, seen, recommending(ELSEWHERE))).text == f"goto({TASK.start!r})"


def test_a_memory_that_is_no_longer_visible_is_no_longer_obeyed() -> None:
    agent = Follower(TASK)
    second = click("button", "And then this")
    seen = page(ELSEWHERE, second)
    agent.act(turn(1, seen, recommending(ELSEWHERE, second)))
    assert agent.act(turn(2, seen)).text == f"goto({TASK.start!r})"


def test_a_memory_that_cannot_be_grounded_is_no_detour() -> None:
    first = TASK.reference[0]
    agent = Follower(TASK)
    assert agent.act(turn(1, page(first), recommending(ELSEWHERE))).text.endswith("('1')")


def simulated(task: Task, seed: int, **probabilities: float) -> Simulated:
    return Simulated(task, seed, Behaviour(**{"recovery": 0.0, **probabilities}))


def test_compliance_is_the_probability_it_is_said_to_be() -> None:
    seen = page(TASK.reference[0], ELSEWHERE)
    obeyed = sum(
        simulated(TASK, seed, compliance=0.66)
        .act(turn(1, seen, recommending(ELSEWHERE)))
        .text.endswith("('2')")
        for seed in range(2000)
    )
    assert abs(obeyed / 2000 - 0.66) < 0.04


def test_skill_does_not_depend_on_what_the_agent_is_told() -> None:
    length = len(TASK.reference)

    def finishes(seed: int, memory: Memory | None) -> bool:
        agent = simulated(TASK, seed, skill=0.5, compliance=0.0)
        for step in range(1, length):
            move = TASK.reference[step - 1]
            if agent.act(turn(step, page(move), memory)).text.startswith("stop"):
                return False
        return True

    plain = [finishes(seed, None) for seed in range(200)]
    told = [finishes(seed, recommending(ELSEWHERE)) for seed in range(200)]
    assert plain == told
    assert 70 < sum(plain) < 130


def test_a_simulated_agent_picks_any_of_several_memories() -> None:
    memories = memory_set(TASK)
    entries = [memories.conflict, *memories.neighbours]
    prompt = channels["system"](PROMPT, render(entries))
    primitives = [each.moves[0] for each in (TASK.conflict, *TASK.neighbours)]
    seen = page(*primitives)
    picked = {
        simulated(TASK, seed, compliance=1.0)
        .act(Turn(step=1, prompt=prompt, observation=seen))
        .text
        for seed in range(60)
    }
    assert len(picked) >= len(set(primitives))


def test_presets_and_custom_probabilities() -> None:
    assert read_behaviour("") == PRESETS["default"]
    assert read_behaviour("strong") == PRESETS["strong"]
    assert read_behaviour("skill=0.8, compliance=0.5").skill == 0.8


@pytest.mark.parametrize("preset", ["clever", "skill=2", "skill=x", "speed=0.5", "skill"])
def test_an_unknown_preset_is_refused_in_one_line(preset: str) -> None:
    with pytest.raises(UserError, match="give one of default, weak, strong, cautious"):
        read_behaviour(preset)
