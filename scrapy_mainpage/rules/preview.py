"""What rules do to pages, to be shown before they are saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..extraction.extractor import Extractor
from ..extraction.page_rules import RULE_MISSED
from .rule_book import OneSite

if TYPE_CHECKING:
    from .site_rules import SiteRules


@dataclass(frozen=True)
class PagePreview:
    """A page without and with rules: the words of its main content.

    ``is_matched`` says whether the rules decide the page's main content, or leave
    something out of it, ``rules`` which of them match.
    """

    url: str
    words_before: int
    words_after: int
    is_matched: bool
    rules: tuple[str, ...]


def preview(
    rules: SiteRules,
    pages: Sequence[tuple[str, bytes]],
    extractor: Extractor | None = None,
) -> list[PagePreview]:
    """What *rules* do to *pages*, each a URL and HTML.

    *extractor* is the one without rules, by default that of the default algorithm.
    Raises :exc:`.RulesError` for a selector with an error.
    """
    before = extractor or Extractor()
    after = Extractor(
        before.algorithm,
        structured_data=before.structured_data,
        title_in_text=before.title_in_text,
        limits=before.limits,
        rules=OneSite(rules),
    )
    rows = []
    for url, html in pages:
        old, new = before.extract(html, url=url), after.extract(html, url=url)
        is_matched = bool(new.rules) and RULE_MISSED not in new.warnings
        rows.append(PagePreview(url, old.words, new.words, is_matched, new.rules))
    return rows
