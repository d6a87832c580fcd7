"""Where dead letters go: into their file, or else where there is room."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from .dead_letters import DeadLetters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .dead_letters import DeadLetter

logger = logging.getLogger(__name__)


class Cemetery:
    """Writes the dead letters of a writer, and says so, but not of each one.

    A crawl may have many: a line is logged when there are twice as many as at the last
    one, or another reason or place.
    """

    def __init__(self, path: Path):
        self._first = DeadLetters(path)
        self._elsewhere: DeadLetters | None = None
        self._total = self._said = 0
        self._known: set[tuple[str, ...]] = set()

    async def add(self, letters: Sequence[DeadLetter], *, anywhere: bool) -> bool:
        """Write the letters; return whether that was possible.

        Where their file cannot be written they go *anywhere* there is room, if that is
        wanted: into a new folder for temporary files.
        """
        if await self._write(self._first, letters):
            return True
        if not anywhere:
            return False
        place = self._elsewhere or self._new_place()
        return place is not None and await self._write(place, letters)

    def _new_place(self) -> DeadLetters | None:
        try:
            folder = tempfile.mkdtemp(prefix="mainpage-dead-letters-")
        except OSError as exc:
            self._say_once(str(exc))
            return None
        self._elsewhere = DeadLetters(Path(folder, self._first.path.name))
        return self._elsewhere

    async def _write(self, place: DeadLetters, letters: Sequence[DeadLetter]) -> bool:
        try:
            await asyncio.to_thread(place.add, letters)
        except OSError as exc:
            self._say_once(f"{place.path}: {exc}")
            return False
        self._say(place, letters)
        return True

    def _say_once(self, problem: str) -> None:
        if (problem,) not in self._known:
            self._known.add((problem,))
            logger.error("Dead letters cannot be written: %s", problem)

    def _say(self, place: DeadLetters, letters: Sequence[DeadLetter]) -> None:
        last = letters[-1]
        self._total += len(letters)
        is_known = (last.reason, str(place.path)) in self._known
        if is_known and self._total < 2 * self._said:
            return
        self._known.add((last.reason, str(place.path)))
        self._said = self._total
        logger.error(
            "Not indexed in %s: %d documents so far, the last for %s (%s), see %s",
            last.index,
            self._total,
            last.reason,
            last.message,
            place.path,
        )
