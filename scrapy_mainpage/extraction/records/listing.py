"""Records of a listing as one choice: where a page lists others, they are its content.

The choice of blocks one by one tears records: a summary without its name, one price of
three. Of the lists whose records are entries (:mod:`.entry_lists`) all own lines are
main content. Those that most records have, "Compare" or "Add to basket", are labels.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.schema import Context
from ..title_rule import letters
from .entry_lists import choose_lists, read_records

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Mask
    from .entry_lists import Lists, Record

MIN_PROBABILITY: Final = 0.6
"""Of the page's type: of 40 pages read with and without, 24 are better with their
records, 13 worse."""

MAX_SHARE: Final = 3
"""One of so many records has a line that is no label."""

_FORM: Final = int(Context.FORM)
_HIDDEN: Final = int(Context.HIDDEN)


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
    most = max(len(records) // MAX_SHARE, 1)
    return [k for k, text in found if counts[text] <= most]
