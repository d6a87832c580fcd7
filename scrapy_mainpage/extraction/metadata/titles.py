"""The page's title, without the name of the site where something shows which it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ...addresses import host_of, parts_of
from ..declared.meta import Values
from ..document.tags import CODES
from ..title_rule import letters
from .plaintext import element_text

if TYPE_CHECKING:
    from ..document.document import Document

# Separators of a title and the site's name. They may match too much: a part is
# only taken off when it is known to be the site's name.
_SEPARATOR = re.compile(
    r"\s*[|｜︱¦ㅣ]+\s*|\s+[-–—―·•∙:»«›‹/\\<>~#*,]+\s+|\s*::+\s*|\s+@\s+|:\s+|\s+[»«›‹]|[»«›‹]\s+"
    r"|\s+\((?=[^()]*\)$)|\s+\[(?=[^\[\]]*\]$)"
    r"|(?<=[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uffef])\s*[-_–—:：]+\s*"
    r"|\s*[-_–—]+\s*(?=[\u2e80-\u9fff\uac00-\ud7a3])|\s*_\s*"
)
# Written by forums and blogs before the title, in a part of its own.
_VIEW = re.compile(
    r"view(?:ing)? (?:topic|thread|post|single post)|blog archive"
    r"|(?:zobacz|wyświetl) temat|(?:thema|beitrag) anzeigen"
    r"|просмотр темы|перегляд теми|преглед на тема"
    r"|(?:voir|afficher) le sujet|ver tema|ver tópico|(?:leggi|vedi) argomento"
    r"|bekijk onderwerp|zobrazit téma|zobraziť tému|téma megtekintése|konuyu görüntüle"
    r"|(?:vis|se) emne|visa (?:ämne|tråd)|näytä aihe|vezi subiect|προβολή θέματος"
    r"|(?:查看|浏览)主题|[檢检][視视]主題|トピックを表示|주제 보기",
    re.IGNORECASE,
)
# Left where a template had nothing to write: "| Acme", "Acme - ".
_EDGES = re.compile(r"^[|｜︱¦·•\s]+|(?:[|｜︱¦·•]|\s[-–—]+|\s)+$")
_THE = re.compile(r"^the\s", re.IGNORECASE)
_WORD = re.compile(r"\w{4,}")
_KICKER = re.compile(
    r"(?<![a-z])(?:kicker|over-?line|roof-?line|eyebrow|dachzeile|sur-?title|pre-?title"
    r"|supertitle|spitzmarke)",
    re.IGNORECASE,
)
MAX_KICKER_ELEMENTS = 6
"""Elements at the beginning of a heading that may be its kicker."""

MAX_PARTS = 12
MIN_PART_LETTERS = 3
MIN_HEADLINE_WORDS = 4
MIN_HEADLINE_LETTERS = 12
MAX_TITLE_CHARACTERS = 300
MAX_HOST_CHARACTERS = 253
MAX_NAME_CHARACTERS = 60
MAX_HOME_LINKS = 20


def site_names(names: Iterable[str | None], url: str | None) -> frozenset[str]:
    """All that the site may be called, as :func:`.title_rule.letters`."""
    found = {_spelling(name) for name in names if name}
    labels = host_of(url)[-MAX_HOST_CHARACTERS:].split(".")
    found |= {letters("".join(labels[i:])) for i in range(len(labels) - 1)}
    found |= {letters(label) for label in labels[:-1] if len(label) > 3}
    return frozenset(found - {""})


def _spelling(name: str) -> str:
    return letters(_THE.sub("", name))


def _is_site(text: str, names: frozenset[str]) -> bool:
    return _spelling(text) in names


@lru_cache(maxsize=64)
def strip_site(text: str, names: frozenset[str]) -> str:
    """*text* without the site's *names* at its end or its start.

    What forums write before a title is removed, too.
    """
    text = _after_view(text)
    rest = _without_name(text, names)
    return text if rest == text else strip_site(rest, names)


def _after_view(text: str) -> str:
    """The text after a part of *text* that is only "View topic"."""
    start = 0
    for first, end in _cuts(text)[:MAX_PARTS]:
        if _VIEW.fullmatch(text[start:first].strip()) and letters(text[end:]):
            return text[end:]
        start = end
    return text


@lru_cache(maxsize=64)
def _cuts(text: str) -> list[tuple[int, int]]:
    """Start and end of each separator in *text*."""
    return [match.span() for match in _SEPARATOR.finditer(text)]


def _without_name(text: str, names: frozenset[str]) -> str:
    parts = [(text[:start], text[end:]) for start, end in _cuts(text)[-MAX_PARTS:]]
    for head, tail in parts:
        if letters(head) and _is_site(tail, names):
            return head.strip()
    for head, tail in reversed(parts):
        if letters(tail) and _is_site(head, names):
            return tail.strip()
    return text


def choose_title(
    declared: Iterable[str | None],
    title: str | None,
    headings: Iterable[str],
    banners: Iterable[str],
    subheadings: Iterable[str],
    is_block: Callable[[str], bool],
    names: frozenset[str],
    headline: str | None = None,
) -> str | None:
    """The page's title.

    *declared* are titles made for machines, best first, *title* the ``title``
    element's, *headings* and *subheadings* those of the first and second level,
    *banners* those of the first in the banner of the page, which may be the site's.
    *is_block* says whether a block says just that, *names* are the site's names,
    *headline* is the heading above the main content. One that a heading agrees with
    wins, since the reader sees it; then a heading that says more than a part of one.
    """
    texts = (text[:MAX_TITLE_CHARACTERS] for text in (*declared, title) if text)
    given = [text for text in (_EDGES.sub("", text) for text in texts) if text]
    shown, above = _shown(headings, names), _shown(banners, names)
    stripped = [strip_site(text, names) for text in given]
    own = [text for text in stripped if letters(text) and not _is_site(text, names)]
    return (
        _agreed(own, shown)
        or _begun(own, above)
        or _begun(own, subheadings)
        or _agreed(own, above)
        or _enclosed(own, [*shown, *above])
        or (
            _repeated(own[0], is_block)
            if own and own == stripped[-1:] and title
            else None
        )
        or _headline(_alike(_shown([headline or ""], names), own) or shown, own)
        or next(iter(own), None)
        or next(iter([*shown, *above]), None)
        or next(iter(stripped), None)
    )


def _shown(headings: Iterable[str], names: frozenset[str]) -> list[str]:
    """The headings, without those that are the site's name."""
    texts = [text[:MAX_TITLE_CHARACTERS] for text in headings if letters(text)]
    return [text for text in texts if not _is_site(text, names)]


def _agreed(texts: list[str], headings: list[str]) -> str | None:
    """The text that a heading repeats, or the part of one."""
    spelled = {letters(heading) for heading in headings}
    for text in texts:
        if letters(text) in spelled:
            return text
    parts = (part for text in texts for part in (*_heads(text), *_tails(text)))
    return next((part for part in parts if letters(part) in spelled), None)


def _begun(texts: list[str], headings: Iterable[str]) -> str | None:
    """The text, or the beginning of one, that a heading repeats."""
    spelled = {letters(heading) for heading in headings} - {""}
    parts = (part for text in texts for part in (text, *_heads(text)))
    return next((part for part in parts if letters(part) in spelled), None)


def _enclosed(texts: list[str], headings: list[str]) -> str | None:
    """The heading that has a part of a text among its words, but not the rest."""
    for text in texts:
        for start, end in _cuts(text)[:MAX_PARTS]:
            parts = text[:start], text[end:]
            if (
                text[start:end] == "_"
                or min(map(len, map(letters, parts))) < MIN_PART_LETTERS
            ):
                continue
            for heading in headings:
                found = [_has_words(heading, part) for part in parts]
                if letters(heading) in map(letters, parts):
                    continue
                if sum(found) == 1 and len(heading) <= 2 * len(text):
                    return heading
    return None


def _alike(headings: list[str], texts: list[str]) -> list[str]:
    """The *headings* that share a word of some length with one of the *texts*."""
    known = {word for text in texts for word in _WORD.findall(text.casefold())}
    found = (set(_WORD.findall(heading.casefold())) for heading in headings)
    return [h for h, words in zip(headings, found, strict=True) if words & known]


def _headline(headings: list[str], texts: list[str]) -> str | None:
    """The only heading, of several words: the headline that the reader sees.

    One that has all of a text, which lacks the topic above a headline, is not better.
    """
    found = [*dict.fromkeys(headings)]
    if len(found) != 1 or any(letters(text) in letters(found[0]) for text in texts):
        return None
    is_long = len(found[0].split()) >= MIN_HEADLINE_WORDS or (
        not found[0].isascii() and len(letters(found[0])) >= MIN_HEADLINE_LETTERS
    )
    return found[0] if is_long else None


def _has_words(text: str, part: str) -> bool:
    """Whether *part* is in *text*, as whole words."""
    folded, wanted = text.casefold(), part.strip().casefold()
    start = folded.find(wanted)
    end = start + len(wanted)
    return start >= 0 and not (
        folded[start - 1 : start].isalnum() or folded[end : end + 1].isalnum()
    )


def _repeated(text: str, is_block: Callable[[str], bool]) -> str | None:
    """The longer part of *text* that a text block repeats: it shows where it ends."""
    parts = (
        part for part in (*_heads(text), *_tails(text)) if 2 * len(part) > len(text)
    )
    return next((part for part in parts if is_block(part)), None)


def _heads(text: str) -> list[str]:
    """The parts at the start of *text*, the longest first."""
    return [text[:start] for start, _ in reversed(_cuts(text)[:MAX_PARTS])]


def _tails(text: str) -> list[str]:
    """The parts at its end that are most of *text*, the longest first."""
    tails = (text[end:] for _, end in _cuts(text)[:MAX_PARTS])
    return [tail for tail in tails if 2 * len(tail) > len(text)]


def after_kicker(document: Document, heading: int) -> str:
    """The text of a *heading* without the kicker that it begins with; or nothing."""
    end, first = (
        int(document.elements.end[heading]),
        document.elements.first_run[heading],
    )
    for element in range(heading + 1, min(end, heading + MAX_KICKER_ELEMENTS)):
        begins = document.elements.first_run[element] == first
        if begins and _KICKER.search(document.attribute(element, "class") or ""):
            text = element_text(document, heading, after=element).lstrip(" :|–-")
            return text if letters(text) else ""
    return ""


def home_link_names(document: Document, url: str | None) -> Iterator[str]:
    """The texts of links to the root of the page's host.

    None on the root itself, whose name is its title. Nor a single short word, which
    may be any ("Home").
    """
    parts = parts_of(url)
    if not parts.netloc or parts.path in ("", "/"):
        return
    origin = f"{parts.scheme}://{parts.netloc}".encode("utf-8", "replace")
    homes = {b"/", origin, origin + b"/"}
    hrefs = Values.read(document, "href", document.are_tagged([CODES["a"]]))
    links = hrefs.elements([text in homes for text in hrefs.texts]).tolist()
    for text in (element_text(document, link) for link in links[:MAX_HOME_LINKS]):
        is_long = not text.isascii() and len(letters(text)) > 3
        if len(text) <= MAX_NAME_CHARACTERS and (is_long or len(text.split()) > 1):
            yield text
