"""Regions by the names of classes and ids."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES
from scrapy_mainpage.extraction.labels import Region
from scrapy_mainpage.extraction.labels.names import classify


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
    found = classify(ATTRIBUTE_CODES["class"], name.encode())
    assert found & region.bit if region else found == 0


def test_only_the_ends_of_a_long_id_count() -> None:
    name = b"how-to-write-comments-that-help"
    assert classify(ATTRIBUTE_CODES["id"], name) == 0
    assert classify(ATTRIBUTE_CODES["class"], name) & Region.COMMENTS.bit
