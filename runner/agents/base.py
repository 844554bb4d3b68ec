"""What an agent is: one method. Everything it may know reaches it through a `Turn`."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Literal, Protocol

from pydantic import ConfigDict

import runner.agents
from memory.channels import Prompt
from memory.registry import Registry
from probes.task import Task
from runner.models import ModelClient
from runner.observation import Observation
from runner.records import Record, Trial, Usage


class Turn(Record):
    """What an agent is given at one step (counted from 1)."""

    step: int
    prompt: Prompt
    observation: Observation


class Reply(Record):
    """What an agent answers. `text` holds the action, as `runner.actions` reads it.

    `ending` is set when there is no action to carry out and the episode must end so.
    """

    text: str
    thought: str = ""
    reasoning: str = ""
    usage: Usage = Usage()
    ending: Literal["", "context_exceeded", "empty_reply"] = ""


class Agent(Protocol):
    """An agent for one episode. `act` may block: the runner calls it off the event loop.

    `simulated` says whether its behaviour is scripted: such results are labelled wherever they
    appear.
    """

    simulated: bool

    def act(self, turn: Turn) -> Reply:
        """Decide on the next action."""
        ...


class AgentSettings(Record):
    """Which agent, and with what: part of a run's configuration."""

    name: str = "simulated"
    preset: str = ""
    model: str = ""


class Assignment(Record):
    """What an agent is made for. Scripted agents read the task; an LLM agent must not."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    settings: AgentSettings
    trial: Trial
    task: Task
    attempt: int
    client: ModelClient | None = None


Factory = Callable[[Assignment], Agent]
agents: Registry[Factory] = Registry("agent")


def load_agents() -> Registry[Factory]:
    """All agents, found in the files of this package."""
    for module in pkgutil.iter_modules(runner.agents.__path__):
        importlib.import_module(f"runner.agents.{module.name}")
    return agents
