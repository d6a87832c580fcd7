"""Waiting in the browser until the main content of a page is complete; scrolling.

The text of the main content has to stay unchanged for a while, and nothing may be
pending that would bring more. The more text is there, the less counts as pending. In
the page ``js/settle.js`` counts pending work, and ``js/measure.js`` measures the text.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error

from . import is_replaced

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from playwright.async_api import Page, Request

_KEY: Final = f"_{secrets.token_hex(8)}"
"""The one property added to a page's window, with a name that no page can know."""

STABLE_SECONDS: Final = 1.0
"""Time without a change of the text, where nothing else says that it is complete."""

QUICK_SECONDS: Final = 0.2
"""The same after the content was seen to arrive, and after a click."""

IDLE_SECONDS: Final = 2.0
"""Time without text or pending work after which a bare page is taken as it is."""

MAX_PENDING_SECONDS: Final = 5.0
"""Time after which pending work no longer holds a page that has text."""

MIN_MAIN_WORDS: Final = 25
MIN_LINKED_WORDS: Final = 100
"""Words outside links, and in links: a page with fewer of both is bare."""

MIN_FILL_CHARS: Final = 100
MIN_FILL_SHARE: Final = 0.5
"""Growth of the text, absolute and relative, by which content has arrived."""

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
"""Clicks on a page."""

_ENDS: Final = ("stable", "idle")
"""Ends of the wait after which scrolling and clicks may bring more."""

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


# --- A measurement -------------------------------------------------------------


@dataclass(frozen=True)
class Measurement:
    """State of a page, in the order of the script's answer.

    Times are seconds since the document was created, ``epoch`` is the beginning of the
    wait, ``active`` the end of the last request or navigation. ``pending`` counts work
    since the epoch that may bring text (requests, scripts, navigations), ``maybe`` what
    only a bare page waits for: timers, placeholders, and polls, which are requests made
    by an interval, or by a timer set by a timer.
    """

    document: float = -1
    now: float = 0
    epoch: float = 0
    words: float = 0
    linked: float = 0
    characters: float = 0
    mutated: float = 0
    active: float = 0
    pending: float = 0
    maybe: float = 0

    @classmethod
    def from_script(cls, answer: str) -> Measurement:
        """Read the answer of the script; raise :exc:`ValueError` for any other."""
        numbers = [*map(float, answer.split(" "))]
        if len(numbers) != len(astuple(cls())):
            raise ValueError("the page answers with other numbers than the script")
        return cls(*numbers)

    @property
    def is_bare(self) -> bool:
        """Whether the page has next to no main text."""
        return self.words < MIN_MAIN_WORDS and self.linked < MIN_LINKED_WORDS


def check_settled(
    measured: Measurement, changed: float, stable: float, *, filled: bool = False
) -> str | None:
    """Return the reason to stop waiting, or ``None`` to go on.

    The text is unchanged for *stable* seconds (*changed* is the time of its last change
    beyond tickers), no request has ended since, and nothing is pending that would bring
    more. A page with text waits at most :data:`MAX_PENDING_SECONDS`, a bare page has no
    limit here. A page that was *filled* while it was watched, and is quiet, is
    complete after :data:`QUICK_SECONDS`.
    """
    waited = measured.now - measured.epoch
    is_late = waited >= MAX_PENDING_SECONDS and not measured.is_bare
    some = measured.pending + measured.maybe
    if (some if measured.is_bare else measured.pending) and not is_late:
        return None
    ended = 0.0 if is_late else measured.active
    quiet = measured.now - max(changed, measured.epoch, ended)
    if measured.is_bare and not measured.epoch:
        return "idle" if quiet >= IDLE_SECONDS else None
    if filled and not some:
        stable = min(stable, QUICK_SECONDS)
    return "stable" if quiet >= stable else None


# --- Waiting -------------------------------------------------------------------


async def settle(
    page: Page, wait: float = 10.0, *, scroll: int = 0, click: str = ""
) -> Settled:
    """Wait until the main content of *page* is complete; scroll and click for more.

    *scroll* are screens, *click* is the script of what clicks (``js/click.js``). Takes
    at most a second longer than *wait*. Raises Playwright's errors:
    for a page that crashed, was closed, or in which nothing can be evaluated.
    """
    settled = Settled(page, wait)
    page.on("request", settled.count_navigation)
    page.on("crash", settled.on_crash)
    try:
        settled.reason = await settled.wait()
        if scroll and settled.reason in _ENDS:
            settled.reason = await settled.scroll(scroll)
        if click and settled.reason in _ENDS:
            settled.reason = await settled.click(click)
    finally:
        page.remove_listener("request", settled.count_navigation)
        page.remove_listener("crash", settled.on_crash)
    return settled


class Settled:
    """Waiting for one page, and its end.

    ``reason`` is ``stable``, ``idle`` (next to no text, and nothing pending), ``limit``
    (of time), ``navigations`` (the page keeps replacing itself), ``away`` (a click
    would open another page) or ``blocked`` (its scripts do not yield, so that it cannot
    be read either). ``measured`` has the main text as far as the script finds it.
    """

    def __init__(self, page: Page, wait: float) -> None:
        self.page = page
        self.reason = ""
        self.scrolls = self.navigations = self.clicks = 0
        self.end = time.monotonic() + wait
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.measured = Measurement()
        self.changed = self.characters = self.first = 0.0

    @property
    def left(self) -> float:
        """Seconds until the limit."""
        return self.end - time.monotonic()

    def count_navigation(self, request: Request) -> None:
        """Count a document of the page itself, redirects aside."""
        if request.is_navigation_request() and not request.redirected_from:
            self.navigations += request.frame == self.page.main_frame

    def on_crash(self, page: Page) -> None:
        """End what waits for the page."""
        if not self.crashed.done():
            self.crashed.set_result(None)

    async def wait(self, stable: float = STABLE_SECONDS) -> str:
        """Measure the page until waiting is over; return the reason."""
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
            if self.left <= 0 or self.page.url.startswith("chrome-error:"):
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
            answer: str | None = await self.finish(self.page.evaluate(call))
        except Error as error:
            if not is_replaced(error):
                raise
            return None
        return answer

    async def finish(self, answer: Awaitable[Any]) -> Any:
        """Return what the page answers in time; a call is lost if its tab crashes."""
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
        if self.crashed.done():
            raise Error("Target crashed")
        raise asyncio.TimeoutError

    def check(self, answer: str, stable: float) -> str | None:
        """Take a measurement; return the reason to stop waiting, if any."""
        before, new = self.measured, Measurement.from_script(answer)
        self.measured = new
        if before.document != new.document:
            self.changed, self.characters = new.mutated, new.characters
            self.first = new.characters
        else:
            # A page that stands still on a busy machine has not shown to be quiet.
            self.changed += max(new.now - before.now - MAX_POLL_SECONDS, 0)
        change = abs(new.characters - self.characters)
        if change > max(MAX_TICKER_CHARS, MAX_TICKER_SHARE * self.characters):
            self.changed, self.characters = new.mutated, new.characters
        growth = new.characters - self.first
        filled = growth > max(MIN_FILL_CHARS, MIN_FILL_SHARE * self.first)
        return check_settled(new, self.changed, stable, filled=filled)

    async def scroll(self, screens: int) -> str:
        """Scroll step by step until nothing more arrives; then back to the top."""
        still, highest, reason = 0, 0, "stable"
        while still < MAX_STILL_STEPS and self.scrolls < screens:
            before = self.measured.characters
            try:
                answer = await self.ask("scroll")
            except asyncio.TimeoutError:
                return "blocked"
            if answer is None:
                break
            reason = await self.wait(STABLE_SECONDS / 2)
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

    async def click(self, script: str) -> str:
        """Click for more content until nothing is left; return the reason.

        A click that the page does not survive is one that leaves it.
        """
        session = await self.page.context.new_cdp_session(self.page)
        try:
            return await self._click_all(script)
        except asyncio.TimeoutError:
            # A script that does not yield would keep the next document away.
            with suppress(asyncio.TimeoutError):
                await self.finish(session.send("Runtime.terminateExecution"))
            return "away"
        except Error as error:
            if self.crashed.done() or self.page.is_closed():
                raise
            return "away" if is_replaced(error) or self.clicks else "stable"

    async def _click_all(self, script: str) -> str:
        clicker = await self.finish(self.page.evaluate_handle(script))
        before = self.measured.characters
        reason = "stable"
        while reason in _ENDS and self.clicks < MAX_CLICKS:
            growth = self.measured.characters - before
            before = self.first = self.measured.characters
            await self.ask("restart")
            press = clicker.evaluate("(it, growth) => it.click(growth)", growth)
            if (done := await self.finish(press)) != "clicked":
                if done == "away":
                    return "away"
                break
            self.clicks += 1
            reason = await self.wait(QUICK_SECONDS)
        if reason == "blocked":
            raise asyncio.TimeoutError
        await self.finish(clicker.evaluate("it => it.finish()"))
        return reason
