"""The interface of systems that compare the pages of a site, and a page as a tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from scrapy_mainpage.extraction.document.document import nonblank_texts

from ..baselines.baseline import Baseline

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    from ..baselines.baseline import Floats

    Mask = npt.NDArray[np.bool_]
    Label = tuple[str, str, str]

TEXT: Final = "#text"


@dataclass(frozen=True)
class SitePage:
    """A page of a site."""

    url: str
    document: Document


class SiteSystem(ABC):
    """Finds the main content of all pages of a site at once.

    A subclass is a frozen dataclass; its fields are options.
    """

    name: ClassVar[str]

    @abstractmethod
    def find_contents(self, pages: Sequence[SitePage]) -> list[Mask]:
        """Per page the runs of text that are main content."""


@dataclass(frozen=True, eq=False)
class SiteContent(Baseline):
    """The algorithm of one page whose content a system found."""

    content: Mask
    name: ClassVar[str] = "site-content"

    def choose(self, document: Document) -> Floats:
        """1 for the texts of the content."""
        return self.content.astype(np.float64)


class PageTree:
    """The elements of a page, by their numbers, and behind them its texts.

    ``children`` has the nodes below each node in document order. ``labels`` are the
    tag, class and id of an element, the text of a text. ``runs`` are the texts' runs.
    """

    def __init__(self, document: Document) -> None:
        elements, runs = document.elements, document.runs
        texts = np.flatnonzero(nonblank_texts(document) & (runs.block >= 0)).tolist()
        self.document = document
        self.n_elements = n = document.n_elements
        self.runs: list[int] = texts
        self.labels = [_label_of(document, element) for element in range(n)]
        self.labels += [(TEXT, _text_of(document, run), "") for run in texts]
        self.children: list[list[int]] = [[] for _ in self.labels]
        # An element begins before the run that is its first, or that follows it.
        first = enumerate(elements.first_run.tolist())
        order = [(run, 0, element) for element, run in first]
        order += [(run, 1, n + number) for number, run in enumerate(texts)]
        parents = elements.parent.tolist() + runs.element[texts].tolist()
        for _, _, node in sorted(order):
            if parents[node] >= 0:
                self.children[parents[node]].append(node)

    @property
    def roots(self) -> list[int]:
        """The root element; none of an empty page."""
        return [0] if self.labels else []

    def is_text(self, node: int) -> bool:
        """Whether a node is a text."""
        return node >= self.n_elements

    def runs_of(self, nodes: Container[int]) -> Mask:
        """The runs of the texts among the *nodes*."""
        mask = np.zeros(len(self.document.runs.kind), bool)
        texts = range(self.n_elements, len(self.labels))
        mask[self.runs] = [node in nodes for node in texts]
        return mask


def _label_of(document: Document, element: int) -> Label:
    attributes = document.attributes_of(element)
    tokens = " ".join(sorted(attributes.get("class", "").split()))
    return document.tag_name(element), tokens, attributes.get("id", "")


def _text_of(document: Document, run: int) -> str:
    start, end = document.runs.start[run], document.runs.end[run]
    return " ".join(document.text[start:end].decode("utf-8", "replace").split())
