"""Headers of responses in any notation, and the bodies that they describe."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any, Final

from ..extraction.parsing.encoding import is_binary
from ..extraction.parsing.tree import TOO_LARGE

NOT_HTML: Final = "not_html"
BINARY: Final = "binary"
BAD_ENCODING: Final = "bad_encoding"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_GZIP: Final = b"\x1f\x8b"
_AS_GZIP: Final = 31
_PIECE_BYTES: Final = 1 << 20

_CHUNK: Final = re.compile(rb"([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r\n]*)?\r\n")
"""The line before a chunk: its size, and extensions."""

_HALF_PAIR: Final = re.compile(r"[\ud800-\udfff]")
"""Half of a surrogate pair, escaped in some JSON: no text."""


class HeadersError(ValueError):
    """Headers in an unknown notation."""


def read_headers(value: Any) -> dict[str, str]:
    """The headers by their names in lower case; the first of several with one name.

    Values that are not text are left out.
    *value* is a mapping, pairs, structs of ``name`` and ``value``, or JSON of any of
    these; a value may be a list, as in Scrapy. Raises :exc:`HeadersError`.
    """
    if value is None or value in ("", b""):
        return {}
    if isinstance(value, str | bytes):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise HeadersError("text that is not JSON") from None
    read: dict[str, str] = {}
    for name, content in _pairs(value):
        if content is not None and not _HALF_PAIR.search(text := _text(content)):
            read.setdefault(_text(name).strip().lower(), text)
    if "" in read:
        raise HeadersError("a header without a name")
    return read


def _pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return value.items()
    if not isinstance(value, list | tuple):
        raise HeadersError(f"{type(value).__name__} instead of names and values")
    return [_pair(each) for each in value]


def _pair(each: Any) -> tuple[Any, Any]:
    if isinstance(each, Mapping) and each.keys() >= {"name", "value"}:
        return each["name"], each["value"]
    if isinstance(each, list | tuple) and len(each) == 2:
        return each[0], each[1]
    raise HeadersError("a header that is not a name with a value")


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if value else ""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def refuse(
    headers: Mapping[str, str], url: str | None, body: bytes | str
) -> str | None:
    """The reason code if the body is not an HTML document, else ``None``.

    Content types are judged as in a crawl. A body without one is taken for HTML.
    """
    if isinstance(body, bytes) and is_binary(body):
        return BINARY
    if "content-type" not in headers:
        return None
    return None if is_html(headers, url, body) else NOT_HTML


def is_html(headers: Mapping[str, str], url: str | None, body: bytes | str) -> bool:
    """Whether Scrapy would take it for HTML, by headers, URL or the first bytes."""
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type == "text/html":
        return True
    from scrapy.http import Headers, HtmlResponse
    from scrapy.responsetypes import responsetypes

    names = ("content-type", "content-disposition")
    given = {
        name: headers[name].encode("latin-1", "replace")
        for name in names
        if name in headers
    }
    start = (
        body[:5000]
        if isinstance(body, bytes)
        else body[:5000].encode("utf-8", "replace")
    )
    found = responsetypes.from_args(headers=Headers(given), url=url, body=start)
    return issubclass(found, HtmlResponse)


class BodyError(Exception):
    """A body that cannot be decoded; ``code`` is that of its row."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def decode_body(body: bytes, headers: Mapping[str, str], limit: int) -> bytes:
    """The body without the transfer and content encodings that *headers* name.

    Many archives hold decoded bodies below their original headers, so a body that does
    not look encoded is taken as it is. FastWARC's ``auto_decode`` is not used: it
    returns the beginning of a gzip body that is cut off as if that were all, and knows
    no deflate without a zlib header. Raises :exc:`BodyError` for a body that is broken,
    or longer than *limit* bytes.
    """
    from fastwarc.stream_io import BrotliReader, ZstdReader

    chunked = "chunked" in headers.get("transfer-encoding", "").lower()
    if chunked and _CHUNK.match(body):
        body = _join_chunks(body, limit)
    is_markup = body[:200].lstrip().startswith((b"<", b"\xef\xbb\xbf"))
    names = headers.get("content-encoding", "").lower().split(",")
    for name in reversed([name.strip() for name in names]):
        if name in ("gzip", "x-gzip") and body.startswith(_GZIP):
            body = _inflate(body, _AS_GZIP, name, limit)
        elif name == "deflate" and not is_markup:
            # Some servers leave out the header of zlib (RFC 1950).
            is_zlib = body[:1] == b"\x78" and int.from_bytes(body[:2], "big") % 31 == 0
            body = _inflate(body, 15 if is_zlib else -15, name, limit)
        elif name == "zstd" and body.startswith(ZSTD):
            body = _read_all(ZstdReader, body, name, limit)
        elif name == "br" and not is_markup:
            body = _read_all(BrotliReader, body, name, limit)
    return body


def _join_chunks(body: bytes, limit: int) -> bytes:
    """The data of the chunks, without their extensions and trailers.

    As in RFC 9112, 7.1. FastWARC's reader knows neither.
    """
    data, position = bytearray(), 0
    while len(data) <= limit:
        line = _CHUNK.match(body, position)
        if line is None:
            raise BodyError(BAD_ENCODING, f"chunked: no chunk at byte {position:,}")
        size = int(line[1], 16)
        if size == 0:  # the last one; trailers follow
            break
        end = line.end() + size
        if body[end : end + 2] != b"\r\n":
            raise BodyError(BAD_ENCODING, f"chunked: no end of it at byte {end:,}")
        data += body[line.end() : end]
        position = end + 2
    return _bound(bytes(data), limit)


def _inflate(body: bytes, form: int, name: str, limit: int) -> bytes:
    unpacker = zlib.decompressobj(form)
    try:
        unpacked = unpacker.decompress(body, limit + 1)
    except zlib.error as error:
        raise BodyError(BAD_ENCODING, f"{name}: {error}") from None
    if not unpacker.eof and len(unpacked) <= limit:
        raise BodyError(BAD_ENCODING, f"{name}: it ends too soon")
    return _bound(unpacked, limit)


def _read_all(reader: Any, body: bytes, name: str, limit: int) -> bytes:
    unpacked, stream = bytearray(), reader(BytesIO(body))
    try:
        while len(unpacked) <= limit and (more := stream.read(_PIECE_BYTES)):
            unpacked += more
    except OSError as error:
        raise BodyError(BAD_ENCODING, f"{name}: {str(error)[:200]}") from None
    return _bound(bytes(unpacked), limit)


def _bound(body: bytes, limit: int) -> bytes:
    if len(body) > limit:
        raise BodyError(TOO_LARGE, f"unpacked it has more than {limit:,} bytes")
    return body
