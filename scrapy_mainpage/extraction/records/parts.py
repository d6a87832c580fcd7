"""Parts of a page that are chosen as one: a thread, comments, a listing, toolbars.

The choice of blocks one by one tears records: a summary without its name, one price of
three. Where a page lists others, all own lines of its entries (:mod:`.entry_lists`) are
main content. Those that most of them have, "Compare" or "Add to basket", are labels.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.schema import HEADING_SHIFT, Context
from ..document.tags import CODES
from ..title_rule import letters
from .choice import complete_thread, without_comments
from .entry_lists import choose_lists, find_lists, read_records
from .list_features import LISTINGS, Listing
from .targets import Targets

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Mask
    from .choice import PageKind, Parts
    from .entry_lists import Lists, Record

MAX_BUTTON_WORDS: Final = 3
"""On 45 of 2,400 pages such buttons were chosen; the truth has them on five."""

_FORM: Final = int(Context.FORM)
_HIDDEN: Final = int(Context.HIDDEN)


def complete_parts(
    document: Document, url: str | None, main: Mask, page: PageKind
) -> Parts:
    """The *main* blocks: whole threads and listings, no comments, no toolbars."""
    parts = complete_thread(document, main, page)
    main, lists = without_comments(document, parts.main, page), None
    if types := page.types_if(*LISTINGS):
        listing = Listing(document, main, types)
        lists = find_lists(listing, Targets(document, url))
        if lists is not None:
            main = complete_listing(document, main, lists)
    return parts._replace(main=main & ~_toolbars(document), lists=lists)


def _toolbars(document: Document) -> Mask:
    """The short buttons beside another one, that are no headings: "1x", "2x", "3x"."""
    blocks = document.blocks
    is_short = (blocks.words <= MAX_BUTTON_WORDS) & (blocks.flags >> HEADING_SHIFT == 0)
    found: Mask = is_short & (document.elements.tag[blocks.element] == CODES["button"])
    beside = np.zeros_like(found)
    beside[1:] |= found[:-1]
    beside[:-1] |= found[1:]
    found &= beside
    return found


def complete_listing(document: Document, main: Mask, lists: Lists) -> Mask:
    """The *main* blocks with the own lines of the records in the best *lists*.

    Of lists beside the best one those of whose records something is chosen.
    """
    chosen: Mask = main.copy()
    for place, number in enumerate(choose_lists(lists)):
        records = read_records(document, lists, number)
        is_wanted = not place or any(
            main[each.first : each.end].any() for each in records
        )
        if is_wanted:
            chosen[_own_lines(document, main, records)] = True
    return chosen


def _own_lines(document: Document, main: Mask, records: list[Record]) -> list[int]:
    """The blocks of *records* that say something of their own, in no control."""
    flags = document.blocks.flags
    places = [k for record in records for k in range(record.first, record.end)]
    # The form around most of a list is the page's, others are controls.
    in_form = np.count_nonzero(flags[places] & _FORM)
    controls = _HIDDEN | _FORM * (2 * in_form < len(places))
    found, counts = list[tuple[int, str]](), Counter[str]()
    for record in records:
        span = range(record.first, record.end)
        shown = [k for k in span if not flags[k] & controls]
        texts = [(k, letters(document.block_text(k))) for k in shown]
        counts.update({text for _, text in texts})
        said = " ".join(text for k, text in texts if main[k])
        found += [(k, text) for k, text in texts if text not in said]
    most = max(len(records) // 2, 1)
    return [k for k, text in found if counts[text] <= most]
