"""Journal: accepted operations that are not in the index yet, on disk.

A killed process loses nothing of it: the next one writes the rest. Every run has its
own folder, with a lock that lives as long as the process, and in it a file of JSON
lines per batch.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
import uuid
from contextlib import suppress
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from filelock import FileLock, Timeout

from ...redaction import redacted
from ..documents import INDEX_FIELDS, IndexDocument, storable_text

if TYPE_CHECKING:
    from typing_extensions import Self

logger = logging.getLogger(__name__)

#: Seconds to wait for a lock that others hold for one write only.
MAX_LOCK_WAIT: Final = 30.0

_LOCK: Final = "lock"
_SUFFIX: Final = ".jsonl"
_UNREAD_SUFFIX: Final = ".unread"


class Operation(NamedTuple):
    """A document to put into the index; without one, the URL to delete."""

    url: str
    document: IndexDocument | None = None

    @classmethod
    def put(cls, document: IndexDocument) -> Self:
        """Return the operation that puts the document."""
        storable = document.storable()
        return cls(storable.url, storable)

    @classmethod
    def delete(cls, url: str) -> Self:
        """Return the operation that deletes the document of that URL."""
        return cls(storable_text(url))

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return self.document.size if self.document else len(self.url)

    def as_dict(self) -> dict[str, Any]:
        """Return the operation as plain data for JSON."""
        if self.document is None:
            return {"delete": self.url}
        return {"document": self.document.as_dict()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the operation of data from :meth:`as_dict`.

        Raises :exc:`ValueError` for any other data: files may be edited by hand.
        """
        try:
            if isinstance(data.get("delete"), str):
                return cls.delete(data["delete"])
            document = IndexDocument.from_dict(data["document"])
            for name in INDEX_FIELDS:
                value = getattr(document, name)
                is_optional = name not in {"url", "text"}
                if not isinstance(value, str) and not (is_optional and value is None):
                    raise TypeError(f"{name} is not text: {value!r:.80}")
            return cls.put(document)
        except (AttributeError, KeyError, TypeError) as exc:
            raise ValueError(f"no document and no URL to delete: {exc!r}") from exc


def as_line(data: dict[str, Any]) -> bytes:
    """Return the data as a line of JSON."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def open_to_append(path: Path) -> FileIO:
    """Open the file unbuffered: written data outlives the process."""
    return FileIO(path, "ab")


def append(file: FileIO, data: bytes) -> None:
    """Append all of the data.

    Raises :exc:`OSError`, such as for a full disk; then nothing of it is in the file.
    """
    end = file.seek(0, os.SEEK_END)
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except BaseException:
        # If this fails, a reader still recognises an unfinished line.
        with suppress(OSError):
            file.truncate(end)
        raise


def file_lock(path: Path, timeout: float = MAX_LOCK_WAIT) -> FileLock:
    """Return a lock between processes and crawls; a killed holder releases it."""
    return FileLock(path, timeout, thread_local=False)


class JournalSegment:
    """The journal file of one batch."""

    def __init__(self, path: Path):
        self.path = path
        self._file: FileIO | None = None
        self._has_unread = False

    def append(self, line: bytes) -> None:
        """Write an operation's line; it outlives the process, not a power failure.

        Raises :exc:`OSError`; then nothing of it is in the file.
        """
        if self._file is None:
            self._file = open_to_append(self.path)
        append(self._file, line)

    def close(self) -> None:
        """Close the file, which stays."""
        if self._file is not None:
            file, self._file = self._file, None
            with suppress(OSError):  # the operations are in memory, too
                file.close()

    def remove(self) -> None:
        """Remove the file after all its operations have ended.

        Unreadable lines are kept in a file that is never read again. Raises
        :exc:`OSError` if the file cannot be removed.
        """
        self.close()
        if self._has_unread:
            kept = self.path.with_suffix(_UNREAD_SUFFIX)
            logger.error("What could not be read of a journal is in %s", kept)
            self.path.replace(kept)
        else:
            self.path.unlink(missing_ok=True)

    def read(self) -> list[Operation]:
        """Return the operations, without an unfinished last line.

        Raises :exc:`OSError` if the file cannot be read.
        """
        with self.path.open("rb") as file:
            operations = [self._operation(line) for line in file]
        return [operation for operation in operations if operation is not None]

    def _operation(self, line: bytes) -> Operation | None:
        try:
            return Operation.from_dict(json.loads(line))
        except (TypeError, ValueError) as exc:
            # The operation of an unfinished line was not accepted.
            self._has_unread = self._has_unread or line.endswith(b"\n")
            logger.warning("No operation in %s: %s: %.80r", self.path, exc, line)
            return None


class Journal:
    """The journal of one run for one index, with the rest of earlier runs.

    Raises :exc:`OSError` if *folder* cannot hold one.
    """

    def __init__(self, folder: Path):
        self._home = folder
        # Folders sort by age: the later version of a document is written later.
        self._folder = folder / f"{time.time_ns():020}-{uuid.uuid4().hex[:8]}"
        self._count = 0
        self._locks: dict[Path, FileLock] = {}
        self._left: list[JournalSegment] = []
        self._newest: JournalSegment | None = None
        folder.mkdir(parents=True, exist_ok=True)
        with file_lock(folder / _LOCK):
            self._take_folders()
            self._folder.mkdir()
            own = file_lock(self._folder / _LOCK)
            own.acquire()
            self._locks[self._folder] = own

    def _take_folders(self) -> None:
        """Take over the folders of runs that have ended."""
        folders = {path for path in self._home.iterdir() if path.is_dir()}
        for folder in sorted(folders - self._locks.keys()):
            lock = file_lock(folder / _LOCK)
            try:
                lock.acquire(blocking=False)
            except Timeout:  # the run is alive
                continue
            except OSError as exc:
                logger.error("The journal %s is left where it is: %s", folder, exc)
                continue
            self._locks[folder] = lock
            self._left += map(JournalSegment, sorted(folder.glob(f"*{_SUFFIX}")))

    def left_over(self) -> list[JournalSegment]:
        """Return the unfinished batches of earlier runs, in order."""
        return self._left

    def take_left(self) -> list[JournalSegment]:
        """Take over and return the batches of runs killed since the last call.

        Raises :exc:`OSError`.
        """
        before = len(self._left)
        with file_lock(self._home / _LOCK):
            self._take_folders()
        return self._left[before:]

    def new_segment(self) -> JournalSegment:
        """Return a file for the next batch."""
        self._count += 1
        self._newest = JournalSegment(self._folder / f"{self._count:08}{_SUFFIX}")
        return self._newest

    def close(self) -> None:
        """Remove the folders without batches and leave the others to the next run.

        A second call does nothing.
        """
        if self._newest is not None:
            self._newest.close()
        for folder, lock in self._locks.items():
            is_done = all(path.name == _LOCK for path in folder.glob("*"))
            lock.release()  # before removal: Windows removes no open file
            if is_done:
                shutil.rmtree(folder, ignore_errors=True)
        self._locks.clear()


def journal_folder(home: Path, url: str) -> Path:
    """Return the folder in *home* for the index of that URL, for any password."""
    name = redacted(url)
    scheme, _, path = name.partition(":")
    if scheme == "sqlite":
        # A relative path names another file in another working directory.
        name = str(Path(path.removeprefix("///")).absolute())
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest()
    engine = "".join(letter if letter.isalnum() else "-" for letter in scheme)
    return home / f"{engine}-{digest}"
