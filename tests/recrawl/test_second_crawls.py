"""A second crawl finds what is new, changed, unchanged and gone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from tests.mockserver import Reply, article, html

from .site import Crawls


class FollowingSpider(CrawlSpider):
    """Its start page is also linked, with another callback."""

    name = "following"
    allowed_domains = ("127.0.0.1",)
    rules = (Rule(LinkExtractor(), callback="parse_item", follow=True),)

    def __init__(self, url: str):
        super().__init__(start_urls=[f"{url}/"])

    def parse_item(self, response: Any) -> Any:
        yield {"url": response.url}


def outcomes(found: Any) -> dict[str, int]:
    prefix = "mainpage/state/"
    return {
        name.removeprefix(prefix): number
        for name, number in found.stats.items()
        if name.startswith(prefix)
    }


def test_an_unchanged_site_is_asked_with_conditions_and_nothing_is_written(
    crawls: Crawls,
) -> None:
    crawls.site.untagged = {"/", "/page7"}
    first = crawls.crawl()
    assert outcomes(first) == {"new": 13}, first.log
    assert first.stat("mainpage/index/put") == 12
    second = crawls.crawl()
    whole = {path for path, status in crawls.site.asked if status != 304}
    assert whole == crawls.site.untagged
    assert len(crawls.site.asked) == 13
    assert outcomes(second) == {"unchanged": 13, "same_bytes": 2}
    assert second.stat("mainpage/index/put") == 0
    assert second.stat("mainpage/extracted") == 0
    assert len(crawls.indexed()) == 12


def test_only_a_changed_page_is_written(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.site.topics["/page3"] = "lighthouses"
    found = crawls.crawl()
    assert outcomes(found) == {"changed": 1, "unchanged": 12}, found.log
    assert found.stat("mainpage/index/put") == 1
    assert crawls.search("lighthouses") == ["/page3"]


def test_a_change_of_the_shell_writes_nothing(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.site.heads["/page3"] = "<style>nav {color: red}</style>"
    found = crawls.crawl()
    assert crawls.site.statuses("/page3") == [200]
    assert outcomes(found) == {"unchanged": 13}
    assert found.stat("mainpage/index/put") == 0
    assert found.stat("mainpage/index/unchanged") == 1


def test_a_page_that_nothing_links_to_stays_as_long_as_it_answers(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    site = crawls.site
    site.unlinked |= {"/page2", "/page3", "/page4", "/deep"}
    # One with a link that is too deep where nothing leads to the page.
    site.topics["/deep"] = "deep places"
    link = "<p><a href='/deep'>Deep places</a></p>"
    site.replies["/page4"] = html(article("lighthouses", main=link))
    # One that steps back for an address which leads to it.
    site.heads["/page3"] = '<link rel="canonical" href="/alias">'
    site.replies["/alias"] = Reply(status=302, headers={"Location": "/page3"})
    found = crawls.crawl(DEPTH_LIMIT=1)
    assert site.statuses("/page2") == [304]
    assert {"/page2", "/page3", "/page4"} < set(crawls.indexed()), found.log
    assert "/deep" not in crawls.indexed()
    assert found.stat("mainpage/state/asked_again") == 3


def test_a_moved_page_has_one_address(crawls: Crawls) -> None:
    crawls.crawl()
    site = crawls.site
    site.topics["/moved"] = site.topics["/page1"]
    site.unlinked |= {"/moved", "/page2"}
    site.replies["/page1"] = Reply(status=301, headers={"Location": "/moved"})
    site.replies["/page2"] = Reply(status=302, headers={"Location": "/page3"})
    found = crawls.crawl()
    assert "/page1" not in crawls.indexed(), found.log
    assert "/moved" in crawls.indexed()
    assert "/page2" in crawls.indexed()  # a redirect for now
    assert outcomes(crawls.crawl())["unchanged"] >= 11


def test_pages_that_fail_stay_for_three_runs(crawls: Crawls) -> None:
    crawls.crawl()
    failing = [(f"/page{n}", status) for n, status in enumerate((500, 503, 403, 429))]
    for number in range(1, 5):
        crawls.site.replies = {path: Reply(status=code) for path, code in failing}
        crawls.site.replies["/page6"] = Reply(status=302, headers={"Location": "/"})
        if number != 3:  # a page that comes back begins anew
            crawls.site.replies["/page5"] = Reply(status=503)
        found = crawls.crawl()
        assert len(crawls.indexed()) == (7 if number > 3 else 12), found.log
    assert "/page5" in crawls.indexed()


NO_PAGES = [
    "",
    "<title>404 Not Found</title><h1>Page not found</h1><p>Sorry.</p>",
    "<title>Shop</title><p>We’ll be back soon!</p>",
    "<title>Just a moment...</title><p>Checking your browser.</p>",
]


def test_what_is_no_page_is_no_document_and_replaces_none_for_three_runs(
    crawls: Crawls,
) -> None:
    new = {f"/new{n}": html(f"<html>{body}") for n, body in enumerate(NO_PAGES)}
    crawls.site.topics |= dict.fromkeys(new, "")
    crawls.site.replies = new
    crawls.crawl()
    assert len(crawls.indexed()) == 12
    crawls.site.replies |= {f"/page{n}": page for n, page in enumerate(new.values())}
    # In a language that nobody has listed: no title and no text of the page is left.
    crawls.site.replies["/page4"] = html("<title>Tauko</title><p>Palaamme pian.")
    for number in range(1, 5):
        found = crawls.crawl()
        assert len(crawls.indexed()) == (7 if number > 3 else 12), found.log


NOINDEX = {"Content-Type": "text/html", "X-Robots-Tag": "noindex"}
META = article("subject number 1").replace(
    "</head>", '<meta name="ROBOTS" content="NOINDEX, follow"></head>'
)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(status=404), "gone"),
        (Reply(status=410), "gone"),
        (html("<title>All about subject number 1</title><p>Soon more."), "dropped"),
        (html(META), "dropped"),
        (Reply(article("subject number 1").encode(), 200, NOINDEX), "dropped"),
    ],
)
def test_a_page_that_is_gone_thin_or_unwanted_leaves_the_index_until_it_is_back(
    crawls: Crawls, reply: Reply, outcome: str
) -> None:
    settings = {"MAINPAGE_FILTER_ENABLED": True}
    crawls.site.topics["/page2"] = "subject number 1"
    crawls.crawl(**settings)
    before = crawls.site.unlinked
    crawls.site.replies = {"/page1": reply, "/page2": reply}
    crawls.site.unlinked = {"/page2"}
    found = crawls.crawl(**settings)
    assert {"/page1", "/page2"}.isdisjoint(crawls.indexed()), found.log
    assert len(crawls.indexed()) == 10
    assert found.stat("mainpage/sweep/deleted") == 2
    assert outcomes(found)[outcome] == 2
    crawls.site.replies, crawls.site.unlinked = {}, before
    crawls.crawl(**settings)
    assert len(crawls.indexed()) == 12


FORBIDDEN = Reply(b"User-agent: *\nDisallow: /page1$\n")


@pytest.mark.parametrize(
    ("path", "reply"),
    [("/page1", Reply()), ("/page1", html("")), ("/robots.txt", FORBIDDEN)],
)
def test_an_empty_answer_or_none_deletes_nothing_at_once(
    crawls: Crawls, path: str, reply: Reply
) -> None:
    crawls.crawl()
    crawls.site.replies[path] = reply
    found = crawls.crawl(ROBOTSTXT_OBEY=True)
    assert "/page1" in crawls.indexed(), found.log
    assert outcomes(found)["failed"] == 1


def test_variants_of_a_page_are_one_document(crawls: Crawls) -> None:
    site = crawls.site
    for path in ("/page1?a=1", "/page1?a=2", "/other?b=1", "/other?b=2"):
        site.topics[path] = f"subject {path[1:6]}"
        site.heads[path] = f'<link rel="canonical" href="{path.partition("?")[0]}">'
    site.topics["/page1"] = "subject page1"
    crawls.crawl()
    # No page is at the other address: its variants keep their own.
    pages = [f"/page{n}" for n in range(12)]
    assert crawls.indexed() == sorted([*pages, "/other?b=1", "/other?b=2"])
    site.topics["/other"] = "subject other"
    for path in ("/other?b=1", "/other?b=2"):
        site.topics[path] += " again"
    crawls.crawl()
    assert crawls.indexed() == sorted([*pages, "/other"])
    found = crawls.crawl()
    assert found.stat("mainpage/index/put") == 0, found.log
    assert crawls.indexed() == sorted([*pages, "/other"])


def test_a_page_that_gets_another_canonical_address_leaves_the_index(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    crawls.site.heads["/page1"] = '<link rel="canonical" href="/page2">'
    crawls.crawl()
    assert "/page1" not in crawls.indexed()
    assert "/page2" in crawls.indexed()
    # The page is needed again as soon as the other one is gone.
    crawls.site.replies["/page2"] = Reply(status=404)
    found = crawls.crawl()
    assert "/page1" in crawls.indexed(), found.log
    assert "/page2" not in crawls.indexed()
    # And leaves when it is back.
    del crawls.site.replies["/page2"]
    found = crawls.crawl()
    assert "/page1" not in crawls.indexed(), found.log
    assert "/page2" in crawls.indexed()


def test_pages_that_name_one_another_are_one_document(crawls: Crawls) -> None:
    site = crawls.site
    chain, loop = [f"/chain{n}" for n in range(10)], ["/page1", "/page2", "/page3"]
    for paths in (chain, [*loop, loop[0]]):
        for path, other in pairwise(paths):
            site.heads[path] = f'<link rel="canonical" href="{other}">'
    site.topics |= dict.fromkeys(chain, "chained pages")
    site.unlinked = set(chain[1:])
    site.heads["/page4"] = '<link rel="canonical" href="/nowhere">'
    others = {f"/page{n}" for n in range(12)}.difference(loop)
    crawls.crawl(MAINPAGE_SWEEP="off")
    first = set(crawls.indexed())
    assert first - {*loop} == {*others, "/chain9"}
    assert len(first & {*loop}) == 1
    found = crawls.crawl()
    assert set(crawls.indexed()) == first, found.log


def test_a_change_of_the_configuration_makes_all_pages_new(crawls: Crawls) -> None:
    crawls.crawl()
    feed = str(crawls.folder / "all.jsonl")
    feeds = {feed: {"format": "jsonlines", "overwrite": True}}
    found = crawls.crawl(MAINPAGE_INDEX_PASSAGE_WORDS=80, FEEDS=feeds)
    assert f"without the pages that have not changed: {feed}" in found.log
    assert "Settings of documents have changed: all 12 are made anew" in found.log
    assert {status for path, status in crawls.site.asked if "page" in path} == {200}
    assert found.stat("mainpage/index/put") == 12, found.log


def test_pages_are_left_out_until_their_visit_is_due(crawls: Crawls) -> None:
    settings = {"MAINPAGE_REVISIT": (3600, 86400)}
    crawls.crawl(**settings)
    found = crawls.crawl(**settings)
    assert [path for path, _ in crawls.site.asked if "page" in path] == []
    assert found.stat("mainpage/state/not_due") == 13, found.log
    assert len(crawls.indexed()) == 12


def test_a_variant_stays_away_while_its_page_is_redirected_for_now(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    crawls.site.heads["/page1"] = '<link rel="canonical" href="/page2">'
    crawls.crawl()
    login = {"Location": "/page3"}
    crawls.site.replies["/page2"] = Reply(status=302, headers=login)
    found = crawls.crawl()
    assert "/page1" not in crawls.indexed(), found.log
    assert "/page2" in crawls.indexed()


def test_a_start_page_that_is_linked_with_another_callback_is_kept_true(
    crawls: Crawls,
) -> None:
    site = crawls.site
    site.topics = {"/page1": "harbours", "/page2": "glue"}
    site.untagged = {"/", "/page1", "/page2"}
    back = "<p><a href='/'>home</a></p>"
    site.replies["/page1"] = html(article("harbours", main=back))
    for topic in ("whales", "lighthouses", "lighthouses"):
        links = "<p><a href='/page1'>one</a> <a href='/page2'>two</a></p>"
        site.replies["/"] = html(article(topic, main=links))
        found = crawls.crawl(FollowingSpider)
        assert crawls.indexed() == ["/", "/page1", "/page2"], found.log
        assert crawls.search(topic) == ["/"], found.log
    assert found.stat("mainpage/state/same_bytes") == 2
