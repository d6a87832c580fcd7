"""Memory of pages: nothing outlives its response or waits for a collection."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from dataclasses import fields
from typing import Any
from weakref import ref

import pytest
from lxml import etree
from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_mainpage import extract, mainpage

URL = "http://a.example/"
STATE = '{"post": {"title": "Owls", "body": "' + "Some owls hunt at noon. " * 9 + '"}}'
SHELL = f"<title>Owls</title><div id=app></div><script>x = {STATE}</script>"
ARTICLE = (
    "<html lang=en><title>Owls</title><nav><a href=/a>Menu</a></nav><article>"
    f"<h1>Owls</h1>{'<p>Some owls hunt at noon, <a href=/b>others</a> never do.' * 20}"
    "<table><tr><td>1<td>2</table></article><div class=comments><p>Ada: Indeed!</div>"
)


@pytest.fixture(autouse=True)
def _without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def elements() -> int:
    """The number of lxml elements in memory."""
    return sum(isinstance(each, etree._Element) for each in gc.get_objects())


@pytest.mark.parametrize("html", [ARTICLE, SHELL], ids=["article", "shell"])
@pytest.mark.parametrize("asked", [False, True])
def test_a_page_and_all_that_was_made_of_it_go_at_once(html: str, asked: bool) -> None:
    before = elements()
    page = extract(html, url=URL)
    assert elements() == before
    if asked:
        page.as_dict(blocks=True)
        assert page.sections
        assert page.comments is not None
        pickle.loads(pickle.dumps(page)).as_dict(blocks=True)
    content: Any = page._content
    columns = content.document.blocks.start
    held = [ref(each) for each in (page, content, content.document, columns)]
    del page, content, columns
    assert [each() for each in held] == [None] * 4


def test_response_tree_and_page_go_together() -> None:
    before = elements()
    request = Request(URL)
    response = HtmlResponse(URL, body=ARTICLE.encode(), request=request)
    request.meta["mainpage"] = page = mainpage(response)
    heading = response.css("h1")
    held = [ref(each) for each in (response, response.selector, page, page._content)]
    del page, heading
    assert None not in [each() for each in held]
    del response, request
    gc.collect()  # a response of Scrapy and its selector hold each other
    assert [each() for each in held] == [None] * 4
    assert elements() == before


def test_a_page_keeps_no_tree_when_it_outlives_its_response() -> None:
    before = elements()
    response = HtmlResponse(URL, body=ARTICLE.encode())
    page = mainpage(response)
    held = [ref(response), ref(response.selector)]
    del response
    gc.collect()
    assert [each() for each in held] == [None] * 2
    assert elements() == before
    assert page.markdown.startswith("# Owls")


@pytest.mark.parametrize("name", ["text", "words", "confidence", "warnings"])
def test_what_every_crawl_reads_makes_nothing_else(name: str) -> None:
    page: Any = extract(ARTICLE, url=URL)
    assert getattr(page, name) is not None
    # Views of the tables, the templates, which the choice reads, and a number.
    seen = {"_content", "elements", "blocks", "runs", "attributes", "headings", "words"}
    seen |= {"templates", "tokens", "_known"}
    for each in (page, page._content, page._content.document):
        assert {*vars(each)} - seen == {field.name for field in fields(each)} - seen
