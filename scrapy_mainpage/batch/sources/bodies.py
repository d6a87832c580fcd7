"""Bodies of HTTP responses in archives, without their encodings."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from fastwarc.stream_io import BrotliReader, ChunkedReader, ZstdReader

from ...extraction.parsing.limits import TOO_LARGE

BAD_ENCODING: Final = "bad_encoding"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_GZIP: Final = b"\x1f\x8b"
_AS_GZIP: Final = 31
_PIECE_BYTES: Final = 1 << 20


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
    chunked = "chunked" in headers.get("transfer-encoding", "").lower()
    if chunked and re.match(rb"[0-9a-fA-F]{1,8}[ \t]*(;.*)?\r\n", body):
        body = _read_all(ChunkedReader, body, "chunked", limit)
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
