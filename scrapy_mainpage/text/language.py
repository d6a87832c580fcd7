"""Language tags, and the language of a text: identified if possible, or as declared.

With the extra ``[language]`` texts are identified by py3langid, which knows 139
languages; it is loaded on first use. Without it the page's declaration is believed
unless the text is in a script that this language is not written in.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, repeat, takewhile
from typing import Any, Final

from .scripts import is_written_in, main_script, only_language

logger = logging.getLogger(__name__)

SAMPLE_CHARACTERS: Final = 3000
"""Characters of a text that are identified; longer samples change no verdict."""

CHECKED_CHARACTERS: Final = 600
"""The same of texts whose declared language is checked, in about a millisecond."""

MIN_LETTERS: Final = 20
"""Letters that a text needs to be identified."""

MIN_PROBABILITY: Final = 0.5
"""Probability from which the identifier is believed."""

MIN_DECLARED_RATIO: Final = 0.05
"""Probability of the declared language, relative to the likeliest, to prefer it."""

MIN_ENGLISH_SHARE: Final = 0.1
"""Share of function words of a text that is English without a declaration, if it has
less than half as many of any other language. None of 224 texts in others has."""

MIN_ENGLISH_WORDS: Final = 30

_SEVERAL: Final = frozenset("Arab Beng Cyrl Deva Latn".split())
"""The scripts of several languages that the identifier knows."""

NO_LANGUAGE: Final = "zxx"
"""The identifier's answer for code, tables of numbers and the like."""

#: Varieties and the languages that include them. langcodes' ``prefer_macrolanguage``
#: knows neither Norwegian nor the Chinese, Kurdish and Persian ones.
_INCLUDED_IN: Final = {
    "nb": "no", "nn": "no",
    "cmn": "zh", "yue": "zh", "wuu": "zh", "nan": "zh", "hak": "zh", "lzh": "zh",
    "arb": "ar", "arz": "ar", "ary": "ar",
    "prs": "fa", "hbo": "he", "grc": "el", "hyw": "hy", "gug": "gn",
    "sdh": "ku", "ckb": "ku", "uzs": "uz", "fil": "tl", "tgl": "tl",
}  # fmt: skip

# Country codes written for languages, and English or own names of languages.
_MISTAKEN: Final = {
    "cn": "zh", "jp": "ja", "gr": "el", "cz": "cs", "ua": "uk", "dk": "da",
    "english": "en", "deutsch": "de", "german": "de", "french": "fr", "spanish": "es",
    "italian": "it", "portuguese": "pt", "dutch": "nl", "polish": "pl", "russian": "ru",
    "chinese": "zh", "japanese": "ja", "korean": "ko", "greek": "el", "arabic": "ar",
}  # fmt: skip
_UNDETERMINED: Final = frozenset({"und", "mul", "zxx", "mis", "art", "xxx"})
_TAG: Final = re.compile(
    r"([a-z]{2,8})((?:-[a-z0-9]{2,8}){0,3}(?:-x(?:-[a-z0-9]{1,8})+)?)"
)
_WORD: Final = re.compile(r"[^\W\d_]+")


def normalise_language(value: object) -> str | None:
    """Return *value* as a BCP 47 tag in lower case, the first if it lists several.

    The language has two letters where ISO 639-1 has a code for it. ``None`` for a
    value that is not a language: a template's placeholder, a charset, a sentence.

    >>> normalise_language("en_US.UTF-8"), normalise_language("swe")
    ('en-us', 'sv')
    >>> normalise_language("{{ lang }}")
    """
    if not isinstance(value, str) or len(value) > 100:
        return None
    first = re.split(r"[,;.@|]", value.strip().lower(), maxsplit=1)[0]
    match = _TAG.fullmatch(first.strip().replace("_", "-").rstrip("-"))
    if match is None:
        return None
    primary = _short_code(_MISTAKEN.get(match[1], match[1]))
    return primary and primary + match[2]


@lru_cache(maxsize=1024)
def _short_code(code: str) -> str | None:
    """Return the code of a language, with two letters if possible; ``None`` if none."""
    if len(code) > 3 or code in _UNDETERMINED:
        return None
    if code in _by_language():  # most, without the data of all
        return code
    from langcodes import standardize_tag, tag_is_valid

    if len(code) == 2 and not tag_is_valid(code):
        return None
    current = standardize_tag(code)
    return current if len(current) == 2 else code


def identify_language(text: str, declared: object = None) -> str | None:
    """Return the language of a *text* as a BCP 47 tag in lower case, such as ``en``.

    *declared* is the page's declaration, ``None`` if it has none. Where it agrees with
    the text it is returned, as it may say more (``en-gb``). ``None`` for a text that is
    too short, in several scripts, or in one of several languages of its script.

    >>> identify_language("Η γλώσσα αυτού του κειμένου είναι γνωστή.", declared="en")
    'el'
    """
    sample = text[:SAMPLE_CHARACTERS]
    script = main_script(sample, MIN_LETTERS)
    return script and _language_in(script, sample, declared)


def _language_in(
    script: str, sample: str, declared: object, *, quickly: bool = False
) -> str | None:
    tag = normalise_language(declared)
    if tag is not None and not is_written_in(tag, script):
        tag = None
    is_asked = script in _SEVERAL and not (quickly and tag)
    identified = _identify(sample, script, tag) if is_asked else None
    return identified or tag or only_language(script)


def check_language(text: str, declared: str | None) -> str | None:
    """The *declared* language, unless the *text* is in another one.

    Function words tell English from the others; where they do not,
    of "en", the default of many templates, of nothing, and of a language that is not
    written in the text's script the identifier is asked if it is installed; of others
    the script alone. A text of few letters changes nothing.

    >>> check_language("Η γλώσσα αυτού του κειμένου είναι γνωστή.", "en")
    'el'
    """
    sample = text[:CHECKED_CHARACTERS]
    may_be_english = declared is None or declared.partition("-")[0] == "en"
    # Most pages, and counting words is quicker than the identifier.
    if may_be_english and _is_english(sample, is_declared=declared is not None):
        return declared or "en"
    script = main_script(sample, MIN_LETTERS)
    if script is None:
        return declared
    return _language_in(script, sample, declared, quickly=not may_be_english)


def _is_english(text: str, *, is_declared: bool) -> bool:
    """Whether English is plain, or declared and leads by its function words.

    It led in 2 of 1,816 pieces of 300 characters in 16 other languages.
    """
    words, known = _WORD.findall(text.lower()), _languages_of_words()
    counts = Counter(chain.from_iterable(map(known.get, words, repeat(()))))
    english, other = counts.pop("en", 0), max(counts.values(), default=0)
    if is_declared:
        return english > max(other, 1)
    least = MIN_ENGLISH_SHARE * max(len(words), MIN_ENGLISH_WORDS)
    return english >= max(least, 2 * other)


def includes(wanted: str, tag: str) -> bool:
    """Whether a text in the language of *tag* may be in the *wanted* one.

    ``en`` includes ``en-gb``, and ``no`` includes ``nb``. A tag that says less than
    the wanted one is included: ``pt`` may be ``pt-br``.

    >>> includes("en", "en-gb"), includes("pt-br", "pt"), includes("pt-br", "pt-pt")
    (True, True, False)
    >>> includes("sv", "swe")
    True
    """
    ours, theirs = wanted.split("-"), tag.split("-")
    a, b = (_short_code(each[0]) or each[0] for each in (ours, theirs))
    if a != b and _INCLUDED_IN.get(b) != a:
        return _INCLUDED_IN.get(a) == b
    return all(x == y for x, y in zip(ours[1:], theirs[1:], strict=False))


@cache
def load_identifier() -> Any | None:
    """Load the identifier once (0.3 s, 74 MB); ``None`` if it is not installed."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError:
        return None
    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except (AttributeError, OSError) as error:  # of 0.3, which the extra refuses
        logger.warning("The language identifier cannot be loaded: %s", error)
        return None


def _identify(sample: str, script: str, declared: str | None) -> str | None:
    """Return the identified language, or a *declared* one that is nearly as likely."""
    identifier = load_identifier()
    if identifier is None:
        return None
    likely = (
        pair for pair in identifier.rank(sample) if is_written_in(pair[0], script)
    )
    best, share = next(likely, (NO_LANGUAGE, 0.0))
    if best == NO_LANGUAGE:
        return None
    near = takewhile(lambda pair: pair[1] >= MIN_DECLARED_RATIO * share, likely)
    if declared and any(includes(declared, each) for each, _ in ((best, share), *near)):
        return declared
    return _INCLUDED_IN.get(best, best) if share >= MIN_PROBABILITY else None


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the frequent words of a language's grammar; empty if it is not known.

    >>> "the" in function_words("en-gb")
    True
    """
    return _by_language().get(language.partition("-")[0], frozenset())


@cache
def _by_language() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("function_words.txt").read_text("utf-8")
    lines = map(str.split, text.splitlines())
    return {language: frozenset(words) for language, *words in lines}


@cache
def _languages_of_words() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for language, words in _by_language().items():
        known.update((word, (*known.get(word, ()), language)) for word in words)
    return known
