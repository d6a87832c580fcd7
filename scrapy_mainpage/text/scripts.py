"""The script that a text is written in, and the languages that are written in it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import Final

LATIN: Final = "Latn"
HAN: Final = "Hani"
KANA: Final = "Kana"

#: Scripts by their ISO 15924 codes, and their ranges of Unicode.
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

#: The languages that are written in a script. A script of one language has it first,
#: and then those that are rarer; after a star none of them is to be expected before
#: the others.
_LANGUAGES: Final = """
Grek el grc
Cyrl * ru uk be bg mk sr bs kk ky tg mn uz tt ba cv ce os av ab az tk kv cu ro mo ku
Armn hy hyw
Hebr he yi lad hbo
Arab * ar fa ur ps ku ckb sdh sd ug pa ks ms ha az uz arz ary prs pnb
Syrc syr
Thaa dv
Nkoo nqo
Deva * hi mr ne sa kok gom mai bho sd ks new doi
Beng bn as
Guru pa
Gujr gu
Orya or
Taml ta
Telu te
Knda kn
Mlym ml
Sinh si
Thai th
Laoo lo
Tibt bo dz
Mymr my shn ksw
Geor ka xmf
Hang ko
Ethi am ti
Cher chr
Cans iu cr
Khmr km
Mong mn
Kana ja
Hani zh yue wuu cmn lzh nan hak
"""

#: Languages of other scripts that are written in Latin letters, too.
_LATIN_TOO: Final = frozenset(
    "sr bs az uz tk ku kk tt ms ha ro mo lad iu cr kok".split()
)

#: Subtags of languages, and the scripts that they stand for.
_SUBTAGS: Final = {"hans": HAN, "hant": HAN, "jpan": KANA, "kore": "Hang"}

#: A character of these says as much as some letters of others.
_DENSE: Final = frozenset({HAN, KANA, "Hang"})
_DENSITY: Final = 3

#: Of Chinese characters and kana, the share of kana that makes a text Japanese. (In
#: Japanese texts it is about a half; Chinese ones have の in names.)
_LEAST_KANA: Final = 0.1


def _spans() -> list[tuple[int, int, str]]:
    lines = (line.split() for line in _RANGES.strip().splitlines())
    return sorted(
        (int(first, 16), int(last, 16), script)
        for script, *ranges in lines
        for first, last in (span.split("-") for span in ranges)
    )


_SPANS: Final = _spans()
_FIRSTS: Final = [first for first, _, _ in _SPANS]
_WRITTEN_IN: Final = {
    script: tuple(languages)
    for script, *languages in map(str.split, _LANGUAGES.strip().splitlines())
}
_NOT_LATIN: Final = (
    frozenset(language for every in _WRITTEN_IN.values() for language in every)
    - _LATIN_TOO
)


def main_script(text: str, least: int) -> str | None:
    """The script, by its ISO 15924 code, of more than half of the text's letters.

    ``None`` if none has so many, or the text has fewer than *least* letters; one of
    Chinese, Japanese or Korean counts as three. Japanese is ``Kana``.

    >>> main_script("日本語の文章です。 (PDF)", 20)
    'Kana'
    """
    letters: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if script := _script(ord(character)):
            letters[script] += count * (_DENSITY if script in _DENSE else 1)
    if letters[KANA] >= _LEAST_KANA * (letters[KANA] + letters[HAN]):
        letters[KANA] += letters.pop(HAN, 0)
    total = letters.total()
    script, most = max(letters.items(), key=lambda item: item[1])
    return script if total >= least and 2 * most > total else None


def only_language(script: str) -> str | None:
    """The language that a script belongs to; ``None`` if several share it."""
    first = _WRITTEN_IN.get(script, "*")[0]
    return None if first == "*" else first


def languages_of(script: str) -> tuple[str, ...]:
    """The languages known to be written in a script; of Latin letters none is told."""
    return tuple(name for name in _WRITTEN_IN.get(script, ()) if name != "*")


def is_written_in(tag: str, script: str) -> bool:
    """Whether a text in the language of the *tag* can be in the *script*.

    >>> is_written_in("en-gb", "Cyrl"), is_written_in("sr-latn", "Latn")
    (False, True)
    """
    language, *subtags = tag.split("-")
    if any(_SUBTAGS.get(subtag, subtag.title()) == script for subtag in subtags):
        return True
    if script == LATIN:
        return language not in _NOT_LATIN
    return language in _WRITTEN_IN.get(script, ())


def _script(code: int) -> str | None:
    place = bisect_right(_FIRSTS, code) - 1
    if place < 0:
        return None
    _, last, script = _SPANS[place]
    return script if code <= last else None


__all__ = ["LATIN", "is_written_in", "languages_of", "main_script", "only_language"]
