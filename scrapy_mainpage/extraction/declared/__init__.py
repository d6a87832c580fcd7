"""What a page declares: meta elements, JSON-LD, microdata and RDFa, each read once."""

from __future__ import annotations

from collections import deque
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from ..title_rule import letters
from .fields import INSIDE, META, META_FIRST, PROPERTIES
from .meta import from_source
from .nodes import MAX_LIST, Node, Page
from .references import References
from .sources import parse_scripts, read_items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.document import Document
    from .meta import Found, Meta

__all__ = ["Declared", "Node"]

MAX_NODES: Final = 1000
"""Things of JSON-LD that are looked at."""

MAX_TEXTS: Final = 100
"""Texts of one field: a page has no more authors."""

_OPEN_KEYS: Final = ("@graph", "mainEntity", "mainEntityOfPage")


class Declared:
    """What *document*, the page at *url*, declares; nothing is read before it is asked.

    Nothing raises: what is broken, or beyond the page's budget, is left out.
    """

    def __init__(self, document: Document, url: str | None) -> None:
        self.document, self.url = document, url
        self._page = Page(document, url)

    @property
    def meta(self) -> Meta:
        """The ``meta``, ``link``, ``base`` and ``html`` elements."""
        return self._page.meta

    @cached_property
    def linked(self) -> list[Node]:
        """The things of the JSON-LD, breadth first, without those in properties.

        In place of a reference is what it refers to.
        """
        things = [*self._things()]
        room = len(self.document.values)
        references = References([thing for _, thing in things], room)
        return [
            Node(self._page, references.write_out(thing), element)
            for element, thing in things
        ]

    def _things(self) -> Iterator[tuple[int, dict[str, Any]]]:
        queue = deque(islice(parse_scripts(self.document), MAX_NODES))
        for _ in range(MAX_NODES):
            if not queue:
                return
            element, value = queue.popleft()
            if isinstance(value, list):
                queue.extend((element, each) for each in value[:MAX_NODES])
            elif isinstance(value, dict):
                yield element, value
                node = Node(self._page, value)
                queue.extend((element, inner) for inner in _opened(node))

    @cached_property
    def _items(self) -> tuple[list[Node], Node]:
        return read_items(self._page)

    @property
    def marked(self) -> list[Node]:
        """The things that elements mark, in the order of the page."""
        return self._items[0]

    @cached_property
    def nodes(self) -> list[Node]:
        """All things: those of JSON-LD, then those that elements mark."""
        return [*self.linked, *self.marked]

    def found(self, field: str) -> Iterator[Found]:
        """What the page declares as a *field* of :mod:`.fields`, the surest first."""
        linked = _said_first((self.content, self.webpage), field)
        of_page = self.meta.found(*META[field])
        if field in META_FIRST:
            linked, of_page = of_page, linked
        yield from linked
        yield from of_page
        yield from _said_first(self._page_items, field)

    @cached_property
    def _page_items(self) -> tuple[Node, ...]:
        """The marked thing that describes the page, and the properties of none.

        Nothing where several are alike, but for the one around the page's heading.
        """
        items, loose = self._items
        best = max((item.rank for item in items), default=0)
        alike = [item for item in items if item.rank == best > 0]
        elements = {item.element for item in alike}
        outer = [item for item in alike if item.outer not in elements]
        if len(outer) < 2:
            return (*outer, loose)
        headings = self.document.elements_with_tag("h1")[:1].tolist()
        end = self.document.elements.end
        around = (i for i in outer for h in headings if i.element < h < end[i.element])
        return tuple(islice(around, 1))

    def of_type(self, *types: str) -> list[Node]:
        """The things of one of the *types*, in their order."""
        return [node for node in self.nodes if node.is_a(types)]

    @cached_property
    def content(self) -> Node:
        """The thing of the JSON-LD that the page is about; empty if it is unclear."""
        return self._describing(2)

    @cached_property
    def webpage(self) -> Node:
        """The page itself in its JSON-LD, or an empty one."""
        return self._describing(1)

    @cached_property
    def website(self) -> Node:
        """The site in the page's JSON-LD, or an empty one."""
        sites = (node for node in self.linked if node.is_a(("WebSite",)))
        return next(sites, Node(self._page, {}))

    def _describing(self, rank: int) -> Node:
        """The thing of that *rank* that describes the page; empty if it is unclear.

        It is the one that names the page's address, else the only one of its type that
        names none, else the only one there is: several of a type are a list of others.
        """
        ranked = [n for n in self.linked if n.rank == rank and len(n.data) > 2]
        addresses = [self._addresses(node) for node in ranked]
        pairs = [*zip(ranked, addresses, strict=True)]
        here = (node for node, own in pairs if own & self._page_keys)
        unnamed = _single([node for node, own in pairs if not own])
        only = ranked[0] if len(ranked) == 1 else Node(self._page, {})
        return next(here, unnamed or only)

    def _addresses(self, node: Node) -> set[str]:
        """Host and path of each address that a thing gives as its own."""
        keys = ("url", "mainEntityOfPage", "@id")
        texts = (node.first(key, inside=("@id", "url")) or "#" for key in keys)
        # "#post-1" is no address of its own.
        found = (self.meta.absolute(text) for text in texts if text[0] != "#")
        return {_page_key(address) for address in found if address}

    @cached_property
    def _page_keys(self) -> set[str]:
        return {_page_key(each) for each in (self.url, self.meta.canonical_url) if each}

    def page_node(self, names: list[str], *types: str) -> Node | None:
        """The thing of one of the *types* that the page is about.

        It has the page's address or one of the *names*, the titles of the page, or it
        is the only one and no part of a list. The fullest is taken.
        """
        found = self.of_type(*types)[:MAX_LIST]
        own = [node for node in found if self._is_own(node, names)]
        # Events of one name are several where they begin on several days.
        distinct = {
            (letters((node.first("name") or "")[:200]), node.first("startDate"))
            for node in found
        }
        chosen = own or (found if len(distinct) == 1 else [])
        full = [sum(map(bool, node.data.values())) for node in chosen]
        return chosen[full.index(max(full))] if chosen else None

    def _is_own(self, node: Node, names: list[str]) -> bool:
        name = letters(node.first("name", "title") or "")
        if name and any(name == each or _covers(name, each) for each in names):
            return True
        return not self._page_keys.isdisjoint(self._addresses(node))


def _said_first(nodes: Iterable[Node], field: str) -> Iterator[Found]:
    """The texts of the first property of the *field* that one of the *nodes* has."""
    for node in nodes:
        for key in PROPERTIES[field]:
            texts = node.texts(key, inside=INSIDE.get(field, ("name", "@value")))
            if found := [*islice(texts, MAX_TEXTS)]:
                yield from from_source(node.source, found)
                return


def _opened(node: Node) -> Iterator[Any]:
    if node.is_a(("FAQPage",)):
        return
    for key in _OPEN_KEYS:
        value = node.data.get(key)
        # A list of main entities is a list of things: questions, products.
        if isinstance(value, dict) or (key == "@graph" and isinstance(value, list)):
            yield value


def _single(nodes: list[Node]) -> Node | None:
    """The first of *nodes* without another one of its type; articles come first."""
    of_type: dict[tuple[str, ...], dict[str, Node]] = {}
    for node in nodes:
        name = (node.first("headline", "name") or "")[:200]
        of_type.setdefault(node.types, {}).setdefault(name, node)
    single = [
        next(iter(named.values())) for named in of_type.values() if len(named) == 1
    ]
    return min(single, key=lambda node: not node.is_article, default=None)


def _page_key(url: str) -> str:
    """Host and path, which two addresses of one page share."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    except ValueError:
        return url
    return host + parts.path.rstrip("/").lower()


def _covers(name: str, other: str) -> bool:
    """Whether one of two names begins with the other, which says most of it."""
    short, long = sorted((name, other), key=len)
    return len(short) >= 12 and (long.startswith(short) or short in long)
