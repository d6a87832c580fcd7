"""Texts of items with their addresses, when one is a copy of another; items in hand.

A text is remembered for good when its item has come through all pipelines.
"""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, urljoin

from ..addresses import canonical_address, own_canonical, parts_of
from ..items import describes
from .fingerprints import Fingerprint, differ_in_subject, similarities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..items import ItemReader
    from ..page import Page

CANONICAL_SHARE: Final = 0.8
"""Factor of the threshold for texts with a canonical URL in common. Real pages on one
subject in one language reach 0.6 by their usual words alone."""

MIN_WORDS: Final = 8
"""Shorter texts have exact copies only: one word is a large part of them."""

LONGER_RATIO: Final = 1.1
"""A text with this many times the words of another is clearly longer."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text with its addresses: ``url`` as the item has it, empty if it has none.

    ``own`` and ``address`` are numbers for the URL and for the canonical URL of the
    page, which is its own URL if it declares none; 0 for none.
    """

    url: str
    own: int
    address: int
    fingerprint: Fingerprint

    @classmethod
    def of(
        cls,
        fingerprint: Fingerprint,
        url: str = "",
        canonical: str = "",
        *,
        routes: bool = False,
    ) -> Entry:
        """Make an entry; the canonical URL may be relative to the URL.

        A home page that another page declares does not count: it is a mistake.
        """
        own, declared = url_number(url, routes=routes), _absolute(canonical, url)
        if _is_home(declared) and not _is_home(url):
            declared = ""
        address = url_number(declared, routes=routes) or own
        return cls(url, own, address, fingerprint)

    def has_url_of(self, other: Entry) -> bool:
        """Whether both have the same URL; two without one do not."""
        return bool(self.own) and self.own == other.own

    def shares_address(self, other: Entry) -> bool:
        """Whether one is the other's canonical page, or both have the same."""
        ours = {self.own, self.address} - {0}
        return other.address in ours or other.own in ours

    def is_clearly_longer(self, other: Entry) -> bool:
        """Whether the text is longer by more than a small difference in extraction."""
        return self.fingerprint.words >= LONGER_RATIO * other.fingerprint.words

    def is_more_canonical(self, other: Entry) -> bool:
        """Whether it should stand for both, whichever of them came first.

        Preferred is an entry with a URL; one that names no other page as the canonical
        one; the shortest URL; the first in the alphabet.
        """
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[bool, bool, int, str]:
        return not self.url, self.address != self.own, len(self.url), self.url

    def is_exact_copy(self, other: Entry) -> bool:
        """Whether both texts have the same words in the same order."""
        return self.fingerprint.digest == other.fingerprint.digest


class EntryReader:
    """Makes the entries of items, from their fields and their pages."""

    def __init__(self, reader: ItemReader):
        self._read, self._routes = reader.text, reader.routes

    def read(self, item: Any, page: Page | None) -> Entry | None:
        """Return the entry of an item from *page*; ``None`` without words."""
        names = ("text", "title", "url", "canonical_url")
        text, title, url, canonical = (self._read(item, name) or "" for name in names)
        # Several items of a page with a URL each are parts of it, not the page.
        if page is not None and page.url and describes(url, page, routes=self._routes):
            url = url or page.url
            text = text or page.text
            own = page.url, page._metadatum("canonical_url")
            canonical = canonical or own_canonical(*own, routes=self._routes) or ""
            title = title or page.title or ""
        fingerprint = Fingerprint.of(text, f"{title} {unquote(parts_of(url).path)}")
        if fingerprint is None:
            return None
        return Entry.of(fingerprint, url, canonical, routes=self._routes)


class Match(NamedTuple):
    """A remembered text that another is a copy of, and their similarity: 0 to 1."""

    key: int
    entry: Entry
    similarity: float


def find_matches(
    entry: Entry, candidates: Sequence[tuple[int, Entry]], threshold: float
) -> list[Match]:
    """Return the candidates that the entry is a copy of, the most similar first."""
    others = [candidate.fingerprint for _, candidate in candidates]
    shares = similarities(entry.fingerprint, others)
    matches = [
        Match(key, candidate, 1.0 if entry.is_exact_copy(candidate) else share)
        for (key, candidate), share in zip(candidates, shares, strict=True)
        if _are_copies(entry, candidate, share, threshold)
    ]
    return sorted(matches, key=lambda match: -match.similarity)


def _are_copies(entry: Entry, other: Entry, share: float, threshold: float) -> bool:
    if entry.is_exact_copy(other):
        return True
    if min(entry.fingerprint.words, other.fingerprint.words) < MIN_WORDS:
        return False
    if entry.has_url_of(other):
        return share >= threshold
    if entry.shares_address(other):
        return share >= threshold * CANONICAL_SHARE
    if share < threshold:
        return False
    is_one_site = parts_of(entry.url).hostname == parts_of(other.url).hostname
    return not (is_one_site and differ_in_subject(entry.fingerprint, other.fingerprint))


def url_number(url: str, *, routes: bool = False) -> int:
    """A number of 63 bits for a URL, the same for all ways to write it; 0 for none."""
    if not url:
        return 0
    with suppress(ValueError):  # an invalid URL may still be the name of a page
        url = canonical_address(url, routes=routes)
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 1) or 1


def _absolute(url: str, base: str) -> str:
    with suppress(ValueError):
        return urljoin(base, url) if url else ""
    return url


def _is_home(url: str) -> bool:
    """Whether a URL has a host and no path."""
    parts = parts_of(url)
    return bool(parts.netloc) and parts.path in ("", "/")


# --- Items in the pipelines ---------------------------------------------------------


@dataclass(eq=False)
class PendingItem:
    """An item that has passed, the number of its text, and the texts that it replaces.

    ``end`` is done when it has left the pipelines, or another has waited for that in
    vain: then no other waits for it.
    """

    entry: Entry
    key: int
    replaces: Sequence[Match]
    end: Future[None] = field(default_factory=Future)


class PendingItems:
    """The pending items of a process.

    Signals report an item by the object that came out of the last pipeline, or that
    went into the first. Either may be another object than the one that was here. But
    all pipelines of an item run in one context, which a context variable marks.
    """

    def __init__(self) -> None:
        self._by_key: dict[int, PendingItem] = {}
        self._current: ContextVar[PendingItem | None] = ContextVar(
            "pending_item", default=None
        )

    def begin(self, pending: PendingItem | None) -> None:
        """Mark the context as that of an item; ``None``: of one that has not passed."""
        self._current.set(pending)
        if pending is not None:
            self._by_key[pending.key] = pending

    def take(self) -> PendingItem | None:
        """Remove and return the item of the context, which has left the pipelines."""
        current = self._current.get()
        return self._by_key.pop(current.key, None) if current else None

    def first_of(self, matches: Iterable[Match]) -> PendingItem | None:
        """Return the first item of these texts that is to be waited for."""
        found = (self._by_key.get(match.key) for match in matches)
        return next((each for each in found if each and not each.end.done()), None)

    def __contains__(self, pending: PendingItem) -> bool:
        """Whether the item is still in the pipelines."""
        return pending.key in self._by_key
