"""Workers of a shared crawl: the example project's spider, each in its own process."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.forking import ForkedProcess, start_scrapy
from tests.waiting import PATIENCE, wait

PROJECT = Path(__file__).parents[2] / "example_project"

AT_ONCE = 16
"""Requests that a worker has in hand at once."""

#: Fast, and without dropping duplicates: the tests count them.
SETTINGS: dict[str, Any] = {
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
    "ROBOTSTXT_OBEY": False,
    "MAINPAGE_INDEX": "",
    "MAINPAGE_DUPLICATES_ENABLED": False,
    "LOG_LEVEL": "INFO",
}


@dataclass
class Outcome:
    """The results of a crawl: paths with their counts, logs, and killed workers."""

    paths: Counter[str] = field(default_factory=Counter)
    by_worker: list[int] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    killed_after: int | None = None

    def stat(self, name: str) -> int:
        """The sum of a stat over all workers that ended by themselves."""
        found = (re.search(rf"'{re.escape(name)}': (\d+)", log) for log in self.logs)
        return sum(int(match[1]) for match in found if match)

    def report(self, expected: set[str]) -> str:
        """Describe the lost and the repeated paths."""
        lost = sorted(expected - set(self.paths))
        twice = sorted(path for path, count in self.paths.items() if count > 1)
        lines = [f"pages by worker {self.by_worker}, lost {len(lost)}: {lost}"]
        lines += [f"came more than once {len(twice)}: {twice}"]
        if self.killed_after is not None:
            lines.append(f"one worker was killed after {self.killed_after} pages")
        return "; ".join(lines)


class Crawl:
    """A crawl by several workers that write into *folder*."""

    def __init__(self, url: str, folder: Path, settings: Mapping[str, Any]):
        self.url, self.folder = url, folder
        self.settings = {**SETTINGS, **settings}
        self.running: list[ForkedProcess] = []

    def start(self, spider: str = "shared") -> ForkedProcess:
        """Start another worker."""
        number = len(self.running)
        feed = {str(self._feed(number)): {"format": "jsonlines"}}
        settings = {**self.settings, "FEEDS": json.dumps(feed)}
        command = ["crawl", spider, "-a", f"url={self.url}"]
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        process = start_scrapy(command, PROJECT)
        self.running.append(process)
        return process

    def count(self, number: int) -> int:
        """Number of items that a worker has written so far."""
        feed = self._feed(number)
        return feed.read_bytes().count(b"\n") if feed.exists() else 0

    def kill(self, seed: int, most: int) -> int:
        """Kill a worker when all have written a random number of pages; return its."""
        chance = random.Random(seed)
        number, after = chance.randrange(len(self.running)), chance.randrange(5, most)
        numbers = range(len(self.running))
        wait(
            lambda: sum(map(self.count, numbers)) >= after,
            "pages",
            self.running[number],
        )
        self.running[number].kill()
        return self.count(number)

    def finish(self) -> Outcome:
        """Wait until all workers have ended; kill all if it takes too long."""
        outcome = Outcome()
        try:
            for process in self.running:
                log = process.communicate(timeout=PATIENCE)[1]
                outcome.logs.append(log)
                outcome.codes.append(process.returncode or 0)
        finally:
            self.abandon()
        for number in range(len(self.running)):
            lines = self._lines(number)
            outcome.by_worker.append(len(lines))
            outcome.paths.update(
                urlsplit(json.loads(each)["url"]).path for each in lines
            )
        return outcome

    def abandon(self) -> None:
        """Kill the workers that still run."""
        for process in self.running:
            process.kill()

    def _lines(self, number: int) -> list[bytes]:
        """The whole lines of a feed: a kill may leave the beginning of one."""
        feed = self._feed(number)
        return feed.read_bytes().split(b"\n")[:-1] if feed.exists() else []

    def _feed(self, number: int) -> Path:
        return self.folder / f"items-{number}.jsonl"
