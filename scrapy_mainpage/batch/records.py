"""Records of WARC files, plain or packed: found again behind anything that is none.

FastWARC's own iterator loses the records behind a wrong length, and its readers those
that they have unpacked when they meet damage; so both are done here.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from os import SEEK_CUR
from typing import Any, BinaryIO, Final, NamedTuple

from fastwarc.stream_io import Lz4Reader, ZstdReader

CORRUPT: Final = "corrupt_record"
TRUNCATED: Final = "truncated_record"

_START: Final = re.compile(rb"WARC/\d+\.\d+\r*\n[A-Za-z][A-Za-z-]*:")
"""The beginning of a record."""

_READERS: Final = {
    b"\x28\xb5\x2f\xfd": ZstdReader,
    b"\x5d\x2a\x4d\x18": ZstdReader,  # a dictionary before the data
    b"\x04\x22\x4d\x18": Lz4Reader,
}
_MEMBER: Final = b"\x1f\x8b\x08"
_GZIP: Final = 31
_STEP_BYTES: Final = 1 << 8
"""Unpacked at once: where data are broken, the last step is lost."""

_BLOCK_BYTES: Final = 1 << 16
_MEMBER_START_BYTES: Final = 1 << 10
"""A gzip header and enough data behind it for the beginning of a record."""

_MAX_HEAD_BYTES: Final = 1 << 15
END_OF_HEAD: Final = re.compile(rb"\n(?:\r*\n|(?=<))")
"""An empty line, or the beginning of a document where that is missing."""

_SEPARATORS: Final = b"\r\n\r\n", b"\n\n"
_FOLD: Final = re.compile(rb"\r?\n[ \t]+")
_END: Final = "it ends too soon"
INCOMPLETE: Final = "the header of a record is not complete"


class Record(NamedTuple):
    """A record: its headers by names in lower case, and its block up to a limit.

    ``damage`` is a code: the block ends where the next record begins, because its
    length is wrong, or it cannot be read at all, as the ``problem`` says.
    """

    headers: dict[str, str]
    block: bytes = b""
    is_cut: bool = False
    damage: str = ""
    problem: str = ""


class Records:
    """The records of *parts*: bytes, or texts that say what is broken between them.

    Blocks have *limit* bytes at most. What is no record is one with a problem.
    """

    def __init__(self, parts: Iterator[bytes | str], limit: int) -> None:
        self._parts, self._limit = parts, limit
        self._data = bytearray()
        self._problem = ""  # why the data end where they do, if not at the end
        self._is_end = False

    def __iter__(self) -> Iterator[Record]:
        record: Record | None = None
        while self._has(1) or self._problem:
            if self._data.startswith((b"\r", b"\n")):
                self._data = self._data.lstrip(b"\r\n")
            if junk := self._drop_junk():
                yield self._broken({}, f"{junk:,} bytes that are no record")
            elif self._data:
                last, record = record, self._next()
                if not record.problem or record != last:  # one row for a run of heads
                    yield record
            elif self._problem:
                yield self._broken({})

    def _broken(self, headers: dict[str, str], problem: str = "") -> Record:
        """What cannot be read. It also stands for the damage where the data end."""
        problem = problem or self._problem or _END
        damage = TRUNCATED if problem.endswith(_END) else CORRUPT
        if not self._data:
            self._problem = ""
        return Record(headers, damage=damage, problem=problem)

    def _has(self, size: int) -> bool:
        """Whether there are so many bytes before the next damage, or the end."""
        while len(self._data) < size and not (self._problem or self._is_end):
            part = next(self._parts, None)
            if isinstance(part, bytes):
                self._data += part
            else:
                self._problem, self._is_end = part or "", part is None
        return len(self._data) >= size

    def _drop_junk(self) -> int:
        """Drop the bytes before the next record; return their number."""
        dropped = 0
        while (is_more := self._has(_MAX_HEAD_BYTES)) or self._data:
            if not dropped and self._data.startswith(b"WARC/"):
                return 0  # behind a record, where odd lines are headers
            if match := _START.search(self._data):
                return dropped + len(self._take(match.start()))
            kept = 64 if is_more else 0  # perhaps half of a beginning
            dropped += len(self._take(len(self._data) - kept))
        return dropped

    def _next(self) -> Record:
        """The record at the beginning of the data."""
        self._has(_MAX_HEAD_BYTES)
        blank = END_OF_HEAD.search(self._data, 0, _MAX_HEAD_BYTES)
        end = blank.start() if blank else _MAX_HEAD_BYTES
        other = _START.search(self._data, 1, end)
        headers = fields_of_head(self._take(other.start() if other else end))
        if blank is None or other:
            self._drop_junk()
            return self._broken(headers, INCOMPLETE)
        self._take(blank.end() - blank.start())
        said = headers.get("content-length", "")[:18]
        length = int(said) if said.isascii() and said.isdigit() else None
        if length is not None and length <= self._limit and self._ends_at(length):
            return Record(headers, self._take(length))
        return self._next_odd(headers, length)

    def _ends_at(self, length: int) -> bool:
        """Whether the record with a block of that length ends where it says."""
        is_whole = self._has(length)
        self._has(length + 16)
        after = self._data[length : length + 16]
        rest = after.lstrip(b"\r\n")
        is_start = rest.startswith(b"WARC/") or after.startswith(_SEPARATORS)
        return is_whole and (not rest or is_start)

    def _next_odd(self, headers: dict[str, str], length: int | None) -> Record:
        """A record that is large, or does not have the length that it says."""
        self._has(self._limit)
        if match := _START.search(self._data, 0, self._limit):
            block = self._take(match.start())
            return Record(headers, block.removesuffix(b"\r\n\r\n"), damage=CORRUPT)
        if length is None or length < len(self._data) < self._limit:
            return Record(headers, self._take(len(self._data)), damage=CORRUPT)
        block = self._take(min(length, self._limit))
        left = length - len(block)
        while left and self._has(1):
            left -= len(self._take(min(left, len(self._data))))
        if left:
            return self._broken(headers)
        return Record(headers, block, is_cut=length > len(block))

    def _take(self, size: int) -> bytes:
        taken = bytes(self._data[:size])
        del self._data[:size]
        return taken


def fields_of_head(head: bytes) -> dict[str, str]:
    """The headers by their names in lower case, the first of several with one name.

    A line that is none is left out; folded ones are joined.
    """
    fields: dict[str, str] = {}
    for line in _FOLD.sub(b" ", head).replace(b"\0", b"").split(b"\n"):
        name, _, value = line.partition(b":")
        if (key := name.strip().lower()) and (said := value.strip()):
            fields.setdefault(_text(key), _text(said))
    return fields


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


# --- Packed files ----------------------------------------------------------------


def unpack(file: BinaryIO) -> Iterator[bytes | str]:
    """The bytes of a file, unpacked, or a text of what is broken between two of them.

    No more is read again than was so far. ``OSError`` if the file cannot be read.
    """
    start = file.read(1 << 20)
    file.seek(0)
    if reader := _READERS.get(start[:4]):
        yield from read_all(reader(file), _STEP_BYTES)
        return
    is_plain = _START.search(start) and not start.startswith(_MEMBER)
    again, place = 0, None if is_plain else _find_member(file, 0)
    if place is None:
        file.seek(0)
        yield from read_all(file, _BLOCK_BYTES)
    elif place:
        yield f"{place:,} bytes that are no record"
    while place is not None:
        file.seek(place)
        is_whole = True
        for part in unzip(file, _GZIP):
            is_whole = isinstance(part, bytes)
            yield part if is_whole else f"from byte {place:,}: {part!s}"
        again += 0 if is_whole else file.tell() - place
        is_behind = is_whole or again > file.tell()
        place = _find_member(file, file.tell() if is_behind else place + 1)


def read_all(reader: Any, step: int = _STEP_BYTES) -> Iterator[bytes | str]:
    """What a reader unpacks, so many bytes at once, and a text of what is broken."""
    try:
        while block := reader.read(step):
            yield block
    except OSError as error:
        if error.errno is not None:  # of the disk or the store
            raise
        yield str(error)


def unzip(file: BinaryIO, bits: int) -> Iterator[bytes | str]:
    """The content of one member at the file's position, which is behind it then.

    And a text of what is broken. *bits* are the window bits of zlib.
    """
    unpacker = zlib.decompressobj(bits)
    try:
        while not unpacker.eof:
            if not (data := file.read(_STEP_BYTES)):
                yield _END
                return
            yield unpacker.decompress(data)
    except zlib.error as error:
        yield str(error)
    file.seek(-len(unpacker.unused_data), SEEK_CUR)


def _find_member(file: BinaryIO, start: int) -> int | None:
    """The position from there of a gzip member with a record, or of one right there."""
    file.seek(start)
    if file.read(len(_MEMBER)) == _MEMBER:
        return start
    while True:
        file.seek(start)
        block = file.read(_BLOCK_BYTES + _MEMBER_START_BYTES)
        place = -1
        while (place := block.find(_MEMBER, place + 1)) >= 0:
            if _begins_record(block[place : place + _MEMBER_START_BYTES]):
                return start + place
        if len(block) <= _BLOCK_BYTES:
            return None
        start += _BLOCK_BYTES


def _begins_record(member: bytes) -> bool:
    """Whether bytes do not only look like a gzip member."""
    try:
        content = zlib.decompressobj(_GZIP).decompress(member, 64)
    except zlib.error:
        return False
    return content.lstrip().startswith(b"WARC/")
