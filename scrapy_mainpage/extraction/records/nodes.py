"""The things that a page declares: JSON-LD, microdata and RDFa as nodes of one form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ..document.tags import CODES, codes
from ..metadata.declarations import read_declarations
from ..metadata.jsonld import read_jsonld, types_of
from ..metadata.microdata import read_items, text_of
from ..metadata.plaintext import clean
from ..title_rule import letters

if TYPE_CHECKING:
    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from ..metadata.jsonld import Node

MAX_NODES: Final = 2000
MAX_LIST: Final = 1000
"""Values of one property that are looked at."""

_ANCHOR: Final = CODES["a"]
_ADDRESS: Final = {
    **dict.fromkeys(codes("a link area"), ("href",)),
    **dict.fromkeys(codes("img source audio video"), ("src", "data-src", "srcset")),
}
_LINKED: Final = frozenset("url item image sameAs @id id mainEntityOfPage".split())
"""Properties of ``a`` that mean its address; the others mean its text."""


class Declared:
    """What a page declares: its nodes, and its meta and link elements."""

    def __init__(self, document: Document, url: str | None) -> None:
        self.document = document
        self.meta: Declarations = read_declarations(document, url)
        self.canonical_url = self.meta.canonical_url
        self.url = url
        self._jsonld = read_jsonld(
            document.head_texts("script"),
            (url, self.canonical_url),
            document.budget.renew(),
        )
        self.nodes: list[Node] = [*self._jsonld.nodes, *read_nodes(document)]

    def of_type(self, *types: str) -> list[Node]:
        """The nodes of one of the *types*, in the order of the page."""
        return [
            node for node in self.nodes if not set(types).isdisjoint(types_of(node))
        ]

    def page_node(self, names: list[str], *types: str) -> Node | None:
        """The node of one of the *types* that the page is about.

        It has the page's address or one of the *names*, the titles of the page, or it
        is the only one and no part of a list. The fullest is taken.
        """
        found = self.of_type(*types)[:MAX_LIST]
        own = [node for node in found if self._is_own(node, names)]
        distinct = {letters(str(node.get("name"))[:200]) for node in found}
        chosen = own or (found if len(distinct) == 1 else [])
        return max(chosen, key=lambda node: sum(map(bool, node.values())), default=None)

    def _is_own(self, node: Node, names: list[str]) -> bool:
        name = letters(clean(node.get("name") or node.get("title")) or "")
        if name and any(name == each or _covers(name, each) for each in names):
            return True
        own = {_key(each) for each in (self.url, self.canonical_url) if each}
        return any(
            _key(address) in own
            for key in ("url", "mainEntityOfPage", "@id")
            if (address := self.meta.absolute(self.first(node, key, "@id", "url")))
        )

    def values(self, node: Node, key: str) -> Iterator[Any]:
        """The values of a property one by one; references are followed."""
        value = node.get(key)
        for each in value[:MAX_LIST] if isinstance(value, list) else (value,):
            if each is not None:
                yield self._jsonld.resolve(each)

    def inner(self, node: Node, key: str) -> Iterator[Node]:
        """The values of a property that are nodes."""
        return (each for each in self.values(node, key) if isinstance(each, dict))

    def first(self, node: Node, key: str, *inside: str) -> str | None:
        """The first text of a property; of a node the text of a key of *inside*."""
        return next(self.texts(node, key, *inside), None)

    def texts(self, node: Node, key: str, *inside: str) -> Iterator[str]:
        """The texts of a property, each as one line."""
        for value in self.values(node, key):
            if isinstance(value, dict):
                inner = (
                    clean(_scalar(value.get(name))) for name in inside or ("name",)
                )
                text = next(filter(None, inner), None)
            else:
                text = clean(_scalar(value))
            if text:
                yield text

    def addresses(self, node: Node, key: str) -> Iterator[str]:
        """The absolute addresses of a property, such as the images of a product."""
        texts = self.texts(node, key, "contentUrl", "url", "@id")
        return (url for text in texts if (url := self.meta.absolute(text)))


def _covers(name: str, other: str) -> bool:
    """Whether one of two names begins with the other, which says most of it."""
    short, long = sorted((name, other), key=len)
    return len(short) >= 12 and (long.startswith(short) or short in long)


def _scalar(value: Any) -> Any:
    value = value[0] if isinstance(value, list) and value else value
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return format(value, ".15g") if is_number else value


def _key(url: str) -> str:
    return re.sub(r"^https?://(?:www\.)?|[?#].*$|/$", "", url.lower())


def read_nodes(document: Document) -> list[Node]:
    """The items of microdata and RDFa, each with its properties; inner ones as well."""
    items = read_items(document)[:MAX_NODES]
    found: dict[int, Node] = {item.element: {"@type": [*item.types]} for item in items}
    for item in items:
        node = found[item.element]
        if address := document.attribute(item.element, "href"):
            node["@id"] = address
        for name, places in item.properties.items():
            values = (
                _value(document, place, name)
                if isinstance(place, int)
                else found.get(place.element)
                for place in places[:MAX_LIST]
            )
            if said := [value for value in values if value]:
                node[name] = said if len(said) > 1 else said[0]
    return [*found.values()]


def _value(document: Document, element: int, name: str) -> str | None:
    """What an element says of a property: its address, machine value or text."""
    values = document.attributes_of(element)
    tag = int(document.elements.tag[element])
    keys = () if tag == _ANCHOR and name not in _LINKED else _ADDRESS.get(tag, ())
    addresses = (address for key in keys for address in values.get(key, "").split()[:1])
    is_said = "content" in values or "datetime" in values
    address = None if is_said else next(addresses, None)
    return address or text_of(document, element)
