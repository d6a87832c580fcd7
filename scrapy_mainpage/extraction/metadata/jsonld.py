"""JSON-LD: read leniently, with bounds, and find the node that describes the page."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from ..parsing.budget import Budget

Node = dict[str, Any]

CHARACTER_WORK = 3
MAX_REPAIRED_CHARACTERS = 200_000
MAX_VALUES = 20
MAX_NODES = 1000

_DECODER = json.JSONDecoder(strict=False)
# Compiled when a script is broken, which few are.
_WRAPPER = (
    r"/\*\s*(?:<!\[CDATA\[|\]\]>)\s*\*/|(?://\s*)?<!\[CDATA\[|(?://\s*)?\]\]>|<!--|-->"
)
_TRAILING_COMMA = r",(?=\s*[}\]])"
_COMMENT = r'(?m)(?:^|(?<=[\s,]))//[^"\n]{0,200}$'
_SEPARATORS = re.compile(r"[\s;,\ufeff]*")

_CONTENT_TYPES = frozenset(
    "Article BlogPosting Book Course CreativeWork Dataset Episode Event Game HowTo "
    "LiveBlogPosting Movie MusicRecording MobileApplication NewsArticle PodcastEpisode "
    "Product ProductGroup Question Recipe Report Review SoftwareApplication "
    "SoftwareSourceCode TVEpisode TVSeries Vehicle VideoObject WebApplication".split()
)
_OPEN_KEYS = ("@graph", "mainEntity", "mainEntityOfPage")


def types_of(node: Node) -> tuple[str, ...]:
    """The names of a node's types, without the vocabulary's address."""
    value = node.get("@type")
    values = value[:10] if isinstance(value, list) else [value]
    names = (value for value in values if isinstance(value, str))
    return tuple(n if n.isalnum() else re.split("[/#:]", n)[-1] for n in names)


def rank_of(types: Iterable[str]) -> int:
    """Rank of a node: 2 for a page's content, 1 for a page itself, 0 for others."""
    return max(map(_rank, types), default=0)


def _rank(name: str) -> int:
    if name in _CONTENT_TYPES or _is_article(name):
        return 2
    return 1 if name.endswith("Page") else 0


@dataclass(frozen=True)
class JsonLd:
    """A page's JSON-LD: the nodes of its content, of the page, of the site."""

    content: Node = field(default_factory=dict)
    webpage: Node = field(default_factory=dict)
    website: Node = field(default_factory=dict)
    by_id: dict[str, Node] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()
    """All nodes that were looked at."""

    def values(self, key: str) -> Iterator[Any]:
        """The values of *key*, the content's first; references are followed."""
        for node in (self.content, self.webpage):
            value = node.get(key)
            for item in value[:50] if isinstance(value, list) else [value]:
                yield self.resolve(item)

    def resolve(self, value: Any) -> Any:
        """The node that a bare reference means; any other value as it is."""
        if isinstance(value, dict) and isinstance(value.get("@id"), str):
            target = self.by_id.get(value["@id"])
            return {**target, **value} if target else value
        return value


def read_jsonld(
    scripts: Iterable[str],
    urls: Iterable[str | None] = (),
    budget: Budget | None = None,
) -> JsonLd:
    """Read a page's JSON-LD *scripts*; *urls* are the addresses of the page.

    Never raises: unreadable parts, and those beyond the *budget*, are left out.
    """
    return read_values(parse_scripts(scripts, budget), urls)


def read_values(
    scripts: Iterable[list[Any]], urls: Iterable[str | None] = ()
) -> JsonLd:
    """Read JSON-LD from scripts that :func:`parse_scripts` has parsed."""
    nodes, by_id = _collect(value for values in scripts for value in values)
    keys = {_page_key(url) for url in urls if url}
    return JsonLd(
        content=_describing(nodes, 2, keys),
        webpage=_describing(nodes, 1, keys),
        website=next((node for node in nodes if "WebSite" in types_of(node)), {}),
        by_id=by_id,
        nodes=tuple(nodes),
    )


def parse_scripts(
    scripts: Iterable[str], budget: Budget | None = None
) -> list[list[Any]]:
    """The JSON values of each script, as far as the *budget* of the page goes."""
    budget, room = budget or Budget(), MAX_NODES
    parsed: list[list[Any]] = []
    for script in scripts:
        if room <= 0 or not budget.spend(CHARACTER_WORK * len(script)):
            break
        parsed.append(parse(script))
        room -= len(parsed[-1])
    return parsed


def find_script(node: Node, scripts: list[list[Any]]) -> int:
    """Which of the parsed *scripts* holds *node*: the first, else the last."""
    for place, values in enumerate(scripts[:-1]):
        if node in _collect(values)[0]:
            return place
    return len(scripts) - 1


def parse(script: str) -> list[Any]:
    """The JSON values of *script*; those before the first that cannot be read."""
    values, error = _decode(_SEPARATORS.sub("", script, count=1))
    if error and len(script) <= MAX_REPAIRED_CHARACTERS:
        repaired = re.sub(_WRAPPER, "", script)
        if "//" in repaired:
            repaired = re.sub(_COMMENT, "", repaired)
        repaired = re.sub(_TRAILING_COMMA, "", repaired).strip()
        if "&quot;" in repaired and '"' not in repaired:
            repaired = repaired.replace("&quot;", '"')
        values = _decode(repaired)[0] or values
    return values


def _decode(text: str) -> tuple[list[Any], bool]:
    values: list[Any] = []
    position = 0
    try:
        while position < len(text) and len(values) < MAX_VALUES:
            value, position = _DECODER.raw_decode(text, position)
            values.append(value)
            blank = _SEPARATORS.match(text, position)
            position = blank.end() if blank else position
    except (ValueError, RecursionError):
        return values, True
    return values, False


def _collect(values: Iterable[Any]) -> tuple[list[Node], dict[str, Node]]:
    """The nodes of all values in breadth-first order, and those that have a name."""
    queue = deque(islice(values, MAX_NODES))
    nodes: list[Node] = []
    by_id: dict[str, Node] = {}
    for _ in range(MAX_NODES):
        if not queue:
            break
        value = queue.popleft()
        if isinstance(value, list):
            queue.extend(value[:MAX_NODES])
        elif isinstance(value, dict):
            nodes.append(value)
            name = value.get("@id")
            if isinstance(name, str) and len(value) > len(by_id.get(name, {})):
                by_id[name] = value
            queue.extend(_opened(value))
    return nodes, by_id


def _opened(node: Node) -> Iterator[Any]:
    found = [key for key in _OPEN_KEYS if key in node]
    if not found or "FAQPage" in types_of(node):
        return
    for key in found:
        value = node[key]
        # A list of main entities is a list of things: questions, products.
        if isinstance(value, dict) or (key == "@graph" and isinstance(value, list)):
            yield value


def _describing(nodes: list[Node], rank: int, keys: set[str]) -> Node:
    """The node of that *rank* that describes the page; empty if it is unclear.

    It is the one that names the page's address, else the only one of its type that
    names none, else the only one there is: several of a type are a list of others.
    """
    ranked = [
        node for node in nodes if rank_of(types_of(node)) == rank and len(node) > 2
    ]
    unnamed = []
    for node in ranked:
        own = set(_addresses(node))
        if own & keys:
            return node
        if not own:
            unnamed.append(node)
    return _single(unnamed) or (ranked[0] if len(ranked) == 1 else {})


def _single(nodes: list[Node]) -> Node:
    """The first of *nodes* without another one of its type; articles come first."""
    of_type: dict[tuple[str, ...], dict[str, Node]] = {}
    for node in nodes:
        name = str(node.get("headline") or node.get("name"))[:200]
        of_type.setdefault(types_of(node), {}).setdefault(name, node)
    single = [
        next(iter(named.values())) for named in of_type.values() if len(named) == 1
    ]
    single.sort(key=lambda node: not any(map(_is_article, types_of(node))))
    return single[0] if single else {}


def _is_article(name: str) -> bool:
    return name.endswith(("Article", "Posting"))


def _addresses(node: Node) -> Iterator[str]:
    for key in ("url", "mainEntityOfPage", "@id"):
        value = node.get(key)
        if isinstance(value, dict):
            value = value.get("@id") or value.get("url")
        if isinstance(value, str) and value[:4].lower() == "http":
            yield _page_key(value)


def _page_key(url: str) -> str:
    """Host and path, which two addresses of one page share."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    except ValueError:
        return url
    return host + parts.path.rstrip("/").lower()
