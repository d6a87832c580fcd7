"""Who wrote the page: the names that it declares and shows, cleaned."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain, groupby
from typing import TYPE_CHECKING

from ..declared.fields import PROPERTIES
from ..declared.meta import Found
from ..title_rule import letters
from ..vocabulary import read_phrases
from .field_models import choose_persons
from .persons import AND, BETWEEN, BY, find_persons
from .plaintext import short_line

if TYPE_CHECKING:
    from ..declared import Declared
    from ..document.document import Document
    from .candidates import Places

MAX_NAMES = 20
MAX_NAME_CHARACTERS = 100
_NO_NAME = re.compile(
    r"https?:|www\.|//|[a-z0-9-]\.(?:com|org|net|html?|php)\b|[{}<>\[\]=@\\©]|^\("
    r"|^\w+[_-]admin$",
    re.IGNORECASE,
)
"""Addresses, code, and marks of rights."""

_BEHIND = re.compile(r"\s*[(<\[][^()<>\[\]]{1,60}[)>\]]\s*$|\s기자$")
"""A role or an address in brackets."""

_NO_NAMES = frozenset(
    "admin administrator adminuser root webmaster editor user guest author authors "
    "anonymous anon unknown name noname test default superuser wordpress null none "
    "undefined false true byline posted redaktor автор sysadmin siteadmin wpadmin "
    "webadmin contributor staff by von par por "
    "writtenby postedby publishedby publisher theauthor aboutauthor abouttheauthor "
    "readmore seefullbio published publishedon updated updatedon lastupdated "
    "lastmodified veröffentlicht aktualisiert publié publicado actualizado pubblicato "
    "aggiornato gepubliceerd bijgewerkt опубликовано обновлено".split()
)
_AND = re.compile(rf"\s{AND}\s")
MAX_HAN_LINES = 8
"""Text blocks from the title to a line that names a Chinese author."""

MAX_HAN_BLOCKS = 500
MAX_HAN_CHARACTERS = 40
_HAN = r"[\u3400-\u9fff·]{2,4}"
_HAN_NAMES = rf"({_HAN}(?:[\s、，]+{_HAN}){{0,5}})"
_HAN_LINE = re.compile(
    rf"(?<![\u3400-\u9fff])(?:本[报報])?(?:作者|撰文|文|記者|记者)\s*[:：/／]\s*{_HAN_NAMES}(?![\u3400-\u9fff])"
    rf"|[\u3400-\u9fff]{{0,8}}\s?记者\s+{_HAN_NAMES}(?![\u3400-\u9fff])"
)
_HAN_LABEL = re.compile(
    r"(?:本?[报報]?[记記]者|.*[来來稿]源|.*[报報][导導道]|.*[编編][辑輯]|[点點][击擊]|阅读|閱讀|手机版|分享到|.*[时時][间間]"
    r"|全文|高清|查看|更多|相关|许可|.*[网網图圖版社]|编制)"
)
_BLANKS = re.compile(r"[\s、，]+")


def find_author(
    declared: Declared, sites: frozenset[str], places: Places
) -> Found | None:
    """The authors' names, ``"; "`` between them; ``None`` if the page names no author.

    *sites* are the site's own names (see :func:`.titles.site_names`): such a name and
    that of an organisation count where the page shows no person's full name. *places*
    are those of the visible page.
    """
    organisations, weak = _organisations(declared), None
    for source, names in groupby(declared.found("author"), lambda each: each.source):
        persons = _persons(each.value for each in names)
        known = sites | organisations
        if own := [person for person in persons if letters(person) not in known]:
            if source == "microdata":  # others are of comments and teasers
                own = own[:1]
            return Found(source, "; ".join(own))
        if persons:
            weak = weak or Found(source, "; ".join(persons))
    shown = _shown(declared.document, places)
    if shown is None or letters(str(shown.value)) in sites:
        return weak
    is_full = " " in shown.value or not shown.value.isascii()
    return shown if weak is None or is_full else weak


def _organisations(declared: Declared) -> frozenset[str]:
    """The names of organisations that JSON-LD declares as authors."""
    nodes = declared.content.inner(*PROPERTIES["author"])
    names = (
        node.first("name")
        for node in nodes
        if any(each.endswith("Organization") for each in node.types)
    )
    return frozenset(map(letters, filter(None, names)))


def _shown(document: Document, places: Places) -> Found | None:
    """The names in the visible page."""
    if han := _han_names(document, max(places.title, 0)):
        return Found("byline", han)
    names, probability = choose_persons(find_persons(document, places))
    persons = _persons(names)
    return Found("byline", "; ".join(persons), probability) if persons else None


def _persons(names: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for name in chain.from_iterable(map(_split, names)):
        if person := clean_name(name):
            found.setdefault(letters(person), person)
            if len(found) == MAX_NAMES:
                break
    return list(found.values())


def _split(text: str) -> list[str]:
    """The full names of a list of names, without an agency at its end."""
    if len(text) > 5 * MAX_NAME_CHARACTERS or not _AND.search(text):
        return [text]
    parts = [part for part in BETWEEN.split(text) if part]
    names = [part for part in parts if " " in part.strip()]
    return names if len(names) > 1 and len(names) >= len(parts) - 1 else [text]


def clean_name(text: str) -> str | None:
    """A name without what stands before and around it; ``None`` for other texts."""
    if len(text) > 5 * MAX_NAME_CHARACTERS:
        return None
    match = BY.match(text[:200])
    name = text[match.end() :] if match else text
    name = _BEHIND.sub("", name).strip(" ,;:|/–—-•·\"'")
    plain = letters(name)
    is_other = len(plain) < 2 or len(name) > MAX_NAME_CHARACTERS or plain.isdigit()
    return None if is_other or plain in _NO_NAMES or _NO_NAME.search(name) else name


def _han_names(document: Document, title: int) -> str | None:
    """Chinese names behind a label in a short line at the title, else at the end.

    There a reporter stands in brackets behind the last sentence, or an editor below.
    """
    chars, han = document.blocks.chars, document.blocks.cjk
    if not han.any():
        return None
    lines = range(title, min(title + MAX_HAN_LINES, document.n_blocks))
    blocks = (2 * han > chars).nonzero()[0][:MAX_HAN_BLOCKS].tolist()
    ends = (document.block_text(block)[-MAX_HAN_CHARACTERS:] for block in blocks)
    found = chain(
        (_HAN_LINE.search(short_line(document, block)) for block in lines),
        (_han_reporter().search(end) for end in ends),
    )
    if (match := next(filter(None, found), None)) is None:
        return None
    names = _BLANKS.split(next(filter(None, match.groups())).strip())
    return "; ".join(n for n in names if not _HAN_LABEL.fullmatch(n)) or None


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
