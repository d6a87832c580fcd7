"""Runs of one crawl: each until it is done, or stopped, or killed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree

from lab import ROOT

from .crawl import ACCEPTED, ASKED, OUTCOMES, QUEUED, key_of
from .found import Found
from .site import Site

#: Seconds in which a run must have done something more.
PATIENCE = 300.0


@dataclass
class Stop:
    """The end of a run, and the requests that Scrapy had forgotten by then."""

    signal: str
    pages: int
    waiting: int = 0
    under_way: int = 0
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
    _urls: dict[str, str] = field(default_factory=dict)
    _read: int = 0

    def go(self, first: list[str], until: int | None, with_signal: int) -> list[str]:
        """Run until *count* pages are done in all; returns the next requests."""
        self.run += 1
        self._read = 0
        process = self._start(first)
        try:
            stopped = self._wait(process, until, with_signal)
        finally:
            process.kill()
            process.wait()
        self._read_events()
        if not stopped:
            return []
        return self._after(signal.Signals(with_signal).name, first)

    def _start(self, first: list[str]) -> subprocess.Popen[bytes]:
        job = {"port": self.port, "folder": str(self.folder), "run": self.run}
        job |= {"bare": self.bare, "first": first}
        file = self.folder / "job.json"
        file.write_text(json.dumps(job), encoding="utf-8")
        with (self.folder / f"run-{self.run:03}.err").open("wb") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "lab.soak.crawl", str(file)],
                cwd=ROOT,
                stderr=errors,
            )

    def _wait(
        self, process: subprocess.Popen[bytes], until: int | None, with_signal: int
    ) -> bool:
        """Wait for the end; whether it came by the signal."""
        asked, seen, since = False, 0, time.monotonic()
        while process.poll() is None:
            time.sleep(0.02 if until else 0.5)
            self._read_events()
            if self._read > seen:
                seen, since = self._read, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                raise TimeoutError(f"nothing more happens: see {self.folder}")
            # Not before it has begun: Scrapy knows what to do at a signal then.
            if until and not asked and self._read and len(self.outcomes) >= until:
                process.send_signal(with_signal)
                asked = True
        if process.returncode and with_signal != signal.SIGKILL:
            raise RuntimeError(f"a run failed: see {self.folder}/run-{self.run:03}.*")
        return asked

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
            kind, key, url, why = line.split("\t")
            self.pages[kind].add(key)
            self._urls.setdefault(key, url)
            if kind in OUTCOMES:
                self.outcomes[key] = (kind, why)

    def _after(self, name: str, first: list[str]) -> list[str]:
        """The forgotten requests, for the next run."""
        own = self._own_events()
        queued = {key for kind, key in own if kind == QUEUED}
        unasked = [url for url in first if key_of(url) not in queued]
        stop = Stop(name, len(self.outcomes))
        self.stops.append(stop)
        if name != "SIGKILL":
            return unasked
        # Scrapy writes its queue's state when it ends in order: this one is of no use.
        rmtree(self.folder / "job" / "requests.queue", ignore_errors=True)
        asked = {key for kind, key in own if kind == ASKED}
        forgotten = self.pages[QUEUED] - self.outcomes.keys()
        stop.under_way = len(forgotten & asked)
        stop.waiting = len(forgotten - asked)
        lost = self.pages[ACCEPTED] - Found.of(self.folder).keys
        stop.lost = tuple(sorted(lost))
        # A listing whose links were not all queued: they are found once more.
        listings = {k for _, k in own if k.startswith("list/")} & self.outcomes.keys()
        again = [self._urls[key] for key in sorted(forgotten | listings)]
        return list(dict.fromkeys([*unasked, *again]))

    def _own_events(self) -> list[tuple[str, str]]:
        """Kinds and pages of the last run alone."""
        path = self.folder / f"run-{self.run:03}.events"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return [(kind, key) for kind, key, *_ in (x.split("\t") for x in lines)]


def whole(crawl: Crawl) -> None:
    """Run once, to the end."""
    crawl.go([crawl.site.listing_url(0)], None, signal.SIGTERM)


def interrupted(crawl: Crawl, with_signal: int, times: int, seed: int) -> None:
    """Stop or kill at random moments, *times* times; then run to the end."""
    last = int(crawl.site.count * 0.95)
    first = [crawl.site.listing_url(0)]
    for place in sorted(random.Random(seed).sample(range(20, last), times)):
        first = crawl.go(first, place, with_signal)
        print(f"soak: {crawl.stops[-1]}", flush=True)
    crawl.go(first, None, signal.SIGTERM)


@contextmanager
def served(site: Site, file: Path) -> Iterator[int]:
    """Serve the site in a process of its own, which writes its answers to *file*."""
    command = [sys.executable, "-m", "lab.soak.server", str(site.count), str(site.seed)]
    with subprocess.Popen(
        [*command, str(file)], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
            process.terminate()
            process.wait(60)
        finally:
            process.kill()
