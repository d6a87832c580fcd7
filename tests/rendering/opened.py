"""All pages of a test file in one real browser, several at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.async_api import Browser

Case = TypeVar("Case")
Result = TypeVar("Result")
AT_ONCE = 4
LIMIT = 180.0
"""Timeout of a case in seconds: browsers may hang."""


def in_browser(
    program: str,
    cases: Mapping[str, Case],
    run: Callable[[Browser, str, Case], Awaitable[Result]],
) -> dict[str, Result]:
    """Result of *run* for each case, by name; *program* is the browser's path."""
    return asyncio.run(_in_browser(program, cases, run))


async def _in_browser(
    program: str,
    cases: Mapping[str, Case],
    run: Callable[[Browser, str, Case], Awaitable[Result]],
) -> dict[str, Result]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        places = asyncio.Semaphore(AT_ONCE)

        async def one(name: str, case: Case) -> Result:
            async with places:
                return await asyncio.wait_for(run(browser, name, case), LIMIT)

        results = await asyncio.gather(*(one(*item) for item in cases.items()))
        await browser.close()
    return dict(zip(cases, results, strict=True))
