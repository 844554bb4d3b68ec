"""The tabs and dialogs of one browser context, and how to wait for them.

JavaScript dialogs stay open until the agent answers them. So whatever is asked of a page is raced
against a dialog opening; what was under way goes on when the dialog is answered.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, Dialog, Error, Page, Request, WebSocket

from runner.errors import MachineryError
from runner.patience import Patience
from runner.tab import SETTLE_SECONDS, PageGoneError, Tab
from webapps.host import VIRTUAL_HOST

_POPUP_SECONDS = 5.0
Answer = TypeVar("Answer")


class DialogOpenedError(Exception):
    """A JavaScript dialog opened; what was under way waits for its answer."""


class Tabs:
    """The tabs of a context, in the order they were opened; a new one becomes the active one.

    `blocked` lists the addresses off the host that were asked for, `dialogs` those open now.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.blocked: list[str] = []
        self.dialogs: list[Dialog] = []
        self.tabs: list[Tab] = []
        self._active: Tab | None = None
        self._context = context
        self._patience = Patience()
        self._changed = asyncio.Event()
        self._under_way: asyncio.Task[Any] | None = None
        self._adopting: set[asyncio.Task[None]] = set()
        self._windows_seen = 0
        context.on("page", self._on_page)
        context.on("dialog", self._on_dialog)
        context.on("requestfailed", self._on_request_failed)

    @property
    def active(self) -> Tab:
        """The tab that actions go to."""
        if self._active is None:
            raise MachineryError("every tab is closed")
        if self._active.crashed:
            raise MachineryError("the page crashed")
        return self._active

    async def open(self) -> None:
        """Open an empty tab and turn to it."""
        self._windows_seen -= 1  # this one is not opened by a page
        await self._context.new_page()
        await self._arrived()

    async def focus(self, tab: Tab) -> None:
        """Turn to a tab."""
        self._active = tab
        await tab.send("Page.bringToFront")
        await self.rest()

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab that is not the last; the last opened of the others becomes active."""
        await tab.page.close()
        self._forget(tab)
        await self.focus(self.active)

    async def close(self) -> None:
        """Close the context and everything in it. Never raises."""
        for task in (*self._adopting, *filter(None, [self._under_way])):
            task.cancel()
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                await self._context.close()
        except (Error, TimeoutError):
            return

    async def race(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """The result of `work`; raises `DialogOpenedError` if a dialog is open or opens first."""
        if self.dialogs:
            work.close()
            raise DialogOpenedError
        return await self._race(asyncio.ensure_future(work))

    async def answer(self, dialog: Dialog, *, accept: bool, text: str | None = None) -> str:
        """Close a dialog and let what it interrupted run to its end; the same result as `rest`."""
        self._drop_dialogs(lambda each: each is dialog)
        await (dialog.accept(text) if accept else dialog.dismiss())
        if dialog.type == "beforeunload" and not accept:
            self.active.stay()
        waiting, self._under_way = self._under_way, None
        if waiting is not None:
            await self._race(waiting)
        return await self.race(self.rest())

    async def rest(self, tab: Tab | None = None) -> str:
        """Wait for a tab (the active one if not said), and for tabs it opens, to come to rest.

        Answers what the page's own validation refused, in words.
        """
        tab = tab or self.active
        refused = await tab.settle()
        await self._arrived()
        if self.active is not tab:
            await self.active.settle()
        return refused

    async def _race(self, task: "asyncio.Task[Answer]") -> Answer:
        while not task.done():
            self._changed.clear()
            if self.dialogs:
                self._under_way = task
                raise DialogOpenedError
            change = asyncio.ensure_future(self._changed.wait())
            try:
                await asyncio.wait({task, change}, return_when=asyncio.FIRST_COMPLETED)
                if self._active is not None and self._active.crashed:
                    task.cancel()
                    raise MachineryError("the page crashed")
            except asyncio.CancelledError:
                task.cancel()
                raise
            finally:
                change.cancel()
        return task.result()

    async def _arrived(self) -> None:
        """Wait for the tabs that pages said they open."""
        try:
            async with self._patience.limit(_POPUP_SECONDS):
                while self._windows_seen < sum(tab.windows_opened for tab in self.tabs):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self._windows_seen = sum(tab.windows_opened for tab in self.tabs)
        while self._adopting:
            await asyncio.gather(*self._adopting)

    def _drop_dialogs(self, which: Callable[[Dialog], bool]) -> None:
        self.dialogs = [dialog for dialog in self.dialogs if not which(dialog)]
        if not self.dialogs:
            self._patience.resume()

    def _forget(self, tab: Tab) -> None:
        if tab in self.tabs:
            self._windows_seen -= tab.windows_opened
            self.tabs.remove(tab)
        if self._active is tab:
            self._active = self.tabs[-1] if self.tabs else None

    async def _adopt(self, page: Page) -> None:
        try:
            tab = await Tab.open(page, self._patience)
        except (Error, PageGoneError):
            if not page.is_closed():
                raise
            return
        self.tabs.append(tab)
        self._active = tab

    def _on_page(self, page: Page) -> None:
        self._windows_seen += 1
        page.on("close", self._on_page_closed)
        page.on("crash", lambda _: self._changed.set())
        page.on("websocket", self._on_websocket)
        task = asyncio.ensure_future(self._adopt(page))
        self._adopting.add(task)
        task.add_done_callback(self._adopting.discard)
        self._changed.set()

    def _on_page_closed(self, page: Page) -> None:
        for tab in [tab for tab in self.tabs if tab.page is page]:
            self._forget(tab)
        self._drop_dialogs(lambda dialog: dialog.page is page)
        self._changed.set()

    def _on_dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog)
        self._patience.pause()
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
