"""Dead letters: documents that finally failed, kept with the reason in a file."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...redaction import redacted_value
from .journal import (
    MAX_LOCK_WAIT,
    Operation,
    append,
    as_line,
    file_lock,
    open_to_append,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from filelock import FileLock
    from typing_extensions import Self

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class DeadLetter:
    """An operation that finally failed.

    ``index`` is the URL of the index without its password, ``attempts`` the number of
    attempts, ``failed_at`` the time of the last one (ISO 8601, UTC).
    """

    index: str
    operation: Operation
    reason: str
    message: str
    attempts: int = 1
    failed_at: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the letter as plain data for JSON."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return {
            "index": self.index,
            "reason": self.reason,
            "message": self.message,
            "attempts": self.attempts,
            "failed_at": self.failed_at or now,
            **self.operation.as_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the letter of data from :meth:`as_dict`.

        Raises :exc:`ValueError` for any other data.
        """
        return cls(
            operation=Operation.from_dict(data),
            attempts=int(data.get("attempts", 1)),
            **{
                name: str(data.get(name, ""))
                for name in ("index", "reason", "message", "failed_at")
            },
        )


class DeadLetters:
    """The file of dead letters: JSON lines, to which several processes may append."""

    def __init__(self, path: Path):
        self.path = path

    def lock(self, timeout: float = MAX_LOCK_WAIT) -> FileLock:
        """Return the lock to hold while the file is written or moved.

        It is beside the file that a symbolic link leads to.
        """
        path = Path(os.path.realpath(self.path))  # raises nothing for a loop of links
        return file_lock(path.with_name(f".{path.name}.lock"), timeout)

    def add(self, letters: Sequence[DeadLetter]) -> None:
        """Append the letters; raises :exc:`OSError`, then none of them is in the file.

        (A process killed meanwhile may have written some of them.)
        """
        lines = b"".join(as_line(letter.as_dict()) for letter in letters)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.lock(), open_to_append(self.path) as file:
            append(file, _missing_line_end(self.path) + lines)

    def read(self) -> Iterator[DeadLetter]:
        """Yield the letters; other lines are logged and skipped."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if letter := read_letter(line, f"{self.path}:{number}"):
                    yield letter


def _missing_line_end(path: Path) -> bytes:
    """Return a line end if a process was killed within the last line."""
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return b""
        file.seek(-1, os.SEEK_END)
        return b"" if file.read(1) == b"\n" else b"\n"


def read_letter(line: bytes, place: str) -> DeadLetter | None:
    """Return the letter of a line; any other line is logged as of *place*."""
    try:
        return DeadLetter.from_dict(json.loads(line))
    except (
        ArithmeticError,
        AttributeError,
        RecursionError,
        TypeError,
        ValueError,
    ) as exc:
        # Who adds a missing password by hand may break the line.
        shown = str(redacted_value(line))
        logger.warning("No dead letter at %s: %s: %.80s", place, exc, shown)
        return None


class DeadLetterSink:
    """Writes the dead letters of a writer, and logs some of them.

    A crawl may have many: a line is logged when the number has doubled since the last
    line, or for a new reason or file.
    """

    def __init__(self, path: Path):
        self._letters = DeadLetters(path)
        self._fallback: DeadLetters | None = None
        self._total = self._logged_total = 0
        self._logged: set[tuple[str, ...]] = set()

    async def add(self, letters: Sequence[DeadLetter], *, anywhere: bool) -> bool:
        """Write the letters; return whether that succeeded.

        If their file cannot be written and *anywhere* is true, they go into a new
        folder for temporary files.
        """
        if await self._write(self._letters, letters):
            return True
        if not anywhere:
            return False
        self._fallback = self._fallback or self._new_fallback()
        return self._fallback is not None and await self._write(self._fallback, letters)

    def _new_fallback(self) -> DeadLetters | None:
        try:
            folder = tempfile.mkdtemp(prefix="mainpage-dead-letters-")
        except OSError as exc:
            self._log_problem(str(exc))
            return None
        return DeadLetters(Path(folder, self._letters.path.name))

    async def _write(self, file: DeadLetters, letters: Sequence[DeadLetter]) -> bool:
        try:
            await asyncio.to_thread(file.add, letters)
        except OSError as exc:
            self._log_problem(f"{file.path}: {exc}")
            return False
        self._log(file, letters)
        return True

    def _log_problem(self, problem: str) -> None:
        if (problem,) not in self._logged:
            self._logged.add((problem,))
            logger.error("Dead letters cannot be written: %s", problem)

    def _log(self, file: DeadLetters, letters: Sequence[DeadLetter]) -> None:
        last = letters[-1]
        key = (last.reason, str(file.path))
        self._total += len(letters)
        if key in self._logged and self._total < 2 * self._logged_total:
            return
        self._logged.add(key)
        self._logged_total = self._total
        logger.error(
            "Not indexed in %s: %d documents so far, the last for %s (%s), see %s",
            last.index,
            self._total,
            last.reason,
            last.message,
            file.path,
        )
