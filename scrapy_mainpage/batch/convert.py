"""From files of pages to Parquet files, on this machine, Spark or Ray.

A file is in its place only when it is complete. With every engine its bytes are the
same: they depend on the pages and the options only. On this machine one process reads
and writes, and the others extract; on a cluster each file is a task.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..processes import Pool
from ..processes.worker import WorkerDied, WorkerTimedOut
from .extract import (
    BatchExtractor,
    Extraction,
    Row,
    make_error,
    output_schema,
    to_batch,
)
from .locations import BatchError, Location
from .sources import MAX_ROWS, Source, in_batches
from .warc import BAD_ENCODING

logger = logging.getLogger(__name__)

_KEY: Final = b"scrapy_mainpage"
"""Key of the file's metadata for its origin."""

_ROW_GROUP_BYTES: Final = 16 * 2**20
"""Bytes of a row group, about, before compression."""

MAX_SECONDS: Final = 60.0
"""Time for a page, and for a list of pages before each of them is tried alone."""

_TICK_SECONDS: Final = 0.1

#: A function that extracts lists of rows, in order.
Extract = Callable[[Iterable[list[Row]]], Iterator[list[Row]]]


@dataclass(frozen=True)
class Conversion:
    """What a run does: *reading* are arguments of :class:`.Source`."""

    extraction: Extraction
    folder: str
    reading: Mapping[str, Any] = field(default_factory=dict)

    def output(self, source: Location) -> Location:
        """The Parquet file for the pages of *source*."""
        name = f"{source.label or source.base}.parquet"
        return Location(self.folder).child(name)

    def origin(self, source: Location) -> bytes:
        """What the file is made from, and how, as JSON. Raises ``OSError``."""
        known = {
            "source": source.label or source.base,
            "size": source.size,
            "extra": self.extraction.extra,
            "algorithm": self.extraction.algorithm,
            "options": self.extraction.options,
        }
        return json.dumps(known, default=str).encode()

    def is_done(self, source: Location) -> bool:
        """Whether the output for *source* exists.

        Raises :exc:`.BatchError` if it was made from something else.
        """
        location = self.output(source)
        if not location.info:
            return False
        try:
            with location.open() as stream, pq.ParquetFile(stream) as file:
                known = (file.metadata.metadata or {}).get(_KEY)
        except (OSError, pa.ArrowException) as error:
            raise BatchError(f"{location}: {error}") from None
        if known != self.origin(source):
            raise BatchError(
                f"{location} was made from something else, or with other options: "
                "name another folder, or --overwrite it"
            )
        return True

    @contextmanager
    def writer(self, source: Location) -> Iterator[Callable[[list[Row]], None]]:
        """A function that writes rows; the file is in place if there was no error."""
        location = self.output(source)
        part = Location(self.folder).child(f".{location.base}.{os.getpid()}.part")
        schema = output_schema(self.extraction.extra)
        schema = schema.with_metadata({_KEY: self.origin(source)})
        batches: list[pa.RecordBatch] = []

        def write(rows: list[Row], least: int = _ROW_GROUP_BYTES) -> None:
            batches.append(to_batch(rows, schema))
            if sum(each.nbytes for each in batches) >= least:
                file.write_table(pa.Table.from_batches(batches))
                batches.clear()

        try:
            with (
                part.create() as stream,
                pq.ParquetWriter(stream, schema, compression="zstd") as file,
            ):
                yield write
                if batches:
                    write([], 0)
            part.move(location)
        finally:
            part.delete()

    def delete_leftovers(self, sources: Sequence[Location]) -> None:
        """Delete what killed processes have left of the outputs of these files."""
        stems = {f".{self.output(source).base}" for source in sources}
        for each in Location(self.folder).files():
            stem, _, number = each.base.removesuffix(".part").rpartition(".")
            if stem in stems and number.isdigit():
                each.delete()


class FileConversion:
    """The conversion of one file, with its counts so far.

    ``totals`` has ``pages``, ``words``, ``words_total``, ``damaged`` for pages, and
    for each code of an error ``failed/CODE``, of a record that is no page
    ``skipped/CODE``.
    """

    def __init__(self, source: Location, conversion: Conversion) -> None:
        self.source, self._conversion = source, conversion
        self.totals: Counter[str] = Counter()
        self.share = 0.0

    def run(self, extract: Extract) -> str | None:
        """Write the file; return the problem if it cannot be read or written."""
        source, conversion = self.source, self._conversion
        try:
            with (
                Source(source, **conversion.reading) as pages,
                conversion.writer(source) as write,
            ):
                for rows in extract(in_batches(pages.rows(), MAX_ROWS)):
                    self.share = pages.share
                    self._count(rows)
                    write(rows)
                skipped = pages.skipped.items()
                self.totals.update({f"skipped/{code}": n for code, n in skipped})
        except (BatchError, OSError, pa.ArrowException) as error:
            return str(error) or type(error).__name__
        return None

    def _count(self, rows: list[Row]) -> None:
        for row in rows:
            if error := row.get("error"):
                self.totals[f"failed/{error}"] += 1
                continue
            self.totals["pages"] += 1
            self.totals["damaged"] += BAD_ENCODING in row["warnings"]
            for name in ("words", "words_total"):
                self.totals[name] += row[name]


# --- On this machine -------------------------------------------------------------


def prepare(extraction: Extraction) -> Callable[[list[Row]], list[Row]]:
    """The function that extracts the rows of a list, in this process."""
    extractor = BatchExtractor(extraction)
    return lambda rows: [extractor.extract_row(row) for row in rows]


class PoolExtractor:
    """Extracts lists of rows in the processes of a pool, in order.

    *tick* is called now and then while it waits. A row that ends its process, or takes
    longer than *seconds*, is an error and costs no others.
    """

    def __init__(
        self,
        extraction: Extraction,
        processes: int,
        tick: Callable[[], None] = lambda: None,
        seconds: float = MAX_SECONDS,
    ) -> None:
        self.pool = Pool(processes, prepare, extraction, seconds)
        self._most_waiting = 2 * processes
        self._tick = tick

    def __call__(self, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
        """Yield the rows of each batch. Raises :exc:`.WorkerNotStarted`."""
        waiting: deque[tuple[list[Row], Future[Any]]] = deque()
        for rows in batches:
            waiting.append((rows, self.pool.submit(rows)))
            if len(waiting) > self._most_waiting:
                yield self._result(*waiting.popleft())
        while waiting:
            yield self._result(*waiting.popleft())

    def _result(self, rows: list[Row], future: Future[Any]) -> list[Row]:
        while not wait([future], _TICK_SECONDS).done:
            self._tick()
        try:
            found: list[Row] = future.result()
        except (WorkerDied, WorkerTimedOut) as error:
            if len(rows) > 1:
                alone = [([row], self.pool.submit([row])) for row in rows]
                return [self._result(*each)[0] for each in alone]
            url, code = rows[0].get("url"), error.reason
            logger.warning("A process ended (%s: %s) at the page %s", code, error, url)
            lost = make_error(
                code, f"the process that had the page ended: {error}", url
            )
            return [{**lost, "crawled_at": rows[0].get("crawled_at")}]
        return found


# --- Clusters --------------------------------------------------------------------


#: The number of a file, its totals, and the problem that ended it, if any.
Result = tuple[int, Counter[str], str | None]


def convert_file(
    number: int, conversion: Conversion, sources: Sequence[Location]
) -> Result:
    """Convert the file of that number; a cluster calls it."""
    file = FileConversion(sources[number], conversion)
    problem = file.run(partial(map, prepare(conversion.extraction)))
    return number, file.totals, problem


def convert_with_spark(
    convert: Callable[[int], Result],
    files: int,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[Result]:
    """Convert so many files; yield their results.

    *address* is the URL of the master; without one it is that of Spark's configuration,
    or this machine with so many *processes*. Raises :exc:`.BatchError` if Spark fails.
    """
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # Spark's default is the first python3 in the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.appName("scrapy mainpage-batch")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.log.level", "ERROR")
    if address or processes:
        builder = builder.master(address or f"local[{processes}]")
    try:
        session = builder.getOrCreate()
        try:
            numbers = session.sparkContext.parallelize(range(files), files)
            yield from numbers.map(convert).collect()
        finally:
            session.stop()
    except PySparkException as error:
        hint = " (it needs Java 17 or newer)" if "JAVA" in str(error) else ""
        problem = str(error).strip().splitlines()[0]
        raise BatchError(f"Spark: {problem}{hint}") from error


def convert_with_ray(
    convert: Callable[[int], Result],
    files: int,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[Result]:
    """Convert so many files; yield their results as they come.

    *address* is that of a cluster; without one it is this machine with so many
    *processes*. Raises :exc:`.BatchError` if Ray fails.
    """
    import ray
    from ray.exceptions import RayError

    options: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if not address:
        options |= {"num_cpus": processes, "include_dashboard": False}
    try:
        with ray.init(address=address, **options):
            task, shared = ray.remote(_call), ray.put(convert)
            running = [task.remote(shared, number) for number in range(files)]
            while running:
                done, running = ray.wait(running)
                yield from ray.get(done)
    except (RayError, ConnectionError) as error:
        raise BatchError(f"Ray: {str(error).splitlines()[0]}") from error


def _call(convert: Callable[[int], Result], number: int) -> Result:
    return convert(number)


ENGINES: Final = {"spark": convert_with_spark, "ray": convert_with_ray}
