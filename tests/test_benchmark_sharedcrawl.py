"""The benchmark of shared crawls runs; what it measures is no matter of a test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks import sharedcrawl
from tests.redis_crawl.docsite import DocSite


@pytest.fixture(autouse=True)
def _redis(requirement: Callable[[str], str]) -> None:
    requirement("redis")


def test_bytes_are_those_of_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharedcrawl, "COUNTS", (50, 100))
    table = sharedcrawl.memory()
    small = {row[0]: row[2] for row in table.rows}
    assert 50 < small["a request that was seen"] < small["a request"] < 1000
    assert small["a request to be rendered"] < small["a text of 400 words"] < 10_000


def test_a_crawl_is_measured_without_redis_and_with_it() -> None:
    site = DocSite(30)
    without, shared = (
        dict(zip(sharedcrawl.RATES, sharedcrawl.rate(site, workers), strict=True))
        for workers in (0, 1)
    )
    assert without["pages"] == shared["pages"] == len(site.paths)
    assert without["Redis calls/page"] == 0 < shared["Redis calls/page"]
    assert without["processor ms/page"] > 0 < shared["MB of a worker"]
