"""Who wrote the page: names from JSON-LD, meta elements, microdata, links, bylines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..document.tags import ATTRIBUTE_CODES
from ..title_rule import letters
from ..vocabulary import read_phrases
from .declarations import Found
from .field_models import choose_persons
from .persons import AND, find_persons
from .plaintext import clean, element_text, short_line, title_block

if TYPE_CHECKING:
    from ..document.document import Document
    from .candidates import Places
    from .declarations import Declarations
    from .jsonld import JsonLd
    from .microdata import PageItem

MAX_NAMES = 20
MAX_RELATIONS = 1000
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
_ROLE = re.compile(r"\s*\((?:author|autor|autorin|editor)\)$|\s+기자$", re.IGNORECASE)
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
# A byline often has a date, a place or an agency beside the name; then it is left.
_NO_BYLINE = re.compile(r"(?<!\w)[0-9]|[|/•·]|\w:")
MAX_BYLINE_CHARACTERS = 50
_AND = re.compile(rf"\s{AND}\s")
_BETWEEN = re.compile(rf",?\s+{AND}\s+|\s*[,،、]\s*")
MAX_HAN_LINES = 8
"""Text blocks from the title to a line that names a Chinese author."""
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
_REPORTER = "本报记者".encode()
_REPORTING = re.compile(rf"本报记者[\s:：]*{_HAN_NAMES}\s*(?:发自|报道|摄影报道)")
MAX_REPORTER_BYTES = 120
MAX_HAN_BLOCKS = 500
MAX_HAN_CHARACTERS = 40
_KANA = re.compile("[\u3040-\u30ff]")


def find_author(
    document: Document,
    declared: Declarations,
    jsonld: JsonLd,
    item: PageItem,
    sites: frozenset[str],
    places: Places,
) -> Found | None:
    """The authors' names, ``"; "`` between them; ``None`` if the page names no author.

    *sites* are the site's own names (see :func:`.titles.site_names`): such a name is an
    author where the page has no other. *places* are those of the visible page.
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
        if own := [person for person in persons if letters(person) not in sites]:
            return Found(source, "; ".join(own))
        of_site = of_site or (Found(source, "; ".join(persons)) if persons else None)
    if byline := _han_names(document):
        return of_site or Found("byline", byline)
    shown, probability = choose_persons(find_persons(document, places))
    persons = [p for p in _persons(shown) if letters(p) not in sites]
    # Against a declared name it takes a full one.
    if not persons or (of_site and " " not in persons[0]):
        return of_site
    return Found("byline", "; ".join(persons), probability)


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
    if len(text) > 5 * MAX_NAME_CHARACTERS or not _AND.search(text):
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


def _item_names(item: PageItem) -> Iterator[str]:
    """The item's authors that stand together: others belong to comments or teasers."""
    parents = item.document.elements.parent
    place = None
    for element in item.elements("author"):
        name = item.name_in(element) or item.value(element) or ""
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
    attributes, values = document.attributes, document.values
    rows = (attributes.name == ATTRIBUTE_CODES["rel"]).nonzero()[0][:MAX_RELATIONS]
    columns = (attributes.element, attributes.start, attributes.end)
    cells = (column[rows].tolist() for column in columns)
    for element, start, end in zip(*cells, strict=True):
        if b"author" in values[start:end].lower().split():
            yield _byline(document, element)


def _han_names(document: Document) -> str | None:
    """Chinese names behind a label in a short line at the title, else at the end.

    There a reporter stands in brackets behind the last sentence, or an editor below.
    """
    chars, han = document.blocks.chars, document.blocks.cjk
    if not han.any():
        return None
    title = max(title_block(document), 0)
    for block in range(title, min(title + MAX_HAN_LINES, document.n_blocks)):
        if match := _HAN_LINE.search(short_line(document, block)):
            return _han_list(match[1] or match[2])
    place = document.text.find(_REPORTER)
    line = document.text[place : place + MAX_REPORTER_BYTES] if place >= 0 else b""
    if match := _REPORTING.match(line.decode("utf-8", "ignore")):
        return _han_list(match[1])
    for block in (2 * han > chars).nonzero()[0][:MAX_HAN_BLOCKS].tolist():
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


def _byline(document: Document, element: int) -> str:
    """The text of the element without its dates; empty if it is more than a name."""
    text = _GLUED.sub("", element_text(document, element, most=8, skip="time"), count=1)
    text = _BEFORE_DATE.sub("", _AND_MAIL.sub("", text))
    return "" if len(text) > MAX_BYLINE_CHARACTERS or _NO_BYLINE.search(text) else text
