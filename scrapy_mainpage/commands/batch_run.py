"""Run of ``scrapy mainpage-batch``: files of pages to Parquet files."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scrapy_mainpage.batch.convert import (
    ENGINES,
    FileConversion,
    PoolExtractor,
    convert_file,
)
from scrapy_mainpage.batch.extract import NO_HTML
from scrapy_mainpage.batch.locations import Location, find_inputs
from scrapy_mainpage.batch.sources import format_of
from scrapy_mainpage.batch.warc import CORRUPT
from scrapy_mainpage.commands.cli import Progress, interruptible, to_line
from scrapy_mainpage.text.words import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy_mainpage.batch.convert import Conversion


class BatchRun:
    """One run over files, with its progress on standard error.

    ``files`` counts those that were converted, ``known`` those that were before;
    ``unreadable`` are the problems of the others. ``deaths`` counts processes.
    """

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._progress = Progress(sys.stderr)
        self._sizes: dict[Location, int] = {}
        self._current: FileConversion | None = None
        self._done_bytes = 0
        self.files = self.known = self.deaths = 0
        self.totals: Counter[str] = Counter()
        self.unreadable: list[str] = []

    def find(self, names: Iterable[str], *, overwrite: bool) -> list[Location]:
        """The files that are to be converted. Raises :exc:`.BatchError`."""
        sources = find_inputs(names, format_of)
        if not overwrite:
            found = [each for each in sources if not self._conversion.is_done(each)]
            self.known, sources = len(sources) - len(found), found
        return sources

    def run(
        self,
        sources: Sequence[Location],
        engine: str,
        processes: int | None,
        address: str | None,
    ) -> None:
        """Convert the files.

        Raises :exc:`.BatchError` where it cannot begin. ``KeyboardInterrupt`` ends it,
        also at SIGTERM; files that are done stay.
        """
        self._sizes = {each: each.size for each in sources}
        with interruptible(), self._progress:
            if sources and engine == "local":
                self._run_local(sources, processes or 1)
            elif sources:
                self._run_cluster(sources, engine, address, processes)

    def _run_local(self, sources: Sequence[Location], processes: int) -> None:
        conversion = self._conversion
        extractor = PoolExtractor(conversion.extraction, processes, self._show)
        with extractor.pool as pool:
            conversion.delete_leftovers(sources)
            for source in sources:
                self._current = FileConversion(source, conversion)
                problem = self._current.run(extractor)
                self._end(source, self._current.totals, problem)
            self.deaths = pool.died

    def _run_cluster(
        self,
        sources: Sequence[Location],
        engine: str,
        address: str | None,
        processes: int | None,
    ) -> None:
        folder = Location(self._conversion.folder).absolute().name
        conversion = replace(self._conversion, folder=folder)
        shared = [each.absolute() for each in sources]
        convert = partial(convert_file, conversion=conversion, sources=shared)
        results = ENGINES[engine](convert, len(sources), address, processes)
        for number, totals, problem in results:
            self._end(sources[number], totals, problem)
            self._show()

    def _end(self, source: Location, totals: Counter[str], problem: str | None) -> None:
        """Count a file that is converted, or could not be."""
        self._current = None
        self._done_bytes += self._sizes[source]
        if problem is None:
            self.files += 1
            self.totals.update(totals)
        else:
            last = (problem.strip() or "unknown").splitlines()[-1]
            self.unreadable.append(last if str(source) in last else f"{source}: {last}")

    def _show(self) -> None:
        if not self._progress.is_due:
            return
        totals, done = self.totals.copy(), float(self._done_bytes)
        if file := self._current:
            totals.update(file.totals)
            done += file.share * self._sizes[file.source]
        pages, failed = totals["pages"], _of(totals, "failed").total()
        numbers = [f"{self.files:,} of {number_of(len(self._sizes), 'file')}"]
        numbers += [number_of(pages, "page")] if pages else []
        numbers += [f"{failed:,} failed"] if failed else []
        size = sum(self._sizes.values())
        self._progress.show(", ".join(numbers), done / size if size else None)

    @property
    def is_complete(self) -> bool:
        """Whether each file was read to its end, with every record in it."""
        return not self.unreadable and not self.totals[f"failed/{CORRUPT}"]

    def report(self) -> str:
        """The counts of the run in a few lines."""
        if self.known and not self.files and not self.unreadable:
            return f"nothing to do: {number_of(self.known, 'file')} done before"
        unread = [f"not read: {to_line(each)}" for each in self.unreadable]
        if not self.files:
            return "\n".join(["no file was converted", *unread])
        pages, seconds = self.totals["pages"], self._progress.seconds
        lines = [
            f"{number_of(pages, 'page')} of {number_of(self.files, 'file')} in "
            f"{seconds:.1f} s: {pages / seconds:.0f} pages/s"
        ]
        if self.known:
            lines.append(f"done before: {number_of(self.known, 'file')}")
        words, total = self.totals["words"], self.totals["words_total"]
        if total:
            lines.append(f"words kept: {words:,} of {total:,} ({words / total:.0%})")
        if damaged := self.totals["damaged"]:
            lines.append(f"read as far as possible: {damaged:,}")
        for name, kind in (("failed", "failed"), ("left out", "skipped")):
            if counts := _of(self.totals, kind):
                each = ", ".join(f"{x} {n:,}" for x, n in counts.most_common())
                lines.append(f"{name}: {counts.total():,} ({each})")
        if not pages and self.totals[f"skipped/{NO_HTML}"]:
            lines.append("where a field has the pages, name it: --field html=FIELD")
        if self.deaths:
            lines.append(f"processes that died: {self.deaths:,}")
        return "\n".join([*lines, *unread])


def _of(totals: Counter[str], kind: str) -> Counter[str]:
    """The counts of a kind, by their codes."""
    names = {name: name.removeprefix(f"{kind}/") for name in totals}
    return Counter({k: totals[name] for name, k in names.items() if k != name})
