"""Candidates for the author in the visible text.

A candidate is a part of a short text block near the title, around the long texts, or
with a class for authors: between dates, separators and borders of elements.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..declared.meta import are_named
from ..document.schema import spans_with
from ..document.tags import CODES
from ..vocabulary import read_phrases
from .candidates import (
    MAX_LINE_CHARACTERS,
    NAMES,
    Candidate,
    Markup,
    Places,
    block_features,
    crossed,
    grouped,
)
from .dates import dates_in
from .plaintext import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..document.schema import Mask

MAX_MARKED: Final = 12
"""Blocks with a class for authors elsewhere on the page."""

MAX_CANDIDATES: Final = 80
MAX_RUNS: Final = 16
MAX_NAME_CHARACTERS: Final = 60
_TRAITS: Final = (
    b"uthor", b"yline", b"writer", b"reporter", b"contributor", b"journalist",
)  # fmt: skip
_AUTHOR: Final = re.compile(
    r"author|autor(?!e?i?s?iz)|byline|writer|reporter|journalist|writtenby|redakteur"
    r"|columnist|contributor|vcard|fn\b"
)
_GROUPS: Final = grouped(
    ("author", _AUTHOR.pattern),
    ("name", "name"),
    ("date", "date|time|publish"),
    ("meta", "meta|info|credit|detail|kicker|source"),
    ("other", r"categor|tag|topic|section|crumb|share|social|comment|caption|photo"
     r"|image|related|nav|menu|title|headline|bio|about"),
)  # fmt: skip
_PROFILE: Final = re.compile(
    r"/(?:authors?|autor(?:en|es|in)?|auteurs?|profiles?|contributors?|staff"
    r"|reporters?|journalists?|writers?|redaktion)/[^/]|[?&]author=",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(
    r"[|•·⋅●○◆◇■□★☆※〓/｜／»«>\n]+|\s[-–—]+\s|(?<![-–—])[-–—]+$|^[-–—]+|(?<=\w{3})\.\s(?=\w+:)"
)
# "And" between two full names, in as many languages as write it as a word of its own.
AND: Final = (
    r"(?:and|und|et|y|&|ed?|i|a|og|och|ja|ve|və|ir|un|dan|és|și|şi|và|agus|ac|eta|dhe"
    r"|kaj|en|in|и|і|та|й|және|мен|ба|և|եւ|და|και|و|और|तथा|आणि|र|এবং|ও|અને|ਅਤੇ|మరియు"
    r"|மற்றும்|ಮತ್ತು|และ|និង|ແລະ|နှင့်|및|和|と)"
)
BETWEEN: Final = re.compile(rf",?\s+{AND}\s+|\s*[,،、，;]\s*")
_BY_WORD = (
    r"\b(?:by|von|par|por|di|door|a[vf]|autor(?:in|es)?|author|auteur|autore|автор|текст"
    r"|tekst|skrevet av|oleh|yazan|kirjoittaja|szerző|tác giả|συντάκτης|του|της|מאת)\b"
)
_BY_LABEL = "作者|文|記者|记者|撰文|著者|編集|取材|执笔|글|기자|إعداد|بقلم|كتب|نویسنده"
_BY_END = r"\s*[:：／/]?(?:\s+|(?<=[:：／/])|$)"
BY: Final = re.compile(
    r"(?:(?:posted|published|written|authored|submitted|story|article|words|text"
    rf"|reported|edited|analysis|opinion)?\s*{_BY_WORD}|{_BY_LABEL}){_BY_END}",
    re.IGNORECASE,
)
# What is in any of these, found in a third of the time.
_SAYS_BY: Final = re.compile(rf"(?:{_BY_WORD}|{_BY_LABEL}){_BY_END}", re.IGNORECASE)
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
_FULL_FORMS: Final = frozenset({"full", "full4", "upper"})
_NAME_FORMS: Final = _FULL_FORMS | {"han"}
_MARKS: Final = ("class:author:0", "class:author:1", "rel-author")
_LINK: Final = CODES["a"]
_ADDRESS: Final = CODES["address"]
_CROSSED: Final = (
    "by", "class:author", "profile", "dated", "alone", "class:other", "headings:",
)  # fmt: skip


class _Piece(NamedTuple):
    text: str
    element: int
    group: int
    form: str
    by: str
    """Whether it begins a line, stands behind a word such as "by", or another."""


def find_persons(document: Document, places: Places) -> list[Candidate]:
    """The candidates for the author, in the order of the page."""
    near = {*places.near(above=4, below=14, text=4, after=3), *_marked(document)}
    lines_of = _lines(document, sorted(near))
    elements = (element for lines in lines_of.values() for _, element in lines)
    markup = Markup(document, _GROUPS, elements)
    inside = _inside_marked(document, markup)
    known: dict[int, tuple[str, ...]] = {}
    found: list[Candidate] = []
    for block, lines in lines_of.items():
        is_inside = any(inside[element] for _, element in lines)
        # Most blocks of menus and texts have nothing like a name.
        if not is_inside and not _has_name(document, block, lines):
            continue
        pieces = [*_pieces(lines, is_dated=bool(places.days(block)))]
        if is_inside or any(_says_name(p) or p.form == "han-other" for p in pieces):
            for piece in pieces:
                if piece.element not in known:
                    known[piece.element] = _markup(document, markup, piece.element)
            found += _in_block(document, block, pieces, _shared(places, block), known)
        if len(found) >= MAX_CANDIDATES:
            break
    return found[:MAX_CANDIDATES]


def _has_name(document: Document, block: int, lines: list[tuple[str, int]]) -> bool:
    """Whether a block has a text in the form of a name, or a word before one."""
    text = " ".join([text for text, _ in lines])
    return bool(
        document.blocks.cjk[block] or _FULL.search(text) or _SAYS_BY.search(text)
    )


def _marked(document: Document) -> list[int]:
    """Short blocks whose element has a class that names authors."""
    columns, elements = document.attributes, document.elements
    names = are_named(NAMES)[columns.name].nonzero()[0]
    bounds = columns.start[names], columns.end[names]
    marked = columns.element[names[spans_with(_TRAITS, document.values, *bounds)]]
    first, end = elements.first_block[marked], elements.end_block[marked]
    blocks = np.unique(first[(end > first) & (end - first <= 4)])
    short = document.blocks.chars[blocks] <= MAX_LINE_CHARACTERS
    return blocks[short][:MAX_MARKED].tolist()  # type: ignore[no-any-return]


def _lines(document: Document, blocks: list[int]) -> dict[int, list[tuple[str, int]]]:
    """The first texts of each block, each with its element."""
    runs, first = document.runs, document.blocks.first_run
    own = np.zeros(document.n_blocks + 1, bool)
    own[blocks] = True
    rows = (own[runs.block] & (runs.kind == 0)).nonzero()[0]
    rows = rows[rows - first[runs.block[rows]] < MAX_RUNS]
    found: dict[int, list[tuple[str, int]]] = {block: [] for block in blocks}
    columns = (runs.block, runs.start, runs.end, runs.element)
    cells = (column[rows].tolist() for column in columns)
    for block, start, end, element in zip(*cells, strict=True):
        text = document.text[start:end].decode("utf-8", "replace")
        found[block].append((text, element))
    return found


def _in_block(
    document: Document,
    block: int,
    pieces: list[_Piece],
    shared: list[str],
    known: dict[int, tuple[str, ...]],
) -> Iterator[Candidate]:
    for piece in pieces:
        if not _may_be_name(piece, known[piece.element], shared):
            continue
        form = f"form:{piece.form}"
        own = [*shared, form, piece.by, *known[piece.element]]
        own += block_features(document, block, piece.element)
        if _ROLE.search(piece.text):
            own.append("role")
        own.append(
            "alone" if len(pieces) == 1 else "first" if piece is pieces[0] else "later"
        )
        own += crossed(own, shared[0], ("form:", *_CROSSED))
        own += crossed(own, form, _CROSSED)
        yield Candidate(piece.text, block, piece.group, tuple(own))


def _shared(places: Places, block: int) -> list[str]:
    """The features of a block: its place, and dates in it and beside it."""
    is_end = places.last <= block <= places.last + 3
    found = [
        places.below_title(block) or ("end" if is_end else "far"),
        places.above_text(block),
        places.headings_above(block),
    ]
    if places.days(block):
        found.append("dated")
    if places.days(block - 1) or places.days(block + 1):
        found.append("dated-beside")
    return found


def _pieces(lines: list[tuple[str, int]], *, is_dated: bool) -> Iterator[_Piece]:
    before, group = "", 0
    for text, element in lines:
        for _, day in dates_in(text) if is_dated else ():
            text = text.replace(day, "|", 1)
        for number, part in enumerate(_SEPARATOR.split(text)):
            group += number > 0
            for each in _names(part):
                name = _BEFORE_DATE.sub("", (clean(each) or "").strip(" ,;:."))
                if match := BY.match(name):
                    before, name = match[0], name[match.end() :].strip(" ,;:")
                if not name or BETWEEN.fullmatch(f" {name} "):
                    continue
                form = _form(name)
                if len(name) <= MAX_NAME_CHARACTERS:
                    yield _Piece(name, element, group, form, _by(before))
                before = name
                group += form not in _FULL_FORMS


def _names(part: str) -> list[str]:
    is_list = _FULL.match(part.strip()) or "," in part or BY.match(part.strip())
    return BETWEEN.split(part) if is_list else [part]


def _by(before: str) -> str:
    if not before:
        return "start"
    said = len(before) < 30 and BY.match(f"{before} ")
    return "by" if said else "after-other"


def _form(text: str) -> str:
    if _FULL.fullmatch(text):
        if text.isupper():
            return "upper"
        return "full" if len(text.split()) <= 3 else "full4"
    if _HAN.fullmatch(text):
        surnames = read_phrases("surnames")["chinese"]
        return "han" if text[0] in surnames and len(text) <= 4 else "han-other"
    if any(map(str.isdigit, text)):
        return "digits"
    return "word" if " " not in text else "text"


def _is_first(shared: list[str]) -> bool:
    # Below a next heading are the authors of other pages.
    return shared[2] == "headings:0" or shared[0].startswith(("at:-", "end", "far"))


def _inside_marked(document: Document, markup: Markup) -> Mask:
    """By element, whether it is in one that a class, tag or link to an author marks."""
    inside = np.zeros(document.n_elements, bool)
    marked = [
        element
        for element, own in markup.attributes.items()
        if "author" in own.get("rel", "") or _AUTHOR.search(markup.names[element])
    ]
    for element in (*marked, *document.elements_with_tag("address").tolist()):
        inside[element : document.elements.end[element]] = True
    return inside


def _says_name(piece: _Piece) -> bool:
    is_said = piece.by == "by" and piece.form not in {"text", "digits"}
    return is_said or piece.form in _NAME_FORMS


def _may_be_name(piece: _Piece, marks: Collection[str], shared: list[str]) -> bool:
    if not _is_first(shared) and "class:author:0" not in marks:
        return False
    is_linked = piece.form == "han-other" and "profile" in marks
    return is_linked or _says_name(piece) or any(mark in marks for mark in _MARKS)


def _markup(document: Document, markup: Markup, element: int) -> tuple[str, ...]:
    """The features of the element of a piece and of those around it, each once."""
    found: list[str] = []
    tag = document.elements.tag.item
    for level, place, groups in markup.around(element):
        where = "0" if level == 0 else "1" if level <= 2 else "3"
        if groups:
            found += [f"class:{group}:{where}" for group in groups]
        code = tag(place)
        if code == _LINK:
            own = markup.attributes.get(place, {})
            found.append("linked")
            if _PROFILE.search(own.get("href", "")):
                found.append("profile")
            if "author" in own.get("rel", ""):
                found.append("rel-author")
        elif code == _ADDRESS:
            found.append(f"class:author:{where}")
    return tuple(dict.fromkeys(found))
