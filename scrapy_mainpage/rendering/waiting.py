"""Whether a page has what it is waited for, judged by one look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FEW: Final = 25
"""Words outside links: fewer are next to no main text."""

SHORT: Final = 100
"""Words below which a timer may still bring the text."""

MANY_LINKED: Final = 100
"""Words in links: with more, a page that has no other text is a list of links."""

LONGEST: Final = 5.0
"""Seconds after which what is still pending holds no page that has text."""

IDLE: Final = 2.0
"""Seconds without text, and without anything pending, until a page is given up."""

AFTER: Final = 0.2
"""Seconds that a script has to put what it was sent into the page."""

ENOUGH: Final = 0.1
"""Seconds without a change, once what was waited for has come."""

LARGE: Final = (100, 0.5)
"""Main content that came: characters, or this share of the text before."""


@dataclass(frozen=True)
class Sight:
    """One look at a page; times in seconds since its document was created.

    ``epoch`` is when waiting began, ``requests``, ``polls``, ``timers`` and
    ``navigations`` count what is pending since; a poll is a request that was made by
    an interval or by a timer set by a timer. ``active`` is when a request or
    navigation ended.
    """

    document: float
    now: float
    epoch: float
    ready: bool
    words: int
    linked: int
    characters: int
    mutated: float
    active: float
    requests: int
    polls: int
    timers: int
    navigations: int
    placeholder: bool

    @classmethod
    def from_script(cls, answer: str) -> Sight:
        """Read the answer of the script; raises :exc:`ValueError` for any other."""
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
        """Whether there is next to no main text."""
        return self.words < FEW and self.linked < MANY_LINKED

    @property
    def is_quiet(self) -> bool:
        """Whether nothing at all is under way."""
        some = self.requests + self.polls + self.timers + self.navigations
        return self.ready and not some and not self.placeholder

    @property
    def is_pending(self) -> bool:
        """Whether something is under way that would bring main content."""
        if self.is_bare:
            some = self.requests + self.polls + self.timers + self.navigations
            return bool(some) or not self.ready or self.placeholder
        if self.now - self.epoch >= LONGEST:
            return False
        timers = self.timers if self.words < SHORT or self.epoch else 0
        return bool(self.requests + timers + self.navigations) or not self.ready


UNSEEN: Final = Sight(
    document=-1,
    now=0,
    epoch=0,
    ready=False,
    words=0,
    linked=0,
    characters=0,
    mutated=0,
    active=0,
    requests=0,
    polls=0,
    timers=0,
    navigations=0,
    placeholder=False,
)
"""What is known of a page that was not looked at yet."""


def is_filled(first: int, characters: int) -> bool:
    """Whether what was waited for has come: the text grew from *first* by a lot."""
    least, share = LARGE
    return characters - first > max(least, share * first)


def judge(
    sight: Sight, changed: float, stable: float, *, filled: bool = False
) -> str | None:
    """The reason why waiting is over, or None to go on.

    *changed* is when the text changed last, by more than a little. A page that was
    *filled* while it was looked at, and has nothing else under way since, need not
    prove for long that it is complete: :data:`ENOUGH` seconds will do. A page with text
    waits for requests, scripts and navigations, for at most :data:`LONGEST` seconds;
    one with little text also for timers; one with next to none for all of them and for
    placeholders, without an end of its own.
    """
    if sight.is_pending:
        return None
    quiet = sight.now - max(changed, sight.epoch)
    rest = sight.now - max(sight.active, sight.epoch)
    if sight.is_bare and not sight.epoch:
        return "idle" if min(quiet, rest) >= IDLE else None
    if filled and sight.is_quiet and changed >= sight.active:
        return "stable" if quiet >= min(stable, ENOUGH) else None
    late = sight.now - sight.epoch >= LONGEST
    return "stable" if quiet >= stable and (late or rest >= AFTER) else None
