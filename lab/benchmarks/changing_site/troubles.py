"""Rounds with passing troubles of the site; each lasts until the next one."""

from __future__ import annotations

from lab.server import Answer

from .bench import UNAVAILABLE, Bench


def burst(bench: Bench) -> None:
    """503 for 5%."""
    bench.trouble(bench.some(0.05), UNAVAILABLE)
    bench.crawl()


def broken(bench: Bench) -> None:
    """429 for 2%, broken connections for 1%."""
    bench.calm()
    bench.trouble(bench.some(0.02), Answer(429, b"Slow down."))
    bench.trouble(bench.some(0.01), Answer(None))
    bench.crawl()


def elsewhere(bench: Bench) -> None:
    """302 for 2%, to another page."""
    bench.calm()
    pages = bench.some(0.02)
    to = {"Location": bench.site.base + bench.site.home.path}
    bench.trouble(pages, Answer(302, headers=to))
    bench.crawl()


def slow_hub(bench: Bench) -> None:
    """A hub times out, while pages below it are edited and gone."""
    bench.calm()
    hub, pages = bench.section(0)
    bench.trouble([hub], Answer(200, b"late", delay=30))
    texts = [page for page in pages if page.is_document]
    for page in texts[:2]:
        page.edit(bench.site.day)
    for page in texts[2:4]:
        page.gone(404)
    bench.crawl()


def no_sitemap(bench: Bench) -> None:
    """The sitemap answers 500, while pages are gone: no sweep."""
    bench.calm()
    bench.site.sitemap = Answer(500)
    bench.is_whole = False
    for page in bench.some(0.01):
        page.gone(404)
    bench.refusing()


def no_robots(bench: Bench) -> None:
    """robots.txt answers 503: no sweep."""
    bench.calm()
    bench.site.robots = UNAVAILABLE
    bench.is_whole = False
    bench.refusing()


def forbidden(bench: Bench) -> None:
    """robots.txt of a staging server forbids everything: no sweep."""
    bench.calm()
    text = b"User-agent: *\nDisallow: /\n"
    bench.site.robots = Answer(200, text, {"Content-Type": "text/plain"})
    bench.is_whole = False
    bench.refusing()


def no_start(bench: Bench) -> None:
    """The start page answers 500: no sweep."""
    bench.calm()
    bench.trouble([bench.site.home], Answer(500))
    bench.is_whole = False
    bench.refusing()


def down(bench: Bench) -> None:
    """The site is down: no sweep."""
    bench.calm()
    bench.site.everything = Answer(None)
    bench.is_whole = False
    bench.refusing()


def for_long(bench: Bench) -> None:
    """503 for 1%, for five crawls: after three the pages go."""
    bench.calm()
    pages = bench.trouble(bench.some(0.01), UNAVAILABLE)
    for _ in range(3):
        bench.crawl()
        bench.next_day()
    if any(bench.site.base + page.path not in bench.read() for page in pages):
        bench.faults.append("pages are deleted before they have failed for long")
    for _ in range(2):
        bench.crawl()
        bench.next_day()
    for page in pages:
        page.gone(503)


def login_wall(bench: Bench) -> None:
    """A section needs a login: 302 to the form, or 403."""
    bench.calm()
    pages = [page for page in bench.section(3)[1] if page.is_document]
    to = {"Location": f"{bench.site.base}/login?next=here"}
    bench.trouble(pages[::2], Answer(302, headers=to))
    bench.trouble(pages[1::2], Answer(403, b"Not you."))
    bench.crawl()


def login_everywhere(bench: Bench) -> None:
    """Every page is a login form with status 200: no sweep."""
    bench.calm()
    bench.rebuild(bench.site.shell)
    form = b"<title>Sign in</title><form><input name=user><input type=password></form>"
    answer = Answer(200, form, {"Content-Type": "text/html"})
    bench.trouble(bench.site.pages.values(), answer)
    bench.is_whole = False
    bench.refusing()
