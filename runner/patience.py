"""Time limits that stand still while a page waits for the answer to a dialog.

The browser owes no answer as long as the agent owes one; and an agent may think for minutes.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Patience:
    """The running time limits of one session."""

    def __init__(self) -> None:
        self._limits: dict[asyncio.Timeout, float] = {}
        self._paused = False

    @asynccontextmanager
    async def limit(self, seconds: float) -> AsyncIterator[None]:
        """As `asyncio.timeout`: raises `TimeoutError` when the time, pauses aside, is over."""
        async with asyncio.timeout(None if self._paused else seconds) as timeout:
            self._limits[timeout] = seconds
            try:
                yield
            finally:
                del self._limits[timeout]

    def pause(self) -> None:
        """Stop the clock of every limit."""
        self._paused = True
        for timeout in self._limits:
            timeout.reschedule(None)

    def resume(self) -> None:
        """Start every limit anew."""
        self._paused = False
        now = asyncio.get_running_loop().time()
        for timeout, seconds in self._limits.items():
            timeout.reschedule(now + seconds)
