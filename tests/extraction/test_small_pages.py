"""Pages of a few words: what they say is their main content."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract

FRAME = """<!doctype html><html lang="en"><title>{0} - Ferry Office</title><body>
<div id="top"><a href="/" class="brand">Ferry Office</a><ul id="menu">
<li><a href="/timetable">Timetable</a></li><li><a href="/fares">Fares</a></li>
<li><a href="/news">News</a></li></ul></div><div id="content"><h1>{0}</h1>{1}</div>
<div id="foot">Ferry Office, Pier 2 | <a href="/imprint">Imprint</a></div></body>"""
BODIES = {
    "Notice": "<p>No sailings on Sunday.</p>",
    "Licence": "<p>MIT.</p>",
    "Contact": "<p>Tel. 01632 960123</p>",
    "Tickets": "<p>Sold at the pier.</p><button>Buy now</button>",
    "How to board": "<ol><li>Buy a ticket</li><li>Walk to the pier</li></ol>",
    "Fares": "<table><tr><td>Adult</td><td>3.20</td></tr></table>",
}


@pytest.mark.parametrize(("title", "body"), BODIES.items())
def test_a_short_page_in_a_frame_has_its_text_and_not_the_frames(
    title: str, body: str
) -> None:
    text = extract(FRAME.format(title, body)).text
    for wanted in extract(body, algorithm="danag").text.split():
        assert wanted in text
    assert "Timetable" not in text


@pytest.mark.parametrize(
    "html",
    [
        "hello world",
        "<p>hello world</p>",
        "<div><div>One line of text in a box.</div></div>",
        "<blockquote>Time and tide wait for no man.</blockquote>",
        "<pre>for i in range(3):\n    print(i)</pre>",
        "<article><p>Rain.</p></article>",
        "<h1>Only a heading here</h1>",
        '<html lang="zh"><title>通知</title><p>今天停航。</p>',
        '<html lang="ar" dir="rtl"><h1>إعلان</h1><p>لا توجد رحلات اليوم.</p>',
    ],
)
def test_a_bare_text_is_its_own_main_content(html: str) -> None:
    page = extract(html)
    assert page.words == page.words_total > 0
    assert "no_main_content" not in page.warnings
