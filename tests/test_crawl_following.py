"""Whole crawls of a site: links by label, small requests, pause and resume."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawling import crawl, finish, start
from tests.mockserver import Answer, Reply, Site, article, html, serve
from tests.waiting import PATIENCE, wait

COUNT = 40


def page(number: int) -> Reply:
    """Page ``number`` of a site where each article links to two later ones."""
    targets = [n for n in (2 * number + 1, 2 * number + 2) if n < COUNT]
    links = "".join(f' and <a href="/page/{n}">page {n}</a>' for n in targets)
    main = f"<p>This article goes on, as articles do{links}, with more to read.</p>"
    return html(article(f"topic {number}", main=main))


def pages() -> dict[str, Answer]:
    found: dict[str, Answer] = {f"/page/{n}": page(n) for n in range(COUNT)}
    for name in ("", "news", "contact", "shop", "imprint", "terms", "ad1"):
        found[f"/{name}"] = html(article(f"the {name} of the site"))
    return found


@pytest.fixture
def site() -> Iterator[Site]:
    with serve(pages()) as site:
        yield site


def urls(items: list[dict[str, str]]) -> list[str]:
    return sorted(item["url"] for item in items)


def all_urls(site: Site) -> list[str]:
    return sorted(f"{site.url}/page/{n}" for n in range(COUNT))


def test_following_the_main_content_finds_all_articles_and_only_those(
    site: Site,
) -> None:
    done = crawl("site", url=site.url + "/page/0")
    assert urls(done.items) == all_urls(site)
    assert done.stat("mainpage/extracted") == COUNT
    topics = {item["title"] for item in done.items}
    assert topics == {f"All about topic {n}" for n in range(COUNT)}
    for item in done.items:
        number = item["url"].rsplit("/", 1)[1]
        assert f"about topic {number} says" in item["page_text"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_a_crawl_that_was_interrupted_goes_on_and_misses_nothing(
    tmp_path: Path,
) -> None:
    reached, release = threading.Event(), threading.Event()

    def hold(count: int) -> Reply:
        """Keep one page back until the crawl has the signal to stop."""
        if count == 1:
            reached.set()
            release.wait(PATIENCE)
        return page(7)

    settings = {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 1}
    with serve({**pages(), "/page/7": hold}) as site:
        running = start("site", tmp_path, settings, url=site.url + "/page/0")
        wait(reached.is_set, "page that is held back", running)
        running.send_signal(signal.SIGINT)
        # Release the page only after the signal, so that the crawl shuts down cleanly.
        release.set()
        first = finish(running, tmp_path)
        second = finish(
            start("site", tmp_path, settings, url=site.url + "/page/0"), tmp_path
        )
        assert first.stat("finish_reason") == "shutdown"
        assert second.stat("finish_reason") == "finished"
        assert 0 < len(first.items) < COUNT
        assert urls(first.items + second.items) == all_urls(site)
        assert "Traceback" not in first.log + second.log
