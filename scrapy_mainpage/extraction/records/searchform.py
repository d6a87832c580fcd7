"""The search form of a site: on the page, or declared in its JSON-LD."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import numpy as np

from ...records import SearchForm
from ..output.urls import IMAGE_SCHEMES as WEB_SCHEMES
from ..output.urls import clean_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..declared import Declared, Node
    from ..document.document import Document
    from ..document.schema import Ints

MAX_FORMS: Final = 50
MAX_FIELDS: Final = 100
"""Elements ``input`` of one form; a longer form is none for a search."""

_SEARCH: Final = re.compile(
    r"search|such(?:e|en|wort|begriff)|recherche|chercher|busca|buscar|pesquisa|ricerca|"
    r"cerca\b|zoek|sök|sok\b|søg|szukaj|hledat|haku|arama|поиск|搜索|搜尋|検索|검색",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"q|s|k|w|kw|wd|key|term|terms|text|words?|query|keys|keywords?|search\w*|find|"
    r"\w{0,40}search(?:_?(?:query|term|text|word|phrase|str|string|field|value|keywords?))?|"
    r"\w{0,40}(?:keyword|query)|such\w*|busca\w*|recherche\w*|zoek\w*",
    re.IGNORECASE,
)
_SECRET: Final = re.compile(
    r"csrf|token|nonce|form_?key|session|captcha|^__|utf8|form_?id|form_?build",
    re.IGNORECASE,
)
_TEXT_TYPES: Final = frozenset({"", "text", "search"})
_OTHER_TYPES: Final = frozenset(
    {"password", "email", "tel", "file", "date", "number", "datetime-local"}
)
_PLACEHOLDER: Final = re.compile(r"\{[\w:. -]+\}")


def find_search_form(declared: Declared) -> SearchForm | None:
    """How the site of a page is searched; ``None`` if the page has no way.

    A form is one for searching by what it is named, or by its field for words, and has
    no field that a search does not have. The declared search stands where no form does.
    """
    document, base = declared.document, declared.meta.base or declared.url
    for element in document.elements_with_tag("form")[:MAX_FORMS].tolist():
        if form := _read_form(document, element, base):
            return form
    return _declared(declared.website, base)


def _read_form(document: Document, form: int, base: str | None) -> SearchForm | None:
    fields = [*_fields(document, form)]
    kinds = {kind for kind, _ in fields}
    if len(fields) > MAX_FIELDS or not _OTHER_TYPES.isdisjoint(kinds):
        return None
    names = [own["name"] for kind, own in fields if kind in _TEXT_TYPES]
    own = document.attributes_of(form)
    if len(names) != 1 or len(_inside(document, form, "textarea")):
        return None
    if not (_is_named(own) or "search" in kinds or _NAME.fullmatch(names[0])):
        return None
    target = clean_url(own.get("action") or base or "", base, WEB_SCHEMES)
    if target is None:
        return None
    is_post = own.get("method", "").strip().lower() == "post"
    parts = urlsplit(target)
    query = parts.query if is_post else ""  # a browser replaces that of the address
    hidden = (
        (each["name"], each.get("value", ""))
        for kind, each in fields
        if kind == "hidden" and not _SECRET.search(each["name"])
    )
    return SearchForm(
        url=urlunsplit((*parts[:3], query, "")),
        field=names[0],
        method="POST" if is_post else "GET",
        fields=tuple(hidden),
    )


def _fields(document: Document, form: int) -> Iterator[tuple[str, dict[str, str]]]:
    """The types and attributes of the form's named fields, one more than are read."""
    for element in _inside(document, form, "input")[: MAX_FIELDS + 1].tolist():
        own = document.attributes_of(element)
        if own.get("name"):
            yield own.get("type", "").strip().lower(), own


def _inside(document: Document, form: int, tag: str) -> Ints:
    found = document.elements_with_tag(tag)
    first, end = np.searchsorted(found, [form, int(document.elements.end[form])])
    return found[first:end]


def _is_named(own: dict[str, str]) -> bool:
    names = ("role", "class", "id", "name", "action", "aria-label", "title")
    return any(_SEARCH.search(own.get(name, "")) for name in names)


def _declared(site: Node, base: str | None) -> SearchForm | None:
    for action in islice(site.inner("potentialAction"), MAX_FORMS):
        is_search = "SearchAction" in action.types
        template = action.first("target", inside=("urlTemplate",)) or ""
        if is_search and (form := _of_template(template, base)):
            return form
    return None


def _of_template(template: str, base: str | None) -> SearchForm | None:
    """The search of a URL with a place for the words in its query."""
    address, _, query = template.strip().partition("?")
    pairs = parse_qsl(query.partition("#")[0], keep_blank_values=True)[:MAX_FIELDS]
    names = [name for name, value in pairs if _PLACEHOLDER.fullmatch(value)]
    target = clean_url(address, base, WEB_SCHEMES)
    if len(names) != 1 or target is None:
        return None
    rest = tuple(pair for pair in pairs if pair[0] != names[0])
    return SearchForm(target, names[0], fields=rest)
