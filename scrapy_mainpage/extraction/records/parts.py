"""Parts of a page that are chosen as one: a thread, comments, a listing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.schema import HEADING_SHIFT
from ..document.tags import CODES
from .choice import complete_thread, without_comments
from .entry_lists import find_lists
from .list_features import LISTINGS, Listing
from .listing import MIN_PROBABILITY, complete_listing
from .targets import Targets

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..algorithms.algorithm import Algorithm
    from ..document.document import Document
    from ..document.schema import Mask
    from .entry_lists import Lists
    from .threads import Thread

MAX_BUTTON_WORDS: Final = 3
"""On 45 of 2,400 pages such buttons were chosen; the truth has them on five."""

MIN_ROOM: Final = 0.1
"""Of types by the markup alone: all of 80 forums and 89 listings have more."""


@dataclass(frozen=True, eq=False)
class PageKind:
    """What kind of page a document is, as far as it is asked for."""

    algorithm: Algorithm
    document: Document
    page_types: Callable[[], dict[str, float]]

    @cached_property
    def _guessed(self) -> dict[str, float]:
        return self.algorithm.guess_types(self.document)

    def types_if(self, *kinds: str, least: float = 0.0) -> dict[str, float]:
        """The types of a page whose likeliest is one of *kinds*, by *least*; or none.

        Those that the markup leaves no room for are not looked at.
        """
        if (
            self._guessed
            and sum(self._guessed.get(kind, 0) for kind in kinds) < MIN_ROOM
        ):
            return {}
        types = self.page_types()
        likeliest = next(iter(types), "")
        return types if likeliest in kinds and types[likeliest] >= least else {}


class Parts(NamedTuple):
    """The main blocks; those with which posts begin; a thread; lists of a listing."""

    main: Mask
    posts: tuple[int, ...] = ()
    thread: Thread | None = None
    lists: Lists | None = None

    @property
    def small(self) -> Parts:
        """What is needed when the page has been read."""
        return self._replace(thread=None, lists=None)


def complete_parts(
    document: Document, url: str | None, main: Mask, page: PageKind
) -> Parts:
    """The *main* blocks: whole threads and listings, no comments, no toolbars."""
    main, posts, thread = complete_thread(document, main, page)
    main, lists = without_comments(document, main, page), None
    if types := page.types_if(*LISTINGS, least=MIN_PROBABILITY):
        listing = Listing(document, main, types)
        lists = find_lists(listing, Targets(document, url))
        if lists is not None:
            main = complete_listing(document, main, lists)
    return Parts(main & ~_toolbars(document), posts, thread, lists)


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
