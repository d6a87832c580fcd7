"""Waiting in the browser until the main content of a page is complete; scrolling.

The text of the main content has to stay unchanged for a while, and nothing may be
pending that would bring more. The more text is there, the less counts as pending: see
:func:`.measurement.check_settled`. In the page ``js/settle.js`` counts pending work,
and ``js/measure.js`` measures the text.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error

from . import REPLACED
from .measurement import Measurement, check_settled, is_filled

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from playwright.async_api import Page, Request

_KEY: Final = f"_{secrets.token_hex(8)}"
"""The one property added to a page's window, with a name that no page can know."""

MAX_TICKER_CHARS: Final = 24
MAX_TICKER_SHARE: Final = 0.02
"""Changes of the text, absolute or relative, that are clocks and tickers."""

MAX_NAVIGATIONS: Final = 10
"""Documents that replace one another by themselves."""

MIN_POLL_SECONDS: Final = 0.05
MAX_POLL_SECONDS: Final = 0.5
"""Pause between two measurements; the larger one if measuring takes long."""

ANSWER_SECONDS: Final = 0.5
"""Time beyond the limit for a last answer of the page."""

MAX_CLICKS: Final = 20
MAX_CLICKED_CHARS: Final = 500_000
CLICK_SECONDS: Final = 0.2
"""Limits of clicking on a page, and the time without a change after a click."""

MAX_STILL_STEPS: Final = 2
"""Scroll steps without growth that mark the end of the page."""


@cache
def make_init_script() -> str:
    """Return the script that counts pending work.

    Add it to the page or its context before navigation. It works in the top frame of
    every document, invisible to the page's own scripts.
    """
    folder = files(__package__).joinpath("js")
    watch, measure = (
        folder.joinpath(name).read_text("utf-8").strip()
        for name in ("settle.js", "measure.js")
    )
    return f"(\n{watch}\n)({json.dumps(_KEY)}, (\n{measure}\n));"


@dataclass(frozen=True)
class Patience:
    """Limits of the wait, in seconds, and of scrolling, in screens."""

    stable: float = 1.0
    """Time for which the main text has to stay unchanged."""
    wait: float = 10.0
    """Limit of everything, scrolling included."""
    scroll: int = 0
    click: str = ""
    """Script that returns what clicks for more content (``js/click.js``), if any."""


@dataclass(frozen=True)
class Settled:
    """End of the wait, and counts of the main text as far as the script finds it.

    ``reason`` is ``stable``, ``idle`` (next to no text, and nothing pending), ``limit``
    (of time), ``navigations`` (the page keeps replacing itself), ``away`` (a click
    would open another page) or ``blocked`` (its
    scripts do not yield, so that it cannot be read either).
    """

    reason: str
    words: int = 0
    characters: int = 0
    scrolls: int = 0
    navigations: int = 0
    clicks: int = 0


async def settle(page: Page, patience: Patience) -> Settled:
    """Wait until the main content of *page* is complete, and scroll if asked to.

    Takes at most a second longer than *patience* allows. Raises Playwright's errors:
    for a page that crashed, was closed, or in which nothing can be evaluated.
    """
    watch = _Watch(page, patience)
    page.on("request", watch.count_navigation)
    page.on("crash", watch.on_crash)
    try:
        reason = await watch.wait()
        if patience.scroll > 0 and reason in ("stable", "idle"):
            reason = await watch.scroll()
        if patience.click and reason in ("stable", "idle"):
            reason = await watch.click()
    finally:
        page.remove_listener("request", watch.count_navigation)
        page.remove_listener("crash", watch.on_crash)
    return watch.finish(reason)


class _Watch:
    """Waiting for one page."""

    def __init__(self, page: Page, patience: Patience) -> None:
        self.page, self.patience = page, patience
        self.began = time.monotonic()
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.measured = Measurement()
        self.changed = 0.0
        self.characters = self.first = 0
        self.scrolls = self.navigations = self.clicks = 0

    @property
    def left(self) -> float:
        """Seconds until the limit."""
        return self.began + self.patience.wait - time.monotonic()

    def finish(self, reason: str) -> Settled:
        return Settled(
            reason,
            self.measured.words,
            self.measured.characters,
            self.scrolls,
            self.navigations,
            self.clicks,
        )

    def count_navigation(self, request: Request) -> None:
        if request.is_navigation_request() and not request.redirected_from:
            self.navigations += request.frame == self.page.main_frame

    def on_crash(self, page: Page) -> None:
        if not self.crashed.done():
            self.crashed.set_result(None)

    async def wait(self, stable: float | None = None) -> str:
        """Measure the page until waiting is over; return the reason."""
        stable = self.patience.stable if stable is None else stable
        while True:
            before = time.monotonic()
            try:
                answer = await self.ask("measure")
            except asyncio.TimeoutError:
                return "blocked"
            if answer is not None and (reason := self.check(answer, stable)):
                return reason
            if self.navigations > MAX_NAVIGATIONS:
                return "navigations"
            if self.left <= 0:
                return "limit"
            pause = max(MIN_POLL_SECONDS, time.monotonic() - before)
            await asyncio.sleep(max(min(pause, MAX_POLL_SECONDS, self.left), 0))

    async def ask(self, command: str) -> str | None:
        """Return the script's answer; ``None`` while a document replaces another.

        Raises :exc:`asyncio.TimeoutError` if the page does not answer in time.
        """
        name = json.dumps(_KEY)
        call = f"window[{name}] ? window[{name}]({json.dumps(command)}) : null"
        try:
            answer: str | None = await self.evaluate(call)
            if answer is None:
                await self.evaluate(make_init_script())
                answer = await self.evaluate(call)
        except Error as error:
            if not any(mark in error.message for mark in REPLACED):
                raise
            return None
        return answer

    async def evaluate(self, script: str) -> Any:
        return await self.finish_in_time(self.page.evaluate(script))

    async def finish_in_time(self, answer: Awaitable[Any]) -> Any:
        call = asyncio.ensure_future(answer)
        try:
            await asyncio.wait(
                (call, self.crashed),
                timeout=max(self.left, 0) + ANSWER_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if call.done():
                return call.result()
        finally:
            call.cancel()
        # A call that a crash interrupts never returns.
        if self.crashed.done():
            raise Error("Target crashed")
        raise asyncio.TimeoutError

    def check(self, answer: str, stable: float) -> str | None:
        """Take a measurement; return the reason to stop waiting, if any."""
        new = Measurement.from_script(answer)
        if self.measured.document != new.document:
            self.changed, self.characters = new.mutated, new.characters
            self.first = new.characters
        # A page that stands still on a busy machine has not shown to be quiet.
        stalled = new.now - self.measured.now - MAX_POLL_SECONDS
        if self.measured.document == new.document:
            self.changed += max(stalled, 0)
        change = abs(new.characters - self.characters)
        if change > max(MAX_TICKER_CHARS, MAX_TICKER_SHARE * self.characters):
            self.changed, self.characters = new.mutated, new.characters
        self.measured = new
        filled = is_filled(self.first, new.characters)
        return check_settled(new, self.changed, stable, filled=filled)

    async def scroll(self) -> str:
        """Scroll step by step until nothing more arrives; then back to the top."""
        still, highest, reason = 0, 0, "stable"
        while still < MAX_STILL_STEPS and self.scrolls < self.patience.scroll:
            before = self.measured.characters
            try:
                answer = await self.ask("scroll")
            except asyncio.TimeoutError:
                return "blocked"
            if answer is None:
                break
            reason = await self.wait(self.patience.stable / 2)
            if reason != "stable":
                break
            height, is_moved = map(int, answer.split(" "))
            grows = self.measured.characters > before or 0 < highest < height
            still = 0 if is_moved or grows else still + 1
            highest = max(height, highest)
            self.scrolls += is_moved
        with suppress(asyncio.TimeoutError):
            await self.ask("top")
        return reason

    async def click(self) -> str:
        """Click for more content until nothing is left; return the reason.

        A click that the page does not survive is one that leaves it.
        """
        began, before = self.measured.characters, self.measured.characters
        reason = "stable"
        session = await self.page.context.new_cdp_session(self.page)
        try:
            clicker = await self.finish_in_time(
                self.page.evaluate_handle(self.patience.click)
            )
            while self.clicks < MAX_CLICKS and before - began <= MAX_CLICKED_CHARS:
                growth = self.measured.characters - before
                before = self.first = self.measured.characters
                await self.ask("restart")
                done = await self.finish_in_time(
                    clicker.evaluate("(it, growth) => it.click(growth)", growth)
                )
                if done != "clicked":
                    break
                self.clicks += 1
                reason = await self.wait(min(CLICK_SECONDS, self.patience.stable))
                if reason not in ("stable", "idle"):
                    break
            if reason == "blocked":
                raise asyncio.TimeoutError
            if done == "away":
                return "away"
            await self.finish_in_time(clicker.evaluate("it => it.finish()"))
        except asyncio.TimeoutError:
            # A script that does not yield would keep the next document away.
            with suppress(asyncio.TimeoutError):
                end = session.send("Runtime.terminateExecution")
                await self.finish_in_time(end)
            return "away"
        except Error as error:
            if self.crashed.done() or self.page.is_closed():
                raise
            is_replaced = any(mark in error.message for mark in REPLACED)
            return "away" if is_replaced or self.clicks else "stable"
        return reason
