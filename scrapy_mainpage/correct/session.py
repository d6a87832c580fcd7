"""One sitting of corrections: the pages, in their order, and where they are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .correction import Correction
from .labelled_set import save_page
from .views import show_overview, show_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .correction import PageToCorrect


class Session:
    """The pages to correct, numbered from 1; *folder* gets the labelled set."""

    def __init__(self, pages: Sequence[PageToCorrect], folder: Path) -> None:
        self.pages, self.folder = pages, folder

    def overview(self) -> str:
        """The list of pages as HTML."""
        return show_overview(self.pages, str(self.folder))

    def page(self, number: int) -> str:
        """The page as HTML; raises ``LookupError`` for a number that none has."""
        self._find(number)
        return show_page(self.pages, number - 1)

    def save(self, number: int, data: object) -> str:
        """Save the correction of a page; return the path to go on at, from a page's.

        Raises ``LookupError`` for a number that no page has, ``ValueError`` for data
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

    def _find(self, number: int) -> PageToCorrect:
        if not 0 < number <= len(self.pages):
            raise LookupError(number)
        return self.pages[number - 1]
