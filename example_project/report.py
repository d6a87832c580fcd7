"""What became of every page of a crawl, as a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from example.spiders.site import name_of, page_missed
from rendering import MARK
from scrapy import signals
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from textwidth import cells, fit, printable

from scrapy_mainpage import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler

#: A page with fewer words than this, a script and a notice for readers without
#: JavaScript is taken for one that is built by JavaScript.
FEW_WORDS = 20


@dataclass(frozen=True)
class Row:
    """A line of the table; what comes after the title is said of the page by itself."""

    url: str
    status: str
    title: str = ""
    words: int | None = None
    words_total: int | None = None
    rendered: bool = False
    render_reason: str = ""
    why: str = ""

    @property
    def dropped(self) -> int | None:
        """How many of the words are not main content."""
        if self.words is None or self.words_total is None:
            return None
        return self.words_total - self.words

    @property
    def share(self) -> str:
        """The share of the words that are main content, in percent."""
        if self.words is None or not self.words_total:
            return ""
        return f"{self.words / self.words_total:.0%}"

    @property
    def path(self) -> str:
        """The URL without scheme and host, for people to read."""
        parts = urlsplit(self.url)
        query = f"?{parts.query}" if parts.query else ""
        return printable(unquote(parts.path or "/") + query)


class Report:
    """Listens to a crawl and keeps a row per URL."""

    def __init__(self, crawler: Crawler):
        self.rows: dict[str, Row] = {}
        # The crawler holds its listeners weakly: the report must be kept.
        connect = crawler.signals.connect
        connect(self._downloaded, signals.response_downloaded)
        connect(self._received, signals.response_received)
        connect(self._scraped, signals.item_scraped)
        connect(self._dropped, signals.item_dropped)
        connect(self._missed, page_missed)

    def _downloaded(self, response: Response, request: Request) -> None:
        target = response.headers.get(b"Location")
        if 300 <= response.status < 400 and target:
            there = urljoin(response.url, target.decode("latin-1"))
            row = Row(request.url, "redirected", "→ " + Row(there, "").path)
            self.rows[request.url] = row

    def _received(self, response: Response, request: Request) -> None:
        if request.callback is NO_CALLBACK:  # robots.txt
            return
        page = response.meta.get("mainpage")
        if not isinstance(page, Page):
            self.rows[response.url] = Row(response.url, "skipped:not-html")
            return
        title = printable(page.title or "")
        self.rows[response.url] = Row(
            response.url,
            status_of(response, page),
            title,
            words=page.words,
            words_total=page.words_total,
            rendered=page.rendered,
            render_reason=page.render_reason or "",
        )

    def _scraped(self, item: Any, response: Response) -> None:
        row = self.rows[response.url]
        if row.status != "javascript" and not row.status.startswith("failed"):
            self.rows[response.url] = replace(row, status="kept")

    def _dropped(self, item: Any, response: Response, exception: Exception) -> None:
        row = self.rows[response.url]
        reason = name_of(exception)
        if row.status == "javascript":
            reason = "javascript"
        if not row.status.startswith("failed"):
            why = printable(str(exception))
            self.rows[response.url] = replace(row, status=f"dropped:{reason}", why=why)

    def _missed(self, request: Request, reason: str) -> None:
        self.rows[request.url] = Row(request.url, f"skipped:{reason}")

    def sorted(self) -> list[Row]:
        """Return the rows in the order of their URLs."""
        return [self.rows[url] for url in sorted(self.rows)]


def status_of(response: Response, page: Page) -> str:
    """Return what can be said of a page before the spider and the pipelines saw it."""
    for warning in page.warnings:
        if warning.startswith("failed:"):
            return warning
    return "javascript" if needs_javascript(response, page) else "no-item"


def needs_javascript(response: Response, page: Page) -> bool:
    """Return whether the page seems to be a shell that a script has yet to fill."""
    if page.rendered or page.words >= FEW_WORDS:
        return False
    if not isinstance(response, HtmlResponse):
        return False
    notice = response.xpath("normalize-space(//noscript)").get()
    return bool(notice) and bool(response.xpath("//script"))


def table(rows: Iterable[Row], width: int) -> list[str]:
    """Return the lines of a table that is at most ``width`` cells wide."""
    rows = list(rows)
    status = min(28, max([6, *(len(_marked(row)) for row in rows)]))
    path = max([4, *(cells(row.path) for row in rows)])
    numbers = 3 * 7
    room = width - status - numbers - 2 * 2
    path = min(path, max(18, room * 55 // 100))
    title = max(8, room - path)
    lines = [
        _line(("page", "status", "kept", "dropped", "share", "title"), path, status)
    ]
    lines.append("─" * min(width, path + status + numbers + 4 + title))
    for row in rows:
        values = (row.path, _marked(row), _number(row.words), _number(row.dropped))
        line = _line((*values, row.share, fit(row.title, title)), path, status)
        lines.append(line.rstrip())
    return lines


def dropped_pages(rows: Iterable[Row], width: int) -> list[str]:
    """Return why pages were dropped, a line each, or no line."""
    rows = [row for row in rows if row.status.startswith("dropped:")]
    if not rows:
        return []
    path = min(max(cells(row.path) for row in rows), width // 2)
    lines = [f"{fit(row.path, path)}  {fit(row.why, width - path - 4)}" for row in rows]
    return [f"{len(rows)} dropped; why:", *(f"  {line.rstrip()}" for line in lines)]


def _marked(row: Row) -> str:
    """Return the status, with the mark of rendered pages."""
    return f"{row.status} {MARK}" if row.rendered else row.status


def _line(values: tuple[str, ...], path: int, status: int) -> str:
    page, state, kept, dropped, share, title = values
    numbers = f"{kept:>7}{dropped:>8}{share:>6}"
    return f"{fit(page, path)}  {fit(state, status)}{numbers}  {title}"


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
