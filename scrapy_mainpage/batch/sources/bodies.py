"""The body of an HTTP response as it stands in an archive, without its encodings.

Many archives hold bodies that were decoded already, below the headers of before. What
is not in the encoding that it should be in is taken for such a one.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Final

from fastwarc.stream_io import BrotliReader, ChunkedReader, ZstdReader

from ...extraction.parsing.limits import TOO_LARGE

BAD_ENCODING: Final = "bad_encoding"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


class BodyError(Exception):
    """A body that cannot be decoded; ``reason`` is the code of why."""

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason


def decoded(body: bytes, headers: Mapping[str, str], most: int) -> bytes:
    """The body without the transfer and content encodings that *headers* name.

    Raises :exc:`BodyError` for one that is broken, or is longer than *most* bytes.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _without_chunks(body, most)
    names = headers.get("content-encoding", "").lower().split(",")
    for name in reversed([name.strip() for name in names]):
        body = _unpacked(body, name, most)
    return body


def _without_chunks(body: bytes, most: int) -> bytes:
    first = body[:20].partition(b"\r\n")[0].partition(b";")[0].strip()
    try:
        int(first, 16)
    except ValueError:
        return body
    try:
        return _all_of(ChunkedReader(BytesIO(body)), most)
    except OSError as error:
        raise BodyError(BAD_ENCODING, f"chunked: {str(error)[:200]}") from None


def _unpacked(body: bytes, name: str, most: int) -> bytes:
    if name in ("gzip", "x-gzip") and body.startswith(b"\x1f\x8b"):
        return _inflated(body, 31, name, most)
    if name == "deflate" and not _is_markup(body):
        return _inflated(body, 15 if _is_zlib(body) else -15, name, most)
    if name == "zstd" and body.startswith(_ZSTD):
        return _read(ZstdReader, body, name, most)
    if name == "br" and not _is_markup(body):
        return _read(BrotliReader, body, name, most)
    return body


def _is_zlib(body: bytes) -> bool:
    """Whether there is the header that some servers leave away."""
    return len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0


def _is_markup(body: bytes) -> bool:
    return body[:200].lstrip().startswith((b"<", b"\xef\xbb\xbf"))


def _inflated(body: bytes, form: int, name: str, most: int) -> bytes:
    unpacking = zlib.decompressobj(form)
    try:
        unpacked = unpacking.decompress(body, most + 1)
    except zlib.error as error:
        raise BodyError(BAD_ENCODING, f"{name}: {error}") from None
    if not unpacking.eof and len(unpacked) <= most:
        raise BodyError(BAD_ENCODING, f"{name}: it ends too soon")
    return _checked(unpacked, most)


def _read(
    reader: type[BrotliReader | ZstdReader], body: bytes, name: str, most: int
) -> bytes:
    try:
        return _all_of(reader(BytesIO(body)), most)
    except OSError as error:
        raise BodyError(BAD_ENCODING, f"{name}: {str(error)[:200]}") from None


def _all_of(reader: BrotliReader | ChunkedReader | ZstdReader, most: int) -> bytes:
    parts, size = [], 0
    while size <= most and (part := reader.read(min(1 << 20, most + 1 - size))):
        parts.append(part)
        size += len(part)
    return _checked(b"".join(parts), most)


def _checked(body: bytes, most: int) -> bytes:
    if len(body) > most:
        raise BodyError(TOO_LARGE, f"unpacked it has more than {most:,} bytes")
    return body
