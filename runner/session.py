"""One episode's use of the browser: looking and acting."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Dialog, Error

from runner.actions import OPERATIONS, Action
from runner.budget import MAX_CHARACTERS
from runner.errors import MachineryError
from runner.keys import UnknownKeyError, key_name
from runner.observation import Observation
from runner.observe import Page, look, quoted
from runner.records import Record
from runner.tab import PageGoneError, Tab
from runner.tabs import DialogOpenedError, Tabs
from runner.tree import tidy
from webapps.host import ORIGIN

_WITH_A_DIALOG_OPEN = ("dialog_accept", "dialog_dismiss", "noop", "send_msg_to_user", "stop")
_LOOKS_TRIED = 5


class Outcome(Record):
    """What came of an action. `error` is for the agent; empty when the action was carried out.

    `done` means that the agent has stopped; `answer` is then its closing answer. `message` is what
    it said to the user.
    """

    error: str = ""
    done: bool = False
    answer: str = ""
    message: str = ""


class _ActionError(Exception):
    """The action cannot be carried out; the text is for the agent."""


class Session:
    """A browser context of its own for one episode. Made by `Browser.session`.

    Every method raises `MachineryError` when the browser or the page has crashed or hangs.
    """

    def __init__(self, context: BrowserContext, *, screenshots: Path | None = None) -> None:
        self._tabs = Tabs(context)
        self._screenshots = screenshots
        self._error = ""
        self._looks = 0
        self._do: dict[str, Callable[[Action], Awaitable[Outcome | None]]] = {
            name: getattr(self, f"_{name}") for name in OPERATIONS
        }

    @property
    def blocked(self) -> list[str]:
        """The addresses off the host that the page or the agent asked for."""
        return self._tabs.blocked

    async def start(self) -> None:
        """Open the first tab."""
        await self._tabs.open()

    async def close(self) -> None:
        """Close the context and everything in it. Never raises."""
        await self._tabs.close()

    def complain(self, error: str) -> None:
        """Show `error` as that of the last action: for replies that hold no action."""
        self._error = error

    async def observe(self, max_characters: int = MAX_CHARACTERS) -> Observation:
        """What the agent sees now. Ids of earlier observations of this tab are void after this."""
        try:
            tab, shown = await self._tabs.race(self._shown())
        except DialogOpenedError:
            tab = self._tabs.active
            shown = self._page(tab, dialog=_told(self._tabs.dialogs[0]))
        result = look(shown, max_characters=max_characters)
        tab.handles, tab.part = result.handles, result.part
        self._looks += 1
        if self._screenshots is not None and not shown.dialog:
            await tab.page.screenshot(path=self._screenshots / f"{self._looks:03d}.png")
        return result.observation

    async def execute(self, action: Action) -> Outcome:
        """Carry out an action and wait until the page has come to rest, or a dialog opens."""
        try:
            outcome = await self._executed(action)
        except (_ActionError, UnknownKeyError) as error:
            outcome = Outcome(error=str(error))
        except DialogOpenedError:
            outcome = Outcome()
        except PageGoneError:
            outcome = Outcome(error="the page was replaced before the action was done")
        except Error as error:
            raise MachineryError(f"{action.operation}: {error.message}") from error
        self._error = outcome.error
        return outcome

    async def _executed(self, action: Action) -> Outcome:
        if self._tabs.dialogs and action.operation not in _WITH_A_DIALOG_OPEN:
            raise _ActionError(
                f"a dialog is open ({_told(self._tabs.dialogs[0])}); answer it by dialog_accept() "
                "or dialog_dismiss() first"
            )
        return await self._do[action.operation](action) or Outcome()

    # Looking

    async def _shown(self) -> tuple[Tab, Page]:
        for _ in range(_LOOKS_TRIED):
            tab = self._tabs.active
            try:
                trees, raw, main_frame = await tab.trees()
            except PageGoneError:
                await tab.settle()
                continue
            nodes = trees.clean(raw, main_frame)
            tab.title = tidy(raw[0].get("name", {}).get("value", ""))
            return tab, self._page(tab, nodes=nodes, focused=trees.focused, part=tab.part)
        raise MachineryError("the page does not stop replacing itself")

    def _page(self, tab: Tab, **more: Any) -> Page:
        return Page(
            url=_shown_url(tab.page.url),
            title=tab.title,
            tabs=tuple(each.title for each in self._tabs.tabs),
            active_tab=self._tabs.tabs.index(tab),
            error=self._error,
            **more,
        )

    # Acting on elements

    async def _click(self, action: Action) -> Outcome | None:
        return await self._tabs.race(self._by_hand(action))

    _fill = _select_option = _check = _uncheck = _click

    async def _by_hand(self, action: Action) -> Outcome:
        tab = self._tabs.active
        handle = tab.handles.get(action.element or "")
        if handle is None:
            raise _ActionError(
                f"unknown id {action.element!r}: the last observation has no such id"
            )
        done = await tab.call_hand(handle, action.operation, action.value)
        if done.get("stale"):
            raise _ActionError(
                f"stale id {action.element!r}: the element is gone; nothing was done"
            )
        if "error" in done:
            await self._tabs.rest()
            raise _ActionError(f"{action.operation} on [{action.element}]: {done['error']}")
        with suppress(PageGoneError):  # the page may close or leave at the first touch
            if "point" in done:
                await tab.click_at(*done["point"])
            if action.operation == "press":
                await tab.press(key_name(action.value))
        _must_be_sent(await self._tabs.rest(tab))
        if action.operation in ("check", "uncheck"):
            state = (await tab.call_hand(handle, "state")).get("state")
            if state is not None and state != (action.operation == "check"):
                raise _ActionError(f"{action.operation} on [{action.element}]: it did not change")
        return Outcome()

    async def _press(self, action: Action) -> Outcome | None:
        key_name(action.value)
        return await self._tabs.race(self._by_hand(action))

    async def _scroll(self, action: Action) -> None:
        tab = self._tabs.active
        tab.part = max(0, tab.part + (action.vertical > 0) - (action.vertical < 0))
        await self._tabs.race(self._scrolled(tab, action.horizontal, action.vertical))

    async def _scrolled(self, tab: Tab, right: int, down: int) -> None:
        await tab.send(
            "Runtime.evaluate",
            expression=f"scrollBy({{left: {right}, top: {down}, behavior: 'instant'}})",
        )
        await self._tabs.rest()

    # Going places

    async def _goto(self, action: Action) -> None:
        path = action.value.strip()
        at_home = path == ORIGIN or path.startswith((f"{ORIGIN}/", f"{ORIGIN}?", f"{ORIGIN}#"))
        if path.startswith("/") and not path.startswith(("//", "/\\")):
            path = ORIGIN + path
        elif not at_home:
            self._tabs.blocked.append(path)
            raise _ActionError(f"only paths of this site can be visited, such as '/': not {path!r}")
        await self._tabs.race(self._gone_to(self._tabs.active, path))

    async def _gone_to(self, tab: Tab, url: str) -> None:
        answer = await tab.send("Page.navigate", url=url)
        await self._tabs.rest()
        if answer.get("errorText"):
            raise _ActionError(f"the page was not opened: {answer['errorText']}")

    async def _go_back(self, _action: Action) -> None:
        await self._tabs.race(self._gone_back(self._tabs.active))

    async def _gone_back(self, tab: Tab) -> None:
        history = await tab.send("Page.getNavigationHistory")
        index = history["currentIndex"]
        if index == 0 or history["entries"][index - 1]["url"] == "about:blank":
            raise _ActionError("there is no page before this one")
        await tab.go_to_entry(history["entries"][index - 1]["id"])
        await self._tabs.rest()

    # Tabs

    async def _new_tab(self, _action: Action) -> None:
        await self._tabs.race(self._tabs.open())

    async def _tab_focus(self, action: Action) -> None:
        await self._tabs.race(self._tabs.focus(self._numbered(action)))

    async def _tab_close(self, action: Action) -> None:
        tab = self._numbered(action)
        if len(self._tabs.tabs) == 1:
            raise _ActionError("the last tab cannot be closed")
        await self._tabs.race(self._tabs.close_tab(tab))

    def _numbered(self, action: Action) -> Tab:
        index = int(action.value)
        if not 0 <= index < len(self._tabs.tabs):
            raise _ActionError(f"there is no tab {index}; tabs are numbered from 0")
        return self._tabs.tabs[index]

    # Dialogs

    async def _dialog_accept(self, action: Action) -> None:
        dialog = self._open_dialog()
        if dialog.type == "prompt":
            text = action.value or dialog.default_value
            _must_be_sent(await self._tabs.answer(dialog, accept=True, text=text))
        elif action.value:
            raise _ActionError("only a prompt takes a text; write dialog_accept()")
        else:
            _must_be_sent(await self._tabs.answer(dialog, accept=True))

    async def _dialog_dismiss(self, _action: Action) -> None:
        _must_be_sent(await self._tabs.answer(self._open_dialog(), accept=False))

    def _open_dialog(self) -> Dialog:
        if not self._tabs.dialogs:
            raise _ActionError("no dialog is open")
        return self._tabs.dialogs[0]

    # Words

    async def _noop(self, _action: Action) -> None:
        await self._tabs.race(self._tabs.rest())

    async def _send_msg_to_user(self, action: Action) -> Outcome:
        return Outcome(message=action.value)

    async def _stop(self, action: Action) -> Outcome:
        return Outcome(done=True, answer=action.value)


def _must_be_sent(refused: str) -> None:
    if refused:
        raise _ActionError(f"the form was not sent: {refused}")


def _shown_url(url: str) -> str:
    return (url.removeprefix(ORIGIN) or "/") if url.startswith(ORIGIN) else tidy(url)


def _told(dialog: Dialog) -> str:
    return f"{dialog.type} {quoted(tidy(dialog.message))}"
