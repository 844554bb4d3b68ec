"""A run's configuration: what defines its results, with every default filled in.

Fields are named as the options of the command line are, and the defaults below are the only ones.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from memory.channels import channels
from memory.conditions import MemorySet, conditions
from memory.own import SLOTS, OwnMemory, override, own_memory
from memory.schedules import schedules
from memory.treatments import ENTRIES, GROUNDINGS, Treatment
from probes.catalogue import choose, memory_set
from probes.task import Task
from runner.agents.base import Agent, AgentSettings, Assignment, load_agents
from runner.models import ModelClient, ModelSettings
from runner.records import Record, Trial

LANGUAGE_MODEL_AGENT = "llm"
# What may change between the sittings of one run without changing its results.
NOT_DEFINING = ("budget",)


class RunConfiguration(Record):
    """All options that define a run. `tasks` are ids; `seeds` is how many, from 1.

    `budget` is in US dollars for the whole run; it ends a run early and changes no result.
    """

    schedule: tuple[str, ...] = ("persistent",)
    condition: tuple[str, ...] = ("conflict",)
    channel: tuple[str, ...] = ("system",)
    entry: tuple[str, ...] = ("single",)
    grounding: tuple[str, ...] = ("present",)
    reversible: bool = False
    agent: str = "simulated"
    preset: str = ""
    model: str = ""
    api_base: str = ""
    temperature: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    no_cache: bool = False
    tasks: tuple[str, ...] = Field(min_length=1)
    seeds: int = Field(default=1, ge=1)
    max_steps: int = Field(default=30, ge=1)
    memories: tuple[OwnMemory, ...] = ()
    budget: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _coherent(self) -> "RunConfiguration":
        for known, names in (
            (schedules, self.schedule),
            (conditions, self.condition),
            (channels, self.channel),
            (load_agents(), (self.agent,)),
        ):
            for name in names:
                known[name]
        if (self.agent == LANGUAGE_MODEL_AGENT) != bool(self.model):
            raise ValueError(
                f"the agent {LANGUAGE_MODEL_AGENT!r} needs a --model, and only it can use one"
            )
        if not self.model.isprintable():
            raise ValueError("the model's name is not plain text")
        if not set(self.entry) <= set(ENTRIES) or not set(self.grounding) <= set(GROUNDINGS):
            raise ValueError(f"entry is one of {ENTRIES} and grounding one of {GROUNDINGS}")
        if self.memories:
            self._check_memories()
        return self

    def _check_memories(self) -> None:
        """Whether every task has its own memory in each condition the user's memories are for."""
        if "absent" in self.grounding:
            raise ValueError(
                "memories of your own have no ungroundable variant: leave out --grounding absent"
            )
        given = {own.condition for own in self.memories}
        if not given & set(self.condition):
            raise ValueError(
                f"the memories are for {', '.join(sorted(given))}, "
                f"the run is for {', '.join(self.condition)}"
            )
        for condition in (name for name in SLOTS if name in given and name in self.condition):
            for task in self.tasks:
                if own_memory(self.memories, task, condition) is None:
                    raise ValueError(
                        f"no {condition} memory of yours is for task {task}; "
                        "add one or narrow --tasks"
                    )

    def model_settings(self, cache: Path | None, budget: float | None) -> ModelSettings | None:
        """How the model is called; None when none is. `budget` replaces this run's unless None."""
        if not self.model:
            return None
        return ModelSettings(
            model=self.model,
            api_base=self.api_base,
            temperature=self.temperature,
            cache_directory=None if self.no_cache else cache,
            budget_usd=self.budget if budget is None else budget,
        )

    @property
    def settings(self) -> AgentSettings:
        """What the agent is made with."""
        return AgentSettings(name=self.agent, preset=self.preset, model=self.model)

    def memories_of(self, task: Task) -> MemorySet:
        """A task's memories, the user's own in their place."""
        return override(memory_set(task), self.memories, task.id)


def first_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """The first option in which two configurations, as the manifest has them, differ."""
    names = [name for name in (*new, *old) if name not in NOT_DEFINING]
    return next((name for name in names if old.get(name) != new.get(name)), None)


def option(name: str) -> str:
    """A field's name on the command line."""
    return "--" + name.replace("_", "-")


def treatments(configuration: RunConfiguration) -> list[Treatment]:
    """The cells of the design, each once, the anchor first."""
    cells = [
        _cell(
            condition=condition,
            schedule=schedule,
            channel=channel,
            entry=entry,
            grounding=grounding,
            reversible=configuration.reversible,
        )
        for schedule in configuration.schedule
        for condition in configuration.condition
        for channel in configuration.channel
        for entry in configuration.entry
        for grounding in configuration.grounding
    ]
    return list(dict.fromkeys([Treatment(reversible=configuration.reversible), *cells]))


def _cell(*, condition: str, schedule: str, reversible: bool, **how: Any) -> Treatment:
    """One cell. Without a memory there is nothing to vary but whether a failure is retried."""
    bare = Treatment(schedule=schedule, reversible=reversible)
    if condition == "none":
        return bare if bare.rule.attempts > 1 else bare.anchor()
    full = Treatment(condition=condition, schedule=schedule, reversible=reversible, **how)
    return full.anchor() if full.is_anchor else full


def plan(configuration: RunConfiguration, tasks: Sequence[Task]) -> tuple[Trial, ...]:
    """The trials of a run in their order: all anchors, then cell by cell of the design."""
    name = configuration.agent + (f":{configuration.preset}" if configuration.preset else "")
    return tuple(
        Trial(
            task=task.id,
            task_revision=task.revision,
            task_hash=task.hash,
            site=task.site,
            family=task.family,
            treatment=treatment,
            agent=name,
            model=configuration.model,
            seed=seed,
        )
        for treatment in treatments(configuration)
        for seed in range(1, configuration.seeds + 1)
        for task in tasks
    )


def chosen_tasks(configuration: RunConfiguration) -> list[Task]:
    """The tasks of a run, in the catalogue's order. Unknown ones raise `UnknownTaskError`."""
    return choose(configuration.tasks)


def first_agent(configuration: RunConfiguration, client: ModelClient | None) -> Agent:
    """The agent of the first trial. Raises UserError when the agent's settings make no sense."""
    task = chosen_tasks(configuration)[0]
    given = Assignment(
        settings=configuration.settings,
        trial=plan(configuration, [task])[0],
        task=task,
        attempt=1,
        client=client,
    )
    return load_agents()[configuration.agent](given)
