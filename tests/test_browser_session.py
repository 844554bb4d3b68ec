"""Tabs, isolation, what is blocked, the clock, and how the machinery fails."""

import asyncio
import socket
import threading
from pathlib import Path

import pytest
from playwright.async_api import Error

from runner.actions import parse
from runner.browser import Browser, Session, open_browser, resolve_executable
from runner.errors import MachineryError, UserError
from tests.conftest import Show
from tests.pages import Pages
from webapps.host import COOKIE


async def act(session: Session, text: str) -> str:
    return (await session.execute(parse(text))).error


@pytest.mark.parametrize(
    "opener",
    [
        "<a href=/done target=_blank>Open</a>",
        "<a href=/done target=_blank rel=noopener>Open</a>",
        "<button onclick=\"window.open('/done')\">Open</button>",
        "<form action=/done target=_blank><button>Open</button></form>",
    ],
)
async def test_popups_become_tabs(opener: str, show: Show, session: Session) -> None:
    await show(f"<title>First</title>{opener}")
    assert not await act(session, "click('1')")
    seen = await session.observe()
    assert seen.url.startswith("/done")
    assert 'Tabs: 0 "First", 1 "Done" (active)' in seen.text
    assert not await act(session, "tab_focus(0)")
    seen = await session.observe()
    assert 'Tabs: 0 "First" (active), 1 "Done"' in seen.text
    assert not await act(session, "click('1')")
    assert '2 "Done" (active)' in (await session.observe()).text
    assert not await act(session, "tab_close(1)")
    assert not await act(session, "tab_close(1)")
    assert 'Tabs: 0 "First" (active)' in (await session.observe()).text
    assert await act(session, "tab_close(0)") == "the last tab cannot be closed"
    assert "no tab 5" in await act(session, "tab_focus(5)")


async def test_new_tab(show: Show, session: Session) -> None:
    await show("<title>First</title>")
    assert not await act(session, "new_tab()")
    seen = await session.observe()
    assert (seen.url, seen.title) == ("about:blank", "")
    assert not await act(session, "goto('/done')")
    assert 'Tabs: 0 "First", 1 "Done" (active)' in (await session.observe()).text


async def test_a_tab_that_closes_itself(show: Show, session: Session, pages: Pages) -> None:
    pages.html["/popup"] = "<button onclick='window.close()'>Close</button>"
    await show("<title>First</title><button onclick=\"window.open('/popup')\">Open</button>")
    await act(session, "click('1')")
    await session.observe()
    assert not await act(session, "click('1')")
    assert 'Tabs: 0 "First" (active)' in (await session.observe()).text


async def test_popup_with_an_alert(show: Show, session: Session, pages: Pages) -> None:
    pages.html["/popup"] = "<title>Popup</title><script>alert('hi')</script><p>After</p>"
    await show("<title>First</title><button onclick=\"window.open('/popup')\">Open</button>")
    assert not await act(session, "click('1')")
    assert (await session.observe()).dialog == 'alert "hi"'
    assert not await act(session, "dialog_accept()")
    seen = await session.observe()
    assert 'Tabs: 0 "First", 1 "Popup" (active)' in seen.text
    assert "text: After" in seen.text


async def test_nothing_off_the_host_is_reached(show: Show, session: Session, pages: Pages) -> None:
    knocks: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        port = listener.getsockname()[1]

        def wait_for_knock() -> None:
            try:
                listener.accept()
            except OSError:
                return
            knocks.append("somebody came")

        watcher = threading.Thread(target=wait_for_knock)
        watcher.start()
        addresses = [
            f"http://127.0.0.1:{port}/a",
            f"http://localhost:{port}/b",
            f"ws://127.0.0.1:{port}/c",
            f"http://127.0.0.1:{pages.port}/done",
            "http://example.com/d",
        ]
        await show(
            "<img src='http://example.com/picture.png'><pre id=o></pre><script>"
            "const ask = (u) => u.startsWith('ws') ? new Promise((done) => {"
            "const w = new WebSocket(u);"
            "w.onopen = () => done('reached'); w.onerror = () => done('blocked') })"
            ": fetch(u, {mode: 'no-cors'}).then(() => 'reached', () => 'blocked');"
            f"window.asked = Promise.all({addresses}.map(ask));"
            "</script><button onclick='asked.then((all) => o.textContent = all.join())'>Tell"
        )
        for _ in range(20):
            await act(session, "click('1')")
            text = (await session.observe()).text
            if "blocked" in text or "reached" in text:
                break
        assert ",".join(["blocked"] * len(addresses)) in text
        # A visitor does come through: the watcher can tell.
        assert not knocks
        socket.create_connection(("127.0.0.1", port)).close()
        watcher.join()
        assert knocks
    assert {*addresses, "http://example.com/picture.png"} <= set(session.blocked)


async def test_a_link_off_the_host(show: Show, session: Session) -> None:
    await show("<a href='http://example.com/x'>Far</a>")
    await act(session, "click('1')")
    assert session.blocked == ["http://example.com/x"]
    await session.observe()
    assert not await act(session, "go_back()")
    assert (await session.observe()).url == "/"


async def test_cookie_is_secret_and_sessions_are_apart(
    browser: Browser, pages: Pages, show: Show
) -> None:
    seen = await show(
        "<pre id=o></pre><script>localStorage.x = (localStorage.x || '') + '1';"
        "o.textContent = document.cookie + '|' + localStorage.x</script>"
    )
    assert "text: |1" in seen.text
    assert pages.headers[-1]["Cookie"] == f"{COOKIE}=a-test"
    other = await browser.session("another")
    await act(other, "goto('/')")
    assert (await other.observe()).text == seen.text
    assert pages.headers[-1]["Cookie"] == f"{COOKIE}=another"
    await other.close()


async def test_the_clock_stands_still_and_timers_run(show: Show, session: Session) -> None:
    html = (
        "<p id=o></p><script>const first = Date.now(); setTimeout(() => { o.textContent = "
        "[new Date().toISOString(), Date.now() - first, new Date(0).getTime(),"
        "new Date() instanceof Date, Date().slice(0, 15), typeof Date.UTC,"
        "Intl.DateTimeFormat().resolvedOptions().timeZone,"
        "navigator.language, matchMedia('(prefers-reduced-motion)').matches].join() }, 20)</script>"
        "<button>Wait</button>"
    )
    seen = await show(html)
    while "text:" not in seen.text:
        await act(session, "noop()")
        seen = await session.observe()
    assert "2026-09-15T10:00:00.000Z,0,0,true,Tue Sep 15 2026,function,UTC,en-US,true" in seen.text


async def test_screenshots(browser: Browser, pages: Pages, tmp_path: Path) -> None:
    pages.html["/"] = "<h1>Home</h1>"
    session = await browser.session("x", screenshots=tmp_path)
    await act(session, "goto('/')")
    await session.observe()
    await session.observe()
    await session.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["001.png", "002.png"]
    assert (tmp_path / "001.png").read_bytes().startswith(b"\x89PNG")


async def test_a_crashed_page_is_the_machinery_s_fault(show: Show, session: Session) -> None:
    await show("<h1>Home</h1>")
    with pytest.raises(Error):
        await session._tabs.active.page.goto("chrome://crash")
    with pytest.raises(MachineryError):
        await session.observe()
    with pytest.raises(MachineryError):
        await session.execute(parse("click('1')"))


async def test_a_browser_that_goes_away(all_pages: Pages) -> None:
    async with open_browser(all_pages.port) as browser:
        session = await browser.session("x")
        assert await browser.answers()
        assert browser.version.startswith("Chromium ")
        await browser._chromium.close()
        assert not await browser.answers()
        with pytest.raises(MachineryError):
            await session.execute(parse("goto('/')"))
        with pytest.raises(MachineryError):
            await browser.session("y")
        await session.close()


async def test_cancelling_leaves_nothing_behind(show: Show, session: Session) -> None:
    await show("<button onclick='fetch(\"/done\")'>Go</button>")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await session.execute(parse("click('1')"))
    await session.close()


def test_executable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert resolve_executable(str(program)) == str(program)
    with pytest.raises(UserError, match="no browser at"):
        resolve_executable(str(tmp_path / "missing"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert resolve_executable(None) == str(program)
    monkeypatch.setenv("PATH", "")
    assert resolve_executable(None) is None


async def test_no_browser_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, all_pages: Pages
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"make setup.*playwright install chromium"):
        async with open_browser(all_pages.port):
            pass


async def test_a_program_that_is_no_browser(all_pages: Pages) -> None:
    with pytest.raises(UserError, match="does not start"):
        async with open_browser(all_pages.port, executable="/bin/false"):
            pass
