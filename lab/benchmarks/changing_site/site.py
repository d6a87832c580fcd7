"""A site whose pages change: what the server answers, and what an index should hold.

Everything follows from the number of pages and the changes of the rounds. The shell of
a page (menu, related links, footer) is separate from its text. Each text names its
record and revision, by which a document of an index is recognised as current or stale.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from functools import cache
from zlib import crc32

from lab.server import HTML, Answer
from lab.soak.texts import Texts

#: Title, main content, elements of the head, links of the menu, related links -> page.
Shell = Callable[[str, str, str, Sequence[str], Sequence[str]], str]


def _links(paths: Sequence[str]) -> str:
    return "".join(f'<li><a href="{to}">{to.split("?")[0]}</a></li>' for to in paths)


def first(
    title: str, main: str, head: str, menu: Sequence[str], related: Sequence[str]
) -> str:
    """Header with menu, article, related links, footer."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} - Records'
        f'</title>{head}</head><body><header class="site-header"><nav><ul class="menu">'
        f"{_links(menu)}</ul></nav></header><main><article>{main}</article></main>"
        f'<aside class="related"><h2>Related</h2><ul>{_links(related)}</ul></aside>'
        '<footer class="site-footer"><p>Copyright 2026 Records. All rights reserved.'
        "</p></footer></body></html>"
    )


def edited(
    title: str, main: str, head: str, menu: Sequence[str], related: Sequence[str]
) -> str:
    """The first shell with a banner, a build number and another year."""
    banner = '<div class="cookie-banner"><p>We use cookies.</p><a href=#>OK</a></div>'
    page = first(title, main, head, menu, related)
    page = page.replace("<header", f"{banner}<header", 1)
    page = page.replace("Copyright 2026", "Copyright 2027")
    return page.replace("</body>", '<script src="/app.js?build=7"></script></body>')


def redesigned(
    title: str, main: str, head: str, menu: Sequence[str], related: Sequence[str]
) -> str:
    """Other elements, names and order: sidebar first, text in ``div`` elements."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} - Records'
        f'</title>{head}<link rel="stylesheet" href="/2.css"></head><body class="new">'
        f'<div id="top-bar"><a href="/">Records</a><form role="search"><input name="q">'
        f'</form></div><div class="sidebar"><ul>{_links(menu)}</ul></div>'
        f'<div class="content-wrapper"><div class="post-body">{main}</div>'
        f'<div class="see-also"><h3>See also</h3><ul>{_links(related)}</ul></div></div>'
        '<div class="bottom"><p>Copyright 2026 Records. All rights reserved.</p></div>'
        "</body></html>"
    )


SHELLS: tuple[Shell, ...] = (first, edited, redesigned)


#: At most so many pages are listed by one hub, and at least so many hubs are there.
LISTED, HUB_COUNT = 40, 25
#: Sections in the menu of every page.
MENU = 12
LANGUAGES = ("en", "de", "fr", "ru")
#: The day of the first crawl by the clock of the server.
FIRST_DAY = datetime(2026, 3, 2, 6, 0, tzinfo=timezone.utc)
REVISION = re.compile(r"revision (\d+) of record (\d+)")
#: Record numbers of hubs begin here.
HUBS = 1_000_000

LOGIN = "<h1>Sign in</h1><form><input name=user><input type=password></form>"
NOT_FOUND = "<h1>Page not found</h1><p>Sorry, this page does not exist any more.</p>"
#: Canonical addresses that do not count: another host, no address, a missing page.
NO_PAGES = ("https://example.com/elsewhere", "http:///", "/not/there.html")
#: Addresses below it redirect to the address behind it.
ALIAS = "/alias"
#: Bodies in place of the text of a page.


@dataclass(eq=False)
class Page:
    """A page: its text, what the publisher says about it, and its trouble if any."""

    path: str
    record: int
    section: str
    revision: int = 0
    #: The day of the last change.
    changed: int = 0
    #: 200 for a text; else the server's lasting answer: 404, 410, 301, 308.
    status: int = 200
    location: str = ""
    #: The page whose text it has.
    copy_of: Page | None = None
    #: A page with copies, or one of them, changes no more.
    is_settled: bool = False
    noindex: str = ""
    canonical: str = ""
    is_linked: bool = True
    in_sitemap: bool = True
    #: A passing trouble: the index should keep what it has.
    trouble: Answer | None = None

    @property
    def is_document(self) -> bool:
        """Whether an index should hold the page, if its canonical page is one."""
        is_text = self.status == 200 and not self.copy_of
        own = ("", self.path, ALIAS + self.path, *NO_PAGES)
        return is_text and not self.noindex and self.canonical in own

    def edit(self, day: int) -> None:
        self.revision += 1
        self.changed = day

    def gone(self, status: int, location: str = "") -> None:
        self.status, self.location = status, location

    @property
    def token(self) -> str:
        return f"revision {self.revision} of record {self.record}"


class Site:
    """Home, hubs and pages; *count* pages without home and hubs."""

    def __init__(self, count: int, seed: int = 1) -> None:
        self.seed, self.base = seed, ""
        self.day, self.shell, self.shell_day = 0, 0, 0
        self.session = ""
        #: Answers in place of those of robots.txt, of the sitemap, or of everything.
        self.robots: Answer | None = None
        self.sitemap: Answer | None = None
        self.everything: Answer | None = None
        self.pages: dict[str, Page] = {}
        self.listed_by_hub = max(4, min(LISTED, count // HUB_COUNT))
        sections = [f"/s/{k}/" for k in range(-(-count // self.listed_by_hub))]
        self.hubs = {
            path: Page(path, HUBS + k, path) for k, path in enumerate(sections)
        }
        self.home = Page("/", HUBS - 1, "/")
        for record in range(count):
            self.add(record, sections[record // self.listed_by_hub])

    def add(self, record: int, section: str) -> Page:
        """Add a page to a section; one in 50 is in the sitemap alone."""
        page = Page(f"{section}{record}.html", record, section, changed=self.day)
        page.is_linked = record % 50 != 7
        page.in_sitemap = record % 20 != 3
        self.pages[page.path] = page
        return page

    def every(self) -> Iterable[Page]:
        """Home, hubs and pages."""
        return [self.home, *self.hubs.values(), *self.pages.values()]

    def texts(self) -> list[Page]:
        """The pages that are documents and may change, hubs aside."""
        pages = (page for page in self.pages.values() if not page.is_settled)
        return [page for page in pages if page.is_document and not page.trouble]

    def has_document(self, page: Page) -> bool:
        """Whether an index should hold the page.

        A canonical address counts only as long as a document is there.
        """
        other = self.find(page.canonical)
        is_gone = other is not None and not other.is_document
        return (replace(page, canonical="") if is_gone else page).is_document

    def find(self, path: str) -> Page | None:
        """The page of a path."""
        return self.home if path == "/" else self.hubs.get(path) or self.pages.get(path)

    # --- What a hub says

    def listed(self, hub: Page) -> list[Page]:
        """The pages that home or a hub links to."""
        if hub is self.home:
            return [each for each in self.hubs.values() if each.is_linked]
        pages = (page for page in self.pages.values() if page.section == hub.path)
        return [page for page in pages if page.is_linked]

    def refresh(self) -> None:
        """Let home and hubs have the revision of their lists."""
        for hub in (self.home, *self.hubs.values()):
            listed = ",".join(str(page.record) for page in self.listed(hub))
            revision = crc32(listed.encode())
            if revision != hub.revision:
                hub.revision, hub.changed = revision, self.day

    # --- Answers

    def answer(self, path: str, headers: dict[str, str], asked: int = 1) -> Answer:
        """The answer for a path without its query."""
        if self.everything:
            return self.everything
        if path == "/robots.txt":
            text = f"User-agent: *\nSitemap: {self.base}/sitemap.xml\n"
            kind = {"Content-Type": "text/plain"}
            return self.robots or Answer(200, text.encode(), kind)
        if path == "/sitemap.xml":
            return self.sitemap or self._sitemap()
        if path == "/login":
            return self._html(SHELLS[self.shell]("Sign in", LOGIN, "", [], []))
        if path.startswith(ALIAS):
            return Answer(302, headers={"Location": path.removeprefix(ALIAS)})
        page = self.find(path)
        if page is None:
            return self._html(SHELLS[self.shell]("404", NOT_FOUND, "", [], []), 404)
        return page.trouble or self._page(page, headers)

    def _sitemap(self) -> Answer:
        rows = (
            f"<url><loc>{self.base}{page.path}</loc>"
            f"<lastmod>{self.date(self._modified(page)).isoformat()}</lastmod></url>"
            for page in self.every()
            if page.in_sitemap and page.status == 200
        )
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        body = f'<urlset xmlns="{namespace}">{"".join(rows)}</urlset>'
        return Answer(200, body.encode(), {"Content-Type": "application/xml"})

    def _page(self, page: Page, headers: dict[str, str]) -> Answer:
        if page.status in (301, 302, 308):
            return Answer(page.status, headers={"Location": self.base + page.location})
        if page.status != 200:
            body = SHELLS[self.shell]("Gone", NOT_FOUND, "", [], [])
            return self._html(body, page.status)
        answer = self._html(self.render(page))
        if page.noindex == "header":
            answer.headers["X-Robots-Tag"] = "noindex"
        answer.headers.update(self._validators(page, answer.body))
        if _is_current(answer, headers):
            return Answer(304, b"", answer.headers)
        return answer

    def _html(self, body: str, status: int = 200) -> Answer:
        return Answer(status, body.encode(), {**HTML})

    def _validators(self, page: Page, body: bytes) -> dict[str, str]:
        """Date and tag; one page in 3 has no tag, one in 50 has neither."""
        if page.record % 50 == 11:
            return {}
        date = format_datetime(self.date(self._modified(page)), usegmt=True)
        weak = "W/" if page.record % 2 else ""
        tag = {} if page.record % 3 == 1 else {"ETag": f'{weak}"{crc32(body):x}"'}
        return {"Last-Modified": date, **tag}

    def _modified(self, page: Page) -> int:
        """The day of the file: a new shell makes all files new."""
        return max(page.changed, self.shell_day)

    def date(self, day: int) -> datetime:
        return FIRST_DAY + timedelta(days=day)

    # --- Bodies

    def render(self, page: Page) -> str:
        """The page with its shell."""
        main, title = self._main(page)
        head = ""
        if to := page.canonical:
            to = to if to in NO_PAGES else self.base + to
            head = f'<link rel="canonical" href="{to}">'
        if page.noindex == "meta":
            head += '<meta name="robots" content="noindex, follow">'
        menu = [hub.path for hub in self.hubs.values() if hub.is_linked][:MENU]
        around = [] if page.record >= HUBS - 1 else self._around(page)
        make = SHELLS[self.shell]
        return make(title, main, head, ["/", *map(self._link, menu)], around)

    def _link(self, path: str) -> str:
        return f"{path}?sid={self.session}" if self.session else path

    def _around(self, page: Page) -> list[str]:
        """Hub, neighbours and related pages."""
        near = [page.record + step for step in (-1, 1, 5, 9)]
        pages = (self.pages.get(f"{page.section}{number}.html") for number in near)
        linked = [each.path for each in pages if each and each.is_linked]
        return [self._link(path) for path in (page.section, *linked)]

    def _main(self, page: Page) -> tuple[str, str]:
        if page.copy_of:
            return self._main(page.copy_of)
        texts = self._texts(page)
        title = texts[0][:40]
        if page.revision and page.record < HUBS - 1:
            texts[-1:] = self._texts(page, page.revision)[:2]
        texts[0] = f"This is {page.token}. {texts[0]}"
        main = f"<h1>{title}</h1>" + "".join(f"<p>{text}</p>" for text in texts)
        if page is self.home or page.path in self.hubs:
            rows = (
                f'<li><a href="{self._link(each.path)}">{text[:40]}</a>: '
                f"{text[40:160]}</li>"
                for each in self.listed(page)
                for text in self._texts(each)[:1]
            )
            main += f"<ul>{''.join(rows)}</ul>"
        return main, title

    def _texts(self, page: Page, revision: int = 0) -> list[str]:
        """The paragraphs of a revision."""
        choose = random.Random((self.seed * 1_000_003 + page.record) * 1_009 + revision)
        language = LANGUAGES[page.record // LISTED % len(LANGUAGES)]
        return _paragraphs(self.seed).some(choose, language, choose.randrange(5, 12))


def _is_current(answer: Answer, headers: dict[str, str]) -> bool:
    """Whether the copy of the client is current; dates are compared exactly."""
    if (tags := headers.get("if-none-match")) is not None:
        tag = answer.headers.get("ETag", "").removeprefix("W/")
        return bool(tag) and tag in tags.replace("W/", "").split(", ")
    since, date = headers.get("if-modified-since"), answer.headers.get("Last-Modified")
    return bool(date) and since == date


@cache
def _paragraphs(seed: int) -> Texts:
    return Texts(seed)
