"""What rules of a site say about one page; :mod:`scrapy_mainpage.rules` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..page import Metadata
    from ..records import Product
    from .document.document import Document
    from .document.schema import Mask
    from .records.products import Content

RULE_MISSED: Final = "rule_missed"
"""Warning code: the rules of the page's site bring no text, or headings alone."""

MISSED: Final = "missed"
"""What the name of a rule says that brings nothing: ``missed = .story``."""

BAD_RULES: Final = "bad_rules"
"""Warning code: the file with the rules of the page's site cannot be read."""

RULE_TOO_COSTLY: Final = "rule_too_costly"
"""Warning code: a selector takes too long on the page: no rule of the site counts."""

OTHER_ELEMENTS: Final = "other_elements"
"""Warning code: rules or a layout number the elements otherwise than the document."""


RULE_PAGES: Final = "mainpage/rules/pages/"
"""What the statistics begin with that count the pages of files and of selectors."""


def file_of(rule: str) -> str:
    """The file in the name of a rule: ``example.com.toml: content = .story``."""
    return rule.partition(": ")[0]


def is_missed(rule: str) -> bool:
    """Whether a rule is named because it brings nothing."""
    return rule.partition(" = ")[0].endswith(MISSED)


def is_other_kind(rule: str) -> bool:
    """Whether a rule is named because the others of its file are not for the page."""
    return rule.partition(" = ")[0].endswith("unless")


def decide(rules: Iterable[str]) -> bool:
    """Whether *rules* are more than the name of a file of which none matches."""
    return any(" = " in rule and not is_other_kind(rule) for rule in rules)


PRODUCT: Final = "product."
"""What the names of fields of the product begin with."""

_OF_PRODUCT = "price regular_price currency availability sku gtin mpn brand".split()
_OF_PAGE = "title author date_published date_modified description site_name".split()

FIELDS: Final[Mapping[str, str]] = {
    **{name: name for name in _OF_PAGE},
    "date": "date_published",
    **{name: PRODUCT + name for name in _OF_PRODUCT},
    **{
        PRODUCT + name: PRODUCT + name for name in (*_OF_PRODUCT, "name", "description")
    },
}
"""The fields of rules by their names: ``price`` is short for ``product.price``."""


RECORDS: Final = ("posts", "entries")
"""Kinds of records whose elements rules may name."""


@dataclass(frozen=True, eq=False)
class RuleMatch:
    """The parts of a page that rules of its site match.

    ``content`` is the mask of the text blocks that are main content, ``None`` where the
    algorithm decides; ``drop`` are blocks to leave out of its decision. ``fields`` has
    texts by the names of :data:`FIELDS`. ``rules`` says which rule decided what,
    ``warnings`` are codes. ``records`` has the elements of each of the :data:`RECORDS`.
    """

    content: Mask | None = None
    drop: Mask | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    records: Mapping[str, list[int]] = field(default_factory=dict)


NO_MATCH: Final = RuleMatch()


class PageRules(Protocol):
    """The rules of sites."""

    def __hash__(self) -> int:
        """The identity's: an extractor may be kept by its arguments."""

    def match(
        self, root: _Element, document: Document, url: str | None
    ) -> RuleMatch | None:
        """Match the rules for *url*; ``None`` without any.

        *root* is the tree of *document*, and is only read.
        """


def override(metadata: Metadata, texts: Mapping[str, str]) -> Metadata:
    """*metadata* with the *texts* of rules; a date that is none changes nothing."""
    own = [name for name in texts if name in _OF_PAGE]
    values = {name: _read(name, texts[name], metadata.language) for name in own}
    known: dict[str, Any] = {name: value for name, value in values.items() if value}
    sources = {**metadata.sources, **dict.fromkeys(known, "rules")}
    sure = {**metadata.probabilities, **dict.fromkeys(known, 1.0)}
    return replace(metadata, **known, sources=sources, probabilities=sure)


def _read(name: str, text: str, language: str | None) -> str | None:
    """The value that a text says; names and dates may stand in one line."""
    if not name.startswith(("author", "date")):
        return text
    from .metadata.authors import clean_name
    from .metadata.dates import dates_in, normalise_date

    days = dates_in(text)
    if name == "author":
        parts = text.split(days[0][1]) if days else [text]
        return max(filter(None, map(clean_name, parts)), key=len, default=text)
    dates = (normalise_date(each, language) for each in (text, *dict(days).values()))
    return next(filter(None, dates), None)


def ruled_product(content: Content, texts: Mapping[str, str]) -> Product | None:
    """The product of the page, with the *texts* of rules instead of what is found.

    A text that says no price, number or availability changes nothing. Where nothing is
    found, a price or an SKU by a rule makes a product, unless the page is a listing.
    """
    from .records.list_features import LISTINGS
    from .records.prices import region_of
    from .records.products import find_product, read_fields

    names = {name: name.removeprefix(PRODUCT) for name in texts}
    found = {own: texts[name] for name, own in names.items() if own != name}
    region = region_of(content.url, content.declared.meta.language)
    values = read_fields(found, region)
    is_listing = next(iter(content.page_types), None) in LISTINGS
    is_sure = bool({"price", "sku"} & values.keys()) and not is_listing
    product = find_product(content, is_sure=is_sure)
    if product is None or not values:
        return product
    warnings = () if "price" in values else product.warnings
    return replace(product, **values, warnings=warnings)
