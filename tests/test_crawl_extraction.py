"""Whole crawls: the pages that the spider gets, and the statistics."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.crawling import PROCESSES, Crawl, crawl
from tests.mockserver import Reply, Site, article, html, redirect, serve

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4
DEEP = "<div>" * 3000 + "Down here." + "</div>" * 3000


def unavailable_once(count: int) -> Reply:
    if count == 1:
        return html("<p>Come back later.</p>", status=503)
    return html(article("patience"))


PAGES = {
    "/article": html(article("trains")),
    "/moved": redirect("/article"),
    "/again": unavailable_once,
    "/gone": html(article("what is gone"), status=404),
    "/json": html('{"a": 1}', content_type="application/json"),
    "/text": html(article("lies"), content_type="text/plain"),
    "/png": Reply(PNG, headers={"Content-Type": "image/png"}),
    "/lie": Reply(PNG, headers={"Content-Type": "text/html"}),
    "/empty": html(""),
    "/blank": html(" \n "),
    "/deep": html(f"<body>{DEEP}</body>"),
    "/nul": html(article("nothing\0ness")),
    "/latin": Reply(
        article("cafés").encode("latin-1").replace(b"utf-8", b"latin1"),
        headers={"Content-Type": "text/html"},
    ),
    "/wrong": Reply(
        article("cafés").encode("latin-1"),
        headers={"Content-Type": "text/html; charset=utf-8"},
    ),
    "/bogus": html(article("codecs"), content_type="text/html; charset=x-none"),
    "/surrogates": Reply(
        article("halves").encode() + b"<p>\xed\xa0\x80 &#xD800; \xed\xbf\xbf</p>",
        headers={"Content-Type": "text/html"},
    ),
    "/gzip": Reply(
        gzip.compress(article("zips").encode()),
        headers={"Content-Type": "text/html", "Content-Encoding": "gzip"},
    ),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve(PAGES) as site:
        yield site


def crawl_pages(site: Site, *paths: str, **options: object) -> Crawl:
    return crawl("page", urls=[site.url + path for path in paths], **options)


@pytest.mark.parametrize("process", PROCESSES)
def test_every_kind_of_process_crawls_with_the_addon(site: Site, process: str) -> None:
    settings = {"MAINPAGE_ITEM_FIELDS": {"words": "words", "who": "metadata.author"}}
    done = crawl_pages(site, "/article", settings=settings, process=process)
    (item,) = done.items
    assert item["page_text"].startswith("All about trains")
    assert "Contact" not in item["page_text"]
    assert item["words"] > 300
    assert item["who"] is None
    assert done.stat("mainpage/extracted") == 1
    assert done.stat("mainpage/words_kept") == item["words"]
    assert done.stat("mainpage/words_dropped") > 0
    assert done.stat("mainpage/time") > 0
    assert "ERROR" not in done.log


def test_components_work_without_the_addon(site: Site) -> None:
    settings = {
        "ADDONS": {},
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy_mainpage.downloadermiddlewares.ExtractionMiddleware": 545
        },
        "SPIDER_MIDDLEWARES": {
            "scrapy_mainpage.spidermiddlewares.MainPageSpiderMiddleware": 40
        },
        "ITEM_PIPELINES": {
            "scrapy_mainpage.pipelines.boilerplate.BoilerplateFilterPipeline": 200
        },
        "MAINPAGE_ITEM_FIELDS": {"text": "text"},
        "MAINPAGE_FILTER_MIN_WORDS": 100,
    }
    done = crawl_pages(site, "/article", "/deep", settings=settings)
    (item,) = done.items
    assert item["text"] == item["page_text"]
    assert done.stat("item_dropped_reasons_count/TooFewWords") == 1


def test_a_body_that_was_cut_is_read_as_far_as_it_goes() -> None:
    brotli = pytest.importorskip("brotli")
    packing = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress}
    page = article("zips", main="".join(f"<p>Owl {n**9}.</p>" for n in range(999)))
    pages = {}
    for form, pack in packing.items():
        packed = pack(page.encode())
        headers = {"Content-Type": "text/html", "Content-Encoding": form}
        pages[f"/{form}"] = Reply(packed[: len(packed) // 2], headers=headers)
    with serve(pages) as cut:
        done = crawl_pages(cut, *pages)
    for item in done.items:
        assert 1_000 < item["page_text"].count("Owl") * 3 < 2_900
    assert len(done.items) == 3


#: /moved leads to /article.
OF_ONE_CRAWL = PAGES.keys() - {"/article"}


@pytest.fixture(scope="module")
def whole(site: Site) -> Crawl:
    """A crawl of every kind of page."""
    site.requests.clear()
    done = crawl_pages(site, *OF_ONE_CRAWL)
    assert "Traceback" not in done.log
    assert "ERROR" not in done.log
    return done


@pytest.fixture(scope="module")
def items(whole: Crawl, site: Site) -> dict[str, dict[str, Any]]:
    """The items of that crawl by path."""
    return {item["url"][len(site.url) :]: item for item in whole.items}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/article", "All about trains"),
        ("/again", "All about patience"),
        ("/gone", "All about what is gone"),
        ("/nul", "nothing"),
        ("/latin", "cafés"),
        ("/wrong", "caf"),
        ("/bogus", "codecs"),
        ("/surrogates", "halves"),
        ("/gzip", "zips"),
        ("/deep", ""),
    ],
)
def test_every_html_page_has_its_text(
    items: dict[str, dict[str, Any]], path: str, said: str
) -> None:
    assert said in items[path]["page_text"]


def test_each_page_is_extracted_once(whole: Crawl, site: Site) -> None:
    assert site.requests["/again"] == 2
    assert whole.stat("mainpage/extracted") == 10


def test_pages_without_an_extraction_are_counted(whole: Crawl) -> None:
    assert whole.stat("mainpage/skipped/not_html") == 3
    kinds = "json", "text", "image"
    assert [whole.stat(f"mainpage/skipped/{kind}") for kind in kinds] == [1, 1, 2]
    assert "4 responses are not HTML" in whole.log
    assert whole.stat("mainpage/skipped/binary") == 1
    assert whole.stat("mainpage/skipped/empty") == 2


def test_a_second_run_from_the_http_cache_gives_the_same_items(
    site: Site, tmp_path: object
) -> None:
    settings = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path)}
    first = crawl_pages(site, "/article", "/gzip", settings=settings)
    site.requests.clear()
    second = crawl_pages(site, "/article", "/gzip", settings=settings)
    assert second.stat("httpcache/hit") == 2
    assert not site.requests
    key = str
    assert sorted(first.items, key=key) == sorted(second.items, key=key)
    assert second.stat("mainpage/extracted") == 2
