"""The interface of algorithms: a document in, a score per text block out."""

from __future__ import annotations

import math
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final
from zipfile import BadZipFile

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.layout import Layout

    Scores = npt.NDArray[np.float32]
    Mask = npt.NDArray[np.bool_]

UNREADABLE_ARCHIVE: Final = (
    AttributeError,
    BadZipFile,
    EOFError,
    KeyError,
    TypeError,
    ValueError,
    zlib.error,
)
"""Errors of NumPy for a file that is not an archive of arrays, or lacks some."""


class LayoutRequired(ValueError):
    """The algorithm needs the boxes of a rendered page, which the page lacks."""

    def __init__(self, algorithm: str):
        super().__init__(f"algorithm {algorithm!r} needs the layout of a rendered page")


@dataclass(frozen=True, eq=False)
class Selection:
    """The scores and the main content of a document.

    ``scores`` and the mask ``main`` have one value per text block. ``confidence`` is
    the predicted F1, ``None`` without a prediction; ``warnings`` are reason codes.
    """

    scores: Scores
    main: Mask
    confidence: float | None = None
    warnings: tuple[str, ...] = ()


class Algorithm(ABC):
    """Scores text blocks. A subclass is a frozen dataclass; its fields are options."""

    name: ClassVar[str]
    needs_layout: ClassVar[bool] = False
    reads_all_attributes: ClassVar[bool] = False
    """Whether its documents need attributes outside of the vocabulary."""
    mends_choice: ClassVar[bool] = False
    """Whether rules change the chosen blocks (``_choice_rules.pyx``)."""
    viewport: ClassVar[tuple[int, int] | None] = None
    """The browser window that it is made for, in CSS pixels."""

    @abstractmethod
    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """A score per text block, from 0 (boilerplate) to 1 (main content).

        Raises :exc:`LayoutRequired` if it needs a layout and gets none.
        """

    def select(self, document: Document, scores: Scores) -> Mask:
        """The mask of main content: scores of at least one half."""
        chosen: Mask = scores >= 0.5
        return chosen

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """Score and select the blocks, with confidence and warnings."""
        scores = self.score(document, layout)
        return Selection(scores, self.select(document, scores))

    def page_types(self, document: Document, scores: Scores) -> dict[str, float]:
        """The probability of each kind of page, the likeliest first, given the scores.

        Empty without a prediction. It is called on demand, once a page.
        """
        return {}

    def guess_types(self, document: Document) -> dict[str, float]:
        """What the markup alone says of the kind of page, at a third of the cost.

        Empty if it says nothing.
        """
        return {}


def check_number(
    name: str, value: object, least: float, greatest: float = math.inf
) -> None:
    """Raise ``ValueError`` unless the option *name* is a number in that range."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and least <= value <= greatest):  # type: ignore[arg-type, operator]
        limit = (
            f"at least {least}" if greatest == math.inf else f"{least} to {greatest}"
        )
        raise ValueError(f"{name} must be a number, {limit}, not {value!r}")


def check_whole(name: str, value: object, least: int) -> None:
    """Raise ``ValueError`` unless the option *name* is an integer from *least* on."""
    if type(value) is not int or value < least:
        raise ValueError(
            f"{name} must be a whole number, {least} or more, not {value!r}"
        )


def check_choice(name: str, value: object, allowed: Collection[str]) -> None:
    """Raise ``ValueError`` unless the option *name* is one of those *allowed*."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}")


def check_model(path: object, load: Callable[[str], object]) -> None:
    """Raise ``ValueError`` unless *path* is empty or that of a file to *load*."""
    if path is None or path == "":
        return
    if not isinstance(path, str):
        raise ValueError(f"model must be the path of a file, not {path!r}")
    try:
        load(path)
    except (OSError, ValueError) as error:
        raise ValueError(f"model {path!r}: {error}") from None


def check_switch(name: str, value: object) -> None:
    """Raise ``ValueError`` unless the option *name* is true or false."""
    if type(value) is not bool:
        raise ValueError(f"{name} must be true or false, not {value!r}")


def words_within(document: Document, runs: Mask) -> Scores:
    """Per block the share of its words (of its bytes, without words) in the *runs*."""
    blocks = document.runs.block
    inside = blocks >= 0
    words = document.runs.words + (document.runs.end > document.runs.start) * 1e-3
    total = np.bincount(blocks[inside], words[inside], document.n_blocks)
    chosen = inside & runs
    part = np.bincount(blocks[chosen], words[chosen], document.n_blocks)
    share: Scores = (part / np.maximum(total, 1e-9)).astype(np.float32)
    return share
