"""Scripts by their ISO 15924 codes: that of a text, and those of a language."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import Final

LATIN: Final = "Latn"
HAN: Final = "Hani"
KANA: Final = "Kana"

#: Scripts by the words that the names of their characters begin with.
_NAMES: Final = """
LATIN Latn GREEK Grek CYRILLIC Cyrl ARMENIAN Armn HEBREW Hebr ARABIC Arab SYRIAC Syrc
THAANA Thaa NKO Nkoo DEVANAGARI Deva BENGALI Beng GURMUKHI Guru GUJARATI Gujr ORIYA Orya
TAMIL Taml TELUGU Telu KANNADA Knda MALAYALAM Mlym SINHALA Sinh THAI Thai LAO Laoo
TIBETAN Tibt MYANMAR Mymr GEORGIAN Geor HANGUL Hang ETHIOPIC Ethi CHEROKEE Cher
CANADIAN Cans KHMER Khmr MONGOLIAN Mong HIRAGANA Kana KATAKANA Kana
KATAKANA-HIRAGANA Kana BOPOMOFO Hani CJK Hani
""".split()
_SCRIPTS: Final = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))

#: Scripts of several languages, none of them the likely one.
_SHARED: Final = frozenset({LATIN, "Cyrl", "Arab", "Deva"})

#: Languages that are written in a script besides the likely one (CLDR).
_ALSO_IN: Final = {
    LATIN: frozenset("cr crh iu kk kok lad sr tt".split()),
    "Arab": frozenset("az ha ku ms pa uz".split()),
    "Cyrl": frozenset("az bs crh ku mo ro tk uz".split()),
    "Deva": frozenset("ks sd".split()),
    "Mong": frozenset({"mn"}),
}

#: Languages that CLDR has no script or another one for.
_LIKELY: Final = {"grc": "Grek", "hbo": "Hebr", "hyw": "Armn", "ksw": "Mymr"}

#: Combined scripts, by the script that their texts are found to be in.
_COMBINED: Final = {"Hans": HAN, "Hant": HAN, "Jpan": KANA, "Kore": "Hang"}

#: Scripts whose characters count as several letters.
_DENSE: Final = frozenset({HAN, KANA, "Hang"})
_DENSITY: Final = 3

#: Share of kana among kana and Chinese characters that makes a text Japanese. In
#: Japanese texts it is about a half; Chinese ones have の in names.
_MIN_KANA: Final = 0.1


def main_script(text: str, min_letters: int) -> str | None:
    """Return the ISO 15924 code of the script of more than half of the text's letters.

    ``None`` if no script has so many, or the text has fewer than *min_letters*; a
    Chinese, Japanese or Korean character counts as three. Japanese is ``Kana``.

    >>> main_script("日本語の文章です。 (PDF)", 20)
    'Kana'
    """
    if text.isascii():
        return LATIN if sum(map(str.isalpha, text)) >= min_letters else None
    letters: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if script := _script(character):
            letters[script] += count * (_DENSITY if script in _DENSE else 1)
    if letters[KANA] >= _MIN_KANA * (letters[KANA] + letters[HAN]):
        letters[KANA] += letters.pop(HAN, 0)
    total = letters.total()
    script, most = max(letters.items(), key=lambda item: item[1])
    return script if total >= min_letters and 2 * most > total else None


@cache
def only_language(script: str) -> str | None:
    """Return the likely language of a script; ``None`` if several share it."""
    if script in _SHARED:
        return None
    from langcodes import Language

    combined = {HAN: "Hans", KANA: "Jpan"}.get(script, script)
    return Language.get(f"und-{combined}").maximize().language


def is_written_in(tag: str, script: str) -> bool:
    """Whether a text in the language of the *tag* can be in the *script*.

    >>> is_written_in("en-gb", "Cyrl"), is_written_in("sr-latn", "Latn")
    (False, True)
    """
    language, *subtags = tag.split("-")
    titled = (subtag.title() for subtag in subtags)
    if any(_COMBINED.get(subtag, subtag) == script for subtag in titled):
        return True
    return _likely_script(language) == script or language in _ALSO_IN.get(script, ())


@lru_cache(maxsize=1024)
def _likely_script(language: str) -> str:
    """Return the script that a language is mostly written in; Latin if unknown."""
    if language in _LIKELY:
        return _LIKELY[language]
    from langcodes import Language
    from langcodes.tag_parser import LanguageTagError

    try:
        script = Language.get(language).maximize().script or LATIN
    except LanguageTagError:
        return LATIN
    return _COMBINED.get(script, script)


@lru_cache(maxsize=4096)
def _script(character: str) -> str | None:
    """Return the script of a letter or of its mark; ``None`` for signs and digits."""
    if unicodedata.category(character)[0] not in "LM":
        return None
    words = unicodedata.name(character, "").split()
    is_wide = words[:1] in (["FULLWIDTH"], ["HALFWIDTH"])
    return _SCRIPTS.get("".join(words[is_wide : is_wide + 1]))
