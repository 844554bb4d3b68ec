"""One episode's use of the browser: tabs, looking, acting.

JavaScript dialogs stay open until the agent answers them. So whatever is asked of a page is raced
against a dialog opening; what was under way goes on when the dialog is answered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, Dialog, Error, Page, Request, WebSocket

from runner.actions import OPERATIONS, Action
from runner.budget import MAX_CHARACTERS
from runner.errors import MachineryError
from runner.keys import UnknownKeyError, key_name
from runner.observation import Observation
from runner.observe import Page as Shown
from runner.observe import look, quoted
from runner.records import Record
from runner.tab import SETTLE_SECONDS, PageGoneError, Tab
from runner.tree import tidy
from webapps.host import ORIGIN, VIRTUAL_HOST

_POPUP_SECONDS = 5.0
_ANSWERS = ("dialog_accept", "dialog_dismiss")
_ALWAYS = (*_ANSWERS, "noop", "send_msg_to_user", "stop")
Answer = TypeVar("Answer")


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


class _DialogOpenedError(Exception):
    """A JavaScript dialog opened; what was under way waits for its answer."""


class Session:
    """A browser context of its own for one episode. Made by `Browser.session`.

    `blocked` lists the addresses off the host that the page or the agent asked for.
    """

    def __init__(self, context: BrowserContext, *, screenshots: Path | None = None) -> None:
        self.blocked: list[str] = []
        self._context = context
        self._screenshots = screenshots
        self._tabs: list[Tab] = []
        self._active: Tab | None = None
        self._dialogs: list[Dialog] = []
        self._changed = asyncio.Event()
        self._under_way: asyncio.Task[Any] | None = None
        self._adopting: set[asyncio.Task[None]] = set()
        self._windows_seen = 0
        self._broken = ""
        self._error = ""
        self._looks = 0
        self._do: dict[str, Callable[[Action], Awaitable[Outcome | None]]] = {
            name: getattr(self, f"_{name}") for name in OPERATIONS
        }
        context.on("page", self._on_page)
        context.on("dialog", self._on_dialog)
        context.on("requestfailed", self._on_request_failed)

    async def start(self) -> None:
        """Open the first tab."""
        await self._new_tab(Action(operation="new_tab"))

    async def close(self) -> None:
        """Close the context and everything in it. Never raises."""
        for task in (*self._adopting, *filter(None, [self._under_way])):
            task.cancel()
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                await self._context.close()
        except (Error, TimeoutError):
            return

    def complain(self, error: str) -> None:
        """Show `error` as that of the last action: for replies that hold no action."""
        self._error = error

    async def observe(self, max_characters: int = MAX_CHARACTERS) -> Observation:
        """What the agent sees now. Ids of earlier observations of this tab are void after this."""
        tab = self._tab()
        try:
            shown = await self._race(self._shown(tab)) if not self._dialogs else self._behind(tab)
        except _DialogOpenedError:
            shown = self._behind(tab)
        result = look(shown, max_characters=max_characters)
        tab.handles, tab.part = result.handles, result.part
        self._looks += 1
        if self._screenshots is not None and not self._dialogs:
            await tab.page.screenshot(path=self._screenshots / f"{self._looks:03d}.png")
        return result.observation

    async def execute(self, action: Action) -> Outcome:
        """Carry out an action and wait until the page has come to rest, or a dialog opens."""
        try:
            outcome = await self._executed(action)
        except (_ActionError, UnknownKeyError) as error:
            outcome = Outcome(error=str(error))
        except _DialogOpenedError:
            outcome = Outcome()
        except Error as error:
            raise MachineryError(f"{action.operation}: {error.message}") from error
        self._error = outcome.error
        return outcome

    async def _executed(self, action: Action) -> Outcome:
        if self._dialogs and action.operation not in _ALWAYS:
            raise _ActionError(
                f"a dialog is open ({_told(self._dialogs[0])}); answer it by dialog_accept() or "
                "dialog_dismiss() first"
            )
        return await self._do[action.operation](action) or Outcome()

    # Looking

    async def _shown(self, tab: Tab) -> Shown:
        for _ in range(5):
            try:
                trees, raw, main_frame = await tab.trees()
            except PageGoneError:
                await tab.settle()
                continue
            nodes = trees.clean(raw, main_frame)
            tab.title = tidy(raw[0].get("name", {}).get("value", ""))
            return self._page(tab, nodes=nodes, focused=trees.focused, part=tab.part)
        raise MachineryError("the page does not stop replacing itself")

    def _behind(self, tab: Tab) -> Shown:
        """What can be told of a page that waits for the answer to a dialog."""
        return self._page(tab, dialog=_told(self._dialogs[0]))

    def _page(self, tab: Tab, **more: Any) -> Shown:
        return Shown(
            url=_shown_url(tab.page.url),
            title=tab.title,
            tabs=tuple(each.title for each in self._tabs),
            active_tab=self._tabs.index(tab),
            error=self._error,
            **more,
        )

    # Acting on elements

    async def _click(self, action: Action) -> Outcome | None:
        return await self._race(self._by_hand(action))

    _fill = _select_option = _check = _uncheck = _click

    async def _by_hand(self, action: Action) -> Outcome:
        tab = self._tab()
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
            await self._rest(tab)
            raise _ActionError(f"{action.operation} on [{action.element}]: {done['error']}")
        if "point" in done:
            await tab.click_at(*done["point"])
        if action.operation == "press":
            await tab.page.keyboard.press(key_name(action.value))
        refused = await self._rest(tab)
        if refused:
            raise _ActionError(f"the form was not sent: {refused}")
        if action.operation in ("check", "uncheck"):
            state = (await tab.call_hand(handle, "state")).get("state")
            if state is not None and state != (action.operation == "check"):
                raise _ActionError(f"{action.operation} on [{action.element}]: it did not change")
        return Outcome()

    async def _press(self, action: Action) -> Outcome | None:
        key_name(action.value)
        return await self._race(self._by_hand(action))

    async def _scroll(self, action: Action) -> None:
        tab = self._tab()
        tab.part = max(0, tab.part + (action.vertical > 0) - (action.vertical < 0))
        await self._race(self._scrolled(tab, action.horizontal, action.vertical))

    async def _scrolled(self, tab: Tab, right: int, down: int) -> None:
        await tab.send(
            "Runtime.evaluate",
            expression=f"scrollBy({{left: {right}, top: {down}, behavior: 'instant'}})",
        )
        await self._rest(tab)

    # Going places

    async def _goto(self, action: Action) -> None:
        path = action.value.strip()
        at_home = path == ORIGIN or path.startswith((f"{ORIGIN}/", f"{ORIGIN}?", f"{ORIGIN}#"))
        if path.startswith("/") and not path.startswith(("//", "/\\")):
            path = ORIGIN + path
        elif not at_home:
            self.blocked.append(path)
            raise _ActionError(f"only paths of this site can be visited, such as '/': not {path!r}")
        await self._race(self._gone_to(self._tab(), path))

    async def _gone_to(self, tab: Tab, url: str) -> None:
        answer = await tab.send("Page.navigate", url=url)
        await self._rest(tab)
        if answer.get("errorText"):
            raise _ActionError(f"the page was not opened: {answer['errorText']}")

    async def _go_back(self, _action: Action) -> None:
        await self._race(self._gone_back(self._tab()))

    async def _gone_back(self, tab: Tab) -> None:
        history = await tab.send("Page.getNavigationHistory")
        index = history["currentIndex"]
        if index == 0 or history["entries"][index - 1]["url"] == "about:blank":
            raise _ActionError("there is no page before this one")
        await tab.go_to_entry(history["entries"][index - 1]["id"])
        await self._rest(tab)

    # Tabs

    async def _new_tab(self, _action: Action) -> None:
        self._windows_seen -= 1  # this one is not opened by a page
        await self._race(self._opened())

    async def _opened(self) -> None:
        await self._context.new_page()
        await self._tabs_ready()

    async def _tab_focus(self, action: Action) -> None:
        self._active = self._numbered(action)
        await self._race(self._brought_to_front(self._active))

    async def _brought_to_front(self, tab: Tab) -> None:
        await tab.send("Page.bringToFront")
        await self._rest(tab)

    async def _tab_close(self, action: Action) -> None:
        tab = self._numbered(action)
        if len(self._tabs) == 1:
            raise _ActionError("the last tab cannot be closed")
        await tab.page.close()
        self._forget(tab)
        await self._race(self._brought_to_front(self._tab()))

    def _numbered(self, action: Action) -> Tab:
        index = int(action.value)
        if not 0 <= index < len(self._tabs):
            raise _ActionError(f"there is no tab {index}; tabs are numbered from 0")
        return self._tabs[index]

    # Dialogs

    async def _dialog_accept(self, action: Action) -> Outcome | None:
        dialog = self._next_dialog()
        if action.value and dialog.type != "prompt":
            raise _ActionError("only a prompt takes a text; write dialog_accept()")
        given = action.value or dialog.default_value
        self._dialogs.remove(dialog)
        await dialog.accept(given if dialog.type == "prompt" else None)
        return await self._go_on()

    async def _dialog_dismiss(self, _action: Action) -> Outcome | None:
        dialog = self._next_dialog()
        self._dialogs.remove(dialog)
        await dialog.dismiss()
        if dialog.type == "beforeunload":
            self._tab().stay()
        return await self._go_on()

    def _next_dialog(self) -> Dialog:
        if not self._dialogs:
            raise _ActionError("no dialog is open")
        return self._dialogs[0]

    async def _go_on(self) -> Outcome | None:
        """Let what the dialog interrupted run to its end."""
        waiting, self._under_way = self._under_way, None
        if waiting is not None:
            await self._race(waiting)
        return await self._race(self._rest_everywhere())

    async def _rest_everywhere(self) -> Outcome:
        refused = await self._rest(self._tab())
        return Outcome(error=f"the form was not sent: {refused}" if refused else "")

    # Words

    async def _noop(self, _action: Action) -> None:
        if not self._dialogs:
            await self._race(self._rest(self._tab()))

    async def _send_msg_to_user(self, action: Action) -> Outcome:
        return Outcome(message=action.value)

    async def _stop(self, action: Action) -> Outcome:
        return Outcome(done=True, answer=action.value)

    # Waiting

    async def _race(self, work: "Coroutine[Any, Any, Answer] | asyncio.Task[Answer]") -> Answer:
        """The result of `work`, unless a dialog opens first: then it waits in `_under_way`."""
        task = work if isinstance(work, asyncio.Task) else asyncio.ensure_future(work)
        while not task.done():
            self._changed.clear()
            self._check_alive()
            if self._dialogs:
                self._under_way = task
                raise _DialogOpenedError
            change = asyncio.ensure_future(self._changed.wait())
            try:
                await asyncio.wait({task, change}, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                task.cancel()
                raise
            finally:
                change.cancel()
        return task.result()

    async def _rest(self, tab: Tab) -> str:
        """Wait for the tab, and for tabs it opened. Answers what its own validation refused."""
        refused = "" if tab.page.is_closed() else await tab.settle()
        await self._tabs_ready()
        if self._tab() is not tab:
            await self._tab().settle()
        return refused

    async def _tabs_ready(self) -> None:
        """Wait for the tabs that pages said they open."""
        try:
            async with asyncio.timeout(_POPUP_SECONDS):
                while self._windows_seen < sum(tab.windows_opened for tab in self._tabs):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self._windows_seen = sum(tab.windows_opened for tab in self._tabs)
        while self._adopting:
            await asyncio.gather(*self._adopting)

    def _tab(self) -> Tab:
        self._check_alive()
        if self._active is None:
            raise MachineryError("every tab is closed")
        return self._active

    def _check_alive(self) -> None:
        if self._broken or (self._active is not None and self._active.crashed):
            raise MachineryError(self._broken or "the page crashed")

    # What the browser tells

    def _on_page(self, page: Page) -> None:
        self._windows_seen += 1
        page.on("close", self._on_page_closed)
        page.on("websocket", self._on_websocket)
        task = asyncio.ensure_future(self._adopt(page))
        self._adopting.add(task)
        task.add_done_callback(self._adopting.discard)
        self._changed.set()

    async def _adopt(self, page: Page) -> None:
        try:
            tab = await Tab.open(page)
        except (Error, PageGoneError, MachineryError):
            if not page.is_closed():
                raise
            return
        self._tabs.append(tab)
        self._active = tab
        page.on("crash", lambda _: self._changed.set())

    def _on_page_closed(self, page: Page) -> None:
        for tab in [tab for tab in self._tabs if tab.page is page]:
            self._forget(tab)
        self._changed.set()

    def _forget(self, tab: Tab) -> None:
        if tab in self._tabs:
            self._windows_seen -= tab.windows_opened
            self._tabs.remove(tab)
        if self._active is tab:
            self._active = self._tabs[-1] if self._tabs else None

    def _on_dialog(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog)
        self._changed.set()

    def _on_request_failed(self, request: Request) -> None:
        if not _is_ours(request.url):
            self.blocked.append(request.url)

    def _on_websocket(self, socket: WebSocket) -> None:
        if not _is_ours(socket.url):
            self.blocked.append(socket.url)


def _is_ours(url: str) -> bool:
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https", "ws", "wss"):
        return True
    return rest == VIRTUAL_HOST or rest.startswith((f"{VIRTUAL_HOST}/", f"{VIRTUAL_HOST}?"))


def _shown_url(url: str) -> str:
    return (url.removeprefix(ORIGIN) or "/") if url.startswith(ORIGIN) else tidy(url)


def _told(dialog: Dialog) -> str:
    return f"{dialog.type} {quoted(tidy(dialog.message))}"
