"""Parquet files with a page in each row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import BatchError
from .base import UNREADABLE, Found, Source, even_parts, failed
from .columns import chosen, row_of

_ROWS = 64


class ParquetSource(Source):
    """A Parquet file; positions are rows.

    Raises :exc:`.BatchError` for one without a column of pages, ``OSError`` or
    :exc:`pyarrow.ArrowException` for what is none.
    """

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        self._file = pq.ParquetFile(path)
        names = self._file.schema_arrow.names
        self._places = chosen(names, columns)
        if "html" not in self._places:
            self._file.close()
            raise BatchError(f"{path}: no column of pages among {', '.join(names)}")
        data = self._file.metadata
        sizes = (data.row_group(k).num_rows for k in range(data.num_row_groups))
        #: Where each row group begins, and the end.
        self._bounds = [0, *accumulate(sizes)]
        self.end = self._bounds[-1]

    def parts(self, most: int) -> list[tuple[int, int]]:
        """As :meth:`Source.parts`: whole row groups, if there are enough of them."""
        count = len(self._bounds) - 1
        if count < most // 2:
            return even_parts(self.end, most // 2, _ROWS)
        groups = even_parts(count, most, 1)
        return [(self._bounds[first], self._bounds[end]) for first, end in groups]

    def read(self, start: int, end: int) -> Iterator[Found]:
        """As :meth:`Source.read`; of a row group that is broken nothing is read."""
        while start < end:
            group = bisect_right(self._bounds, start) - 1
            first, after = self._bounds[group], self._bounds[group + 1]
            last = start
            try:
                for last, found in self._group(group, first, start):
                    if last >= end:
                        return
                    yield found
            except (OSError, pa.ArrowException) as error:
                message = f"row {last:,}: {str(error)[:300]}"
                yield Found(last, after, failed(UNREADABLE, message))
            start = after

    def _group(
        self, group: int, number: int, start: int
    ) -> Iterator[tuple[int, Found]]:
        """The rows of a group from *start* on; its first one has that number."""
        columns = list(dict.fromkeys(self._places.values()))
        batches = self._file.iter_batches(_ROWS, row_groups=[group], columns=columns)
        for batch in batches:
            if number + batch.num_rows > start:
                behind = max(start - number, 0)
                for k in range(behind, batch.num_rows):
                    values = {name: batch.column(name)[k].as_py() for name in columns}
                    row = row_of(values, self._places)
                    yield number + k, Found(number + k, number + k + 1, row)
            number += batch.num_rows

    def close(self) -> None:
        """Close the file."""
        self._file.close()


__all__ = ["ParquetSource"]
