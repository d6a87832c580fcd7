"""Labels of all text blocks of a document, and the evidence for them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ..output.title_rule import find_title_block
from . import CODE
from ._match import find_kinds
from .names import read_names
from .phrases import Topic, match_phrases
from .regions import Region
from .roles import PageSigns, find_roles

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from .phrases import PhraseMatches

    Codes = npt.NDArray[np.uint8]
    Mask = npt.NDArray[np.bool_]

FORUM: Final = "forum"
"""The page type on which comments are main content."""


class LabelEvidence:
    """Names, phrases and title block of a document, each read once on first use."""

    def __init__(self, document: Document, main: Mask):
        self._document, self._main = document, main

    @cached_property
    def names(self) -> npt.NDArray[np.uint64]:
        """Per element the bits of the regions that its tag and attributes name."""
        return read_names(self._document)

    @cached_property
    def phrases(self) -> PhraseMatches:
        """The conventional phrases in each text block."""
        return match_phrases(self._document, self._main)

    @cached_property
    def title(self) -> int:
        """The block that is the page's title, or -1."""
        return find_title_block(self._document, self._main)

    def signs(self, *, forum: bool) -> PageSigns:
        """All that the model of roles reads."""
        return PageSigns(
            self._document, self.names, self.phrases, self._main, self.title, forum
        )

    @property
    def may_have_comments(self) -> bool:
        """Whether anything names or mentions comments: else no block is labelled so."""
        named = self.names & np.uint64(Region.COMMENTS.bit)
        return bool(named.any() or self.phrases.mention(Topic.COMMENTS).any())


def label_blocks(
    document: Document,
    main: Mask,
    get_page_type: Callable[[], str | None] = lambda: None,
    evidence: LabelEvidence | None = None,
) -> Codes:
    """The code (a place in ``LABELS``) of each block's label, given the main content.

    *main* alone decides which blocks have a kind and which have a role. *get_page_type*
    gives the page's likeliest type; it is called once at most, and only if it matters:
    on a ``forum`` the parts of a post are not comments. *evidence* is that of the
    document, if it was read before.
    """
    return rate_labels(document, main, get_page_type, evidence)[0]


def rate_labels(
    document: Document,
    main: Mask,
    get_page_type: Callable[[], str | None] = lambda: None,
    evidence: LabelEvidence | None = None,
) -> tuple[Codes, npt.NDArray[np.float32]]:
    """The codes as :func:`label_blocks` gives them, and the probabilities of roles.

    The probability of a kind of main content is 1: rules determine it.
    """
    if not document.n_blocks:
        return np.zeros(0, np.uint8), np.zeros(0, np.float32)
    evidence = evidence or LabelEvidence(document, main)
    forum = evidence.may_have_comments and get_page_type() == FORUM
    roles, probabilities = find_roles(evidence.signs(forum=forum))
    codes = np.where(main, label_main(document, main, evidence), roles)
    return codes.astype(np.uint8), probabilities


def label_main(document: Document, main: Mask, evidence: LabelEvidence) -> Codes:
    """The codes of the kinds of main content; those of other blocks mean nothing."""
    kinds = find_kinds(document, evidence.names)
    if evidence.title >= 0 and main[evidence.title]:
        kinds[evidence.title] = CODE[Label.TITLE]
    return kinds
