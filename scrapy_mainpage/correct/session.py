"""One sitting of corrections: its pages, their sources, and where they are saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse
from w3lib.url import file_uri_to_path

from ..feeds import Feed
from .correction import Correction, CorrectionError, PageToCorrect
from .labelled_set import save_page
from .rule_proposals import RuleProposal, propose_rules, sites_with_corrections
from .views import show_overview, show_page, show_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.http import Response

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


def least_confident(feed: str, count: int) -> list[str]:
    """The URLs of the *count* items of a feed whose confidence is lowest.

    Items without a confidence come last, in the order of the feed. Raises
    :exc:`~scrapy_mainpage.feeds.FeedError` for a feed that cannot be read.
    """
    found: dict[str, float] = {}
    with Feed(feed) as entries:
        for entry in entries.entries():
            item = entry.item or {}
            url = item.get("url")
            if isinstance(url, str) and url.startswith(("http://", "https://")):
                found.setdefault(url, _confidence(item))
    return sorted(found, key=found.__getitem__)[:count]


def _confidence(item: dict[str, Any]) -> float:
    """The item's confidence; 2, more than any, without one."""
    try:
        value = float(item["confidence"])
    except (KeyError, TypeError, ValueError):
        return 2.0
    return value if value == value else 2.0


def read_response(response: Response, extractor: Extractor) -> PageToCorrect:
    """The page of a response; raises :exc:`CorrectionError` if it has none."""
    if response.status >= 400:
        raise CorrectionError(f"{response.url}: HTTP status {response.status}")
    if not isinstance(response, HtmlResponse):
        raise CorrectionError(f"{response.url} is not an HTML document")
    return PageToCorrect.read(response.url, response.body, response.text, extractor)


def read_file(source: str, extractor: Extractor) -> PageToCorrect:
    """The page of an HTML file, under the address that it declares, or else the file's.

    Raises :exc:`CorrectionError` if it cannot be read or has no text.
    """
    path = Path(file_uri_to_path(source) if source.startswith("file://") else source)
    try:
        body = path.read_bytes()
    except OSError as error:
        raise CorrectionError(f"{source}: {error.strerror or error}") from None
    page = PageToCorrect.read(path.absolute().as_uri(), body, None, extractor)
    declared = page.page.metadata.canonical_url
    if declared and declared.startswith(("http://", "https://")):
        return PageToCorrect.read(declared, body, None, extractor)
    return page
