"""Encoding of a page and conversion to UTF-8 (WHATWG HTML, section 13.2.3).

The byte order mark decides, then the server's header, valid UTF-8, the page's
declaration, and at last a detector. Nearly all pages are in UTF-8: they are validated
and kept as they are. Of others the declared encoding is checked: it is suspect if it
makes the text unlikely.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from functools import cache, lru_cache
from importlib import import_module
from typing import Final, NamedTuple

from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

from ..vocabulary import read_phrases
from ._limits import count_characters

UTF_8: Final = "utf-8"

FALLBACK: Final = "cp1252"
"""Encoding assumed when nothing declares one (WHATWG: windows-1252)."""

MIN_UTF8_CHARACTERS: Final = 16
"""Valid UTF-8 with so many characters beyond ASCII is not valid by chance: a page that
declares another encoding was converted without its declaration."""

MAX_SAMPLE_BYTES: Final = 1 << 14
"""The part of a page from which its encoding is detected or checked."""

MIN_ERRORS: Final = 16
"""Undecodable characters of a sample, and half of those beyond ASCII, that make an
encoding suspect. A page cut off or composed of several has fewer."""

MIN_DISTINCT_BYTES: Final = 8
"""Different bytes beyond ASCII beside others that are no Latin text; rows of dots,
quotation marks or hard spaces have few different ones."""

_REFUSED: Final = frozenset(
    {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
)
"""Python codecs that are not encodings of pages. UTF-7 turns text into markup."""

_ASCII: Final = bytes(range(0x80))
_EDGES: Final = bytes((*range(0x1C, 0x20), *range(0x80, 0x100)))
"""First and last bytes of white space that :meth:`bytes.strip` does not know."""

_CONTROLS: Final = bytes((*range(9), *range(14, 27), *range(28, 32), 127))
"""Control characters that text hardly has; ISO-2022 needs the escape."""

_SHIFTS: Final = b"\x1b", b"\x0e", b"~{"
"""ISO-2022 and HZ write other characters in ASCII, after one of these."""

_UTF8_SEQUENCE: Final = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_LINE: Final = re.compile(rb"<[^<>]*>|[^<\r\n]+")
"""A tag, or a line of text between tags."""
_PAIRS: Final = re.compile(rb"[\x80-\xff]{2,}")

_LATIN: Final = frozenset(
    "cp1250 cp1252 cp1254 cp1257 cp1258 iso8859-2 iso8859-3 iso8859-4 iso8859-9 "
    "iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16".split()
)
"""Encodings of Latin letters. Letters beyond ASCII stand alone in nearly all words."""

_OTHERS: Final = (
    "utf_8 cp1251 cp1253 cp1255 cp1256 cp866 cp874 koi8_r "
    "iso8859_5 iso8859_7 gb18030 big5 cp932 euc_jp cp949 iso2022_jp"
).split()
"""Encodings of other letters; among more the detector would find none better."""

_IN_WORDS: Final = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]|[\x80-\xff](?=[A-Za-z])")
#: First bytes of binary files that servers send as HTML, and their content types.
_SIGNATURES: Final = {
    b"\x89PNG\r\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"%PDF-": "application/pdf",
    b"PK\x03\x04": "application/zip",
    b"\x1f\x8b\x08": "application/gzip",
    b"\x00\x00\x01\x00": "image/x-icon",
    b"\x7fELF": "application/x-elf",
    b"OggS": "audio/ogg",
    b"ID3\x03": "audio/mpeg",
    b"wOFF": "font/woff",
    b"wOF2": "font/woff2",
}


def binary_type(body: bytes) -> str:
    """The content type of a binary file that a server sent as HTML; empty for none."""
    return next((kind for k, kind in _SIGNATURES.items() if body.startswith(k)), "")


class DecodedPage(NamedTuple):
    """A page in UTF-8, and whether its declared encoding makes its text unlikely."""

    html: bytes
    is_suspect: bool = False


def to_utf8(html: bytes | str, encoding: str | None = None) -> bytes:
    """Return a page in UTF-8, without NULs and surrounding white space.

    *encoding* is the one that the server declares for bytes; an unknown one is ignored.
    Never raises: undecodable bytes become U+FFFD, lone surrogates ``?``.
    """
    return decode_page(html, encoding).html


def decode_page(
    html: bytes | str, encoding: str | None = None, *, detect: bool = False
) -> DecodedPage:
    """Decode a page as :func:`to_utf8` does, and check a declared encoding.

    With *detect* a suspect encoding is replaced by the detected one, if there is one.
    """
    if isinstance(html, str):
        return DecodedPage(_strip(html.encode(UTF_8, "replace")))
    mark, bom = read_bom(html)
    if mark is not None and bom is not None:
        return DecodedPage(_convert(html[len(bom) :], mark))
    name, is_suspect = _choose(html, encoding, detect)
    return DecodedPage(_convert(html, name), is_suspect)


def find_encoding(
    html: bytes, encoding: str | None = None, *, detect: bool = False
) -> str:
    """The name of the encoding by which :func:`decode_page` decodes *html*."""
    if mark := read_bom(html)[0]:
        return mark
    # Only a check of the declared encoding has to read the bytes.
    known = _resolve(encoding) if encoding and not detect else None
    return known or _choose(html, encoding, detect)[0]


def _choose(html: bytes, encoding: str | None, detect: bool) -> tuple[str, bool]:
    """The encoding of a page without a byte order mark, and whether it is suspect."""
    name = _resolve(encoding) if encoding else None
    characters = count_characters(html)
    is_utf8 = characters >= MIN_UTF8_CHARACTERS
    if name is None and not characters and not any(s in html for s in _SHIFTS):
        return UTF_8, False  # whatever it declares
    if name is None and not is_utf8:
        name = _find_declared(html)
    if name is None:
        return (UTF_8 if is_utf8 else _detect(html)), False
    is_read = name == UTF_8 and characters >= 0
    if is_read or not (is_utf8 or _is_unlikely(html, name)):
        return name, False
    detected = _detect(html) if detect else name
    return detected, detected == name


def _is_unlikely(html: bytes, name: str) -> bool:
    """Whether *html*, which is not valid UTF-8, is hardly text in *name*."""
    if name.startswith(("utf-16", "utf-32")):
        return b"\0" not in html  # which each tag has
    sample = _sample(html)
    if name in _LATIN:
        return not _is_latin(sample)
    text = sample.decode(name, "replace")
    errors = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return errors >= MIN_ERRORS and 2 * errors > beyond_ascii


def _is_latin(sample: bytes) -> bool:
    """Whether most bytes beyond ASCII stand alone, as they do in Latin text."""
    pairs = b"".join(_PAIRS.findall(sample))
    is_mixed = len(set(pairs)) >= MIN_DISTINCT_BYTES
    return not is_mixed or 2 * len(pairs) <= len(sample.translate(None, _ASCII))


def _sample(html: bytes) -> bytes:
    """The part of *html* from its first character beyond ASCII on, if it has any."""
    rest = html.lstrip(_ASCII) or html
    return rest[:MAX_SAMPLE_BYTES]


def _convert(html: bytes, name: str) -> bytes:
    beyond_ascii = count_characters(html) if name in (UTF_8, FALLBACK) else -1
    if beyond_ascii >= 0 and (name == UTF_8 or not beyond_ascii):
        return _strip(html)
    return _strip(_decode(html, name).encode(UTF_8, "replace"))


def _decode(html: bytes, name: str) -> str:
    """*html* decoded, in time that does not depend on the number of errors."""
    if table := _characters(name):
        return codecs.charmap_decode(html, "replace", table)[0]
    return html.decode(name, "replace")


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


def _find_declared(html: bytes) -> str | None:
    """The encoding that *html* declares."""
    declared = html_body_declared_encoding(html)
    name = _resolve(declared) if declared else None
    if name is None:
        return None
    # A declaration that is readable as ASCII is not in UTF-16.
    return UTF_8 if name.startswith(("utf-16", "utf-32")) else name


def _detect(html: bytes) -> str:
    """The likely encoding of a page."""
    if count_characters(html) >= 0:
        return UTF_8
    sample = _sample_lines(html)
    sequences = _UTF8_SEQUENCE.findall(sample)
    n_bytes = len(sample.translate(None, _ASCII))
    if len(sequences) > n_bytes - sum(map(len, sequences)):
        return UTF_8  # with some stray bytes
    if _is_latin(sample):
        return _find_latin(sample)
    return _guess(sample) or FALLBACK


def _find_latin(sample: bytes) -> str:
    """The first encoding in which most bytes beside letters are those of a language."""
    counts = Counter(b"".join(_IN_WORDS.findall(sample)))
    return max(_latin_letters(), key=lambda pair: sum(counts[b] for b in pair[1]))[0]


@cache
def _latin_letters() -> list[tuple[str, bytes]]:
    """Encodings, each with the bytes of the letters of a language, and of signs."""
    alphabets = dict(read_phrases("latin_letters"))
    (signs,) = alphabets.pop("signs")
    return [
        (name, f"{letters}{letters.upper()}{signs}".encode(name, "ignore"))
        for names, languages in alphabets.items()
        for name in names.split()
        for letters in languages
    ]


def _sample_lines(html: bytes) -> bytes:
    """The lines of text in *html* with characters beyond ASCII, the first of them.

    Markup and lines in ASCII say nothing of the encoding, and hide the rest from the
    detector. Only whole lines: part of a character would rule its encoding out.
    """
    lines: list[bytes] = []
    size = 0
    for match in _LINE.finditer(html):
        line = match[0]
        if line.isascii() or line.startswith(b"<"):
            continue
        size += len(line) + 1
        if size > MAX_SAMPLE_BYTES:
            lines = lines or [line[:MAX_SAMPLE_BYTES]]
            break
        lines.append(line)
    return b"\n".join(lines) or _sample(html)


def _guess(sample: bytes) -> str | None:
    """The encoding by charset-normalizer, which takes 30 ms to import."""
    from charset_normalizer import from_bytes

    if 50 * (len(sample) - len(sample.translate(None, _CONTROLS))) > len(sample):
        return None  # binary data
    match = from_bytes(sample, cp_isolation=_OTHERS).best()
    return _resolve(match.encoding) if match else None
