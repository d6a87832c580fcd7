"""How far a command is: a bar on one line of a terminal, else a line now and then."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BAR: Final = 20
_CLEAR: Final = "\r\x1b[K"


class Progress:
    """Shows a text, the share that is done, and how long the rest will take.

    That is due ten times a second on a terminal, and every ten seconds elsewhere.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic):
        self._stream, self._clock = stream, clock
        self._is_live = stream.isatty()
        self._pause = 0.1 if self._is_live else 10.0
        self._began = self._shown = clock()
        self._is_drawn = False

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return self._clock() - self._began

    @property
    def is_due(self) -> bool:
        """Whether :meth:`show` should be called: nothing was shown for a while."""
        return self._clock() - self._shown >= self._pause

    def show(self, text: str, share: float | None = None) -> None:
        """Show the text, in place of the last one."""
        self._shown = self._clock()
        if not self._is_live:
            done = "" if share is None else f" ({share:.0%})"
            self._write(f"{text}{done}\n")
            return
        width = get_terminal_size().columns - 1
        self._write(_CLEAR + (self._bar(share) + text)[:width])
        self._is_drawn = True

    def _bar(self, share: float | None) -> str:
        if share is None:
            return ""
        full = int(share * _BAR)
        left = self.seconds * (1 - share) / share if share else 0.0
        bar = f"[{'#' * full}{'.' * (_BAR - full)}] {share:4.0%} "
        return f"{bar}{left // 60:.0f}:{left % 60:02.0f} left, "

    def clear(self) -> None:
        """Take the line of a terminal away."""
        if self._is_drawn:
            self._write(_CLEAR)
            self._is_drawn = False

    def say(self, text: str) -> None:
        """Write a line that stays."""
        self.clear()
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        encoding = self._stream.encoding or "utf-8"
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()


class ProgressLog(logging.Handler):
    """Says warnings and errors of the log between what the progress shows."""

    def __init__(self, progress: Progress):
        super().__init__(logging.WARNING)
        self._progress = progress

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record."""
        self._progress.say(self.format(record))


@contextmanager
def shown_log(progress: Progress) -> Iterator[None]:
    """Say what the package logs beside the *progress*: a command has no log itself."""
    log, handler = logging.getLogger("scrapy_mainpage"), ProgressLog(progress)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
