"""An extension of the benchmark: the stats of a crawl as a file, and another clock."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from scrapy import signals
from scrapy.crawler import Crawler

#: Environment: seconds by which the clock of the crawl is wrong.
CLOCK = "CHANGING_SITE_CLOCK"

#: In the stats: processor seconds before the first request, of interpreter and imports.
START = "changing_site/start"


class Recorder:
    """Writes ``stats.json`` when the engine has stopped."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.started, signals.engine_started)
        crawler.signals.connect(self.stopped, signals.engine_stopped)
        if wrong := float(os.environ.get(CLOCK, 0)):
            right = time.time
            time.time = lambda: right() + wrong

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        return cls(crawler)

    def started(self) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.set_value(START, time.process_time())

    def stopped(self) -> None:
        assert self.crawler.stats is not None
        stats = json.dumps(self.crawler.stats.get_stats(), default=str)
        Path("stats.json").write_text(stats, encoding="utf-8")
