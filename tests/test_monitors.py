"""Monitors of Spidermon over the statistics of crawls."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("spidermon")

from spidermon.runners import MonitorRunner

from scrapy_mainpage.monitors import MainPageMonitorSuite

GOOD = {"mainpage/extracted": 40, "mainpage/state/new": 40, "mainpage/index/put": 40}


def failed(stats: dict[str, Any]) -> list[str]:
    """The names of the monitors that fail."""
    result = MonitorRunner().run(MainPageMonitorSuite(), stats=stats)
    assert len(result.monitor_results) == 4
    passed = [each.monitor.method_name for each in result.monitors_passed_results]
    names = [each.monitor.method_name for each in result.monitor_results]
    return [name for name in names if name not in passed]


def test_a_good_crawl_passes() -> None:
    assert failed(GOOD) == []
    assert failed({"mainpage/index/lost": 0} | GOOD) == []


def test_what_came_down_to_nothing_fails() -> None:
    drift = {"mainpage/state/drift/words_per_document": 0}
    assert failed(GOOD | drift) == ["Pages are like those of the last complete crawl"]


@pytest.mark.parametrize(
    ("name", "monitor"),
    [
        (
            "mainpage/state/drift/pages",
            "Pages are like those of the last complete crawl",
        ),
        ("mainpage/sweep/refused/share", "The sweep was not refused"),
        ("mainpage/index/dead/field_type", "Every page is in the index"),
        ("mainpage/index/outbox_failed", "Every page is in the index"),
        ("mainpage/failed/ValueError", "Every page was extracted"),
    ],
)
def test_a_crawl_that_lost_something_fails(name: str, monitor: str) -> None:
    assert failed(GOOD | {name: 1}) == [monitor]
