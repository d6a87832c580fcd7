"""Names: titles, headings and entries as people type them, each as one word."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from .tokens import fold, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def plain_name(text: str) -> str:
    """Return the words of a text without case, accents and punctuation.

    >>> plain_name("date_trunc()")
    'date trunc'
    """
    return " ".join(fold(segment(text)).split())


def without_number(text: str) -> str:
    """Return a heading without its section number.

    >>> without_number("9.9.2. date_trunc"), without_number("Chapter 31. Roles")
    ('date_trunc', 'Roles')
    """
    number = _NUMBER.match(text)
    return text[number.end() :] if number else text


def names_in(text: str) -> list[str]:
    """Return what a heading, title or signature may be called, the whole first.

    >>> names_in("9.9.2. date_trunc")
    ['9 9 2 date trunc', 'date trunc']
    >>> names_in("class QuerySet.filter(*args, **kwargs)")[1:]
    ['class queryset filter', 'queryset filter', 'filter']
    """
    text = text.strip()
    if not text or len(text) > 3 * MAX_NAME_CHARS:
        return []
    bare = without_number(text)
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
