"""Rules from corrected pages: the fewest and most robust selectors that fit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..extraction.extractor import Extractor
from .indexed_page import IndexedPage
from .search import MAX_DIFFERENCE, Search, find_difference
from .site_rules import SiteRules
from .texts import find_text_selectors


@dataclass(frozen=True)
class CorrectedPage:
    """A page as its user sees it: ``main`` says which text blocks are main content.

    Blocks are counted in the order of the document; ``title``, ``author`` and ``date``
    are the numbers of the blocks with these texts.
    """

    url: str
    html: bytes
    main: Sequence[bool]
    title: int | None = None
    author: int | None = None
    date: int | None = None


def learn_rules(
    pages: Sequence[CorrectedPage], others: Sequence[tuple[str, bytes]] = ()
) -> SiteRules:
    """Learn the rules of a site from corrected pages.

    *others* are URL and HTML of more pages of the site. Selectors that find nothing on
    them, or contradict the default algorithm there, are avoided. Where all corrected
    pages are in one folder, such as ``/blog/``, and others outside of it are of another
    kind, the rules are for that folder alone. Raises ``ValueError`` without a page with
    main content, where no selector fits, and for a page whose ``main`` has another
    number of blocks.
    """
    extractor = Extractor()
    labelled = [IndexedPage(page.html, extractor, page.main) for page in pages]
    if not any(page.main.any() for page in labelled):
        raise ValueError("no page with main content to learn from")
    more = [(url, IndexedPage(html, extractor)) for url, html in others]
    folder = _common_folder([page.url for page in pages])
    inside = [page for url, page in more if _folder(url) == folder]
    outside = [page for url, page in more if _folder(url) != folder]
    found = Search(labelled, inside + outside).run()
    paths: tuple[str, ...] = ()
    if folder and find_difference(outside, *found) > MAX_DIFFERENCE:
        found, paths = Search(labelled, inside).run(), (f"/{folder}/*",)
    content, drop = found
    indexes = [page.index for page in labelled]
    texts = list(zip(indexes, pages, strict=True))
    return SiteRules(
        paths=paths,
        content=tuple(each.css for each in content),
        drop=tuple(each.css for each in drop),
        title=find_text_selectors([(index, page.title) for index, page in texts]),
        author=find_text_selectors([(index, page.author) for index, page in texts]),
        date=find_text_selectors([(index, page.date) for index, page in texts]),
    )


def _folder(url: str) -> str:
    """The first folder of the path of *url*; empty for a page that is in none."""
    try:
        folder, _, rest = urlsplit(url).path.lstrip("/").partition("/")
    except ValueError:  # an impossible host
        return ""
    return folder if rest else ""


def _common_folder(urls: Sequence[str]) -> str:
    folders = {_folder(url) for url in urls}
    return folders.pop() if len(folders) == 1 else ""
