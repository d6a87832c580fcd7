"""Addresses in a page: sanitised, absolute, without placeholders.

Schemes are checked as browsers read an address: without control characters and blanks
around it, and without tabs and line breaks anywhere (WHATWG URL standard).
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from ..document.tags import CODES
from ..parsing.tree import LARGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from ..document.document import Document

LINK_SCHEMES: Final = frozenset({"http", "https", "ftp", "mailto", "tel"})
IMAGE_SCHEMES: Final = frozenset({"http", "https"})
_WITH_HOST: Final = frozenset({"http", "https", "ftp"})

_IGNORED = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
# Most addresses need no change but their base before them: paths without empty segments
# and dots at the edges of segments, then query and fragment; behind a host any path.
_SAFE: Final = r"\w\-~%@:!$&'()*+,="
_REST: Final = rf"(?:\?[{_SAFE}./;?]+)?(?:#[{_SAFE}./;?]+)?"
_PLAIN_RELATIVE = re.compile(
    r"(?!\?|#?\Z|[^/?#]*:)(#|/|(?:\.\.?/)+|(?!#))(?!/)"
    rf"(?:[{_SAFE}]|\.(?![/?#]|\Z)(?<!/\.)|/(?!/))*{_REST}",
    re.ASCII,
)
_PLAIN_ABSOLUTE = re.compile(
    rf"https?://[A-Za-z0-9.\-]+(?:/[{_SAFE}./]*)?{_REST}", re.ASCII
)
# Characters that are percent-encoded: blanks, quotes, delimiters of Markdown and HTML,
# and invisible characters, also those that change the direction of text.
_UNSAFE = re.compile(
    r"[\s\x00-\x20\"<>\\^`{|}\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
# File names of placeholders, shown until a script loads the image: of a photograph the
# last word of its name.
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.\-])(?:placeholder|blank|spacer|pixel|transparent|lazy(?:load)?|loading|"
    r"1x1|grey|clear)(?:\.\w+$|(?:[/_.\-]|$)(?![^/]*\.(?:jpe?g|webp|avif)$)[^/]*$)",
    re.IGNORECASE,
)
#: Targets of links that scripts handle.
NOWHERE: Final = frozenset({"#", "#!"})
_ADDRESS = re.compile(r"[\s,]*([^\s,]\S*)")
_PICTURE: Final = CODES["source"], CODES["picture"]
_MAX_SOURCES: Final = 20


def clean_url(
    value: str, base: str | None, schemes: frozenset[str] = LINK_SCHEMES
) -> str | None:
    """The address *value*, absolute if there is a *base*; ``None`` if it is not safe.

    >>> clean_url(" ../b?c=d e ", "https://example.com/a/")
    'https://example.com/b?c=d%20e'
    >>> clean_url("java\\nscript:alert(1)", "https://example.com/") is None
    True
    """
    value = _IGNORED.sub("", value).strip()
    scheme = _SCHEME.match(value)
    if scheme:
        if scheme[1].lower() not in schemes:
            return None
    elif not value or ":" in re.split(r"[/?#\\]", value, maxsplit=1)[0]:
        return None
    try:
        return _join(value, base, schemes)
    except ValueError:  # an invalid host or port
        return None


def _join(value: str, base: str | None, schemes: frozenset[str]) -> str | None:
    address, mark, rest = value.partition("?")
    value = address.replace("\\", "/") + mark + rest
    if base is not None:
        value = urljoin(base, value)
    parts = urlsplit(value)
    if parts.scheme and parts.scheme not in schemes:
        return None
    if (parts.scheme in _WITH_HOST or parts.netloc) and not parts.hostname:
        return None
    _ = parts.port  # raises ValueError unless a number
    return _UNSAFE.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), value
    )


def largest_candidate(srcset: str) -> str | None:
    """The address of the largest image of a ``srcset``.

    >>> largest_candidate("a.jpg 300w, b.jpg 600w")
    'b.jpg'
    """
    best, size = None, -1.0
    for url, descriptor in _candidates(srcset):
        try:
            candidate = float(descriptor[:-1] or 1)
        except ValueError:
            continue
        if candidate > size:
            best, size = url, candidate
    return best


def _candidates(srcset: str) -> Iterator[tuple[str, str]]:
    """Addresses with their width or density; an address ends at a blank."""
    place = 0
    while match := _ADDRESS.match(srcset, place):
        url, place = match[1], match.end()
        descriptor = ""
        if not url.endswith(","):
            end = srcset.find(",", place)
            end = len(srcset) if end < 0 else end
            descriptor, place = srcset[place:end].strip(), end
        yield url.rstrip(","), descriptor


_Joined = dict[frozenset[str], dict[str, "str | None"]]


def _joined_addresses(_: Document) -> dict[str | None, tuple[_Joined, _Joined]]:
    """By the page's URL the addresses joined for any output, and their beginnings.

    Both by the schemes that are allowed.
    """
    return defaultdict(lambda: (defaultdict(dict), defaultdict(dict)))


class Addresses:
    """The safe addresses of a page's elements."""

    def __init__(self, document: Document, url: str | None) -> None:
        self.document = document
        self.url = url
        self._known, self._starts = document.once(_joined_addresses)[url]
        self._budget = document.output_budget

    @cached_property
    def base(self) -> str | None:
        """The base of relative addresses (``<base>``, else the page's); or ``None``."""
        url = self.url and clean_url(self.url, None, _WITH_HOST)
        url = url if url and urlsplit(url).scheme else None
        for element in self.document.elements_with_tag("base").tolist():
            value = self.document.attribute(element, "href")
            if value is not None:
                base = clean_url(value, url, _WITH_HOST)
                return base if base and urlsplit(base).scheme else url
        return url

    def clean(self, value: str, schemes: frozenset[str] = LINK_SCHEMES) -> str | None:
        """The absolute form of the address *value*; ``None`` if it is not safe.

        The base may add as many characters as the document's budget has; then only
        absolute addresses are left.
        """
        if self._budget < 0 and not _SCHEME.match(value.strip()):
            return None
        known = self._known[schemes]
        if value not in known:
            known[value] = self._join(value, schemes)
        url = known[value]
        added = len(url) - len(value) if url else 0
        if added > 0:
            self._budget -= added
            if self._budget < 0:
                self.document.budget.note(LARGE)
                return None
        return url

    def _join(self, value: str, schemes: frozenset[str]) -> str | None:
        if schemes >= IMAGE_SCHEMES and _PLAIN_ABSOLUTE.fullmatch(value):
            return value
        plain = _PLAIN_RELATIVE.fullmatch(value)
        if plain is None:
            return clean_url(value, self.base, schemes)
        start, known = plain[1], self._starts[schemes]
        if start not in known:
            # What the base makes of "../x" ends in the "x".
            known[start] = clean_url(f"{start}x", self.base, schemes)
        joined = known[start]
        return joined and joined[:-1] + value[len(start) :]

    def link(self, element: int) -> str | None:
        """The target of a link."""
        return self.clean(self.document.attribute(element, "href") or "")

    def find(
        self, elements: npt.NDArray[Any], name: str, but: frozenset[str] = frozenset()
    ) -> dict[int, str]:
        """The safe addresses in the attribute *name* of *elements*, *but* for some."""
        values = self.document.values_of(name, elements)
        return {
            element: url
            for element, value in values.items()
            if value not in but and (url := self.clean(value))
        }

    def image(self, element: int, values: Mapping[str, str]) -> str | None:
        """The source of an ``img``, by its attributes: the largest, no placeholder."""
        found = self._image_candidates(element, values)
        urls = (self.clean(value, IMAGE_SCHEMES) for value in found if value)
        return next(filter(None, urls), None)

    def _image_candidates(
        self, element: int, values: Mapping[str, str]
    ) -> Iterator[str]:
        yield values.get("data-src", "")  # loaded by a script, whatever its name
        shown = values.get("src", ""), largest_candidate(values.get("srcset", "")) or ""
        for value in chain(shown, self._picture_sources(element)):
            if not _PLACEHOLDER.search(value.partition("?")[0]):
                yield value

    def media(self, element: int) -> str | None:
        """The source of a ``video``, ``audio``, ``iframe``, ``embed``, ``object``."""
        values = self.document.attributes_of(element)
        candidates = [values.get(name, "") for name in ("src", "data-src", "data")]
        candidates += self._children_sources(element, "src")
        cleaned = (self.clean(value, IMAGE_SCHEMES) for value in candidates)
        return next((url for url in cleaned if url), None)

    def _picture_sources(self, image: int) -> Iterator[str]:
        elements = self.document.elements
        parent, source, picture = int(elements.parent[image]), *_PICTURE
        for _ in range(_MAX_SOURCES):  # libxml2 nests each source in the last
            if parent < 0 or elements.tag[parent] != source:
                break
            parent = int(elements.parent[parent])
        if parent >= 0 and elements.tag[parent] == picture:
            for srcset in self._children_sources(parent, "srcset"):
                yield largest_candidate(srcset) or ""

    def _children_sources(self, element: int, name: str) -> Iterator[str]:
        """The *name* of the ``source`` elements at the start of *element*."""
        elements = self.document.elements
        end = min(int(elements.end[element]), element + 1 + _MAX_SOURCES)
        for child in range(element + 1, end):
            if elements.tag[child] != _PICTURE[0]:
                return
            yield self.document.attribute(child, name) or ""
