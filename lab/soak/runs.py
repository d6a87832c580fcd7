"""Runs of one crawl: each until it is done, or stopped, or killed."""

from __future__ import annotations

import json
import random
import signal
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from lab import ROOT
from lab.crawls import run

from .crawl import ACCEPTED, OUTCOMES
from .site import Site
from .verify import Found

#: Seconds in which a run must have done something more.
PATIENCE = 300.0


@dataclass
class Stop:
    """The end of a run by a signal, after so many *pages*.

    *lost* were accepted, and are neither in the index nor in its outbox.
    """

    signal: str
    pages: int
    lost: tuple[str, ...] = ()


@dataclass
class Crawl:
    """The crawl in *folder*, over all of its runs."""

    site: Site
    folder: Path
    port: int
    #: Without the plugin, to know what Scrapy takes by itself.
    bare: bool = False
    stops: list[Stop] = field(default_factory=list)
    run: int = 0
    #: The pages of each kind of event, over all runs.
    pages: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    #: The outcome of each page, and its reason.
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)
    _read: int = 0
    _since: float = 0.0

    def go(self, until: int | None = None, with_signal: int = signal.SIGTERM) -> None:
        """Run until so many pages are done in all, or none is left."""
        self.run += 1
        self._read, self._since = 0, time.monotonic()
        stops = len(self.stops)

        def end() -> bool:
            is_there = self._is_there(until)
            if is_there:
                self.stops.append(Stop(signal.Signals(with_signal).name, 0))
            return is_there

        with (self.folder / f"run-{self.run:03}.err").open("wb") as errors:
            code, _ = run(self._command(), ROOT, end=end, by=with_signal, output=errors)
        self._read_events()
        if code and with_signal != signal.SIGKILL:
            raise RuntimeError(f"a run failed: see {self.folder}/run-{self.run:03}.*")
        for stop in self.stops[stops:]:
            lost = self.pages[ACCEPTED] - Found.of(self.folder).keys
            stop.pages, stop.lost = len(self.outcomes), tuple(sorted(lost))

    def _command(self) -> list[str]:
        job = {"port": self.port, "folder": str(self.folder.absolute())}
        job |= {"run": self.run, "bare": self.bare, "edition": self.site.edition}
        job["first"] = self.site.listing_url(0)
        return [sys.executable, "-m", "lab.soak.crawl", json.dumps(job)]

    def _is_there(self, until: int | None) -> bool:
        """Whether so many pages are done, in a run that has done something itself."""
        before = self._read
        self._read_events()
        if self._read > before:
            self._since = time.monotonic()
        if time.monotonic() - self._since > PATIENCE:
            raise TimeoutError(f"nothing more happens: see {self.folder}")
        # Not before it has begun: Scrapy knows what to do at a signal then.
        is_done = until is not None and len(self.outcomes) >= until
        return is_done and self._read > 0

    def _read_events(self) -> None:
        path = self.folder / f"run-{self.run:03}.events"
        if not path.exists():
            return
        with path.open("rb") as file:
            file.seek(self._read)
            lines = file.read()
        lines = lines[: lines.rfind(b"\n") + 1]
        self._read += len(lines)
        for line in lines.decode("utf-8").splitlines():
            kind, key, _, why = line.split("\t")
            self.pages[kind].add(key)
            if kind in OUTCOMES:
                self.outcomes[key] = (kind, why)


def interrupted(crawl: Crawl, with_signal: int, times: int, seed: int) -> None:
    """Stop or kill at random moments, *times* times; then run to the end."""
    last = int(crawl.site.count * 0.95)
    for place in sorted(random.Random(seed).sample(range(20, last), times)):
        crawl.go(place, with_signal)
        print(f"soak: {crawl.stops[-1]}", flush=True)
    crawl.go()
