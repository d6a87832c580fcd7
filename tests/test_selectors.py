"""A selector without a tree so far is any selector to whom does not look."""

from __future__ import annotations

import copy
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from weakref import ref

import pytest
import scrapy
from scrapy.http import HtmlResponse
from scrapy.utils import trackref

from scrapy_mainpage.crawl.response_tree import is_parsed, put_off, shared_root
from scrapy_mainpage.crawl.selectors import PendingSelector, Selector

URL = "http://a.example/"
HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = b"<p id=x>owls <b>and mills</b>"


def response_of(body: bytes = PAGE, content_type: str = "") -> HtmlResponse:
    headers = {"Content-Type": content_type} if content_type else HTML
    return HtmlResponse(URL, body=body, headers=headers)


def put_off_of(response: HtmlResponse) -> list[str]:
    """What is called before the tree is there adds to this list."""
    called: list[str] = []
    put_off(response, lambda: called.append("before"))
    return called


@pytest.mark.parametrize("is_read_before", [False, True])
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (PAGE, ""),
        ("<p id=x>größer".encode("latin-1"), "text/html; charset=latin-1"),
        (b"<p id=x>\x00a", ""),
        (b"", ""),
        (b"plain", ""),
    ],
)
def test_its_parts_are_those_of_the_selector_of_its_response(
    body: bytes, content_type: str, is_read_before: bool
) -> None:
    response = response_of(body, content_type)
    called: list[object] = []

    def before() -> None:
        called.append(shared_root(response) if is_read_before else None)

    put_off(response, before)
    selector = response.selector
    assert isinstance(selector, scrapy.Selector)
    usual = scrapy.Selector(response_of(body, content_type))
    assert selector.css("#x").getall() == usual.css("#x").getall()
    assert len(called) == 1
    assert selector.type == usual.type
    assert selector.namespaces == usual.namespaces
    assert repr(selector) == repr(usual)
    assert type(selector) is Selector
    assert response.selector is selector
    assert selector.response is response
    assert response.selector.root is shared_root(response)


def test_it_counts_as_not_parsed_until_it_is() -> None:
    response = response_of()
    called = put_off_of(response)
    assert not is_parsed(response)
    assert shared_root(response) is response.selector.root
    assert is_parsed(response)
    assert called == []


def test_one_that_has_a_tree_is_not_put_off() -> None:
    response = response_of()
    selector = response.selector
    called = put_off_of(response)
    assert response.selector is selector
    assert response.css("b::text").get() == "and mills"
    assert called == []


def test_json_that_is_served_as_html_is_to_it_what_it_was() -> None:
    response = response_of(b'{"a": ["b"]}')
    put_off_of(response)
    usual = scrapy.Selector(response_of(response.body))
    assert response.jmespath("a").getall() == usual.jmespath("a").getall()


def test_what_no_selector_has_it_has_not() -> None:
    response = response_of()
    called = put_off_of(response)
    assert not hasattr(response.selector, "owls")
    assert called == []
    with pytest.raises(AttributeError, match="owls"):
        _ = response.selector.owls


def test_what_fails_before_fails_each_time() -> None:
    response = response_of()

    def before() -> None:
        raise KeyboardInterrupt

    put_off(response, before)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            response.css("p")


def test_it_keeps_its_response_until_it_has_a_tree() -> None:
    response = response_of()
    put_off_of(response)
    selector, known = response.selector, ref(response)
    gc.disable()
    try:
        del response
        assert known() is not None
        assert selector.css("b::text").get() == "and mills"
        assert known() is None
    finally:
        gc.enable()


def test_scrapy_counts_it_among_its_own() -> None:
    response = response_of()
    put_off_of(response)
    live = [*trackref.iter_all("Selector")]
    assert any(each is response.selector for each in live)
    assert type(response.selector) is PendingSelector


def test_threads_that_ask_at_once_get_a_tree_each_can_use() -> None:
    response = response_of()
    both = Barrier(2)
    put_off(response, lambda: both.wait(10))

    with ThreadPoolExecutor(2) as threads:
        looks = [threads.submit(lambda: response.css("b::text").get()) for _ in "ab"]
    assert [look.result() for look in looks] == ["and mills"] * 2


def test_what_is_set_in_it_stays() -> None:
    for name, value in [
        ("root", scrapy.Selector(text="<i>bats</i>").root),
        ("namespaces", {"a": "http://a.example/"}),
        ("type", "xml"),
    ]:
        response = response_of()
        called = put_off_of(response)
        setattr(response.selector, name, value)
        assert called == ["before"]
        assert getattr(response.selector, name) is value
        assert response.xpath("//*")
        assert getattr(response.selector, name) is value


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda response: pickle.loads(pickle.dumps(response))]
)
def test_a_copy_of_the_response_makes_its_own(copied: Any) -> None:
    response = response_of()
    put_off(response, list)
    again = copied(response)
    assert again.css("b::text").get() == "and mills"
    assert type(response.selector) is PendingSelector


def test_what_is_selected_is_a_selector_as_any_other() -> None:
    response = response_of()
    put_off_of(response)
    for selected in (response.css("p")[0], response.xpath("//b")[0]):
        assert type(selected) is scrapy.Selector
        assert selected.response is None
    assert isinstance(response.selector, Selector)
