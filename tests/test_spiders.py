"""The spider by type: which pages it follows, what it yields, where it ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from scrapy_mainpage import Page, extract
from scrapy_mainpage.page import Metadata
from scrapy_mainpage.records import Entry, Pagination
from scrapy_mainpage.spiders import (
    MAX_STALE,
    MainpageSpider,
    clean_link,
    is_category,
    lists_pages,
    page_key,
)
from tests.crawling import crawl
from tests.fakepages import ENTRIES, POSTS, PRODUCT, page_with
from tests.mockserver import Answer, article, html, serve

TEXT = "The oven of our bakery was built before the war, and it still works. " * 9
COUNT = 18
PER_PAGE = 6
NAV = "<nav class=menu><a href=/>Home</a> <a href=/kettles>Kettles</a></nav>"
FACETS = "".join(
    f'<li><a href="/kettles?{name}={value}">{name} {value}</a></li>'
    for name in ("sort", "color", "fuel")
    for value in range(40)
)


def card(number: int) -> str:
    return (
        f"<li class=card><h3><a href='/item/{number}?utm_source=list'>Kettle number "
        f"{number}</a></h3><p>Boils water in {number} minutes, on any stove.</p></li>"
    )


def listing(number: int) -> Answer:
    first = (number - 1) * PER_PAGE + 1
    cards = "".join(map(card, range(first, first + PER_PAGE)))
    # Behind the last page are more of them, with the cards of the first.
    pager = f"<div class=pagination><a href='?page={number + 1}'>Next</a></div>"
    return html(
        f"<html lang=en><title>Kettles</title><body>{NAV}<aside class=sidebar>"
        f"<ul>{FACETS}</ul></aside><h1>Kettles</h1><ul class=cards>{cards}</ul>{pager}"
    )


def shop() -> dict[str, Answer]:
    pages: dict[str, Answer] = {"/": html(f"<title>Home</title>{NAV}<h1>Welcome</h1>")}
    for number in range(1, COUNT + 1):
        pages[f"/item/{number}"] = html(
            f"<link rel=canonical href='/item/{number}'>"
            + article(f"kettle {number}", links="<a href=/item/1?ref=x>First</a>")
        )
    for query in ("", *(f"?{n}={v}" for n in ("color", "fuel") for v in range(40))):
        pages[f"/kettles{query}"] = listing(1)
    for number in range(2, 40):
        shown = number if number <= COUNT // PER_PAGE else 1
        pages[f"/kettles?page={number}"] = listing(shown)
    return pages


class KettleSpider(MainpageSpider):
    name = "kettles"

    def make_items(self, page: Page) -> Iterable[Any]:
        is_item = urlsplit(page.url or "").path.startswith("/item/")
        return [{"url": page.url, "title": page.title}] if is_item else []


@pytest.fixture(scope="module")
def url() -> Any:
    with serve(shop()) as site:
        yield site.url.rstrip("/")


def run(url: str, **arguments: Any) -> Any:
    return crawl(f"{__name__}.KettleSpider", start=f"{url}/", **arguments)


def test_all_products_are_found_once_without_following_filters_for_ever(
    url: str,
) -> None:
    done = run(url)
    titles = sorted(item["title"] for item in done.items)
    assert titles == sorted(f"All about kettle {n}" for n in range(1, COUNT + 1))
    assert done.stats["finish_reason"] == "finished"
    assert "log_count/ERROR" not in done.stats
    # Forty values of an unknown filter show the same six cards each.
    assert done.stats["downloader/request_count"] < COUNT + 80


def test_limits_end_the_crawl(url: str) -> None:
    done = run(url, max_items="5")
    assert (len(done.items), done.stats["finish_reason"]) == (5, "max_items")
    done = run(url, max_pages="4")
    assert done.stats["finish_reason"] == "max_pages"
    assert len(done.items) <= 4


def test_clicks_are_limited_but_not_those_to_the_next_page(url: str) -> None:
    assert len(run(url, max_depth="2").items) == COUNT
    assert run(url, max_depth="1").items == []


def made(page: Page, item_type: str) -> list[Any]:
    return [*MainpageSpider(item_type=item_type).make_items(page)]


def test_each_type_has_its_items() -> None:
    (item,) = made(page_with(product=PRODUCT), "product")
    assert (item["url"], item["price"]) == ("https://shop.example/kettle", "41.00")
    assert made(page_with(entries=ENTRIES), "product") == []
    (item,) = made(page_with(posts=POSTS, type="forum"), "forum")
    assert item["posts"][0]["author"] == "jonna"
    assert made(page_with("A chair.", posts=POSTS, type="article"), "forum") == []
    home = replace(page_with(posts=POSTS, type="forum"), url="https://a.example/")
    assert made(home, "forum") == []
    (item,) = made(page_with(type="article"), "article")
    assert item["text"] == "It stops."
    assert made(page_with(type="service"), "article") == []
    assert len(made(page_with(type="service"), "page")) == 1


def test_a_page_of_a_tag_with_one_teaser_is_no_article() -> None:
    main = f"<h1>One post on ovens</h1><h2>An old oven</h2><p>{TEXT}</p>"
    teaser = main.replace("An old oven", "<a href=/posts/7>An old oven</a>")
    pages = [extract(each, url="https://a.example/ovens") for each in (main, teaser)]
    assert [lists_pages(page) for page in pages] == [False, True]
    whole = "".join(
        f"<article><h2><a href=/posts/{k}>Oven {k}</a></h2><p>{TEXT}</p>"
        f"<h2>Parts of oven {k}</h2><p>{TEXT}{TEXT}</p></article>"
        for k in range(3)
    )
    pager = "<a href=/page/2>Next page</a>"
    assert lists_pages(extract(whole + pager, url="https://a.example/page/1"))


def test_an_unknown_type_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"did you mean 'product'.*article, forum"):
        MainpageSpider(item_type="produkt")


def test_the_hosts_are_those_of_the_start_urls() -> None:
    spider = MainpageSpider(start="https://www.a.example/x http://b.example:8000/")
    assert spider.allowed_domains == ["a.example", "b.example"]
    assert spider.start_urls == ["https://www.a.example/x", "http://b.example:8000/"]


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://a.example/x?b=2&a=1#top", "https://a.example/x?a=1&b=2"),
        ("https://a.example/x?PHPSESSID=7", "https://a.example/x"),
        ("mailto:a@a.example", None),
        ("https://a.example:port/", None),
        ("https://a.example/a/b/a/b/a/b/a/b", None),
    ],
)
def test_links_are_followed_without_what_does_not_count(
    url: str, clean: str | None
) -> None:
    assert clean_link(url) == clean


def test_routes_are_other_pages_where_the_setting_says_so() -> None:
    url = "https://a.example/#/b"
    assert clean_link(url) == "https://a.example/"
    assert clean_link(url, routes=True) == url
    login = "https://a.example/#/login"
    assert is_category(login)
    assert not is_category(login, routes=True)


def test_entries_with_routes_are_nothing_new_to_a_crawl_without_the_setting() -> None:
    spider = MainpageSpider(start="https://a.example/")
    spider._known("entries").add("https://a.example/")
    listing = page_with(entries=(Entry("B", "https://a.example/#/b"),))
    assert not [*spider._find_steps(listing, depth=0, stale=MAX_STALE - 1)]


@pytest.mark.parametrize(
    "path",
    [
        "/cart",
        "/login.php",
        "/lamp_7/reviews/add/",
        "/t?p=84#post84",
        "/t/5/84#84",
        "/a?sort=price",
        "/a?filter[fuel]=gas",
        "/a?add-to-cart=1",
    ],
)
def test_links_that_sort_filter_or_do_something_are_not_followed(path: str) -> None:
    assert not is_category(f"https://a.example{path}")
    assert is_category("https://a.example/cartoons?id=7")
    assert is_category("https://a.example/addons/7#top2")
    assert not is_category("https://a.example/lamps", "nofollow")


def test_a_page_of_a_thread_is_an_item_once_at_the_addresses_of_its_posts() -> None:
    spider = MainpageSpider(item_type="forum")
    first, again, later = (
        page_with(url=f"https://forum.example/t/5{query}", posts=posts, type="forum")
        for query, posts in (("", POSTS), ("?p=8", POSTS), ("?page=2", POSTS[1:]))
    )
    assert [spider._is_new(page) for page in (first, again, later)] == [
        True, False, True,
    ]  # fmt: skip


def test_a_later_page_of_a_thread_is_another_page_than_its_canonical_one() -> None:
    declared = Metadata(title="A title", canonical_url="https://shop.example/thread")
    later = Pagination(previous_page="https://shop.example/thread")
    first, copy, second = (
        page_with(metadata=declared, pagination=pagination)
        for pagination in (Pagination(), Pagination(next_page="/x"), later)
    )
    assert page_key(first) == page_key(copy) != page_key(second)
