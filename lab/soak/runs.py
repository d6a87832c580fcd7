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

from lab import ROOT

from .crawl import ACCEPTED, OUTCOMES
from .found import Found
from .site import Site

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

    def go(self, until: int | None = None, with_signal: int = signal.SIGTERM) -> None:
        """Run until so many pages are done in all, or none is left."""
        self.run += 1
        self._read = 0
        process = self._start()
        try:
            stopped = self._wait(process, until, with_signal)
        finally:
            process.kill()
            process.wait()
        self._read_events()
        if stopped:
            name = signal.Signals(with_signal).name
            lost = self.pages[ACCEPTED] - Found.of(self.folder).keys
            self.stops.append(Stop(name, len(self.outcomes), tuple(sorted(lost))))

    def _start(self) -> subprocess.Popen[bytes]:
        job = {
            "port": self.port,
            "folder": str(self.folder.absolute()),
            "run": self.run,
        }
        job |= {"bare": self.bare, "first": self.site.listing_url(0)}
        job["edition"] = self.site.edition
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


@contextmanager
def served(site: Site, file: Path) -> Iterator[int]:
    """Serve the site in a process of its own, which writes its answers to *file*."""
    command = [sys.executable, "-m", "lab.soak.server"]
    command += [str(number) for number in (site.count, site.seed, site.edition)]
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
