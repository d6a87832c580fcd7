"""Lines of the frame among main content: counts, and code that a page left over."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction._choice_rules import mend_choice
from tests.extraction.helpers import block_texts, document_of, texts_of


def is_kept(line: str, tag: str = "p", below: str = "") -> bool:
    document = document_of(f"<p>{'text ' * 40}</p><{tag}>{line}</{tag}>{below}")
    n = len(block_texts(document))
    found = mend_choice(document, np.ones(n, bool), np.ones(n, np.float32), -1)
    return line in texts_of(document, found)


@pytest.mark.parametrize(
    "line", ["12 Likes", "1,204 views", "Posts: 30", "Beiträge 13", "5 min read"]
)
def test_a_count_is_no_content(line: str) -> None:
    assert not is_kept(line)


@pytest.mark.parametrize(
    "line",
    [
        '[vc_row css="a b"]',
        "[/vc_column_text]",
        '[gallery ids="1,2"] [/gallery]',
        '[form title="' + "word " * 20 + '"]',
    ],
)
def test_a_shortcode_is_no_content(line: str) -> None:
    assert not is_kept(line)
    assert is_kept(line, "pre")


@pytest.mark.parametrize(
    "line",
    [
        *("12 apples", "likes", "12", "12 posts of oak", "3 km"),
        *("[see the note]", "[1]", "[array length=n_items][out]", "[vc_row] and text"),
        *("[/b", "/b]", "[[/b]]", "[]"),
    ],
)
def test_other_lines_with_numbers_or_brackets_stay(line: str) -> None:
    assert is_kept(line)


@pytest.mark.parametrize("tag", ["p", "h2"])
def test_a_heading_of_contents_stays_with_links_only(tag: str) -> None:
    line = "Table of contents"
    assert not is_kept(line, tag)
    assert not is_kept(line, tag, "<p>text and more text</p>")
    assert is_kept(line, tag, "<ul><li><a href=#a>Aims of it</a></ul>")
    assert is_kept("A table of contents of ours", tag)
