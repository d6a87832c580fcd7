"""The optional extensions: frozen objects, and memory trimmed after large responses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from unittest.mock import Mock

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_mainpage import extensions
from scrapy_mainpage.extensions import TRIM_BYTES, FreezeObjects, TrimMemory
from tests.crawling import make_crawler


@pytest.fixture
def _thawed() -> Iterator[None]:
    assert not gc.get_freeze_count()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_thawed")
def test_objects_are_frozen_during_a_crawl() -> None:
    extension = FreezeObjects.from_crawler(make_crawler())
    extension.start()
    assert gc.get_freeze_count() > 1000
    extension.stop()
    assert not gc.get_freeze_count()


@pytest.mark.usefixtures("_thawed")
def test_objects_that_were_frozen_before_stay_frozen() -> None:
    gc.freeze()
    extension = FreezeObjects.from_crawler(make_crawler())
    extension.start()
    extension.stop()
    assert gc.get_freeze_count()


def test_memory_is_trimmed_after_so_many_bytes() -> None:
    trim = Mock()
    extension = TrimMemory(trim)
    half = Response("http://a.example/", body=b"a" * (TRIM_BYTES // 2))
    for _ in range(5):
        extension.receive(half)
    assert trim.mock_calls == [((0,),)] * 2


def test_an_extension_that_cannot_work_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extensions, "CDLL", Mock(side_effect=OSError))
    monkeypatch.setattr(extensions, "gc", object())
    for cls in (TrimMemory, FreezeObjects):
        with pytest.raises(NotConfigured):
            cls.from_crawler(make_crawler())
