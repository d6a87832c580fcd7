"""Labels of all text blocks of a document, the evidence for them, and the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ..document.schema import Context
from ..learned._forest import QuickForest
from ..learned.page_types import FORUM
from . import CODE, LABELS, Region
from ._features import NAMES, role_features
from ._kinds import find_kinds
from .names import read_names
from .phrases import Topic, match_phrases

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Bits, Bytes, Floats, Ints, Mask, Shorts
    from .phrases import PhraseMatches


_COMMENTS: Final = np.uint64(Region.COMMENTS.bit)

MAX_DIALOG_SHARE: Final = 0.7
"""Share of a page's blocks; a larger element is the page, whatever its name."""

MIN_SURE: Final = 0.3
"""Probability below which a landmark around the block decides, if there is one.

On the hand-labelled blocks no worse than without, and right on pages of few blocks.
"""

MIN_SURE_OF_FEW: Final = 0.5
FEW_BLOCKS: Final = 20
"""The same probability on pages of so few blocks, which have little else to go by."""

_LANDMARKS: Final = (
    (Context.NAVIGATION, Label.NAVIGATION),
    (Context.FOOTER, Label.FOOTER),
    (Context.FORM, Label.FORM),
)
"""Landmarks of the page by tag or ARIA role, the strongest last."""

ROLES: Final = tuple(code for code, label in enumerate(LABELS) if not label.is_main)
"""The codes of the roles, in the order of the model's outputs."""


@dataclass(frozen=True)
class LabelEvidence:
    """Names and phrases of a document, each read once on first use.

    ``main`` is the mask of main content, ``title`` the block that is the page's title,
    or -1.
    """

    document: Document
    main: Mask
    title: int

    @cached_property
    def names(self) -> Bits:
        """Per element the bits of the regions that its tag and attributes name."""
        return self.document.once(read_names)

    @cached_property
    def phrases(self) -> PhraseMatches:
        """The conventional phrases in each text block."""
        return match_phrases(self.document)

    def features(self, wanted: Ints, *, forum: bool) -> Floats:
        """The input of the model of roles, on a page of a *forum* or another.

        A row per feature, a column for each of the *wanted* blocks.
        """
        return role_features(
            self.document,
            self.names,
            self.phrases,
            np.asarray(self.main, bool),
            wanted,
            self.title,
            forum,
        )

    @property
    def may_have_comments(self) -> bool:
        """Whether anything names or mentions comments: else no block is labelled so."""
        named = (self.names & _COMMENTS).any()
        return bool(named or self.phrases.mention(Topic.COMMENTS).any())


def label_blocks(
    evidence: LabelEvidence, get_page_type: Callable[[], str | None] = lambda: None
) -> tuple[Bytes, Floats]:
    """The code (a place in ``LABELS``) of each block's label, and its probability.

    The main content alone decides which blocks have a kind, whose probability is 1, and
    which have a role. *get_page_type* gives the page's likeliest type; it is called
    once at most, and only if it matters: on a ``forum`` the parts of a post are not
    comments.
    """
    if not evidence.document.n_blocks:
        return np.zeros(0, np.uint8), np.zeros(0, np.float32)
    forum = evidence.may_have_comments and get_page_type() == FORUM
    roles, probabilities = _find_roles(evidence, forum=forum)
    codes = np.where(evidence.main, label_main(evidence), roles)
    return codes.astype(np.uint8), probabilities


def label_main(evidence: LabelEvidence) -> Bytes:
    """The codes of the kinds of main content; those of other blocks mean nothing."""
    kinds = find_kinds(evidence.document, evidence.names)
    if evidence.title >= 0 and evidence.main[evidence.title]:
        kinds[evidence.title] = CODE[Label.TITLE]
    return kinds


def _find_roles(evidence: LabelEvidence, *, forum: bool) -> tuple[Bytes, Floats]:
    """The code of the likeliest role of each block, and its probability.

    Names of consent dialogs are sure. Those of main content mean nothing.
    """
    wanted = np.flatnonzero(~evidence.main).astype(np.int32)
    codes = np.zeros(len(evidence.main), np.uint8)
    probabilities = np.ones(len(evidence.main), np.float32)
    if len(wanted):
        matrix = evidence.features(wanted, forum=forum)
        found = load_roles().predict(matrix)
        best = _best_roles(found, evidence.document.blocks.flags[wanted])
        codes[wanted] = np.array(ROLES, np.uint8)[best]
        probabilities[wanted] = found[best, np.arange(len(best))]
        share = matrix[NAMES.index("near_consent")]
        sure = wanted[(share > 0) & (share <= MAX_DIALOG_SHARE)]
        codes[sure], probabilities[sure] = CODE[Label.CONSENT], 1
    return codes, probabilities


def _best_roles(found: Floats, flags: Ints) -> npt.NDArray[np.intp]:
    """The places in ``ROLES`` of the likeliest roles, or of the landmarks around."""
    best: npt.NDArray[np.intp] = found.argmax(axis=0)
    least = MIN_SURE_OF_FEW if len(flags) <= FEW_BLOCKS else MIN_SURE
    unsure = found.max(axis=0) < least
    for context, label in _LANDMARKS:
        best[unsure & (flags & int(context) != 0)] = ROLES.index(CODE[label])
    return best


@dataclass(frozen=True, eq=False)
class RoleModel:
    """Boosted trees as flat arrays, whose leaves have a number for every role.

    ``names`` are the features in the order of the columns, ``vectors`` the leaves of a
    tree, left to right. Log odds are ``start`` plus ``step`` times their sum.
    """

    names: tuple[str, ...]
    feature: Shorts
    threshold: Floats
    left: Ints
    roots: Ints
    vectors: Shorts
    step: Floats
    start: Floats

    @classmethod
    def load(cls, file: BinaryIO) -> RoleModel:
        """Read a model: a NumPy archive of its fields."""
        with np.load(file) as data:
            arrays = {name: data[name] for name in data.files if name != "names"}
            return cls(names=tuple(data["names"].tolist()), **arrays)

    def predict(self, matrix: Floats) -> Floats:
        """The probabilities of all roles (rows) for each column of *matrix*."""
        sums = self._forest.sum_vectors(matrix, self.vectors)[:, : len(self.start)].T
        totals = sums * self.step + self.start[:, None]
        powers = np.exp(totals - totals.max(axis=0))
        return np.asarray(powers / powers.sum(axis=0), np.float32)

    @cached_property
    def _forest(self) -> QuickForest:
        place = np.array([NAMES.index(name) for name in self.names], np.int32)
        no_values = np.zeros(len(self.left), np.float32)
        nodes = (self.feature, self.threshold, self.left, no_values)
        return QuickForest(*nodes, self.roots, place)


@cache
def load_roles() -> RoleModel:
    """The model that comes with the package."""
    own = files("scrapy_mainpage.extraction") / "weights" / "roles.npz"
    with own.open("rb") as file:
        return RoleModel.load(file)  # type: ignore[arg-type]
