"""What rules of a site say about one page; :mod:`scrapy_mainpage.rules` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..page import Metadata
    from .document.document import Document
    from .document.schema import Mask

RULE_MISSED: Final = "rule_missed"
"""Warning code: the rule for the main content matches nothing on the page."""

BAD_RULES: Final = "bad_rules"
"""Warning code: the file with the rules of the page's site cannot be read."""


@dataclass(frozen=True, eq=False)
class RuleMatch:
    """The parts of a page that rules of its site match.

    ``content`` is the mask of the text blocks that are main content, ``None`` where the
    algorithm decides; ``drop`` are blocks to leave out of its decision. ``metadata``
    has texts for fields of :class:`~scrapy_mainpage.page.Metadata`. ``rules`` says
    which rule decided what, ``warnings`` are codes.
    """

    content: Mask | None = None
    drop: Mask | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


NO_MATCH: Final = RuleMatch()


class PageRules(Protocol):
    """The rules of sites."""

    def __hash__(self) -> int:
        """The identity's: an extractor may be kept by its arguments."""

    def match(
        self, root: _Element, document: Document, url: str | None
    ) -> RuleMatch | None:
        """Match the rules for *url*; ``None`` without any.

        *root* is the tree of *document*, and is only read.
        """


def override(metadata: Metadata, texts: Mapping[str, str]) -> Metadata:
    """*metadata* with the *texts* of rules; a date that is none changes nothing."""
    values: dict[str, str | None] = dict(texts)
    if "date_published" in values:
        from .metadata.dates import normalise_date

        date = normalise_date(values["date_published"], metadata.language)
        values["date_published"] = date
    known: dict[str, Any] = {name: value for name, value in values.items() if value}
    sources = {**metadata.sources, **dict.fromkeys(known, "rules")}
    sure = {**metadata.probabilities, **dict.fromkeys(known, 1.0)}
    return replace(metadata, **known, sources=sources, probabilities=sure)
