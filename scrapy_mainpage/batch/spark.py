"""Files shared out by Spark: each of them is a task."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Final

from .converting import Conversion, task
from .errors import BatchError

_MOST_TASKS: Final = 10_000
_TICK: Final = 0.2


def convert_with_spark(
    paths: Sequence[Path],
    conversion: Conversion,
    tick: Callable[[], None],
    *,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Convert files, and yield what came of each: rows of :data:`.converting.OUTCOME`.

    *address* is the URL of the master; without one it is that of Spark's configuration,
    or this machine with so many *processes*. A session that there is already is used.
    *tick* is called again and again meanwhile. Raises :exc:`.BatchError` if Spark
    fails.
    """
    from pyspark.errors import PySparkException

    # Spark takes whatever is called python3, where nothing is said.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        session, is_ours = _session(address, processes)
        try:
            with ThreadPoolExecutor(1) as executor:
                future = executor.submit(_run, session, paths, conversion)
                yield from _waited(future, tick)
        finally:
            if is_ours:
                session.stop()
    except PySparkException as error:
        needs = " (it needs Java 17 or newer)" if "JAVA" in str(error) else ""
        what = str(error).strip().splitlines()[0]
        raise BatchError(f"Spark: {what}{needs}") from error


def _session(address: str | None, processes: int | None) -> tuple[Any, bool]:
    from pyspark.sql import SparkSession

    if session := SparkSession.getActiveSession():
        return session, False
    builder = SparkSession.builder.appName("scrapy mainpage-batch")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.log.level", "ERROR")
    if address or processes:
        builder = builder.master(address or f"local[{processes}]")
    return builder.getOrCreate(), True


def _run(session: Any, paths: Sequence[Path], conversion: Conversion) -> list[Any]:
    rows = [(str(path.absolute()),) for path in paths]
    files = session.createDataFrame(rows, "path string")
    files = files.repartition(min(len(rows), _MOST_TASKS))
    schema = "path string, totals string, problem string"
    found: list[Any] = files.mapInArrow(task(conversion), schema).collect()
    return found


def _waited(
    future: Future[list[Any]], tick: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    while not wait([future], _TICK).done:
        tick()
    yield from (row.asDict() for row in future.result())
