"""WARC files, intact and damaged."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

from scrapy_mainpage.batch.convert import Conversion, convert_file
from scrapy_mainpage.batch.extract import Extraction
from scrapy_mainpage.batch.locations import Location

DATE = "2026-01-02T03:04:05Z"
HTML = "text/html; charset=utf-8"


def page(number: int, paragraphs: int = 4) -> bytes:
    """A unique page, with characters of several lengths in UTF-8."""
    text = "".join(
        f"<p>Owl {number} saw «{k}» mice in the garden, 猫 and {number * k} birds, "
        "and none of them was afraid of what it did there at noon.</p>"
        for k in range(paragraphs)
    )
    links = "".join(f"<li><a href='/{k}'>Link {k}</a></li>" for k in range(9))
    return (
        f"<html lang=en><head><title>Owl {number}</title></head><body><nav><ul>{links}"
        f"</ul></nav><main><h1>Owl {number}</h1>{text}</main></body></html>"
    ).encode()


def url(number: int) -> str:
    return f"https://owls.example/{number}"


def http(
    body: bytes, *headers: str, status: str = "200 OK", content_type: str | None = HTML
) -> bytes:
    """An HTTP response."""
    lines = [f"HTTP/1.1 {status}", *headers]
    lines += [f"Content-Type: {content_type}"] if content_type else []
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def record(
    payload: bytes,
    address: str | None = url(0),
    *,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    length: int | None = None,
) -> bytes:
    """A WARC record; *length* overrides the declared length."""
    lines = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Date: {DATE}"]
    lines += ["WARC-Record-ID: <urn:uuid:01234567-0123-0123-0123-0123456789ab>"]
    lines += [f"WARC-Target-URI: {address}"] if address else []
    lines += [f"Content-Type: {content_type}"]
    lines += [f"Content-Length: {len(payload) if length is None else length}"]
    return "\r\n".join([*lines, "", ""]).encode() + payload + b"\r\n\r\n"


def response(number: int, *, paragraphs: int = 4) -> bytes:
    """The record of a page."""
    return record(http(page(number, paragraphs)), url(number))


def info() -> bytes:
    """The first record of a file."""
    software = b"software: owls/1.0\r\n"
    return record(software, None, kind="warcinfo", content_type="application/warc")


def write_gzipped(path: Path, records: Iterable[bytes]) -> list[int]:
    """Write a file with a gzip member for each record; return their offsets."""
    offsets, data = [], bytearray()
    for each in records:
        offsets.append(len(data))
        data += gzip.compress(each, 6)
    path.write_bytes(data)
    return offsets


def write_plain(path: Path, records: Iterable[bytes]) -> list[int]:
    """Write an uncompressed file of records; return their offsets."""
    offsets, data = [], bytearray()
    for each in records:
        offsets.append(len(data))
        data += each
    path.write_bytes(data)
    return offsets


def archive(path: Path, *numbers: int) -> Path:
    write_gzipped(path, [info(), *map(response, numbers)])
    return path


def convert(source: Path | str, folder: Path | str) -> str | None:
    """Convert a file in this process; return its problem."""
    conversion = Conversion(Extraction(), folder=str(folder))
    return convert_file(0, conversion, [Location(str(source))])[2]
