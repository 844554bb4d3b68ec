"""BrowserGym's side of step_latency.py. Runs in BrowserGym's own environment, not in the project's.

Reads one JSON line with the settings, then one for each step: the role and name of what to click.
Answers each with the seconds the step took and whether it went wrong: BrowserGym's clicks end after
0.5 s, done or not, and it may look at a page half loaded. BrowserGym itself stays as it is. Its
chat window starts Playwright's own browser with no way to say otherwise, so a stand-in for that
browser hands over to the installed one.
"""

import json
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LOOKS = 5


def stand_in_for_browser(executable: str, arguments: list[str], folder: Path) -> None:
    """Make Playwright's default browser be `executable`, started with `arguments` as well."""
    os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(folder)
    from browsergym.core import _get_global_playwright

    expected = Path(_get_global_playwright().chromium.executable_path)
    expected.parent.mkdir(parents=True)
    expected.write_text(f'#!/bin/sh\nexec {shlex.join([executable, *arguments])} "$@"\n')
    expected.chmod(0o755)


def make_environment(settings: Mapping[str, Any]) -> Any:
    """A BrowserGym environment on the page, with the cookie; the rest is its defaults."""
    from browsergym.core.env import BrowserEnv
    from browsergym.core.task import OpenEndedTask

    class OnePage(OpenEndedTask):
        def setup(self, page: Any) -> tuple[Any, dict[str, Any]]:
            page.context.add_cookies([settings["cookie"]])
            return super().setup(page)

    return BrowserEnv(
        task_entrypoint=OnePage,
        task_kwargs={"start_url": settings["url"], "goal": "Measure."},
        **settings["options"],
    )


def find(observation: Mapping[str, Any], role: str, name: str) -> str | None:
    """BrowserGym's id of the one element of this role and name; None when there is none."""
    found = [
        node["browsergym_id"]
        for node in observation["axtree_object"]["nodes"]
        if node.get("role", {}).get("value") == role
        and node.get("name", {}).get("value") == name
        and node.get("browsergym_id")
    ]
    if len(found) > 1:
        raise SystemExit(f"{len(found)} elements are a {role} called {name!r}")
    return str(found[0]) if found else None


def find_in_time(environment: Any, observation: Mapping[str, Any], target: dict[str, str]) -> str:
    """Find the target; without its delay BrowserGym may have looked at a page half loaded."""
    for _ in range(LOOKS):
        found = find(observation, **target)
        if found is not None:
            return found
        observation, *_rest = environment.step("noop()")
    raise SystemExit(f"no element is a {target['role']} called {target['name']!r}")


def main() -> None:
    """Serve steps until the input ends."""
    settings = json.loads(sys.stdin.readline())
    with tempfile.TemporaryDirectory() as folder:
        stand_in_for_browser(settings["executable"], settings["arguments"], Path(folder))
        environment = make_environment(settings)
        observation, _ = environment.reset(seed=0)
        print(json.dumps({"seconds": 0.0, "url": observation["url"]}), flush=True)
        for line in sys.stdin:
            target = json.loads(line)
            action = f"click({find_in_time(environment, observation, target)!r})"
            started = time.perf_counter()
            observation, *_rest = environment.step(action)
            seconds = time.perf_counter() - started
            error = observation["last_action_error"] or find(observation, **target) is None
            answer = {"seconds": seconds, "url": observation["url"], "error": bool(error)}
            print(json.dumps(answer), flush=True)
        environment.close()


if __name__ == "__main__":
    main()
