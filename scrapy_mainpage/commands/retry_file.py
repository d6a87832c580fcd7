"""File of dead letters that are tried again, while a crawl may add to it.

All its letters are moved to a work file. Those that fail again go to a third file,
which replaces the work file when all are tried, and is then moved back to the first. So
when this process is killed, each letter that is not done is in the first file or the
work file, and the next run takes both.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import Timeout

from scrapy_mainpage.indexes.delivery import DeadLetters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class RetryError(Exception):
    """A file whose letters cannot be tried again."""


class RetryFile:
    """The file of dead letters at a path; ``failed`` is for those that fail again.

    Of a symbolic link it is the file that the link leads to.
    """

    def __init__(self, path: Path):
        if path.is_symlink():
            path = Path(os.path.realpath(path))
        self.path = path
        self.work = path.with_name(f"{path.name}.retrying")
        self.failed = path.with_name(f"{path.name}.failed")
        self._letters = DeadLetters(path)

    @contextmanager
    def acquire(self) -> Iterator[None]:
        """Move all letters to the work file, for this process alone.

        Raises :exc:`RetryError` if it is not a file, or another process has it.
        """
        if self.path.is_dir():
            raise RetryError(f"{self.path}: a folder, not a file of dead letters")
        if self.path.exists() and not self.path.is_file():
            raise RetryError(f"{self.path}: a pipe or a device, not a file")
        if not self.path.is_file() and not self.work.is_file():
            raise RetryError(f"{self.path}: there is no such file")
        lock = DeadLetters(self.work).lock(timeout=0)
        try:
            lock.acquire()
        except Timeout as exc:
            raise RetryError(f"{self.path}: another process works it off") from exc
        try:
            # Of a killed run; the work file has the same letters.
            self.failed.unlink(missing_ok=True)
            with self._letters.lock():
                self._move_to(self.work)
            yield
            Path(DeadLetters(self.failed).lock().lock_file).unlink(missing_ok=True)
        finally:
            lock.release()

    def _move_to(self, target: Path) -> None:
        """Move the letters of both files to one: the later of two for a page counts."""
        found = [path for path in (self.work, self.path) if path.exists()]
        whole = target.with_name(f"{target.name}.new")
        with whole.open("wb") as file:
            for path in found:
                with path.open("rb") as source:
                    shutil.copyfileobj(source, file)
                if not _is_whole(path):
                    file.write(b"\n")
        os.replace(whole, target)
        for path in found:
            if path != target:
                path.unlink()

    def lines(self) -> Iterator[tuple[int, bytes, float]]:
        """Yield number and line of each letter, and the part that was read, 0 to 1.

        Blank lines are none, and are not kept.
        """
        size, done = self.work.stat().st_size, 0
        with self.work.open("rb") as file:
            for number, line in enumerate(file, 1):
                done += len(line)
                if line.strip():
                    yield number, line, done / size

    def keep(self, lines: Iterable[bytes]) -> int:
        """Add lines to those that failed again; return their number."""
        with DeadLetters(self.failed).lock(), self.failed.open("ab") as file:
            return len([file.write(line.rstrip(b"\r\n") + b"\n") for line in lines])

    def finish(self, remaining: int) -> None:
        """Put the letters that failed again, *remaining* ones, back into the file.

        Raises :exc:`RetryError` if there are fewer. Then, and after an :exc:`OSError`,
        all letters stay in the work file.
        """
        self.failed.touch()
        with self.failed.open("rb") as file:
            kept = sum(1 for _ in file)
        if kept < remaining:
            lost = remaining - kept
            raise RetryError(f"{lost} letters could not be kept; {self.work} has all")
        os.replace(self.failed, self.work)
        if kept == 0:
            self.work.unlink()
            return
        with self._letters.lock():
            self._move_to(self.path)


def _is_whole(path: Path) -> bool:
    """Whether the file is empty, or its last line is complete."""
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
