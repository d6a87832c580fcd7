"""What was accepted for an index and is not in it yet, on disk.

A killed process loses nothing of it: the next one finds what is left. Every run has a
folder of its own, with a locked file as long as it lives, and in it a file of lines for
each batch.
"""

from __future__ import annotations

import json
import logging
import shutil
import time
import uuid
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from ..errors import redacted
from .appending import append, open_to_append
from .locks import locked, try_lock
from .operations import Operation

if TYPE_CHECKING:
    from io import FileIO

logger = logging.getLogger(__name__)

_LOCK: Final = "lock"
_SUFFIX: Final = ".jsonl"
_UNREAD_SUFFIX: Final = ".unread"
#: Engines whose URLs name a file or folder.
_FILES: Final = {"sqlite", "tantivy"}


class Segment:
    """The file of one batch."""

    def __init__(self, path: Path):
        self.path = path
        self._file: FileIO | None = None
        self._has_unread = False

    def append(self, line: bytes) -> None:
        """Write an operation's line; it outlives the process, though not a power cut.

        Raises :exc:`OSError`, and nothing of it is in the file then.
        """
        if self._file is None:
            self._file = open_to_append(self.path)
        append(self._file, line)

    def close(self) -> None:
        """Write no more; the file stays."""
        if self._file is not None:
            file, self._file = self._file, None
            with suppress(OSError):  # the operations are in memory, too
                file.close()

    def remove(self) -> None:
        """All of it is somewhere else now.

        Lines that could not be read are kept, in a file that is not given back again.
        Raises :exc:`OSError` if the file cannot be removed.
        """
        self.close()
        if self._has_unread:
            kept = self.path.with_suffix(_UNREAD_SUFFIX)
            logger.error("What could not be read of a journal is in %s", kept)
            self.path.replace(kept)
        else:
            self.path.unlink(missing_ok=True)

    def read(self) -> list[Operation]:
        """What is in the file, without a last line that was not finished.

        Raises :exc:`OSError` if it cannot be read.
        """
        with self.path.open("rb") as file:
            read = [self._operation(line) for line in file]
        return [operation for operation in read if operation is not None]

    def _operation(self, line: bytes) -> Operation | None:
        try:
            return Operation.from_dict(json.loads(line))
        except (TypeError, ValueError) as exc:
            # A process that was killed while it wrote a line had not accepted it.
            self._has_unread = self._has_unread or line.endswith(b"\n")
            logger.warning("No operation in %s: %s: %.80r", self.path, exc, line)
            return None


class Journal:
    """The journal of one run for one index, and what earlier runs have left.

    Raises :exc:`OSError` if there can be none in *folder*.
    """

    def __init__(self, folder: Path):
        self._home = folder
        # Folders by age: the later version of a document is to be written later.
        self._folder = folder / f"{time.time_ns():020}-{uuid.uuid4().hex[:8]}"
        self._count = 0
        self._taken: list[tuple[Path, IO[bytes]]] = []
        self._left: list[Segment] = []
        self._newest: Segment | None = None
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / _LOCK):
            self._take_left()
            self._folder.mkdir()
            self._lock = (self._folder / _LOCK).open("ab")
            try_lock(self._lock)

    def _take_left(self) -> None:
        """Take over the folders of runs that are over."""
        ours = {self._folder, *(folder for folder, _ in self._taken)}
        folders = {path for path in self._home.iterdir() if path.is_dir()}
        for found in sorted(folders - ours):
            if lock := _lock_of(found):
                self._taken.append((found, lock))
                self._left += map(Segment, sorted(found.glob(f"*{_SUFFIX}")))

    def left_over(self) -> list[Segment]:
        """The batches of earlier runs that did not get to their end, in order."""
        return self._left

    def take_left(self) -> list[Segment]:
        """Take over what runs have left that were killed since; return the batches.

        Raises :exc:`OSError` if that cannot be.
        """
        before = len(self._left)
        with locked(self._home / _LOCK):
            self._take_left()
        return self._left[before:]

    def new_segment(self) -> Segment:
        """A file for the next batch."""
        self._count += 1
        self._newest = Segment(self._folder / f"{self._count:08}{_SUFFIX}")
        return self._newest

    def close(self) -> None:
        """Remove the folders without batches; the others are for the next run.

        A second call does nothing.
        """
        if self._lock.closed:
            return
        if self._newest is not None:
            self._newest.close()
        for folder, lock in [*self._taken, (self._folder, self._lock)]:
            is_done = all(path.name == _LOCK for path in folder.glob("*"))
            lock.close()  # before removal: Windows removes no open file
            if is_done:
                shutil.rmtree(folder, ignore_errors=True)


def _lock_of(folder: Path) -> IO[bytes] | None:
    """The lock of a run's folder, if the run is over."""
    try:
        file = (folder / _LOCK).open("ab")
        if try_lock(file):
            return file
        file.close()
    except FileNotFoundError:  # it has just come to its end
        pass
    except OSError as exc:
        logger.error("The journal %s is left where it is: %s", folder, exc)
    return None


def journal_folder(home: Path, url: str) -> Path:
    """The folder in *home* for the index of that URL, whatever its password is."""
    scheme, _, path = url.partition(":")
    name = redacted(url)
    if scheme in _FILES:
        # A path relative to the working directory names another file elsewhere.
        name = str(Path(path.removeprefix("///")).absolute())
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest()
    engine = "".join(letter if letter.isalnum() else "-" for letter in scheme)
    return home / f"{engine}-{digest}"
