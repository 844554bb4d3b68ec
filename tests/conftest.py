"""Fixtures that tests share. All asynchronous tests run in one event loop.

`pages`        a real server for pages a test writes itself: `pages.html["/x"] = "<p>…"`
`browser`      one Chromium for all tests, mapped to `pages`
`session`      a fresh session (context) of that browser
`host`         the real host of all sites (`host.open(task.world())` gives a token)
`site_browser` one Chromium for all tests, mapped to `host`: `await site_browser.session(token)`
`reference`    the directory of an undisturbed run of `campaigns.EVERYTHING`
`wrapped`      a browser that writes its process id, a line a launch, to `pids` beside it
`show`         `await show(html)`: puts a page before `session` and gives the observation
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from runner.actions import parse
from runner.browser import Browser, Session, open_browser, resolve_executable
from runner.observation import Observation
from tests.campaigns import EVERYTHING, carry_out
from tests.pages import Pages
from webapps.host import Host

Show = Callable[[str], Awaitable[Observation]]


@pytest.fixture(scope="session")
def all_pages() -> Iterator[Pages]:
    server = Pages()
    yield server
    server.close()


@pytest.fixture
def pages(all_pages: Pages) -> Pages:
    all_pages.html.clear()
    all_pages.hits.clear()
    all_pages.headers.clear()
    return all_pages


@pytest.fixture(scope="session")
async def browser(all_pages: Pages) -> AsyncIterator[Browser]:
    async with open_browser(all_pages.port) as started:
        yield started


@pytest.fixture
async def session(browser: Browser) -> AsyncIterator[Session]:
    opened = await browser.session("a-test")
    yield opened
    await opened.close()


@pytest.fixture
def show(session: Session, pages: Pages) -> Show:
    async def shown(html: str) -> Observation:
        pages.html["/"] = html
        await session.execute(parse("goto('/')"))
        return await session.observe()

    return shown


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    with Host() as running:
        yield running


@pytest.fixture(scope="session")
async def site_browser(host: Host) -> AsyncIterator[Browser]:
    async with open_browser(host.port) as started:
        yield started


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("reference") / "run"
    assert carry_out(EVERYTHING, directory, workers=1).complete
    return directory


@pytest.fixture
def wrapped(tmp_path: Path) -> Path:
    script = tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\necho $$ >>"{tmp_path}/pids"\nexec "{resolve_executable(None)}" "$@"\n'
    )
    script.chmod(0o755)
    return script
