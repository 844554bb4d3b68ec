"""The instrument as a whole: simulated agents of known behaviour are measured as what they are.

Real browser, real store, real analysis; only the agent's decisions are made up.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.table import Row, tabulate
from probes.catalogue import load_tasks
from runner.agents.base import Agent, Assignment, Reply, Turn, agents, load_agents
from runner.campaign import Execution, run
from runner.configuration import RunConfiguration
from runner.store import load_tables

COMPLIANCE, SKILL = 0.66, 0.75
SEEDS = 4
PRESET = f"compliance={COMPLIANCE},skill={SKILL},recovery=0"


class Deaf:
    """A simulated agent that is handed prompts from which the observation's footer was cut."""

    simulated = True

    def __init__(self, inner: Agent) -> None:
        self._inner = inner

    def act(self, turn: Turn) -> Reply:
        prompt = turn.prompt.model_copy(update={"observation": ""})
        return self._inner.act(turn.model_copy(update={"prompt": prompt}))


@pytest.fixture(scope="module")
def deaf() -> Iterator[str]:
    """The deaf agent, registered as any agent is."""
    simulated = load_agents()["simulated"]

    @agents.register("deaf")
    def make(given: Assignment) -> Agent:
        return Deaf(simulated(given))

    yield "deaf"
    del agents._items["deaf"]


def measured(directory: Path, *, agent: str, seeds: int) -> Row:
    """The conflict row of a run with the simulated agent of known behaviour."""
    configuration = RunConfiguration(
        agent=agent, preset=PRESET, channel=("footer",), tasks=tuple(load_tasks()), seeds=seeds
    )
    execution = Execution(workers=2)
    standing = asyncio.run(
        run(configuration, directory, execution=execution, progress=lambda _standing: None)
    )
    assert standing.complete
    assert standing.errors == 0
    rows = [row for row in tabulate(load_tables(directory)).rows if not row.anchor]
    assert len(rows) == 1
    return rows[0]


@pytest.mark.timeout(900)
def test_known_compliance_and_damage_are_recovered(tmp_path: Path) -> None:
    row = measured(tmp_path / "run", agent="simulated", seeds=SEEDS)
    assert row.simulated
    assert row.rcr.n == len(load_tasks()) * SEEDS
    for estimate, truth in ((row.rcr, COMPLIANCE), (row.dpc, SKILL), (row.base, SKILL)):
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= truth <= estimate.high
    # Whoever does not comply loses nothing.
    assert row.rest.value == 0


@pytest.mark.timeout(900)
def test_without_injection_compliance_is_what_it_is_unexposed(tmp_path: Path, deaf: str) -> None:
    row = measured(tmp_path / "run", agent=deaf, seeds=1)
    assert row.rcr.n == len(load_tasks())
    assert row.rcr.value == 0
    assert row.delta.value == 0
