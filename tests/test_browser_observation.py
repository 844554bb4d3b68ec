"""What an agent sees of a page (H01, H02 and the rules of `runner.tree`, `observe`, `budget`)."""

import pytest

from probes.moves import click
from runner.actions import parse
from runner.browser import Browser, Session
from runner.observation import Observation
from runner.resolve import resolve, the_element
from tests.conftest import Show
from tests.pages import Pages

LONG = "A" * 100_000


def body(seen: Observation) -> list[str]:
    """The lines of the tree."""
    return seen.text.split("\n\n", 1)[1].splitlines()


def element_id(seen: Observation, role: str, name: str) -> str:
    found = the_element(click(role, name), seen)
    assert found is not None, f"{role} {name!r} is not once in:\n{seen.text}"
    return found


async def test_nested_names_and_states(show: Show) -> None:
    seen = await show(
        '<button><span><span><svg aria-hidden="true"/></span><span>Add New Item</span></span>'
        '</button><a href="/d"><strong>Docs</strong></a>'
        "<label><input type=checkbox checked><b>Gift</b></label>"
    )
    assert body(seen) == [
        '[1] button "Add New Item"',
        '[2] link "Docs"',
        '[3] checkbox "Gift" checked',
    ]


async def test_first_lines(show: Show, session: Session) -> None:
    seen = await show("<title>Orders</title><label>Name <input autofocus></label>")
    assert seen.text == (
        'URL: /\nTitle: Orders\nTabs: 0 "Orders" (active)\nFocused: [1] textbox "Name"\n\n'
        '[1] textbox "Name" = ""'
    )
    await session.execute(parse("click('7')"))
    again = await session.observe()
    assert "Error of the last action: unknown id '7'" in again.text
    assert again.url == "/"
    assert again.title == "Orders"


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<h2>Some <em>title</em></h2>", 'heading "Some title" level 2'),
        ("<label>Day <input type=date value=2026-01-02></label>", '[1] date "Day" = "2026-01-02"'),
        ("<label>Time <input type=time value=10:30></label>", '[1] textbox "Time" = "10:30"'),
        ("<label>N <input type=number value=3></label>", '[1] spinbutton "N" = "3"'),
        ("<label>Q <input type=search></label>", '[1] searchbox "Q" = ""'),
        ("<label>P <input type=password value=abc></label>", '[1] textbox "P" = "•••"'),
        ("<label>R <input required></label>", '[1] textbox "R" = "" required'),
        ("<label>R <input readonly value=x></label>", '[1] textbox "R" = "x" readonly'),
        ("<label>R <input aria-invalid=true></label>", '[1] textbox "R" = "" invalid'),
        ("<button disabled>Send</button>", '[1] button "Send" disabled'),
        ("<button aria-expanded=false>More</button>", '[1] button "More" collapsed'),
        ("<button aria-pressed=true>Bold</button>", '[1] button "Bold" pressed'),
        ("<button aria-haspopup=menu>File</button>", '[1] button "File" opens menu'),
        ("<button role=switch aria-checked=true>On</button>", '[1] switch "On" checked'),
        ("<label><input type=radio>One</label>", '[1] radio "One" unchecked'),
        ("<div role=tablist><button role=tab aria-selected=true>T</button></div>", "tablist"),
        ("<div tabindex=0>Plain</div>", '[1] generic ""'),
        ("<div role=menu><div role=menuitem tabindex=0>Cut</div></div>", '  [1] menuitem "Cut"'),
        ("<section aria-label=Part><p>x</section>", 'region "Part"'),
        ("<p role=status>Saved <b>it</b></p>", "status: Saved it"),
        ("<img alt=Logo src=data:,>", 'image "Logo"'),
        ("<progress value=3 max=10 aria-label=Done></progress>", 'progressbar "Done" = "3"'),
        ("<ul><li>One<li>Two</ul>", "- Two"),
        (
            "<label>Why <select><option>Late<option selected>Lost</select></label>",
            '[1] combobox "Why" = "Lost" of "Late", "Lost"',
        ),
    ],
)
async def test_how_elements_are_told(show: Show, html: str, line: str) -> None:
    assert line in body(await show(html))


async def test_hint_is_said_once(show: Show) -> None:
    seen = await show(
        "<label for=a>Name</label><input id=a aria-describedby=h>"
        "<small id=h>As in the contract</small>"
        "<button title='Cannot be undone'>Purge</button>"
    )
    assert body(seen) == [
        '[1] textbox "Name" = ""',
        "text: As in the contract",
        '[2] button "Purge" (Cannot be undone)',
    ]


async def test_tables_are_a_line_a_row(show: Show) -> None:
    seen = await show(
        "<table><caption>Orders</caption><thead><tr><th>Order<th>Who<th>Do</thead>"
        "<tr><th scope=row><a href=/1>#1</a><td>Ann <b>new</b><td>"
        "<form><button>View</button></form>"
        "<tr><th scope=row><a href=/2>#2</a><td>Bob<td><form><button>View</button></form></table>"
    )
    assert body(seen) == [
        'table "Orders"',
        "  columns: Order | Who | Do",
        "  row: #1 | Ann new",
        '    [1] link "#1"',
        '    [2] button "View"',
        "  row: #2 | Bob",
        '    [3] link "#2"',
        '    [4] button "View"',
    ]
    view = click("button", "View")
    assert resolve(view, seen) == ("2", "4")
    assert the_element(view, seen) is None
    assert the_element(click("button", "View", within=("row", "Bob")), seen) == "4"
    assert the_element(click("button", "View", within=("row", "Cid")), seen) is None


async def test_disabled_resolves_and_hidden_does_not(show: Show) -> None:
    seen = await show(
        "<button disabled>A</button><button hidden>B</button><div aria-hidden=true>"
        "<button>C</button></div><details><summary>More</summary><button>D</button></details>"
        "<div inert><button>E</button></div><button style='visibility:hidden'>F</button>"
        "<button style='position:absolute;top:9000px'>G</button>"
    )
    names = {element.name for element in seen.elements}
    assert names == {"A", "More", "G"}
    assert resolve(click("button", "A"), seen)
    assert '[2] disclosure "More" collapsed' in body(seen)


async def test_modal_dialog_hides_the_page(show: Show, session: Session) -> None:
    seen = await show(
        "<button onclick='d.showModal()'>Open</button><dialog id=d aria-label=Sure><button "
        "onclick='d.close()'>No</button></dialog>"
    )
    assert body(seen) == ['[1] button "Open"']
    assert not (await session.execute(parse("click('1')"))).error
    seen = await session.observe()
    assert body(seen) == ['dialog "Sure"', '  [1] button "No"']
    assert the_element(click("button", "No", within=("dialog", "Sure")), seen) == "1"


async def test_frames_and_shadow_roots(show: Show, session: Session, pages: Pages) -> None:
    pages.html["/inner"] = (
        "<button onclick='parent.document.title=\"pressed\"'>Inner</button>"
        "<iframe title=deep srcdoc='<p>deep text</p>'></iframe>"
    )
    seen = await show(
        "<title>T</title><div id=s></div><iframe title=frame src=/inner></iframe><script>"
        "s.attachShadow({mode:'open'}).innerHTML='<button onclick=document.title=1>Shadow</button>'"
        "</script>"
    )
    assert body(seen) == [
        '[1] button "Shadow"',
        'iframe "frame"',
        '  [2] button "Inner"',
        '  iframe "deep"',
        "    text: deep text",
    ]
    await session.execute(parse("click('2')"))
    assert (await session.observe()).title == "pressed"
    await session.execute(parse("click('1')"))
    assert (await session.observe()).title == "1"


async def test_alerts(show: Show) -> None:
    seen = await show("<p role=alert>Bad <b>thing</b></p><p role=status>Fine</p>")
    assert seen.alerts == ("Bad thing",)


async def test_no_addresses_and_no_port(show: Show, pages: Pages) -> None:
    seen = await show(
        f'<img alt=i src="data:image/png;base64,{LONG}"><a href="data:text/plain,{LONG}">x</a>'
        '<a href="/far?token=1">y</a><button>End</button>'
    )
    assert len(seen.text) < 2_000
    assert 'button "End"' in seen.text
    assert "data:" not in seen.text
    assert "token" not in seen.text
    assert str(pages.port) not in seen.text


async def test_long_page_says_what_it_leaves_out(show: Show, session: Session) -> None:
    links = "".join(f"<a href=/l{n}>Link {n}</a> " for n in range(2000))
    seen = await show(f"{links}<button onclick='document.title=\"pressed\"'>Confirm order</button>")
    assert seen.truncated
    assert "Confirm order" not in seen.text
    ids = [element.id for element in seen.elements if element.id]
    assert body(seen)[-1] == (
        f"(left out below: {2001 - len(ids)} elements; scroll(0, 400) shows more)"
    )
    assert all(f"[{each}]" in seen.text for each in ids)
    error = (await session.execute(parse("click('2001')"))).error
    assert "unknown id" in error
    for _ in range(10):
        assert not (await session.execute(parse("scroll(0, 400)"))).error
        seen = await session.observe()
        if "Confirm order" in seen.text:
            break
    assert seen.truncated
    assert body(seen)[0].startswith("(left out above: ")
    await session.execute(parse(f"click('{element_id(seen, 'button', 'Confirm order')}')"))
    assert (await session.observe()).title == "pressed"
    await session.execute(parse("scroll(0, -400)"))
    seen = await session.observe()
    assert "Confirm order" not in "".join(body(seen))
    assert 'Focused: button "Confirm order"' in seen.text


async def test_far_text_goes_first(show: Show) -> None:
    text = "".join(f"<p>Paragraph {n} of a long story without any control.</p>" for n in range(900))
    seen = await show(f"<button>First</button>{text}<button>Last</button>")
    assert seen.truncated
    assert body(seen) == [
        '[1] button "First"',
        "text: Paragraph 0 of a long story without any control.",
        "text: Paragraph 1 of a long story without any control.",
        "(left out here: 896 lines of text)",
        "text: Paragraph 898 of a long story without any control.",
        "text: Paragraph 899 of a long story without any control.",
        '[2] button "Last"',
    ]


async def test_equal_states_give_equal_bytes(browser: Browser, pages: Pages) -> None:
    rows = "".join(f"<tr><td>{n}<td><button>Open</button>" for n in range(50))
    pages.html["/"] = f"<title>T</title><input autofocus aria-label=Q><table>{rows}</table>"
    texts = set()
    for _ in range(3):
        session = await browser.session("x")
        await session.execute(parse("goto('/')"))
        first = await session.observe()
        again = await session.observe()
        texts |= {first.text, again.text}
        assert first == again
        await session.close()
    assert len(texts) == 1


async def test_strange_characters_stay_one_line(show: Show) -> None:
    seen = await show(
        "<button id=b>x</button><script>b.setAttribute('aria-label', "
        "'half \\ud83d, line\\u2028break, \"quote\"\\nnew [9] button')</script>"
    )
    assert body(seen) == [r'[1] button "half �, line break, \"quote\" new [9] button"']
    seen.text.encode()
