"""The words that a query's words stand for: other forms, corrections, synonyms."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from math import log
from typing import TYPE_CHECKING, Any, Final

from ..text.language import function_words
from .tokens import plain_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
    from pathlib import Path

    from .query import Query, Term

#: The :class:`.SqlIndex` that is searched, which imports this module.
Vocabulary = Any

#: Language -> algorithm of Snowball.
SNOWBALL: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

#: Shorter words are neither stemmed nor corrected.
MIN_LETTERS: Final = 4
MIN_STEMMED: Final = 3

#: Forms of one word, and corrections, at most.
MAX_FORMS: Final = 30
MAX_CORRECTIONS: Final = 10

#: Words of the index with one beginning, at most.
MAX_WORDS: Final = 300

#: Longer words have too many corrections to look up.
MAX_CORRECTED: Final = 30

_ALPHABETS: Final = (
    "abcdefghijklmnopqrstuvwxyz",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
)
_GROUP: Final = re.compile(r"\s*,\s*")

Synonyms = dict[str, tuple[str, ...]]


class SynonymsError(ValueError):
    """A file of synonyms that cannot be read, with the number of the line."""


def read_synonyms(file: Path) -> Synonyms:
    """Read synonyms: in each line words or phrases with commas between them.

    ``laptop, notebook`` finds each by the other; ``k8s => kubernetes`` in one direction
    only. Lines that begin with ``#`` are comments. Raises :exc:`SynonymsError`.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as exc:
        raise SynonymsError(f"{file}: {exc}") from exc
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        left, arrow, right = line.partition("=>")
        groups = [_names(part) for part in ((left, right) if arrow else (left, left))]
        if not all(groups) or (not arrow and len(groups[0]) < 2):
            raise SynonymsError(f"{file}, line {number}: {line!r} names no synonyms")
        for name in groups[0]:
            found.setdefault(name, []).extend(x for x in groups[1] if x != name)
    return {name: tuple(dict.fromkeys(others)) for name, others in found.items()}


def _names(part: str) -> list[str]:
    return [name for name in map(plain_name, _GROUP.split(part)) if name]


def complete(
    query: Query, index: Vocabulary, synonyms: Mapping[str, Sequence[str]] | None = None
) -> Query:
    """Return the query without function words, each word with its other forms.

    The last word may be the beginning of one; a word that the index does not have is
    corrected by one edit. Quoted terms stay as they are.
    """
    languages = index.languages()
    wanted = _without_function_words(query.wanted, languages)
    known = index.known_words({word for term in wanted for word in term.words})
    terms = []
    for term in wanted:
        forms = list((synonyms or {}).get(plain_name(term.text), ()))
        is_open = not (term.quoted or term.prefix)
        if is_open and len(term.words) == 1:
            forms += _other_forms(term.words[0], index, languages)
        made = replace(term, forms=tuple(dict.fromkeys(forms)))
        if is_open and not forms and not set(term.words) <= known:
            made = _repaired(made, known, index)
        is_long = len(term.text) >= MIN_STEMMED or not set(term.words) <= known
        if is_open and is_long and term is wanted[-1]:
            made = replace(made, prefix=True)
        whole = replace(made, prefix=term.prefix)
        terms.append(replace(made, count=index.count(whole)))
    return replace(query, terms=(*terms, *query.unwanted), name=query.words)


def rarity(term: Term, size: int) -> float:
    """Return what a term counts among this many documents: rare ones count more."""
    return log(1 + max(size, term.count) / max(term.count, 1))


def _without_function_words(
    terms: Sequence[Term], languages: Iterable[str]
) -> list[Term]:
    """Return the terms that carry meaning; all of them if none does."""
    skipped = frozenset().union(*map(function_words, languages or ("en",)))
    kept = [
        term
        for term in terms
        if term.quoted or term.prefix or term.text.lower() not in skipped
    ]
    return kept or list(terms)


def _other_forms(word: str, index: Vocabulary, languages: Iterable[str]) -> list[str]:
    """Return the words of the index with the same stem in a language."""
    names = {SNOWBALL.get(tag.partition("-")[0], "") for tag in languages}
    stems = [stem for stem in map(stemmer, sorted(names)) if stem is not None]
    # The last letter of a stem may be another one in the word: studi, study.
    sizes = [len(stem(word)) - 1 for stem in stems]
    size = min((size for size in sizes if size >= MIN_STEMMED), default=MIN_STEMMED)
    if not stems or len(word) < MIN_STEMMED:
        return []
    words = index.words_from(word[:size])
    own = [(stem, stem(word)) for stem in stems]
    found = [
        each
        for each in words
        if each != word
        and any(each.startswith(x[:-1]) and stem(each) == x for stem, x in own)
    ]
    return found[:MAX_FORMS]


@cache
def stemmer(algorithm: str) -> Callable[[str], str] | None:
    """Return the function from a word to its stem; ``None`` without one."""
    if not algorithm:
        return None
    import snowballstemmer

    if algorithm not in snowballstemmer.algorithms():
        return None
    stem: Any = lru_cache(10_000)(snowballstemmer.stemmer(algorithm).stemWord)
    return stem  # type: ignore[no-any-return]


def _repaired(term: Term, known: Set[str], index: Vocabulary) -> Term:
    """Return the term with corrections for its first word that is not known."""
    words = term.words
    place = next(k for k, word in enumerate(words) if word not in known)
    word = words[place]
    if not MIN_LETTERS <= len(word) <= MAX_CORRECTED:
        return term
    near, beginning = set(edits(word)), word[: len(word) // 2]
    found = near.intersection(index.words_from(beginning))
    others = (each for each in near if not each.startswith(beginning))
    corrected = sorted(found | index.known_words({*others}))[:MAX_CORRECTIONS]
    forms = (" ".join((*words[:place], x, *words[place + 1 :])) for x in corrected)
    return replace(term, forms=tuple(forms))


def edits(word: str) -> Iterator[str]:
    """Yield the words within one edit: a letter lost, added, changed, swapped."""
    letters = next((each for each in _ALPHABETS if set(word) & set(each)), "")
    if not letters:
        return
    for k in range(len(word) + 1):
        before, after = word[:k], word[k:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in letters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in letters)
