"""TemEx: what a page shares with pages that link to each other is its template."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urldefrag, urljoin

from scrapy_mainpage.extraction.algorithms.algorithm import check_whole

from .site import PageTree, SiteSystem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .site import Label, Mask, SitePage


@dataclass(frozen=True)
class TemEx(SiteSystem):
    """The page without its template.

    J. Alarte, D. Insa, J. Silva, S. Tamarit: "TemEx: The Web Template Extractor", WWW
    2015 companion; "Web Template Extraction Based on Hyperlink Analysis", PROLE 2014.
    Pages that all link to each other (a complete subdigraph) share menus, so a
    template. The page is mapped onto each of them from the root down, equal nodes onto
    equal ones (ETDM), and what all mappings have is the template.

    Chosen here, as it is left to the implementation: elements are equal by tag, class
    and id, texts by their text; of several equal children the first is taken; of a page
    without such a subdigraph the pages with the most similar addresses are.
    """

    name: ClassVar[str] = "temex"

    pages: int = 4
    """The pages of the subdigraph, the page itself included."""

    def __post_init__(self) -> None:
        check_whole("pages", self.pages, 2)

    def find_contents(self, pages: Sequence[SitePage]) -> list[Mask]:
        """The texts of each page outside of its template."""
        trees = [PageTree(page.document) for page in pages]
        links = link_graph(pages)
        contents = []
        for key, tree in enumerate(trees):
            template = nodes = set(range(len(tree.labels)))
            peers = find_subdigraph(links, key, self.pages)
            for peer in peers or _nearest(pages, key, self.pages):
                template = map_equal_nodes(tree, trees[peer], template)
            contents.append(tree.runs_of(nodes - template))
        return contents


def link_graph(pages: Sequence[SitePage]) -> list[list[int]]:
    """Per page the other pages that it links to, in the order of the links."""
    number = {urldefrag(page.url).url: place for place, page in enumerate(pages)}
    graph = []
    for place, page in enumerate(pages):
        links = page.document.elements_with_tag("a").tolist()
        addresses = (page.document.attribute(link, "href") for link in links)
        found = (number.get(_join(page.url, address or "")) for address in addresses)
        graph.append(list(dict.fromkeys(f for f in found if f not in (None, place))))
    return graph


def _join(base: str, address: str) -> str:
    try:
        return urldefrag(urljoin(base, address)).url
    except ValueError:
        return ""


def find_subdigraph(links: Sequence[Iterable[int]], key: int, size: int) -> list[int]:
    """The other pages of a complete subdigraph of *size* pages around the page *key*.

    The first that is found in the order of the page's links, or else the largest.
    """
    targets = [set(of) for of in links]
    mutual = [page for page in links[key] if key in targets[page]]
    largest: list[int] = []
    for place in range(len(mutual)):
        chosen: list[int] = []
        for page in mutual[place:]:
            if all(page in targets[o] and o in targets[page] for o in chosen):
                chosen.append(page)
                if len(chosen) == size - 1:
                    return chosen
        largest = max(largest, chosen, key=len)
    return largest


def _nearest(pages: Sequence[SitePage], key: int, size: int) -> list[int]:
    """The *size* - 1 pages whose addresses have the most in common with the page's."""
    others = [page for page in range(len(pages)) if page != key]
    url = pages[key].url
    others.sort(key=lambda page: -_count_common_parts(url, pages[page].url))
    return others[: size - 1]


def _count_common_parts(one: str, two: str) -> int:
    parts = zip(one.split("/"), two.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], parts))


def map_equal_nodes(tree: PageTree, other: PageTree, kept: set[int]) -> set[int]:
    """The equal top-down mapping: the *kept* nodes of *tree* that *other* has, too.

    A node is mapped if its parent is, onto a child of the parent's node.
    """
    if not (tree.labels and other.labels) or tree.labels[0] != other.labels[0]:
        return set()
    mapped = {0}
    waiting = [(0, 0)]
    while waiting:
        one, two = waiting.pop()
        free: dict[Label, deque[int]] = defaultdict(deque)
        for child in other.children[two]:
            free[other.labels[child]].append(child)
        for child in tree.children[one]:
            if child in kept and (twins := free.get(tree.labels[child])):
                mapped.add(child)
                waiting.append((child, twins.popleft()))
    return mapped
