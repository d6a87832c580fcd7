"""A thing that a page declares, in JSON-LD, microdata or RDFa, with its properties."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..document.tags import CODES, codes
from ..metadata.plaintext import clean, element_text
from .meta import Meta, read_meta

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.document import Document

MAX_LIST: Final = 1000
"""Values of one property that are looked at."""

_ANCHOR: Final = CODES["a"]
_ADDRESS: Final = {
    **dict.fromkeys(codes("a link area"), ("href",)),
    **dict.fromkeys(codes("img source audio video"), ("src", "data-src", "srcset")),
}
_ATTRIBUTES: Final = ("href", "content", "data-src", "src", "srcset")
_LINKED: Final = frozenset(
    "url item image sameAs @id id mainEntityOfPage contentUrl thumbnailUrl".split()
)
"""Properties that mean an address; of an element ``a`` the others mean its text."""

_CONTENT_TYPES: Final = frozenset(
    "Article BlogPosting Book Course CreativeWork Dataset Episode Event Game HowTo "
    "LiveBlogPosting Movie MusicRecording MobileApplication NewsArticle PodcastEpisode "
    "Product ProductGroup Question Recipe Report Review SoftwareApplication "
    "SoftwareSourceCode TVEpisode TVSeries Vehicle VideoObject WebApplication".split()
)


class Mark(NamedTuple):
    """A value that an element of the page says: by its address, attribute or text."""

    element: int


class Page:
    """The *document* of things and its *url*. It holds none of them: all go at once."""

    def __init__(self, document: Document, url: str | None) -> None:
        self.document, self.url = document, url

    @cached_property
    def meta(self) -> Meta:
        """The ``meta``, ``link``, ``base`` and ``html`` elements."""
        return read_meta(self.document, self.url)


class Node:
    """A thing that a page declares.

    *data* maps its properties to values: texts, numbers, :class:`Mark`, other things or
    a list of these; ``@type`` to the names of its types. *element* is the script or the
    element that declares it. *role* names what of another thing it is; *around* are
    the types of the things around its element, the nearest first, and *outer* is the
    element of the nearest or -1.
    """

    def __init__(
        self,
        page: Page,
        data: dict[str, Any],
        element: int = -1,
        role: frozenset[str] = frozenset(),
        around: tuple[tuple[str, ...], ...] = (),
        outer: int = -1,
    ) -> None:
        self.page, self.data, self.element = page, data, element
        self.role, self.around, self.outer = role, around, outer

    def __bool__(self) -> bool:
        return bool(self.data)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The names of its types, without the vocabulary's address."""
        value = self.data.get("@type")
        values = value[:10] if isinstance(value, list) else [value]
        names = (value for value in values if isinstance(value, str))
        return tuple(n if n.isalnum() else re.split("[/#:]", n)[-1] for n in names)

    def is_a(self, types: Iterable[str]) -> bool:
        """Whether it is of one of the *types*."""
        return any(name in types for name in self.types)

    @property
    def source(self) -> str:
        """The kind of declaration that it is from."""
        tag = self.page.document.elements.tag[self.element]
        is_script = self.element >= 0 and tag == CODES["script"]
        return "json-ld" if is_script else "microdata"

    @property
    def is_article(self) -> bool:
        """Whether it is an article, a posting or the like."""
        return any(name.endswith(("Article", "Posting")) for name in self.types)

    @property
    def rank(self) -> int:
        """2 for a page's content, 1 for a page itself, 0 for others."""
        if self.is_article or self.is_a(_CONTENT_TYPES):
            return 2
        return int(any(name.endswith("Page") for name in self.types))

    def values(self, *keys: str) -> Iterator[Any]:
        """The values of properties one by one; things as nodes."""
        for key in keys:
            value = self.data.get(key)
            if isinstance(value, list) and len(value) == 1:  # also a list of lists
                value = value[0]
            for each in value[:MAX_LIST] if isinstance(value, list) else (value,):
                if isinstance(each, dict):
                    yield Node(self.page, each, self.element, frozenset([key]))
                elif each is not None:
                    yield each

    def inner(self, *keys: str) -> Iterator[Node]:
        """The values of properties that are things."""
        return (each for each in self.values(*keys) if isinstance(each, Node))

    def below(self, *keys: str) -> Iterator[Any]:
        """The values of properties, each thing before its own: the one walk of all.

        Steps and sections of steps, replies and replies to these.
        """
        stack = [self.values(*keys)]
        while stack:
            value = next(stack[-1], None)
            if value is None:
                stack.pop()
                continue
            yield value
            if isinstance(value, Node):
                stack.append(value.values(*keys))

    def first_inner(self, *keys: str) -> Node:
        """The first of them, or one that says nothing."""
        return next(self.inner(*keys), Node(self.page, {}))

    def place(self, *keys: str) -> int:
        """The element of the first value that an element of the page says; or -1."""
        marks = (each for each in self.values(*keys) if isinstance(each, Mark))
        return next((mark.element for mark in marks), -1)

    def texts(self, *keys: str, inside: tuple[str, ...] = ("name",)) -> Iterator[str]:
        """The texts of properties, each as one line; of a thing its name.

        Or what it has first of the properties *inside*.
        """
        for key in keys:
            for value in self.values(key):
                if isinstance(value, Node):
                    own = ((name, value.data.get(name)) for name in inside)
                    found = (self._text(name, each) for name, each in own)
                    text = next(filter(None, found), None)
                else:
                    text = self._text(key, value)
                if text:
                    yield text

    def first(self, *keys: str, inside: tuple[str, ...] = ("name",)) -> str | None:
        """The first text of the first property that has any."""
        return next(self.texts(*keys, inside=inside), None)

    def _text(self, key: str, value: Any) -> str | None:
        """The text of a value: plain, with its language, or the name of a thing."""
        while isinstance(value, (list, dict, Node)):
            if isinstance(value, list):
                value = value[0] if value else None
            else:
                data = value.data if isinstance(value, Node) else value
                value = data.get("@value") or data.get("name")
        if isinstance(value, Mark):
            return said_by(self.page.document, value.element, key)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return clean(format(value, ".15g") if is_number else value)

    def addresses(self, *keys: str) -> Iterator[str]:
        """The absolute addresses of properties, such as the images of a product."""
        for key in keys:
            for value in self.values(key):
                found = map(self.page.meta.absolute, self._addresses(key, value))
                if address := next(filter(None, found), None):
                    yield address

    def address(self, *keys: str) -> str | None:
        """The first of them."""
        return next(self.addresses(*keys), None)

    def _addresses(self, key: str, value: Any) -> Iterator[str | None]:
        """What may be the address of a value: of a thing, of an element, or a text."""
        if isinstance(value, Node):
            yield from (value.first(each) for each in ("contentUrl", "url", "@id"))
            return
        if isinstance(value, Mark):
            own = self.page.document.attributes_of(value.element)
            words = (own.get(name, "").split()[:1] for name in _ATTRIBUTES)
            yield from chain.from_iterable(words)
        if key in _LINKED:
            yield self._text(key, value)


def said_by(document: Document, element: int, name: str) -> str | None:
    """What an element says of a property: its address, machine value or text."""
    values = document.attributes_of(element)
    tag = int(document.elements.tag[element])
    keys = () if tag == _ANCHOR and name not in _LINKED else _ADDRESS.get(tag, ())
    addresses = (address for key in keys for address in values.get(key, "").split()[:1])
    is_said = "content" in values or "datetime" in values
    machine = (clean(values.get(name)) for name in ("content", "datetime"))
    said = next(filter(None, machine if is_said else addresses), None)
    return said or element_text(document, element) or None
