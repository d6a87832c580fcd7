"""WARC files (ISO 28500): the responses and resources that are HTML documents.

Damaged archives are read as far as FastWARC reads them. A gzip member that is broken
costs no other, and a body that is broken is read up to there: the row says so.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from os import SEEK_CUR
from typing import Any, BinaryIO, Final

from fastwarc.stream_io import BrotliReader, ZstdReader
from fastwarc.warc import ArchiveIterator, WarcRecord

from ..extraction.parsing.tree import TOO_LARGE
from .extract import NOT_HTML, Row, headers_column, is_html, make_error

BAD_ENCODING: Final = "bad_encoding"
CORRUPT: Final = "corrupt_record"
"""Codes of a page that was read as far as possible, and of a record that was not."""

MAX_AGAIN_BYTES: Final = 1 << 24
"""Bytes of a file that may be read twice, beside as many as were read once."""

_MEMBER: Final = b"\x1f\x8b\x08"
_SEARCH_BYTES: Final = 1 << 16
_MEMBER_START_BYTES: Final = 1 << 10
"""A gzip header and enough data behind it for the beginning of a record."""

_MAX_HEADER_BYTES: Final = 1 << 17
"""Headers of a response, which are in its record beside the body."""

_STATUS: Final = re.compile(rb"(?i)\s*(?:[a-z]+[/\d.]*|:status:)[ \t]+(\d{3})\b")
_CHUNK: Final = re.compile(rb"(?:\r?\n)?([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""The line before a chunk: its size, and extensions."""

_GZIP: Final = b"\x1f\x8b"
_ANY_ZLIB, _NO_HEADER = 47, -15
"""Window bits of zlib: for gzip or zlib, and for data without a header."""

_STEP_BYTES: Final = 1 << 8
"""Unpacked at once: where data are broken, the last step is lost."""

_END_OF_HEAD: Final = re.compile(rb"\n(?:\r*\n|(?=<))")
"""An empty line, or the beginning of a document where that is missing."""

_FOLD: Final = re.compile(rb"\r?\n[ \t]+")
_CHUNKED: Final = "chunked"
_START_BYTES: Final = 1 << 10

_WITHOUT_PAGES: Final = "warcinfo request metadata revisit conversion continuation"


def read_warc(file: BinaryIO, max_size: int) -> Iterator[Row | str]:
    """The rows of the pages, or the code of why a record is none.

    Bodies may have *max_size* bytes. Behind the start of a broken gzip member another
    one may begin, and be broken, too: what is read again has a limit. Raises
    ``OSError`` if the file cannot be read.
    """
    start: int | None = 0
    place, again = -1, 0
    while start is not None:
        file.seek(start)
        url = None
        try:
            for record in ArchiveIterator(file, parse_http=False, quirks_mode=True):
                url = _field(record, "WARC-Target-URI").strip("<>") or None
                place = record.stream_pos
                yield _read_record(record, url, max_size)
            if place < 0 and file.tell() > 0:
                yield make_error(CORRUPT, "there is no record")
            return
        except OSError as error:
            if error.errno is not None:  # of the disk or the store
                raise
            yield make_error(CORRUPT, f"from byte {start:,}: {error}", url)
        begin, end = max(place, start), file.tell()
        again += end - begin
        start = _find_member(file, begin + 1 if again <= end + MAX_AGAIN_BYTES else end)


def _find_member(file: BinaryIO, start: int) -> int | None:
    """The position from there of a gzip member with a record."""
    while True:
        file.seek(start)
        block = file.read(_SEARCH_BYTES + _MEMBER_START_BYTES)
        place = -1
        while (place := block.find(_MEMBER, place + 1)) >= 0:
            if _begins_record(block[place : place + _MEMBER_START_BYTES]):
                return start + place
        if len(block) <= _SEARCH_BYTES:
            return None
        start += _SEARCH_BYTES


def _begins_record(member: bytes) -> bool:
    """Whether bytes do not only look like a gzip member."""
    try:
        content = zlib.decompressobj(_ANY_ZLIB).decompress(member, 64)
    except zlib.error:
        return False
    return content.lstrip().startswith(b"WARC/")


def _read_record(record: WarcRecord, url: str | None, max_size: int) -> Row | str:
    """The row of a record, or the code of why it is not a page."""
    kind = _field(record, "WARC-Type").lower()
    if not kind:
        return make_error(CORRUPT, "the header of a record is not complete", url)
    if kind not in {"response", "resource"}:
        return kind if kind in _WITHOUT_PAGES.split() else "unknown"
    content_type = _field(record, "Content-Type")
    headers = {"content-type": content_type} if content_type else {}
    # A compressed body is hardly larger than its content.
    limit = max_size + _MAX_HEADER_BYTES
    body = record.reader.read(limit)
    if len(body) < min(record.content_length, limit):
        return make_error(CORRUPT, "it ends too soon", url)
    if kind == "response":
        if content_type and not content_type.lower().startswith("application/http"):
            return "not_http"
        if (message := read_http(body)) is None:
            return make_error(CORRUPT, "no header of an HTTP response", url)
        status, headers, body = message
        if not 200 <= status < 300:
            return f"status_{status}"
    is_cut = record.content_length > limit
    row = _read_page(headers, body, url, max_size, is_cut)
    if isinstance(row, str) or "error" in row:
        return row
    return row | {"crawled_at": record.headers.get("WARC-Date")}


def _field(record: WarcRecord, name: str) -> str:
    return record.headers.get(name) or ""


def _read_page(
    headers: dict[str, str], raw: bytes, url: str | None, max_size: int, is_cut: bool
) -> Row | str:
    body, problem = (b"", "") if is_cut else decode_body(raw, headers, max_size)
    if not is_html(headers, url, body or raw):
        return NOT_HTML
    if problem and not body:
        return make_error(BAD_ENCODING, problem, url)
    if is_cut or len(body) > max_size:
        return make_error(TOO_LARGE, f"the page has more than {max_size:,} bytes", url)
    row: Row = {"url": url, "html": body, "headers": headers_column(headers)}
    return row | ({"warnings": [BAD_ENCODING]} if problem else {})


def read_http(block: bytes) -> tuple[int, dict[str, str], bytes] | None:
    """Status, headers and body of an HTTP response; ``None`` without a header.

    A line that is no header is ignored. A document without a status has 200.
    """
    status = None
    # The response may follow one that says no more than to go on.
    while status is None or (status[1] == b"100" and block):
        block = block.lstrip(b"\r\n")
        if block.startswith(b"<"):
            is_page = b"<html" in block[:_START_BYTES].lower()
            return 200, {"content-type": "text/html"} if is_page else {}, block
        end = _END_OF_HEAD.search(block, 0, _MAX_HEADER_BYTES)
        if end is None:
            return None
        head, block = block[: end.start()], block[end.end() :]
        status = _STATUS.match(head)
        if status is None:
            return 200, _fields_of_head(head), block
    return int(status[1]), _fields_of_head(head), block


def _fields_of_head(head: bytes) -> dict[str, str]:
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


def decode_body(
    body: bytes, headers: Mapping[str, str], limit: int
) -> tuple[bytes, str]:
    """The body without the transfer and content encodings that *headers* name.

    And what is wrong with it: then it is the part before. Many archives hold decoded
    bodies below their original headers, so a body that does not look encoded is taken
    as it is. One that is longer than *limit* is cut somewhere behind it.
    """
    problems = [""]
    named = headers.get("content-encoding", "").lower().split(",")
    if "chunked" in headers.get("transfer-encoding", "").lower():
        named.append(_CHUNKED)
    for name in reversed(named):
        decoded = bytearray()
        for part in _decode(body, name.strip()):
            if isinstance(part, str):
                problems.append(part)
                break
            decoded += part
            if name != _CHUNKED and len(decoded) > limit:
                break
        body = bytes(decoded)
    return body, max(problems)


def _decode(body: bytes, name: str) -> Iterator[bytes | str]:
    """The parts of a body without one encoding, if it looks encoded.

    And a text of what is broken behind them.
    """
    file = BytesIO(body)
    if name == _CHUNKED and _CHUNK.match(body):
        yield from _join_chunks(body)
    elif body[:200].lstrip().startswith((b"<", b"\xef\xbb\xbf")):
        yield body
    elif name == "deflate" or (name and body.startswith(_GZIP)):
        # Some servers leave out the header of zlib (RFC 1950).
        bits = _ANY_ZLIB if body[:1] in (b"\x1f", b"\x78") else _NO_HEADER
        yield from _unzip(file, bits)
        while body.startswith(_GZIP, file.tell()):
            yield from _unzip(file, bits)
    elif name == "br":
        yield from _read_all(BrotliReader(file))
    elif name == "zstd" and body.startswith(b"\x28\xb5\x2f\xfd"):
        yield from _read_all(ZstdReader(file))
    else:
        yield body


def _join_chunks(body: bytes) -> Iterator[bytes | str]:
    place, size = 0, -1
    while size:
        if (line := _CHUNK.match(body, place)) is None:
            yield f"chunked: no chunk at byte {place:,}"
            return
        size = int(line[1], 16)
        yield body[line.end() : line.end() + size]
        place = line.end() + size


def _read_all(reader: Any) -> Iterator[bytes | str]:
    """What a reader unpacks, so many bytes at once, and a text of what is broken."""
    try:
        while block := reader.read(_STEP_BYTES):
            yield block
    except OSError as error:
        if error.errno is not None:  # of the disk or the store
            raise
        yield str(error)


def _unzip(file: BinaryIO, bits: int) -> Iterator[bytes | str]:
    """The content of one member at the file's position, which is behind it then.

    And a text of what is broken. *bits* are the window bits of zlib.
    """
    unpacker = zlib.decompressobj(bits)
    try:
        while not unpacker.eof:
            if not (data := file.read(_STEP_BYTES)):
                yield "it ends too soon"
                return
            yield unpacker.decompress(data)
    except zlib.error as error:
        yield str(error)
    file.seek(-len(unpacker.unused_data), SEEK_CUR)
