"""The learned default: boosted trees over all features, then the best set of blocks.

Each text block gets a probability of being main content. Tables, lists and code get one
for all of their blocks, and the members of a template are drawn to each other's. Of all
sets of blocks, the one with the highest expected F-measure of its words is taken, and
the headings of its text with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ..algorithms.algorithm import (
    UNREADABLE_ARCHIVE,
    Algorithm,
    Selection,
    check_choice,
    check_model,
    check_number,
)
from ._forest import QuickForest, predict_trees, round_values
from ._selection import calibrate, select_blocks
from .features import (
    FEATURE_NAMES,
    SLOTS,
    count_weighted_words,
    evaluate,
    page_slots,
    weight_table,
)
from .page_types import (
    ARRAYS,
    PAGE_TYPES,
    TYPES,
    PageTypeModel,
    are_whole,
    pack,
    unpack,
)

if TYPE_CHECKING:
    from typing import BinaryIO

    from ..algorithms.algorithm import Mask, Scores
    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Doubles, Floats, Ints, Shorts

BETA: Final = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""The beta of the F-measure whose expectation is maximised, per way of favouring."""

CONTENT_LEFT_OUT: Final = "content_left_out"
"""Warning code: more words of main content are expected outside of the selection."""

MARKUP: Final = "markup"
"""The last feature, if there is a model of the markup: the sum of its weights."""


@dataclass(frozen=True)
class Learned(Algorithm):
    """The set of blocks with the highest expected F-measure.

    ``favor``: ``balanced`` (F1), ``precision`` (F0.5) or ``recall`` (F2).
    ``least_words``: with fewer main words expected, none of them likely, the page has
    none.
    ``model``: the path of another forest, one that ``lab.training`` wrote.
    """

    name: ClassVar[str] = "learned"
    mends_choice: ClassVar[bool] = True

    favor: str = "balanced"
    least_words: float = 10.0
    model: str | None = None

    def __post_init__(self) -> None:
        check_choice("favor", self.favor, BETA)
        check_number("least_words", self.least_words, 0)
        check_model(self.model, load_forest)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The probability of each block to be main content."""
        odds = load_forest(self.model).evaluate(document)
        return calibrate(document, odds)

    def select(self, document: Document, scores: Scores) -> Mask:
        """The best set of blocks."""
        return self.judge_scores(document, scores).main

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """The scores, the best set, and the F1 expected of it."""
        return self.judge_scores(document, self.score(document))

    def page_types(self, document: Document, scores: Scores) -> dict[str, float]:
        """The probabilities by the features of the blocks and their *scores*."""
        forest = load_forest(self.model)
        if forest.types is None:
            return {}
        return forest.types.page_types(document, forest.block_names, scores)

    def guess_types(self, document: Document) -> dict[str, float]:
        """The probabilities by the model of the markup."""
        types = load_forest(self.model).types
        if types is None:
            return {}
        likely = types.markup(document.once(page_slots)).tolist()
        return dict(zip(PAGE_TYPES, likely, strict=True))

    def judge_scores(self, document: Document, scores: Scores) -> Selection:
        """The best set of blocks for given *scores*, and the F1 expected of it.

        It is the likeliest blocks, as many as maximise the expected F-beta. Errors of
        the probabilities of a page go together, as pages differ in how much of them is
        main content. So the expectation is the mean over shifts of all log odds, given
        which blocks are independent: each time the ratio of expectations.
        """
        chosen, expected = select_blocks(
            document, scores, BETA[self.favor], self.least_words
        )
        likely = scores * count_weighted_words(document)
        # What F-measure leaves out where nothing is sure, as one word more costs one.
        is_left = likely.sum(where=~chosen) > likely.sum(where=chosen) > 0
        warnings = (CONTENT_LEFT_OUT,) * bool(is_left)
        return Selection(scores, chosen, confidence=expected, warnings=warnings)


@cache
def load_forest(path: str | None = None) -> Forest:
    """The forest in a file, or the one that comes with the package.

    Raises ``OSError`` or ``ValueError`` for a file that cannot be read or holds none.
    """
    own = Path(__file__).parents[1] / "weights" / "learned.npz"
    with open(path or own, "rb") as file:
        return Forest.load(file)


@dataclass(frozen=True, eq=False)
class Forest:
    """Boosted trees as flat arrays, and the calibration of their sum.

    ``names`` are the features in the order of the columns; log odds are ``slope`` times
    the trees' sum plus ``offset``. ``slots`` and ``slot_weights`` are a linear model of
    the markup (``features/_markup.pyx``), whose sum is :data:`MARKUP`; ``types``
    predicts page types.
    """

    names: tuple[str, ...]
    feature: Shorts
    threshold: Floats
    left: Ints
    value: Floats
    roots: Ints
    slope: float
    offset: float
    slots: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    slot_weights: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    types: PageTypeModel | None = None

    def __post_init__(self) -> None:
        # Exact sums: they do not depend on the order of the trees.
        object.__setattr__(self, "value", round_values(self.value))

    @classmethod
    def load(cls, file: BinaryIO) -> Forest:
        """Read a forest that :meth:`save` wrote; ``ValueError`` for anything else."""
        try:
            with np.load(file) as data:
                forest = cls(types=PageTypeModel.read(data), **_read_trees(data))
        except UNREADABLE_ARCHIVE:
            raise ValueError("not a model of the learned algorithm") from None
        if not forest._is_sound():
            raise ValueError("not a model of the learned algorithm: no whole trees")
        if unknown := set(forest.names) - {*FEATURE_NAMES, MARKUP}:
            raise ValueError(f"features that are not known: {', '.join(unknown)}")
        # Compiled here, so that trees that are too large are an error of the file.
        _ = forest.quick
        return forest

    def _is_sound(self) -> bool:
        """Whether all numbers are finite, and every row ends in a leaf."""
        nodes = (self.feature, self.threshold, self.left, self.value)
        return bool(
            are_whole(nodes, self.roots, len(self.names))
            and np.isfinite([self.slope, self.offset]).all()
            and MARKUP not in self.names[:-1]
            and self.slots.shape == self.slot_weights.shape
            and ((self.slots >= 0) & (self.slots < SLOTS)).all()
            and (self.types is None or self.types.is_sound(self.block_names))
        )

    def save(self, path: Path) -> None:
        """Write the forest as a NumPy archive."""
        arrays = pack({name: getattr(self, name) for name in ARRAYS})
        arrays["names"] = np.array(self.names)
        arrays["calibration"] = np.array([self.slope, self.offset])
        types = pack(vars(self.types), TYPES) if self.types else {}
        # Not compressed: loading takes a third of the time, and a wheel is compressed.
        np.savez(path, **arrays, **types)

    @cached_property
    def block_names(self) -> tuple[str, ...]:
        """The features of text blocks, without the markup."""
        return tuple(name for name in self.names if name != MARKUP)

    def evaluate(self, document: Document) -> Doubles:
        """The log odds of main content per block."""
        model = (self.table, self.quick, self.slope, self.offset)
        odds, slots = evaluate(document, *model)
        document.keep(page_slots, slots)
        return odds

    def log_odds(self, rows: Floats) -> Doubles:
        """The log odds of main content for each of the *rows*."""
        nodes = (self.feature, self.threshold, self.left, self.value, self.roots)
        return self.slope * predict_trees(rows, *nodes) + self.offset

    @cached_property
    def table(self) -> Floats | None:
        """The weights of all slots of the markup; ``None`` without such a model."""
        if MARKUP not in self.names:
            return None
        return weight_table(self.slots, self.slot_weights)

    @cached_property
    def quick(self) -> QuickForest:
        """The compiled forest; ``ValueError`` if one of its trees is too large."""
        known = (*FEATURE_NAMES, MARKUP)
        places = np.array([known.index(name) for name in self.names], np.int32)
        nodes = (self.feature, self.threshold, self.left, self.value, self.roots)
        return QuickForest(*nodes, places)


def _read_trees(data: Any) -> dict[str, Any]:
    arrays = unpack(data, ARRAYS)
    slope, offset = data["calibration"].tolist()
    names = tuple(data["names"].tolist())
    return {**arrays, "names": names, "slope": slope, "offset": offset}
