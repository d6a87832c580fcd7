"""Items of zyte-common-items: which one a page is, and the fields of each."""

from __future__ import annotations

from typing import Any

import pytest
from zyte_common_items import SearchRequestTemplate

from scrapy_mainpage import extract
from scrapy_mainpage.common_items import _MAKERS
from scrapy_mainpage.records import Job, Pagination, Place, SearchForm
from tests.fakepages import ENTRIES, POSTS, PRODUCT, TEASERS, URL, page_with

FORM = SearchForm("https://shop.example/s?a=1", "q", "POST", (("in", "{all}"),))


@pytest.mark.parametrize(
    ("records", "name"),
    [
        ({}, "Article"),
        ({"type": "listing"}, "Article"),
        ({"product": PRODUCT}, "Product"),
        ({"type": "product"}, "Product"),
        ({"entries": ENTRIES}, "ProductList"),
        ({"entries": TEASERS}, "ArticleList"),
        ({"entries": (*TEASERS * 3, ENTRIES[0]), "type": "listing"}, "ArticleList"),
        ({"entries": (*TEASERS * 3, ENTRIES[0]), "type": "collection"}, "ProductList"),
        ({"posts": POSTS, "type": "forum"}, "ForumThread"),
        ({"posts": POSTS}, "ForumThread"),
        ({"posts": POSTS, "text": "The comments are below."}, "Article"),
        ({"posts": POSTS, "type": "article"}, "ForumThread"),
        ({"posts": POSTS, "type": "documentation"}, "Article"),
        ({"job": Job(title="Smith"), "entries": TEASERS}, "JobPosting"),
        ({"place": Place(name="Inn")}, "BusinessPlace"),
        ({"search_form": FORM}, "Article"),
    ],
)
def test_a_page_is_the_item_that_it_has_the_records_of(
    records: dict[str, Any], name: str
) -> None:
    assert type(page_with(**records).to_item()).__name__ == name


def test_a_product_has_the_fields_of_its_record() -> None:
    page = page_with(product=PRODUCT, types={"product": 0.9})
    item = page.to_item()
    assert (item.url, item.name, item.brand.name) == (URL, "Kettle", "Chandler")
    assert (item.price, item.regularPrice, item.currency) == ("41.00", "48.00", "EUR")
    assert [(g.type, g.value) for g in item.gtin] == [("isbn13", "9783161484100")]
    assert (item.sku, item.availability) == ("CD-0874", "OutOfStock")
    assert item.aggregateRating.reviewCount == 27
    assert item.additionalProperties[0].value == "1.25 kg"
    assert item.mainImage.url == item.images[0].url == PRODUCT.images[0]
    assert (item.features, item.breadcrumbs[0].name) == (["Whistles"], "Galley")
    assert (item.variants[0].sku, item.variants[0].availability) == (
        "CD-0875",
        "InStock",
    )
    assert item.metadata.probability == 0.9


def test_a_list_of_products_has_its_next_page() -> None:
    following = Pagination(next_page="https://shop.example/?page=2")
    item = page_with(entries=ENTRIES, pagination=following).to_item()
    assert [(p.name, p.price) for p in item.products] == [
        ("Kettle", "41.00"),
        ("Mug", "5.00"),
    ]
    assert item.paginationNext.url == "https://shop.example/?page=2"
    assert item.categoryName == "A title"


def test_a_list_of_articles_has_dates_with_a_zone() -> None:
    (found,) = page_with(entries=TEASERS).to_item().articles
    assert (found.headline, found.articleBody) == ("Glue", "Holds.")
    assert found.datePublished == "2026-05-02T08:30:00Z"


def test_a_thread_has_its_posts_each_with_an_address() -> None:
    item = page_with(posts=POSTS).to_item()
    assert item.topic.name == "A title"
    assert [post.url for post in item.posts] == [f"{URL}#p1", URL]
    assert [post.datePublished for post in item.posts] == ["2026-09-12T18:04:00Z", None]


def test_a_job_has_its_salary_and_its_place() -> None:
    job = Job("Smith", "Forge", "Ayr", True, "2026-05-02", salary_min="2000")
    item = page_with(job=job).to_item()
    assert (item.jobTitle, item.hiringOrganization.name) == ("Smith", "Forge")
    assert (item.jobLocation.raw, item.remoteStatus) == ("Ayr", "remote")
    assert item.datePublished == "2026-05-02T00:00:00Z"
    assert item.baseSalary.valueMin == "2000"


def test_a_place_has_its_address_and_opening_hours() -> None:
    hours = ("Sa-Mo 09:00-17:00", "by appointment")
    item = page_with(place=Place("Inn", "Quay 1", opening_hours=hours)).to_item()
    assert [each.rawOpens for each in item.openingHours] == [*hours]
    assert item.address.addressRaw == "Quay 1"


def test_a_search_is_a_request_of_the_form() -> None:
    template = page_with(search_form=FORM).to_item("SearchRequestTemplate")
    assert isinstance(template, SearchRequestTemplate)
    request = template.request(query="hide glue")
    assert (request.url, request.method) == (FORM.url, "POST")
    assert template.body == "in=%7Ball%7D&q={{ query|quote_plus }}"


def test_a_search_by_get_is_in_the_address() -> None:
    html = "<form role=search action='/find?x=1'><input name=q></form><p>Glue."
    template = extract(html, url=URL).to_item("SearchRequestTemplate")
    found = template.request(query="hide & glue").url
    assert found == "https://shop.example/find?q=hide+%26+glue"


@pytest.mark.parametrize("name", sorted(_MAKERS))
def test_a_page_is_none_of_the_items_but_an_article(name: str) -> None:
    item = page_with().to_item(name)
    assert (item is not None) == (name == "Article")


def test_an_unknown_item_is_an_error_with_the_known_names() -> None:
    with pytest.raises(ValueError, match=r"unknown item 'Recipe'.*ProductList"):
        page_with().to_item("Recipe")
