"""A set of trials, run to the end: order, concurrency, retries, a browser that may die.

Anchors come first, and every other trial waits for its anchor. Nothing a trial records depends on
how many run at a time or in which order they end.

A trial that the machinery spoiled is run again, up to `TRIES` times; the last time in a browser of
its own, so that a page which takes a browser down cannot spoil its neighbours for good.
"""

import asyncio
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from probes.catalogue import catalogue_hash
from runner import directory as run_directory
from runner.agents.base import load_agents
from runner.browser import Browser, open_browser
from runner.configuration import RunConfiguration, chosen_tasks, first_agent, plan
from runner.episode import Stage, run_trial
from runner.errors import StopRunError
from runner.models import ModelClient
from runner.records import MACHINERY_STATUSES, Episode, Trial
from runner.store import RunWriter, write_manifest
from webapps.host import Host

TRIES = 3
SCREENSHOTS = "screenshots"
# Trying again cannot help when the anchor has used up its own tries.
_RETRIED = tuple(status for status in MACHINERY_STATUSES if status != "anchor_missing")


@dataclass(frozen=True, kw_only=True)
class Execution:
    """How a run is carried out: nothing here changes its results.

    `budget` replaces the configuration's when it is not None. With `screenshots`, each episode
    leaves a picture a step in a folder of its own below the run directory.
    """

    workers: int
    browser: str | None = None
    headless: bool = True
    screenshots: bool = False
    budget: float | None = None


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How far a run is. `done` counts finished episodes, `failed` those of them without success,
    `errors` those that the machinery spoiled in this sitting; `earlier` were done before it.

    `cost_usd` is None when no model is asked. `stopped` says why a run ended early.
    """

    planned: int
    earlier: int = 0
    done: int = 0
    failed: int = 0
    errors: int = 0
    cost_usd: float | None = None
    stopped: str = ""

    @property
    def complete(self) -> bool:
        """Whether every planned episode is finished."""
        return self.done == self.planned


Progress = Callable[[Standing], None]


async def run(
    configuration: RunConfiguration, directory: Path, *, execution: Execution, progress: Progress
) -> Standing:
    """Run what is not finished of `configuration` in `directory`, and say how it went.

    A complete run is left as it is. Raises UserError when the directory, the agent or the browser
    cannot be used. When a model can no longer be asked, the run ends early: see
    `Standing.stopped`.
    """
    tasks = chosen_tasks(configuration)
    trials, catalogue = plan(configuration, tasks), catalogue_hash(tasks)
    with run_directory.locked(directory), ExitStack() as opened:
        known = run_directory.admit(directory, configuration, catalogue)
        spent = 0.0
        if known:
            writer = opened.enter_context(RunWriter(directory))
            spent, standing = writer.spent_usd(), _standing(trials, writer)
            if standing.complete:
                return standing
        cache = directory / run_directory.CACHE
        settings = configuration.model_settings(cache, execution.budget)
        client = None
        if settings is not None:
            client = opened.enter_context(ModelClient(settings, already_spent_usd=spent))
        simulated = first_agent(configuration, client).simulated
        host = opened.enter_context(Host())
        async with _BrowserPool(host, execution) as pool:
            stage = Stage(
                browser=await pool.current(),
                host=host,
                factory=load_agents()[configuration.agent],
                settings=configuration.settings,
                client=client,
                max_steps=configuration.max_steps,
                memories=configuration.memories_of,
                screenshots=directory / SCREENSHOTS if execution.screenshots else None,
            )
            if not known:
                manifest = run_directory.new_manifest(
                    configuration,
                    catalogue=catalogue,
                    browser=stage.browser.version,
                    simulated=simulated,
                )
                write_manifest(directory, manifest)
                writer = opened.enter_context(RunWriter(directory))
            writer.write_plan(trials)
            campaign = _Campaign(trials, stage, pool, writer, progress)
            return await campaign.run(execution.workers)


def _standing(trials: Sequence[Trial], writer: RunWriter) -> Standing:
    """What was finished before."""
    outcomes = writer.outcomes().values()
    finished = [success for status, success in outcomes if status not in MACHINERY_STATUSES]
    return Standing(
        planned=len(trials),
        earlier=len(finished),
        done=len(finished),
        failed=finished.count(False),
    )


class _BrowserPool:
    """The browser all episodes share, opened anew when it has died, and separate ones."""

    def __init__(self, host: Host, execution: Execution) -> None:
        self._host = host
        self._execution = execution
        self._opened = AsyncExitStack()
        self._browser: Browser | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> "_BrowserPool":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._close()

    async def current(self) -> Browser:
        """The shared browser, alive."""
        async with self._opening:
            if self._browser is None or not await self._browser.answers():
                await self._close()
                self._browser = await self._opened.enter_async_context(self.separate())
            return self._browser

    def separate(self) -> AbstractAsyncContextManager[Browser]:
        """A browser of one's own."""
        return open_browser(
            self._host.port,
            executable=self._execution.browser,
            headless=self._execution.headless,
        )

    async def _close(self) -> None:
        self._browser = None
        await self._opened.aclose()


class _Campaign:
    """The state of a running campaign. All of it is touched by the event loop's thread only."""

    def __init__(
        self,
        trials: Sequence[Trial],
        stage: Stage,
        pool: _BrowserPool,
        writer: RunWriter,
        progress: Progress,
    ) -> None:
        self._stage = stage
        self._pool = pool
        self._writer = writer
        self._progress = progress
        self._standing = _standing(trials, writer)
        outcomes = writer.outcomes()
        finished = {
            key for key, (status, _) in outcomes.items() if status not in MACHINERY_STATUSES
        }
        self._pending = [trial for trial in trials if trial.key not in finished]
        self._ended = {trial.key: asyncio.Event() for trial in self._pending}

    async def run(self, workers: int) -> Standing:
        """Run all that is pending, `workers` episodes at a time."""
        # Agents block a thread each while they think.
        threads = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="agent")
        asyncio.get_running_loop().set_default_executor(threads)
        self._report()
        queue = iter(self._pending)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(self._work(queue))
        except* StopRunError as stops:
            self._report(stopped=str(stops.exceptions[0]))
        return self._standing

    async def _work(self, queue: Iterator[Trial]) -> None:
        for trial in queue:
            episode, texts = await self._finish(trial, await self._anchor(trial))
            self._writer.write(episode, texts)
            self._ended[trial.key].set()
            spoiled = episode.status in MACHINERY_STATUSES
            self._report(
                done=self._standing.done + (not spoiled),
                failed=self._standing.failed + (episode.success is False),
                errors=self._standing.errors + spoiled,
            )

    async def _anchor(self, trial: Trial) -> Episode | None:
        """The anchor's record, once it has ended. Anchors wait for nothing, so none waits for ever:
        whoever waits comes later in the plan, and another worker is at the anchor.
        """
        if trial.treatment.is_anchor:
            return None
        if trial.anchor_key in self._ended:
            await self._ended[trial.anchor_key].wait()
        return self._writer.episode(trial.anchor_key)

    async def _finish(
        self, trial: Trial, anchor: Episode | None
    ) -> tuple[Episode, Mapping[str, str]]:
        """The trial's record, after as many tries as the machinery needs and is allowed."""
        number = 1
        while True:
            episode, texts = await self._try(trial, anchor, alone=number == TRIES)
            if number == TRIES or episode.status not in _RETRIED:
                return episode.model_copy(update={"tries": number}), texts
            number += 1

    async def _try(
        self, trial: Trial, anchor: Episode | None, *, alone: bool = False
    ) -> tuple[Episode, Mapping[str, str]]:
        try:
            stage = replace(self._stage, screenshots=self._pictures(trial))
            if not alone:
                stage = replace(stage, browser=await self._pool.current())
                return await run_trial(trial, stage, anchor)
            async with self._pool.separate() as browser:
                return await run_trial(trial, replace(stage, browser=browser), anchor)
        except StopRunError:
            raise
        except Exception as error:
            # Whatever breaks in one episode, a browser that will not start included, the others
            # go on.
            detail = f"{type(error).__name__}: {error}"
            return Episode(
                trial=trial, key=trial.key, status="infra_error", success=None, detail=detail
            ), {}

    def _pictures(self, trial: Trial) -> Path | None:
        """An empty directory for the pictures of an episode that begins now."""
        if self._stage.screenshots is None:
            return None
        pictures = self._stage.screenshots / re.sub(r"[^\w.@-]+", "-", trial.key)
        shutil.rmtree(pictures, ignore_errors=True)
        pictures.mkdir(parents=True)
        return pictures

    def _report(self, **changes: Any) -> None:
        client = self._stage.client
        cost = None if client is None else client.spending.usd
        self._standing = replace(self._standing, cost_usd=cost, **changes)
        self._progress(self._standing)
