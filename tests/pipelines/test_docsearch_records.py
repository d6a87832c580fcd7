"""Records of pages, against those of the crawler of DocSearch.

Pages of the structures of its own tests (headings alone, in wrappers, with
links in them, and the four places of anchors), with more words, as ours are extracted.
Its selectors there: ``lvl0`` for ``h1``, ``lvl1`` for ``h2``, ``lvl2`` for ``h3``. Ours
begin with the site, so each level is one lower.
"""

from __future__ import annotations

import pytest

import scrapy_mainpage
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.search_records import DOCSEARCH, records_of
from scrapy_mainpage.pipelines.index_documents import DocumentMaker

URL = "https://docs.example/guide"
FIRST = "<p>The first paragraph says what the tool is for and who may use it.</p>"
SECOND = "<p>The second paragraph shows how it is installed on a machine at home.</p>"
THIRD = "<p>The third paragraph has the settings that most people change first.</p>"


def records(html: str) -> list[tuple[str, str | None, list[str], str | None]]:
    """Type, beginning of the content, names without the site, and anchor of each."""
    page = scrapy_mainpage.extract(f"<title>Foo</title><body>{html}</body>", url=URL)
    made = DocumentMaker().make({"url": URL}, page)
    assert isinstance(made, IndexDocument)
    found = []
    for each in records_of(made, DOCSEARCH):
        names = [name for name in each["hierarchy"].values() if name is not None]
        content = each["content"] and each["content"].split()[1]
        found.append((each["type"], content, names[1:], each["anchor"]))
    return found


def test_wrappers_change_nothing() -> None:
    html = (
        f"<div><div><h1>Foo</h1>{FIRST}</div></div><div><div><div><h2>Bar</h2>{SECOND}"
        f"</div></div><div>{THIRD}<div><h3>Baz</h3></div></div></div>"
    )
    shown = [(kind, names) for kind, _, names, _ in records(html)]
    assert shown == [
        ("lvl1", ["Foo"]),
        ("content", ["Foo"]),
        ("lvl2", ["Foo", "Bar"]),
        ("content", ["Foo", "Bar"]),
        ("content", ["Foo", "Bar"]),
        ("lvl3", ["Foo", "Bar", "Baz"]),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "<h2 id=bar>Bar</h2>",
        "<h2><a href=# name=bar>Bar</a><span></span></h2>",
        "<a id=bar></a><div><div><h2>Bar</h2></div></div>",
        "<section id=bar><h2>Bar<a href=#bar>¶</a></h2>",
    ],
)
def test_anchors_are_found(heading: str) -> None:
    found = records(f"<h1>Foo</h1>{FIRST}{heading}{SECOND}")
    assert found[2] == ("lvl2", None, ["Foo", "Bar"], "bar")
    assert found[3] == ("content", "second", ["Foo", "Bar"], "bar")
