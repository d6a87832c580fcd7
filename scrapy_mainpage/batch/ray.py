"""Files shared out by Ray: each of them is a task."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from .converting import Conversion, task
from .errors import BatchError


def convert_with_ray(
    paths: Sequence[Path],
    conversion: Conversion,
    *,
    address: str | None = None,
    processes: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Convert files, and yield what came of each: rows of :data:`.converting.OUTCOME`.

    *address* is that of a cluster; without one it is this machine, of which so many
    *processes* are used. A connection that there is already is used. Raises
    :exc:`.BatchError` if Ray fails.
    """
    import ray
    from ray.exceptions import RayError

    is_ours = not ray.is_initialized()
    try:
        if is_ours:
            _connect(address, processes)
        yield from _converted(paths, conversion)
    except (RayError, ConnectionError) as error:
        raise BatchError(f"Ray: {str(error).splitlines()[0]}") from error
    finally:
        if is_ours:
            ray.shutdown()


def _connect(address: str | None, processes: int | None) -> None:
    import ray
    import ray.data  # it makes its log

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    here: dict[str, Any] = {} if address else {"num_cpus": processes}
    if not address:
        here["include_dashboard"] = False
    ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, **here)


def _converted(
    paths: Sequence[Path], conversion: Conversion
) -> Iterator[dict[str, Any]]:
    import ray.data

    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"path": str(path.absolute())} for path in paths]
    files = ray.data.from_items(rows, override_num_blocks=len(rows))
    # A function of this module is not sent: it is imported where it is needed.
    found = files.map_batches(
        partial(_convert, conversion=conversion), batch_format="pyarrow", batch_size=1
    )
    tables: Any = found.iter_batches(batch_format="pyarrow", batch_size=None)
    for table in tables:
        yield from table.to_pylist()


def _convert(table: pa.Table, conversion: Conversion) -> pa.Table:
    return pa.Table.from_batches(task(conversion)(iter(table.to_batches())))
