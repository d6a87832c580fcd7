"""A spider that collects the items of one type from a whole site."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha1
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from scrapy import Request
from scrapy.exceptions import CloseSpider
from scrapy.spiders import SitemapSpider

from .addresses import canonical_address, is_of, own_canonical, route_of, site_of
from .crawl.completeness import MAX_DEPTH, MAX_LEFT, QUERIES, Completeness
from .crawl.crawl_state import CrawlState
from .crawl.pages import mainpage, refusal
from .crawl.unseen_entries import find_unseen
from .extraction.records.fields import is_profile
from .items import is_thread
from .label import Label
from .records import as_plain
from .setting_readers import nearest
from .settings import ALWAYS, AUTO

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.http import Response

    from .page import Page, Section

RECORDS: Final = ("product", "job", "event", "recipe", "place")
ITEM_TYPES: Final = (*RECORDS, "article", "forum", "page")

MAX_QUERIES: Final = 50
"""Queries of one path that are followed: a catalogue has endless filters."""

MAX_STALE: Final = 2
"""Listings without a new entry, one after another, whose links are not followed: pages
behind the last one, or the same entries, sorted and filtered."""

MAX_REPEATED: Final = 3
"""Times that a segment may be in the path of a URL that is followed."""

_ASIDE: Final = {
    Label.SHARE,
    Label.COMMENTS,
    Label.ADVERTISEMENT,
    Label.CONSENT,
    Label.FORM,
}
"""Labels of links that lead to single comments and to actions."""

_FRAME: Final = {
    Label.NAVIGATION,
    Label.BREADCRUMB,
    Label.HEADER,
    Label.FOOTER,
    Label.SIDEBAR,
}

_SITEMAPS: Final = ("robots.txt", "sitemap.xml")
"""What is tried on each host of a start URL; the first may name others."""

_TRACKING: Final = re.compile(
    r"utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|ref|referrer|_ga|yclid|sid|phpsessid|"
    r"jsessionid|session_?id",
    re.IGNORECASE,
)
#: Names in a query that show the same listing in another way, or do something.
_VIEWS: Final = re.compile(
    r".*(?:sort|order|filter|facet|price|limit|per_?page|page_?size|layout|display|"
    r"compare|wish|cart|basket|return|redirect|reply|share|print).*|"
    r"dir|direction|view|mode|show|ppp|rpp|ipp|color|colour|size|brand|rating|stars?|"
    r"in_?stock|availability|currency|action|do|next|back_?url|replytocom|format|"
    r"highlight|q|s|search|query|keywords?|month|year|day|date|week",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[=./-](\d+)(?=[&;]|$)")
_HEADINGS: Final = {f"h{level}" for level in range(1, 7)}
_FRAGMENT: Final = re.compile(r"\D*(\d+)")

_NO_PAGE: Final = re.compile(
    r"/(?:cart|basket|checkout|warenkorb|panier|wish-?list|compare|login|log-?in|"
    r"sign-?in|signin|sign-?up|register|account|my-account|logout|log-?out|print|feed|"
    r"rss|calendar|search)(?:[/._-]|$)"
    r"|/(?:add|edit|reply|delete|remove|vote|report|write-?review)/?$",
    re.IGNORECASE,
)


ENTRY: Final = 20
OTHER_PAGE: Final = 10
CATEGORY: Final = 0
"""Priorities of requests: items first, and all pages of a listing before the next."""


class _Step(NamedTuple):
    """A link to follow: how many clicks from the start, and stale listings before."""

    url: str
    depth: int
    priority: int
    stale: int = 0


class MainpageSpider(SitemapSpider):
    """Collects the items of one type from a site, without a selector.

    It follows the entries of listings first, then their other pages, then all other
    links and what the sitemaps name; it stays on the hosts of its start URLs.
    Sitemaps are those of ``sitemap_urls``, of each host's ``robots.txt``, and its
    ``/sitemap.xml``. A crawl that knows of more than it got says so at its end.

    ``item_type`` is ``product``, ``job``, ``event``, ``recipe`` or ``place`` (an item
    for each page that has this record, its fields and the URL), ``article`` (each page
    of this type, as :meth:`.Page.as_row`), ``forum`` (each page of a thread, with
    ``title`` and ``posts``), or ``page`` (each page, as a row). Override
    :meth:`make_items` for other items.

    ``max_pages`` and ``max_items`` end the crawl; ``max_depth`` is the number of clicks
    from a start URL, without those to the next page of a listing. All are arguments of
    ``scrapy crawl -a``, too; ``start`` has start URLs, separated by blanks.

    A page is an item once, by its canonical URL, one of a thread by its posts. Links
    that sort or filter a listing, log in, or fill a basket are not followed.

    Raises :exc:`ValueError` for an unknown type, and a limit that is no number.
    """

    name = "mainpage"
    item_type = "product"
    max_pages: int | None = 10_000
    max_items: int | None = None
    max_depth: int | None = 10

    def __init__(self, start: str = "", **kwargs: Any):
        super().__init__(**kwargs)
        if self.item_type not in ITEM_TYPES:
            problem = f"item_type={self.item_type!r} is unknown"
            hint = nearest(str(self.item_type), ITEM_TYPES)
            raise ValueError(f"{problem}{hint}; allowed: {', '.join(ITEM_TYPES)}")
        for name in ("max_pages", "max_items", "max_depth"):
            limit = getattr(self, name)
            setattr(self, name, None if limit in {None, ""} else int(limit))
        self.start_urls = start.split() or self.start_urls
        given = self.sitemap_urls
        self.sitemap_urls = given.split() if isinstance(given, str) else [*given]
        begin = [urlsplit(url) for url in (*self.start_urls, *self.sitemap_urls)]
        if not getattr(self, "allowed_domains", None):
            hosts = [(parts.hostname or "").removeprefix("www.") for parts in begin]
            self.allowed_domains = [*dict.fromkeys(hosts)]
        sites = dict.fromkeys(f"{each.scheme}://{each.netloc}/" for each in begin)
        self._sites = [f"{site}{name}" for site in sites for name in _SITEMAPS]
        self._later: list[Request] = []
        self.state: dict[str, Any] = {}  # Scrapy keeps it with JOBDIR

    async def start(self) -> AsyncIterator[Any]:
        """Yield the requests of the start URLs, and of the sitemaps that are given."""
        # Without the add-on, too.
        CrawlState.of(self.crawler).keep(Completeness).tried.update(self._sites)
        if not self.start_urls and not self.sitemap_urls:
            self.logger.error("No start URL: add -a start=https://example.com/")
        for url in self.start_urls:
            self._known("links").add(self._clean(url) or url)
            yield Request(url, self.parse, dont_filter=True)
        given = {*self.sitemap_urls}
        self.sitemap_urls = [*dict.fromkeys((*self.sitemap_urls, *self._sites))]
        async for request in super().start():
            if request.url in given:
                yield request
            else:  # not as a start page: few sites have all of them
                self._later.append(request)

    def sitemap_filter(
        self, entries: Iterable[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """Yield the sitemaps of an index, and the pages that are not yet known."""
        links, named = self._known("links"), self._known("sitemap")
        is_index = getattr(entries, "type", "") == "sitemapindex"
        for entry in entries:
            url = entry["loc"] if is_index else self._clean(entry["loc"])
            if is_index or (url and url not in links):
                yield {**entry, "loc": url}
            if url and not is_index:
                named.add(url)
                links.add(url)

    def parse(
        self, response: Response, depth: int = 0, stale: int = 0
    ) -> Iterator[Any]:
        """Yield the items of a page, and the requests of its links."""
        if refusal(response) or self._is_full("pages", self.max_pages):
            return
        self._count("pages")
        self._known("links").add(self._clean(response.url) or response.url)
        while self._later:
            yield self._later.pop()
        page = mainpage(response)
        items = [*self.make_items(page)] if self._is_new(page) else []
        for item in items:
            if self._is_full("items", self.max_items):
                break
            self._count("items")
            yield item
        for name, limit in (("items", self.max_items), ("pages", self.max_pages)):
            if self._is_full(name, limit):
                raise CloseSpider(f"max_{name}")
        for step in self._steps(page, response, depth, stale):
            yield response.follow(
                step.url,
                self.parse,
                priority=step.priority,
                cb_kwargs={"depth": step.depth, "stale": step.stale},
            )

    def make_items(self, page: Page) -> Iterable[Any]:
        """Return the items of the page, of the spider's type; empty if it has none."""
        if self.item_type in RECORDS:
            record = getattr(page, self.item_type)
            return [] if record is None else [{"url": page.url, **as_plain(record)}]
        if self.item_type == "forum":
            if is_home(page) or not is_thread(page):
                return []
            posts = [*map(as_plain, page.posts)]
            return [{"url": page.url, "title": page.title, "posts": posts}]
        is_one = self.item_type == "page" or (
            page.page_type == self.item_type and not lists_pages(page)
        )
        return [page.as_row()] if is_one and page.text else []

    def closed(self, reason: str) -> None:
        """Say what was left at the end of the crawl."""
        completeness = CrawlState.of(self.crawler).keep(Completeness)
        followed, named = self._known("links"), self._known("sitemap")
        for kind, left in self.state.get("left", {}).items():
            for url, (known, note) in left.items():
                if known not in named if known else url not in followed:
                    completeness.leave(kind, url, note)

    # --- What is known -----------------------------------------------------

    def _count(self, name: str) -> None:
        self.state[name] = self.state.get(name, 0) + 1

    def _is_full(self, name: str, limit: int | None) -> bool:
        return limit is not None and self.state.get(name, 0) >= limit

    def _known(self, name: str) -> set[str]:
        known: set[str] = self.state.setdefault(name, set())
        return known

    def _is_new(self, page: Page) -> bool:
        """Whether no page with the same canonical URL was there before."""
        if self.item_type == "forum" and page.posts:
            key = thread_key(page)
        else:
            key = page_key(page, routes=self._routes)
        keys = self._known("keys")
        is_new = key not in keys
        keys.add(key)
        return is_new

    # --- Links -------------------------------------------------------------

    @property
    def _routes(self) -> bool:
        """Whether URLs with other routes are other pages."""
        settings = getattr(self, "settings", None)  # none without a crawl
        return settings is not None and settings.get("MAINPAGE_RENDER") in (
            AUTO,
            ALWAYS,
        )

    def _clean(self, url: str) -> str | None:
        return clean_link(url, routes=self._routes)

    def _steps(
        self, page: Page, response: Response, depth: int, stale: int
    ) -> Iterator[_Step]:
        """The links of a page that are followed, each once."""
        seen, paths = self._known("links"), self.state.setdefault("paths", Counter())
        inside = self.max_depth is None or depth < self.max_depth
        for step in self._find_steps(page, depth, stale):
            url = self._clean(urljoin(response.url, step.url))
            if url is None or url in seen:
                continue
            if step.depth > depth and not inside:
                self._leave(MAX_DEPTH, url)
                continue
            if step.priority == CATEGORY and urlsplit(url).query:
                paths[urlsplit(url).path] += 1
                if paths[urlsplit(url).path] > MAX_QUERIES:
                    self._leave(QUERIES, url)
                    continue
            seen.add(url)
            yield step._replace(url=url)

    def _leave(self, kind: str, url: str, known: str = "", note: str = "") -> None:
        """Note what is not followed; that it is *known* to a sitemap is enough."""
        left = self.state.setdefault("left", {}).setdefault(kind, {})
        if len(left) < MAX_LEFT and is_of(url, self.allowed_domains):
            left[url] = known, note

    def _find_steps(self, page: Page, depth: int, stale: int) -> Iterator[_Step]:
        known = self._known("entries")
        entries = [entry.url for entry in page.entries if entry.url]
        if entries:
            cleaned = {self._clean(url) or "" for url in entries}
            stale = 0 if cleaned - known else stale + 1
            known |= cleaned
            for kind, note in find_unseen(page).items():
                known_by = self._clean(entries[-1]) or ""
                self._leave(kind, page.url or "", known_by, note)
        if stale >= MAX_STALE:
            return
        for url in entries:
            if not _is_in_thread(url):
                yield _Step(url, depth + 1, ENTRY)
        others = [*filter(None, (page.next_page, *page.page_links))]
        if others and (entries or page.posts or lists_pages(page)):
            for url in others:
                yield _Step(url, depth, OTHER_PAGE, stale)
        shown = {post.url for post in page.posts}
        for link in page.all_links:
            is_aside = link.label in _ASIDE and self.item_type != "page"
            if is_aside or link.url in shown:
                continue
            if self.item_type == "forum" and is_profile(link.url):
                continue
            if is_category(link.url, link.rel, routes=self._routes):
                yield _Step(link.url, depth + 1, CATEGORY, stale)


def _is_in_thread(url: str) -> bool:
    """Whether it is the address of a post on the page of its thread.

    >>> _is_in_thread("https://example.com/view?p=84#post84")
    True
    """
    address, _, fragment = url.partition("#")
    own = _FRAGMENT.match(fragment)
    numbers = _NUMBER.findall(address) if own else ()
    return own is not None and any(own[1].startswith(each) for each in numbers)


def lists_pages(page: Page) -> bool:
    """Whether a page leads to others: a site's first page, a category, an archive.

    It has entries, or most of its main content stands below links to other pages, as
    where a blog shows its last article whole. Where more pages of the same follow, what
    is below may have headings of its own.
    """
    if page.entries or is_home(page):
        return True
    own = {clean_link(page.url or ""), clean_link(page.metadata.canonical_url or "")}
    linked = {
        link.text
        for link in page.all_links
        if link.label not in _FRAME
        and site_of(link.url) == site_of(page.url)
        and clean_link(link.url) not in own
    }
    headings = [_heading_of(page, section) for section in page.sections]
    below = [number for number, name in enumerate(headings) if name in linked]
    is_one_of_more = page.next_page or page.previous_page
    if is_one_of_more and len({headings[number] for number in below}) > 1:
        below = [*range(below[0], len(headings))]
    sizes = [len(section.text) for section in page.sections]
    return 2 * sum(sizes[number] for number in below) > sum(sizes)


def is_home(page: Page) -> bool:
    """Whether it is the first page of its site."""
    return urlsplit(page.url or "").path in {"", "/"}


def _heading_of(page: Page, section: Section) -> str:
    """The nearest heading above a section's text; that of a teaser is no content."""
    blocks = page.blocks[section.first_block : section.end_block]
    own = (each.index for each in blocks if each.is_main and each.tag not in _HEADINGS)
    above = page.blocks[next(own, section.first_block) :: -1]
    return next((each.text for each in above if each.tag in _HEADINGS), "")


def page_key(page: Page, *, routes: bool = False) -> str:
    """What identifies a page: its canonical URL and title.

    Pages of a broken template have the same canonical URL and other titles; that of a
    later page of a thread is often the first page's.
    """
    url = page.url or ""
    if page.previous_page is None:
        url = own_canonical(url, page.metadata.canonical_url, routes=routes) or url
    return f"{clean_link(url, routes=routes) or url} {page.title or ''}"


def thread_key(page: Page) -> str:
    """What identifies a page of a thread, which may have an address for each post."""
    ends = (page.posts[0], page.posts[-1])
    texts = (page.title or "", *(f"{post.byline} {post.text}" for post in ends))
    return sha1(
        "\n".join(texts).encode("utf-8", "replace"), usedforsecurity=False
    ).hexdigest()


def clean_link(url: str, *, routes: bool = False) -> str | None:
    """The URL without session, tracking and anchor; ``None`` for one not to follow.

    >>> clean_link("https://example.com/a?utm_source=mail&id=7#top")
    'https://example.com/a?id=7'
    """
    try:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"}:
            return None
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        kept = [pair for pair in pairs if not _TRACKING.fullmatch(pair[0])]
        if len(kept) < len(pairs):
            parts = parts._replace(query=urlencode(kept))
        segments = Counter(filter(None, parts.path.split("/")))
        if max(segments.values(), default=0) > MAX_REPEATED:
            return None
        return canonical_address(parts.geturl(), routes=routes)
    except ValueError:  # an invalid host or port
        return None


def is_category(url: str, rel: str = "", *, routes: bool = False) -> bool:
    """Whether a link may lead to another part of the site, by its URL and relation.

    >>> is_category("https://example.com/lamps?page=2")
    True
    >>> is_category("https://example.com/lamps?sort=price")
    False
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if "nofollow" in rel.lower() or _is_in_thread(url):
        return False
    if _NO_PAGE.search(parts.path + (route_of(url) if routes else "")):
        return False
    names = (name for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return not any(_VIEWS.fullmatch(name.partition("[")[0]) for name in names)
