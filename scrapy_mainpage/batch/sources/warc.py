"""WARC files: the responses in them that are HTML documents."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from ...extraction.parsing.limits import TOO_LARGE
from ..headers import is_html, read_headers
from .base import CORRUPT, TRUNCATED, UNREADABLE, Found, Source, even_parts, failed
from .bodies import BodyError, decoded
from .framing import Frame, Framing, GzipFraming, PlainFraming

_HEADS: Final = 1 << 17
"""Bytes for the headers of a record and of its response."""

_LEAST: Final = 1 << 18
"""Bytes of a file that are worth a part of their own."""

_OTHER_PACKING: Final = (b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
"""How Zstandard and LZ4 begin."""

_OTHER_SUFFIXES: Final = (".zst", ".lz4")

_WITH_PAGES: Final = WarcRecordType.response | WarcRecordType.resource


class WarcReader:
    """Makes rows of records. Bodies may have *max_size* bytes."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size

    def found(self, record: WarcRecord) -> dict[str, Any] | str:
        """The row of a record, or the code of why it is skipped."""
        url = _url(record)
        try:
            return self._read(record, url)
        except BodyError as error:
            return failed(error.reason, str(error), url)
        except OSError as error:
            return failed(CORRUPT, str(error)[:300], url)

    def _read(self, record: WarcRecord, url: str | None) -> dict[str, Any] | str:
        if not record.record_type & _WITH_PAGES:
            return str(record.record_type).rpartition(".")[2] or "unknown"
        headers: dict[str, str] = {}
        if record.record_type == WarcRecordType.response:
            if not record.is_http:
                return "not_http"
            status = record.http_headers.status_code
            if status is None:
                return failed(CORRUPT, "no header of an HTTP response", url)
            if not 200 <= status < 300:
                return f"status_{status}"
            headers = read_headers(record.http_headers.items())
        elif content_type := record.headers.get("Content-Type"):
            headers = {"content-type": content_type}
        return self._page(record, url, headers)

    def _page(
        self, record: WarcRecord, url: str | None, headers: dict[str, str]
    ) -> dict[str, Any] | str:
        # A body that is packed may be larger than what is in it, but hardly so.
        raw = record.reader.read(self._max_size + _HEADS)
        if len(raw) < min(record.content_length, self._max_size + _HEADS):
            return failed(TRUNCATED, "the record ends too soon", url)
        is_cut = len(raw) == self._max_size + _HEADS
        start = raw[:5000] if is_cut else b""
        body = b"" if is_cut else decoded(raw, headers, self._max_size)
        if not is_html(headers, url, body or start):
            return "not_html"
        if is_cut:
            message = f"the record has {record.content_length:,} bytes"
            return failed(TOO_LARGE, message, url)
        return {
            "url": url,
            "html": body,
            "headers": [{"name": k, "value": v} for k, v in headers.items()],
            "crawled_at": record.headers.get("WARC-Date"),
        }


def _url(record: WarcRecord) -> str | None:
    url = record.headers.get("WARC-Target-URI")
    return url.strip("<>") if url else None


class FramedWarc(Source):
    """A WARC file whose records can be found from any position on.

    Positions are bytes. Several records in one gzip member have its position.
    """

    def __init__(self, file: BinaryIO, framing: Framing, max_size: int) -> None:
        self._file, self._framing = file, framing
        self._reader = WarcReader(max_size)
        self.end = framing.size

    def parts(self, most: int) -> list[tuple[int, int]]:
        """As :meth:`Source.parts`, of the same size in bytes."""
        return even_parts(self.end, most, _LEAST)

    def locate(self, position: int) -> int:
        """As :meth:`Source.locate`."""
        return self._framing.locate(position) if position else 0

    def read(self, start: int, end: int) -> Iterator[Found]:
        """As :meth:`Source.read`."""
        while start < end:
            try:
                frame = self._framing.frame(start)
            except OSError as error:  # of the disk, or what stands for it
                message = f"byte {start:,}: {error}"
                yield Found(start, self.end, failed(UNREADABLE, message))
                return
            after = max(frame.next, start + 1)
            if frame.problem:
                code, what = frame.problem
                url = _first_url(frame.data)
                message = f"byte {start:,}: {what}"
                yield Found(start, after, failed(code, message, url))
            else:
                *others, last = self._records(frame, start)
                yield from (Found.of(start, start, each) for each in others)
                yield Found.of(start, after, last)
            start = after

    def _records(self, frame: Frame, start: int) -> Iterator[dict[str, Any] | str]:
        count = 0
        try:
            for record in ArchiveIterator(BytesIO(frame.data)):
                count += 1
                yield self._reader.found(record)
        except OSError as error:
            url = None if count else _first_url(frame.data)
            yield failed(CORRUPT, f"byte {start:,}: {error}", url)
            return
        if not count:
            yield "empty"
        elif frame.is_cut and count > 1:
            yield failed(TOO_LARGE, f"byte {start:,}: a gzip member of many records")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _first_url(data: bytes) -> str | None:
    """The URL of the record that begins so, if that much can be read."""
    try:
        for record in ArchiveIterator(BytesIO(data), parse_http=False):
            return _url(record)
    except OSError:
        pass
    return None


class StreamedWarc(Source):
    """A WARC file that is packed as a whole: it is read from its beginning.

    Positions count records. Nothing can be read behind what is broken.
    """

    end = 2**62

    def __init__(self, file: BinaryIO, max_size: int, *, is_gzip: bool) -> None:
        self._file, self._is_gzip = file, is_gzip
        self._reader = WarcReader(max_size)

    def read(self, start: int, end: int) -> Iterator[Found]:
        """As :meth:`Source.read`."""
        self._file.seek(0)
        number = -1
        # The library takes a packed file that ends too soon for one that ends.
        stream: Any = gzip.GzipFile(fileobj=self._file) if self._is_gzip else self._file
        try:
            for number, record in enumerate(ArchiveIterator(stream)):
                if number >= end:
                    return
                if number >= start:
                    yield Found.of(number, number + 1, self._reader.found(record))
        except (EOFError, OSError, zlib.error) as error:
            message = f"behind {number + 1:,} records: {error}"
            yield Found(number + 1, self.end, failed(CORRUPT, message))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_warc(path: Path, max_size: int) -> Source:
    """Open a WARC file: packed record by record, as a whole, or not at all.

    Raises ``OSError``.
    """
    file = path.open("rb")
    size = os.fstat(file.fileno()).st_size
    start = file.read(4)
    packed = GzipFraming(file, size, max_size + 2 * _HEADS)
    plain = PlainFraming(file, size, max_size + 2 * _HEADS)
    if packed.is_at_home():
        if packed.is_packed_whole():
            return StreamedWarc(file, max_size, is_gzip=True)
        return FramedWarc(file, packed, max_size)
    if start in _OTHER_PACKING and path.suffix.lower() in _OTHER_SUFFIXES:
        return StreamedWarc(file, max_size, is_gzip=False)
    if plain.is_at_home():
        return FramedWarc(file, plain, max_size)
    # The beginning is broken: what comes behind it tells.
    framing = min((packed, plain), key=lambda each: each.locate(0))
    return FramedWarc(file, framing, max_size)


__all__ = ["open_warc"]
