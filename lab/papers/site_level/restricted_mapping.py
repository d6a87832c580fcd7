"""RTDM-TD: what a mapping of least cost between sample pages keeps is the template."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Final

from scrapy_mainpage.extraction.algorithms.algorithm import check_whole

from .site import PageTree, SiteSystem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .site import Label, Mask, SitePage

MAX_PAIRS: Final = 1_000_000
"""Pairs of children that are compared for one pair of parents, some seconds' work."""

MAX_DEPTH: Final = 300
"""Nodes further down are only compared as whole subtrees."""


_Pairs = tuple[list[int], "_Pairs"] | None
"""The mapped nodes of a pair of children, and the pairs before it."""


@dataclass(frozen=True)
class RestrictedTopDownMapping(SiteSystem):
    """The page without the template of some sample pages.

    K. Vieira, A. da Silva, N. Pinto, E. de Moura, J. Cavalcanti, J. Freire: "A Fast and
    Robust Method for Web Page Template Detection and Removal", CIKM 2006. The template
    is what is left of the first sample page after it was mapped onto the others, one
    after the other, by the restricted top-down mapping of least cost (Reis et al.
    2004): nodes are inserted and removed as whole subtrees, and only equal nodes are
    mapped. Each page loses what is mapped onto the template.

    Chosen here: the sample, the first ``pages`` of the site; elements are equal by tag,
    class and id, texts by their text; a node costs 1.
    """

    name: ClassVar[str] = "rtdm-td"

    pages: int = 10

    def __post_init__(self) -> None:
        check_whole("pages", self.pages, 2)

    def find_contents(self, pages: Sequence[SitePage]) -> list[Mask]:
        """The texts of each page that the template lacks."""
        trees = [PageTree(page.document) for page in pages]
        template, *others = trees[: self.pages]
        kinds: dict[tuple[Label, tuple[int, ...]], int] = {}
        mapping = Mapping(template, kinds)
        for other in others:
            mapping = Mapping(template, kinds, mapping.map_onto(Mapping(other, kinds)))
        contents = []
        for tree in trees:
            page = Mapping(tree, kinds)
            contents.append(tree.runs_of(page.nodes - page.map_onto(mapping)))
        return contents


class Mapping:
    """The nodes of a tree that are mapped onto others, or those of it that are *kept*.

    Subtrees of one kind are equal; *kinds* are those of all trees.
    """

    def __init__(
        self,
        tree: PageTree,
        kinds: dict[tuple[Label, tuple[int, ...]], int],
        kept: set[int] | None = None,
    ) -> None:
        self.labels = tree.labels
        self.nodes = set(range(len(tree.labels))) if kept is None else kept
        self.children = {
            node: [child for child in tree.children[node] if child in self.nodes]
            for node in self.nodes
        }
        self.size: dict[int, int] = {}
        self.kind: dict[int, int] = {}
        self.depth: dict[int, int] = {}
        for node in self._bottom_up(tree.roots):
            below = self.children[node]
            key = (self.labels[node], tuple(self.kind[child] for child in below))
            self.kind[node] = kinds.setdefault(key, len(kinds))
            self.size[node] = 1 + sum(self.size[child] for child in below)

    def _bottom_up(self, roots: list[int]) -> list[int]:
        order: list[int] = []
        waiting = [root for root in roots if root in self.nodes]
        self.depth.update(dict.fromkeys(waiting, 0))
        while waiting:
            order.append(waiting.pop())
            below = self.children[order[-1]]
            self.depth.update(dict.fromkeys(below, self.depth[order[-1]] + 1))
            waiting += below
        return order[::-1]

    def map_onto(self, other: Mapping) -> set[int]:
        """The nodes that are mapped onto equal ones of *other*."""
        if not (self.nodes and other.nodes and self.labels[0] == other.labels[0]):
            return set()
        return set(self.map_nodes(other, 0, 0)[1])

    def map_nodes(self, other: Mapping, one: int, two: int) -> tuple[int, list[int]]:
        """The cost of mapping *one* and the nodes below onto *two*; those mapped."""
        if self.kind[one] == other.kind[two]:
            return 0, self._subtree(one)
        first, second = self.children[one], other.children[two]
        mapped = [one]
        n = 0
        while n < min(len(first), len(second)) and self._is_equal(
            other, first[n], second[n]
        ):
            mapped += self._subtree(first[n])
            n += 1
        first, second = first[n:], second[n:]
        while first and second and self._is_equal(other, first[-1], second[-1]):
            mapped += self._subtree(first[-1])
            first, second = first[:-1], second[:-1]
        cost, found = self._align(other, first, second)
        return cost, mapped + found

    def _align(
        self, other: Mapping, first: list[int], second: list[int]
    ) -> tuple[int, list[int]]:
        """The least cost of turning one series of children into the other."""
        inserted = [0]
        for two in second:
            inserted.append(inserted[-1] + other.size[two])
        removed = sum(self.size[one] for one in first)
        too_deep = bool(first) and self.depth[first[0]] > MAX_DEPTH
        if not (first and second) or too_deep or len(first) * len(second) > MAX_PAIRS:
            return removed + inserted[-1], []
        # Per child of the second series: the cost so far, and the pairs on the way.
        row: list[tuple[int, _Pairs]] = [(cost, None) for cost in inserted]
        for one in first:
            above, row = row, [(row[0][0] + self.size[one], None)]
            for place, two in enumerate(second):
                best = min(
                    (above[place + 1][0] + self.size[one], above[place + 1][1]),
                    (row[place][0] + other.size[two], row[place][1]),
                    key=itemgetter(0),
                )
                if self.labels[one] == other.labels[two]:
                    cost, mapped = self.map_nodes(other, one, two)
                    if above[place][0] + cost <= best[0]:
                        best = above[place][0] + cost, (mapped, above[place][1])
                row.append(best)
        cost, pairs = row[-1]
        found: list[int] = []
        while pairs is not None:
            mapped, pairs = pairs
            found += mapped
        return cost, found

    def _is_equal(self, other: Mapping, one: int, two: int) -> bool:
        return self.kind[one] == other.kind[two]

    def _subtree(self, node: int) -> list[int]:
        nodes, waiting = [], [node]
        while waiting:
            nodes.append(waiting.pop())
            waiting += self.children[nodes[-1]]
        return nodes
