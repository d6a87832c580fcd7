"""Features of pages made to break a reader: sizes and depths that no page needs."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_mainpage.extraction.document.document import read_tree
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import (
    compute_features,
    features_of,
    values,
)
from tests.extraction.learned.features.test_features_generated import assert_sound

MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "page",
    [
        "<html></html>",
        "<title></title>",
        "<frameset><frame></frameset>",
        "<body></body>",
        "<p></p><p> </p>",
        "<img>",
        "<script>a</script>",
        "<p>a",
        "<title></title><p>a",
        "<title> </title><p>*",
        "<div>a" * 2_000,
        "<p>a" * 100_000,
        "<p>a</p>" * 100 + f"<p>{'word ' * MEGABYTE}</p>",
        f"<p>{'你好。' * 500_000}",
        f"<p>{'.' * 5 * MEGABYTE}",
        f"<p>a{')' * 5 * MEGABYTE}",
        f"<title>{'x ' * 2_500_000}</title><p>x y",
        f"<title>{'og:type ' * 600_000}</title><p>a",
        f"<script type=application/ld+json>{'@type: ' * 600_000}</script><p>a",
        f"<meta name=og:type content={'x' * 5 * MEGABYTE}><p>a",
        f"<meta name=oh:type content=article>{'<meta name=og-type>' * 100_000}<p>a",
        "".join(f"<p class='t{k} u{k}' id=v{k} role=w{k}>a" for k in range(2_000)),
        f"<p class='{' '.join(f't{k}' for k in range(1_500))}'>a" * 20,
    ],
    ids=lambda page: page[:30],
)
def test_pages_that_no_one_needs(page: str) -> None:
    assert_sound(document_of(page))


def test_a_depth_of_10_000() -> None:
    node = root = etree.Element("div")
    for _ in range(10_000):
        node.text = "a"
        node = etree.SubElement(node, "div")
    document = read_tree(root)
    assert_sound(document)
    columns = compute_features(document)
    assert values(columns, "up6_blocks")[-1] == 7
    assert values(columns, "up0_words")[0] == 10_000


def test_far_blocks_see_the_whole_page() -> None:
    columns = features_of("<p>a" * 100_000)
    assert values(columns, "up1_blocks")[-1] == 100_000
    assert values(columns, "path_count")[0] == 100_000
    assert values(columns, "same_text")[0] == 100_000
    assert values(columns, "rank")[-1] == 99_999
