"""WARC files (ISO 28500): the responses and resources that are HTML documents.

FastWARC parses the records, but ends at the first that is broken, and takes data that
is cut off for complete. So each record is cut out of the file and unpacked here first,
and parsed alone: damage costs the records that it is in.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from io import SEEK_END, BytesIO
from typing import Any, BinaryIO, Final, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from ..extraction.parsing.tree import TOO_LARGE
from .responses import ZSTD, BodyError, decode_body, is_html, read_headers
from .schema import CORRUPT, TRUNCATED, UNREADABLE, make_error

_MAX_HEADER_BYTES: Final = 1 << 17
"""Headers of a record and of its response."""

_BLOCK_BYTES: Final = 1 << 15
_SEARCH_BYTES: Final = 1 << 20
_MEMBER_START_BYTES: Final = 1 << 12
"""Its header and enough of its data for the beginning of a record."""

_SALVAGE_BYTES: Final = 32
"""Unpacked at a time from a broken gzip member, to get all before the damage."""

_SALVAGE_SHARE: Final = 3
"""Of a file's size: bytes of broken gzip members that are searched for others."""

_AS_GZIP: Final = 31
_GZIP: Final = b"\x1f\x8b\x08"
_RECORD: Final = b"WARC/"
_END: Final = b"\r\n\r\n"
_LZ4: Final = b"\x04\x22\x4d\x18"
_CONTENT_LENGTH: Final = re.compile(
    rb"\ncontent-length:[ \t]*(\d{1,15})\s", re.IGNORECASE
)
_TEXT: Final = re.compile(rb"\S")
_WITH_PAGES: Final = WarcRecordType.response | WarcRecordType.resource

Row = dict[str, Any]


def read_warc(file: BinaryIO, name: str, max_size: int) -> Iterator[Row | str]:
    """The rows of the pages, or the code of why a record is none.

    The file is compressed by gzip record by record, as a whole, or not at all; with
    Zstandard or LZ4 where *name* says so. Bodies may have *max_size* bytes. Raises
    ``OSError`` if the file cannot be read.
    """
    reader = RecordReader(max_size)
    start = file.read(4)
    if start in (ZSTD, _LZ4) and name.lower().endswith((".zst", ".lz4")):
        return _read_stream(file, reader)
    members = GzipMembers(file, max_size + 2 * _MAX_HEADER_BYTES)
    records = PlainRecords(file, max_size + 2 * _MAX_HEADER_BYTES)
    if members.starts_at(0) and _is_packed_whole(file):
        # FastWARC itself takes a gzip file that is cut off for a complete one.
        file.seek(0)
        return _read_stream(gzip.GzipFile(fileobj=file), reader)
    # Where the beginning is broken, the first record that is not decides.
    frames = min((members, records), key=lambda each: each.find(0))
    return _read_frames(frames, reader)


class Frame(NamedTuple):
    """The bytes of a record, or of a gzip member with one or more; *next* is behind it.

    With an *error*, a code and a message, they are those before the damage. If it
    *is_cut*, it is larger than the limit.
    """

    data: bytes
    next: int
    is_cut: bool = False
    error: tuple[str, str] | None = None


class Frames:
    """A file that is cut into records, each of at most *limit* bytes in memory."""

    start: re.Pattern[bytes]

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self._file, self._limit = file, limit
        self.size = file.seek(0, SEEK_END)

    def find(self, position: int) -> int:
        """The first position from there where a record starts, or the end."""
        while position < self.size:
            block = self._read(position, _SEARCH_BYTES + 16)
            for match in self.start.finditer(block):
                found = position + match.start()
                if match.start() < _SEARCH_BYTES and self.starts_at(found):
                    return found
            position += _SEARCH_BYTES
        return self.size

    def _read(self, position: int, size: int) -> bytes:
        self._file.seek(position)
        return self._file.read(size)

    def starts_at(self, position: int) -> bool:
        """Whether a record starts there, where the bytes match ``start``."""
        raise NotImplementedError

    def cut(self, position: int) -> Frame:
        """The frame at the position. Raises ``OSError``."""
        raise NotImplementedError


class GzipMembers(Frames):
    """Gzip members with a record in each, as in nearly all WARC files."""

    start = re.compile(re.escape(_GZIP))

    def __init__(self, file: BinaryIO, limit: int) -> None:
        super().__init__(file, limit)
        # Bytes of broken members that may be read again for members within them.
        self._salvage = _SALVAGE_SHARE * self.size

    def starts_at(self, position: int) -> bool:
        """As :meth:`Frames.starts_at`."""
        block = self._read(position, _MEMBER_START_BYTES)
        try:
            start = zlib.decompressobj(_AS_GZIP).decompress(block, len(_RECORD))
        except zlib.error:
            return False
        return start == _RECORD

    def cut(self, position: int, block_bytes: int = _BLOCK_BYTES) -> Frame:
        """As :meth:`Frames.cut`."""
        self._file.seek(position)
        unpacker = zlib.decompressobj(_AS_GZIP)
        data, size, read, block = bytearray(), 0, 0, b""
        try:
            while not unpacker.eof:
                if not block:
                    block = self._file.read(block_bytes)
                    read += len(block)
                more = unpacker.decompress(block, _SEARCH_BYTES)
                if not block and not more:
                    error = (TRUNCATED, "the file ends within a gzip member")
                    # A damaged header can take the members behind it for its own data.
                    return Frame(bytes(data), self._behind(position, read), error=error)
                block = unpacker.unconsumed_tail
                size += len(more)
                # The rest is unpacked, too: only so its end is known.
                data += more[: max(self._limit - len(data), 0)]
        except zlib.error as problem:
            if block_bytes > _SALVAGE_BYTES:
                return self.cut(position, _SALVAGE_BYTES)
            error = (CORRUPT, f"a gzip member cannot be unpacked: {problem}")
            return Frame(bytes(data), self._behind(position, read), error=error)
        end = self._skip_zeros(position + read - len(unpacker.unused_data))
        is_cut = size > self._limit
        return Frame(bytes(data), end, is_cut, None if is_cut else _check(bytes(data)))

    def _behind(self, position: int, read: int) -> int:
        """Where to go on behind a broken member of which some bytes were read."""
        self._salvage -= read
        # The last bytes read hold the damage, and maybe the next member.
        span = 1 if self._salvage >= 0 else max(read - _SALVAGE_BYTES, 1)
        return self.find(position + span)

    def _skip_zeros(self, position: int) -> int:
        """The end of the zeros that files may be padded with."""
        block = self._read(position, 1)
        while block and not block.strip(b"\0"):
            position += len(block)
            block = self._file.read(_BLOCK_BYTES)
        return position + len(block) - len(block.lstrip(b"\0"))


class PlainRecords(Frames):
    """Records that are not compressed."""

    start = re.compile(rb"WARC/[01]\.\d+\r?\n[A-Za-z]")

    def starts_at(self, position: int) -> bool:
        """As :meth:`Frames.starts_at`: at the beginning of a line."""
        return position == 0 or self._read(position - 1, 1) == b"\n"

    def cut(self, position: int) -> Frame:
        """As :meth:`Frames.cut`."""
        data = self._read(position, min(self._limit, _BLOCK_BYTES))
        length = _measure(data)
        if length is None or not data.startswith(_RECORD):
            error = (CORRUPT, "no header of a record, or one without a length")
        elif position + length > self.size + len(_END):
            error = (TRUNCATED, "the file ends within a record")
        elif not self._ends_at(position, position + length):
            error = (CORRUPT, "a record does not end where its length says")
        else:
            data = self._read(position, min(length, self._limit))
            end = min(position + length, self.size)
            return Frame(data, end, is_cut=length > self._limit)
        # The length itself may be broken: the next record may be within it.
        return Frame(data, self.find(position + 1), error=error)

    def _ends_at(self, position: int, end: int) -> bool:
        block = self._read(end - len(_END), len(_END) + len(_RECORD))
        if block[: len(_END)].strip():
            return False
        behind = block[len(_END) :]
        # Behind a record that is right there may be garbage, and no record within it.
        return behind in (b"", _RECORD) or self.find(position + 1) >= end


def _measure(data: bytes, start: int = 0) -> int | None:
    """Bytes of the record at *start*, from its header to its closing lines."""
    end = data.find(_END, start)
    match = _CONTENT_LENGTH.search(data, start, end + 2) if end >= 0 else None
    if match is None:
        return None
    return end - start + int(match[1]) + 2 * len(_END)


def _check(data: bytes) -> tuple[str, str] | None:
    """The error in the lengths of the records of a gzip member, if there is one."""
    start = 0
    while _TEXT.search(data, start):
        length = _measure(data, start)
        if not data.startswith(_RECORD, start) or length is None:
            return CORRUPT, "no header of a record, or one without a length"
        start += length
        if start > len(data) + len(_END):
            return CORRUPT, "a record is longer than the gzip member that it is in"
        if data[start - len(_END) : start].strip():
            return CORRUPT, "a record does not end where its length says"
    return None


def _is_packed_whole(file: BinaryIO) -> bool:
    """Whether the first gzip member has more than one record: then it has all."""
    file.seek(0)
    unpacker = zlib.decompressobj(_AS_GZIP)
    try:
        start = unpacker.decompress(file.read(_SEARCH_BYTES), 16 * _SEARCH_BYTES)
    except zlib.error:
        return False
    length = _measure(start)
    return length is not None and len(start) > length


def _read_frames(frames: Frames, reader: RecordReader) -> Iterator[Row | str]:
    position = 0
    while position < frames.size:
        try:
            frame = frames.cut(position)
        except OSError as error:
            yield make_error(UNREADABLE, f"byte {position:,}: {error}")
            return
        if frame.error:
            code, problem = frame.error
            url = _first_url(frame.data)
            yield make_error(code, f"byte {position:,}: {problem}", url)
        else:
            yield from _read_frame(frame, position, reader)
        position = max(frame.next, position + 1)


def _read_frame(
    frame: Frame, position: int, reader: RecordReader
) -> Iterator[Row | str]:
    count = 0
    try:
        for record in ArchiveIterator(BytesIO(frame.data)):
            count += 1
            yield reader.read(record)
    except OSError as error:
        url = None if count else _first_url(frame.data)
        yield make_error(CORRUPT, f"byte {position:,}: {error}", url)
        return
    if not count:
        yield "empty"
    elif frame.is_cut and count > 1:
        message = f"byte {position:,}: a gzip member of many records"
        yield make_error(TOO_LARGE, message)


def _read_stream(stream: Any, reader: RecordReader) -> Iterator[Row | str]:
    """The records of a file that is packed as a whole, up to where it is broken."""
    count = 0
    stream.seek(0)
    try:
        for record in ArchiveIterator(stream):
            count += 1
            yield reader.read(record)
    except (EOFError, OSError, zlib.error) as error:
        yield make_error(CORRUPT, f"after {count:,} records: {error}")


def _first_url(data: bytes) -> str | None:
    """The URL of the first record, as far as its header can be read."""
    try:
        for record in ArchiveIterator(BytesIO(data), parse_http=False):
            return _url(record)
    except OSError:
        pass
    return None


def _url(record: WarcRecord) -> str | None:
    url = record.headers.get("WARC-Target-URI")
    return url.strip("<>") if url else None


class RecordReader:
    """Makes rows of records with bodies of at most *max_size* bytes."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size

    def read(self, record: WarcRecord) -> Row | str:
        """The row of a record, or the code of why it is not a page."""
        url = _url(record)
        try:
            return self._read(record, url)
        except BodyError as error:
            return make_error(error.code, str(error), url)
        except OSError as error:
            return make_error(CORRUPT, str(error)[:300], url)

    def _read(self, record: WarcRecord, url: str | None) -> Row | str:
        if not record.record_type & _WITH_PAGES:
            return str(record.record_type).rpartition(".")[2] or "unknown"
        headers: dict[str, str] = {}
        if record.record_type == WarcRecordType.response:
            if not record.is_http:
                return "not_http"
            status = record.http_headers.status_code
            if status is None:
                return make_error(CORRUPT, "no header of an HTTP response", url)
            if not 200 <= status < 300:
                return f"status_{status}"
            headers = read_headers(record.http_headers.items())
        elif content_type := record.headers.get("Content-Type"):
            headers = {"content-type": content_type}
        return self._read_page(record, url, headers)

    def _read_page(
        self, record: WarcRecord, url: str | None, headers: dict[str, str]
    ) -> Row | str:
        # A compressed body is hardly larger than its content.
        limit = self._max_size + _MAX_HEADER_BYTES
        raw = record.reader.read(limit)
        if len(raw) < min(record.content_length, limit):
            return make_error(TRUNCATED, "the record ends too soon", url)
        is_cut = len(raw) == limit
        body = b"" if is_cut else decode_body(raw, headers, self._max_size)
        if not is_html(headers, url, body or raw[:5000]):
            return "not_html"
        if is_cut:
            message = f"the record has {record.content_length:,} bytes"
            return make_error(TOO_LARGE, message, url)
        return {
            "url": url,
            "html": body,
            "headers": [{"name": k, "value": v} for k, v in headers.items()],
            "crawled_at": record.headers.get("WARC-Date"),
        }
