"""A file of what could not be indexed, with the reason, to be fed again later."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .appending import append, open_to_append
from .locks import locked
from .operations import Operation, as_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    # typing.Self requires Python 3.11
    from typing_extensions import Self

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class DeadLetter:
    """An operation that finally failed.

    ``index`` is the URL of the index without its password, ``attempts`` how often it
    was tried, ``failed_at`` the time of the last attempt (ISO 8601, UTC).
    """

    index: str
    operation: Operation
    reason: str
    message: str
    attempts: int = 1
    failed_at: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The letter as plain data for JSON."""
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
        """The letter that :meth:`as_dict` made the data of.

        Raises :exc:`ValueError` for data that is none.
        """
        operation = Operation.from_dict(data)
        return cls(
            index=str(data.get("index", "")),
            operation=operation,
            reason=str(data.get("reason", "")),
            message=str(data.get("message", "")),
            attempts=int(data.get("attempts", 1)),
            failed_at=str(data.get("failed_at", "")),
        )


class DeadLetters:
    """The file of dead letters: JSON lines, which several processes may add to."""

    def __init__(self, path: Path):
        self.path = path

    @property
    def lock(self) -> Path:
        """The file that is locked while the letters are written, or taken away."""
        return self.path.with_name(f".{self.path.name}.lock")

    def add(self, letters: Sequence[DeadLetter]) -> None:
        """Write the letters; raises :exc:`OSError`, and none of them is in it then.

        (A process that is killed meanwhile may have written some of them.)
        """
        lines = b"".join(as_line(letter.as_dict()) for letter in letters)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.lock), open_to_append(self.path) as file:
            append(file, _gap(self.path) + lines)

    def read(self) -> Iterator[DeadLetter]:
        """Yield the letters; what is none is logged and left out."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if letter := read_letter(line, f"{self.path}:{number}"):
                    yield letter


def _gap(path: Path) -> bytes:
    """A line end where a process was killed within its last line."""
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return b""
        file.seek(-1, os.SEEK_END)
        return b"" if file.read(1) == b"\n" else b"\n"


def read_letter(line: bytes, place: str) -> DeadLetter | None:
    """The letter in a line of a file; ``None``, and logged, if there is none."""
    try:
        return DeadLetter.from_dict(json.loads(line))
    except (AttributeError, TypeError, ValueError) as exc:
        logger.warning("No dead letter at %s: %s: %.80r", place, exc, line)
        return None
