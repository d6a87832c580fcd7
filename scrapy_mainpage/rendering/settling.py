"""Waiting in the browser until the main content of a page is there; scrolling.

The text of the main content has to stay as it is for a while, and nothing may be
pending that would bring more. What counts as pending depends on how much is there:
see :func:`.waiting.judge`. The two scripts beside this module count and measure in
the page.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from .waiting import UNSEEN, Sight, is_filled, judge

if TYPE_CHECKING:
    from playwright.async_api import Page, Request

_KEY: Final = f"_{secrets.token_hex(8)}"
"""The one property that is added to a page's window: no page can know its name."""

SMALL: Final = (24, 0.02)
"""A clock, a ticker: characters, or this share of the text, that may change."""

MOST_NAVIGATIONS: Final = 10
"""Documents one after another, each of which replaces the one before by itself."""

POLL: Final = (0.05, 0.5)
"""Seconds between two looks at the page: the least, and the most if looks take long."""

MARGIN: Final = 0.5
"""Seconds beyond the limit that a last answer of the page may take."""

STILL: Final = 2
"""Steps at the end of a page that let nothing grow: it is the end."""

REPLACED: Final = ("context was destroyed", "Cannot find context", "Frame was detach")
"""Marks of errors that say: another document has taken the place of this one."""


@cache
def init_script() -> str:
    """The script that counts what a page waits for.

    Add it to the page or its context before navigation. It works in the top frame of
    every document, and keeps out of the way of the page's own scripts.
    """
    folder = files(__package__)
    watch, measure = (
        folder.joinpath(name).read_text("utf-8").strip()
        for name in ("settling.js", "measuring.js")
    )
    return f"(\n{watch}\n)({json.dumps(_KEY)}, (\n{measure}\n));"


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds, and how far to scroll.

    ``stable``: the main content's text has to stay as it is for this long; ``wait``:
    the limit of everything, scrolling included; ``scroll``: at most so many screens.
    """

    stable: float = 1.0
    wait: float = 10.0
    scroll: int = 0


@dataclass(frozen=True)
class Settled:
    """How waiting ended.

    ``reason`` is one of ``stable`` (the text stays as it is), ``idle`` (there is next
    to no text and nothing that would bring some), ``limit`` (the time is over),
    ``navigations`` (the page goes on replacing itself) and ``blocked`` (the page's
    scripts do not let go, so that it cannot be read either). ``words`` and
    ``characters`` are those of the main content as far as it is told without a layout;
    ``scrolls`` are the screens scrolled, ``navigations`` the documents after the first.
    """

    reason: str
    seconds: float
    words: int = 0
    characters: int = 0
    scrolls: int = 0
    navigations: int = 0


async def settle(page: Page, patience: Patience) -> Settled:
    """Wait until the main content of *page* is there, and scroll if asked for.

    Ends within the limit of *patience* and a second. What Playwright raises goes
    through: for a page that crashed, was closed, or broke the language so that nothing
    can be evaluated in it.
    """
    watch = _Watch(page, patience)
    page.on("request", watch.count_navigation)
    page.on("crash", watch.note_crash)
    try:
        reason = await watch.wait()
        if patience.scroll > 0 and reason in ("stable", "idle"):
            reason = await watch.scroll()
    finally:
        page.remove_listener("request", watch.count_navigation)
        page.remove_listener("crash", watch.note_crash)
    return watch.settled(reason)


class _Watch:
    """The state of waiting for one page."""

    def __init__(self, page: Page, patience: Patience) -> None:
        self.page, self.patience = page, patience
        self.began = time.monotonic()
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seen = UNSEEN
        self.changed = 0.0
        self.characters = self.first = 0
        self.scrolls = self.navigations = 0

    @property
    def left(self) -> float:
        """Seconds until the limit."""
        return self.began + self.patience.wait - time.monotonic()

    def settled(self, reason: str) -> Settled:
        sight = self.seen
        return Settled(
            reason,
            time.monotonic() - self.began,
            sight.words,
            sight.characters,
            self.scrolls,
            self.navigations,
        )

    def count_navigation(self, request: Request) -> None:
        """Count a request for another document in the page's place."""
        if request.is_navigation_request() and not request.redirected_from:
            self.navigations += request.frame == self.page.main_frame

    def note_crash(self, page: Page) -> None:
        """Take note that the tab has crashed."""
        if not self.crashed.done():
            self.crashed.set_result(None)

    async def wait(self, stable: float | None = None) -> str:
        """Look at the page until waiting is over; the reason."""
        stable = self.patience.stable if stable is None else stable
        while True:
            before = time.monotonic()
            try:
                answer = await self.ask("measure")
            except asyncio.TimeoutError:
                return "blocked"
            if answer is not None:
                sight = Sight.from_script(answer)
                self.see(sight)
                filled = is_filled(self.first, sight.characters)
                reason = judge(sight, self.changed, stable, filled=filled)
                if reason:
                    return reason
            if self.navigations > MOST_NAVIGATIONS:
                return "navigations"
            if self.left <= 0:
                return "limit"
            least, most = POLL
            pause = min(max(least, time.monotonic() - before), most, self.left)
            await asyncio.sleep(max(pause, 0))

    async def ask(self, command: str) -> str | None:
        """What the script answers; None while one document replaces another.

        Raises :exc:`asyncio.TimeoutError` when the page does not answer in time.
        """
        from playwright.async_api import Error

        name = json.dumps(_KEY)
        call = f"window[{name}] ? window[{name}]({json.dumps(command)}) : null"
        try:
            answer = await self.evaluate(call)
            if answer is None:
                await self.evaluate(init_script())
                answer = await self.evaluate(call)
        except Error as error:
            if not any(mark in error.message for mark in REPLACED):
                raise
            return None
        return answer

    async def evaluate(self, script: str) -> str | None:
        from playwright.async_api import Error

        call = asyncio.ensure_future(self.page.evaluate(script))
        left = max(self.left, 0) + MARGIN
        try:
            await asyncio.wait(
                (call, self.crashed),
                timeout=left,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if call.done():
                answer: str | None = call.result()
                return answer
        finally:
            call.cancel()
        # A call that the crash has overtaken is never answered.
        if self.crashed.done():
            raise Error("Target crashed")
        raise asyncio.TimeoutError

    def see(self, sight: Sight) -> None:
        """Take note of what changed since the last look."""
        if self.seen.document != sight.document:
            self.changed, self.characters = sight.mutated, sight.characters
            self.first = sight.characters
        least, share = SMALL
        change = abs(sight.characters - self.characters)
        if change > max(least, share * self.characters):
            self.changed, self.characters = sight.mutated, sight.characters
        self.seen = sight

    async def scroll(self) -> str:
        """Scroll step by step until nothing comes any more; back to the top."""
        still, highest, reason = 0, 0, "stable"
        while still < STILL and self.scrolls < self.patience.scroll:
            before = self.seen.characters
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
            grows = self.seen.characters > before or 0 < highest < height
            still = 0 if is_moved or grows else still + 1
            highest = max(height, highest)
            self.scrolls += is_moved
        await self.to_top()
        return reason

    async def to_top(self) -> None:
        try:
            await self.ask("top")
        except asyncio.TimeoutError:
            return
