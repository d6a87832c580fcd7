"""From a page's bytes to UTF-8, in the order of the HTML standard.

What a page is written in says its byte order mark, the server, the page, or in the end
the bytes. A page in UTF-8, as nearly all are, is checked and goes on as it came.
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
"""What the standard takes text for of which nothing is known."""

TELLING: Final = 16
"""So many characters beyond ASCII are no UTF-8 by chance: a page with them that
declares another encoding was converted, and its declaration was not."""

SAMPLE: Final = 1 << 14
"""As much of a page without any label is looked at to tell its encoding."""

GB18030: Final = "gb18030"
LEAST_EUROS: Final = 2_000
BYTES_PER_EURO: Final = 100
"""With more errors than these, and more than one in so many bytes, bytes 0x80 in
GB 18030 are no euro signs: each error would take a call."""

_REFUSED: Final = frozenset(
    {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
)
"""Codecs, not encodings of pages. UTF-7 turns harmless text into markup."""

_EDGES: Final = bytes((*range(0x1C, 0x20), *range(0x80, 0x100)))
"""What a blank that :meth:`bytes.strip` does not know begins or ends with."""

_CONTROLS: Final = bytes((*range(9), *range(14, 27), *range(28, 32), 127))
"""What text hardly holds; the escape of ISO-2022 is none of them."""

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
    """Return a page in UTF-8, without NULs and without blanks around it.

    *encoding* is what a server said of bytes. Never raises for what it is given: an
    encoding that does not exist counts as none, bytes that are no characters in
    it become U+FFFD, lone surrogates ``?``.
    """
    if isinstance(html, str):
        return _trimmed(html.encode(UTF_8, "replace"))
    mark, bom = read_bom(html)
    if mark is not None and bom is not None:
        return _as_utf8(html[len(bom) :], mark)
    name = _known(encoding) if encoding else None
    if name is None and not (name := _wide(html)):
        if count_characters(html) >= TELLING:
            return _trimmed(html)  # whatever it declares
        name = _told(html)
    return _as_utf8(html, name)


def _as_utf8(html: bytes, name: str) -> bytes:
    beyond_ascii = count_characters(html) if name in (UTF_8, FALLBACK) else -1
    if beyond_ascii >= 0 and (name == UTF_8 or not beyond_ascii):
        return _trimmed(html)
    return _trimmed(_decoded(html, name).encode(UTF_8, "replace"))


def _decoded(html: bytes, name: str) -> str:
    """*html* in the encoding *name*, in time that does not depend on what is wrong."""
    if table := _characters(name):
        return codecs.charmap_decode(html, "replace", table)[0]
    text = html.decode(name, "replace")
    most = max(LEAST_EUROS, len(html) // BYTES_PER_EURO)
    if name == GB18030 and 0 < text.count("\ufffd") <= most:
        return to_unicode(html, name)
    return text


@lru_cache(maxsize=256)
def _characters(name: str) -> str | None:
    """What each byte means in *name*, if it is an encoding of single bytes.

    A byte that means nothing is U+FFFD from the start: no error, which would take
    longer than ten characters.
    """
    try:
        module = import_module(f"encodings.{name.replace('-', '_')}")
    except ImportError:
        return None
    table = getattr(module, "decoding_table", None)
    return table.replace("\ufffe", "\ufffd") if isinstance(table, str) else None


def _trimmed(page: bytes) -> bytes:
    if b"\x00" in page:
        page = page.replace(b"\x00", b"")
    page = page.strip()
    if page and (page[0] in _EDGES or page[-1] in _EDGES):
        # Blanks beyond ASCII stand at an end, if only perhaps.
        page = page.decode().strip().encode()
    return page


@lru_cache(maxsize=256)
def _known(label: str) -> str | None:
    """The name of the encoding *label*; ``None`` if it is none for pages."""
    name = None if "\x00" in label else resolve_encoding(label)
    if name is None or name in _REFUSED:
        return None
    try:
        b"a".decode(name, "replace")
    except LookupError:  # "hex" and the like are no encodings of text
        return None
    return name


def _told(html: bytes) -> str:
    """The encoding by what is in *html*, which is not plainly UTF-8."""
    declared = html_body_declared_encoding(html)
    name = declared and _known(declared)
    if name is None:
        return _detected(html)
    # A declaration that can be read as ASCII is not in UTF-16.
    return UTF_8 if name.startswith(("utf-16", "utf-32")) else name


def _wide(html: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte of markup is NUL."""
    if b"\x00" not in html[:4] or len(html) < 8:
        return None
    start = html[:256]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) * 4 < len(start) or min(even, odd) * 4 > max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _detected(html: bytes) -> str:
    """The likely encoding of a page that nothing is said of."""
    if count_characters(html) >= 0:
        return UTF_8
    sample = html[:SAMPLE]
    sequences = _UTF8_SEQUENCE.findall(sample)
    strays = len(_BEYOND_ASCII.findall(sample)) - sum(map(len, sequences))
    if len(sequences) > strays:
        return UTF_8  # with some bytes of something else in between
    return _guessed(sample) or FALLBACK


def _guessed(sample: bytes) -> str | None:
    """The encoding by statistics, where what Scrapy has for it is installed."""
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    if 50 * (len(sample) - len(sample.translate(None, _CONTROLS))) > len(sample):
        return None  # no text at all
    match = from_bytes(sample).best()
    return _known(match.encoding) if match else None


__all__ = ["is_binary", "to_utf8"]
