"""One browser tab: its page, the protocol session into it, and whether it has come to rest."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, cast

from playwright.async_api import CDPSession, Error, Page

from runner.errors import MachineryError
from runner.patience import Patience
from runner.tree import Handle, RawNode, Trees

SETTLE_SECONDS = 10.0
"""How long a page may take to come to rest after an action; then it is looked at as it is."""
REPLY_SECONDS = 15.0
"""How long the browser may take to answer before the machinery counts as broken."""

_HAND = Path(__file__).with_name("hands.js").read_text(encoding="utf-8")
# Tasks and one frame go by, so that what the action set off has started. Answers what the page's
# own validation refused since the last time.
_LET_WORK_START = """new Promise((done) => {
  const tell = () => {
    const refused = globalThis[Symbol.for("refusals")] || [];
    done(refused.splice(0).join("; "));
  };
  let told = false;
  const once = () => { if (!told) { told = true; setTimeout(tell); } };
  requestAnimationFrame(once);
  setTimeout(once, 50);
})"""
# Never ending by design; waiting for them would be waiting for nothing.
_ENDLESS = ("EventSource", "WebSocket", "Ping", "Prefetch", "Media", "Preflight")


def _plain_send(cdp: CDPSession) -> Callable[..., Awaitable[Any]]:
    """The session's `send` without Playwright's search of every answer for objects of its own.

    That search is done in Python and takes most of the time of a look; answers of the browser's
    protocol hold no such objects. A Playwright built otherwise falls back on the public method.
    """
    inner: Callable[..., Awaitable[Any]] = getattr(cdp, "_impl_obj", cdp).send
    others = [name for name in signature(inner).parameters if name not in ("method", "params")]
    return partial(inner, **dict.fromkeys(others))


class PageGoneError(Exception):
    """The document in question is no more: it was replaced or closed while it was asked."""


class Tab:
    """A tab. Make it with `Tab.open`; nothing else may drive the page."""

    def __init__(self, page: Page, cdp: CDPSession, patience: Patience) -> None:
        self.page = page
        self.handles: dict[str, Handle] = {}
        self.documents: dict[str, str] = {}
        """The document each frame shows (its loader id), by frame id."""
        self.seen_documents: dict[str, str] = {}
        self.title = ""
        self.part = 0
        self.windows_opened = 0
        self.crashed = False
        self._cdp = cdp
        self._ask = _plain_send(cdp)
        self._patience = patience
        self._main_frame = ""
        self._activity = 0
        self._loading: set[str] = set()
        self._requests: dict[str, str] = {}
        self._changed = asyncio.Event()
        page.on("crash", self._on_crash)
        page.on("close", lambda _: self._note())

    @classmethod
    async def open(cls, page: Page, patience: Patience) -> "Tab":
        """A tab around a page that exists already; `patience` is its session's."""
        tab = cls(page, await page.context.new_cdp_session(page), patience)
        tab._listen()
        await asyncio.gather(
            *(tab.send(f"{domain}.enable") for domain in ("Page", "Network", "Accessibility"))
        )
        await tab._learn_frames()
        return tab

    async def send(self, method: str, **parameters: Any) -> Any:
        """Ask the browser; raises `PageGoneError` or `MachineryError`."""
        try:
            async with self._patience.limit(REPLY_SECONDS):
                return await self._ask(method=method, params=parameters)
        except TimeoutError as error:
            raise MachineryError(f"the browser did not answer {method}") from error
        except Error as error:
            raise self._failure(error) from error

    def _failure(self, error: Error) -> Exception:
        browser = self.page.context.browser
        if self.crashed or browser is None or not browser.is_connected():
            return MachineryError(f"the browser is gone: {error.message}")
        return PageGoneError(error.message)

    async def call_hand(self, handle: Handle, operation: str, value: str = "") -> dict[str, Any]:
        """Run `hands.js` on an element. Answers {"stale": True} when it is not there any more."""
        if self.documents.get(handle.frame_id) != self.seen_documents.get(handle.frame_id):
            return {"stale": True}
        try:
            found = await self.send("DOM.resolveNode", backendNodeId=handle.backend_node_id)
            answer = await self.send(
                "Runtime.callFunctionOn",
                objectId=found["object"]["objectId"],
                functionDeclaration=_HAND,
                arguments=[{"value": operation}, {"value": value}],
                returnByValue=True,
                userGesture=True,
            )
        except PageGoneError:
            return {"stale": True}
        if "exceptionDetails" in answer:
            text = answer["exceptionDetails"].get("exception", {}).get("description", "")
            raise MachineryError(f"{operation} failed in the page: {text[:300]}")
        return cast("dict[str, Any]", answer["result"]["value"])

    async def click_at(self, x: float, y: float) -> None:
        """A real click of the left button."""
        events: Sequence[tuple[str, str, int]] = (
            ("mouseMoved", "none", 0),
            ("mousePressed", "left", 1),
            ("mouseReleased", "left", 1),
        )
        await asyncio.gather(
            *(
                self.send(
                    "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=n
                )
                for kind, button, n in events
            )
        )

    async def press(self, key: str) -> None:
        """Press a key, named as `runner.keys` does, where the focus is."""
        try:
            await self.page.keyboard.press(key)
        except Error as error:
            raise self._failure(error) from error

    async def settle(self) -> str:
        """Wait until nothing is under way. Answers what the page's own validation refused."""
        refused: list[str] = []
        try:
            async with self._patience.limit(SETTLE_SECONDS):
                while not self.page.is_closed():
                    before = self._activity
                    refused.append(await self._let_work_start())
                    if self._activity == before and self._idle():
                        break
                    await self._until_idle()
        except TimeoutError:  # what has not ended by now is not waited for again
            self._loading.clear()
            self._requests.clear()
        return "; ".join(filter(None, refused))

    async def go_to_entry(self, entry: int) -> None:
        """Start towards an entry of the tab's history; `settle` waits for the arrival."""
        self._load(self._main_frame)
        await self.send("Page.navigateToHistoryEntry", entryId=entry)

    def stay(self) -> None:
        """Forget a navigation that the user, asked by the page, called off."""
        self._loading.clear()
        self._note()

    async def trees(self) -> tuple[Trees, Sequence[RawNode], str]:
        """The accessibility trees of the page and its frames, and the main frame's id."""
        self.seen_documents = dict(self.documents)
        raw = (await self.send("Accessibility.getFullAXTree"))["nodes"]
        frames: dict[int, tuple[str, Sequence[RawNode]]] = {}
        await self._frames_in(raw, frames)
        return Trees(frames), raw, self._main_frame

    async def _frames_in(
        self, raw: Sequence[RawNode], frames: dict[int, tuple[str, Sequence[RawNode]]]
    ) -> None:
        for node in raw:
            if node.get("role", {}).get("value") not in ("Iframe", "IframePresentational"):
                continue
            backend_node_id = node["backendDOMNodeId"]
            try:
                described = await self.send("DOM.describeNode", backendNodeId=backend_node_id)
                frame_id = described["node"]["frameId"]
                inner = await self.send("Accessibility.getFullAXTree", frameId=frame_id)
            except (PageGoneError, KeyError):
                continue
            frames[backend_node_id] = (frame_id, inner["nodes"])
            await self._frames_in(inner["nodes"], frames)

    async def _let_work_start(self) -> str:
        try:
            answer = await self.send(
                "Runtime.evaluate",
                expression=_LET_WORK_START,
                awaitPromise=True,
                returnByValue=True,
            )
        except PageGoneError:
            self._activity += 1
            return ""
        return str(answer["result"].get("value", ""))

    def _idle(self) -> bool:
        return not self._loading and not self._requests

    async def _until_idle(self) -> None:
        while not self._idle() and not self.page.is_closed():
            self._changed.clear()
            await self._changed.wait()

    async def _learn_frames(self) -> None:
        waiting = [(await self.send("Page.getFrameTree"))["frameTree"]]
        self._main_frame = waiting[0]["frame"]["id"]
        while waiting:
            tree = waiting.pop()
            self.documents[tree["frame"]["id"]] = tree["frame"]["loaderId"]
            waiting.extend(tree.get("childFrames", ()))

    def _listen(self) -> None:
        self._cdp.on("Page.frameRequestedNavigation", self._on_navigation_requested)
        self._cdp.on("Page.frameStartedLoading", lambda e: self._load(e["frameId"]))
        self._cdp.on("Page.frameStoppedLoading", lambda e: self._unload(e["frameId"]))
        self._cdp.on("Page.frameDetached", self._on_detached)
        self._cdp.on("Page.frameNavigated", self._on_navigated)
        self._cdp.on("Page.navigatedWithinDocument", lambda e: self._unload(e["frameId"]))
        self._cdp.on("Page.windowOpen", self._on_window)
        self._cdp.on("Network.requestWillBeSent", self._on_request)
        self._cdp.on("Network.loadingFinished", self._on_request_over)
        self._cdp.on("Network.loadingFailed", self._on_request_over)

    def _note(self) -> None:
        self._activity += 1
        self._changed.set()

    def _load(self, frame_id: str) -> None:
        self._loading.add(frame_id)
        self._note()

    def _unload(self, frame_id: str) -> None:
        self._loading.discard(frame_id)
        self._note()

    def _on_navigation_requested(self, event: dict[str, Any]) -> None:
        if event["disposition"] == "currentTab" and event["url"].startswith("http"):
            self._load(event["frameId"])

    def _on_detached(self, event: dict[str, Any]) -> None:
        self.documents.pop(event["frameId"], None)
        self._unload(event["frameId"])

    def _on_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        self.documents[frame["id"]] = frame["loaderId"]
        if frame["id"] == self._main_frame:
            self.part = 0
            self._requests = {
                request: loader
                for request, loader in self._requests.items()
                if loader == frame["loaderId"]
            }
        self._note()

    def _on_window(self, _event: dict[str, Any]) -> None:
        self.windows_opened += 1
        self._note()

    def _on_request(self, event: dict[str, Any]) -> None:
        if event.get("type") not in _ENDLESS and not event["request"]["url"].startswith("data:"):
            self._requests[event["requestId"]] = event["loaderId"]
            self._note()

    def _on_request_over(self, event: dict[str, Any]) -> None:
        if self._requests.pop(event["requestId"], None) is not None:
            self._note()

    def _on_crash(self, _page: Page) -> None:
        self.crashed = True
        self._note()
