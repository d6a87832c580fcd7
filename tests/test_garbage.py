"""Objects are frozen from the begin of a crawl to its end, and by nobody else."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from scrapy.exceptions import NotConfigured

from scrapy_mainpage import garbage
from scrapy_mainpage.garbage import EARLIER, NOW, GarbageCollection
from tests.crawling import make_crawler


@pytest.fixture(autouse=True)
def nothing_frozen() -> Iterator[None]:
    assert not gc.get_freeze_count()
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)
    GarbageCollection._crawls.clear()
    GarbageCollection._has_frozen = GarbageCollection._is_rarer = False


def extension() -> GarbageCollection:
    return GarbageCollection.from_crawler(make_crawler())


def test_objects_are_frozen_while_a_crawl_goes_on() -> None:
    frozen = extension()
    frozen.started()
    assert gc.get_freeze_count() > 1000
    frozen.stopped()
    assert not gc.get_freeze_count()


def test_the_objects_of_a_crawl_are_not_frozen_by_a_second_one() -> None:
    one, other = extension(), extension()
    one.started()
    count = gc.get_freeze_count()
    pages = [[number] for number in range(1000)]
    other.started()
    assert gc.get_freeze_count() <= count
    one.stopped()
    assert gc.get_freeze_count()
    other.stopped()
    assert not gc.get_freeze_count()
    assert len(pages) == 1000


def test_what_a_project_has_frozen_stays_frozen() -> None:
    gc.freeze()
    count = gc.get_freeze_count()
    frozen = extension()
    frozen.started()
    assert gc.get_freeze_count() <= count
    frozen.stopped()
    assert gc.get_freeze_count()


def test_a_crawl_that_did_not_begin_ends() -> None:
    extension().stopped()
    assert not gc.get_freeze_count()


def test_a_python_that_cannot_freeze_goes_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "gc", object())
    with pytest.raises(NotConfigured):
        extension()


def test_what_an_earlier_crawl_has_left_is_not_frozen() -> None:
    class Left:
        pass

    earlier = extension()
    earlier.started()
    left = Left()
    left.itself = left
    known = ref(left)
    del left
    earlier.stopped()
    extension().started()
    assert known() is None


@pytest.mark.parametrize(
    ("before", "after"),
    [(EARLIER, NOW), (NOW, NOW), ((700, 10, 11), (700, 10, 11)), ((0, 10, 10),) * 2],
)
def test_garbage_is_collected_as_seldom_as_newer_versions_do(
    before: tuple[int, int, int], after: tuple[int, int, int]
) -> None:
    gc.set_threshold(*before)
    one, other = extension(), extension()
    one.started()
    other.started()
    assert gc.get_threshold() == after
    one.stopped()
    assert gc.get_threshold() == after
    other.stopped()
    assert gc.get_threshold() == before
