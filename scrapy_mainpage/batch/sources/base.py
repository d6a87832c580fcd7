"""What every file of pages is, whatever its format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    # typing.Self requires Python 3.11
    from typing_extensions import Self

CORRUPT = "corrupt_record"
TRUNCATED = "truncated_record"
UNREADABLE = "unreadable"


class Found(NamedTuple):
    """What stands at a place of a file.

    That is a ``row`` with columns of
    :data:`~scrapy_mainpage.batch.INPUT_SCHEMA`, or something that is no page: then
    ``skipped`` is the code of why. ``next`` is where the next one may be.
    """

    position: int
    next: int
    row: dict[str, Any] | None = None
    skipped: str = ""

    @classmethod
    def of(cls, position: int, after: int, what: dict[str, Any] | str) -> Found:
        """A row, or the code of why there is none."""
        if isinstance(what, str):
            return cls(position, after, skipped=what)
        return cls(position, after, what)


def failed(error: str, message: str, url: str | None = None) -> dict[str, Any]:
    """The row of what cannot be read."""
    return {"url": url, "error": error, "error_message": message}


class Source(ABC):
    """A file of pages; a context manager that closes itself.

    Positions are numbers that grow in the file: bytes, rows or entries. ``end`` is the
    one behind all. Whoever reads from a position on finds the same as who comes from
    the beginning, if something begins at that position.
    """

    end: int

    def parts(self, most: int) -> list[tuple[int, int]]:
        """The file in at most so many parts, each from one position up to another.

        Where a part begins nothing need begin: :meth:`locate` says where something
        does. By default the whole is the only part.
        """
        return [(0, self.end)]

    def locate(self, position: int) -> int:
        """The first position from that one on where something begins, or the end."""
        return position

    @abstractmethod
    def read(self, start: int, end: int) -> Iterator[Found]:
        """Find what begins from *start*, where something begins, until before *end*.

        What is broken is a row with an error, and the rest is read where that can be.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def even_parts(end: int, most: int, least: int) -> list[tuple[int, int]]:
    """Up to so many parts of the same size, which is *least* or more."""
    count = max(1, min(most, end // least))
    bounds = [end * number // count for number in range(count + 1)]
    return list(pairwise(bounds))
