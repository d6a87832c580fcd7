"""Candidates for the author in the visible text.

A candidate is a part of a short text block near the title, around the long texts, or
with a class for authors: between dates, separators and borders of elements.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.tags import CODES
from ..vocabulary import read_phrases
from .candidates import (
    MAX_LINE_CHARACTERS,
    Candidate,
    Markup,
    Places,
    block_features,
    crossed,
)
from .dates import dates_in
from .plaintext import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..document.document import Document

MAX_MARKED: Final = 12
"""Blocks with a class for authors elsewhere on the page."""

MAX_CANDIDATES: Final = 80
MAX_RUNS: Final = 16
MAX_NAME_CHARACTERS: Final = 60
_TRAIT: Final = re.compile(
    rb"[Aa]uthor|[Bb]yline|writer|reporter|contributor|journalist"
)
_GROUPS: Final = (
    ("author", re.compile(
        r"author|autor(?!e?i?s?iz)|byline|writer|reporter|journalist|writtenby|redakteur"
        r"|columnist|contributor|vcard|fn\b", re.IGNORECASE)),
    ("name", re.compile("name", re.IGNORECASE)),
    ("date", re.compile("date|time|publish", re.IGNORECASE)),
    ("meta", re.compile("meta|info|credit|detail|kicker|source", re.IGNORECASE)),
    ("other", re.compile(
        r"categor|tag|topic|section|crumb|share|social|comment|caption|photo|image"
        r"|related|nav|menu|title|headline|bio|about", re.IGNORECASE)),
)  # fmt: skip
_PROFILE: Final = re.compile(
    r"/(?:authors?|autor(?:en|es|in)?|auteurs?|profiles?|contributors?|staff"
    r"|reporters?|journalists?|writers?|redaktion)/[^/]|[?&]author=",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(
    r"[|•·⋅●/｜／»«>\n]+|\s[-–—]+\s|[-–—]+$|^[-–—]+|(?<=\w{3})\.\s(?=\w+:)"
)
# "And" between two full names, in as many languages as write it as a word of its own.
AND: Final = (
    r"(?:and|und|et|y|&|ed?|i|a|og|och|ja|ve|və|ir|un|dan|és|și|şi|và|agus|ac|eta|dhe"
    r"|kaj|en|in|и|і|та|й|және|мен|ба|և|եւ|და|και|و|और|तथा|आणि|र|এবং|ও|અને|ਅਤੇ|మరియు"
    r"|மற்றும்|ಮತ್ತು|และ|និង|ແລະ|နှင့်|및|和|と)"
)
_ONLY_AND: Final = re.compile(AND)
_BETWEEN: Final = re.compile(rf",?\s+{AND}\s+|\s*[,،、，;]\s*")
_BY: Final = re.compile(
    r"(?:(?:posted|published|written|authored|submitted|story|article|words|text"
    r"|reported|edited|analysis|opinion)?\s*\b(?:by|von|par|por|di|door|av|af"
    r"|autor(?:in|es)?|author|auteur|autore|автор|текст|tekst|skrevet av|af|oleh|yazan"
    r"|kirjoittaja|szerző|tác giả|συντάκτης|του|της|מאת)\b"
    r"|作者|文|記者|记者|撰文|著者|編集|取材|执笔|글|기자|إعداد|بقلم|كتب|نویسنده)"
    r"\s*[:：／/]?(?:\s+|(?<=[:：／/])|$)",
    re.IGNORECASE,
)
_BEFORE_DATE: Final = re.compile(r"(?<![\s,])[\s,]+(?:on|at|am|le|el)$")
_ROLE: Final = re.compile(
    r"\b(?:editors?|reporter|writer|correspondent|staff|producer|director|manager"
    r"|columnist|photographer|author|contributor|analyst|redakteur(?:in)?|rédact\w+"
    r"|journalist\w*|korrespondent\w*|specialist|officer|news|press|times|post|daily"
    r"|team|agency|magazine|media|follow|share|read|min|link|copy|copied|print|e-?mail|subscribe)\b",
    re.IGNORECASE,
)
_UPPER = r"[^\W\d_a-zà-ÿа-я][\w.'’\-]*"
_PARTICLE = r"(?:de|van|der|von|den|la|le|di|da|dos|del|bin|al|el|ter|ten|du|y|zu)\b"
_FULL: Final = re.compile(rf"{_UPPER}(?:\s+(?:{_UPPER}|{_PARTICLE})){{1,4}}")
_HAN: Final = re.compile(
    r"[\u3400-\u9fff\u3040-\u30ff·・ \u3000]{2,12}|[\uac00-\ud7a3]{2,4}"
)
_DIGIT: Final = re.compile("[0-9]")
_MARKS: Final = ("class:author:0", "class:author:1", "rel-author")
_CROSSED: Final = (
    "by", "class:author", "profile", "dated", "alone", "class:other", "headings:",
)  # fmt: skip


class _Piece(NamedTuple):
    text: str
    element: int
    before: str
    group: int


def find_persons(document: Document, places: Places) -> list[Candidate]:
    """The candidates for the author, in the order of the page."""
    markup = Markup(document, _GROUPS)
    near = {*places.near(above=4, below=14, text=4, after=3), *_marked(document)}
    found: list[Candidate] = []
    is_dated = cache(partial(_has_date, document))
    for block in sorted(near):
        found += _in_block(document, block, places, markup, is_dated)
        if len(found) >= MAX_CANDIDATES:
            break
    return found[:MAX_CANDIDATES]


def _marked(document: Document) -> list[int]:
    """Short blocks whose element has a class that names authors."""
    tokens, elements = document.tokens, document.elements
    found = [match.start() for match in _TRAIT.finditer(document.values)][:200]
    if not found or not len(tokens.start):
        return []
    starts = np.unique(tokens.start)
    place = np.searchsorted(starts, np.array(found), side="right") - 1
    marked = tokens.element[np.isin(tokens.start, starts[np.unique(place[place >= 0])])]
    first, end = elements.first_block[marked], elements.end_block[marked]
    blocks = np.unique(first[(end > first) & (end - first <= 4)])
    short = document.blocks.chars[blocks] <= MAX_LINE_CHARACTERS
    return blocks[short][:MAX_MARKED].tolist()  # type: ignore[no-any-return]


def _in_block(
    document: Document,
    block: int,
    places: Places,
    markup: Markup,
    is_dated: Callable[[int], bool],
) -> Iterator[Candidate]:
    pieces = [*_pieces(document, block)]
    if not pieces:
        return
    shared = [*_place(places, block), *_dated(is_dated, block)]
    for piece in pieces:
        form = _form(piece.text)
        own = [*shared, f"form:{form}", _by(piece), *_markup(markup, piece.element)]
        own += block_features(document, block, piece.element)
        if not _may_be_name(form, own):
            continue
        if _ROLE.search(piece.text):
            own.append("role")
        own.append(
            "alone" if len(pieces) == 1 else "first" if piece is pieces[0] else "later"
        )
        own += crossed(own, shared[0], ("form:", *_CROSSED))
        own += crossed(own, f"form:{form}", _CROSSED)
        yield Candidate(piece.text, block, piece.group, tuple(own))


def _place(places: Places, block: int) -> Iterator[str]:
    is_end = places.last <= block <= places.last + 3
    yield places.below_title(block) or ("end" if is_end else "far")
    yield places.above_text(block)
    yield places.headings_above(block)


def _dated(is_dated: Callable[[int], bool], block: int) -> Iterator[str]:
    """Whether the block has a date, and whether one beside it has."""
    if is_dated(block):
        yield "dated"
    if is_dated(block - 1) or is_dated(block + 1):
        yield "dated-beside"


def _has_date(document: Document, block: int) -> bool:
    """Whether a short block, if it is one of the page, has a date."""
    is_short = (
        0 <= block < document.n_blocks
        and document.blocks.chars[block] <= MAX_LINE_CHARACTERS
    )
    return is_short and bool(dates_in(document.block_text(block)))


def _pieces(document: Document, block: int) -> Iterator[_Piece]:
    runs, blocks = document.runs, document.blocks
    first, end = int(blocks.first_run[block]), int(blocks.end_run[block])
    before, group = "", 0
    for run in range(first, min(end, first + MAX_RUNS)):
        if runs.kind[run] != 0:
            continue
        text = document.text[runs.start[run] : runs.end[run]].decode("utf-8", "replace")
        for _, day in dates_in(text):
            text = text.replace(day, "|", 1)
        for number, part in enumerate(_SEPARATOR.split(text)):
            group += number > 0
            for each in _names(part):
                name = _BEFORE_DATE.sub("", (clean(each) or "").strip(" ,;:."))
                if match := _BY.match(name):
                    before, name = match[0], name[match.end() :].strip(" ,;:")
                if not name or _ONLY_AND.fullmatch(name):
                    continue
                if len(name) <= MAX_NAME_CHARACTERS:
                    yield _Piece(name, int(runs.element[run]), before, group)
                before = name
                group += not _FULL.fullmatch(name)


def _names(part: str) -> list[str]:
    is_list = _FULL.match(part.strip()) or "," in part or _BY.match(part.strip())
    return _BETWEEN.split(part) if is_list else [part]


def _by(piece: _Piece) -> str:
    if not piece.before:
        return "start"
    said = len(piece.before) < 30 and _BY.match(f"{piece.before} ")
    return "by" if said else "after-other"


def _form(text: str) -> str:
    if _FULL.fullmatch(text):
        if text.isupper():
            return "upper"
        return "full" if len(text.split()) <= 3 else "full4"
    if _HAN.fullmatch(text):
        surnames = read_phrases("surnames")["chinese"]
        return "han" if text[0] in surnames and len(text) <= 4 else "han-other"
    if _DIGIT.search(text):
        return "digits"
    return "word" if " " not in text else "text"


def _may_be_name(form: str, own: list[str]) -> bool:
    # Below a next heading are the authors of other pages.
    if "headings:0" not in own and not own[0].startswith(("at:-", "end", "far")):
        return "class:author:0" in own
    if form in {"full", "full4", "upper", "han"}:
        return True
    is_linked = form == "han-other" and "profile" in own
    is_said = "by" in own and form not in {"text", "digits"}
    return is_linked or is_said or any(mark in own for mark in _MARKS)


def _markup(markup: Markup, element: int) -> dict[str, None]:
    """The features of the element of a piece and of those around it, each once."""
    found: list[str] = []
    tags = markup.document.elements.tag
    for level, place, values, groups in markup.around(element):
        where = "0" if level == 0 else "1" if level <= 2 else "3"
        found += [f"class:{group}:{where}" for group in groups]
        if tags[place] == CODES["a"]:
            found.append("linked")
            if _PROFILE.search(values.get("href", "")):
                found.append("profile")
            if "author" in values.get("rel", ""):
                found.append("rel-author")
        elif tags[place] == CODES["address"]:
            found.append(f"class:author:{where}")
    return dict.fromkeys(found)
