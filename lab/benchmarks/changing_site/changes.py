"""Rounds that change the site: texts, shells, addresses, what the publisher says."""

from __future__ import annotations

from itertools import cycle

from .bench import Bench
from .site import ALIAS, NO_PAGES, Page


def first_crawl(bench: Bench) -> None:
    """The first crawl."""
    bench.crawl()


def nothing(bench: Bench) -> None:
    """Nothing changes: 304."""
    bench.crawl()


def shell_edit(bench: Bench) -> None:
    """A banner, a build number and another footer on every page."""
    bench.rebuild(1)
    bench.crawl()


def text_edit(bench: Bench) -> None:
    """Texts of 3% edited."""
    bench.edit(0.03)
    bench.crawl()
    bench.save_index()


def pages_added(bench: Bench) -> None:
    """A new section of ten pages."""
    start = bench.next_record
    bench.new_section("new", range(start, start + 10))
    bench.crawl()


def not_found(bench: Bench) -> None:
    """404 for 2%, half of them still linked."""
    for k, page in enumerate(bench.some(0.02)):
        page.gone(404)
        page.is_linked = page.is_linked and k % 2 == 0
    bench.crawl()


def gone(bench: Bench) -> None:
    """410 for 1%."""
    for page in bench.some(0.01):
        page.gone(410)
    bench.crawl()


def moved(bench: Bench) -> None:
    """301 and 308 for 1%, to new addresses and to pages of the site."""
    pages = bench.some(0.02)
    for k, page in enumerate(pages[::2]):
        if k % 2:
            page.gone(301, pages[1].path)
        else:
            to = f"{page.section}moved-{page.record}.html"
            new = Page(to, page.record, page.section)
            new.revision, new.changed = page.revision, bench.site.day
            bench.site.pages[new.path] = new
            page.gone(308, new.path)
            page.is_linked = page.in_sitemap = False
    bench.crawl()


def moved_section(bench: Bench) -> None:
    """A section under another address, by 301."""
    hub, pages = bench.section(1)
    new = f"/guide{hub.path}"
    bench.site.hubs[new] = Page(new, hub.record + 500_000, new)
    for page in [*pages, hub]:
        if page.status == 200 and not page.is_settled:
            to = page.path.replace(hub.path, new)
            if page is not hub:
                moved = bench.site.add(page.record, new)
                bench.site.pages[to] = bench.site.pages.pop(moved.path)
                moved.path, moved.revision = to, page.revision
                moved.noindex, moved.body = page.noindex, page.body
            page.gone(301, to)
        page.is_linked = page.in_sitemap = False
    bench.crawl()


def soft_not_found(bench: Bench) -> None:
    """1% say with status 200 that they do not exist."""
    for page in bench.some(0.01):
        page.body = "not found"
        page.changed = bench.site.day
    bench.crawl()


def empty_pages(bench: Bench) -> None:
    """1% without text: only the shell, or no byte at all."""
    for k, page in enumerate(bench.some(0.01)):
        page.body = "zero bytes" if k % 2 else "empty"
        page.changed = bench.site.day
    bench.crawl()


def noindex(bench: Bench) -> None:
    """1% with noindex, as element or as header."""
    for k, page in enumerate(bench.some(0.01)):
        page.noindex = "header" if k % 2 else "meta"
        page.changed = bench.site.day
    bench.crawl()


def canonical(bench: Bench) -> None:
    """1% with another page of the site as canonical, 1% with one that is no page."""
    pages = bench.some(0.03)
    third = max(1, len(pages) // 3)
    for page, other in zip(pages[:third], pages[third : 2 * third], strict=False):
        page.canonical = other.path
        page.changed = bench.site.day
    for page, no_page in zip(pages[2 * third :], cycle(NO_PAGES), strict=False):
        page.canonical = no_page if page.record % 2 else ALIAS + page.path
        page.changed = bench.site.day
    bench.crawl()


def copies(bench: Bench) -> None:
    """The texts of 1% are replaced by copies of other pages."""
    pages = [page for page in bench.some(0.02) if not page.canonical]
    half = len(pages) // 2
    for page, other in zip(pages[:half], pages[half:], strict=False):
        page.copy_of = other
        page.is_settled = other.is_settled = True
        page.changed = bench.site.day
    bench.crawl()


def back_again(bench: Bench) -> None:
    """Pages that were gone, empty or noindex are back."""
    for page in bench.site.pages.values():
        if page.status in (404, 410) or page.body or page.noindex:
            page.status, page.body, page.noindex = 200, "", ""
            page.is_linked = page.in_sitemap = True
            page.changed = bench.site.day
    bench.crawl()


def unreachable(bench: Bench) -> None:
    """No link leads to a section any more, whose pages are there."""
    hub, pages = bench.section(2)
    for page in [hub, *pages]:
        page.is_linked = page.in_sitemap = False
    bench.crawl()


def redesign(bench: Bench) -> None:
    """Other markup on every page, the same texts."""
    bench.rebuild(2)
    bench.crawl()


def sessions(bench: Bench) -> None:
    """Session ids in all links; pages name their canonical address."""
    bench.site.session = f"{bench.site.day:x}f3"
    for page in bench.site.every():
        page.canonical = page.canonical or page.path
    bench.rebuild(2)
    bench.crawl()


def other_sessions(bench: Bench) -> None:
    """Other session ids in all links."""
    sessions(bench)


def no_sessions(bench: Bench) -> None:
    """No session ids any more."""
    bench.site.session = ""
    bench.rebuild(2)
    bench.crawl()
