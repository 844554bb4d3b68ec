"""One trial, from an opened world to a finished record. Needs no plan and no disk."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.channels import Prompt, channels
from memory.conditions import MemorySet
from memory.treatments import deliver
from probes.catalogue import load_tasks, memory_set
from probes.moves import goto
from probes.task import Task
from runner.actions import Action, ActionSyntaxError, action_help, move_action, parse
from runner.agents.base import Agent, AgentSettings, Assignment, Factory, Reply, Turn
from runner.browser import Browser, Session
from runner.errors import MachineryError, StopRunError
from runner.models import ModelClient
from runner.observation import Observation
from runner.prompts import PastStep, build_prompt
from runner.receipts import NO_RECEIPT, broken_promise, make_receipt
from runner.records import AGENT_STATUSES, Episode, Receipt, Status, Step, Trial
from webapps.host import Host
from webapps.ledger import Entry
from webapps.world import World, differences

DIFFERENCES_TOLD = 5


@dataclass(frozen=True, kw_only=True)
class Stage:
    """All that an episode needs besides its trial. Times are in seconds.

    `watch` is called with every observation as it is made; `memories` gives a task's memories.
    With `screenshots`, a directory that exists, each observation leaves a picture there.
    """

    browser: Browser
    host: Host
    factory: Factory
    settings: AgentSettings
    client: ModelClient | None = None
    max_steps: int
    episode_seconds: float = 3600.0
    memories: Callable[[Task], MemorySet] = memory_set
    screenshots: Path | None = None
    watch: Callable[[Observation], None] = field(default=lambda _observation: None)


async def run_trial(
    trial: Trial, stage: Stage, anchor: Episode | None
) -> tuple[Episode, Mapping[str, str]]:
    """Run `trial` and return its record with the observations' texts by their sha256.

    `anchor` is the finished episode without memory that the late and retry-on-fail schedules build
    on. What breaks in the machinery is recorded in the episode; only StopRunError is raised.
    """
    needs_anchor = trial.treatment.rule.replayed > 0 or trial.treatment.rule.attempts > 1
    if needs_anchor and (anchor is None or not anchor.scored):
        return _without_steps(trial, "anchor_missing", "its anchor did not finish"), {}
    if trial.treatment.rule.attempts > 1 and anchor is not None and anchor.success:
        reused = _without_steps(trial, "completed", "")
        return reused.model_copy(
            update={
                "success": True,
                "reused": anchor.key,
                "answer": anchor.answer,
                "simulated": anchor.simulated,
                "browser": anchor.browser,
            }
        ), {}
    performance = _Performance(trial, stage, anchor)
    return await performance.run(), performance.texts


def _without_steps(trial: Trial, status: Status, detail: str) -> Episode:
    return Episode(
        trial=trial,
        key=trial.key,
        status=status,
        success=None,
        detail=detail,
        started_at=_now(),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class _Performance:
    """The state of one running episode."""

    def __init__(self, trial: Trial, stage: Stage, anchor: Episode | None) -> None:
        self.trial = trial
        self.stage = stage
        self.task = load_tasks()[trial.task]
        self.rule = trial.treatment.rule
        self.attempt = self.rule.attempts
        self.replay = anchor.steps[: self.rule.replayed] if anchor and self.rule.replayed else ()
        self.delivery = deliver(stage.memories(self.task), trial.treatment)
        self.world = self.task.world(reversible=trial.treatment.reversible)
        self.goal = self.task.goal_world(reversible=trial.treatment.reversible)
        self.judge = _Bookkeeper(self.world, self.goal)
        self.steps: list[Step] = []
        self.past: list[PastStep] = []
        self.texts: dict[str, str] = {}
        self.answer = ""

    async def run(self) -> Episode:
        started, clock = _now(), time.monotonic()
        token = self.stage.host.open(self.world)
        simulated = False
        blocked: tuple[str, ...] = ()
        try:
            agent = self._agent()
            simulated = agent.simulated
            session = await self.stage.browser.session(token, screenshots=self.stage.screenshots)
            try:
                async with asyncio.timeout(self.stage.episode_seconds):
                    status = await self._play(agent, session)
            finally:
                blocked = tuple(session.blocked)
                await session.close()
            broken, detail = broken_promise(self.steps, self.delivery, self.rule, self.attempt)
            status = broken or status
        except StopRunError:
            raise
        except TimeoutError:
            status, detail = "infra_error", "the episode passed its deadline"
        except MachineryError as error:
            status, detail = error.status, str(error)
        finally:
            self.stage.host.release(token)
        success = None
        if status in AGENT_STATUSES:
            left = differences(self.world, self.goal)
            success, detail = not left, _told(left)
        self.world.close()
        self.goal.close()
        return Episode(
            trial=self.trial,
            key=self.trial.key,
            status=status,
            success=success,
            detail=detail,
            answer=self.answer,
            attempt=self.attempt,
            steps=tuple(self.steps),
            blocked_requests=blocked,
            started_at=started,
            seconds=time.monotonic() - clock,
            simulated=simulated,
            browser=self.stage.browser.version,
        )

    def _agent(self) -> Agent:
        return self.stage.factory(
            Assignment(
                settings=self.stage.settings,
                trial=self.trial,
                task=self.task,
                attempt=self.attempt,
                client=self.stage.client,
            )
        )

    async def _play(self, agent: Agent, session: Session) -> Status:
        """The loop: observe, decide, act, write down."""
        await session.execute(parse(move_action(goto(self.task.start), None)))
        for number in range(1, self.stage.max_steps + 1):
            ending = await self._step(number, agent, session)
            if ending is not None:
                return ending
        return "max_steps"

    async def _step(self, number: int, agent: Agent, session: Session) -> Status | None:
        clock = time.monotonic()
        seen = await session.observe()
        seconds_observing = time.monotonic() - clock
        self.stage.watch(seen)
        self.texts[seen.sha256] = seen.text
        prompt, receipt = self._prompt(number, seen)
        clock = time.monotonic()
        replayed = number <= len(self.replay)
        if replayed:
            reply = self._replayed(number, seen)
        else:
            reply = await _ask(agent, Turn(step=number, prompt=prompt, observation=seen))
        seconds_thinking = time.monotonic() - clock
        step = Step(
            number=number,
            source="replay" if replayed else "agent",
            url=seen.url,
            observation=seen.sha256,
            observation_truncated=seen.truncated,
            receipt=receipt,
            thought=reply.thought,
            reasoning=reply.reasoning,
            reply=reply.text,
            dialog=seen.dialog,
            alerts=seen.alerts,
            usage=reply.usage,
            model_seconds=seconds_thinking,
            observation_seconds=seconds_observing,
        )
        if reply.ending:
            self.steps.append(step.model_copy(update=self.judge.changes()))
            return reply.ending
        return await self._act(step, reply, seen, session)

    async def _act(
        self, step: Step, reply: Reply, seen: Observation, session: Session
    ) -> Status | None:
        clock = time.monotonic()
        done, parsed = False, {}
        try:
            action = parse(reply.text)
            parsed = _described(action, seen)
            outcome = await session.execute(action)
            error, done = outcome.error, outcome.done
            self.answer = outcome.answer or self.answer
        except ActionSyntaxError as problem:
            error = str(problem)
            session.complain(error)
        happened = {
            **parsed,
            **self.judge.changes(),
            "error": error,
            "action_seconds": time.monotonic() - clock,
        }
        self.steps.append(step.model_copy(update=happened))
        self.past.append(PastStep(action=reply.text, thought=reply.thought, error=error))
        return "completed" if done else None

    def _prompt(self, number: int, seen: Observation) -> tuple[Prompt, Receipt]:
        prompt = build_prompt(self.task.instruction, self.past, seen.text, action_help())
        if not self.delivery.text or not self.rule.visible(number, self.attempt):
            return prompt, NO_RECEIPT
        channel = self.trial.treatment.channel
        prompt = channels[channel](prompt, self.delivery.text)
        return prompt, make_receipt(prompt, channel, self.delivery, seen)

    def _replayed(self, number: int, seen: Observation) -> Reply:
        original = self.replay[number - 1]
        if original.observation != seen.sha256:
            raise MachineryError(f"the page at step {number} is not the one the anchor saw")
        return Reply(text=original.reply, thought=original.thought)


class _Bookkeeper:
    """Watches a world for what each step does to it."""

    def __init__(self, world: World, goal: World) -> None:
        self._world, self._goal = world, goal
        self._writes = -1
        self._entries: Counter[Entry] = Counter()
        self._state, self._lost = "", False

    def changes(self) -> dict[str, Any]:
        """The step fields that tell of the world after an action."""
        added: tuple[str, ...] = ()
        with self._world.lock:
            if self._world.db.total_changes != self._writes:
                self._writes = self._world.db.total_changes
                entries = Counter(self._world.ledger.entries())
                added = tuple(str(entry) for entry in (entries - self._entries).elements())
                self._entries = entries
                self._state = self._world.fingerprint()
                self._lost = bool(self._world.ledger.lost_against(self._goal.ledger))
        return {"ledger_added": added, "lost": self._lost, "state": self._state}


def _told(left: Sequence[str]) -> str:
    """All tables in which the final state is not the goal, then the first differences in full."""
    if not left:
        return ""
    tables = dict.fromkeys(each.partition(":")[0] for each in left)
    return f"differs in {', '.join(tables)}: {'; '.join(left[:DIFFERENCES_TOLD])}"


async def _ask(agent: Agent, turn: Turn) -> Reply:
    """The agent's reply, asked off the event loop, where it may block."""
    try:
        return await asyncio.to_thread(agent.act, turn)
    except (StopRunError, MachineryError):
        raise
    except Exception as error:
        # Whatever an agent class does, one episode must not end the run.
        message = f"{type(error).__name__}: {error}"
        raise MachineryError(f"the agent crashed: {message}", status="agent_crash") from error


def _described(action: Action, seen: Observation) -> dict[str, Any]:
    """The step fields that tell what an action was aimed at."""
    target = next((each for each in seen.elements if each.id and each.id == action.element), None)
    return {
        "operation": action.operation,
        "element": action.element,
        "value": action.value,
        "target_role": target.role if target else "",
        "target_name": target.name if target else "",
    }
