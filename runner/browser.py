"""The browser: found, started once, and shared by many sessions that know nothing of each other.

Every host name and address but the sites' resolves to nothing, inside Chromium, whatever asks.
The page's clock stands still where the sites' clock does; timers run.
"""

import asyncio
import calendar
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error, Playwright, async_playwright

from runner.errors import MachineryError, UserError
from runner.session import Outcome, Session
from webapps.host import COOKIE, ORIGIN, VIRTUAL_HOST
from webapps.world import NOW

__all__ = [
    "Browser",
    "Outcome",
    "Session",
    "launch_arguments",
    "open_browser",
    "resolve_executable",
]

VIEWPORT = {"width": 1280, "height": 900}
_NAMES = ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome")
_MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# Chromium heeds the last list only, so Playwright's own choices that matter here stand in ours too.
_DISABLED_FEATURES = (
    # Playwright's: no upgrade of http addresses, no painting held back, nothing fetched by itself.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    # Ours: frames stay in the page's process.
    "IsolateSandboxedIframes",
)
_ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Frames stay in the page's process, where one protocol session reaches them.
    "--disable-site-isolation-trials",
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_FREEZE_CLOCK = "({source})({now})".format(
    source=Path(__file__).with_name("clock.js").read_text(encoding="utf-8"),
    now=calendar.timegm(NOW.timetuple()) * 1000,
)
# A browser that takes longer to say that it is there is as good as dead.
ANSWER_SECONDS = 30.0


class Browser:
    """A running Chromium. Made by `open_browser`."""

    def __init__(self, chromium: PlaywrightBrowser) -> None:
        self._chromium = chromium

    @property
    def version(self) -> str:
        """Name and version, for the records."""
        return f"Chromium {self._chromium.version}"

    async def answers(self) -> bool:
        """Whether the browser lives: it is asked, since word of a death may still be on its way."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                connection = await self._chromium.new_browser_cdp_session()
                await connection.detach()
        except (Error, TimeoutError):
            return False
        return True

    async def session(self, token: str, *, screenshots: Path | None = None) -> Session:
        """A fresh context that shows the world behind `token` (see `Host.open`).

        With `screenshots`, each observation also leaves a picture in that directory.
        """
        try:
            context = await self._chromium.new_context(
                viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]},
                locale="en-US",
                timezone_id="UTC",
                reduced_motion="reduce",
                service_workers="block",
                accept_downloads=False,
            )
            await context.add_cookies(
                [
                    {
                        "name": COOKIE,
                        "value": token,
                        "url": ORIGIN,
                        "httpOnly": True,
                        "sameSite": "Lax",
                    }
                ]
            )
            await context.add_init_script(_FREEZE_CLOCK)
            session = Session(context, screenshots=screenshots)
            await session.start()
        except Error as error:
            raise MachineryError(f"no session could be opened: {error.message}") from error
        return session


def resolve_executable(override: str | None) -> str | None:
    """The Chrome or Chromium to start: the override, an installed one, or None for Playwright's.

    Raises `UserError` when the override is no program. Whether Playwright has a browser of its
    own is only known to a running Playwright: `open_browser` raises `UserError` if not.
    """
    if override:
        found = shutil.which(override)
        if found is None:
            raise UserError(f"there is no browser at {override}")
        return found
    installed = (shutil.which(name) for name in _NAMES)
    on_mac = (path for path in _MAC if sys.platform == "darwin" and Path(path).exists())
    return next((path for path in (*installed, *on_mac) if path), None)


def launch_arguments(port: int) -> list[str]:
    """What Chromium is started with to serve the host at `port` of 127.0.0.1, and nothing else."""
    rules = f"MAP {VIRTUAL_HOST} 127.0.0.1:{port}, MAP * ~NOTFOUND"
    arguments = [*_ARGUMENTS, f"--host-resolver-rules={rules}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses to run as root with its sandbox on.
    return arguments


@asynccontextmanager
async def open_browser(
    port: int, *, executable: str | None = None, headless: bool = True
) -> AsyncIterator[Browser]:
    """Start Chromium for the host at `port` of 127.0.0.1; it can reach nothing else."""
    path = resolve_executable(executable)
    async with async_playwright() as playwright:
        if path is None and not Path(playwright.chromium.executable_path).exists():
            raise UserError(
                "no Chrome or Chromium was found: run `make setup` or `playwright install chromium`"
            )
        chromium = await _launch(playwright, path, port, headless=headless)
        try:
            yield Browser(chromium)
        finally:
            if chromium.is_connected():
                await chromium.close()


async def _launch(
    playwright: Playwright, path: str | None, port: int, *, headless: bool
) -> PlaywrightBrowser:
    try:
        return await playwright.chromium.launch(
            executable_path=path, headless=headless, args=launch_arguments(port)
        )
    except Error as error:
        reason = error.message.splitlines()[0]
        raise UserError(
            f"the browser does not start ({path or 'Playwright’s own'}): {reason}"
        ) from error
