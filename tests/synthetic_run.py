"""Run stores with known contents, written through the real store."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from memory.treatments import Treatment
from runner.records import AGENT_STATUSES, Episode, Receipt, Step, Trial
from runner.store import Manifest, RunWriter, write_manifest

SITES = ("refunds", "settings")
FAMILIES = ("decoy", "uptake", "grounding", "override")
TOLD = {"primitive_operation": "click", "primitive_element": "7"}


def make_trial(task: str = "refunds-decoy-01", *, seed: int = 1, **factors: Any) -> Trial:
    """A trial; without factors it is an anchor."""
    who = {name: factors.pop(name) for name in ("agent", "model") if name in factors}
    site, family, _ = task.split("-")
    return Trial(
        task=task,
        task_revision=1,
        task_hash=task.encode().hex().ljust(64, "0"),
        site=site,
        family=family,
        treatment=Treatment(**factors),
        agent=who.get("agent", "simulated"),
        model=who.get("model", ""),
        seed=seed,
    )


def make_step(number: int = 1, *, told: dict[str, Any] | None = None, **done: Any) -> Step:
    """A step; `told` are the fields of a receipt with a visible memory."""
    receipt = Receipt(visible=False)
    if told is not None:
        receipt = Receipt(visible=True, text="DO: …", channel="system", part="system", **told)
    fields = {"operation": "click", "element": "7", "target_role": "button", **done}
    return Step(
        number=number,
        source="agent",
        url="/refunds",
        observation="",
        observation_truncated=False,
        receipt=receipt,
        **fields,
    )


def make_episode(trial: Trial, success: bool | None = True, **fields: Any) -> Episode:
    """An ended trial."""
    fields = {"status": "completed", "simulated": trial.agent == "simulated", **fields}
    if fields["status"] not in AGENT_STATUSES:
        success = None
    return Episode(trial=trial, key=trial.key, success=success, **fields)


def write_run(
    directory: Path, plan: Iterable[Trial], episodes: Iterable[Episode], *, simulated: bool = True
) -> Path:
    """A run directory with this plan and these episodes."""
    directory.mkdir(parents=True, exist_ok=True)
    manifest = Manifest(
        created_at="2026-01-01T00:00:00Z",
        configuration={
            "agent": {"name": "simulated"},
            "schedules": ["persistent"],
            "max_steps": 30,
        },
        versions={"memtrap": "0.1.0", "python": "3.11"},
        catalogue="0" * 64,
        simulated=simulated,
    )
    write_manifest(directory, manifest)
    with RunWriter(directory) as writer:
        writer.write_plan(list(plan))
        for episode in episodes:
            writer.write(episode, {})
    return directory


def task_ids(per_family: int) -> list[str]:
    """Ids over all sites and families."""
    numbers = range(1, per_family + 1)
    return [f"{site}-{family}-{n:02}" for site in SITES for family in FAMILIES for n in numbers]


@dataclass(frozen=True)
class Design:
    """What `drawn_run` draws from. An agent complies with probability `compliance`, and loses a
    task it would win with `damage` when it did; `trouble` is how often the machinery fails."""

    per_family: int = 2
    seeds: int = 1
    cells: tuple[dict[str, Any], ...] = ({"condition": "conflict", "schedule": "persistent"},)
    agents: tuple[dict[str, Any], ...] = ({"agent": "simulated"},)
    skill: float = 0.6
    compliance: float = 0.66
    damage: float = 0.8
    trouble: float = 0.0


def drawn_run(directory: Path, design: Design, *, simulated: bool = True) -> Path:
    """A run drawn, the same each time, from `design`."""
    draw = random.Random(1)
    plan: list[Trial] = []
    episodes: list[Episode] = []

    def record(trial: Trial, success: bool, step: Step, detail: str) -> None:
        plan.append(trial)
        fields: dict[str, Any] = {"steps": (step,), "detail": "" if success else detail}
        if draw.random() < design.trouble:
            fields = {"status": "infra_error", "detail": "the browser crashed"}
        episodes.append(make_episode(trial, success, **fields))

    pairs = product(design.agents, task_ids(design.per_family), range(1, design.seeds + 1))
    for who, task, seed in pairs:
        base = draw.random() < design.skill
        record(make_trial(task, seed=seed, **who), base, make_step(), "orders differ")
        for cell in design.cells:
            complied = draw.random() < design.compliance
            treated = base and not (complied and draw.random() < design.damage)
            step = make_step(told=TOLD, element="7" if complied else "9")
            record(make_trial(task, seed=seed, **who, **cell), treated, step, "a refund is lost")
    return write_run(directory, plan, episodes, simulated=simulated)
