"""Rules from corrected pages: the fewest and most robust selectors that fit them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from ..extraction.extractor import Extractor
from ..extraction.page_rules import FIELDS, PRODUCT, RULE_MISSED
from .candidates import IndexedPage, PageIndex, Selector
from .rule_book import OneSite
from .search import MAX_DIFFERENCE, Search, find_difference
from .site_rules import SiteRules

if TYPE_CHECKING:
    from ..page import Page


def find_text_selectors(
    places: Sequence[tuple[PageIndex, int | None]],
) -> tuple[str, ...]:
    """The best selector whose first element holds the text block of each page.

    *places* are pages and the numbers of blocks, ``None`` for a page without one.
    """
    found = [_selectors(index, block) for index, block in places if block is not None]
    if common := set[Selector]().union(*found).intersection(*found):
        return (min(common).css,)
    best = (min(selectors) for selectors in found if selectors)
    return tuple(dict.fromkeys(each.css for each in best))


def _selectors(index: PageIndex, block: int) -> set[Selector]:
    """The selectors whose first element holds the block and no other text."""
    elements, blocks = index.document.elements, index.document.blocks
    holds = elements.end_block - elements.first_block == 1
    holds &= elements.first_run <= blocks.first_run[block]
    holds &= elements.end_run >= blocks.end_run[block]
    numbers = np.flatnonzero(holds).tolist()
    selectors = {each for number in numbers for each in index.selectors(number)}
    return {each for each in selectors if holds[index.find(each)[0]]}


@dataclass(frozen=True)
class CorrectedPage:
    """A page as its user sees it: ``main`` says which text blocks are main content.

    Blocks are counted in the order of the document; ``fields`` has the numbers of those
    with the title, the author, the price, ..., by the names that rules have for them.
    """

    url: str
    html: bytes
    main: Sequence[bool]
    fields: Mapping[str, int] = field(default_factory=dict)


def learn_rules(
    pages: Sequence[CorrectedPage], others: Sequence[tuple[str, bytes]] = ()
) -> SiteRules:
    """Learn the rules of a site from corrected pages.

    *others* are URL and HTML of more pages of the site. Selectors that find nothing on
    them, or contradict the default algorithm there, are avoided. Where all corrected
    pages are in one folder, such as ``/blog/``, and others outside of it are of another
    kind, the rules are for that folder alone. Where the algorithm is right on all
    corrected pages, and these have fields, the rules are those of the fields.

    Raises ``ValueError`` without a page with main content, where no selector fits, and
    for a page whose ``main`` has another number of blocks.
    """
    extractor = Extractor()
    labelled = [IndexedPage(page.html, extractor, page.main) for page in pages]
    if not any(page.main.any() for page in labelled):
        raise ValueError("no page with main content to learn from")
    more = [(url, IndexedPage(html, extractor)) for url, html in others]
    folder = _common_folder([page.url for page in pages])
    inside = [page for url, page in more if _folder(url) == folder]
    outside = [page for url, page in more if _folder(url) != folder]
    names = dict.fromkeys(name for page in pages for name in page.fields)
    is_right = bool(names) and all((p.main == p.guess).all() for p in labelled)
    found = ([], []) if is_right else Search(labelled, inside + outside).run()
    paths: tuple[str, ...] = ()
    if folder and find_difference(outside, *found) > MAX_DIFFERENCE:
        found, paths = Search(labelled, inside).run(), (f"/{folder}/*",)
    content, drop = found
    indexes = [page.index for page in labelled]
    known = {}
    for name in names:
        blocks = (page.fields.get(name) for page in pages)
        if css := find_text_selectors([*zip(indexes, blocks, strict=True)]):
            known[name] = css
    return SiteRules(
        paths=paths,
        content=tuple(each.css for each in content),
        drop=tuple(each.css for each in drop),
        title=known.pop("title", ()),
        author=known.pop("author", ()),
        date=known.pop("date", ()),
        fields=known,
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


@dataclass(frozen=True)
class PagePreview:
    """A page without and with rules: the words of its main content.

    ``text`` is the main content with rules. ``is_matched`` says whether the rules
    decide something of the page, ``rules`` which of them match. ``fields`` has what the
    page says then for the fields that the rules give.
    """

    url: str
    words_before: int
    words_after: int
    text: str
    is_matched: bool
    rules: tuple[str, ...]
    fields: Mapping[str, str] = field(default_factory=dict)


def preview(
    rules: SiteRules,
    pages: Sequence[tuple[str, str | bytes]],
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
        shown = new.text, is_matched, new.rules, _ruled_fields(new, rules)
        rows.append(PagePreview(url, old.words, new.words, *shown))
    return rows


def _ruled_fields(page: Page, rules: SiteRules) -> dict[str, str]:
    """The values on *page* of the fields that *rules* have."""
    values = {**page.metadata.as_dict()}
    if (product := page.product) is not None:
        values |= {
            PRODUCT + item.name: getattr(product, item.name) for item in fields(product)
        }
    names = {key: FIELDS[key] for key, _ in rules.selectors if key in FIELDS}
    return {key: value for key, name in names.items() if (value := values.get(name))}
