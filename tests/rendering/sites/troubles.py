"""Pages that crash the tab, block it, or never stop asking, loading or growing.

``PAGES`` has the server's answers by path. ``TRUTHS`` has the main text of the pages
that still have one if the browser resists.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from . import texts
from .behaviours import Pages
from .server import Reply, html

#: Length of the text of ``/huge/dom``, in characters.
HUGE = 60_000_000

_LINE = "Another line of the endless ledger, in the same brown ink as before. "

# V8 aborts the renderer for an array beyond its limit; that takes
# 0.2 s and less than 200 MB.
_CRASH = "'x'.repeat(2 ** 28).split('');"


def crashes(site: Pages) -> None:
    """The tab crashes while it loads, or with its content there, at each visit."""
    site.article("/crash/loading", _CRASH, truth="")
    later = (
        f"get('CONTENT').then(show).then(() => setTimeout(() => {{ {_CRASH} }}, 300))"
    )
    site.article("/crash/later", later)
    # With static text as a fallback for the crawl.
    topic = "the crash static bridge"
    site.article("/crash/static", _CRASH, main=texts.article(topic))


def dialogs(site: Pages) -> None:
    """Endless dialogs, before and after the content is there."""
    ask = {"alert": "alert('!')", "confirm": "confirm('?')", "prompt": "prompt('?')"}
    for kind, call in ask.items():
        site.article(
            f"/dialogs/{kind}",
            f"get('CONTENT').then(show); setInterval(() => {call}, 10)",
        )
    site.article(
        "/dialogs/first",
        "alert('Welcome!'); confirm('Sure?'); get('CONTENT').then(show)",
    )
    site.article("/dialogs/endless", "for (;;) alert('Again!')", truth="")
    site.article(
        "/dialogs/beforeunload",
        "addEventListener('beforeunload', event => {"
        " event.preventDefault(); event.returnValue = 'Stay!'; });"
        "get('CONTENT').then(show)",
    )
    site.article("/dialogs/print", "get('CONTENT').then(show); setInterval(print, 50)")


def blocking(site: Pages) -> None:
    """The main thread is busy for ever: from the start, or with the content there."""
    site.article("/blocked/loading", "for (;;);", truth="")
    site.article(
        "/blocked/later",
        "get('CONTENT').then(show).then(() => setTimeout(() => { for (;;); }, 300))",
    )


def popups(site: Pages) -> None:
    """Windows that open windows."""
    site.article(
        "/popups",
        "get('CONTENT').then(show);"
        "setInterval(() => window.open('/popups?' + Math.random()), 50)",
    )


def downloads(site: Pages) -> None:
    """A file instead of a page, and a page that makes one by script."""
    site.pages["/download/file"] = Reply(
        b"\0\1\2\3" * 1000,
        headers={
            "Content-Type": "application/octet-stream",
            "Content-Disposition": 'attachment; filename="ledger.bin"',
        },
    )
    site.article(
        "/download/script",
        "get('CONTENT').then(show); const a = document.createElement('a');"
        "a.href = '/download/file'; a.download = 'ledger.bin'; a.click();",
    )
    site.article("/download/location", "location.href = '/download/file'", truth="")


def sizes(site: Pages) -> None:
    """Pages without bounds: in the DOM, in the body, in their subresources."""
    line = _LINE * 14
    site.article(
        "/huge/dom",
        f"const line = {line!r};"
        f"for (let n = 0; n < {HUGE // len(line)}; n++)"
        "  document.getElementById('main')"
        "    .appendChild(document.createElement('p')).textContent = line;",
        truth="",
    )
    site.article(
        "/endless/loaded",
        "get('CONTENT').then(show); fetch('/endless/flood').then(a => a.text())",
    )
    for name, pause, lines in (("flood", 0.0, 1000), ("trickle", 0.2, 1)):
        site.pages[f"/endless/{name}"] = Reply(
            headers={"Content-Type": "text/html"},
            stream=partial(endless, lines),
            pause=pause,
        )
    site.pages["/endless/silence"] = html("", delay=10**6)


def endless(lines: int) -> Iterator[bytes]:
    """An endless page of paragraphs, *lines* of them at a time."""
    yield b"<!DOCTYPE html><title>The ledger</title><main>"
    chunk = f"<p>{_LINE}</p>\n".encode() * lines
    while True:
        yield chunk


def _all() -> Pages:
    site = Pages()
    for add in (crashes, dialogs, blocking, popups, downloads, sizes):
        add(site)
    return site


_MADE = _all()
PAGES, TRUTHS = _MADE.pages, _MADE.truths
