"""Ctrl-C, for a command that first finishes what it has begun."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    # typing.Self requires Python 3.11
    from typing_extensions import Self

Entry = TypeVar("Entry")


class Stop:
    """Takes note of SIGINT and SIGTERM within a ``with`` block of the main thread.

    The first one ends :meth:`reading`, also when it waits for input; it ``is_set``
    then. The second one is ``is_urgent`` and raises :exc:`KeyboardInterrupt`.
    """

    def __init__(self) -> None:
        self.is_set = self.is_urgent = False
        self._is_reading = False
        self._former: dict[int, Any] = {}

    def reading(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries until the first signal."""
        iterator = iter(entries)
        while not self.is_set:
            try:
                self._is_reading = True
                entry = next(iterator)
            except (StopIteration, KeyboardInterrupt):
                return
            finally:
                self._is_reading = False
            yield entry

    def _note(self, *_: object) -> None:
        self.is_urgent, self.is_set = self.is_set, True
        if self.is_urgent or self._is_reading:
            self._is_reading = False
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._former[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)
