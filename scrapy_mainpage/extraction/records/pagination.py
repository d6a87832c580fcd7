"""The other pages of a listing: the next, the previous, and those with numbers.

A link leads to another page of the same listing if its address differs from the page's
in a number alone, or if it stands in a row of ascending numbers whose addresses differ
from each other only there, and go on with the page's. The next page must be a link that
says so: by its words (see ``vocabulary/pagination.txt``), its arrow, or the names that
its template has for it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qsl

from ...addresses import host_of, link_address, parts_of
from ...records import Pagination
from .pagelinks import PageLink, find_links_of_pager
from .view import NUMBER, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..declared import Declared
    from ..document.document import Document

MAX_GAP: Final = 40
"""Elements from one number of a row to the next."""

MIN_EVIDENCE: Final = 2
MAX_STEP: Final = 2
"""The least difference of two numbers of a row: the page itself may be between."""

MAX_PAGE_LINKS: Final = 1000
_YEARS: Final = range(1900, 2100)

_PART: Final = re.compile(
    r"(?i)[/?&;_.-]?(?<![a-z])(?:page[_-]?(?:no|num|number|index)?|paged|cpage|seite|pagina"
    r"|page-numbers|p|pg|pn|start|offset|from|limitstart|st)[/=_-]?(?<![0-9])[0-9]+"
    r"(?![a-z0-9])"
)
_INDEX: Final = re.compile(r"/(?:index|default)[_-]?[0-9]*\.[a-z]{2,5}(?=$|\?)")
_COUNTER: Final = re.compile(r"(?:/|(?<![0-9]))[0-9]+(?=(?:\.[a-z]{2,5}|/)?(?:\?|$))")
_NAMES_OF_PART: Final = re.compile(
    r"(?i)(?:[/?&;=_.-]|page|p|seite|pg|or|index){1,20}$"
)
_NO_PAGES: Final = re.compile(
    r"(?i)/(?:19|20)[0-9]{2}/(?:[0-9]{1,2}/)?$"
    r"|(?:size|limit|per_?page|show|ipp|rpp|count|rate|rating|stars?|vote|year|month|day)[=/]$"
)
_PAGER: Final = re.compile(
    r"pagin|pager|page-?_?nav|page-?_?num|nav-?_?links|pages(?![a-z])"
)
_NAMES: Final = ("class", "id")
_AROUND: Final = 4
"""Elements around a row of numbers whose names may say that it is a pager."""


class Row(NamedTuple):
    """Ascending numbers, and the part of their addresses before and after them."""

    links: list[PageLink]
    before: str
    after: str


def find_pagination(declared: Declared) -> Pagination:
    """The other pages of the listing that a page is a page of.

    The address of the page itself is none of them. Relative addresses stay so where
    its address is not known.
    """
    document, url = declared.document, declared.url
    page = link_address(url or "", url or "")
    host = host_of(page)
    links = [
        link
        for link in find_links_of_pager(document, url, _number_in(page) + 1)
        if link.url != page and _is_of(link.url, host)
    ]
    rows = _own_rows(document, [*_rows(links)], page)
    numbered = [link for row in rows for link in row.links]
    forward = _find_way(links, rows, page, 1)
    back = _find_way(links, rows, page, -1)
    ways = [link for link in (forward, back) if link]
    found = sorted(numbered + ways, key=lambda link: link.element)
    distinct = [*dict.fromkeys(link.url for link in found)]
    if not distinct:
        distinct = [*_declared(declared, host)]
    return Pagination(
        next_page=forward.url if forward else None,
        previous_page=back.url if back else None,
        page_links=tuple(distinct[:MAX_PAGE_LINKS]),
    )


def _is_of(url: str, host: str) -> bool:
    """Whether an address is of a *host*, ``www.`` apart; without one it is."""
    return not host or host_of(url) in {"", host}


def _rows(links: Sequence[PageLink]) -> Iterator[Row]:
    """The rows of numbers that ascend, each near the one before."""
    row: list[PageLink] = []
    for link in links:
        if link.number is None:
            continue
        last = row[-1] if row else link
        near = link.element - last.element <= MAX_GAP
        if row and not (near and link.number > (last.number or 0)):
            yield _make_row(row)
            row = []
        row.append(link)
    if row:
        yield _make_row(row)


def _make_row(links: list[PageLink]) -> Row:
    """A row with what its addresses share; the number of a single one is taken out."""
    first = links[0].url
    before = _common_start([link.url for link in links]).rstrip("0123456789")
    after = _common_start([link.url[::-1] for link in links])[::-1].lstrip("0123456789")
    if len({link.url for link in links}) == 1:
        numbers = [*NUMBER.finditer(first)]
        own = [match for match in numbers if int(match[0]) == links[0].number]
        last = (own or numbers)[-1:]
        place = last[0].span() if last else (len(first), len(first))
        before, after = first[: place[0]], first[place[1] :]
    return Row(links, before, after)


def _common_start(texts: Sequence[str]) -> str:
    """What all texts begin with: the first and the last in order share no more."""
    first, last = min(texts), max(texts)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return first[: len([*same])]


def _own_rows(document: Document, rows: list[Row], page: str) -> list[Row]:
    """The rows that are of the *page*'s listing, and not of a calendar or a thread.

    One in an element that is named after pages is taken if all such rows are alike.
    """
    possible = [row for row in rows if _counts_pages(row)]
    own = [row for row in possible if _continues(row, page)]
    if own:
        return own
    named = [row for row in possible if _is_named(document, row)]
    return named if len({(row.before, row.after) for row in named}) == 1 else []


def _counts_pages(row: Row) -> bool:
    """Whether the numbers are close like pages, not years, days or page sizes."""
    numbers = [link.number or 0 for link in row.links]
    steps = [b - a for a, b in pairwise(numbers)]
    if _NO_PAGES.search(row.before) or numbers[0] in _YEARS:
        return False
    return min(steps, default=numbers[0]) <= MAX_STEP


def _continues(row: Row, page: str) -> bool:
    """Whether the row's addresses are that of the *page* but for their number."""
    if any(_listing(link.url) == _listing(page) for link in row.links):
        return True
    start, own = parts_of(row.before), parts_of(page)
    base = _bare(_NAMES_OF_PART.sub("", start.path))
    if start.query:
        given, known = dict(parse_qsl(start.query)), dict(parse_qsl(own.query))
        shared = given.keys() & known.keys() - {start.query.rpartition("&")[2]}
        same = all(given[name] == known[name] for name in shared)
        return same and start.path == own.path
    after = _bare(parts_of(row.after).path)
    return len(base) > 1 and NUMBER.sub("", _bare(own.path)).rstrip("-_/.") in {
        NUMBER.sub("", base).rstrip("-_/."),
        NUMBER.sub("", base + after).rstrip("-_/."),
    }


def _bare(path: str) -> str:
    return re.sub(r"\.[a-z]{2,5}$", "", path).rstrip("/")


@lru_cache(maxsize=1024)
def _listing(url: str) -> str:
    """An address without the parts that say which page of a listing it is.

    >>> _listing("https://a.example/blog/page/2/") == _listing("https://a.example/blog/")
    True
    """
    rest = _INDEX.sub("/", _PART.sub("", url))
    path, _, query = rest.replace("&", "?", 1 if "?" not in rest else 0).partition("?")
    kept = sorted(filter(None, query.split("&")))
    return path.rstrip("/") + "?" + "&".join(kept)


def _is_named(document: Document, row: Row) -> bool:
    """Whether an element around the numbers is named after pages."""
    outer = int(document.elements.parent[row.links[0].element])
    return bool(_PAGER.search(names_of(document, outer, _NAMES, _AROUND).lower()))


def _find_way(
    links: Sequence[PageLink], rows: Sequence[Row], page: str, sign: int
) -> PageLink | None:
    """The link with the most evidence to lead forward (*sign* 1) or back (-1)."""
    listing, bare = _listing(page), _COUNTER.sub("", page)
    sides = {(row.before, row.after) for row in rows}
    following = _number_in(page) + 1 if sign > 0 else None

    def evidence(link: PageLink) -> int:
        said = sign * link.direction
        if not said and link.number is None and following:
            is_next = _number_in(link.url) == following
            return MIN_EVIDENCE * (is_next and _listing(link.url) == listing)
        if said <= 0:
            return 0
        alike = _listing(link.url) == listing
        alike = alike or not sides.isdisjoint(_around_numbers(link.url))
        if not (link.is_worded or (alike and said >= MIN_EVIDENCE)):
            return 0
        return said + (alike or _COUNTER.sub("", link.url) == bare)

    found = [*map(evidence, links)]
    most = max(found, default=0)
    return links[found.index(most)] if most >= MIN_EVIDENCE else None


def _number_in(url: str) -> int:
    """The number of a listing's page as its address says it; 1 where it says none.

    >>> _number_in("https://a.example/blog/page/2/"), _number_in("https://a.example/")
    (2, 1)
    """
    part = _PART.search(url)
    number = NUMBER.search(part[0]) if part else None
    return int(number[0]) if number else 1


def _around_numbers(url: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind each of the last numbers of an address."""
    for number in [*NUMBER.finditer(url)][-9:]:
        yield url[: number.start()], url[number.end() :]


def _declared(declared: Declared, host: str) -> Iterator[str]:
    """The next and previous page that the head names, for pages that load them."""
    document = declared.document
    rels = document.values_of("rel", document.elements_with_tag("link")).values()
    named = {*" ".join(rels).lower().split()}
    for rel in filter(named.__contains__, ("prev", "next")):
        for href in declared.meta.links.get(rel, ())[:1]:
            address = declared.meta.absolute(href)
            if address and _is_of(address, host):
                yield address.partition("#")[0]
