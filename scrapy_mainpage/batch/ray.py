"""Conversion of files by Ray Data, each file a task."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from .batch_errors import BatchError
from .convert import Conversion, Result, make_task
from .locations import Location


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
            _connect(address, processes)
        yield from _convert_all(sources, conversion)
    except (RayError, ConnectionError) as error:
        raise BatchError(f"Ray: {str(error).splitlines()[0]}") from error
    finally:
        if is_ours:
            ray.shutdown()


def _connect(address: str | None, processes: int | None) -> None:
    import ray
    import ray.data  # it sets up its log

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    options: dict[str, Any] = {}
    if not address:
        options = {"num_cpus": processes, "include_dashboard": False}
    ray.init(
        address=address, logging_level=logging.ERROR, log_to_driver=False, **options
    )


def _convert_all(
    sources: Sequence[Location], conversion: Conversion
) -> Iterator[Result]:
    import ray.data

    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"path": source.absolute().name} for source in sources]
    files = ray.data.from_items(rows, override_num_blocks=len(rows))
    # A function of a module is imported on the workers, not sent to them.
    found = files.map_batches(
        partial(_convert, conversion=conversion), batch_format="pyarrow", batch_size=1
    )
    tables: Any = found.iter_batches(batch_format="pyarrow", batch_size=None)
    for table in tables:
        yield from (Result(**row) for row in table.to_pylist())


def _convert(table: pa.Table, conversion: Conversion) -> pa.Table:
    return pa.Table.from_batches(make_task(conversion)(iter(table.to_batches())))
