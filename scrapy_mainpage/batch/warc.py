"""WARC files (ISO 28500): the responses and resources that are HTML documents.

Archives are written by many programs, and damaged in many ways. What cannot be read
costs no other record, and a page is read as far as it can be: the row says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import BinaryIO, Final

from fastwarc.stream_io import BrotliReader, ZstdReader

from ..extraction.parsing.tree import TOO_LARGE
from .extract import NOT_HTML, Row, headers_column, is_html, make_error
from .records import (
    CORRUPT,
    END_OF_HEAD,
    INCOMPLETE,
    Record,
    Records,
    fields_of_head,
    read_all,
    unpack,
    unzip,
)

BAD_ENCODING: Final = "bad_encoding"
DAMAGES: Final = frozenset({BAD_ENCODING, CORRUPT})
"""Warnings of pages that were read as far as that was possible."""

_MAX_HEADER_BYTES: Final = 1 << 17
"""Headers of a response, which are in its record beside the body."""

_STATUS: Final = re.compile(rb"(?i)\s*(?:[a-z]+[/\d.]*|:status:)[ \t]+(\d{3})\b")
_CHUNK: Final = re.compile(rb"(?:\r?\n)?([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""The line before a chunk: its size, and extensions."""

_GZIP: Final = b"\x1f\x8b"
_ANY_ZLIB, _NO_HEADER = 47, -15
"""Window bits of zlib: for gzip or zlib, and for data without a header."""

_CHUNKED: Final = "chunked"
_START_BYTES: Final = 1 << 10

_WITHOUT_PAGES: Final = "warcinfo request metadata revisit conversion continuation"


def read_warc(file: BinaryIO, max_size: int) -> Iterator[Row | str]:
    """The rows of the pages, or the code of why a record is none.

    Bodies may have *max_size* bytes. Raises ``OSError`` if the file cannot be read.
    """
    # A compressed body is hardly larger than its content.
    for record in Records(unpack(file), max_size + _MAX_HEADER_BYTES):
        yield _read_record(record, max_size)


def _read_record(record: Record, max_size: int) -> Row | str:
    """The row of a record, or the code of why it is not a page."""
    url = record.headers.get("warc-target-uri", "").strip("<>") or None
    if record.problem:
        return make_error(record.damage, record.problem, url)
    kind = record.headers.get("warc-type", "").lower()
    if kind not in {"response", "resource"}:
        if kind in _WITHOUT_PAGES.split():
            return kind
        return make_error(CORRUPT, INCOMPLETE, url) if record.damage else "unknown"
    content_type = record.headers.get("content-type", "")
    headers = {"content-type": content_type} if content_type else {}
    body = record.block
    if kind == "response":
        if content_type and not content_type.lower().startswith("application/http"):
            return "not_http"
        if (message := read_http(record.block)) is None:
            return make_error(CORRUPT, "no header of an HTTP response", url)
        status, headers, body = message
        if not 200 <= status < 300:
            return f"status_{status}"
    row = _read_page(record, url, headers, body, max_size)
    if not isinstance(row, str) and record.damage:
        row["warnings"] = [record.damage, *row.get("warnings", ())]
    return row


def _read_page(
    record: Record, url: str | None, headers: dict[str, str], raw: bytes, max_size: int
) -> Row | str:
    body, problem = (b"", "") if record.is_cut else decode_body(raw, headers, max_size)
    if not is_html(headers, url, body or raw):
        return NOT_HTML
    if problem and not body:
        return make_error(BAD_ENCODING, problem, url)
    if record.is_cut or len(body) > max_size:
        return make_error(TOO_LARGE, f"the page has more than {max_size:,} bytes", url)
    row: Row = {"url": url, "html": body, "headers": headers_column(headers)}
    if problem:
        row["warnings"] = [BAD_ENCODING]
    return {**row, "crawled_at": record.headers.get("warc-date")}


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
        end = END_OF_HEAD.search(block, 0, _MAX_HEADER_BYTES)
        if end is None:
            return None
        head, block = block[: end.start()], block[end.end() :]
        status = _STATUS.match(head)
        if status is None:
            return 200, fields_of_head(head), block
    return int(status[1]), fields_of_head(head), block


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
        yield from unzip(file, bits)
        while body.startswith(_GZIP, file.tell()):
            yield from unzip(file, bits)
    elif name == "br":
        yield from read_all(BrotliReader(file))
    elif name == "zstd" and body.startswith(b"\x28\xb5\x2f\xfd"):
        yield from read_all(ZstdReader(file))
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
