"""What large pages leave unused goes back to the system, and only then."""

from __future__ import annotations

from ctypes import CDLL

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_mainpage import unusedmemory
from scrapy_mainpage.unusedmemory import LARGE, UnusedMemory, find_trim
from tests.crawling import make_crawler


class Counted:
    """Counts how often it was called."""

    times = 0

    def __call__(self) -> None:
        self.times += 1


def response(size: int) -> Response:
    return Response("http://a.example/", body=b"a" * size)


def test_memory_is_given_back_once_for_all_large_responses_since() -> None:
    trim = Counted()
    extension = UnusedMemory(make_crawler(), trim)
    extension.look()
    extension.received(response(LARGE - 1))
    extension.look()
    assert trim.times == 0
    for size in (LARGE, 1, LARGE):
        extension.received(response(size))
    extension.look()
    extension.look()
    assert trim.times == 1


def test_the_function_is_that_of_the_c_library() -> None:
    try:
        there = hasattr(CDLL(None), "malloc_trim")
    except TypeError:
        there = False
    trim = find_trim()
    assert (trim is not None) == there
    if trim is not None:
        assert trim() in (0, 1)


def test_without_one_the_extension_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unusedmemory, "find_trim", lambda: None)
    with pytest.raises(NotConfigured):
        UnusedMemory.from_crawler(make_crawler())
