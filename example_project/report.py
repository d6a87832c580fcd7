"""The outcome of every page of a crawl, as a table."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from io import StringIO
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from example.spiders.site import name_of, page_missed
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text
from scrapy import signals
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from scrapy_mainpage import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType
    from scrapy import Request
    from scrapy.crawler import Crawler

#: A page with fewer words, a script, and a notice for readers without JavaScript counts
#: as one that JavaScript builds.
MIN_WORDS = 20

#: The mark of rendered pages in the table.
MARK = "*"

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def printable(text: str) -> str:
    """Return the text on one line, without control characters.

    Titles come from the web: one could hold escape sequences for the terminal.

    >>> printable("a\\x1b[31m\\n b")
    'a [31m b'
    """
    return " ".join(_CONTROLS.sub(" ", text).split())


def render(renderable: RenderableType, width: int) -> list[str]:
    """Return the lines of a table or text of :mod:`rich`, as plain text."""
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return [line.rstrip() for line in capture.get().splitlines()]


@dataclass(frozen=True)
class Row:
    """A page in the table; the last fields are of its extraction and rendering."""

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
        """The number of words that are not main content."""
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
        """The URL without scheme and host, in readable characters."""
        parts = urlsplit(self.url)
        query = f"?{parts.query}" if parts.query else ""
        return printable(unquote(parts.path or "/") + query)


class Report:
    """Listens to a crawl and keeps a row for each URL."""

    def __init__(self, crawler: Crawler):
        self.rows: dict[str, Row] = {}
        # The crawler keeps weak references to its listeners: keep the report.
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
    """Return the status of a page before the spider and the pipelines."""
    for warning in page.warnings:
        if warning.startswith("failed:"):
            return warning
    return "javascript" if needs_javascript(response, page) else "no-item"


def needs_javascript(response: Response, page: Page) -> bool:
    """Return whether the page seems to be a shell that a script fills."""
    if page.rendered or page.words >= MIN_WORDS:
        return False
    if not isinstance(response, HtmlResponse):
        return False
    notice = response.xpath("normalize-space(//noscript)").get()
    return bool(notice) and bool(response.xpath("//script"))


def table(rows: Iterable[Row], width: int) -> list[str]:
    """Return the lines of a table that is at most *width* cells wide."""
    rows = list(rows)
    widest = max([6, *(len(_mark(row)) for row in rows)])
    found = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, expand=True)
    found.add_column("page", no_wrap=True, ratio=4)
    found.add_column("status", no_wrap=True, min_width=widest)
    for name in ("kept", "dropped", "share"):
        found.add_column(name, no_wrap=True, justify="right", min_width=len(name))
    found.add_column("title", no_wrap=True, ratio=3)
    for row in rows:
        numbers = (_number(row.words), _number(row.dropped), row.share)
        cells = (row.path, _mark(row), *numbers, row.title)
        found.add_row(*(Text(cell) for cell in cells))
    heading, *lines = render(found, width)
    return [heading, "─" * width, *lines]


def _mark(row: Row) -> str:
    """Return the status, with the mark of rendered pages."""
    return f"{row.status} {MARK}" if row.rendered else row.status


def pairs(rows: Iterable[tuple[str, str]], width: int) -> list[str]:
    """Return the lines of a table with two columns, indented."""
    rows = list(rows)
    widest = max((cell_len(name) for name, _ in rows), default=0)
    found = Table.grid(padding=(0, 2, 0, 0), pad_edge=False, expand=True)
    found.add_column(no_wrap=True, width=min(widest, width // 2))
    found.add_column(no_wrap=True, ratio=1)
    for row in rows:
        found.add_row(*(Text(cell) for cell in row))
    return [f"  {line}" for line in render(found, width - 2)]


def dropped_pages(rows: Iterable[Row], width: int) -> list[str]:
    """Return why pages were dropped, a line each, or no line."""
    rows = [row for row in rows if row.status.startswith("dropped:")]
    if not rows:
        return []
    reasons = pairs(((row.path, row.why) for row in rows), width)
    return [f"{len(rows)} dropped; why:", *reasons]


def rendered_pages(rows: Iterable[Row], stats: dict[str, Any], width: int) -> list[str]:
    """Return the lines with the rendered pages by reason; ``[]`` if none.

    The reasons are the plugin's: its documentation lists them.
    """
    rows = list(rows)
    done = [row for row in rows if row.rendered]
    failed = [row for row in rows if row.render_reason.startswith("failed:")]
    lines = []
    if done:
        time = stats.get("mainpage/render/time", 0) / len(done)
        heading = f"{MARK} {len(done)} rendered in a browser, {time:.1f} s per page"
        lines += [f"{heading}; why:", *_by_reason(done, width)]
    if failed:
        heading = f"{len(failed)} could not be rendered, and stay as they were"
        lines += [f"{heading}; why:", *_by_reason(failed, width)]
    return lines


def _by_reason(rows: list[Row], width: int) -> list[str]:
    """Return a line per reason, with its first pages."""
    pages = defaultdict(list)
    for row in rows:
        pages[row.render_reason].append(row.path)
    room = width - 4 - max(map(cell_len, pages))
    return pairs(
        (
            (reason, _first(paths, room))
            for reason, paths in sorted(pages.items(), key=lambda item: -len(item[1]))
        ),
        width,
    )


def _first(paths: list[str], width: int) -> str:
    """Return one or two of the paths, as fit, and the number of the others.

    >>> _first(["/a", "/b"], 20), _first(["/a", "/b", "/c", "/d"], 20)
    ('/a  /b', '/a  /b  + 2 more')
    """
    for shown in (2, 1):
        more = [f"+ {len(paths) - shown} more"] if len(paths) > shown else []
        line = "  ".join([*paths[:shown], *more])
        if cell_len(line) <= width:
            break
    return line


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
