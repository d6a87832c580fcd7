"""Who wrote the page: names from JSON-LD, meta elements, microdata, links, bylines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, CODES
from ..title_rule import letters
from ..vocabulary import read_phrases
from .dates import dates_in
from .declarations import Found, attributes_by_element
from .plaintext import (
    MAX_HEADINGS,
    MAX_LINE_BLOCKS,
    blocks_below,
    clean,
    element_text,
    short_line,
    title_block,
)

if TYPE_CHECKING:
    from ..document.document import Document
    from .declarations import Declarations, Microdata
    from .jsonld import JsonLd

MAX_NAMES = 20
MAX_NAME_CHARACTERS = 100
_META = (
    "author", "dc.creator", "dcterms.creator", "dc:creator",
    "dcterms:creator", "citation_author", "parsely-author", "sailthru.author",
    "byl", "book:author", "dc.contributor.author", "authors",
)  # fmt: skip
_PREFIX = re.compile(
    r"(?:by|von|par|por|autor|autorin|author|auteur|autore|автор|作者|文|text|"
    r"(?:authored|posted|published|reported|story|words|written)\s+by)\s*[:：]\s*"
    r"|(?:post\s+)?(?:author\s+)?(?:(?:authored|posted|published|written|more|more\s+articles)\s+)?by\s+"
    r"|(?:(?:geschrieben|verfasst|veröffentlicht|eine?\s+\w+)\s+)?von\s+|(?:par|por)\s+",
    re.IGNORECASE,
)
_GLUED = re.compile(r"author(?=[A-Z])", re.IGNORECASE)
_BEFORE_DATE = re.compile(r"(?<![\s,])[\s,]+(?:on|at|am|le|el)$")
_ROLE = re.compile(r"\s*\((?:author|autor|autorin|editor)\)$", re.IGNORECASE)
_ADDRESS = re.compile(
    r"https?:|www\.|//|[a-z0-9-]+\.(?:com|org|net|html?|php)\b", re.IGNORECASE
)
_MAIL = re.compile(r"[(<\[]?\s*[\w.+-]+@[\w-]+\.[\w.-]+\s*[)>\]]?")
_AND_MAIL = re.compile(r"\s?[|,]\s?[\w.+-]{1,60}@[\w-]{1,60}\.[\w.-]{1,60}$")
_ODD = re.compile(r"[{}<>\[\]=@\\©]|^\(|^\w+[_-]admin$")
_NO_NAMES = frozenset(
    "admin administrator adminuser root webmaster editor user guest author authors "
    "anonymous anon unknown name noname test default superuser wordpress null none "
    "undefined false true byline posted redaktor автор sysadmin siteadmin wpadmin "
    "webadmin contributor staff by von par por "
    "writtenby postedby publishedby publisher theauthor aboutauthor abouttheauthor "
    "readmore seefullbio".split()
)
_CLASSES = frozenset(
    "author-name author_name authorname author__name byline-name byline__name "
    "byline-author byline__author article-author article__author article-author-name "
    "post-author post-author-name entry-author entry-author-name p-author author-link "
    "author byline".split()
)
# A byline often has a date, a place or an agency beside the name; then it is left.
_NO_BYLINE = re.compile(r"(?<!\w)[0-9]|[|/•·]|\w:")
MAX_BYLINE_CHARACTERS = 50
# "By Ann Mill", "Posted on | by Ann Mill", where a date is left out.
_NAME = (
    r"(?:[^\W\d_a-zà-ÿа-я][\w.'’\-]*"
    r"|(?:de|van|der|von|den|la|le|di|da|dos|del|bin|al)\b)"
)
_FULL_NAME = rf"{_NAME}(?:\s+{_NAME}){{1,4}}"
# "And" between two full names, in as many languages as write it as a word of its own;
# what is a preposition in another language ("en", "in", "at") only in declarations.
_AND = (
    r"\s+(?:and|und|et|y|&|ed?|i|a|og|och|ja|ve|və|ir|un|dan|és|și|şi|và|agus|ac|eta|dhe"
    r"|kaj|и|і|та|й|және|мен|ба|և|եւ|და|και|و|और|तथा|आणि|र|এবং|ও|અને|ਅਤੇ|మరియు|மற்றும்|ಮತ್ತು"
    r"|และ|និង|ແລະ|နှင့်|및|和|と)\s+"
)
_BETWEEN = re.compile(rf",?(?:{_AND}|\s+(?:en|in)\s+)|\s*[,،、]\s*")
_LINE = re.compile(
    r"(?:^[\W\d_]*|[|•·⋅,]\s*|\b(?i:posted|published|written|authored|submitted|story"
    r"|article|words|exclusive)\s[^.]{0,24}?|\b[ap]m\s+)"
    r"\b(?i:by|von|par|por|autor|autorin|author|автор)\b\s*:?\s+"
    rf"({_FULL_NAME}(?:(?:,?{_AND}|,\s+){_FULL_NAME}){{0,4}})"
)
MAX_PROFILE_BLOCKS = 8
"""Text blocks from the title to a line or a link that names its author."""
_PROFILE = re.compile(
    r"/(?:authors?|autor(?:en|es|in)?|auteurs?|profiles?|contributors?|staff"
    r"|reporters?|journalists?|writers?)/[^/]",
    re.IGNORECASE,
)
_FULL = re.compile(_FULL_NAME)
# The next label behind a name: "Autor: Joanna Mill. Data: 3.1.2012".
_NEXT_LABEL = re.compile(r"(?<=\w{3})\.\s.*")
_HAN_LABEL = re.compile(
    r"(?:本?[报報]?[记記]者|.*[来來稿]源|.*[报報][导導道]|.*[编編][辑輯]|[点點][击擊]|阅读|閱讀|手机版|分享到|.*[时時][间間]"
    r"|全文|高清|查看|更多|相关|许可|.*[网網图圖版社]|编制)"
)
_HAN = r"[\u3400-\u9fff·]{2,4}"
_HAN_NAMES = rf"({_HAN}(?:[\s、，]+{_HAN}){{0,5}})"
_HAN_LINE = re.compile(
    rf"(?<![\u3400-\u9fff])(?:本[报報])?(?:作者|撰文|文|記者|记者)\s*[:：/／]\s*{_HAN_NAMES}(?![\u3400-\u9fff])"
    rf"|[\u3400-\u9fff]{{0,8}}\s?记者\s+{_HAN_NAMES}(?![\u3400-\u9fff])"
)
MAX_HAN_BLOCKS = 500
MAX_HAN_CHARACTERS = 40
_KANA = re.compile("[\u3040-\u30ff]")
_TRAIT = re.compile(rb"author|byline")


def find_author(
    document: Document,
    declared: Declarations,
    jsonld: JsonLd,
    item: Microdata,
    sites: frozenset[str],
) -> Found | None:
    """The authors' names, ``"; "`` between them; ``None`` if the page names no author.

    *sites* are the site's own names (see :func:`.titles.site_names`): such a name is an
    author where the page has no other.
    """
    of_site = None
    for source, names in (
        ("json-ld", _jsonld_names(jsonld)),
        ("opengraph", declared.all("article:author", "og:author")),
        ("microdata", _item_names(item)),
        ("meta", declared.all(*_META)),
        ("link", _agreeing(_linked_names(document))),
    ):
        persons = _persons(names)
        if persons and not sites.issuperset(map(letters, persons)):
            return Found(source, "; ".join(persons))
        of_site = of_site or (Found(source, "; ".join(persons)) if persons else None)
    readers = (_class_name, _profile_names, _line_name, _han_names)
    byline = next(filter(None, (read(document) for read in readers)), None)
    # A class alone is weak evidence: against the declared one it takes a full name.
    if of_site and " " not in (byline or ""):
        return of_site
    return Found("byline", byline) if byline else None


def _class_name(document: Document) -> str | None:
    return next(_agreeing(_byline_names(document)), None)


def _persons(names: Iterable[str], maximum: int = MAX_NAMES) -> list[str]:
    found: dict[str, str] = {}
    for name in chain.from_iterable(map(_split, names)):
        if person := clean_name(name):
            found.setdefault(letters(person), person)
            if len(found) == maximum:
                break
    return list(found.values())


def _split(text: str) -> list[str]:
    """The full names of a list of names, without an agency at its end."""
    if len(text) > 5 * MAX_NAME_CHARACTERS or not _BETWEEN.search(text):
        return [text]
    parts = [part for part in _BETWEEN.split(text) if part]
    names = [part for part in parts if " " in part.strip()]
    return names if len(names) > 1 and len(names) >= len(parts) - 1 else [text]


def clean_name(text: str) -> str | None:
    """A name without prefixes, addresses and roles; ``None`` for other texts."""
    if len(text) > 5 * MAX_NAME_CHARACTERS:
        return None
    name = _MAIL.sub("", text)
    if match := _PREFIX.match(name):
        name = name[match.end() :]
    name = _ROLE.sub("", name.strip(" ,;:|/–—-•·\"'"))
    plain = letters(name)
    if (
        len(plain) < 2
        or len(name) > MAX_NAME_CHARACTERS
        or plain.isdigit()
        or plain in _NO_NAMES
    ):
        return None
    return None if _ADDRESS.search(name) or _ODD.search(name) else name


def _jsonld_names(jsonld: JsonLd) -> Iterator[str]:
    for key in ("author", "creator"):
        found = [name for value in jsonld.values(key) for name in _names_of(value)]
        if found:
            yield from found
            return


def _names_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = value.get("name")
    for name in value[:MAX_NAMES] if isinstance(value, list) else [value]:
        if text := clean(name):
            yield text


def _item_names(item: Microdata) -> Iterator[str]:
    """The item's authors that stand together: others belong to comments or teasers."""
    parents = item.document.elements.parent
    place = None
    for element in item.elements("author"):
        name = item.inner(element, "name") or item.value(element) or ""
        if place is None and clean_name(name):
            place = parents[element]
        if parents[element] == place:
            yield name


def _agreeing(names: Iterable[str]) -> Iterator[str]:
    """The name, if all *names* are the same: several are those of other pages."""
    persons = _persons(names, maximum=2)
    if len(persons) == 1:
        yield persons[0]


def _linked_names(document: Document) -> Iterator[str]:
    attributes = document.attributes
    wanted = np.zeros(document.n_elements, bool)
    wanted[attributes.element[attributes.name == ATTRIBUTE_CODES["rel"]]] = True
    for element, values in attributes_by_element(document, wanted).items():
        if "author" in values["rel"].lower().split():
            yield _byline(document, element)


def _byline_names(document: Document) -> Iterator[str]:
    """The texts of elements whose class says that they hold an author's name."""
    tokens = document.tokens
    found = [match.span() for match in _TRAIT.finditer(document.values)]
    if not found or not len(tokens.start):
        return
    starts, first = np.unique(tokens.start, return_index=True)
    ends = tokens.end[first]
    # All at once: the array is converted each time that it is searched.
    begin, end = np.array(found).T
    place = np.searchsorted(starts, begin, side="right") - 1
    place = np.unique(place[(place >= 0) & (end <= ends[place])])
    chosen = [
        start
        for start, end in zip(starts[place].tolist(), ends[place].tolist(), strict=True)
        if document.values[start:end].decode("utf-8", "replace").lower() in _CLASSES
    ]
    # Classes that are said again and again stand in the values once.
    for element in tokens.element[np.isin(tokens.start, chosen)].tolist():
        yield _byline(document, element)


def _profile_names(document: Document) -> str | None:
    """The full names in links to authors, and in an ``address``, below the title."""
    title = title_block(document)
    near = blocks_below(document, title, MAX_PROFILE_BLOCKS)
    # Below a next heading there are other pages' authors; one at the title is its own.
    below = (
        block for block, _ in document.headings[:MAX_HEADINGS] if block > title + 1
    )
    near = near[: max(next(below, near.stop) - near.start, 0)]
    first = document.elements.first_block
    wanted = np.zeros(document.n_elements, bool)
    for tag in ("a", "address"):
        wanted[document.elements_with_tag(tag)] = True
    wanted &= (first >= near.start) & (first < near.stop)
    links = attributes_by_element(document, wanted)
    names = [
        _byline(document, element)
        for element in np.flatnonzero(wanted).tolist()
        if document.elements.tag[element] == CODES["address"]
        or _PROFILE.search(links.get(element, {}).get("href", ""))
    ]
    return "; ".join(_persons(filter(_FULL.fullmatch, names))) or None


def _han_names(document: Document) -> str | None:
    """Chinese names behind a label in a short line at the title, else at the end.

    There a reporter stands in brackets behind the last sentence, or an editor below.
    """
    title = max(title_block(document), 0)
    for block in range(title, min(title + MAX_PROFILE_BLOCKS, document.n_blocks)):
        if match := _HAN_LINE.search(short_line(document, block)):
            return _han_list(match[1] or match[2])
    chars, han = document.blocks.chars, document.blocks.cjk
    for block in np.flatnonzero(2 * han > chars)[:MAX_HAN_BLOCKS].tolist():
        end = document.block_text(block)[-MAX_HAN_CHARACTERS:]
        if (match := _han_reporter().search(end)) and not _KANA.search(end):
            return _han_list(next(filter(None, match.groups())))
    return None


@cache
def _han_reporter() -> re.Pattern[str]:
    """Names behind a last sentence, in brackets: with a label, or with surnames."""
    surnames = "".join(read_phrases("surnames")["chinese"])
    name = rf"[{surnames}][\u3400-\u9fff]{{1,2}}"
    label = "(?:本[报報])?(?:记者|記者|通讯员|责任编辑|责编)?"
    return re.compile(
        rf"[（(]\s*{label}\s*[:：]?\s*({name}(?:[\s、，]+{name}){{0,4}})\s*[）)]\s*$"
        rf"|^[（(]?\s*(?:责任编辑|責任編輯|责编|编辑|执笔人?|撰稿人?)\s*[:：]\s*"
        rf"{_HAN_NAMES}\s*[）)]?\s*$"
        rf"|^[\u3400-\u9fff]{{0,10}}\s?记者\s+{_HAN_NAMES}(?![\u3400-\u9fff])"
    )


def _han_list(text: str) -> str | None:
    names = re.split(r"[\s、，]+", text.strip())
    return "; ".join(n for n in names if not _HAN_LABEL.fullmatch(n)) or None


def _line_name(document: Document) -> str | None:
    """The full names behind "by" in a short line below the title.

    Further below, between pictures and buttons, only in a line that begins with it.
    """
    title = title_block(document)
    for block in blocks_below(document, title, MAX_PROFILE_BLOCKS):
        text = short_line(document, block)
        for _, day in dates_in(text):
            text = text.replace(day, "|")
        is_near = block - title <= MAX_LINE_BLOCKS
        if match := _LINE.search(text) if is_near else _LINE.match(text):
            return "; ".join(_persons([_NEXT_LABEL.sub("", match[1])])) or None
    return None


def _byline(document: Document, element: int) -> str:
    """The text of the element without its dates; empty if it is more than a name."""
    text = _GLUED.sub("", element_text(document, element, most=8, skip="time"), count=1)
    text = _BEFORE_DATE.sub("", _AND_MAIL.sub("", text))
    return "" if len(text) > MAX_BYLINE_CHARACTERS or _NO_BYLINE.search(text) else text
