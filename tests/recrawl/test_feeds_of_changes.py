"""Feeds of changes: what has changed since the last crawl, and tombstones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import scrapy

from tests.mockserver import Reply, html, served

from .site import ArticleSpider, Crawls, Site, make_site

FORMS = {"passages": "id", "docsearch": "objectID", "jsonlines": "url", "json": "url"}
SIDEBAR = "<aside><h3>News</h3><ul>{}</ul></aside><footer>{}</footer></body>"


class FramedSite(Site):
    """Articles with a sidebar and a footer that may change."""

    frame = ("<li>One</li>", "article")

    def _page(self, path: str) -> Reply:
        reply = super()._page(path)
        if path not in self.topics:
            return reply
        text = reply.body.decode()
        return html(text.replace("</body>", SIDEBAR.format(*self.frame)))

    def change(self, path: str) -> None:
        """Change the text of one page, and what stands beside it on all."""
        self.frame = (f"<li>One</li><li>A story of {path}</li>", f"listing{path}")
        self.topics[path] += " of another kind"

    def remove(self, path: str) -> None:
        """Answer 410, and lead nowhere to it."""
        self.unlinked.add(path)
        self.replies[path] = Reply(b"gone", 410)


class TypeSpider(ArticleSpider):
    """Items whose page type flips with the footer."""

    name = "types"

    def parse(self, response: scrapy.http.Response) -> Any:
        for each in super().parse(response):
            if isinstance(each, dict):
                kind = response.css("footer::text").get()
                each |= {"page_type": kind, "kind": kind}
            yield each


@pytest.fixture
def crawls(tmp_path: Path) -> Iterator[Crawls]:
    with served(FramedSite(make_site(24).topics)) as site:
        settings = {"MAINPAGE_ITEM_FIELDS": {"kind": "page_type"}}
        yield Crawls(site, tmp_path, settings)


class Feeds:
    """The feeds of one format of the next crawls, by their names."""

    def __init__(self, crawls: Crawls, form: str) -> None:
        self.crawls, self.form, self.site = crawls, form, crawls.site

    def crawl(self, *names: str, **settings: Any) -> list[Records]:
        """Crawl, and return the records of each feed."""
        paths = {self.crawls.folder / name: name for name in names}
        feed = {"format": self.form, "overwrite": True}
        feeds = {
            str(path): {**feed, "item_export_kwargs": {"changes": self.option(name)}}
            for path, name in paths.items()
        }
        self.crawls.crawl(TypeSpider, FEEDS=feeds, **settings)
        return [Records(self, path.read_text("utf-8")) for path in paths]

    def option(self, name: str) -> bool | str:
        """The option ``changes``: the name in front of a sign, if there is one."""
        return name.partition("@")[0] if "@" in name else True


class Records:
    """The ids of a feed's records: those that go, and the others by page."""

    def __init__(self, feeds: Feeds, text: str) -> None:
        as_list = feeds.form == "json"
        found = json.loads(text) if as_list else [*map(json.loads, text.splitlines())]
        self.gone = {each["id"] for each in found if each.get("deleted")}
        assert all(len(each) == 2 for each in found if each.get("deleted"))
        self.pages: dict[str, set[str]] = {}
        for each in found:
            if not each.get("deleted"):
                page = (each.get("page") or each["url"]).partition("#")[0]
                ids = self.pages.setdefault(page.removeprefix(feeds.site.url), set())
                ids.add(each[FORMS[feeds.form]])


@pytest.fixture
def make(crawls: Crawls) -> Callable[[str], Feeds]:
    return partial(Feeds, crawls)


@pytest.mark.parametrize(
    ("form", "index", "turns"),
    [
        *(("passages", True, 1), ("docsearch", False, 1)),
        *(("jsonlines", False, 2), ("json", True, 2)),
    ],
)
def test_the_feed_has_changed_pages_and_tombstones(
    make: Callable[[str], Feeds], form: str, index: bool, turns: int
) -> None:
    feeds = make(form)
    site = feeds.site
    assert isinstance(site, FramedSite)
    if not index:
        feeds.crawls.settings |= {"MAINPAGE_INDEX": None, "MAINPAGE_SWEEP": "report"}
    (first,) = feeds.crawl("feed")
    assert len(first.pages) == 24
    known = dict(first.pages)
    for turn in range(turns):
        changed, removed, missing = (f"/page{10 * turn + n}" for n in (7, 8, 9))
        site.change(changed)
        site.remove(removed)
        del site.topics[missing]
        (found,) = feeds.crawl("feed")
        assert [*found.pages] == [changed]
        old = known.pop(changed) - found.pages[changed]
        assert found.gone == old | known.pop(removed) | known.pop(missing)
        known |= found.pages
    (last,) = feeds.crawl("feed")
    assert (last.pages, last.gone) == ({}, set())


def test_each_feed_has_its_own_changes(make: Callable[[str], Feeds]) -> None:
    """It is known by its address, or by a name, with which it may move."""
    feeds = make("jsonlines")
    site = feeds.site
    assert isinstance(site, FramedSite)
    one, named = feeds.crawl("one", "us@a")
    assert len(one.pages) == len(named.pages) == 24
    site.change("/page3")
    one, two, moved, other = feeds.crawl("one", "two", "us@b", "eu@a")
    assert [*one.pages] == [*moved.pages] == ["/page3"]
    assert len(two.pages) == len(other.pages) == 24
    site.change("/page4")
    (two,) = feeds.crawl("two")
    site.change("/page5")
    (one, two) = feeds.crawl("one", "two")
    assert {*one.pages} == {"/page4", "/page5"}
    assert [*two.pages] == ["/page5"]


@pytest.mark.parametrize("form", ["csv", "marshal"])
def test_other_formats_refuse_in_one_line(crawls: Crawls, form: str) -> None:
    feed = {"format": form, "item_export_kwargs": {"changes": True}}
    found = crawls.crawl(FEEDS={"feed.csv": feed})
    (line,) = [each for each in found.log.splitlines() if "changes" in each]
    assert f"has no changes in the format '{form}'" in line
    feed["format"] = "passages"
    found = crawls.crawl(FEEDS={"feed.csv": feed}, MAINPAGE_STATE=None)
    assert "needs MAINPAGE_STATE" in found.log
