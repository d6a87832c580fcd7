"""From a file of pages to a Parquet file of their extractions, in one process.

This is what a task of a cluster does; the processes of one machine share files, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final

import pyarrow as pa

from .errors import BatchError
from .extracting import BatchExtractor, to_batch
from .outputs import ParquetOutput, origin_of, output_path
from .reading import chunks
from .schema import INPUT_SCHEMA
from .sources import open_source
from .totals import Totals
from .worker import Setup

#: What a task says of each file: what it came to, in JSON, or why there is nothing.
OUTCOME: Final = pa.schema(
    [
        pa.field("path", pa.string()),
        pa.field("totals", pa.string()),
        pa.field("problem", pa.string()),
    ]
)


@dataclass(frozen=True)
class Conversion:
    """What becomes of files: *folder* is for those that are written.

    *making* is what makes two of the same file different.
    """

    setup: Setup
    folder: Path
    making: Mapping[str, Any]


def convert(path: Path, conversion: Conversion) -> Totals:
    """Write the Parquet file of the file at *path*, and say what came of it.

    Raises :exc:`.BatchError` if it cannot be read, ``OSError`` if that cannot be
    written.
    """
    started = process_time()
    setup = conversion.setup
    extractor = BatchExtractor(setup.extraction)
    target = output_path(conversion.folder, path)
    with open_source(path, setup.opening) as source:
        origin = origin_of(path, conversion.making)
        with ParquetOutput(target, extractor.schema, origin) as output:
            for chunk in chunks(source.read(0, source.end)):
                output.totals.skipped.update(chunk.skipped)
                output.write(extractor.extract(to_batch(chunk.rows, INPUT_SCHEMA)))
            output.totals.seconds = process_time() - started
            output.finish()
    return output.totals


def task(
    conversion: Conversion,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a cluster calls with batches of paths; it gives those of :data:`OUTCOME`."""

    def convert_all(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            paths = batch.column("path").to_pylist()
            rows = [_outcome(path, conversion) for path in paths]
            yield pa.RecordBatch.from_pylist(rows, schema=OUTCOME)

    return convert_all


def _outcome(path: str, conversion: Conversion) -> dict[str, Any]:
    try:
        totals = convert(Path(path), conversion)
    except (BatchError, OSError, pa.ArrowException) as error:
        return {"path": path, "problem": str(error)}
    return {"path": path, "totals": json.dumps(totals.as_dict())}
