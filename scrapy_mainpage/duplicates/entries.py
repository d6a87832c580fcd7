"""Texts with their addresses, and what makes one a copy of another."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias
from urllib.parse import urljoin, urlsplit

from w3lib.url import canonicalize_url

from .signatures import Fingerprint, similarities

if TYPE_CHECKING:
    from collections.abc import Sequence

Key: TypeAlias = "int | str"
"""What a store calls an entry: a number in the process, text in Redis."""

CANONICAL_SHARE: Final = 0.8
"""Of the threshold: what texts with a canonical URL in common must have in common. Real
pages on one subject in one language go up to 0.6 by their usual words alone."""

LEAST_WORDS: Final = 8
"""Shorter texts have exact copies only: a word more or less is much of them."""

LONGER: Final = 1.1
"""A text with so many times the words of another is clearly longer."""

MOST_COMPARED: Final = 1000
"""How many texts are compared with one at most: the newest. It takes 7 ms."""


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
    def of(cls, fingerprint: Fingerprint, url: str = "", canonical: str = "") -> Entry:
        """Make an entry; the canonical URL may be relative to the URL.

        A home page that another page declares is none: that is a mistake of the site.
        """
        own, declared = _number(url), _absolute(canonical, url)
        if _is_home(declared) and not _is_home(url):
            declared = ""
        return cls(url, own, _number(declared) or own, fingerprint)

    def has_url_of(self, other: Entry) -> bool:
        """Whether both have the same URL; none is not the same as none."""
        return bool(self.own) and self.own == other.own

    def shares_address(self, other: Entry) -> bool:
        """Whether one is the other's canonical page, or both have the same."""
        ours = {self.own, self.address} - {0}
        return other.address in ours or other.own in ours

    def is_clearly_longer(self, other: Entry) -> bool:
        """Whether the text is longer by more than a small difference in extraction."""
        return self.fingerprint.words >= LONGER * other.fingerprint.words

    def is_more_canonical(self, other: Entry) -> bool:
        """Whether it is to stand for both, whichever of them came first.

        That is one with an address, which does not name another page as the canonical
        one; the one with the shortest address; the first in the alphabet.
        """
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[bool, bool, int, str]:
        return not self.url, self.address != self.own, len(self.url), self.url

    def is_exact_copy(self, other: Entry) -> bool:
        """Whether both texts have the same words in the same order."""
        return self.fingerprint.digest == other.fingerprint.digest


def same_page(one: str, other: str) -> bool:
    """Whether both are the URL of one page, in whatever way they are written."""
    return _number(one) == _number(other)


class Match(NamedTuple):
    """A remembered text that another is a copy of, and how alike they are: 0 to 1."""

    key: Key
    entry: Entry
    similarity: float


def find_matches(
    entry: Entry, candidates: Sequence[tuple[Key, Entry]], threshold: float
) -> list[Match]:
    """Return the candidates that the entry is a copy of, the most similar first."""
    compared = _worth_comparing(entry, candidates, threshold)
    shares = similarities(
        entry.fingerprint, [candidate.fingerprint for _, candidate in compared]
    )
    matches = [
        Match(key, candidate, 1.0 if entry.is_exact_copy(candidate) else share)
        for (key, candidate), share in zip(compared, shares, strict=True)
        if _are_copies(entry, candidate, share, threshold)
    ]
    return sorted(matches, key=lambda match: -match.similarity)


def _worth_comparing(
    entry: Entry, candidates: Sequence[tuple[Key, Entry]], threshold: float
) -> list[tuple[Key, Entry]]:
    words = entry.fingerprint.words
    least = threshold * CANONICAL_SHARE

    def could_be(other: Entry) -> bool:
        theirs = other.fingerprint.words
        return 2 * min(words, theirs) >= least * (words + theirs)

    compared = [pair for pair in candidates if could_be(pair[1])]
    if len(compared) > MOST_COMPARED:
        compared.sort(key=lambda pair: not entry.is_exact_copy(pair[1]))
        del compared[MOST_COMPARED:]
    return compared


def _are_copies(entry: Entry, other: Entry, share: float, threshold: float) -> bool:
    if entry.is_exact_copy(other):
        return True
    if min(entry.fingerprint.words, other.fingerprint.words) < LEAST_WORDS:
        return False
    if entry.shares_address(other) and not entry.has_url_of(other):
        threshold *= CANONICAL_SHARE
    return share >= threshold


def _number(url: str) -> int:
    """A number of 63 bits for a URL, the same for all ways to write it; 0 for none."""
    if not url:
        return 0
    with suppress(ValueError):  # what is no URL may still be the name of a page
        url = canonicalize_url(url)
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 1) or 1


def _absolute(url: str, base: str) -> str:
    with suppress(ValueError):
        return urljoin(base, url) if url else ""
    return url


def _is_home(url: str) -> bool:
    """Whether a URL has a host and no path."""
    with suppress(ValueError):
        parts = urlsplit(url)
        return bool(parts.netloc) and parts.path in ("", "/")
    return False
