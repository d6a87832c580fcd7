"""Waiting for what other threads and processes do. A deadline is only for a hang."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import Any

PATIENCE = 240.0
"""Seconds, less than the timeout of a test."""


def wait(condition: Callable[[], object], what: str, running: Any = None) -> None:
    """Wait until the condition is true; *running*, a process, has to live so long."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if running is not None and running.poll() is not None:
            raise AssertionError(f"it ended before: {what}; {running.communicate()[1]}")
        assert time.monotonic() < deadline, f"no {what}"
        time.sleep(0.01)


class Gate:
    """Lets *most* through; the others wait until it is opened."""

    def __init__(self) -> None:
        self.most: float = float("inf")
        self.came = 0
        self._opened = Event()

    def close(self, most: int) -> None:
        """Let so many through from now on."""
        self.came, self.most = 0, most
        self._opened.clear()

    def open(self) -> None:
        self.most = float("inf")
        self._opened.set()

    def enter(self) -> None:
        self.came += 1
        if self.came > self.most:
            self._opened.wait(PATIENCE)
