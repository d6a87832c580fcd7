"""The optional extensions: frozen objects, and memory trimmed after large responses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from ctypes import CDLL
from unittest.mock import Mock

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_mainpage import extensions
from scrapy_mainpage.extensions import (
    LARGE_RESPONSE_BYTES,
    FreezeObjects,
    TrimMemory,
    find_trim,
)
from tests.crawling import make_crawler


@pytest.fixture
def _thawed() -> Iterator[None]:
    assert not gc.get_freeze_count()
    yield
    gc.unfreeze()
    FreezeObjects._crawls.clear()
    FreezeObjects._has_frozen = False


@pytest.mark.usefixtures("_thawed")
def test_objects_are_frozen_from_the_first_crawl_to_the_end_of_the_last() -> None:
    one, other = (FreezeObjects.from_crawler(make_crawler()) for _ in "ab")
    one.start()
    count = gc.get_freeze_count()
    assert count > 1000
    pages = [[number] for number in range(1000)]
    other.start()
    assert gc.get_freeze_count() <= count
    one.stop()
    assert gc.get_freeze_count()
    other.stop()
    assert not gc.get_freeze_count()
    assert len(pages) == 1000


@pytest.mark.usefixtures("_thawed")
def test_objects_that_a_project_has_frozen_stay_frozen() -> None:
    gc.freeze()
    frozen = FreezeObjects.from_crawler(make_crawler())
    frozen.start()
    frozen.stop()
    assert gc.get_freeze_count()


def response(size: int) -> Response:
    return Response("http://a.example/", body=b"a" * size)


def test_memory_is_trimmed_once_for_all_large_responses_since() -> None:
    trim = Mock()
    extension = TrimMemory(make_crawler(), trim)
    extension.check()
    extension.receive(response(LARGE_RESPONSE_BYTES - 1))
    extension.check()
    assert trim.call_count == 0
    for size in (LARGE_RESPONSE_BYTES, 1, LARGE_RESPONSE_BYTES):
        extension.receive(response(size))
    extension.check()
    extension.check()
    assert trim.call_count == 1


def test_the_function_is_that_of_the_c_library() -> None:
    try:
        exists = hasattr(CDLL(None), "malloc_trim")
    except TypeError:
        exists = False
    trim = find_trim()
    assert (trim is not None) == exists
    if trim is not None:
        assert trim() in (0, 1)


def test_extensions_are_off_where_they_cannot_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extensions, "find_trim", lambda: None)
    monkeypatch.setattr(extensions, "gc", object())
    for cls in (TrimMemory, FreezeObjects):
        with pytest.raises(NotConfigured):
            cls.from_crawler(make_crawler())
