"""WARC files (ISO 28500): the responses and resources that are HTML documents.

FastWARC reads the records, also those with odd headers. Where a gzip member is broken
it ends; it is started again at the next one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from io import SEEK_END, BytesIO
from typing import Any, BinaryIO, Final

from fastwarc.stream_io import BrotliReader, ZstdReader
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from ..extraction.parsing.tree import TOO_LARGE
from .extract import NOT_HTML, is_html
from .schema import (
    CORRUPT,
    TRUNCATED,
    Row,
    headers_column,
    make_error,
    read_headers,
)

BAD_ENCODING: Final = "bad_encoding"

_MAX_HEADER_BYTES: Final = 1 << 17
"""Headers of a response, which are in its record beside the body."""

_SEARCH_BYTES: Final = 1 << 20
_MEMBER_START_BYTES: Final = 1 << 12
"""A gzip header and enough data behind it for the beginning of a record."""

_RECORD: Final = b"WARC/"
_START: Final = re.compile(rb"\x1f\x8b\x08|WARC/1\.\d\r?\nWARC-")
"""The beginning of a gzip member, which may have a record, or of a plain record."""

_CHUNK: Final = re.compile(rb"([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r\n]*)?\r\n")
"""The line before a chunk: its size, and extensions."""

_PACKED: Final = {
    "gzip": b"\x1f\x8b",
    "x-gzip": b"\x1f\x8b",
    "zstd": b"\x28\xb5\x2f\xfd",
}
"""Content encodings whose data have a mark at the beginning."""

_ANY_ZLIB, _NO_HEADER = 47, -15
"""Window bits of zlib: for gzip or zlib, and for data without a header."""

_PIECE_BYTES: Final = 1 << 20
_WITH_PAGES: Final = WarcRecordType.response | WarcRecordType.resource


def read_warc(file: BinaryIO, max_size: int) -> Iterator[Row | str]:
    """The rows of the pages, or the code of why a record is none.

    Bodies may have *max_size* bytes. Raises ``OSError`` if the file cannot be read.
    """
    start: int | None = 0
    has_record = False
    while start is not None:
        file.seek(start)
        url = None
        try:
            for record in ArchiveIterator(file, quirks_mode=True):
                has_record = True
                start, url = record.stream_pos, _url(record)
                found = _read_record(record, url, max_size)
                yield found
                url = None
                if not isinstance(found, str) and found.get("error") == TRUNCATED:
                    break  # With a wrong length it has taken those behind it.
            else:
                if not has_record and file.seek(0, SEEK_END):
                    yield make_error(CORRUPT, "there is no WARC record in the file")
                return
        except OSError as error:
            if error.errno is not None:  # of the disk or the store
                raise
            yield make_error(CORRUPT, f"from byte {start:,}: {error}", url)
        start = _find_record(file, start + 1)


def _find_record(file: BinaryIO, start: int) -> int | None:
    """The position from there where a record begins, packed or not."""
    while True:
        file.seek(start)
        block = file.read(_SEARCH_BYTES + _MEMBER_START_BYTES)
        for match in _START.finditer(block):
            begin = match.start()
            member = block[begin : begin + _MEMBER_START_BYTES]
            if member.startswith(_RECORD) or _has_record(member):
                return start + begin
        if len(block) <= _SEARCH_BYTES:
            return None
        start += _SEARCH_BYTES


def _has_record(member: bytes) -> bool:
    try:
        unpacked = zlib.decompressobj(_ANY_ZLIB).decompress(member, len(_RECORD))
    except zlib.error:
        return False
    return unpacked == _RECORD


def _url(record: WarcRecord) -> str | None:
    url = record.headers.get("WARC-Target-URI")
    return url.strip("<>") if url else None


def _read_record(record: WarcRecord, url: str | None, max_size: int) -> Row | str:
    """The row of a record, or the code of why it is not a page."""
    if "Content-Length" not in record.headers:
        return make_error(CORRUPT, "the header of a record is not complete", url)
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
    return _read_page(record, url, headers, max_size)


def _read_page(
    record: WarcRecord, url: str | None, headers: dict[str, str], max_size: int
) -> Row | str:
    # A compressed body is hardly larger than its content.
    limit = max_size + _MAX_HEADER_BYTES
    raw = record.reader.read(limit)
    if len(raw) < min(record.content_length, limit):
        return make_error(TRUNCATED, "the record ends too soon", url)
    is_cut = len(raw) == limit
    try:
        body = b"" if is_cut else decode_body(raw, headers, max_size)
    except (OSError, zlib.error) as error:
        return make_error(BAD_ENCODING, str(error), url)
    if not is_html(headers, url, body or raw):
        return NOT_HTML
    if is_cut or len(body) > max_size:
        return make_error(TOO_LARGE, f"the page has more than {max_size:,} bytes", url)
    return {
        "url": url,
        "html": body,
        "headers": headers_column(headers),
        "crawled_at": record.headers.get("WARC-Date"),
    }


def decode_body(body: bytes, headers: Mapping[str, str], limit: int) -> bytes:
    """The body without the transfer and content encodings that *headers* name.

    Many archives hold decoded bodies below their original headers, so a body that does
    not look encoded is taken as it is; FastWARC's ``auto_decode`` does not. Raises
    ``OSError`` or ``zlib.error`` for a broken body. One that is longer than *limit* is
    cut somewhere behind it.
    """
    chunked = "chunked" in headers.get("transfer-encoding", "").lower()
    if chunked and _CHUNK.match(body):
        body = _join_chunks(body)
    for name in reversed(headers.get("content-encoding", "").lower().split(",")):
        body = _unpack(body, name.strip(), limit)
    return body


def _join_chunks(body: bytes) -> bytes:
    # FastWARC's reader knows no extensions.
    data, place, size = bytearray(), 0, -1
    while size:
        line = _CHUNK.match(body, place)
        if line is None:
            raise OSError(f"chunked: no chunk at byte {place:,}")
        size = int(line[1], 16)
        data += body[line.end() : line.end() + size]
        place = line.end() + size + len(b"\r\n")
    return bytes(data)


def _unpack(body: bytes, name: str, limit: int) -> bytes:
    is_markup = body[:200].lstrip().startswith((b"<", b"\xef\xbb\xbf"))
    if is_markup or not body.startswith(_PACKED.get(name, b"")):
        return body
    if name == "br":
        return _read_all(BrotliReader(BytesIO(body)), limit)
    if name == "zstd":
        return _read_all(ZstdReader(BytesIO(body)), limit)
    return _inflate(body, limit) if name in ("gzip", "x-gzip", "deflate") else body


def _inflate(body: bytes, limit: int) -> bytes:
    # FastWARC takes the beginning of a gzip body that is cut off for all of it.
    # Some servers leave out the header of zlib (RFC 1950).
    has_header = body[:1] in (b"\x1f", b"\x78")
    unpacker = zlib.decompressobj(_ANY_ZLIB if has_header else _NO_HEADER)
    unpacked = unpacker.decompress(body, limit + 1)
    if not unpacker.eof and len(unpacked) <= limit:
        raise zlib.error("it ends too soon")
    return unpacked


def _read_all(reader: Any, limit: int) -> bytes:
    unpacked = bytearray()
    while len(unpacked) <= limit and (more := reader.read(_PIECE_BYTES)):
        unpacked += more
    return bytes(unpacked)
