"""SST: parts of a site that look and read alike on its pages are noise."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar, Final

from scrapy_mainpage.extraction.algorithms.algorithm import check_number
from scrapy_mainpage.text.words import word_pattern

from .site import TEXT, PageTree, SiteSystem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .site import Label, Mask, SitePage

ATTENUATION: Final = 0.9
"""The share of its children in the importance of a node with one style, γ."""


@dataclass(eq=False)
class StyleNode:
    """An element of the site: the series of children that it has on the pages.

    ``styles`` counts the pages of each series. ``features`` has, of a node without
    children, how often each page has each word of its text, or address of its image.
    """

    pages: int = 0
    styles: Counter[tuple[Label, ...]] = field(default_factory=Counter)
    children: dict[tuple[Label, ...], list[StyleNode]] = field(default_factory=dict)
    features: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    importance: float = 0.0
    greatest: float = 0.0
    """The greatest importance of the node and those below."""


@dataclass(frozen=True)
class SiteStyleTree(SiteSystem):
    """The page without the parts whose importance is below a threshold.

    L. Yi, B. Liu, X. Li: "Eliminating Noisy Information in Web Pages for Data Mining",
    KDD 2003. The trees of all pages are merged from the root down, children by children
    with the same series of tags. The importance of a node is high if its pages have
    many such series, and texts of their own.

    Chosen here: the threshold, which the authors set for each site; elements are equal
    by tag, class and id; the features of a text are its words, those of an image its
    address; empty elements have none, and no importance.
    """

    name: ClassVar[str] = "sst"

    threshold: float = 0.2

    def __post_init__(self) -> None:
        check_number("threshold", self.threshold, 0, 1)

    def find_contents(self, pages: Sequence[SitePage]) -> list[Mask]:
        """The texts of each page outside of noisy parts."""
        trees = [PageTree(page.document) for page in pages]
        site = merge_pages(trees)
        rate_nodes(site)
        return [tree.runs_of(self._find_texts(site, tree)) for tree in trees]

    def _find_texts(self, site: StyleNode, tree: PageTree) -> set[int]:
        found: set[int] = set()
        waiting = _pairs(site, tree, tree.roots)
        while waiting:
            style, node = waiting.pop()
            if style.greatest >= self.threshold:
                if tree.is_text(node):
                    found.add(node)
                waiting += _pairs(style, tree, tree.children[node])
        return found


def merge_pages(trees: Sequence[PageTree]) -> StyleNode:
    """The style tree of a site, below a node without a label."""
    site = StyleNode()
    for tree in trees:
        waiting = _add_children(site, tree, tree.roots)
        while waiting:
            style, node = waiting.pop()
            children = tree.children[node]
            if not children:
                for feature, count in Counter(_features(tree, node)).items():
                    style.features[feature].append(count)
            waiting += _add_children(style, tree, children)
    return site


def _add_children(
    style: StyleNode, tree: PageTree, children: list[int]
) -> list[tuple[StyleNode, int]]:
    """Count a page's series of children; the nodes of the site that they belong to."""
    series = _series(tree, children)
    style.pages += 1
    style.styles[series] += 1
    style.children.setdefault(series, [StyleNode() for _ in series])
    return _pairs(style, tree, children)


def _pairs(
    style: StyleNode, tree: PageTree, children: list[int]
) -> list[tuple[StyleNode, int]]:
    below = style.children[_series(tree, children)]
    return list(zip(below, children, strict=True))


def _series(tree: PageTree, children: list[int]) -> tuple[Label, ...]:
    return tuple(
        (TEXT, "", "") if tree.is_text(node) else tree.labels[node] for node in children
    )


def _features(tree: PageTree, node: int) -> list[str]:
    if tree.is_text(node):
        return word_pattern().findall(tree.labels[node][1])
    source = tree.document.attribute(node, "src")
    return [source] if source else []


def rate_nodes(site: StyleNode) -> None:
    """Set the composite importance of all nodes, from the bottom up."""
    order, waiting = [], [site]
    while waiting:
        order.append(waiting.pop())
        waiting += (node for below in order[-1].children.values() for node in below)
    for node in reversed(order):
        node.importance = importance_of(node)
        below = (child for nodes in node.children.values() for child in nodes)
        greatest = max((child.greatest for child in below), default=0.0)
        node.greatest = max(node.importance, greatest)


def importance_of(node: StyleNode) -> float:
    """The composite importance of a node, from those of its children."""
    if list(node.styles) == [()]:
        return _leaf_importance(node)
    share = {series: n / node.pages for series, n in node.styles.items()}
    own = _entropy(list(share.values()), node.pages) if node.pages > 1 else 1.0
    weight = ATTENUATION ** len(share)
    children = sum(share[series] * _mean(node, series) for series in share)
    return (1 - weight) * own + weight * children


def _mean(node: StyleNode, series: tuple[Label, ...]) -> float:
    """The importance of a style: the mean of its elements'."""
    below = node.children[series]
    return fmean(n.importance for n in below) if below else _leaf_importance(node)


def _leaf_importance(node: StyleNode) -> float:
    """1 for features that one page has alone, 0 for those that all have alike."""
    if node.pages == 1:
        return 1.0
    entropies = [
        _entropy([count / sum(counts) for count in counts], node.pages)
        for counts in node.features.values()
    ]
    return 1 - fmean(entropies) if entropies else 0.0


def _entropy(shares: list[float], base: int) -> float:
    return -sum(share * math.log(share, base) for share in shares)
