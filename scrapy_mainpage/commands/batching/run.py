"""Files in, Parquet files or indexes out; and how far that is, meanwhile."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scrapy_mainpage.batch.errors import BatchError
from scrapy_mainpage.batch.local import LocalPool, Part
from scrapy_mainpage.batch.outputs import known_totals, origin_of, output_path
from scrapy_mainpage.batch.sources import open_source
from scrapy_mainpage.batch.totals import Totals
from scrapy_mainpage.batch.worker import Answer
from scrapy_mainpage.commands.progress import Progress, shown_log
from scrapy_mainpage.processes.messages import Failure

from .indexing import IndexOutput
from .outcome import Outcome
from .writing import Output, Outputs, Work

if TYPE_CHECKING:
    from scrapy_mainpage.settings import Settings

_PART: Final = 8 * 2**20
"""Bytes of a file, about, that a process takes at a time."""

_PARTS: Final = 8
"""A small file is shared in so many parts for each process."""


class BatchRun:
    """One run over files; says how far it is on standard error."""

    def __init__(self, settings: Settings, work: Work) -> None:
        self._settings, self._work = settings, work
        self._progress = Progress(sys.stderr)
        self.outcome = Outcome()
        self.is_indexed = True
        self._sizes: dict[Path, int] = {}
        self._done = self._more = 0.0  # bytes of files at their end, and of the next
        self._current = Totals()

    def run(self, paths: Sequence[Path]) -> None:
        """Work the files off that are not done yet.

        Raises :exc:`.BatchError` or :exc:`.IndexUnavailable` where it cannot begin.
        ``KeyboardInterrupt`` ends it: files that are done stay.
        """
        with _interruptible(), shown_log(self._progress):
            try:
                paths = [path for path in paths if not self._is_known(path)]
                self._sizes = {path: path.stat().st_size for path in paths}
                if self._work.engine == "local":
                    self._run_here(paths)
                else:
                    self._run_elsewhere(paths)
            finally:
                self._progress.clear()
                self.outcome.seconds = self._progress.seconds

    def _is_known(self, path: Path) -> bool:
        work = self._work
        if work.folder is None or work.overwrite:
            return False
        origin = origin_of(path, work.conversion.making)
        known = known_totals(output_path(work.folder, path), origin)
        self.outcome.known += known is not None
        return known is not None

    # --- On this machine -----------------------------------------------------

    def _run_here(self, paths: Sequence[Path]) -> None:
        processes = self._work.processes or 1
        setup = self._work.conversion.setup
        with ExitStack() as stack:
            index = self._opened_index(stack)
            pool = stack.enter_context(LocalPool(processes, setup))
            outputs = stack.enter_context(Outputs(self._work, index))
            for told in pool.work(self._parts(paths, processes)):
                self.outcome.deaths = pool.deaths
                self._tick()
                part, answer = told
                if part is None or part.path in self.outcome.unreadable:
                    continue
                if isinstance(answer, Failure):
                    self._refuse(part.path, answer.details)
                    outputs.close()
                elif answer is not None:
                    self._take(part, answer, outputs.of(part.path))

    def _take(self, part: Part, answer: Answer, output: Output) -> None:
        output.take(answer)
        busy = self.outcome.busy
        busy[answer.process] = busy.get(answer.process, 0.0) + answer.seconds
        share = min(answer.next / part.whole, 1.0) if part.whole else 1.0
        self._current = output.totals
        self._more = share * self._sizes[part.path]
        if answer.is_done and part.is_last:
            output.finish()
            self._finish(part.path, output.totals)

    def _opened_index(self, stack: ExitStack) -> IndexOutput | None:
        if not self._work.indexes:
            return None
        index = IndexOutput(self._settings, self._work.indexes, self._tick)

        def close() -> None:
            index.close()
            self.outcome.index = index.report()
            self.is_indexed = index.is_complete

        stack.callback(close)
        index.open()
        return index

    def _parts(self, paths: Sequence[Path], processes: int) -> Iterator[Part]:
        for path in paths:
            most = max(_PARTS * processes, self._sizes[path] // _PART)
            try:
                with open_source(path, self._work.conversion.setup.opening) as source:
                    parts, end = source.parts(most), source.end
            except BatchError as error:
                self._refuse(path, str(error))
                continue
            for start, stop in parts:
                yield Part(path, start, stop, is_last=stop == end, whole=end)

    # --- On a cluster ----------------------------------------------------------

    def _run_elsewhere(self, paths: Sequence[Path]) -> None:
        known = {str(path.absolute()): path for path in paths}
        for found in self._converted(paths) if paths else ():
            path = known[found["path"]]
            if found["problem"] is not None:
                self._refuse(path, found["problem"])
            else:
                self._finish(path, Totals.from_dict(json.loads(found["totals"])))
            self._show()

    def _converted(self, paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
        work = self._work
        where: dict[str, Any] = {"address": work.address, "processes": work.processes}
        if work.engine == "ray":
            from scrapy_mainpage.batch.ray import convert_with_ray

            return convert_with_ray(paths, work.conversion, **where)
        from scrapy_mainpage.batch.spark import convert_with_spark

        def tick() -> None:
            assert work.folder is not None
            if self._progress.is_due and not work.overwrite:
                done = [p for p in paths if output_path(work.folder, p).exists()]
                self._done = sum(self._sizes[path] for path in done)
                self._show(files=len(done))

        return convert_with_spark(paths, work.conversion, tick, **where)

    # --- What came of it -------------------------------------------------------

    def _finish(self, path: Path, totals: Totals) -> None:
        self.outcome.add(totals)
        self._current, self._more = Totals(), 0.0
        self._done += self._sizes[path]

    def _refuse(self, path: Path, problem: str) -> None:
        shown = problem.strip().splitlines()[-1] if problem.strip() else "unknown"
        named = shown if str(path) in shown else f"{path}: {shown}"
        self.outcome.unreadable[path] = named
        self._done += self._sizes[path]

    def _tick(self) -> None:
        self._show()

    def _show(self, files: int | None = None) -> None:
        if not self._progress.is_due:
            return
        outcome, now = self.outcome, self._current
        pages = outcome.totals.pages + now.pages
        failed = outcome.totals.failed.total() + now.failed.total()
        done = outcome.files if files is None else files
        numbers = [f"{done:,} of {len(self._sizes):,} files"]
        numbers += [f"{pages:,} pages"] if pages else []
        numbers += [f"{failed:,} failed"] if failed else []
        if pages and self._progress.seconds:
            numbers.append(f"{pages / self._progress.seconds:.0f} pages/s")
        whole = sum(self._sizes.values())
        share = min((self._done + self._more) / whole, 1.0) if whole else None
        self._progress.show(", ".join(numbers), share)


@contextmanager
def _interruptible() -> Iterator[None]:
    """What ends a process ends the run as Ctrl-C does."""
    former = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)
