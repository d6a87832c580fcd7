"""Plain text: the separators between blocks."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.output.text import write_text
from tests.extraction.helpers import document_of


def text_of(html: str) -> str:
    document = document_of(html)
    return write_text(document, np.ones(document.n_blocks, bool))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>Title</h1><p>One\n  two</p><p>Three</p>", "Title\n\nOne two\n\nThree"),
        ("<p>Before</p><ul><li>a<li>b</ul><p>x</p>", "Before\n\na\nb\n\nx"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "a\nb\nc\nd"),
        ("<ul><li>a</ul><ul><li>b</ul>", "a\n\nb"),
        ("<ul><li><h2>A</h2><p>a</p><li><h2>B</h2><p>b</p></ul>", "A\n\na\n\nB\n\nb"),
        ("<dl><dt>Name<dd>Meaning</dl>", "Name\nMeaning"),
        ("<table><thead><tr><th>A<th>B<tbody><tr><td>1<td>2</table>", "A\tB\n1\t2"),
        ("<table><tr><td>1</table><table><tr><td>2</table>", "1\n\n2"),
        ("<table><tr><td><p>a</p><p>b</p><td><p>c</p></table>", "a\n\nb\n\nc"),
        ("<pre>def f():\n\n    return 1\n</pre>", "def f():\n\n    return 1"),
        ("<p>one<br>two</p>", "one\ntwo"),
        ("<p>a &amp; b &lt;c&gt;</p>", "a & b <c>"),
        ("", ""),
    ],
)
def test_text_is_laid_out_as_the_page_reads(html: str, expected: str):
    assert text_of(html) == expected


def test_only_chosen_blocks_are_written():
    document = document_of("<p>a</p><p>b</p><ul><li>c<li>d<li>e</ul>")
    mask = np.array([True, False, True, False, True])
    assert write_text(document, mask) == "a\n\nc\ne"


def test_characters_beyond_ascii_come_through():
    assert text_of("<p>中文 — العربية 🙂 é</p>") == "中文 — العربية 🙂 é"


def test_lists_nested_deeper_than_any_page_end_soon():
    html = "<ul><li>x" * 400 + "</ul>" * 400
    assert text_of(html).split("\n") == ["x"] * 400
