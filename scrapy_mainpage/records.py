"""Records of a page: posts, entries of a listing, a product, a job, an event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation in a post; ``author`` is whom it quotes, where the post says so."""

    text: str
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """One post of a thread, one answer to a question, or one comment.

    ``position`` counts from 1 in the order of the page. ``date`` is in ISO 8601, or as
    it is written where no year can be read from it ("3 days ago"). ``text`` is without
    the author's panel, buttons and signature. ``markdown`` begins with a line of author
    and date. ``id`` is the fragment that leads to the post.
    """

    id: str | None = None
    url: str | None = None
    author: str | None = None
    author_url: str | None = None
    date: str | None = None
    text: str = ""
    markdown: str = ""
    quotes: tuple[Quote, ...] = ()
    is_question: bool = False
    is_accepted: bool = False
    position: int = 1

    @property
    def byline(self) -> str:
        """The author and the date in one line; empty without both."""
        return ", ".join(filter(None, (self.author, self.date)))

    def to_text(self, *, byline: bool = False) -> str:
        """The text, below a line of author and date if *byline*."""
        return "\n".join(filter(None, (self.byline if byline else "", self.text)))


@dataclass(frozen=True, slots=True)
class Pagination:
    """The other pages of a listing, a thread or an archive, as absolute addresses.

    ``next_page`` and ``previous_page`` are the targets of links that say so, by a word,
    an arrow or a mark of the template; "older posts" lead to the previous page, unless
    their arrow or mark says the contrary. ``page_links`` are all of them, the numbered
    ones as well, each once in the order of the page, without fragments; a
    route of the page's own application (``#/page/2``) is none.
    """

    next_page: str | None = None
    previous_page: str | None = None
    page_links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchForm:
    """How the page's site is searched: by its form, or as the page declares.

    A search is a request to the absolute ``url`` with the words in ``field``, and with
    ``fields``, names and values that the form sends in addition; ``method`` is ``GET``
    (they are the query) or ``POST`` (the body).
    """

    url: str
    field: str
    method: str = "GET"
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a listing: a product card, a teaser, a search result.

    ``url`` and ``image`` are absolute. ``price`` is a decimal number without its
    currency, ``currency`` a code of ISO 4217. ``date`` is in ISO 8601, or as it is
    written where no year can be read from it. ``position`` counts from 1 in the order
    of the page.
    """

    name: str | None = None
    url: str | None = None
    summary: str | None = None
    image: str | None = None
    price: str | None = None
    currency: str | None = None
    date: str | None = None
    author: str | None = None
    position: int = 1


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """One step of the way from the site's home to the page; ``url`` is absolute."""

    name: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the variants of a product: a size, a color, another package."""

    name: str | None = None
    sku: str | None = None
    gtin: str | None = None
    price: str | None = None
    currency: str | None = None
    availability: str | None = None
    url: str | None = None
    image: str | None = None
    color: str | None = None
    size: str | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """The product that a page is about.

    Prices are decimal numbers without their currency ("1299.00"), ``regular_price`` the
    one before a reduction, ``currency`` a code of ISO 4217. ``availability`` is a name
    of schema.org ("InStock", "OutOfStock", "PreOrder", ...). ``specifications`` are
    pairs of a name and a value, ``features`` lines of the page's list of features.
    ``warnings`` has ``price_differs`` where the visible price, which is given, is not
    the declared one. ``best_rating`` is the highest of the shop's scale of ``rating``.
    """

    name: str | None = None
    brand: str | None = None
    sku: str | None = None
    gtin: str | None = None
    mpn: str | None = None
    price: str | None = None
    regular_price: str | None = None
    currency: str | None = None
    availability: str | None = None
    rating: float | None = None
    best_rating: float | None = None
    review_count: int | None = None
    description: str | None = None
    features: tuple[str, ...] = ()
    specifications: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()
    breadcrumbs: tuple[Breadcrumb, ...] = ()
    variants: tuple[Variant, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A business, a venue or another place; ``address`` is one line."""

    name: str | None = None
    address: str | None = None
    telephone: str | None = None
    email: str | None = None
    website: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    opening_hours: tuple[str, ...] = ()
    rating: float | None = None
    review_count: int | None = None
    price_range: str | None = None
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """The job that a page offers; dates in ISO 8601, salaries in units of currency.

    ``salary_unit`` is a name of schema.org ("HOUR", "MONTH", "YEAR").
    """

    title: str | None = None
    company: str | None = None
    location: str | None = None
    is_remote: bool = False
    date_posted: str | None = None
    valid_through: str | None = None
    employment_type: str | None = None
    salary_min: str | None = None
    salary_max: str | None = None
    salary_currency: str | None = None
    salary_unit: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """The event that a page announces; dates and times in ISO 8601."""

    name: str | None = None
    start: str | None = None
    end: str | None = None
    place: Place | None = None
    status: str | None = None
    is_online: bool = False
    organizer: str | None = None
    performers: tuple[str, ...] = ()
    price: str | None = None
    currency: str | None = None
    description: str | None = None
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """The recipe of a page; times are durations of ISO 8601 ("PT1H30M")."""

    name: str | None = None
    ingredients: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    author: str | None = None
    servings: str | None = None
    prep_time: str | None = None
    cook_time: str | None = None
    total_time: str | None = None
    cuisine: str | None = None
    category: str | None = None
    calories: str | None = None
    rating: float | None = None
    review_count: int | None = None
    image: str | None = None


def as_plain(value: Any) -> Any:
    """Return a value as every feed takes it: records as dictionaries, labels as texts.

    The texts of a parser and labels are of classes of their own, which ``marshal``
    refuses.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list | tuple):
        plain = map(as_plain, value)
        return tuple(plain) if isinstance(value, tuple) else [*plain]
    kind: Any = type(value)
    if names := _names(kind):
        return {name: as_plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(name): as_plain(part) for name, part in value.items()}
    return value


_PLAIN: Final = frozenset((str, int, float, bool, type(None)))


@cache
def _names(kind: type[object]) -> tuple[str, ...]:
    """The names of the fields of a record's class; none of another class."""
    return tuple(part.name for part in fields(kind)) if is_dataclass(kind) else ()


#: The attributes of a page that are a single record, ``None`` where it has none.
PAGE_RECORDS: Final[dict[str, type[Any]]] = {
    "product": Product,
    "job": Job,
    "event": Event,
    "recipe": Recipe,
    "place": Place,
    "search_form": SearchForm,
}


def count_chars(value: Any) -> int:
    """The characters of a text, or of the texts in a tuple or record."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple):
        return sum(map(count_chars, value))
    kind: Any = type(value)
    names = _names(kind)
    return sum([count_chars(getattr(value, name)) for name in names])


def cut_value(value: Any, room: int) -> tuple[Any, int]:
    """A value with *room* characters at most, and what is left: below 0 if it was cut.

    Of a tuple the first items stay, of a text or record the beginning.
    """
    kind: Any = type(value)
    rest, names = room - count_chars(value), _names(kind)
    if rest >= 0:
        return value, rest
    if isinstance(value, str):
        return value[: max(room, 0)], rest
    if isinstance(value, tuple):
        kept: list[Any] = []
        while room >= 0:
            each, room = cut_value(value[len(kept)], room)
            kept.append(each)
        return tuple(kept), room
    found = {}
    for name in names:
        found[name], room = cut_value(getattr(value, name), room)
    return (replace(value, **found) if names else value), room
