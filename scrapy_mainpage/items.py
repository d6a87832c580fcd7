"""Fields of items: the one that holds the text, the URL, the title or another value.

Duplicates, indexes and the filling of items read the same fields. A value has
the name of an attribute of the page or its metadata. It is read from

1.  the field that ``MAINPAGE_INDEX_FIELDS`` names for it, and no other; without one
2.  the field of the same name, unless that is missing or empty; then
3.  the field that ``MAINPAGE_ITEM_FIELDS`` fills with it.

An item describes a page if it has no URL, or one of the page's.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from itemadapter import ItemAdapter

from .addresses import canonical_address, own_canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from .page import Page

#: Value -> separator of the parts of a list; a comma in other values.
_SEPARATORS: Final = {"text": "\n\n", "comments": "\n\n", "headings": "\n"}

#: Values of which the first of several counts.
_ADDRESSES: Final = frozenset({"url", "canonical_url"})


class ItemFields(ItemAdapter):
    """The fields of an item of any kind; a declared one without a value is missing."""

    def __getitem__(self, field_name: str) -> Any:
        try:
            return super().__getitem__(field_name)
        except Exception as error:  # such as of a data class without __init__
            raise KeyError(field_name) from error


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

    @classmethod
    def of(cls, settings: Any) -> Self:
        """Return the reader of a crawl."""
        routes = settings.render_hash_routes
        return cls(settings.item_fields, settings.index_fields, routes=routes)

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

    def _places(self, name: str) -> tuple[str, ...]:
        if name in self._named:
            return (self._named[name],)
        return (name, *self._filled.get(name, ()))


def _fields_of(item: Any) -> Mapping[str, Any]:
    """Return the fields of an item; none for other objects."""
    if isinstance(item, ItemFields):  # a dictionary lacks a field without an error
        return item.item if isinstance(item.item, dict) else item
    return ItemFields(item) if ItemFields.is_item(item) else {}


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
