"""One sitting of corrections: the pages, in their order, and where they are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .correction import Correction
from .labelled_set import save_page
from .rule_proposals import RuleProposal, propose_rules, sites_with_corrections
from .views import show_overview, show_page, show_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..extraction.extractor import Extractor
    from .correction import PageToCorrect


class NotThere(LookupError):
    """A number that no page has, or a site without corrections."""


class Session:
    """The pages to correct, numbered from 1.

    *folder* gets the labelled set, *rules_folder* the rules of sites. *extractor* made
    the pages.
    """

    def __init__(
        self,
        pages: Sequence[PageToCorrect],
        folder: Path,
        rules_folder: Path,
        extractor: Extractor,
    ) -> None:
        self.pages, self.folder, self.rules_folder = pages, folder, rules_folder
        self.extractor = extractor

    def overview(self) -> str:
        """The list of pages as HTML."""
        sites = sites_with_corrections(self.pages)
        return show_overview(self.pages, str(self.folder), sites)

    def page(self, number: int) -> str:
        """The page as HTML; raises :exc:`NotThere` for a number that none has."""
        self._find(number)
        return show_page(self.pages, number - 1)

    def save(self, number: int, data: object) -> str:
        """Save the correction of a page; return the path to go on at, from a page's.

        Raises :exc:`NotThere` for a number that no page has, ``ValueError`` for data
        that are no correction of it, and ``OSError`` if nothing can be saved.
        """
        page = self._find(number)
        correction = Correction.parse(data, page.content.document.n_blocks)
        save_page(self.folder, page, correction)
        page.correction = correction
        others = [*range(number + 1, len(self.pages) + 1), *range(1, number)]
        left = (k for k in others if self.pages[k - 1].correction is None)
        following = next(left, None)
        return "../" if following is None else f"../page/{following}"

    def rules(self, site: str) -> str:
        """The rules for a site as HTML; raises :exc:`NotThere` without corrections."""
        try:
            return show_rules(site, self._propose(site))
        except ValueError as error:
            return show_rules(site, None, str(error))

    def write_rules(self, site: str) -> str:
        """Write the rules for a site; return what to do next.

        Raises :exc:`NotThere` without corrections, ``ValueError`` if no rules fit, and
        ``OSError`` if nothing can be written.
        """
        proposal = self._propose(site)
        proposal.write()
        folder = self.rules_folder.as_posix()
        return f'Written. In the settings of the project: MAINPAGE_RULES = "{folder}"'

    def _propose(self, site: str) -> RuleProposal:
        if site not in sites_with_corrections(self.pages):
            raise NotThere(site)
        return propose_rules(self.pages, site, self.rules_folder, self.extractor)

    def _find(self, number: int) -> PageToCorrect:
        if not 0 < number <= len(self.pages):
            raise NotThere(number)
        return self.pages[number - 1]
