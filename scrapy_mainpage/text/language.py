"""The language of a text: by an identifier if one is installed, or else as declared.

With the extra ``[language]`` that is py3langid, which knows 139 languages; it is loaded
when it is first needed. Without it, what the page declares is believed, unless the
text is in a script that this language is not written in; and a script that belongs to
one language tells it.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

from ..extraction.metadata.languages import normalise_language
from .scripts import is_written_in, languages_of, main_script, only_language

logger = logging.getLogger(__name__)

SAMPLE: Final = 3000
"""Characters of a text that are looked at."""

LEAST_LETTERS: Final = 20
"""Of a text that says anything of its language."""

SURE: Final = 0.5
"""The probability from which the identifier is believed."""

NO_LANGUAGE: Final = "zxx"
"""What the identifier says of code, tables of numbers and the like."""

CLOSE: Final = 0.05
"""Of the probability of the likeliest language: what one that is declared must have."""

#: Varieties, and the languages that include them.
_INCLUDED_IN: Final = {
    "nb": "no", "nn": "no",
    "cmn": "zh", "yue": "zh", "wuu": "zh", "nan": "zh", "hak": "zh", "lzh": "zh",
    "arb": "ar", "arz": "ar", "ary": "ar",
    "prs": "fa", "hbo": "he", "grc": "el", "hyw": "hy", "mo": "ro", "gug": "gn",
    "sdh": "ku", "ckb": "ku", "uzs": "uz", "fil": "tl",
}  # fmt: skip


def identify_language(
    text: str, declared: object = None, *, quickly: bool = False
) -> str | None:
    """The language of a *text* as a BCP 47 tag in lower case, such as ``en``.

    *declared* is what its page declares, ``None`` if nothing. Where that agrees with
    the text it is returned, as it may say more (``en-gb``). ``None`` if the text is too
    short to tell, in several scripts, or in one of many languages with nothing to tell
    which. *quickly*: without the identifier, even if it is installed.

    >>> identify_language("Η γλώσσα αυτού του κειμένου είναι γνωστή.", declared="en")
    'el'
    """
    sample = text[:SAMPLE]
    script = main_script(sample, LEAST_LETTERS)
    if script is None:
        return None
    tag = normalise_language(declared)
    if tag is not None and not is_written_in(tag, script):
        tag = None
    only = only_language(script)
    if only is not None and len(languages_of(script)) == 1:
        return tag or only
    identified = None if quickly else _identified(sample, script, tag)
    return identified or tag or only


def includes(wanted: str, tag: str) -> bool:
    """Whether a text in the language of *tag* is in the *wanted* one, as far as known.

    ``en`` takes in ``en-gb``, ``no`` takes in ``nb``; what may be wanted is, too:
    ``pt`` may be ``pt-br``.

    >>> includes("en", "en-gb"), includes("pt-br", "pt"), includes("pt-br", "pt-pt")
    (True, True, False)
    """
    ours, theirs = wanted.split("-"), tag.split("-")
    same = ours[0] == theirs[0]
    if not same and _INCLUDED_IN.get(theirs[0]) != ours[0]:
        return _INCLUDED_IN.get(ours[0]) == theirs[0]
    return all(a == b for a, b in zip(ours[1:], theirs[1:], strict=False))


@cache
def load_identifier() -> Any | None:
    """The identifier, loaded once (0.3 s, 74 MB); ``None`` if it is not installed."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError:
        return None
    # Versions before 0.4 are made otherwise, and know fewer languages.
    load = getattr(LanguageIdentifier, "from_model_file", None)
    try:
        return load(MODEL_FILE, norm_probs=True) if load else None
    except OSError as error:
        logger.warning("The language identifier cannot be loaded: %s", error)
        return None


def _identified(sample: str, script: str, declared: str | None) -> str | None:
    """What the identifier says: *declared* if that is as good; ``None`` if unsure."""
    identifier = load_identifier()
    if identifier is None:
        return None
    likely = {
        language: probability
        for language, probability in identifier.rank(sample)
        if is_written_in(language, script)
    }
    best = max(likely, key=likely.__getitem__, default=None)
    if best in (None, NO_LANGUAGE):
        return None
    if declared and _probability(declared, likely) >= CLOSE * likely[best]:
        return declared
    return _INCLUDED_IN.get(best, best) if likely[best] >= SURE else None


def _probability(tag: str, likely: dict[str, float]) -> float:
    """Of the tag's language, or of any that it includes or is included in."""
    return max(
        (p for language, p in likely.items() if includes(tag, language)), default=0
    )


__all__ = ["identify_language", "includes", "load_identifier"]
