"""Fields of items: the one that holds the text, the URL, the title or another value.

Filter, duplicates, indexes and the filling of items read the same fields. A value has
the name of an attribute of the page or its metadata. It is read from

1.  the field that ``MAINPAGE_INDEX_FIELDS`` names for it, and no other; without one
2.  the field of the same name, unless that is missing or empty; then
3.  the field that ``MAINPAGE_ITEM_FIELDS`` fills with it.

An item describes a page if it has no URL, or one of the page's.
"""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from itemadapter import ItemAdapter

from .addresses import canonical_address, own_canonical
from .text.language import identify_language
from .text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .page import Page

#: Value -> separator of the parts of a list; a comma in other values.
_SEPARATORS: Final = {"text": "\n\n", "comments": "\n\n", "headings": "\n"}

#: Values of which the first of several counts.
_ADDRESSES: Final = frozenset({"url", "canonical_url"})


class ItemReader:
    """Reads values from items, by the two settings of fields."""

    def __init__(
        self,
        item_fields: Mapping[str, str] | None = None,
        index_fields: Mapping[str, Any] | None = None,
        *,
        routes: bool = False,
    ) -> None:
        self.routes = routes  # URLs with other ones are those of other pages
        # A project's own fields may have other sources; none is read here.
        own = (index_fields or {}).items()
        self._named = {name: field for name, field in own if isinstance(field, str)}
        self._filled: dict[str, tuple[str, ...]] = {}
        for field, attribute in (item_fields or {}).items():
            name = attribute.removeprefix("metadata.")
            self._filled[name] = (*self._filled.get(name, ()), field)

    def text(self, item: Any, name: str) -> str | None:
        """Return a value as text: of the first field with one, ``None`` without any.

        Bytes are decoded, dates are in ISO 8601, the parts of a list are joined.
        """
        fields, found = _fields_of(item), None
        for field in self._places(name):
            value = fields.get(field)
            if name in _ADDRESSES:
                value = _first(value)
            if text := as_text(value, _SEPARATORS.get(name, ", ")):
                return text
            found = text if found is None else found
        return found

    def figure(self, item: Any, name: str) -> Any:
        """Return a number or code, such as ``words`` or ``page_type``.

        It is read from the filled field alone if there is one: the item's own ``words``
        may count something else. A list of one value gives the value.
        """
        value = _fields_of(item).get((*self._filled.get(name, ()), name)[0])
        if isinstance(value, list | tuple) and len(value) == 1:
            return value[0]
        return value

    def _places(self, name: str) -> tuple[str, ...]:
        if name in self._named:
            return (self._named[name],)
        return (name, *self._filled.get(name, ()))


def _fields_of(item: Any) -> Mapping[str, Any]:
    """Return the fields of an item; none for other objects."""
    if isinstance(item, ItemAdapter):
        return item
    return ItemAdapter(item) if ItemAdapter.is_item(item) else {}


def _first(value: object) -> object:
    """Return the first non-empty value of a list, such as one URL of several."""
    if isinstance(value, list | tuple):
        return next(filter(None, map(_first, value)), None)
    return value


def as_text(value: object, between: str) -> str | None:
    """Return a value as text; ``None`` for ``None`` and a list without parts."""
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple | set | frozenset):
        parts = [as_text(part, between) for part in value]
        known = any(part is not None for part in parts)
        return between.join(filter(None, parts)) if known else None
    return str(value).strip()


def as_plain(value: Any) -> Any:
    """Return records, links and the like as dictionaries, other values as they are."""
    if isinstance(value, tuple):
        return tuple(map(as_plain, value))
    is_record = is_dataclass(value) and not isinstance(value, type)
    return asdict(value) if is_record else value


def describes(url: str | None, page: Page, *others: str, routes: bool = False) -> bool:
    """Whether an item with the URL is about the page: without a URL every item is.

    The URL may be relative, or the page's canonical one; *others* are further URLs of
    the page. A fragment counts if it is a route, and *routes* are pages.
    """
    if not url or url == page.url:
        return True
    known = [page.url, *others]
    canonical = own_canonical(page.url, page.metadata.canonical_url, routes=routes)
    # Templates that name the home page on every page are mistaken.
    if canonical and urlsplit(canonical).path.strip("/"):
        known.append(canonical)
    address = _canonical(url, page.url, routes=routes)
    return any(
        address == _canonical(each, page.url, routes=routes) for each in known if each
    )


def _canonical(url: str, base: str | None, *, routes: bool) -> str:
    try:
        return canonical_address(urljoin(base or "", url), routes=routes)
    except ValueError:  # an invalid URL may still be the name of a page
        return url


_BEGINNING: Final = 60
"""Characters by which a post is found in the text of its page."""


def is_thread(page: Page) -> bool:
    """Whether the posts are what the page is about, and no comments below it.

    On a page of the type ``forum`` they are; where the type is an article, or unknown,
    if the first one is main content.
    """
    if not page.posts or page.page_type not in {None, "article"}:
        return bool(page.posts) and page.page_type == "forum"
    beginning = " ".join(page.posts[0].text.split())[:_BEGINNING]
    return beginning in " ".join(page.text.split())


class PageStats(NamedTuple):
    """Statistics of a page, or of an item's fields; ``None`` is unknown."""

    words: int | None = None
    confidence: float | None = None
    page_type: str | None = None
    text: str | None = None
    declared_language: str | None = None

    @classmethod
    def of(
        cls, page: Page, *, page_type: bool = False, language: bool = False
    ) -> PageStats:
        """Return the statistics of a page; its type and language only on request."""
        return cls(
            page.words,
            page.confidence,
            page.page_type if page_type else None,
            page.text if language else None,
            page.language if language else None,
        )

    @property
    def language(self) -> str | None:
        """The language of the text (see :func:`.identify_language`)."""
        if not self.text:
            return None
        return identify_language(self.text, self.declared_language)


def read_stats(reader: ItemReader, item: Any) -> PageStats:
    """Return the statistics of an item's fields; words are counted if necessary."""
    words, confidence = (
        _number(reader.figure(item, name)) for name in ("words", "confidence")
    )
    text = reader.text(item, "text")
    if words is None and text is not None:
        words = count_words(text)
    codes = (reader.figure(item, name) for name in ("page_type", "language"))
    page_type, language = (code if isinstance(code, str) else None for code in codes)
    return PageStats(words, confidence, page_type, text, language)


def _number(value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None
