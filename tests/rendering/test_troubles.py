"""A crawl of pages that crash, block, flood or trick the browser: it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, repeat, zip_longest
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawl
from tests.rendering.server import Answer, Reply, html, serve
from tests.rendering.test_crawls import (
    AUTO,
    CRASH,
    by_url,
    data,
    pages,
    says,
    shell,
    shows,
    visit,
)
from tests.waiting import wait

SETTINGS = {
    **AUTO,
    "MAINPAGE_RENDER_WAIT": 3,
    "MAINPAGE_RENDER_TIMEOUT": 8,
    "MAINPAGE_RENDER_SCROLL": 4,
    "DOWNLOAD_TIMEOUT": 3,
}
BLOCKED = {"failed:blocked", "failed:timeout"}

FAILING = {
    "crash": (CRASH, {"failed:crash"}),
    "blocked": ("for (;;);", BLOCKED),
    "dialogs": ("for (;;) alert('Again!')", BLOCKED),
    "huge": (
        "const line = 'brown ink '.repeat(100); for (let n = 0; n < 20000; n++)"
        " document.body.append(Object.assign(document.createElement('p'),"
        " {textContent: line}));",
        {"failed:too_large", "failed:crash", *BLOCKED},
    ),
    "file": ("location.href = '/ledger.bin'", {"failed:not_html", "script_redirect"}),
    "circle": (
        "location.replace('/circle?' + Math.random())",
        {"failed:navigations", "script_redirect", "failed:timeout"},
    ),
}
"""Scripts of empty pages, and the reasons that are theirs."""

RESISTED = {
    "hoard": "for (let n = 0; n < 99; n++)"
    " document.cookie = `${n}=${'x'.repeat(3000)}; path=/clean`;"
    "localStorage.all = 'x'.repeat(4e6); const opened = indexedDB.open('all');"
    "opened.onupgradeneeded = () => { const all = opened.result.createObjectStore('a');"
    " for (let n = 0; n < 9; n++) all.put('x'.repeat(4e6), n); }",
    "alerts": "setInterval(() => { alert('!'); confirm('?'); prompt('?') }, 10)",
    "popups": "setInterval(() => window.open('/popups?' + Math.random()), 50)",
    "leaving": "addEventListener('beforeunload', event => event.preventDefault())",
    "download": "Object.assign(document.createElement('a'),"
    " {href: '/ledger.bin', download: 'ledger.bin'}).click()",
    "restless": "setInterval(() => fetch('/poll?' + Math.random()), 100);"
    "fetch('/flood').then(answer => answer.text())",
    "clean": "if (document.cookie || localStorage.all) document.body.remove()",
}
"""Scripts of pages that show their article in spite of them."""

LEDGER = b"<p>Another line of the endless ledger, in the same ink as before.</p>\n"


def site_pages() -> dict[str, Answer]:
    found = pages("first", "last", *RESISTED)
    for name, script in RESISTED.items():
        page = shows(name).body.decode()
        found[f"/{name}"] = html(page.replace("</body>", f"<script>{script}</script>"))
    for name, (script, _) in FAILING.items():
        found[f"/{name}"] = shell(script)
    flood = Reply(
        headers={"Content-Type": "text/html"}, stream=lambda: repeat(LEDGER * 500)
    )
    file = Reply(bytes(4000), headers={"Content-Type": "application/octet-stream"})
    more = {"/flood": flood, "/ledger.bin": file, "/poll": data("first")}
    return {**found, **more}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Crawl]:
    """The crawl of all of them, with good pages before and after, when first asked."""
    known: list[Crawl] = []
    folder = tmp_path_factory.mktemp("profile")

    def crawl() -> Crawl:
        if not known:
            wish = {"meta": {"mainpage_render": True}}
            # By turns: a site where the browser only fails is soon left alone.
            names = chain(*zip_longest(["first", *RESISTED], FAILING))
            visits: list[Any] = [f"/{name}" for name in names if name]
            with pytest.MonkeyPatch.context() as patch, serve(site_pages()) as site:
                patch.setenv("TMPDIR", str(folder))
                visits += [["/flood", wish], "/last"]
                known.append(visit(site, SETTINGS, *visits, max_size=2_000_000))
            assert_nothing_runs(folder)
        return known[0]

    return crawl


def assert_nothing_runs(folder: Path) -> None:
    """Wait until no process that was started with this TMPDIR is left."""
    wait(lambda: not [*processes_with(f"TMPDIR={folder}")], "end of the browsers")


def processes_with(variable: str) -> Iterator[str]:
    """The processes with a variable in their environment, where there is /proc.

    Not the server that crawls are forked from: it is kept for those of other tests.
    """
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # It has ended, or is another user's.
            process = environment.parent
            is_server = b"multiprocessing" in (process / "cmdline").read_bytes()
            if variable in environment.read_text("utf-8", "replace").split("\0"):
                yield from [] if is_server else [process.name]


@pytest.fixture
def items(
    requirement: Callable[[str], str], crawled: Callable[[], Crawl]
) -> dict[str, dict[str, Any]]:
    requirement("browser")
    return by_url(crawled())


@pytest.mark.parametrize("name", FAILING)
def test_where_rendering_fails_the_static_page_goes_on(
    items: dict[str, dict[str, Any]], name: str
) -> None:
    [item] = [it for url, it in items.items() if url.split("?")[0] == f"/{name}"]
    assert item["text"] == ""
    assert item["reason"] in FAILING[name][1]


@pytest.mark.parametrize("name", ["first", *RESISTED, "last"])
def test_good_pages_and_those_with_tricks_are_rendered(
    items: dict[str, dict[str, Any]], name: str
) -> None:
    assert items[f"/{name}"]["rendered"]
    assert says(items[f"/{name}"], name)


def test_a_page_without_an_end_is_taken_as_far_as_it_came(
    items: dict[str, dict[str, Any]],
) -> None:
    assert "endless ledger" in items["/flood"]["text"]


def test_failures_are_counted_and_logged(
    items: dict[str, dict[str, Any]], crawled: Callable[[], Crawl]
) -> None:
    done = crawled()
    assert done.stat("mainpage/render/failed/crash") == 1
    assert done.stat("mainpage/render/refused/too_large") >= 1
    assert "connection was cut (too_large)" in done.log
