"""Measurement of a page by its script, and the test whether its content is complete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIN_MAIN_WORDS: Final = 25
"""Words outside links: a page with fewer is bare."""

MIN_LINKED_WORDS: Final = 100
"""Words in links: a page with more is a list of links, and not bare."""

MAX_TIMED_WORDS: Final = 100
"""Words below which a timer may still bring the text."""

MAX_PENDING_SECONDS: Final = 5.0
"""Time after which pending work no longer holds a page that has text."""

IDLE_SECONDS: Final = 2.0
"""Time without text or pending work after which a bare page is taken as it is."""

REST_SECONDS: Final = 0.2
"""Time for a script to insert a response into the page."""

FILLED_SECONDS: Final = 0.1
"""Time without a change after the content was seen to arrive."""

MIN_FILL_CHARS: Final = 100
MIN_FILL_SHARE: Final = 0.5
"""Growth of the text, absolute and relative, by which content has arrived."""


@dataclass(frozen=True)
class Measurement:
    """State of a page; times in seconds since its document was created.

    ``epoch`` is the beginning of the wait; ``requests``, ``polls``, ``timers`` and
    ``navigations`` count pending work since then (a poll is a request made by an
    interval, or by a timer set by a timer). ``active`` is the end of the last request
    or navigation.
    """

    document: float = -1
    now: float = 0
    epoch: float = 0
    ready: bool = False
    words: int = 0
    linked: int = 0
    characters: int = 0
    mutated: float = 0
    active: float = 0
    requests: int = 0
    polls: int = 0
    timers: int = 0
    navigations: int = 0
    placeholder: bool = False

    @classmethod
    def from_script(cls, answer: str) -> Measurement:
        """Read the answer of the script; raise :exc:`ValueError` for any other."""
        numbers = [*map(float, answer.split(" "))]
        document, now, epoch, ready, words, linked, characters = numbers[:7]
        mutated, active, requests, polls, timers, navigations, placeholder = numbers[7:]
        return cls(
            *(document, now / 1000, epoch / 1000, bool(ready)),
            *(int(words), int(linked), int(characters)),
            *(mutated / 1000, active / 1000),
            *(int(requests), int(polls), int(timers), int(navigations)),
            bool(placeholder),
        )

    @property
    def is_bare(self) -> bool:
        """Whether the page has next to no main text."""
        return self.words < MIN_MAIN_WORDS and self.linked < MIN_LINKED_WORDS

    @property
    def is_quiet(self) -> bool:
        """Whether nothing at all is pending."""
        some = self.requests + self.polls + self.timers + self.navigations
        return self.ready and not some and not self.placeholder

    @property
    def is_pending(self) -> bool:
        """Whether pending work may bring main content."""
        if self.is_bare:
            return not self.is_quiet
        if self.now - self.epoch >= MAX_PENDING_SECONDS:
            return False
        timers = self.timers if self.words < MAX_TIMED_WORDS or self.epoch else 0
        return bool(self.requests + timers + self.navigations) or not self.ready


def is_filled(first: int, characters: int) -> bool:
    """Whether content has arrived: the text grew by much from *first* characters."""
    return characters - first > max(MIN_FILL_CHARS, MIN_FILL_SHARE * first)


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
    is_late = measured.now - measured.epoch >= MAX_PENDING_SECONDS
    has_rested = is_late or rest >= REST_SECONDS
    return "stable" if quiet >= stable and has_rested else None
