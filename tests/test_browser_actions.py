"""What actions do to a page (H03, native semantics, and what the agent is told)."""

import pytest

from probes.moves import click
from runner.actions import Action, parse
from runner.browser import Session
from runner.observation import Observation
from runner.resolve import the_element
from tests.conftest import Show
from tests.pages import Pages

HALF = "\ud83d"
RERENDERS = {
    "prepends": "list.prepend(Object.assign(document.createElement('button'),"
    "{textContent:'New',onclick:press}))",
    "re-sorts": "list.append(...[...list.children].reverse())",
    "replaces": "list.innerHTML = list.innerHTML",
    "clones": "list.prepend(list.children[1].cloneNode(true))",
}


def the_id(seen: Observation, role: str, name: str) -> str:
    found = the_element(click(role, name), seen)
    assert found is not None, f"{role} {name!r} is not once in:\n{seen.text}"
    return found


async def act(session: Session, text: str) -> str:
    """Carry out an action; the error."""
    return (await session.execute(parse(text))).error


async def state(session: Session) -> str:
    """The tree's lines after an action."""
    return (await session.observe()).text.split("\n\n", 1)[1]


@pytest.mark.parametrize("change", RERENDERS)
async def test_an_old_id_never_hits_another_element(
    change: str, show: Show, session: Session
) -> None:
    seen = await show(
        "<script>function press(event) { document.title += event.target.textContent }</script>"
        "<title>.</title><div id=list>"
        + "".join(
            f"<button onclick='press(event)'>{n}</button>" for n in ("Alpha", "Beta", "Gamma")
        )
        + f'</div><button onclick="{RERENDERS[change]}">Change</button>'
    )
    beta = the_id(seen, "button", "Beta")
    assert not await act(session, f"click('{the_id(seen, 'button', 'Change')}')")
    error = await act(session, f"click('{beta}')")
    title = (await session.observe()).title
    if change == "replaces":
        assert error.startswith("stale id")
        assert title == "."
    else:
        assert error == ""
        assert title == ".Beta"


async def test_ids_of_another_page_or_tab_are_refused(
    show: Show, session: Session, pages: Pages
) -> None:
    pages.html["/other"] = "<button>Wrong</button>"
    await show("<a href=/other target=_blank>Open</a><button>Right</button>")
    assert await act(session, "click('3')") == (
        "unknown id '3': the last observation has no such id"
    )
    assert not await act(session, "click('1')")
    assert "unknown id" in await act(session, "click('1')"), "the new tab was not looked at yet"
    assert '1 "" (active)' in (await session.observe()).text
    assert "unknown id" in await act(session, "click('2')")


async def test_an_id_does_not_outlive_its_page(show: Show, session: Session) -> None:
    await show("<button onclick='location.reload()'>Again</button>")
    assert not await act(session, "click('1')")
    assert "stale id" in await act(session, "click('1')")


async def test_an_id_belongs_to_its_document(show: Show, session: Session) -> None:
    """Numbers of DOM nodes are only unique within a renderer process."""
    await show("<title>.</title><button onclick='document.title = 1'>A</button>")
    documents = session._tabs.active.documents
    documents.update(dict.fromkeys(documents, "another document"))
    assert "stale id" in await act(session, "click('1')")
    assert (await session.observe()).title == "."


@pytest.mark.parametrize(
    "html",
    [
        "<button onclick=\"fetch('/slow').then(() => document.title = 'Slow')\">Go</button>",
        "<a href=/slow>Go</a>",
        "<form action=/slow><button>Go</button></form>",
        "<button onclick=\"setTimeout(() => location = '/slow')\">Go</button>",
    ],
)
async def test_slow_answers_are_waited_for(html: str, show: Show, session: Session) -> None:
    await show(html)
    assert not await act(session, "click('1')")
    assert (await session.observe()).title == "Slow"


async def test_a_form_by_hand(show: Show, session: Session, pages: Pages) -> None:
    seen = await show(
        "<form method=post action=/send><label>Name <input name=n value=old></label>"
        "<label>Why <select name=s><option value=2>One<option value=1>2<option>3</select></label>"
        "<label><input type=checkbox name=c>Urgent</label>"
        "<label><input type=radio name=r value=a>A</label><label><input type=radio name=r value=b>B"
        "</label><label>Day <input type=date name=d></label>"
        "<label>Note <textarea name=t></textarea></label><button>Send</button></form>"
    )
    for text in (
        f"fill('{the_id(seen, 'textbox', 'Name')}', 'Ann')",
        f"select_option('{the_id(seen, 'combobox', 'Why')}', '2')",
        f"check('{the_id(seen, 'checkbox', 'Urgent')}')",
        f"check('{the_id(seen, 'checkbox', 'Urgent')}')",
        f"check('{the_id(seen, 'radio', 'B')}')",
        f"fill('{the_id(seen, 'date', 'Day')}', '2026-02-03')",
        f"fill('{the_id(seen, 'textbox', 'Note')}', 'one\\ntwo')",
        f"click('{the_id(seen, 'button', 'Send')}')",
    ):
        assert await act(session, text) == ""
    assert pages.hits[-2:] == [
        "POST /send n=Ann s=1 c=on r=b d=2026-02-03 t=one\r\ntwo",
        "GET /done",
    ]
    assert (await session.observe()).url == "/done"


async def test_enter_submits_and_labels_work(show: Show, session: Session, pages: Pages) -> None:
    await show("<form method=post action=/send><input aria-label=Q name=q></form>")
    assert not await act(session, "fill('1', 'x')")
    assert not await act(session, "press('1', 'return')")
    assert pages.hits[-2:] == ["POST /send q=x", "GET /done"]


async def test_native_validation_is_told(show: Show, session: Session, pages: Pages) -> None:
    await show(
        "<form method=post action=/send><label>Mail <input type=email required></label>"
        "<button>Send</button></form>"
    )
    assert await act(session, "click('2')") == (
        'the form was not sent: "Mail": Please fill out this field.'
    )
    seen = await session.observe()
    assert 'Focused: [1] textbox "Mail"' in seen.text
    assert "Error of the last action: the form was not sent" in seen.text
    assert seen.alerts == ()
    assert not await act(session, "fill('1', 'nonsense')")
    assert "Please include an '@'" in await act(session, "click('2')")
    assert '[1] textbox "Mail" = "nonsense" invalid required' in await state(session)
    assert not await act(session, "fill('1', 'a@b.example')")
    assert not await act(session, "click('2')")
    assert pages.hits[-2:] == ["POST /send", "GET /done"]


@pytest.mark.parametrize(
    "case",
    [
        ("<button disabled>A</button>", "click('1')", "disabled", '[1] button "A" disabled'),
        ("<input disabled aria-label=A>", "fill('1', 'x')", "disabled", '= ""'),
        ("<input readonly value=v aria-label=A>", "fill('1', 'x')", "read-only", '= "v"'),
        ("<input type=date value=2026-01-02>", "fill('1', '3.2.26')", "YYYY-MM-DD", "2026-01-02"),
        ("<input type=date>", "fill('1', '2026-02-30')", "YYYY-MM-DD", '= ""'),
        ("<input type=time>", "fill('1', '25:00')", "HH:MM", '= ""'),
        ("<input type=number value=1>", "fill('1', 'ten')", "a number", '= "1"'),
        ("<input maxlength=3>", "fill('1', 'abcd')", "at most 3", '= "abc"'),
        ("<input type=checkbox aria-label=A>", "fill('1', 'x')", "use check", "unchecked"),
        ("<select><option>A</select>", "fill('1', 'A')", "use select_option", '= "A"'),
        ("<select><option>A</select>", "click('1')", "use select_option", '= "A"'),
        (
            "<select><option value=7>A<option disabled>B</select>",
            "select_option('1', '7')",
            'no option "7"; the options are "A", "B"',
            '= "A"',
        ),
        (
            "<select><option>A<option disabled>B</select>",
            "select_option('1', 'B')",
            "disabled",
            "A",
        ),
        ("<button>A</button>", "check('1')", "no checkbox", "A"),
        ("<input type=radio checked>", "uncheck('1')", "choosing another", " checked"),
        ("<button aria-checked=false role=switch>A</button>", "check('1')", "did not change", "A"),
        ("<input>", "press('1', 'Hyper+Q')", "no key 'Hyper'", ""),
        ("<input type=file>", "click('1')", "cannot be uploaded", ""),
        (
            "<button>A</button><div role=dialog aria-label=Cookies style='position:fixed;inset:0'>"
            "</div>",
            "click('1')",
            'something covers it: "Cookies"',
            "",
        ),
    ],
)
async def test_what_cannot_be_done_is_told(
    case: tuple[str, str, str, str], show: Show, session: Session
) -> None:
    html, action, error, after = case
    await show(html)
    assert error in await act(session, action)
    assert after in await state(session)


@pytest.mark.parametrize(
    ("html", "action", "after"),
    [
        ("<input value=old>", "fill('1', 'new')", '= "new"'),
        ("<input value=old>", "fill('1', '')", '= ""'),
        ("<input value=old>", f"fill('1', 'a{HALF}b\\x00')", '= "a�b'),
        ("<input type=number value=1>", "fill('1', '2.5')", '= "2.5"'),
        ("<input type=time>", "fill('1', '10:30')", '= "10:30"'),
        ("<input type=range max=10>", "fill('1', '7')", 'slider "" = "7"'),
        ("<div contenteditable role=textbox>a</div>", "fill('1', 'b')", '= "b"'),
        (
            "<input oninput='o.value=this.value'><input id=o>",
            "fill('1', 'x')",
            '[2] textbox "" = "x"',
        ),
        ("<input value=abc>", "press('1', 'Ctrl+A')", '= "abc"'),
        ("<input value=abc>", "press('1', 'del')", '= "bc"'),
        ("<input type=checkbox checked aria-label=A>", "uncheck('1')", "unchecked"),
        (
            "<label><input type=checkbox style='position:absolute;opacity:0'>A</label>",
            "check('1')",
            " checked",
        ),
        ("<select multiple><option>A<option>B</select>", "select_option('1', 'B')", '"B" selected'),
        ("<select multiple><option>A<option>B</select>", "click('3')", '"B" selected'),
        ("<details><summary>M</summary>inner</details>", "click('1')", "text: inner"),
        (
            "<button style='position:absolute;top:5000px' onclick='this.textContent=1'>a</button>",
            "click('1')",
            'button "1"',
        ),
        (
            "<a href=# style='position:absolute;left:-9999px' onclick='this.textContent=1'>a</a>",
            "click('1')",
            'link "1"',
        ),
        (
            "<button onclick=\"fetch('/done').then(() => this.textContent = 'b')\">a</button>",
            "click('1')",
            'button "b"',
        ),
        (
            "<button onclick=\"this.getRootNode().title='t';Promise.resolve().then(() => "
            "requestAnimationFrame(() => this.textContent = 'b'))\">a</button>",
            "click('1')",
            'button "b"',
        ),
    ],
)
async def test_what_actions_do(
    html: str, action: str, after: str, show: Show, session: Session
) -> None:
    await show(html)
    assert await act(session, action) == ""
    assert after in await state(session)


async def test_select_fires_change_once_and_navigates(show: Show, session: Session) -> None:
    await show(
        "<form action=/done><select name=s onchange='this.form.submit()'>"
        "<option>A<option>B</select>"
    )
    assert not await act(session, "select_option('1', 'A')")
    assert (await session.observe()).url == "/"
    assert not await act(session, "select_option('1', 'B')")
    assert (await session.observe()).url == "/done?s=B"


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com/",
        "//example.com/",
        "/\\example.com",
        "javascript:alert(1)",
        "file:///etc",
        "http://backoffice.example@example.com/",
        "http://backoffice.example.example.com/",
        "done",
    ],
)
async def test_goto_stays_on_the_host(address: str, show: Show, session: Session) -> None:
    await show("<h1>Home</h1>")
    error = (await session.execute(Action(operation="goto", value=address))).error
    assert "only paths of this site" in error
    assert (await session.observe()).url == "/"
    assert session.blocked == [address]


async def test_going_to_and_back(show: Show, session: Session) -> None:
    await show("<a href=/done>On</a>")
    assert await act(session, "go_back()") == "there is no page before this one"
    assert not await act(session, "goto('http://backoffice.example/done?x=1')")
    assert (await session.observe()).url == "/done?x=1"
    assert not await act(session, "go_back()")
    assert (await session.observe()).url == "/"
    assert "ERR_ABORTED" in await act(session, "goto('/nothing')")


async def test_downloads_and_empty_answers_do_not_hang(show: Show, session: Session) -> None:
    await show("<a href=/file>File</a><a href=/nothing>Nothing</a><a href='#p'>Part</a>")
    for number in (1, 2, 3):
        assert not await act(session, f"click('{number}')")
    assert (await session.observe()).url == "/#p"


async def test_words_to_the_user(show: Show, session: Session) -> None:
    await show("<h1>Home</h1>")
    said = await session.execute(parse("send_msg_to_user('Hello')"))
    assert (said.message, said.done) == ("Hello", False)
    assert not await act(session, "noop()")
    ended = await session.execute(parse("stop('All done')"))
    assert (ended.answer, ended.done) == ("All done", True)
    session.complain("no action in the reply")
    assert "Error of the last action: no action in the reply" in (await session.observe()).text
