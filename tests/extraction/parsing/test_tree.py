"""The tree of a page as browsers read it, also behind an early ``</html>``."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.parsing.tree import parse_html

END = "</body></html>"


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        (f"<p>a</p>{END}b", ["a", "b"]),
        (f"<p>a</p>{END}b{END}c", ["a", "bc"]),
        (f"<p>a</p>{END}b<p>c</p>{END}d<p>e", ["a", "b", "c", "d", "e"]),
        (f"<p>a</p>{END}<p>b</p>", ["a", "b"]),
        (f"<p>a</p>{f'{END}b ' * 50}", ["a", *"b" * 50]),
        (f"{END}a{END}b", ["a", "b"]),
    ],
)
def test_text_behind_the_end_of_the_page(html: str, texts: list[str]) -> None:
    root = parse_html(html)
    assert " ".join(" ".join(root.itertext()).split()) == " ".join(texts)
    assert [p.text for p in root.iter("p") if p.text] == [
        text for text in texts if f"<p>{text}" in html
    ]


def test_comments_are_not_kept() -> None:
    root = parse_html("<!--a--><p>b<!--c-->d</p><!--e-->")
    assert [each.tag for each in root.iter()] == ["html", "body", "p"]
    assert root.findtext("body/p") == "bd"
