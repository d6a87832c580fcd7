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

FILLED_SECONDS: Final = 0.1
CLICK_SECONDS: Final = 0.2
"""The same after the content was seen to arrive, and after a click."""

IDLE_SECONDS: Final = 2.0
"""Time without text or pending work after which a bare page is taken as it is."""

REST_SECONDS: Final = 0.2
"""Time for a script to insert a response into the page."""

MAX_PENDING_SECONDS: Final = 5.0
"""Time after which pending work no longer holds a page that has text."""

MIN_MAIN_WORDS: Final = 25
MIN_LINKED_WORDS: Final = 100
"""Words outside links, and in links: a page with fewer of both is bare."""

MAX_TIMED_WORDS: Final = 100
"""Words below which a timer may still bring the text."""

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
MAX_CLICKED_CHARS: Final = 500_000
"""Clicks on a page, and characters that they add."""

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
    """State of a page, in the order of the script's answer; flags are 0 or 1.

    Times are seconds since the document was created, ``epoch`` is the beginning of the
    wait, ``active`` the end of the last request or navigation. ``requests``, ``polls``,
    ``timers`` and ``navigations`` count pending work since the epoch; a poll is a
    request made by an interval, or by a timer set by a timer.
    """

    document: float = -1
    now: float = 0
    epoch: float = 0
    ready: float = 0
    words: float = 0
    linked: float = 0
    characters: float = 0
    mutated: float = 0
    active: float = 0
    requests: float = 0
    polls: float = 0
    timers: float = 0
    navigations: float = 0
    placeholder: float = 0

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

    @property
    def is_quiet(self) -> bool:
        """Whether nothing at all is pending."""
        some = self.requests + self.polls + self.timers + self.navigations
        return bool(self.ready and not some and not self.placeholder)

    @property
    def is_late(self) -> bool:
        """Whether pending work is waited for no longer if there is text."""
        return self.now - self.epoch >= MAX_PENDING_SECONDS

    @property
    def is_pending(self) -> bool:
        """Whether pending work may bring main content."""
        if self.is_bare:
            return not self.is_quiet
        if self.is_late:
            return False
        timers = self.timers if self.words < MAX_TIMED_WORDS or self.epoch else 0
        return bool(self.requests + timers + self.navigations) or not self.ready


def check_settled(
    measured: Measurement, changed: float, stable: float, *, filled: bool = False
) -> str | None:
    """Return the reason to stop waiting, or ``None`` to go on.

    *changed* is the time of the last change of the text beyond tickers. A page with
    text waits for requests, scripts and navigations, at most
    :data:`MAX_PENDING_SECONDS`; a page with little text for timers, too; a bare page
    for all of them and for placeholders, without a limit here. A page that was *filled*
    while it was watched, and is quiet since, is complete after :data:`FILLED_SECONDS`.
    """
    if measured.is_pending:
        return None
    quiet = measured.now - max(changed, measured.epoch)
    rest = measured.now - max(measured.active, measured.epoch)
    if measured.is_bare and not measured.epoch:
        return "idle" if min(quiet, rest) >= IDLE_SECONDS else None
    if filled and measured.is_quiet and changed >= measured.active:
        return "stable" if quiet >= min(stable, FILLED_SECONDS) else None
    has_rested = measured.is_late or rest >= REST_SECONDS
    return "stable" if quiet >= stable and has_rested else None


# --- Waiting -------------------------------------------------------------------


@dataclass(frozen=True)
class Patience:
    """Limits of the wait.

    ``wait`` is the limit of everything in seconds, ``scroll`` are screens, ``click`` is
    the script of what clicks for more content (``js/click.js``), if any.
    """

    wait: float = 10.0
    scroll: int = 0
    click: str = ""


@dataclass
class Settled:
    """End of the wait, and counts of the main text as far as the script finds it.

    ``reason`` is ``stable``, ``idle`` (next to no text, and nothing pending), ``limit``
    (of time), ``navigations`` (the page keeps replacing itself), ``away`` (a click
    would open another page) or ``blocked`` (its scripts do not yield, so that it cannot
    be read either).
    """

    reason: str = ""
    words: float = 0
    characters: float = 0
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
    settled = watch.settled
    settled.reason = reason
    settled.words, settled.characters = watch.measured.words, watch.measured.characters
    return settled


class _Watch:
    """Waiting for one page."""

    def __init__(self, page: Page, patience: Patience) -> None:
        self.page, self.patience = page, patience
        self.settled = Settled()
        self.end = time.monotonic() + patience.wait
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.measured = Measurement()
        self.changed = self.characters = self.first = 0.0

    @property
    def left(self) -> float:
        """Seconds until the limit."""
        return self.end - time.monotonic()

    def count_navigation(self, request: Request) -> None:
        if request.is_navigation_request() and not request.redirected_from:
            self.settled.navigations += request.frame == self.page.main_frame

    def on_crash(self, page: Page) -> None:
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
            if self.settled.navigations > MAX_NAVIGATIONS:
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
            answer: str | None = await self.finish(self.page.evaluate(call))
            if answer is None:
                await self.finish(self.page.evaluate(make_init_script()))
                answer = await self.finish(self.page.evaluate(call))
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

    async def scroll(self) -> str:
        """Scroll step by step until nothing more arrives; then back to the top."""
        still, highest, reason = 0, 0, "stable"
        while still < MAX_STILL_STEPS and self.settled.scrolls < self.patience.scroll:
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
            self.settled.scrolls += is_moved
        with suppress(asyncio.TimeoutError):
            await self.ask("top")
        return reason

    async def click(self) -> str:
        """Click for more content until nothing is left; return the reason.

        A click that the page does not survive is one that leaves it.
        """
        session = await self.page.context.new_cdp_session(self.page)
        try:
            return await self._click_all()
        except asyncio.TimeoutError:
            # A script that does not yield would keep the next document away.
            with suppress(asyncio.TimeoutError):
                await self.finish(session.send("Runtime.terminateExecution"))
            return "away"
        except Error as error:
            if self.crashed.done() or self.page.is_closed():
                raise
            return "away" if is_replaced(error) or self.settled.clicks else "stable"

    async def _click_all(self) -> str:
        clicker = await self.finish(self.page.evaluate_handle(self.patience.click))
        began = before = self.measured.characters
        reason = "stable"
        while reason in ("stable", "idle") and self.settled.clicks < MAX_CLICKS:
            growth = self.measured.characters - before
            before = self.first = self.measured.characters
            if before - began > MAX_CLICKED_CHARS:
                break
            await self.ask("restart")
            press = clicker.evaluate("(it, growth) => it.click(growth)", growth)
            if (done := await self.finish(press)) != "clicked":
                if done == "away":
                    return "away"
                break
            self.settled.clicks += 1
            reason = await self.wait(CLICK_SECONDS)
        if reason == "blocked":
            raise asyncio.TimeoutError
        await self.finish(clicker.evaluate("it => it.finish()"))
        return reason
