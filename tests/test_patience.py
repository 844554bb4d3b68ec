"""Time limits stand still while a dialog is open."""

import asyncio

import pytest

from runner.patience import Patience

LIMIT = 0.05


async def wait(patience: Patience) -> str:
    async with patience.limit(LIMIT):
        await asyncio.Event().wait()
    return "never"


async def test_limits_end() -> None:
    with pytest.raises(TimeoutError):
        await wait(Patience())


@pytest.mark.parametrize("pause_first", [True, False])
async def test_paused_limits_do_not_end_until_resumed(pause_first: bool) -> None:
    patience = Patience()
    if pause_first:
        patience.pause()
    task = asyncio.ensure_future(wait(patience))
    await asyncio.sleep(0)
    patience.pause()
    done, _ = await asyncio.wait({task}, timeout=4 * LIMIT)
    assert not done
    patience.resume()
    with pytest.raises(TimeoutError):
        await task
