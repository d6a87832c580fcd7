"""Where the records of a WARC file begin and end, broken ones among them.

The library that reads records stops at the first that is broken. Each is cut out here
first, so that it gets them one by one: what is wrong with one is then its own matter.
"""

from __future__ import annotations

import re
import zlib
from abc import ABC, abstractmethod
from typing import BinaryIO, Final, NamedTuple

from .base import CORRUPT, TRUNCATED

GZIP: Final = b"\x1f\x8b\x08"
MARK: Final = b"WARC/"
_BLOCK: Final = 1 << 15
_SEARCHED: Final = 1 << 20
_STEP: Final = 32
_AS_GZIP: Final = 31


class Frame(NamedTuple):
    """The bytes of a record; of a gzip member, perhaps of more than one.

    With a *problem*, a code and what is wrong, they are what could be read of it. Of
    one that *is_cut* they are the beginning: it is too large.
    """

    data: bytes
    next: int
    is_cut: bool = False
    problem: tuple[str, str] | None = None


class Framing(ABC):
    """How a file is cut into records of which at most *most* bytes are read."""

    def __init__(self, file: BinaryIO, size: int, most: int) -> None:
        self._file, self.size, self._most = file, size, most

    @abstractmethod
    def locate(self, position: int) -> int:
        """The first position from that one on where a record begins, or the end."""

    @abstractmethod
    def is_at_home(self) -> bool:
        """Whether the file begins as one of this kind does."""

    @abstractmethod
    def frame(self, position: int) -> Frame:
        """The record that begins there. Raises ``OSError``."""

    def _found(self, mark: re.Pattern[bytes], position: int, overlap: int) -> int:
        """Search for the first *mark* from that position on that holds."""
        while position < self.size:
            self._file.seek(position)
            block = self._file.read(_SEARCHED + overlap)
            if not block:
                break
            for match in mark.finditer(block):
                start = position + match.start()
                if match.start() < _SEARCHED and self._holds(start):
                    return start
            position += _SEARCHED
        return self.size

    @abstractmethod
    def _holds(self, position: int) -> bool:
        """Whether a record begins where a mark was found."""


class GzipFraming(Framing):
    """A file of gzip members, with a record in each, as nearly all WARC files are."""

    _BEGINNING: Final = re.compile(re.escape(GZIP))

    def locate(self, position: int) -> int:
        """As :meth:`Framing.locate`."""
        return self._found(self._BEGINNING, position, len(GZIP) - 1)

    def is_at_home(self) -> bool:
        """As :meth:`Framing.is_at_home`."""
        return self._holds(0)

    def _holds(self, position: int) -> bool:
        self._file.seek(position)
        unpacking = zlib.decompressobj(_AS_GZIP)
        try:
            start = unpacking.decompress(self._file.read(_BLOCK), len(MARK))
        except zlib.error:
            return False
        return start == MARK

    def frame(self, position: int) -> Frame:
        """As :meth:`Framing.frame`."""
        self._file.seek(position)
        unpacking = zlib.decompressobj(_AS_GZIP)
        data, size, read, block = bytearray(), 0, 0, b""
        try:
            while not unpacking.eof:
                if not block:
                    block = self._file.read(_BLOCK)
                    read += len(block)
                more = unpacking.decompress(block, _SEARCHED)
                if not block and not more:
                    problem = (TRUNCATED, "the file ends within a gzip member")
                    return Frame(bytes(data), self.size, problem=problem)
                block = unpacking.unconsumed_tail
                size += len(more)
                # What is beyond the limit is unpacked to know where it ends.
                data += more[: max(self._most - len(data), 0)]
        except zlib.error as error:
            problem = (CORRUPT, f"a gzip member cannot be unpacked: {error}")
            start = self._salvaged(position)
            return Frame(start, self.locate(position + 1), problem=problem)
        end = self._skipped_zeros(position + read - len(unpacking.unused_data))
        is_cut = size > self._most
        return Frame(bytes(data), end, is_cut, None if is_cut else _problem(data))

    def _salvaged(self, position: int) -> bytes:
        """The beginning of what a member holds, up to where it breaks."""
        self._file.seek(position)
        unpacking = zlib.decompressobj(_AS_GZIP)
        data = b""
        try:
            while len(data) < _BLOCK and (block := self._file.read(_STEP)):
                data += unpacking.decompress(block, _BLOCK)
        except zlib.error:
            pass
        return data

    def _skipped_zeros(self, position: int) -> int:
        """Where the next member begins: files may be filled up by zeros."""
        self._file.seek(position)
        block = self._file.read(1)
        while block and not block.strip(b"\0"):
            position += len(block)
            block = self._file.read(_BLOCK)
        return position + len(block) - len(block.lstrip(b"\0"))

    def is_packed_whole(self) -> bool:
        """Whether the first member holds more than one record: then all are in it."""
        self._file.seek(0)
        unpacking = zlib.decompressobj(_AS_GZIP)
        try:
            start = unpacking.decompress(self._file.read(_BLOCK), _BLOCK)
            length = _length(start)
            if length is None or length > self._most:
                return False
            while len(start) <= length and not unpacking.eof:
                block = unpacking.unconsumed_tail or self._file.read(_BLOCK)
                if not block:
                    return False
                start += unpacking.decompress(block, _BLOCK)
        except zlib.error:
            return False
        return len(start) > length


class PlainFraming(Framing):
    """A file of records one after the other, as they are."""

    _BEGINNING: Final = re.compile(rb"(?:(?<=\n)|\A)WARC/[01]\.\d+\r?\n[A-Za-z]")

    def locate(self, position: int) -> int:
        """As :meth:`Framing.locate`."""
        # One byte before: whether it ends a line is asked.
        found = self._found(self._BEGINNING, max(position - 1, 0), 16)
        return found if found >= position else self.locate(found + 2)

    def is_at_home(self) -> bool:
        """As :meth:`Framing.is_at_home`."""
        self._file.seek(0)
        return self._BEGINNING.match(self._file.read(_BLOCK)) is not None

    def _holds(self, position: int) -> bool:
        if position == 0:
            return True
        self._file.seek(position - 1)
        return self._file.read(1) == b"\n"

    def frame(self, position: int) -> Frame:
        """As :meth:`Framing.frame`."""
        self._file.seek(position)
        data = self._file.read(min(self._most, _BLOCK))
        length = _length(data)
        if length is None or not data.startswith(MARK):
            problem = (CORRUPT, "no header of a record, or one without a length")
            return Frame(data, self.locate(position + 1), problem=problem)
        end = position + length
        if end > self.size + len(_CLOSING):
            problem = (TRUNCATED, "the file ends within a record")
            # Where records follow, it was the length that is broken.
            return Frame(data, self.locate(position + 1), problem=problem)
        if not self._is_closed(position, end):
            problem = (CORRUPT, "a record does not end where its length says")
            return Frame(data, self.locate(position + 1), problem=problem)
        self._file.seek(position)
        data = self._file.read(min(length, self._most))
        return Frame(data, min(end, self.size), is_cut=length > self._most)

    def _is_closed(self, position: int, end: int) -> bool:
        """Whether the record that begins at *position* has its end there."""
        self._file.seek(end - len(_CLOSING))
        closing = self._file.read(len(_CLOSING))
        behind = self._file.read(len(MARK))
        if closing.strip():
            return False
        # Where none begins behind it, perhaps one does within.
        return behind in (b"", MARK) or self.locate(position + 1) >= end


_CLOSING: Final = b"\r\n\r\n"
_CONTENT_LENGTH: Final = re.compile(
    rb"\ncontent-length:[ \t]*(\d{1,15})\s", re.IGNORECASE
)


def _problem(data: bytearray) -> tuple[str, str] | None:
    """What is wrong with the lengths of the records that a gzip member holds."""
    rest = bytes(data)
    while rest.strip():
        length = _length(rest)
        if not rest.startswith(MARK) or length is None:
            return CORRUPT, "no header of a record, or one without a length"
        if length > len(rest) + len(_CLOSING):
            return CORRUPT, "a record is longer than the gzip member that it is in"
        if rest[length - len(_CLOSING) : length].strip():
            return CORRUPT, "a record does not end where its length says"
        rest = rest[length:]
    return None


def _length(start: bytes) -> int | None:
    """How long the record is that begins so, with its header and what closes it."""
    header, found, _ = start.partition(_CLOSING)
    match = _CONTENT_LENGTH.search(header + b"\r\n")
    if not found or match is None:
        return None
    return len(header) + int(match[1]) + 2 * len(_CLOSING)
