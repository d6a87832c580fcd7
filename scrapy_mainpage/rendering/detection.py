"""Does a static page need a browser? Judged from what is there, and what is not.

The static page is enough where it has no script, or main content and no place that
waits for some. It needs a browser where there is next to no main content and a place
for it, or a notice that says so. What lies between may need one: what rendering brings
to such pages of a site is learned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from ..extraction.document.schema import Context
from .naming import Sort, as_place, tells_of_text
from .sight import LITTLE, MODEST, PLENTY, TELLING, Sight, of_sort

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..page import Page
    from .gaps import Gap

BARE: Final = 15.0
"""Words: a page that shows fewer shows nothing."""

NOTHING: Final = 3.0
"""Words: fewer are no page, whatever there is a place for; a form has more."""

MOST_PLACES: Final = 3


class Need(str, Enum):
    """Whether a page is to be rendered."""

    YES = "yes"
    MAYBE = "maybe"
    NO = "no"


@dataclass(frozen=True)
class Judgement:
    """What was found out about a static page.

    ``reason`` is a stable code; ``places`` are the containers that wait to be filled
    (tag, id and class names, digits as 0), sorted: pages with the same reason and
    places on one site are alike.
    """

    need: Need
    reason: str
    places: tuple[str, ...] = ()


def judge(root: _Element, page: Page) -> Judgement:
    """Whether a browser would bring main content that the static *page* lacks.

    *root* is the tree that the page was extracted from; it is only read.
    """
    if page._content is None:
        return Judgement(Need.NO, "no_page")
    sight = Sight(root, page, page._content)
    for rule in _RULES:
        if judgement := rule(sight):
            return judgement
    return Judgement(Need.NO, "no_sign")


def _judgement(need: Need, reason: str, gaps: list[Gap]) -> Judgement:
    strong = sorted(gaps, key=lambda gap: -gap.sort.value)[:MOST_PLACES]
    return Judgement(need, reason, tuple(sorted({gap.place for gap in strong})))


def _redirect(sight: Sight) -> Judgement | None:
    """A page that shows next to nothing and leads on."""
    if sight.shown >= BARE * 2:
        return None
    if sight.shown < BARE and _refreshes(sight.document):
        return Judgement(Need.YES, "meta_refresh")
    if sight.has_tag("script"):
        if sight.scripts.challenges:
            return Judgement(Need.YES, "challenge")
        if sight.scripts.redirects:
            return Judgement(Need.YES, "script_redirect")
    return None


def _no_script(sight: Sight) -> Judgement | None:
    if not sight.has_tag("script"):
        return Judgement(Need.NO, "no_script")
    if sight.main >= PLENTY and not (sight.gaps or sight.added):
        return Judgement(Need.NO, "enough_text")
    if not sight.scripts:
        return Judgement(Need.NO, "no_script")
    return None


def _hydration(sight: Sight) -> Judgement | None:
    if sight.added >= LITTLE / 2 and sight.main >= LITTLE:
        return Judgement(Need.NO, "hydration_data")
    return None


def _noscript_content(sight: Sight) -> Judgement | None:
    """The main content stands in ``noscript``, for those who have no browser."""
    if sight.main < LITTLE:
        return None
    flags = sight.document.blocks.flags
    words = sight.main_words[(flags & int(Context.NOSCRIPT)) != 0].sum()
    if words >= sight.main / 2:
        return Judgement(Need.NO, "noscript_content")
    return None


def _shell(sight: Sight) -> Judgement | None:
    """Next to no main content, and something that says why."""
    if sight.main >= LITTLE:
        return None
    # A page that shows much is often short of main content, and complete.
    need = Need.YES if sight.flow < MODEST else Need.MAYBE
    for reason, found in (
        ("empty_root", of_sort(sight.named, Sort.ROOT)),
        ("empty_main", of_sort(sight.gaps, Sort.MAIN)),
        ("scripted_container", sight.scripted),
        ("deferred_fragment", sight.deferred),
    ):
        if found:
            return _judgement(need, reason, found)
    if _NOTICE.search(sight.noscript_text()):
        return _judgement(need, "noscript_notice", sight.gaps)
    if sight.flow < LITTLE:
        return _bare(sight)
    found = sight.named or [
        gap for gap in of_sort(sight.gaps, *TELLING) if not gap.is_minor
    ]
    if found and sight.scripts.application:
        return _judgement(Need.MAYBE, "empty_container", found)
    return None


def _bare(sight: Sight) -> Judgement | None:
    """A page that has little text but in its header, menus and footer."""
    gaps, application = sight.gaps, sight.scripts.application
    if any(gap.waits for gap in gaps) or (
        sight.flow < BARE and sight.outline.waiting.any()
    ):
        return _judgement(Need.YES, "placeholder_text", gaps)
    if application and (found := of_sort(gaps, *TELLING)):
        return _judgement(Need.YES, "empty_container", found)
    if sight.flow < (BARE if gaps else NOTHING) and (gaps or application):
        return _judgement(Need.YES, "no_text", gaps)
    if _NOTICE.search(sight.text()):
        return _judgement(Need.YES, "script_notice", gaps)
    if gaps and application:
        return _judgement(Need.MAYBE, "empty_container", gaps)
    if sight.flow < BARE and sight.scripts.is_heavy:
        return Judgement(Need.MAYBE, "script_weight")
    return None


def _half(sight: Sight) -> Judgement | None:
    """Main content is there; the rest of it may not be."""
    if sight.main < LITTLE or not (sight.gaps or sight.scripted):
        return None
    for reason, found in (
        ("empty_main", of_sort(sight.named, Sort.MAIN)),
        ("scripted_container", sight.scripted),
        ("placeholder_text", [gap for gap in sight.gaps if gap.waits]),
        ("deferred_fragment", _surely(sight, sight.deferred)),
    ):
        if found:
            return _judgement(Need.MAYBE, reason, found)
    if sight.scripts.application:
        if found := [gap for gap in sight.named if tells_of_text(gap.id)]:
            return _judgement(Need.MAYBE, "empty_container", found)
        if sight.main < PLENTY and sight.named:
            return _judgement(Need.MAYBE, "empty_container", sight.named)
    return None


def _surely(sight: Sight, gaps: list[Gap]) -> list[Gap]:
    """Of a page with plenty of text only what has a name of its own."""
    return [gap for gap in gaps if sight.main < PLENTY or gap.id]


def _extended(sight: Sight) -> Judgement | None:
    """Main content that a script of the page names as what it adds to."""
    if sight.main >= PLENTY or not sight.around:
        return None
    need = Need.YES if sight.flow < BARE else Need.MAYBE
    places = {as_place(name) for name in sight.around}
    return Judgement(need, "scripted_main", tuple(sorted(places)[:MOST_PLACES]))


def _enough(sight: Sight) -> Judgement | None:
    return Judgement(Need.NO, "enough_text") if sight.main >= LITTLE else None


_RULES: Final = (
    _redirect,
    _no_script,
    _hydration,
    _noscript_content,
    _shell,
    _half,
    _extended,
    _enough,
)
_NOTICE: Final = re.compile(
    r"java\s*-?script|джаваскрипт|جاف[ا]?\s?سكر[ي]?بت|ジャバスクリプト|자바\s?스크립트"
    r"|\bJS\b",
    re.IGNORECASE,
)


def _refreshes(document: Document) -> bool:
    """Whether a ``meta`` element leads to another page."""
    return any(
        (document.attribute(k, "http-equiv") or "").lower() == "refresh"
        and "url" in (document.attribute(k, "content") or "").lower()
        for k in document.elements_with_tag("meta")[:60].tolist()
    )


__all__ = ["Judgement", "Need", "judge"]
