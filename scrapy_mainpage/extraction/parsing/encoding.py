"""Encoding of a page and conversion to UTF-8 (WHATWG HTML, section 13.2.3).

The byte order mark decides, then the server's header, the page's declaration, and at
last a detector. Nearly all pages are in UTF-8: they are validated and kept as they are.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from importlib import import_module
from typing import Final

from w3lib.encoding import (
    html_body_declared_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

from ._survey import count_characters

UTF_8: Final = "utf-8"

FALLBACK: Final = "cp1252"
"""Encoding assumed when nothing declares one (WHATWG: windows-1252)."""

MIN_UTF8_CHARACTERS: Final = 16
"""Valid UTF-8 with so many characters beyond ASCII is not valid by chance: a page that
declares another encoding was converted without its declaration."""

MAX_SAMPLE_BYTES: Final = 1 << 14
"""The beginning of a page from which its encoding is detected."""

GB18030: Final = "gb18030"
MIN_EUROS: Final = 2_000
MIN_BYTES_PER_EURO: Final = 100
"""A byte 0x80 in GB 18030 is an euro sign, unless a page has more errors than
``MIN_EUROS`` and than one in ``MIN_BYTES_PER_EURO``: each error takes a Python call."""

_REFUSED: Final = frozenset(
    {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
)
"""Python codecs that are not encodings of pages. UTF-7 turns text into markup."""

_EDGES: Final = bytes((*range(0x1C, 0x20), *range(0x80, 0x100)))
"""First and last bytes of white space that :meth:`bytes.strip` does not know."""

_CONTROLS: Final = bytes((*range(9), *range(14, 27), *range(28, 32), 127))
"""Control characters that text hardly has; ISO-2022 needs the escape."""

_SHIFTS: Final = b"\x1b", b"\x0e", b"~{"
"""ISO-2022 and HZ write other characters in ASCII, after one of these."""

_UTF8_SEQUENCE: Final = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_BEYOND_ASCII: Final = re.compile(rb"[\x80-\xff]")


#: First bytes of binary files that servers send as HTML.
_SIGNATURES: Final = (
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"\x00\x00\x01\x00",
    b"\x7fELF",
    b"OggS",
    b"ID3\x03",
    b"wOFF",
    b"wOF2",
)


def is_binary(body: bytes) -> bool:
    """Whether a body begins as a binary file does that a server sent as HTML."""
    return body.startswith(_SIGNATURES)


def to_utf8(html: bytes | str, encoding: str | None = None) -> bytes:
    """Return a page in UTF-8, without NULs and surrounding white space.

    *encoding* is the one that the server declares for bytes; an unknown one is ignored.
    Never raises: undecodable bytes become U+FFFD, lone surrogates ``?``.
    """
    if isinstance(html, str):
        return _strip(html.encode(UTF_8, "replace"))
    mark, bom = read_bom(html)
    if mark is not None and bom is not None:
        return _convert(html[len(bom) :], mark)
    name = _resolve(encoding) if encoding else None
    if name is None and not (name := _find_utf16(html)):
        characters = count_characters(html)
        if characters >= MIN_UTF8_CHARACTERS or (not characters and _is_plain(html)):
            return _strip(html)  # whatever it declares
        name = _declared_or_detected(html)
    return _convert(html, name)


def _is_plain(ascii_html: bytes) -> bool:
    """Whether ASCII reads the same in all encodings of the web: no shifts of state."""
    return not any(shift in ascii_html for shift in _SHIFTS)


def _convert(html: bytes, name: str) -> bytes:
    beyond_ascii = count_characters(html) if name in (UTF_8, FALLBACK) else -1
    if beyond_ascii >= 0 and (name == UTF_8 or not beyond_ascii):
        return _strip(html)
    return _strip(_decode(html, name).encode(UTF_8, "replace"))


def _decode(html: bytes, name: str) -> str:
    """*html* decoded, in time that does not depend on the number of errors."""
    if table := _characters(name):
        return codecs.charmap_decode(html, "replace", table)[0]
    text = html.decode(name, "replace")
    max_errors = max(MIN_EUROS, len(html) // MIN_BYTES_PER_EURO)
    if name == GB18030 and 0 < text.count("\ufffd") <= max_errors:
        return to_unicode(html, name)
    return text


@lru_cache(maxsize=256)
def _characters(name: str) -> str | None:
    """The decoding table of *name*, if it is an encoding of single bytes.

    Undefined bytes map to U+FFFD: an error would take ten times as long.
    """
    try:
        module = import_module(f"encodings.{name.replace('-', '_')}")
    except ImportError:
        return None
    table = getattr(module, "decoding_table", None)
    return table.replace("\ufffe", "\ufffd") if isinstance(table, str) else None


def _strip(page: bytes) -> bytes:
    if b"\x00" in page:
        page = page.replace(b"\x00", b"")
    page = page.strip()
    if page and (page[0] in _EDGES or page[-1] in _EDGES):
        # White space beyond ASCII, perhaps.
        page = page.decode().strip().encode()
    return page


@lru_cache(maxsize=256)
def _resolve(label: str) -> str | None:
    """The name of the encoding *label*; ``None`` if it is unknown or refused."""
    name = None if "\x00" in label else resolve_encoding(label)
    if name is None or name in _REFUSED:
        return None
    try:
        b"a".decode(name, "replace")
    except LookupError:  # codecs such as "hex" do not encode text
        return None
    return name


def _declared_or_detected(html: bytes) -> str:
    """The encoding that *html* declares, else the detected one."""
    declared = html_body_declared_encoding(html)
    name = declared and _resolve(declared)
    if name is None:
        return _detect(html)
    # A declaration that is readable as ASCII is not in UTF-16.
    return UTF_8 if name.startswith(("utf-16", "utf-32")) else name


def _find_utf16(html: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte of markup is NUL."""
    if b"\x00" not in html[:4] or len(html) < 8:
        return None
    start = html[:256]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) * 4 < len(start) or min(even, odd) * 4 > max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _detect(html: bytes) -> str:
    """The likely encoding of a page that declares none."""
    if count_characters(html) >= 0:
        return UTF_8
    sample = html[:MAX_SAMPLE_BYTES]
    sequences = _UTF8_SEQUENCE.findall(sample)
    strays = len(_BEYOND_ASCII.findall(sample)) - sum(map(len, sequences))
    if len(sequences) > strays:
        return UTF_8  # with some stray bytes
    return _guess(sample) or FALLBACK


def _guess(sample: bytes) -> str | None:
    """The encoding by charset-normalizer, if it is installed (Scrapy 2.14 uses it)."""
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    if 50 * (len(sample) - len(sample.translate(None, _CONTROLS))) > len(sample):
        return None  # binary data
    match = from_bytes(sample).best()
    return _resolve(match.encoding) if match else None


__all__ = ["is_binary", "to_utf8"]
