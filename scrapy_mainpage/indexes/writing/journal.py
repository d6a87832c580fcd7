"""What was accepted for an index and is not in it yet, on disk.

A killed process loses nothing of it: the next one finds what is left. Every run has a
folder of its own, with a locked file as long as it lives, and in it a file of lines for
each batch.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import uuid
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from .locks import locked, try_lock
from .operations import Operation, as_line

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

_LOCK: Final = "lock"
_SUFFIX: Final = ".jsonl"


class Segment:
    """The file of one batch."""

    def __init__(self, path: Path):
        self.path = path
        self._file: IO[bytes] | None = None
        self._end = 0

    def append(self, operation: Operation) -> None:
        """Write the operation; it outlives the process, though not a power cut.

        Raises :exc:`OSError`, and nothing of it is in the file then.
        """
        if self._file is None:
            self._file = self.path.open("wb", buffering=0)
        line = as_line(operation.as_dict())
        try:
            written = self._file.write(line)
            while written < len(line):
                written += self._file.write(line[written:])
        except OSError:
            self._file.truncate(self._end)
            self._file.seek(self._end)
            raise
        self._end += len(line)

    def close(self) -> None:
        """Write no more; the file stays."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def remove(self) -> None:
        """All of it is somewhere else now."""
        self.close()
        self.path.unlink(missing_ok=True)

    def operations(self) -> Iterator[Operation]:
        """Yield what is in the file, without a last line that was not finished."""
        with self.path.open("rb") as file:
            for line in file:
                if operation := self._read(line):
                    yield operation

    def _read(self, line: bytes) -> Operation | None:
        try:
            return Operation.from_dict(json.loads(line))
        except (TypeError, ValueError):
            logger.warning("Not a whole line in %s: %.80r", self.path, line)
            return None


class Journal:
    """The journal of one run for one index, and what earlier runs have left.

    Raises :exc:`OSError` if there can be none in *folder*.
    """

    def __init__(self, folder: Path):
        self._home = folder
        self._folder = folder / uuid.uuid4().hex
        self._count = 0
        self._taken: list[tuple[Path, IO[bytes]]] = []
        self._left: list[Segment] = []
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / _LOCK):
            self._take_left()
            self._folder.mkdir()
            self._lock = (self._folder / _LOCK).open("ab")
            try_lock(self._lock)

    def _take_left(self) -> None:
        """Take over the folders of runs that are over."""
        for found in sorted(path for path in self._home.iterdir() if path.is_dir()):
            file = (found / _LOCK).open("ab")
            if try_lock(file):
                self._taken.append((found, file))
                names = sorted(found.glob(f"*{_SUFFIX}"))
                self._left += map(Segment, names)
            else:
                file.close()

    def left_over(self) -> list[Segment]:
        """The batches of earlier runs that did not get to their end, in order."""
        return self._left

    def new_segment(self) -> Segment:
        """A file for the next batch."""
        self._count += 1
        return Segment(self._folder / f"{self._count:08}{_SUFFIX}")

    def close(self) -> None:
        """Remove the folders without batches; the others are for the next run."""
        for folder, lock in [*self._taken, (self._folder, self._lock)]:
            if not any(folder.glob(f"*{_SUFFIX}")):
                lock.close()  # before removal: Windows removes no open file
                shutil.rmtree(folder, ignore_errors=True)
            lock.close()
        self._taken.clear()


def journal_folder(home: Path, url: str) -> Path:
    """The folder in *home* for the index of that URL (without its password)."""
    from hashlib import blake2b

    scheme = url.partition(":")[0]
    name = "".join(letter if letter.isalnum() else "-" for letter in scheme)
    return home / f"{name}-{blake2b(os.fsencode(url), digest_size=8).hexdigest()}"
