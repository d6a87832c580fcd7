"""The ``meta``, ``link``, ``base`` and ``html`` elements of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, ATTRIBUTES, CODES, TAGS
from ..metadata.plaintext import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..document.document import Document
    from ..document.schema import Ints, Longs, Mask

MAX_ELEMENTS = 1000
_OPEN_GRAPH = ("og:", "article:", "book:", "video:")

_DECLARING = "property name http-equiv content rel href lang xml:lang"
_DECLARES = np.array([tag in {"html", "meta", "link", "base"} for tag in (*TAGS, "")])
_WEB_URL = re.compile(r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[\w/.~-]*)?", re.ASCII)
"""A URL that needs no repair."""

# Another host than the page's has a domain: "localhost" is a mistake of the page.
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+\.?")


def attributes_by_element(
    document: Document, wanted: Mask, names: str = ""
) -> dict[int, dict[str, str]]:
    """The attributes of the first elements of the mask *wanted* that have any.

    With *names*, blank-separated, only these.
    """
    attributes, values = document.attributes, document.values
    if names:
        rows = are_named(names)[attributes.name].nonzero()[0]
        rows = rows[wanted[attributes.element[rows]]]
    else:
        rows = wanted[attributes.element].nonzero()[0]
    rows = rows[: 8 * MAX_ELEMENTS]
    found: dict[int, dict[str, str]] = {}
    columns = (column[rows].tolist() for column in attributes)
    for name, element, start, end in zip(*columns, strict=True):
        own = found.setdefault(element, {})
        if (key := ATTRIBUTES[name]) not in own:
            own[key] = values[start:end].decode("utf-8", "replace")
    return found


@cache
def are_named(names: str) -> Mask:
    """By the code of an attribute, whether it is one of the *names*."""
    found = np.zeros(len(ATTRIBUTES), bool)
    found[[ATTRIBUTE_CODES[name] for name in names.split()]] = True
    return found


class Values(NamedTuple):
    """The distinct values of some attributes, and of each attribute its value."""

    texts: list[bytes]
    element: Ints
    place: Longs

    @classmethod
    def read(cls, document: Document, names: str, near: Mask | None = None) -> Values:
        """Those of the attributes *names*, blank-separated, of the elements *near*."""
        attributes, values = document.attributes, document.values
        rows = are_named(names)[attributes.name].nonzero()[0]
        if near is not None:
            rows = rows[near[attributes.element[rows]]]
        starts, first, place = np.unique(
            attributes.start[rows], return_index=True, return_inverse=True
        )
        ends = attributes.end[rows[first]].tolist()
        texts = (values[a:b] for a, b in zip(starts.tolist(), ends, strict=True))
        return cls([*texts], attributes.element[rows], place)

    def elements(self, chosen: Sequence[bool]) -> Ints:
        """The elements that have one of the *chosen* values, in document order."""
        return np.asarray(self.element[np.array(chosen, bool)[self.place]])

    def those_with(self, sign: re.Pattern[bytes]) -> Values:
        """The values in which a *sign* is, which is in lower case."""
        own = having(sign, self.texts)
        place = (np.cumsum(own) - 1)[self.place[own[self.place]]]
        return Values([*compress(self.texts, own)], self.elements([*own]), place)


def having(sign: re.Pattern[bytes], texts: Sequence[bytes]) -> Mask:
    """Whether a *sign*, which is in lower case, is in each of some texts of one line.

    All are searched at once: a call for each takes longer than the search.
    """
    whole = b"\n".join(texts).lower()
    places = [match.start() for match in sign.finditer(whole)]
    ends = np.cumsum([len(text) + 1 for text in texts])
    found = np.zeros(len(texts), bool)
    found[np.searchsorted(ends, places, side="right")] = True
    return found


class Found(NamedTuple):
    """A value, and the kind of declaration or place on the page that it is from.

    With its probability, where a model predicts it.
    """

    source: str
    value: Any
    probability: float | None = None


def from_source(source: str, values: Iterable[Any]) -> Iterator[Found]:
    """Each of the *values* with its *source*."""
    return (Found(source, value) for value in values)


@dataclass(frozen=True)
class Meta:
    """What these elements say; the keys of ``meta`` and ``links`` are in lower case."""

    meta: dict[str, list[str]]
    links: dict[str, list[str]]
    base: str | None
    language: str | None
    """The language attribute of the root element, as it is written."""

    def all(self, *names: str) -> Iterator[str]:
        """The texts of the meta elements with these names, in the names' order."""
        return (found.value for found in self.found(*names))

    def found(self, *names: str) -> Iterator[Found]:
        """The same, each from ``opengraph`` or another ``meta`` element."""
        for name in names:
            for value in self.meta.get(name, ()):
                if text := clean(value):
                    is_graph = name.startswith(_OPEN_GRAPH)
                    yield Found("opengraph" if is_graph else "meta", text)

    def first(self, *names: str) -> str | None:
        """The first text of the meta elements with these names."""
        return next(self.all(*names), None)

    @property
    def canonical_url(self) -> str | None:
        """The address that the page gives as its own."""
        hrefs = (*self.links.get("canonical", ()), *self.meta.get("og:url", ()))
        return next(filter(None, map(self.absolute, hrefs)), None)

    def absolute(self, href: object) -> str | None:
        """*href* as an absolute http or https URL; ``None`` if it cannot be one."""
        if not isinstance(href, str) or not href.strip() or "{" in href:
            return None
        if _WEB_URL.fullmatch(href):
            return href
        # It imports an HTTP client, which most pages need not wait for.
        from w3lib.url import safe_url_string

        try:
            url = safe_url_string(urljoin(self.base or "", href.strip()))
            parts = urlsplit(url)
            host = parts.hostname or ""
            known = (
                bool(_HOST.fullmatch(host))
                or host == urlsplit(self.base or "").hostname
            )
        except ValueError:
            return None
        return url if known and parts.scheme in {"http", "https"} else None


def read_meta(document: Document, url: str | None) -> Meta:
    """The elements of the page at *url*, up to ``MAX_ELEMENTS`` of them."""
    tag = document.elements.tag
    meta: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {}
    base: str | None = None
    language: str | None = None
    wanted = _DECLARES.take(tag, mode="clip")
    own = attributes_by_element(document, wanted, _DECLARING)
    for element, attributes in own.items():
        code = tag.item(element)
        if code == CODES["meta"]:
            for name in _meta_names(attributes):
                meta.setdefault(name, []).append(attributes.get("content", ""))
        elif code == CODES["link"]:
            for rel in attributes.get("rel", "").lower().split()[:5]:
                links.setdefault(rel, []).append(attributes.get("href", ""))
        elif code == CODES["base"]:
            base = base or attributes.get("href")
        elif language is None:
            language = attributes.get("lang") or attributes.get("xml:lang")
    return Meta(meta, links, _join(url, base), language)


def _meta_names(attributes: dict[str, str]) -> set[str]:
    names = set(attributes.get("property", "").lower().split()[:5])
    if name := attributes.get("name"):
        names.add(name.strip().lower())
    if name := attributes.get("http-equiv"):
        names.add("http-equiv:" + name.strip().lower())
    return names


def _join(url: str | None, base: str | None) -> str | None:
    try:
        return urljoin(url or "", (base or "").strip()) or None
    except ValueError:
        return url
