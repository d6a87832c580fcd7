"""How a bad setting stops a crawl at its start: with one line, and a failed exit.

Scrapy has no way for a component to say "do not start" that all supported versions
and all kinds of crawler processes report without a traceback. So the error is raised
where the component is built, which every version answers by not starting; what is
left is how the error is reported when nobody handles it. Someone who runs crawlers in
a program of their own gets the exception itself.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from typing import TYPE_CHECKING, NoReturn

from .settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings


def read_settings(crawler: Crawler, settings: BaseSettings | None = None) -> Settings:
    """Return the crawl's settings; refuse to start the crawl if one is bad."""
    try:
        return Settings.from_settings(
            crawler.settings if settings is None else settings
        )
    except SettingsError as error:
        refuse(crawler, error)


def check_indexes(crawler: Crawler, urls: Sequence[str]) -> None:
    """Open each index once, so that one that cannot be used stops the crawl here."""
    for url in urls:
        _check_index(crawler, url)


def _check_index(crawler: Crawler, url: str) -> None:
    from .indexes import IndexUnavailable, open_index
    from .indexes.errors import redacted

    try:
        open_index(url).close()
    except IndexUnavailable as error:
        shown = redacted(url)
        problem = str(error).removeprefix(f"{shown!r}: ")
        refuse(crawler, SettingsError("MAINPAGE_INDEX", shown, problem))


def check_rendering(crawler: Crawler, settings: BaseSettings, render: str) -> None:
    """Stop the crawl here if what rendering needs is not installed."""
    from .rendering.browser.launch import find_problem

    if missing := find_problem(settings):
        refuse(crawler, SettingsError("MAINPAGE_RENDER", render, missing))


def refuse(crawler: Crawler, error: SettingsError) -> NoReturn:
    """Stop the start of the crawl with one logged line, and raise the error."""
    # The mark of a crawl that did not start, which the exit code is made from: Scrapy
    # before 2.19 looks at nothing else.
    crawler.spider = None
    for name in ("asyncio", "twisted"):
        logging.getLogger(name).addFilter(_ONE_LINE)
    if not _in_event_loop():
        _ONE_LINE.headings += 1
        _stop_twisted_echo()
    raise error


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _OneLine(logging.Filter):
    """Turns the report of an unhandled settings error into the error's line.

    Twisted logs a heading before the error, in a record of its own; ``headings`` is
    how many of them are left to drop.
    """

    headings = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record if it is ours; drop the heading that comes before it."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, SettingsError):
            record.name, record.msg, record.args = __name__, str(error), ()
            record.exc_info = record.exc_text = None
        elif self.headings and "Unhandled error in Deferred" in record.getMessage():
            self.headings -= 1
            return False
        return True


_ONE_LINE = _OneLine()


def _stop_twisted_echo() -> None:
    """Keep Twisted from writing the traceback to stderr besides logging it.

    It does so until somebody "begins logging", which Scrapy never does.
    """
    from twisted.logger import globalLogBeginner

    if getattr(globalLogBeginner, "_temporaryObserver", None) is None:
        return  # logging has begun: there is no echo
    shown = warnings.showwarning
    globalLogBeginner.beginLoggingTo([], discardBuffer=True, redirectStandardIO=False)
    warnings.showwarning = shown
