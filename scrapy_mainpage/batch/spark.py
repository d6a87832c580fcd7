"""Conversion of files by Spark, each file a task of ``mapInArrow``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Final

from .batch_errors import BatchError
from .convert import Conversion, Result, make_task
from .locations import Location

_MAX_TASKS: Final = 10_000
_TICK_SECONDS: Final = 0.2


def convert_with_spark(
    sources: Sequence[Location],
    conversion: Conversion,
    *,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[Result | None]:
    """Convert files; yield their results, and ``None`` now and then meanwhile.

    *address* is the URL of the master; without one it is that of Spark's configuration,
    or this machine with so many *processes*. An active session is used. Raises
    :exc:`.BatchError` if Spark fails.
    """
    from pyspark.errors import PySparkException

    # Spark's default is the first python3 in the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        session, is_ours = _open_session(address, processes)
        try:
            with ThreadPoolExecutor(1) as executor:
                future = executor.submit(_run, session, sources, conversion)
                while not wait([future], _TICK_SECONDS).done:
                    yield None
                yield from (Result(**row.asDict()) for row in future.result())
        finally:
            if is_ours:
                session.stop()
    except PySparkException as error:
        hint = " (it needs Java 17 or newer)" if "JAVA" in str(error) else ""
        problem = str(error).strip().splitlines()[0]
        raise BatchError(f"Spark: {problem}{hint}") from error


def _open_session(address: str | None, processes: int | None) -> tuple[Any, bool]:
    from pyspark.sql import SparkSession

    if session := SparkSession.getActiveSession():
        return session, False
    builder = SparkSession.builder.appName("scrapy mainpage-batch")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.log.level", "ERROR")
    if address or processes:
        builder = builder.master(address or f"local[{processes}]")
    return builder.getOrCreate(), True


def _run(session: Any, sources: Sequence[Location], conversion: Conversion) -> Any:
    rows = [(source.absolute().name,) for source in sources]
    files = session.createDataFrame(rows, "path string")
    files = files.repartition(min(len(rows), _MAX_TASKS))
    schema = "path string, totals string, problem string"
    return files.mapInArrow(make_task(conversion), schema).collect()
