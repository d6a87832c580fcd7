"""What is evaluated: algorithms, extractors of other packages, two references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from scrapy_mainpage.evaluation.scores import parse_label
from scrapy_mainpage.extraction.algorithms import (
    Algorithm,
    AlgorithmError,
    get_algorithm,
)

from .extractors import EXTRACTORS

if TYPE_CHECKING:
    from typing_extensions import Self

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout
    from scrapy_mainpage.extraction.document.schema import Floats, Mask

ALL_TEXT: Final = "all-text"
PERFECT_BLOCKS: Final = "perfect-blocks"
REFERENCES: Final = (ALL_TEXT, PERFECT_BLOCKS)


@dataclass(frozen=True)
class AlgorithmSpec:
    """An algorithm by name, with its options; ``label`` is as it was given."""

    label: str

    @classmethod
    def parse(cls, label: str) -> Self:
        """Read ``NAME`` or ``NAME:OPTION=VALUE:OPTION=VALUE``.

        Raises :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for a name
        or an option that is not known.
        """
        spec = cls(label.strip())
        spec.build()
        return spec

    @property
    def name(self) -> str:
        """The name of the algorithm, the extractor or the reference."""
        return parse_label(self.label)[0]

    @property
    def options(self) -> dict[str, Any]:
        """The options of the algorithm."""
        return parse_label(self.label)[1]

    def build(self) -> Algorithm:
        """The algorithm, set up.

        For ``perfect-blocks`` and other extractors one that takes nothing yet.
        """
        if not (self.is_reference or self.is_extractor):
            return get_algorithm(self.name, self.options)
        if self.options:
            raise AlgorithmError(f"{self.name!r} has no options: {self.label!r}")
        if self.is_extractor and EXTRACTORS[self.name].version is None:
            raise AlgorithmError(f"{self.name!r} is not installed")
        return Reference(self.name)

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference that algorithms are compared with."""
        return self.name in REFERENCES

    @property
    def is_extractor(self) -> bool:
        """Whether it is an extractor of another package."""
        return self.name in EXTRACTORS


@dataclass(frozen=True, eq=False)
class Reference(Algorithm):
    """An algorithm that takes the given blocks, or all: an upper and a lower bound."""

    label: str
    mask: Mask | None = None
    name: ClassVar[str] = "reference"

    def score(self, document: Document, layout: Layout | None = None) -> Floats:
        """1 for each block that is taken, 0 for the others."""
        if self.mask is not None:
            return self.mask.astype(np.float32)
        return np.full(document.n_blocks, self.label == ALL_TEXT, np.float32)
