"""The words of texts, and the names of titles, headings and entries."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ..text.words import CJK, normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]

ZERO_WIDTH_SPACE: Final = "\u200b"

#: Characters that are words of their own: scripts without spaces between words, Hangul
#: (where particles join the words), and symbols with emoji.
_SINGLE: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff\u1980-\u19df\u1a20-\u1aaf"  # Burmese, Khmer, Tai
    f"{CJK}\u2e80-\u33ff\u4dc0-\u4dff\ua960-\ua97f\uaa60-\uaadf"  # CJK, its symbols
    "\ud7a4-\ud7ff\ufa6e-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U0003fffe\U0003ffff"
    "\u00a6\u00a9\u00ae\u00b0\u2100-\u214f\u2190-\u2bff\ufffd\U0001f000-\U0001faff"
)
_IS_SINGLE: Final = re.compile(f"[{_SINGLE}]")

# FTS5 ignores the diacritics of Latin letters and, elsewhere, combining marks only.
# Readers type Greek without accents, and Russian ё as е.
_ACCENTED: Final = re.compile("[\u0370-\u03ff\u1f00-\u1fffЁё]+")

#: Full-width digits and letters, 0xFEE0 behind the plain ones, and other signs.
_FULL_WIDTH: Final = range(0xFF10, 0xFF5B)
#: Invisible or never typed: control characters (among them the marks that engines put
#: around matches), soft hyphens, variation selectors, Hebrew and Arabic vowel points.
_DROPPED: Final = frozenset(
    (
        *(code for code in range(0x20) if chr(code) not in "\t\n\r"),
        *range(0x7F, 0xA0),
        *(0xAD, 0x640, 0x670, ord(ZERO_WIDTH_SPACE), 0x2060, 0xFEFF),
        *range(0xFE00, 0xFE10),
        *range(0x64B, 0x660),
        *range(0x6D6, 0x6DD),
        *(code for code in range(0x591, 0x5C8) if unicodedata.combining(chr(code))),
    )
)
#: Letters with a second form, and a sign that is a letter.
_LETTER_FORMS: Final = {"ς": "σ", "ſ": "s", "µ": "μ"}
#: A longer text is no name that somebody types.
MAX_NAME_CHARS: Final = 200

#: Names of one document: a hostile page may have a heading in every line.
MAX_NAMES: Final = 5_000

_NUMBER: Final = re.compile(
    r"(?:(?:chapter|part|section|appendix|annex|kapitel|abschnitt|anhang|chapitre|"
    r"capítulo|capitolo|rozdział|глава|приложение)\s+)?"
    r"(?:§\s*)?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[IVX]+(?=[.:)])|[A-Z](?=[.:)]))"
    r"(?:[.:)]|\s*[-–—])?\s+",
    re.IGNORECASE,
)
#: The name in a signature: what stands right before the parentheses or type arguments.
_CALLED: Final = re.compile(r"([^\W\d][\w.:$#-]*)\s?(?:<[^<>]{0,80}>)?\s?[(\[]")
_SUFFIX: Final = re.compile(r"\s+(?:[-–—|·:]\s|\(|\[)")
_PARTS: Final = re.compile(r"::|[.#]")
_IDENTIFIER: Final = re.compile(r"[^\W\d][\w$]*(?:(?:::|[.#])[\w$]+)+")


def segment(text: str) -> str:
    """Normalise the text and separate words where its script does not.

    Full-width letters and digits become plain ones. Soft hyphens, Arabic and Hebrew
    vowel points and control characters are removed; lone surrogates become ``?``.

    >>> segment("Web爬虫").split("\\u200b")
    ['Web', '爬', '虫']
    """
    if text.isascii() and text.isprintable():  # most names
        return text
    kinds = _kinds_of(text)
    if np.bitwise_or.reduce(kinds, initial=0) & _CHANGES:
        whole = normalize("NFC", text)
        kinds = _kinds_of(_ACCENTED.sub(lambda run: normalize("NFD", run[0]), whole))
    signs = np.bitwise_or.reduce(kinds, initial=0)
    if signs & _LEFT_OUT:
        kinds = kinds[~(kinds & _LEFT_OUT).astype(bool)]
    if signs & _ALONE:
        single = (kinds & _ALONE).astype(bool)
        before = single[1:] & ~(kinds[:-1] & _BLANK).astype(bool)
        behind = single[:-1] & (kinds[1:] & _IN_WORD).astype(bool)
        borders = np.flatnonzero(before | behind) + 1
        kinds = np.insert(kinds, borders, ord(ZERO_WIDTH_SPACE))
    return text_of(kinds)


#: Signs of a code point beside what it is shown as: a word of its own, a character of
#: a word, a blank, one that is left out, one that normal forms may change.
_ALONE, _IN_WORD, _BLANK, _LEFT_OUT, _CHANGES = (1 << k for k in range(21, 26))
_CODE: Final = np.uint32(2**21 - 1)


#: Code point -> what :func:`segment` shows for it, and its signs; 0 until it is needed.
_KINDS: Final = np.zeros(sys.maxunicode + 1, "<u4")


def _kinds_of(text: str) -> Codes:
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), _KINDS.dtype)
    return looked_up(_KINDS, codes, _kind)


def _kind(code: int) -> int:
    character = chr(code)
    # Marks and parts of Hangul join the character before them.
    is_mark = unicodedata.category(character).startswith("M") or "ᄀ" <= character <= "ᇿ"
    is_whole = unicodedata.is_normalized("NFC", character) and not is_mark
    signs = _CHANGES * (not is_whole or bool(_ACCENTED.match(character)))
    if code in _DROPPED:
        return code | signs | _LEFT_OUT
    if code in _FULL_WIDTH and character.isalnum():
        character = chr(code - 0xFEE0)
    if _IS_SINGLE.match(character):
        signs |= _ALONE
    elif character.isalnum() or character == "_":
        signs |= _IN_WORD
    return ord(character) | signs | _BLANK * character.isspace()


def text_of(codes: Codes) -> str:
    """Return the text of code points, without their signs."""
    return str((codes & _CODE).tobytes(), "utf-32-le")


def looked_up(table: Codes, codes: Codes, make: Callable[[int], int]) -> Codes:
    """Return what a table has for code points; *make* gives what it does not have."""
    found = table[codes]
    if not found.all():
        for code in {*codes[found == 0].tolist()}:
            table[code] = make(code)
        found = table[codes]
    return found


def unsegment(text: str) -> str:
    """Undo :func:`segment`, as far as a reader sees."""
    return normalize("NFC", text.replace(ZERO_WIDTH_SPACE, ""))


#: Code point -> that of the folded character; 0 until it is needed.
FOLDED: Final = np.zeros(sys.maxunicode + 1, "<u4")


def fold(text: str) -> str:
    """Return a text from :func:`segment` as words between spaces.

    Case and diacritics are removed. Marks are parts of words (vowel signs of Indic
    scripts, among others), and symbols are words, so emoji can be found.

    >>> fold("Crème brûlée, 2 €!").split()
    ['creme', 'brulee', '2']
    """
    if text.isascii():
        return text.encode().translate(_ASCII_FOLDED).decode()
    codes = np.frombuffer(text.encode("utf-32-le"), FOLDED.dtype)
    codes = codes[(codes < _DIACRITICS[0]) | (codes > _DIACRITICS[-1])]
    return text_of(looked_up(FOLDED, codes, folded_code))


def folded_code(code: int) -> int:
    """Return the code point of a folded character, that of a space for a separator."""
    character = chr(code)
    category = unicodedata.category(character)
    if not category.startswith(("L", "N", "Mn", "Mc", "So", "Co")):
        return ord(" ")
    lower = _LETTER_FORMS.get(character) or character.lower()
    # In other scripts a diacritic makes another letter: й is not и.
    is_latin = "\u00c0" <= character <= "\u024f" or "\u1e00" <= character <= "\u1eff"
    return ord(normalize("NFD", lower)[0] if is_latin else lower[0])


_DIACRITICS: Final = range(0x300, 0x370)
_ASCII_FOLDED: Final = bytes(folded_code(k & 127) for k in range(256))


def plain_name(text: str) -> str:
    """Return the words of a text without case, accents and punctuation.

    >>> plain_name("date_trunc()")
    'date trunc'
    """
    return " ".join(fold(segment(text)).split())


@lru_cache(20_000)  # titles and headings recur
def names_in(text: str) -> list[str]:
    """Return what a heading, title or signature may be called, the whole first.

    >>> names_in("9.9.2. date_trunc")
    ['9 9 2 date trunc', 'date trunc']
    >>> names_in("Chapter 31. Roles")
    ['chapter 31 roles', 'roles']
    >>> names_in("class QuerySet.filter(*args, **kwargs)")[1:]
    ['class queryset filter', 'queryset filter', 'filter']
    """
    text = text.strip()
    if not text or len(text) > 3 * MAX_NAME_CHARS:
        return []
    number = _NUMBER.match(text)
    bare = text[number.end() :] if number else text
    called = _CALLED.search(bare) if "(" in bare or "[" in bare else None
    name = called[1] if called else ""
    suffix = _SUFFIX.search(bare)
    before = bare[: suffix.start()] if suffix else ""
    head = bare[: called.end(1)] if called else ""
    whole = name or before or bare
    last = _PARTS.split(whole)[-1] if _IDENTIFIER.fullmatch(whole) else ""
    written = dict.fromkeys((text, bare, head, before, name, last))  # mostly one
    found = dict.fromkeys(map(plain_name, filter(None, written)))
    return [name for name in found if 2 <= len(name) <= MAX_NAME_CHARS]


def name_word(name: str) -> str:
    """Return one word that stands for a name in its :func:`plain_name`.

    It begins with a character of private use: no word that is typed begins so.
    """
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=5)
    return f"\ue000{digest.hexdigest()}"


def name_words(texts: Iterable[str | None]) -> str:
    """Return the words of all names in titles and headings, on one line."""
    names = chain.from_iterable(names_in(text or "") for text in texts)
    return " ".join(map(name_word, dict.fromkeys(islice(names, MAX_NAMES))))
