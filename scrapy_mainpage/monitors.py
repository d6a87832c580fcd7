"""Monitors of Spidermon (the extra ``monitors``): a crawl that fails is not silent.

They read Scrapy's statistics when the engine has stopped, as the sweep and the
comparison with the last crawl are over then::

    SPIDERMON_ENGINE_STOP_MONITORS = ["scrapy_mainpage.monitors.MainPageMonitorSuite"]
"""

from __future__ import annotations

from spidermon import Monitor, MonitorSuite, monitors

_DRIFT = "mainpage/state/drift/"
_REFUSED = "mainpage/sweep/refused/"
_LOST = (
    "mainpage/index/dead",
    "mainpage/index/lost",
    "mainpage/index/outbox_failed",
    "mainpage/index/embedding_failed",
    "mainpage/index/failed/",
)


class MainPageMonitor(Monitor):
    """One test for each way in which the pages of a crawl are fewer or worse."""

    @monitors.name("Pages are like those of the last complete crawl")
    def test_drift(self) -> None:
        """Fail for each figure of ``mainpage/state/drift/``."""
        self._expect_none(_DRIFT)

    @monitors.name("The sweep was not refused")
    def test_sweep(self) -> None:
        """Fail where evidence of gone pages was refused, or the crawl ended early."""
        self._expect_none(_REFUSED)

    @monitors.name("Every page is in the index")
    def test_index(self) -> None:
        """Fail for dead letters and for documents that an index did not take."""
        self._expect_none(*_LOST)

    @monitors.name("Every page was extracted")
    def test_extraction(self) -> None:
        """Fail for pages whose extraction failed."""
        self._expect_none("mainpage/failed/")

    def _expect_none(self, *beginnings: str) -> None:
        stats: dict[str, object] = self.data.stats
        named = [key for key in stats if key.startswith(beginnings)]
        # What has come down to nothing is the worst drift.
        found = [key for key in named if stats[key] or key.startswith(_DRIFT)]
        if found:
            counted = ", ".join(f"{key}: {stats[key]}" for key in found)
            raise AssertionError(f"{counted}; see the log")


class MainPageMonitorSuite(MonitorSuite):
    """The monitors of a crawl, for the settings of Spidermon."""

    monitors = (MainPageMonitor,)
