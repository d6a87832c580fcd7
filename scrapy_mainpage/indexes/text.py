"""Text as a word index needs it, for every script.

Engines that split text at spaces and punctuation find nothing in scripts that write
without spaces. :func:`segment` puts a zero-width space between the characters of
these scripts, so each is a word of its own and a query's run of them is a phrase:
words of any length are found, with no dictionary. :func:`unsegment` undoes it.
"""

from __future__ import annotations

import re
import unicodedata

ZERO_WIDTH_SPACE = "\u200b"

#: Characters that stand alone: scripts without spaces between words, Hangul (where
#: particles stick to the words), and symbols with emoji.
_ALONE = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff\u1980-\u19df\u1a20-\u1aaf"  # Burmese, Khmer, Tai
    "\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uaa60-\uaadf\uac00-\ud7ff"  # CJK
    "\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # CJK
    "\u00a6\u00a9\u00ae\u00b0\u2100-\u214f\u2190-\u2bff\ufffd\U0001f000-\U0001faff"
)
_HAS_ALONE = re.compile(f"[{_ALONE}]")
_BOUNDARY = re.compile(rf"(?<=\S)(?=[{_ALONE}])|(?<=[{_ALONE}])(?=\w)(?![{_ALONE}])")

# FTS5 ignores the diacritics of Latin letters, and elsewhere those that stand apart:
# readers type Greek without accents, and Russian ё as е.
_ACCENTED = re.compile("[\u0370-\u03ff\u1f00-\u1fffЁё]+")

_FULL_WIDTH = {
    code: code - 0xFEE0
    for first, last in ("０９", "ＡＺ", "ａｚ")
    for code in range(ord(first), ord(last) + 1)
}
#: What a reader does not see or does not type: controls (among them the marks that an
#: engine puts around matches), soft hyphens, variation selectors, vowel points.
_DROPPED = dict.fromkeys(
    [
        *(code for code in range(0x20) if chr(code) not in "\t\n\r"),
        *range(0x7F, 0xA0),
        0xAD,
        ord(ZERO_WIDTH_SPACE),
        0x2060,
        0xFEFF,
        *range(0xFE00, 0xFE10),
        0x640,
        *range(0x64B, 0x660),
        0x670,
        *range(0x6D6, 0x6DD),
        *(code for code in range(0x591, 0x5C8) if unicodedata.combining(chr(code))),
    ]
)
_REPLACED = {**_FULL_WIDTH, **_DROPPED}
# They are few: to find them first takes a fifth of the time of str.translate.
_HAS_REPLACED = re.compile(f"[{re.escape(''.join(map(chr, _REPLACED)))}]+")


def segment(text: str) -> str:
    """Normalise the text and part its words where its script does not.

    Full-width letters and digits become plain ones; soft hyphens, Arabic and Hebrew
    vowel points and control characters go. Halves of surrogate pairs become ``?``.

    >>> segment("Web爬虫").split("\\u200b")
    ['Web', '爬', '虫']
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _encodable(text))
    elif text.isprintable():
        return text
    text = _ACCENTED.sub(_decomposed, _HAS_REPLACED.sub(_replaced, text))
    return _BOUNDARY.sub(ZERO_WIDTH_SPACE, text) if _HAS_ALONE.search(text) else text


def is_segmented(text: str) -> bool:
    """Whether :func:`segment` parted any word of the text that it returned."""
    return ZERO_WIDTH_SPACE in text


def unsegment(text: str) -> str:
    """Take out what :func:`segment` put in."""
    return unicodedata.normalize("NFC", text.replace(ZERO_WIDTH_SPACE, ""))


def _replaced(match: re.Match[str]) -> str:
    return match[0].translate(_REPLACED)


def _decomposed(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", match[0])


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
