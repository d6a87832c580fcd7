"""Regions by the names of classes and ids."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.labels import Region
from scrapy_mainpage.extraction.labels.names import classify, read_names
from tests.extraction.helpers import document_of


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("comment-list", Region.COMMENTS),
        ("siteFooter", Region.FOOTER),
        ("NavBar", Region.NAVIGATION),
        ("nav1bar", Region.NAVIGATION),
        ("sp_Dsgvo", Region.CONSENT),
        ("facebook", Region.SHARE),
        ("facebook-river-story", Region.NONE),
        ("комментарии-comments", Region.COMMENTS),
        ("xAdQ", Region.NONE),
        ("", Region.NONE),
    ],
)
def test_names_stand_for_regions(name: str, region: Region) -> None:
    found = classify(name.encode())
    assert found & region.bit if region else found == 0


def bits_of(attributes: str) -> int:
    document = document_of(f"<div {attributes}>Wooden</div>")
    return int(document.once(read_names)[-1])


def test_only_the_ends_of_a_long_id_count() -> None:
    assert bits_of("id=how-to-write-comments-that-help") == 0
    assert bits_of("class=how-to-write-comments-that-help") == Region.COMMENTS.bit


@pytest.mark.parametrize(
    ("attributes", "region"),
    [
        ("role=banner", Region.HEADER),
        ("rel='nofollow NEXT'", Region.PAGINATION),
        ("rel=bookmark", Region.NONE),
        ("itemprop=datePublished", Region.BYLINE),
        ("itemtype='https://schema.org/WPFooter'", Region.FOOTER),
        ("aria-label='Main navigation'", Region.NAVIGATION),
    ],
)
def test_other_attributes_stand_for_regions(attributes: str, region: Region) -> None:
    assert bits_of(attributes) == region.bit
