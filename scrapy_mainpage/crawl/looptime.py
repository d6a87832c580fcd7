"""How long the event loop waits for extractions."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

_LONG: Final = 0.1


def count_held(stats: StatsCollector, started: float) -> None:
    """Count an extraction that has held the loop since *started*, by ``perf_counter``.

    ``mainpage/time`` is the sum in seconds, ``mainpage/loop/longest`` the most at
    once, ``mainpage/loop/over_100ms`` how many took longer than that.
    """
    seconds = perf_counter() - started
    # Scrapy's collectors add whatever number they get; they declare integers.
    stats.inc_value("mainpage/time", seconds)  # type: ignore[arg-type]
    stats.max_value("mainpage/loop/longest", seconds)
    if seconds > _LONG:
        stats.inc_value("mainpage/loop/over_100ms")
