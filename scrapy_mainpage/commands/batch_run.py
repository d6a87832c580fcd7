"""Run of ``scrapy mainpage-batch``: files to Parquet files, indexes, or both."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow.parquet as pq

from scrapy_mainpage.batch.convert import Conversion, Result, publish
from scrapy_mainpage.batch.formats import format_of
from scrapy_mainpage.batch.local import LocalRun
from scrapy_mainpage.batch.locations import Location, find_inputs
from scrapy_mainpage.batch.outputs import (
    Totals,
    delete_leftovers,
    origin_of,
    output_location,
    read_totals,
)
from scrapy_mainpage.batch.schema import CORRUPT, DOCUMENT, TRUNCATED
from scrapy_mainpage.commands.archive_scope import ArchiveScope
from scrapy_mainpage.commands.cli import (
    Progress,
    interrupt_on_sigterm,
    show_log,
    to_line,
)
from scrapy_mainpage.commands.index_run import Writers, describe
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.ledger.judgement import ARCHIVE_FAILED, DEAD_LETTERS
from scrapy_mainpage.text.words import number_of

if TYPE_CHECKING:
    from scrapy_mainpage.settings import Settings

_TICK_SECONDS: Final = 0.05


@dataclass(frozen=True)
class Work:
    """The arguments of a run."""

    conversion: Conversion
    indexes: Sequence[str] = field(default=(), repr=False)  # with passwords
    engine: str = "local"
    processes: int | None = None
    address: str | None = None
    overwrite: bool = False
    scope: str | None = None


class BatchRun:
    """One run over files, with its progress on standard error.

    ``files`` counts those that were converted, ``known`` those that were before;
    ``unreadable`` are the problems of the others. ``deaths`` counts processes.
    """

    def __init__(self, settings: Settings, work: Work) -> None:
        self._settings, self._work = settings, work
        self._folder = Location(work.conversion.folder or "")
        self._progress = Progress(sys.stderr)
        self._sizes: dict[str, int] = {}
        self._done_bytes = 0
        self._counts: dict[str, dict[str, float]] = {}
        self.files = self.known = self.deaths = 0
        self.totals = Totals()
        self.unreadable: dict[str, str] = {}
        self.is_indexed = True
        #: A line on what has left the scope; whether that was refused.
        self.swept, self.is_refused = "", False

    def run(self, names: Sequence[str]) -> None:
        """Convert the files that are not done yet.

        Raises :exc:`.BatchError` or :exc:`.IndexUnavailable` where it cannot begin.
        ``KeyboardInterrupt`` ends it; files that are done stay.
        """
        with interrupt_on_sigterm(), show_log(self._progress):
            try:
                sources = find_inputs(names, format_of)
                sources = [each for each in sources if not self._is_known(each)]
                self._sizes = {each.name: each.size for each in sources}
                if sources:
                    self._convert(sources)
            finally:
                self._progress.close()
                self.seconds = self._progress.seconds

    def _is_known(self, source: Location) -> bool:
        conversion = self._work.conversion
        if not conversion.folder or self._work.overwrite:
            return False
        origin = origin_of(source, conversion.options)
        totals = read_totals(output_location(self._folder, source), origin)
        self.known += totals is not None
        return totals is not None

    def _convert(self, sources: Sequence[Location]) -> None:
        by_name = {source.absolute().name: source for source in sources}
        by_name |= {source.name: source for source in sources}
        labels = {name: source.label for name, source in by_name.items()}
        conversion = replace(self._work.conversion, labels=labels)
        self._work = replace(self._work, conversion=conversion)
        engine = self._run_local if self._work.engine == "local" else self._run_cluster
        for result in engine(sources):
            if result is None:
                continue
            source = by_name[result.path]
            self._done_bytes += self._sizes[source.name]
            if result.totals is None:
                problem = (result.problem or "").strip() or "unknown"
                self._refuse(source, problem.splitlines()[-1])
            else:
                self.files += 1
                self.totals.add(Totals.from_json(result.totals))

    def _refuse(self, source: Location, problem: str) -> None:
        named = problem if str(source) in problem else f"{source}: {problem}"
        self.unreadable[source.name] = named

    # --- On this machine -----------------------------------------------------

    def _run_local(self, sources: Sequence[Location]) -> Iterator[Result | None]:
        work, conversion = self._work, self._work.conversion
        with ExitStack() as stack:
            if conversion.folder:
                stack.callback(delete_leftovers, self._folder, sources)
            writers = scope = None
            if work.scope is not None:
                scope = ArchiveScope(self._settings, work.scope)
                stack.callback(scope.store.close)
                if self.known and not scope.goes_on:
                    scope.refuse(ARCHIVE_FAILED)
            if work.indexes:
                writers = stack.enter_context(self._open_indexes())
                folder = tempfile.TemporaryDirectory(prefix="mainpage-batch-")
                documents = stack.enter_context(folder)
                conversion = replace(conversion, documents=documents)
            seconds = self._settings.processes_timeout
            run = LocalRun(conversion, work.processes or 1, seconds)
            for result in stack.enter_context(run).convert(sources):
                self.deaths = run.deaths
                if result is None:
                    self._show(run)
                elif writers is not None and result.totals is not None:
                    assert conversion.documents is not None
                    source = conversion.locate(result.path)
                    self._index(source, Location(conversion.documents), writers, scope)
                yield result
                if scope is not None:
                    self._note(scope, writers)
            if scope is not None and writers is not None:
                self._sweep(scope, writers)

    def _note(self, scope: ArchiveScope, writers: Writers | None) -> None:
        """Keep why nothing may be deleted: another call may go on with the run."""
        cut = {CORRUPT, TRUNCATED}.intersection(self.totals.failed)
        if self.unreadable or cut:
            scope.refuse(ARCHIVE_FAILED)
        if writers is not None and self._is_lossy(writers):
            scope.refuse(DEAD_LETTERS)

    def _sweep(self, scope: ArchiveScope, writers: Writers) -> None:
        """Have what no archive has leave the indexes."""
        self._note(scope, writers)
        going, self.swept = scope.sweep()
        self.is_refused = not scope.run.complete
        for row in going:
            writers.write(row.url, self._work.indexes)
        self._settle(writers)
        scope.end(going, is_written=not self._is_lossy(writers))

    def _is_lossy(self, writers: Writers) -> bool:
        return bool(writers.total("dead") or writers.total("lost"))

    def _settle(self, writers: Writers) -> None:
        while writers.pending:
            self._show()
            time.sleep(_TICK_SECONDS)

    @contextmanager
    def _open_indexes(self) -> Iterator[Writers]:
        writers = Writers(self._settings, self._show)
        try:
            for url in self._work.indexes:
                writers.open(url)
            yield writers
        finally:
            writers.close()
            self._counts = writers.counts
            self.is_indexed = not self._is_lossy(writers)

    def _index(
        self,
        source: Location,
        documents: Location,
        writers: Writers,
        scope: ArchiveScope | None,
    ) -> None:
        """Index the documents of a file, then put its output in its place."""
        location = output_location(documents, source)
        with location.open() as stream, pq.ParquetFile(stream) as file:
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    self._index_row(row, writers, scope)
        location.delete()
        self._settle(writers)
        if self._work.conversion.folder:
            publish(source, self._folder)

    def _index_row(
        self, row: dict[str, str | None], writers: Writers, scope: ArchiveScope | None
    ) -> None:
        if text := row[DOCUMENT]:
            document = IndexDocument.from_dict(json.loads(text))
            writers.write(document, self._work.indexes)
            if scope is not None:
                scope.found(document)
        elif scope is not None and row["url"] and row["error"]:
            scope.failed(row["url"], row["error"])

    # --- On a cluster ----------------------------------------------------------

    def _run_cluster(self, sources: Sequence[Location]) -> Iterator[Result | None]:
        work = self._work
        options: dict[str, Any] = {
            "address": work.address,
            "processes": work.processes,
        }
        conversion = replace(work.conversion, folder=self._folder.absolute().name)
        if work.engine == "ray":
            from scrapy_mainpage.batch.clusters import convert_with_ray as convert
        else:
            from scrapy_mainpage.batch.clusters import convert_with_spark as convert
        named = []
        for each in sources:
            if each.absolute().is_text:
                named.append(each)
            else:  # engines send paths as text
                problem = "its name is not UTF-8: rename it, or use --engine local"
                yield Result(each.name, problem=problem)
        outputs = {output_location(self._folder, each).base: each for each in named}
        for result in convert(named, conversion, **options) if named else ():
            if result is None and self._progress.is_due and not work.overwrite:
                names = {each.base for each in self._folder.files()}
                done = [source for name, source in outputs.items() if name in names]
                self._done_bytes = sum(self._sizes[each.name] for each in done)
                self._show(files=len(done))
            yield result

    # --- Progress and report ---------------------------------------------------

    def _show(self, run: LocalRun | None = None, files: int | None = None) -> None:
        if not self._progress.is_due:
            return
        pages, done = self.totals.pages, float(self._done_bytes)
        for name, place in (run.places() if run else {}).items():
            pages += place.number
            done += place.share * self._sizes[name]
        count = self.files if files is None else files
        numbers = [f"{count:,} of {number_of(len(self._sizes), 'file')}"]
        numbers += [number_of(pages, "page")] if pages else []
        if failed := self.totals.failed.total():
            numbers.append(f"{failed:,} failed")
        if pages and self._progress.seconds:
            numbers.append(f"{pages / self._progress.seconds:.0f} pages/s")
        size = sum(self._sizes.values())
        share = min(done / size, 1.0) if size else None
        self._progress.show(", ".join(numbers), share)

    def report(self) -> str:
        """The counts of the run in a few lines."""
        totals = self.totals
        if self.known and not self.files and not self.unreadable:
            return f"nothing to do: {number_of(self.known, 'file')} done before"
        unread = [f"not read: {to_line(each)}" for each in self.unreadable.values()]
        if not self.files:
            return "\n".join(["no file was converted", *unread])
        speed = totals.pages / self.seconds if self.seconds else 0.0
        lines = [
            f"{number_of(totals.pages, 'page')} of {number_of(self.files, 'file')} in "
            f"{self.seconds:.1f} s: {speed:.0f} pages/s"
        ]
        if totals.seconds:
            core = totals.pages / totals.seconds
            lines.append(f"processors: {totals.seconds:.1f} s, {core:.0f} pages/s each")
        if self.known:
            lines.append(f"done before: {number_of(self.known, 'file')}")
        if total := totals.words_total:
            share = totals.words / total
            lines.append(f"words kept: {totals.words:,} of {total:,} ({share:.0%})")
        lines += _count("failed", totals.failed)
        lines += _count("left out", totals.skipped)
        if self.deaths:
            lines.append(f"processes that died: {self.deaths:,}")
        lines += [self.swept] if self.swept else []
        return "\n".join([*lines, *unread, *describe(self._counts)])


def _count(name: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    reasons = ", ".join(f"{code} {count:,}" for code, count in counts.most_common())
    return [f"{name}: {counts.total():,} ({reasons})"]
