"""Run of ``scrapy mainpage-batch``: files to Parquet files, indexes, or both."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scrapy_mainpage.batch.convert import Conversion, FileConversion, delete_leftovers
from scrapy_mainpage.batch.engines import (
    PoolExtractor,
    convert_with_ray,
    convert_with_spark,
)
from scrapy_mainpage.batch.locations import Location, find_inputs
from scrapy_mainpage.batch.schema import CORRUPT, DOCUMENT, TRUNCATED, Row
from scrapy_mainpage.batch.sources import NO_HTML, format_of
from scrapy_mainpage.commands.archive_scope import ArchiveScope
from scrapy_mainpage.commands.cli import (
    Progress,
    interrupt_on_sigterm,
    show_log,
    to_line,
)
from scrapy_mainpage.commands.index_run import Writers, describe
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.memory.judgement import ARCHIVE_FAILED, DEAD_LETTERS
from scrapy_mainpage.text.words import number_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_mainpage.settings import Settings


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


class Indexing:
    """The indexes that a run fills, and the scope that its archives replace.

    *tick* is called while the indexes are busy.
    """

    def __init__(
        self, settings: Settings, work: Work, tick: Callable[[], None]
    ) -> None:
        self._urls = work.indexes
        self.scope = ArchiveScope(settings, work.scope) if work.scope else None
        self.writers = Writers(settings, tick)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open the indexes; at the end all is written, and they are closed."""
        try:
            for url in self._urls:
                self.writers.open(url)
            yield
        finally:
            self.writers.close()
            if self.scope:
                self.scope.store.close()

    def receive(self, rows: list[Row]) -> None:
        """Index the documents of rows."""
        for row in rows:
            if text := row.get(DOCUMENT):
                document = IndexDocument.from_dict(json.loads(text))
                self.writers.write(document, self._urls)
                if self.scope:
                    self.scope.found(document)
            elif self.scope and row["url"] and row.get("error"):
                self.scope.failed(row["url"], row["error"])

    def note(self, *, is_read: bool) -> None:
        """Keep why nothing may be deleted: another call may go on with the run."""
        if self.scope and not is_read:
            self.scope.refuse(ARCHIVE_FAILED)
        if self.scope and self.writers.is_lossy:
            self.scope.refuse(DEAD_LETTERS)

    def sweep(self) -> str:
        """Have what no archive has leave the indexes; return a line on it."""
        if not self.scope:
            return ""
        going, line = self.scope.sweep()
        for row in going:
            self.writers.write(row.url, self._urls)
        self.writers.settle()
        self.scope.end(going, is_written=not self.writers.is_lossy)
        return line


class BatchRun:
    """One run over files, with its progress on standard error.

    ``files`` counts those that were converted, ``known`` those that were before;
    ``unreadable`` are the problems of the others. ``deaths`` counts processes.
    """

    def __init__(self, settings: Settings, work: Work) -> None:
        self._settings, self._work = settings, work
        self._progress = Progress(sys.stderr)
        self._sizes: dict[Location, int] = {}
        self._current: FileConversion | None = None
        self._done_bytes = 0
        self._indexing: Indexing | None = None
        self.files = self.known = self.deaths = 0
        self.totals: Counter[str] = Counter()
        self.unreadable: dict[Location, str] = {}
        #: A line on what has left the scope.
        self.swept = ""

    @property
    def is_complete(self) -> bool:
        """Whether all was read and indexed, and no deletion was refused."""
        index = self._indexing
        is_swept = not index or not index.scope or index.scope.run.complete
        return (
            is_swept and not self.unreadable and not (index and index.writers.is_lossy)
        )

    def run(self, names: Sequence[str]) -> None:
        """Convert the files that are not done yet.

        Raises :exc:`.BatchError` or :exc:`.IndexUnavailable` where it cannot begin.
        ``KeyboardInterrupt`` ends it; files that are done stay.
        """
        with interrupt_on_sigterm(), show_log(self._progress):
            try:
                sources = find_inputs(names, format_of)
                sources = [each for each in sources if not self._is_known(each)]
                self._sizes = {each: each.size for each in sources}
                if sources and self._work.engine == "local":
                    self._run_local(sources)
                elif sources:
                    self._run_cluster(sources)
            finally:
                self._progress.close()
                self.seconds = self._progress.seconds

    def _is_known(self, source: Location) -> bool:
        if self._work.overwrite:
            return False
        is_known = self._work.conversion.read_totals(source) is not None
        self.known += is_known
        return is_known

    def _run_local(self, sources: Sequence[Location]) -> None:
        work, conversion = self._work, self._work.conversion
        with ExitStack() as stack:
            extractor = PoolExtractor(
                conversion.extraction, work.processes or 1, self._show
            )
            stack.callback(extractor.pool.close)
            hooks: dict[str, Any] = {}
            if work.indexes:
                index = self._indexing = Indexing(self._settings, work, self._show)
                stack.enter_context(index.opened())
                hooks = {"receive": index.receive, "settle": index.writers.settle}
                index.note(is_read=not self.known)
            if conversion.folder:
                delete_leftovers(conversion, sources)
            for source in sources:
                self._current = FileConversion(source, conversion)
                self._end(source, self._current.run(extractor, **hooks))
            self.deaths = extractor.pool.died
            if self._indexing:
                self.swept = self._indexing.sweep()

    def _end(self, source: Location, problem: str | None) -> None:
        """Count a file that is converted, or could not be."""
        totals = self._current.totals if self._current else Counter()
        self._current = None
        self._done_bytes += self._sizes[source]
        if problem is None:
            self.files += 1
            self.totals.update(totals)
        else:
            last = (problem.strip() or "unknown").splitlines()[-1]
            named = last if str(source) in last else f"{source}: {last}"
            self.unreadable[source] = named
        if self._indexing:
            cut = [totals[f"failed/{code}"] for code in (CORRUPT, TRUNCATED)]
            self._indexing.note(is_read=problem is None and not any(cut))

    def _run_cluster(self, sources: Sequence[Location]) -> None:
        work = self._work
        folder = Location(work.conversion.folder or "").absolute().name
        conversion = replace(work.conversion, folder=folder)
        engines = {"ray": convert_with_ray, "spark": convert_with_spark}
        shared = [each.absolute() for each in sources]
        convert = engines[work.engine]
        for result in convert(shared, conversion, work.address, work.processes):
            source = sources[result.number]
            self._current = FileConversion(source, conversion)
            self._current.totals.update(result.totals)
            self._end(source, result.problem)
            self._show()

    # --- Progress and report ---------------------------------------------------

    def _show(self) -> None:
        if not self._progress.is_due:
            return
        totals, done = self.totals.copy(), float(self._done_bytes)
        if file := self._current:
            totals.update(file.totals)
            done += file.share * self._sizes[file.source]
        pages, failed = totals["pages"], sum(_of(totals, "failed").values())
        numbers = [f"{self.files:,} of {number_of(len(self._sizes), 'file')}"]
        numbers += [number_of(pages, "page")] if pages else []
        numbers += [f"{failed:,} failed"] if failed else []
        if pages and self._progress.seconds:
            numbers.append(f"{pages / self._progress.seconds:.0f} pages/s")
        size = sum(self._sizes.values())
        share = min(done / size, 1.0) if size else None
        self._progress.show(", ".join(numbers), share)

    def report(self) -> str:
        """The counts of the run in a few lines."""
        if self.known and not self.files and not self.unreadable:
            return f"nothing to do: {number_of(self.known, 'file')} done before"
        unread = [f"not read: {to_line(each)}" for each in self.unreadable.values()]
        if not self.files:
            return "\n".join(["no file was converted", *unread])
        pages, total = self.totals["pages"], self.totals["words_total"]
        speed = pages / self.seconds if self.seconds else 0.0
        lines = [
            f"{number_of(pages, 'page')} of {number_of(self.files, 'file')} in "
            f"{self.seconds:.1f} s: {speed:.0f} pages/s"
        ]
        if self.known:
            lines.append(f"done before: {number_of(self.known, 'file')}")
        if total:
            words = self.totals["words"]
            lines.append(f"words kept: {words:,} of {total:,} ({words / total:.0%})")
        lines += _reasons("failed", _of(self.totals, "failed"))
        lines += _reasons("left out", left := _of(self.totals, "skipped"))
        if NO_HTML in left and not pages:
            lines.append("where a field has the pages, name it: --field html=FIELD")
        if self.deaths:
            lines.append(f"processes that died: {self.deaths:,}")
        lines += [self.swept] if self.swept else []
        counts = self._indexing.writers.counts if self._indexing else {}
        return "\n".join([*lines, *unread, *describe(counts)])


def _of(totals: Counter[str], kind: str) -> Counter[str]:
    """The counts of a kind, by their codes."""
    return Counter(
        {
            name.partition("/")[2]: number
            for name, number in totals.items()
            if name.startswith(f"{kind}/")
        }
    )


def _reasons(name: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    reasons = ", ".join(f"{code} {count:,}" for code, count in counts.most_common())
    return [f"{name}: {counts.total():,} ({reasons})"]
