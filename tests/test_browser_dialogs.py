"""JavaScript dialogs are part of what an agent sees, and its to answer (H04)."""

import time

import pytest

from runner.actions import parse
from runner.browser import Session
from tests.conftest import Show
from tests.pages import Pages

DELETE = "<button onclick=\"if(confirm('Delete 3 items?')) fetch('/del',{method:'POST'})\">Delete"
STEP_SECONDS = 5.0


async def act(session: Session, text: str) -> str:
    started = time.monotonic()
    error = (await session.execute(parse(text))).error
    assert time.monotonic() - started < STEP_SECONDS
    return error


@pytest.mark.parametrize(("answer", "posted"), [("accept", True), ("dismiss", False)])
async def test_confirm(
    answer: str, posted: bool, show: Show, session: Session, pages: Pages
) -> None:
    await show(DELETE)
    assert not await act(session, "click('1')")
    seen = await session.observe()
    assert seen.dialog == 'confirm "Delete 3 items?"'
    assert seen.elements == ()
    assert seen.text.splitlines()[0] == "URL: /"
    assert 'dialog: confirm "Delete 3 items?"' in seen.text
    assert "dialog_accept()" in seen.text
    assert "dialog_dismiss()" in seen.text
    for other in ("click('1')", "goto('/done')", "new_tab()", "scroll(0, 9)", "go_back()"):
        assert "a dialog is open" in await act(session, other)
    assert not any(hit.startswith("POST /del") for hit in pages.hits)
    assert not await act(session, f"dialog_{answer}()")
    assert any(hit.startswith("POST /del") for hit in pages.hits) is posted
    seen = await session.observe()
    assert seen.dialog == ""
    assert '[1] button "Delete"' in seen.text


async def test_alert_while_loading(show: Show, session: Session, pages: Pages) -> None:
    pages.html["/hello"] = "<title>Hello</title><script>alert('hi')</script><button>After</button>"
    await show("<a href=/hello>Go</a>")
    for action in ("click('1')", "goto('/hello')"):
        assert not await act(session, action)
        seen = await session.observe()
        assert seen.dialog == 'alert "hi"'
        assert "only a prompt takes a text" in await act(session, "dialog_accept('x')")
        assert not await act(session, "dialog_accept()")
        seen = await session.observe()
        assert seen.url == "/hello"
        assert '[1] button "After"' in seen.text
        assert "no dialog is open" in await act(session, "dialog_accept()")
        await session.observe()
        await session.execute(parse("goto('/')"))
        await session.observe()


@pytest.mark.parametrize(
    ("answer", "title"),
    [("dialog_accept('Ann')", "Ann"), ("dialog_accept()", "you"), ("dialog_dismiss()", "null")],
)
async def test_prompt(answer: str, title: str, show: Show, session: Session) -> None:
    await show("<button onclick=\"document.title = prompt('Who?', 'you')\">Ask</button>")
    assert not await act(session, "click('1')")
    assert (await session.observe()).dialog == 'prompt "Who?"'
    assert not await act(session, answer)
    assert (await session.observe()).title == title


async def test_several_dialogs_in_a_row(show: Show, session: Session) -> None:
    await show(
        "<button onclick=\"alert('one'); document.title = confirm('two') + prompt('three')\">Go"
    )
    assert not await act(session, "click('1')")
    for dialog in ('alert "one"', 'confirm "two"', 'prompt "three"'):
        assert (await session.observe()).dialog == dialog
        assert not await act(
            session, "dialog_accept('3')" if "three" in dialog else "dialog_accept()"
        )
    assert (await session.observe()).title == "true3"


@pytest.mark.parametrize("away", ["goto('/done')", "click('2')", "go_back()"])
async def test_beforeunload(away: str, show: Show, session: Session, pages: Pages) -> None:
    pages.html["/form"] = (
        "<input aria-label=Name oninput='window.onbeforeunload = (e) => e.preventDefault()'>"
        "<a href=/done>Away</a>"
    )
    await show("<h1>Start</h1>")
    await act(session, "goto('/form')")
    await session.observe()
    assert not await act(session, "fill('1', 'Ann')")
    await act(session, away)
    seen = await session.observe()
    assert seen.dialog == 'beforeunload ""'
    await act(session, "dialog_dismiss()")
    seen = await session.observe()
    assert seen.url == "/form"
    assert '[1] textbox "Name" = "Ann"' in seen.text
    await act(session, away)
    assert (await session.observe()).dialog == 'beforeunload ""'
    assert not await act(session, "dialog_accept()")
    assert (await session.observe()).url == ("/" if away == "go_back()" else "/done")


async def test_dialog_of_a_timer_and_of_typing(show: Show, session: Session) -> None:
    await show(
        "<button onclick=\"setTimeout(() => alert('late'))\">Later</button>"
        "<input aria-label=N oninput=\"alert('typed')\"><select onchange=\"alert('chosen')\">"
        "<option>A<option>B</select>"
    )
    for action, dialog in (
        ("click('1')", 'alert "late"'),
        ("fill('2', 'x')", 'alert "typed"'),
        ("select_option('3', 'B')", 'alert "chosen"'),
        ("press('2', 'y')", 'alert "typed"'),
    ):
        assert not await act(session, action)
        assert (await session.observe()).dialog == dialog
        assert not await act(session, "dialog_accept()")
        assert (await session.observe()).dialog == ""


async def test_stopping_while_a_dialog_is_open(show: Show, session: Session) -> None:
    await show(DELETE)
    await act(session, "click('1')")
    assert not await act(session, "noop()")
    assert (await session.observe()).dialog
    assert (await session.execute(parse("stop('enough')"))).done
