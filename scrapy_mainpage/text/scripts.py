"""Scripts by their ISO 15924 codes: that of a text, and those of a language."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cache, lru_cache
from typing import Final

LATIN: Final = "Latn"
HAN: Final = "Hani"
KANA: Final = "Kana"

#: Scripts and their ranges in Unicode.
_RANGES: Final = """
Latn 41-5a 61-7a aa-aa ba-ba c0-d6 d8-f6 f8-24f 1e00-1eff ff21-ff3a ff41-ff5a
Grek 370-3ff 1f00-1fff
Cyrl 400-52f 1c80-1c8f 2de0-2dff a640-a69f
Armn 530-58f fb13-fb17
Hebr 590-5ff fb1d-fb4f
Arab 600-6ff 750-77f 8a0-8ff fb50-fdff fe70-fefc
Syrc 700-74f
Thaa 780-7bf
Nkoo 7c0-7ff
Deva 900-97f a8e0-a8ff
Beng 980-9ff
Guru a00-a7f
Gujr a80-aff
Orya b00-b7f
Taml b80-bff
Telu c00-c7f
Knda c80-cff
Mlym d00-d7f
Sinh d80-dff
Thai e00-e7f
Laoo e80-eff
Tibt f00-fff
Mymr 1000-109f aa60-aa7f
Geor 10a0-10ff 1c90-1cbf 2d00-2d2f
Hang 1100-11ff 3130-318f a960-a97f ac00-d7ff ffa0-ffdc
Ethi 1200-139f 2d80-2ddf ab00-ab2f
Cher 13a0-13ff ab70-abbf
Cans 1400-167f
Khmr 1780-17ff 19e0-19ff
Mong 1800-18af
Kana 3040-30ff 31f0-31ff ff66-ff9f
Hani 3005-3007 3100-312f 3400-4dbf 4e00-9fff f900-faff 20000-3ffff
"""

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


def _spans() -> list[tuple[int, int, str]]:
    lines = (line.split() for line in _RANGES.strip().splitlines())
    return sorted(
        (int(first, 16), int(last, 16), script)
        for script, *ranges in lines
        for first, last in (span.split("-") for span in ranges)
    )


_SPANS: Final = _spans()
_FIRSTS: Final = [first for first, _, _ in _SPANS]


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
        if script := _script(ord(character)):
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


def _script(code: int) -> str | None:
    """Return the script of a code point."""
    place = bisect_right(_FIRSTS, code) - 1
    if place < 0:
        return None
    _, last, script = _SPANS[place]
    return script if code <= last else None
