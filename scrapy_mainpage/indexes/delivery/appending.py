"""Adding to a file as a whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from io import FileIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def open_to_append(path: Path) -> FileIO:
    """Open the file without a buffer: what was written outlives the process."""
    return FileIO(path, "ab")


def append(file: FileIO, data: bytes) -> None:
    """Add the data at the end of the file.

    Raises :exc:`OSError`, such as for a full disk, and nothing of it is there then.
    """
    end = file.seek(0, os.SEEK_END)
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except BaseException:
        # Without this, too, a reader knows an unfinished line from a whole one.
        with suppress(OSError):
            file.truncate(end)
        raise
