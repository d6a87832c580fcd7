"""The words of texts, and the names of titles, headings and entries."""

from __future__ import annotations

import codecs
import re
import unicodedata
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from ..text.words import CJK, normalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
_HAS_SINGLE: Final = re.compile(f"[{_SINGLE}]")
_BOUNDARY: Final = re.compile(
    rf"(?<=\S)(?=[{_SINGLE}])|(?<=[{_SINGLE}])(?=\w)(?![{_SINGLE}])"
)

# FTS5 ignores the diacritics of Latin letters and, elsewhere, combining marks only.
# Readers type Greek without accents, and Russian ё as е.
_ACCENTED: Final = re.compile("[\u0370-\u03ff\u1f00-\u1fffЁё]+")

_FULL_WIDTH: Final = {
    code: code - 0xFEE0
    for first, last in ("０９", "ＡＺ", "ａｚ")
    for code in range(ord(first), ord(last) + 1)
}
#: Invisible or never typed: control characters (among them the marks that engines put
#: around matches), soft hyphens, variation selectors, Hebrew and Arabic vowel points.
_DROPPED: Final = dict.fromkeys(
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
_REPLACED: Final = {**_FULL_WIDTH, **_DROPPED}
# They are rare: finding them first takes a fifth of the time of str.translate.
_HAS_REPLACED: Final = re.compile(f"[{re.escape(''.join(map(chr, _REPLACED)))}]+")

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
    if not text.isascii():
        encodable = text.encode("utf-8", "replace").decode()
        text = normalize("NFC", encodable)
    elif text.isprintable():
        return text
    text = _HAS_REPLACED.sub(lambda match: match[0].translate(_REPLACED), text)
    text = _ACCENTED.sub(lambda match: normalize("NFD", match[0]), text)
    return _BOUNDARY.sub(ZERO_WIDTH_SPACE, text) if _HAS_SINGLE.search(text) else text


def unsegment(text: str) -> str:
    """Undo :func:`segment`, as far as a reader sees."""
    return normalize("NFC", text.replace(ZERO_WIDTH_SPACE, ""))


class _FoldTable(dict[int, str]):
    """Code point -> folded character; filled on demand."""

    def __missing__(self, code: int) -> str:
        value = self[code] = _fold_character(chr(code))
        return value


_FOLD_TABLE: Final = _FoldTable()


def fold(text: str) -> str:
    """Return a text from :func:`segment` as words between spaces.

    Case and diacritics are removed. Marks are parts of words (vowel signs of Indic
    scripts, among others), and symbols are words, so emoji can be found.

    >>> fold("Crème brûlée, 2 €!").split()
    ['creme', 'brulee', '2']
    """
    try:  # most texts in Western languages; a fifth of the time of str.translate
        encoded = text.encode(_COMMON)
    except UnicodeEncodeError:
        parts = _OTHERS.split(text)
        parts[::2] = map(fold, parts[::2])
        parts[1::2] = (part.translate(_FOLD_TABLE) for part in parts[1::2])
        return "".join(parts)
    return codecs.charmap_decode(encoded, "strict", _COMMON_FOLDED)[0]


def is_dropped(character: str) -> bool:
    """Whether :func:`fold` removes the character: a combining diacritic."""
    return not _FOLD_TABLE[ord(character)]


def _fold_character(character: str) -> str:
    if "\u0300" <= character <= "\u036f":
        return ""
    category = unicodedata.category(character)
    if not category.startswith(("L", "N", "Mn", "Mc", "So", "Co")):
        return " "
    lower = _LETTER_FORMS.get(character) or character.lower()
    # In other scripts a diacritic makes another letter: й is not и.
    is_latin = "\u00c0" <= character <= "\u024f" or "\u1e00" <= character <= "\u1eff"
    return normalize("NFD", lower)[0] if is_latin else lower[0]


#: An encoding that covers many texts with one byte per character.
_COMMON: Final = "cp1252"
_OTHERS: Final = re.compile(
    f"([^{re.escape(bytes(range(256)).decode(_COMMON, 'ignore'))}]+)"
)
_COMMON_FOLDED: Final = (
    bytes(range(256)).decode(_COMMON, "replace").translate(_FOLD_TABLE)
)


def plain_name(text: str) -> str:
    """Return the words of a text without case, accents and punctuation.

    >>> plain_name("date_trunc()")
    'date trunc'
    """
    return " ".join(fold(segment(text)).split())


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
    called = _CALLED.search(bare)
    name = called[1] if called else ""
    suffix = _SUFFIX.search(bare)
    before = bare[: suffix.start()] if suffix else ""
    head = bare[: called.end(1)] if called else ""
    whole = name or before or bare
    last = _PARTS.split(whole)[-1] if _IDENTIFIER.fullmatch(whole) else ""
    found = map(plain_name, (text, bare, head, before, name, last))
    return [name for name in dict.fromkeys(found) if 2 <= len(name) <= MAX_NAME_CHARS]


def name_word(name: str) -> str:
    """Return one word that stands for a name in its :func:`plain_name`.

    It begins with a letter, so that no engine takes it for a number.
    """
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8)
    return f"name{digest.hexdigest()}"


def name_words(texts: Iterable[str | None]) -> str:
    """Return the words of all names in titles and headings, on one line."""
    return " ".join(map(name_word, _distinct(texts)))


def _distinct(texts: Iterable[str | None]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        for name in names_in(text or ""):
            if name not in seen:
                seen.add(name)
                yield name
            if len(seen) >= MAX_NAMES:
                return
