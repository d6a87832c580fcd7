"""A site of any size: its pages by number, and their expected outcome in a crawl.

Everything follows from the number and the seed; nothing is kept. Pages are of many
kinds, some hostile; some answers are no pages at all.
"""

from __future__ import annotations

import gzip
import random
from enum import Enum
from typing import Any

from lab.server import HTML, Answer

from . import pages
from .texts import LANGUAGES, Texts

HOSTS = 8
#: So many pages are linked from one listing.
LISTED = 40
#: In a second edition of the site one page of so many is gone, and another one edited.
CHANGED = 50
GONE, EDITED = 7, 8

#: Of 1,000 pages how many are of a kind.
KINDS = {
    "article": 330, "forum": 120, "product": 100, "documentation": 100, "listing": 50,
    "copy": 40, "near_copy": 30, "thin": 40, "data": 15, "slow": 10, "huge": 3,
    "deep": 7, "attributes": 5, "mislabelled": 15, "utf16": 7, "nulls": 7,
    "unclosed": 12, "cut_short": 4, "bad_gzip": 3, "empty": 8, "binary": 8, "pdf": 8,
    "missing": 25, "broken": 5, "unavailable_once": 15, "redirect": 29, "loop": 4,
}  # fmt: skip


class Outcome(Enum):
    """The expected outcome of a page."""

    INDEXED = "indexed"
    ONE_OF_COPIES = "one of its copies indexed"
    ANY = "indexed or dropped"
    NONE = "nothing to index"


NO_PAGE = {"empty", "binary", "pdf", "missing", "broken", "loop"}
UNSURE = {"listing", "thin", "data", "huge", "deep", "attributes", "mislabelled",
          "utf16", "nulls", "unclosed", "cut_short", "bad_gzip"}  # fmt: skip


class Site:
    """Pages 0 to *count* - 1, and the listings that link to them.

    In the second *edition* some pages are gone, and others have another heading.
    """

    def __init__(self, count: int, seed: int = 1, edition: int = 1) -> None:
        self.count, self.seed, self.edition = count, seed, edition
        self._texts = Texts(seed)
        self._names, weights = list(KINDS), list(KINDS.values())
        self._weights = weights

    # --- Pages by number

    def kind(self, number: int) -> str:
        """The kind of a page; the first of each listing is an article."""
        if number % LISTED == 0:
            return "article"
        return self._choose(number).choices(self._names, self._weights)[0]

    def is_edited(self, number: int) -> bool:
        """Whether the page has another heading than in the first edition."""
        kinds = ("forum", "product", "documentation")
        is_one = self.edition > 1 and number % CHANGED == EDITED
        return is_one and self.kind(number) in kinds

    def _is_gone(self, number: int) -> bool:
        return self.edition > 1 and number % CHANGED == GONE

    def original(self, number: int) -> int:
        """The number of the article that a copy is one of; else its own."""
        if self.kind(number) not in ("copy", "near_copy"):
            return number
        wanted = number - 1
        while self.kind(wanted) != "article":
            wanted -= 1
        return wanted

    def outcome(self, number: int) -> Outcome:
        """The expected outcome of a page."""
        kind = self.kind(number)
        if kind in NO_PAGE or self._is_gone(number):
            return Outcome.NONE
        if kind in UNSURE:
            return Outcome.ANY
        if kind in ("article", "copy", "near_copy"):
            return Outcome.ONE_OF_COPIES
        return Outcome.INDEXED

    def _choose(self, number: int) -> random.Random:
        return random.Random(self.seed * 1_000_003 + number)

    # --- URLs

    def url(self, number: int) -> str:
        """The URL of a page."""
        return f"http://site{number % HOSTS}.example/p/{number}"

    def listing_url(self, listing: int) -> str:
        """The URL of a listing of pages."""
        return f"http://site{listing % HOSTS}.example/list/{listing}"

    def _links(self, number: int) -> list[str]:
        """A few pages of the same listing."""
        first = number - number % LISTED
        last = min(self.count, first + LISTED) - 1
        return [self.url(min(last, first + (number + k) % LISTED)) for k in (1, 7, 13)]

    # --- Answers

    def answer(
        self, path: str, headers: dict[str, str] | None = None, asked: int = 1
    ) -> Answer:
        """The answer for a path that was *asked* for so often."""
        del headers
        _, _, name = path.partition("/")
        name, _, rest = name.partition("/")
        if name == "list" and rest.isdecimal():
            return self._listing(int(rest))
        number, _, step = rest.partition("/")
        if name != "p" or not number.isdecimal() or int(number) >= self.count:
            return _html(b"<p>Not here", 404)
        return self._page(int(number), int(step or 0), asked)

    def _listing(self, listing: int) -> Answer:
        first = listing * LISTED
        numbers = range(first, min(self.count, first + LISTED))
        urls = [self.url(number) for number in numbers]
        if numbers.stop < self.count:  # last: it is the first to be taken from a stack
            urls.insert(0, self.listing_url(listing + 1))
        return _html(pages.listing(f"List {listing}", urls))

    def _page(self, number: int, step: int, asked: int) -> Answer:
        kind, choose = self.kind(number), self._choose(number)
        if self._is_gone(number):
            kind = "missing"
        if kind in ("copy", "near_copy"):
            return self._copy(number, kind)
        if kind == "redirect" and step < number % 3 + 1:
            return self._redirect(number, step + 1)
        if kind == "loop":
            return self._redirect(number, (step + 1) % 3)
        if kind == "missing":
            return _html(b"<title>404</title><p>There is no such page.", 404)
        if kind == "broken" or (kind == "unavailable_once" and asked == 1):
            return _html(b"<p>Not now.", 500 if kind == "broken" else 503)
        return self._content(number, kind, choose)

    def _redirect(self, number: int, step: int) -> Answer:
        to = self.url(number) + (f"/{step}" if step else "")
        return Answer(status=302, headers={"Location": to})

    def _copy(self, number: int, kind: str) -> Answer:
        original = self.original(number)
        changed = f"no. {number}" if kind == "near_copy" else ""
        choose = self._choose(original)
        choose.random()  # what its kind was chosen with
        return _html(self._article(original, choose, self._links(number), changed))

    def _article(
        self, number: int, choose: random.Random, links: list[str], changed: str = ""
    ) -> bytes:
        language = LANGUAGES[number % len(LANGUAGES)]
        texts = self._texts.some(choose, language, choose.randrange(5, 12))
        texts[-1] += changed
        return pages.article(language, f"{texts[0][:40]} {number}", texts, links)

    def _content(self, number: int, kind: str, choose: random.Random) -> Answer:
        choose.random()
        links = self._links(number)
        language = LANGUAGES[number % len(LANGUAGES)]
        if kind in ("article", "redirect", "unavailable_once"):
            return _html(self._article(number, choose, links))
        if kind == "slow":
            body = self._article(number, choose, links)
            return _html(body, delay=0.2 + choose.random())
        texts = self._texts.some(choose, language, choose.randrange(4, 9))
        made = pages.MAKERS[kind](number, language, texts, links)
        if self.is_edited(number):
            for end in (b"</h1>", b"</title>"):
                made = made.replace(end, b", edition %d%s" % (self.edition, end))
        return _as_sent(kind, made)


def _html(body: bytes, status: int = 200, **more: Any) -> Answer:
    return Answer(status, body, HTML, **more)


def _as_sent(kind: str, body: bytes) -> Answer:
    """The answer for a page of this kind, with its headers, right or wrong."""
    if kind == "utf16":
        return Answer(body=body, headers={"Content-Type": "text/html"})
    if kind == "bad_gzip":
        packed = gzip.compress(body)[:-40] + b"not the end of it"
        return Answer(body=packed, headers=HTML | {"Content-Encoding": "gzip"})
    if kind == "cut_short":
        return _html(body, short=len(body) // 3)
    if kind == "pdf":
        return Answer(body=body, headers={"Content-Type": "application/pdf"})
    return _html(body)
