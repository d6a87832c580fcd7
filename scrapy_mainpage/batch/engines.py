"""Engines that convert files: processes of this machine, Spark, and Ray Data.

On this machine a process reads and writes, and the others extract. On a cluster each
file is a task.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import Any, Final, NamedTuple

import pyarrow as pa

from ..processes import Outcome, Pool
from ..processes.worker import (
    ProcessError,
    WorkerDied,
    WorkerTimedOut,
)
from . import BatchError
from .convert import Conversion, FileConversion, extract_here
from .extract import BatchExtractor, Extraction
from .locations import Location
from .schema import Row, make_error

logger = logging.getLogger(__name__)

MAX_SECONDS: Final = 60.0
"""Time for a page, and for a list of pages before each of them is tried alone."""

_TICK_SECONDS: Final = 0.1
_MAX_TASKS: Final = 10_000


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
        self.pool = Pool(processes, _prepare, extraction, seconds)
        self._most_waiting = 2 * processes
        self._tick = tick

    def __call__(self, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
        """Yield the rows of each batch. Raises :exc:`.WorkerNotStarted`."""
        waiting: deque[tuple[list[Row], Future[Outcome]]] = deque()
        for rows in batches:
            waiting.append((rows, self.pool.submit(rows)))
            if len(waiting) > self._most_waiting:
                yield self._result(*waiting.popleft())
        while waiting:
            yield self._result(*waiting.popleft())

    def _result(self, rows: list[Row], future: Future[Outcome]) -> list[Row]:
        while not wait([future], _TICK_SECONDS).done:
            self._tick()
        try:
            found: list[Row] = future.result().answer
        except (WorkerDied, WorkerTimedOut) as error:
            if len(rows) > 1:
                alone = [([row], self.pool.submit([row])) for row in rows]
                return [self._result(*each)[0] for each in alone]
            return [_lost(rows[0], error)]
        return found


def _prepare(extraction: Extraction) -> Callable[[list[Row]], list[Row]]:
    """The function that does tasks in a worker."""
    extractor = BatchExtractor(extraction)
    return lambda rows: [extractor.extract_row(row) for row in rows]


def _lost(row: Row, error: ProcessError) -> Row:
    url, code = row.get("url"), error.reason
    logger.warning("A process ended (%s: %s) at the page %s", code, error, url)
    message = f"the process that had the page ended: {error}"
    return {**make_error(code, message, url), "crawled_at": row.get("crawled_at")}


# --- Clusters --------------------------------------------------------------------


class Result(NamedTuple):
    """The number of a file with its totals in JSON, and the problem that ended it."""

    number: int
    totals: str
    problem: str | None


#: The results of a task, as Arrow and Spark have them.
RESULT: Final = pa.schema(
    [("number", pa.int64()), ("totals", pa.string()), ("problem", pa.string())]
)
_SPARK_RESULT: Final = "number long, totals string, problem string"


def convert_files(
    batches: Iterable[pa.RecordBatch],
    conversion: Conversion,
    sources: Sequence[Location],
) -> Iterator[pa.RecordBatch]:
    """Convert the files whose numbers the batches have; a cluster calls it."""
    extract = extract_here(conversion.extraction)
    for batch in batches:
        for number in batch.column("number").to_pylist():
            file = FileConversion(sources[number], conversion)
            problem = file.run(extract)
            row = {"number": number, "totals": json.dumps(file.totals)}
            if problem is not None:  # engines send text as UTF-8
                row["problem"] = problem.encode("utf-8", "replace").decode()
            yield pa.RecordBatch.from_pylist([row], schema=RESULT)


def convert_with_spark(
    sources: Sequence[Location],
    conversion: Conversion,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[Result]:
    """Convert files; yield their results.

    *address* is the URL of the master; without one it is that of Spark's configuration,
    or this machine with so many *processes*. An active session is used. Raises
    :exc:`.BatchError` if Spark fails.
    """
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # Spark's default is the first python3 in the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    active = SparkSession.getActiveSession()
    try:
        session: Any = active or _start_spark(address, processes)
        try:
            rows = [(number,) for number in range(len(sources))]
            files = session.createDataFrame(rows, "number long")
            files = files.repartition(min(len(rows), _MAX_TASKS))
            convert = partial(convert_files, conversion=conversion, sources=sources)
            found = files.mapInArrow(convert, _SPARK_RESULT).collect()
        finally:
            if not active:
                session.stop()
    except PySparkException as error:
        hint = " (it needs Java 17 or newer)" if "JAVA" in str(error) else ""
        problem = str(error).strip().splitlines()[0]
        raise BatchError(f"Spark: {problem}{hint}") from error
    yield from (Result(**row.asDict()) for row in found)


def _start_spark(address: str | None, processes: int | None) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("scrapy mainpage-batch")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.log.level", "ERROR")
    if address or processes:
        builder = builder.master(address or f"local[{processes}]")
    return builder.getOrCreate()


def convert_with_ray(
    sources: Sequence[Location],
    conversion: Conversion,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[Result]:
    """Convert files; yield their results.

    *address* is that of a cluster; without one it is this machine with so many
    *processes*. An existing connection is used. Raises :exc:`.BatchError` if Ray fails.
    """
    import ray
    import ray.data  # it sets up its log
    from ray.exceptions import RayError

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    local = {} if address else {"num_cpus": processes, "include_dashboard": False}
    is_ours = not ray.is_initialized()
    try:
        if is_ours:
            options: dict[str, Any] = {"logging_level": logging.ERROR, **local}
            ray.init(address=address, log_to_driver=False, **options)
        ray.data.DataContext.get_current().enable_progress_bars = False
        rows = [{"number": number} for number in range(len(sources))]
        files = ray.data.from_items(rows, override_num_blocks=len(rows))
        # A function of a module is imported on the workers, not sent to them.
        convert = partial(_convert_table, conversion=conversion, sources=sources)
        found = files.map_batches(convert, batch_format="pyarrow", batch_size=1)
        tables: Any = found.iter_batches(batch_format="pyarrow", batch_size=None)
        for table in tables:
            yield from (Result(**row) for row in table.to_pylist())
    except (RayError, ConnectionError) as error:
        raise BatchError(f"Ray: {str(error).splitlines()[0]}") from error
    finally:
        if is_ours:
            ray.shutdown()


def _convert_table(table: pa.Table, **arguments: Any) -> pa.Table:
    return pa.Table.from_batches(convert_files(table.to_batches(), **arguments))
