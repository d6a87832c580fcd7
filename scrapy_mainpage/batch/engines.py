"""Engines that convert files: processes of this machine, Spark, and Ray Data.

On this machine a process reads and writes, and the others extract. On a cluster each
file is a task.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import Any, Final, NamedTuple

from ..processes import Outcome, Pool
from ..processes.worker import (
    ProcessError,
    WorkerDied,
    WorkerTimedOut,
)
from .convert import Conversion, FileConversion, extract_here
from .extract import BatchExtractor, Extraction
from .locations import BatchError, Location
from .schema import Row, make_error

logger = logging.getLogger(__name__)

MAX_SECONDS: Final = 60.0
"""Time for a page, and for a list of pages before each of them is tried alone."""

_TICK_SECONDS: Final = 0.1


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
    """The number of a file, its totals, and the problem that ended it, if any."""

    number: int
    totals: Counter[str]
    problem: str | None


def convert_file(
    number: int, conversion: Conversion, sources: Sequence[Location]
) -> Result:
    """Convert the file of that number; a cluster calls it."""
    file = FileConversion(sources[number], conversion)
    problem = file.run(extract_here(conversion.extraction))
    return Result(number, file.totals, problem)


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
            numbers = range(len(sources))
            files = session.sparkContext.parallelize(numbers, len(numbers))
            convert = partial(convert_file, conversion=conversion, sources=sources)
            yield from files.map(convert).collect()
        finally:
            if not active:
                session.stop()
    except PySparkException as error:
        hint = " (it needs Java 17 or newer)" if "JAVA" in str(error) else ""
        problem = str(error).strip().splitlines()[0]
        raise BatchError(f"Spark: {problem}{hint}") from error


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
    """Convert files; yield their results as they come.

    *address* is that of a cluster; without one it is this machine with so many
    *processes*. An existing connection is used. Raises :exc:`.BatchError` if Ray fails.
    """
    import ray
    from ray.exceptions import RayError

    local = {} if address else {"num_cpus": processes, "include_dashboard": False}
    is_ours = not ray.is_initialized()
    try:
        if is_ours:
            options: dict[str, Any] = {"logging_level": logging.ERROR, **local}
            ray.init(address=address, log_to_driver=False, **options)
        task, shared = ray.remote(convert_file), ray.put(sources)
        running = [task.remote(k, conversion, shared) for k in range(len(sources))]
        while running:
            done, running = ray.wait(running)
            yield from ray.get(done)
    except (RayError, ConnectionError) as error:
        raise BatchError(f"Ray: {str(error).splitlines()[0]}") from error
    finally:
        if is_ours:
            ray.shutdown()
