"""Rules of a site, proposed from the corrections of its pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..evaluation.datasets import decode_page, site_of
from ..rules import CorrectedPage, format_rules, learn_rules, preview, write_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..extraction.extractor import Extractor
    from ..rules import PagePreview, SiteRules
    from .correction import PageToCorrect

_SITE: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
"""Hosts that are safe as names of files."""


@dataclass(frozen=True)
class RuleProposal:
    """Rules, their text and file, and what they do to each page of the session.

    ``rows`` has the pages of the site, each with whether the rules give its correction;
    ``None`` for a page without one.
    """

    site: str
    rules: SiteRules
    text: str
    path: Path
    rows: tuple[tuple[PageToCorrect, PagePreview, bool | None], ...]

    @property
    def is_replacement(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    def write(self) -> None:
        """Write the file; raises ``OSError`` if it cannot be written."""
        write_rules(self.rules, self.path)


def sites_with_corrections(pages: Sequence[PageToCorrect]) -> list[str]:
    """The sites that rules can be proposed for."""
    sites = (site_of(page.url) for page in pages if page.correction)
    return [site for site in dict.fromkeys(sites) if _SITE.fullmatch(site)]


def propose_rules(
    pages: Sequence[PageToCorrect], site: str, folder: Path, extractor: Extractor
) -> RuleProposal:
    """The rules for a *site* with corrections, for a file in *folder*.

    Raises ``ValueError`` if no rules fit.
    """
    own = [page for page in pages if site_of(page.url) == site]
    others = [(page.url, page.html) for page in own if page.correction is None]
    rules = learn_rules([*_corrected_pages(own)], others)
    rules.check()
    shown = preview(
        rules, [(page.url, decode_page(page.html)) for page in own], extractor
    )
    rows = tuple(
        (page, row, _is_right(page, row)) for page, row in zip(own, shown, strict=True)
    )
    return RuleProposal(site, rules, format_rules(rules), folder / f"{site}.toml", rows)


def _corrected_pages(pages: Sequence[PageToCorrect]) -> Iterator[CorrectedPage]:
    for page in pages:
        if (found := page.correction) is not None:
            yield CorrectedPage(
                url=page.url,
                html=page.html,
                main=found.main.tolist(),
                title=found.title,
                author=found.fields.get("author"),
                date=found.fields.get("date"),
            )


def _is_right(page: PageToCorrect, row: PagePreview) -> bool | None:
    """Whether the rules give the corrected main content."""
    if page.correction is None:
        return None
    return row.text == page.corrected_text(page.correction)
