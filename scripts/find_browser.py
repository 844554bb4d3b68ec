"""Prints the path of the browser that runs will use, once it has been seen to start."""

import asyncio
import sys

from playwright.async_api import async_playwright

from runner.browser import open_browser, resolve_executable
from runner.errors import UserError


async def find() -> str:
    """The path; raises UserError when there is no browser, or none that starts."""
    async with open_browser(port=0):
        installed = resolve_executable(None)
    if installed is not None:
        return installed
    async with async_playwright() as playwright:
        return playwright.chromium.executable_path


if __name__ == "__main__":
    try:
        print(asyncio.run(find()))
    except UserError as error:
        sys.exit(str(error))
