"""Rules from corrected pages: the fewest and most robust selectors that fit them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from math import floor
from typing import TYPE_CHECKING, Final

import numpy as np

from ..addresses import parts_of
from ..extraction.extractor import Extractor
from ..extraction.page_rules import FIELDS, PRODUCT, RECORDS, RULE_MISSED, decide
from .candidates import IndexedPage, PageIndex, Selector, item_names
from .rule_book import OneSite
from .search import MAX_DIFFERENCE, MIN_TRUST, Search, find_difference
from .site_rules import OTHERS, SiteRules

if TYPE_CHECKING:
    from ..extraction.document.schema import Mask
    from ..page import Page

MOST: Final = 0.5
"""Share of the main content that an element holds which tells the kind of a page."""


def find_selectors(
    places: Sequence[tuple[PageIndex, tuple[int, int] | None]], *, is_record: bool
) -> tuple[str, ...]:
    """The best selector of the elements with the text blocks from first to before end.

    *places* are pages and the blocks, ``None`` for a page without. A record is one of
    several, so are what its selector finds. Of other texts it is the first element that
    counts, and that has no other block.
    """
    named = item_names([index for index, _ in places])
    found = []
    for index, span in places:
        if span is not None:
            holds = _find_holders(index, *span)
            numbers = np.flatnonzero(holds).tolist()
            own = {each for number in numbers for each in index.selectors(number)}
            found.append({each for each in own if named.isdisjoint(each.names)})
            if not is_record:
                found[-1] = {e for e in found[-1] if holds[index.find(e)[0]]}

    def rank(each: Selector) -> tuple[bool, Selector]:
        counts = [len(index.find(each)) for index, span in places if span is not None]
        return is_record and max(counts) < 2, each

    if common := set[Selector]().union(*found).intersection(*found):
        return (min(common, key=rank).css,)
    best = (min(selectors, key=rank) for selectors in found if selectors)
    return tuple(dict.fromkeys(each.css for each in best))


def _find_holders(index: PageIndex, first: int, end: int) -> Mask:
    """The smallest elements around all text of the blocks from *first* to *end*.

    None for a single block that none has alone.
    """
    elements, blocks = index.document.elements, index.document.blocks
    around = elements.first_run <= blocks.first_run[first]
    around &= elements.end_run >= blocks.end_run[end - 1]
    sizes = elements.end_block - elements.first_block
    size = 1 if end - first == 1 else sizes[around].min()
    holds: Mask = around & (sizes == size)
    return holds


@dataclass(frozen=True)
class CorrectedPage:
    """A page as its user sees it: ``main`` says which text blocks are main content.

    Blocks are counted in the order of the document; ``fields`` has the numbers of those
    with the title, the author, the price, ..., by the names that rules have for them.
    ``records`` has the first block of one of the ``posts`` or ``entries`` of the page,
    and the one behind its last.
    """

    url: str
    html: bytes
    main: Sequence[bool]
    fields: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def learn_rules(
    pages: Sequence[CorrectedPage],
    others: Sequence[tuple[str, bytes]] = (),
    extractor: Extractor | None = None,
) -> SiteRules:
    """Learn the rules of a site from corrected pages.

    *others* are URL and HTML of more pages of the site. Selectors that find nothing on
    them, or contradict the algorithm there, are avoided: that of *extractor*, or else
    the default. Where all corrected pages are in one folder, such as ``/blog/``, and
    others outside of it are of another kind, the rules are for that folder alone; they
    are not for others that are known by an element of their own. Where the algorithm is
    right on all corrected pages, and these have fields or records, the rules are those
    of them.

    Raises ``ValueError`` without a page with main content, where no selectors fit or
    the algorithm alone fits better, and for a page whose ``main`` has another number of
    blocks.
    """
    extractor = Extractor(extractor.algorithm) if extractor else Extractor()
    labelled = [IndexedPage(page.html, extractor, page.main) for page in pages]
    if not any(page.main.any() for page in labelled):
        raise ValueError("no page with main content to learn from")
    more = [(url, IndexedPage(html, extractor)) for url, html in others]
    folders = {_folder(page.url) for page in pages}
    folder = folders.pop() if len(folders) == 1 else ""
    inside = [page for url, page in more if _folder(url) == folder]
    outside = [page for url, page in more if _folder(url) != folder]
    names = dict.fromkeys(name for page in pages for name in page.fields)
    kinds = dict.fromkeys(name for page in pages for name in page.records)
    is_right = all((p.main == p.guess).all() for p in labelled)
    is_right &= bool(names or kinds)
    found = ([], []) if is_right else Search(labelled, inside + outside).run()
    paths: tuple[str, ...] = ()
    if folder and find_difference(outside, *found) > MAX_DIFFERENCE:
        found, paths = Search(labelled, inside).run(), (f"/{folder}/*",)
    content, drop = found
    seen = inside if paths else inside + outside
    indexes = [page.index for page in labelled]
    known = {}
    for name in names:
        blocks = [page.fields.get(name) for page in pages]
        spans = [None if block is None else (block, block + 1) for block in blocks]
        places = [*zip(indexes, spans, strict=True)]
        if css := find_selectors(places, is_record=False):
            known[name] = css
    for name in kinds:
        spans = [page.records.get(name) for page in pages]
        places = [*zip(indexes, spans, strict=True)]
        known[name] = find_selectors(places, is_record=True)
    if not any((*found, *known.values())):
        raise ValueError("no selector fits the corrected pages")
    return SiteRules(
        paths=paths,
        content=tuple(each.css for each in content),
        drop=tuple(each.css for each in drop),
        title=known.pop("title", ()),
        author=known.pop("author", ()),
        date=known.pop("date", ()),
        posts=known.pop("posts", ()),
        entries=known.pop("entries", ()),
        fields=known,
        expects=_expect(labelled, seen, *found),
        unless=_find_other_kinds([*labelled, *seen], content),
    )


def _expect(
    pages: Sequence[IndexedPage],
    others: Sequence[IndexedPage],
    content: Sequence[Selector],
    drop: Sequence[Selector],
) -> dict[str, float]:
    """What each selector brings at least, and the words beyond theirs at most.

    Pages where no content is found do not count. Of shares the lowest fifth does not;
    the words are those of the corrected *pages*: of *others* they may be a loss.
    """
    shares: dict[str, list[float]] = {each.css: [] for each in content}
    pages = [page for page in pages if page.cover(content).any()]
    for page in (*pages, *others):
        main = page.cover(content) & ~page.cover(drop)
        if size := page.weigh(main):
            for each in content:
                share = page.weigh(page.index.cover(each) & main) / size
                shares[each.css].append(floor(share * 1000) / 1000)
    if not content or not all(shares.values()):
        return {}
    expects = {name: sorted(each)[len(each) // 5] for name, each in shares.items()}
    known = (*content, *drop)
    beyond = [page.weigh(page.guess & ~page.cover(known)) for page in pages]
    return {**expects, OTHERS: max(beyond, default=0)}


def _find_other_kinds(
    pages: Sequence[IndexedPage], content: Sequence[Selector]
) -> tuple[str, ...]:
    """What holds most main content of pages where *content* finds nothing.

    Each selector finds it on two such pages or more, and on none with *content*.
    """
    known = [page for page in pages if page.cover(content).any()]
    others = [page for page in pages if page not in known and page.trust >= MIN_TRUST]
    named = item_names([page.index for page in pages])
    held = [
        {
            each
            for each in set(page.selectors(main=True))
            if each.name[0] in "#.[" and not each.outer and not each.tag
            if each.name not in named and page.share(each.name) > MOST
            if not any(page.index.find(each) for page in known)
        }
        for page in others
    ]
    found: list[str] = []
    while content and (counts := Counter(each for own in held for each in own)):
        best = max(counts, key=lambda each: (counts[each], -each.cost, each))
        if counts[best] < 2:
            break
        found.append(best.css)
        held = [own for own in held if best not in own]
    return tuple(found)


def _folder(url: str) -> str:
    """The first folder of the path of *url*; empty for a page that is in none."""
    folder, _, rest = parts_of(url).path.lstrip("/").partition("/")
    return folder if rest else ""


@dataclass(frozen=True)
class PagePreview:
    """A page without and with rules: the words of its main content.

    ``text`` is the main content with rules; ``lost`` and ``gained`` are the texts of
    the blocks by which it differs from what is expected: the correction, or what is
    extracted without rules. ``is_matched`` says whether the rules decide something of
    the page, ``rules`` which of them match. ``fields`` has what the page says then for
    the fields that the rules give, and the number of posts and entries.
    """

    url: str
    words_before: int
    words_after: int
    text: str
    is_matched: bool
    rules: tuple[str, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()

    @property
    def harm(self) -> tuple[int, int]:
        """The characters that are lost, and those that are gained."""
        return sum(map(len, self.lost)), sum(map(len, self.gained))


def preview(
    rules: SiteRules,
    pages: Sequence[tuple[str, str | bytes]],
    extractor: Extractor | None = None,
    expected: Sequence[Sequence[bool] | None] = (),
) -> list[PagePreview]:
    """What *rules* do to *pages*, each a URL and HTML.

    *extractor* is the one without rules, by default that of the default algorithm.
    *expected* has the main content of pages that are corrected. Raises
    :exc:`.RulesError` for a selector with an error.
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
    for (url, html), main in zip_longest(pages, expected):
        old, new = before.extract(html, url=url), after.extract(html, url=url)
        is_matched = decide(new.rules) and RULE_MISSED not in new.warnings
        shown = new.text, is_matched, new.rules, _ruled_fields(new, rules)
        differ = _difference(old, new, main)
        rows.append(PagePreview(url, old.words, new.words, *shown, *differ))
    return rows


def _difference(
    old: Page, new: Page, main: Sequence[bool] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of blocks that only *main*, or the *old* page, has; only the *new*."""
    wanted = [b.is_main for b in old.blocks] if main is None else main
    pairs = [*zip(new.blocks, wanted, strict=False)]
    lost = tuple(b.text for b, is_wanted in pairs if is_wanted and not b.is_main)
    return lost, tuple(b.text for b, is_wanted in pairs if b.is_main and not is_wanted)


def _ruled_fields(page: Page, rules: SiteRules) -> dict[str, str]:
    """The values on *page* of the fields that *rules* have."""
    values = {**page.metadata.as_dict()}
    if (product := page.product) is not None:
        values |= {
            PRODUCT + item.name: getattr(product, item.name) for item in fields(product)
        }
    names = {key: FIELDS[key] for key, _ in rules.selectors if key in FIELDS}
    found = {key: value for key, name in names.items() if (value := values.get(name))}
    for key in RECORDS:
        if getattr(rules, key):
            found[key] = str(len(getattr(page, key)))
    return found
