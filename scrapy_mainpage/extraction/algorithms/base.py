"""The interface that every algorithm fills: a document in, a score per block out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

    Scores = npt.NDArray[np.float32]
    Mask = npt.NDArray[np.bool_]


class Algorithm(ABC):
    """Scores text blocks. A subclass is a frozen dataclass; its fields are options."""

    name: ClassVar[str]

    @abstractmethod
    def score(self, document: Document) -> Scores:
        """A score per text block, from 0 (boilerplate) to 1 (main content)."""

    def select(self, document: Document, scores: Scores) -> Mask:
        """Which blocks are main content: those with a score of at least one half."""
        chosen: Mask = scores >= 0.5
        return chosen

    def confidence(
        self, document: Document, scores: Scores, main: Mask
    ) -> float | None:
        """The predicted F1 of the extraction, or ``None`` where it is not predicted."""
        return None
