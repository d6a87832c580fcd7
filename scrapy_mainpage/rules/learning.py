"""Rules from corrected pages: few selectors, where pages gain clearly by them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ..extraction.extractor import Extractor
from .page_index import PageIndex
from .site_rules import SELECTOR_KEYS, SiteRules

MAX_CONTENT: Final = 2
MAX_DROP: Final = 3
"""Selectors of a site: more of them fit what is particular to the corrected pages."""

MIN_GAIN: Final = 0.005
"""Word F1 that each selector gains on the corrected pages."""

MAX_LEFT: Final = 0.34
"""Share of the algorithm's errors on the corrected pages that rules may leave."""

EXACT: Final = 0.02
"""Word F1 that it is worth if a page comes out exactly as corrected."""

MIN_SHARE: Final = 0.2
"""Share of the main content of a page that a selector of content brings."""

MAX_DROPPED: Final = 0.02
"""Share of main content in what a selector drops."""

MIN_TRUST: Final = 0.5
MAX_DOUBT: Final = 0.1
"""On other pages, where the algorithm is that confident, rules may differ from it so
much more than the corrections do."""

MAX_STARTS: Final = 6
"""First selectors of content that are tried."""

COST: Final = 0.001
"""Word F1 that decides between selectors which fit about as well."""


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
    pages: Sequence[CorrectedPage],
    others: Sequence[tuple[str, bytes]] = (),
    extractor: Extractor | None = None,
) -> SiteRules:
    """Learn the rules of a site from corrected pages.

    *others* are URL and HTML of more pages of the site: selectors that they have too
    are preferred, and rules that contradict the algorithm there are none: that of
    *extractor*, or else the default. Where the main content needs no rules, or gets
    none, the rules are those of fields.

    Raises ``ValueError`` where there are none of these either; its message says why. So
    it does for a page whose ``main`` has another number of blocks.
    """
    extractor = Extractor(extractor.algorithm) if extractor else Extractor()
    known = [PageIndex(page.html, extractor, page.main) for page in pages]
    learner = Learner(known, [PageIndex(html, extractor) for _, html in others])
    content, drop = learner.run()
    found = dict(_find_named(pages, known))
    if not (content or drop or found):
        raise ValueError(learner.explain())
    keys = [key for key in SELECTOR_KEYS if key in found]
    own: dict[str, Any] = {key: found.pop(key) for key in keys}
    return SiteRules(content=content, drop=drop, fields=found, **own)


def _find_named(
    pages: Sequence[CorrectedPage], indexes: Sequence[PageIndex]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The selectors of each field that a selector finds."""
    for key in dict.fromkeys(key for page in pages for key in page.fields):
        blocks = (page.fields.get(key) for page in pages)
        if found := find_selectors([*zip(indexes, blocks, strict=True)]):
            yield key, found


def find_selectors(
    places: Sequence[tuple[PageIndex, int | None]],
) -> tuple[str, ...]:
    """The best selectors of the elements with a text block alone.

    *places* are pages and the blocks, ``None`` for a page without. It is the first
    element that counts, and that has no other block; better if it is the only one.
    """
    right: dict[str, set[int]] = defaultdict(set)
    counts: dict[str, int] = {}
    for place, (page, block) in enumerate(places):
        holders = page.find_holders(block) if block is not None else set()
        for css in {css for n in holders for css in page.selectors(n, deep=True)}:
            found = page.find(css)
            if found[0] in holders:
                right[css].add(place)
                counts[css] = max(counts.get(css, 0), len(found))

    def rank(css: str) -> tuple[int, bool, float, str]:
        return len(right[css]), counts[css] == 1, -_length(css), css

    chosen: list[str] = []
    while right:
        chosen.append(max(right, key=rank))
        done = right[chosen[-1]]
        right = {css: own - done for css, own in right.items() if own - done}
    return tuple(chosen)


def _length(css: str) -> float:
    """How long a selector is: by its parts, then by its letters."""
    return len(css.split()) + len(css) / 50


class Choice(NamedTuple):
    """Selectors of content and of what to drop.

    Without content, what to drop is left out of what the algorithm selects.
    """

    content: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


class Learner:
    """Greedy search: from each of the best first selectors, add the next best."""

    def __init__(self, pages: Sequence[PageIndex], others: Sequence[PageIndex]) -> None:
        self.pages = pages
        self.others = [page for page in others if page.trust >= MIN_TRUST]
        every = [*pages, *others]
        names = dict.fromkeys(
            css for page in pages for n in page.with_text() for css in page.selectors(n)
        )
        self._costs = {css: self._cost(css, every) for css in names}
        self._values: dict[Choice, float] = {}
        ordered = sorted(names, key=lambda css: (self._costs[css], css))
        self._content = [*filter(self._is_content, ordered)]
        self._drop = [*filter(self._is_drop, ordered)]

    def _cost(self, css: str, pages: Sequence[PageIndex]) -> float:
        """More for a long selector, and for one that pages lack."""
        missing = sum(not page.find(css) for page in pages) / len(pages)
        return COST * (_length(css) + missing)

    def _is_content(self, css: str) -> bool:
        """Whether it brings the title, or much main content, wherever it is found."""
        found = [page for page in self.pages if page.main.any() and page.find(css)]
        pairs = [(page, page.cover([css])) for page in found]
        is_large = all(page.share(mask) >= MIN_SHARE for page, mask in pairs)
        is_title = all(page.is_title(mask) for page, mask in pairs)
        return bool(pairs) and (is_large or is_title)

    def _is_drop(self, css: str) -> bool:
        """Whether it has hardly any main content of the corrected pages."""
        pairs = [(page, page.cover([css])) for page in self.pages]
        return sum(page.share(mask) for page, mask in pairs) <= MAX_DROPPED

    def run(self) -> Choice:
        """The best selectors; none where they gain little, or are in doubt."""
        alone = [Choice((css,)) for css in self._content]
        starts = [Choice(), *sorted(alone, key=self._value)[-MAX_STARTS:]]
        found = sorted(map(self._grow, starts), key=self._value, reverse=True)
        return next(filter(self._is_good, found), Choice())

    def _grow(self, chosen: Choice) -> Choice:
        """Add selectors as long as each gains enough."""
        while steps := [*self._steps(*chosen)]:
            best = max(steps, key=self._value)
            if self._value(best) < self._value(chosen) + MIN_GAIN:
                break
            chosen = best
        return chosen

    def _steps(
        self, content: tuple[str, ...], drop: tuple[str, ...]
    ) -> Iterator[Choice]:
        if 0 < len(content) < MAX_CONTENT:
            yield from (Choice((*content, css), drop) for css in self._content)
        if len(drop) < MAX_DROP:
            yield from (Choice(content, (*drop, css)) for css in self._drop)

    def _value(self, chosen: Choice) -> float:
        """The mean F1 of the corrected pages, more for exact ones, less the costs."""
        if chosen not in self._values:
            masks = [page.choose(*chosen) for page in self.pages]
            pairs = [*zip(self.pages, masks, strict=True)]
            exact = sum(bool((mask == page.main).all()) for page, mask in pairs)
            scores = sum(page.score(mask) for page, mask in pairs) + EXACT * exact
            costs = sum(self._costs[css] for each in chosen for css in each)
            self._values[chosen] = scores / len(pairs) - costs
        return self._values[chosen]

    def _is_good(self, chosen: Choice) -> bool:
        """Whether rules mend most that is wrong, and fit the other pages."""
        before, after = self._error(Choice()), self._error(chosen)
        if before - after < MIN_GAIN or after > MAX_LEFT * before:
            return False
        known = [p for p in self.others if p.choose(chosen.content, ()).any()]
        doubt = sum(1 - page.score(page.choose(*chosen)) for page in known)
        return doubt <= (before + MAX_DOUBT) * len(known)

    def _error(self, chosen: Choice) -> float:
        """1 less the mean F1 of the corrected pages."""
        scores = [page.score(page.choose(*chosen)) for page in self.pages]
        return 1 - sum(scores) / len(scores)

    def explain(self) -> str:
        """Why there are no rules."""
        if not any(page.main.any() for page in self.pages):
            return "no page with main content to learn from"
        if (error := self._error(Choice())) < MIN_GAIN:
            return f"corrections of {error:.1%} of the text are too few for rules"
        kept = [{css for css in self._content if page.find(css)} for page in self.pages]
        if not set.intersection(*kept):
            return "the corrected pages are of different templates: correct more of one"
        return "no few selectors fit: correct another page of the same template"
