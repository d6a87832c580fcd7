"""Conversion of files by Spark or Ray Data, each file a task."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Final

import pyarrow as pa

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
        session, is_ours = _open_spark(address, processes)
        try:
            with ThreadPoolExecutor(1) as executor:
                future = executor.submit(_run_spark, session, sources, conversion)
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


def _open_spark(address: str | None, processes: int | None) -> tuple[Any, bool]:
    from pyspark.sql import SparkSession

    if session := SparkSession.getActiveSession():
        return session, False
    builder = SparkSession.builder.appName("scrapy mainpage-batch")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.log.level", "ERROR")
    if address or processes:
        builder = builder.master(address or f"local[{processes}]")
    return builder.getOrCreate(), True


def _run_spark(
    session: Any, sources: Sequence[Location], conversion: Conversion
) -> Any:
    rows = [(source.absolute().name,) for source in sources]
    files = session.createDataFrame(rows, "path string")
    files = files.repartition(min(len(rows), _MAX_TASKS))
    schema = "path string, totals string, problem string"
    return files.mapInArrow(make_task(conversion), schema).collect()


def convert_with_ray(
    sources: Sequence[Location],
    conversion: Conversion,
    *,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[Result | None]:
    """Convert files; yield their results.

    *address* is that of a cluster; without one it is this machine with so many
    *processes*. An existing connection is used. Raises :exc:`.BatchError` if Ray fails.
    """
    import ray
    from ray.exceptions import RayError

    is_ours = not ray.is_initialized()
    try:
        if is_ours:
            _connect_ray(address, processes)
        yield from _run_ray(sources, conversion)
    except (RayError, ConnectionError) as error:
        raise BatchError(f"Ray: {str(error).splitlines()[0]}") from error
    finally:
        if is_ours:
            ray.shutdown()


def _connect_ray(address: str | None, processes: int | None) -> None:
    import ray
    import ray.data  # it sets up its log

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    options: dict[str, Any] = {}
    if not address:
        options = {"num_cpus": processes, "include_dashboard": False}
    ray.init(
        address=address, logging_level=logging.ERROR, log_to_driver=False, **options
    )


def _run_ray(sources: Sequence[Location], conversion: Conversion) -> Iterator[Result]:
    import ray.data

    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"path": source.absolute().name} for source in sources]
    files = ray.data.from_items(rows, override_num_blocks=len(rows))
    # A function of a module is imported on the workers, not sent to them.
    found = files.map_batches(
        partial(_convert_table, conversion=conversion),
        batch_format="pyarrow",
        batch_size=1,
    )
    tables: Any = found.iter_batches(batch_format="pyarrow", batch_size=None)
    for table in tables:
        yield from (Result(**row) for row in table.to_pylist())


def _convert_table(table: pa.Table, conversion: Conversion) -> pa.Table:
    return pa.Table.from_batches(make_task(conversion)(iter(table.to_batches())))
