"""Posts as one choice: of a thread that is main content every post is, and no panel.

The choice of blocks one by one tears threads: a short post scores below the cut, a line
of an author's panel above it. Where most of what the posts of a page say is chosen, all
of it is; the short lines beside it, names, ranks, dates and buttons, are not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.schema import HEADING_SHIFT
from ..document.tags import BLOCK_TAGS
from ..labels import Region
from ..labels.names import read_names
from ..learned.page_types import FORUM, likely_type
from .bodies import (
    MAX_VOTE,
    blocks_of,
    cover,
    find_bodies,
    find_said,
    quote_elements,
    signature_blocks,
    unsaid_blocks,
)
from .spots import find_spots
from .threadgate import POSTS, is_named
from .threads import MIN_POSTS, Known, Thread, find_thread
from .view import Span, View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..algorithms.algorithm import Algorithm
    from ..document.document import Document
    from ..document.schema import Mask
    from .bodies import Said
    from .entry_lists import Lists

_POSTS: Final = tuple(name.encode() for name in POSTS)
MIN_ROOM: Final = 0.05
"""Of a type by the markup alone. Forums of unknown software may have less: there names
say what posts are."""

MAX_LEVELS: Final = 12
MAX_PROBES: Final = 2
MIN_CHOSEN: Final = 0.4
"""Share of the words of the posts that is chosen already."""

MIN_COPIED: Final = 0.6
"""Share of the word triples of a quote that the page says before."""

MAX_QUOTED: Final = 60
"""Triples up to which a quote stays: it says what a post answers."""

MIN_ABOVE: Final = 50
"""Main words above the comments: an article stands there.

No page of 546 changes without it; a title above posts is no article."""


@dataclass(frozen=True, eq=False)
class PageKind:
    """What kind of page a document is, as far as it is asked for."""

    algorithm: Algorithm
    document: Document
    page_types: Callable[[], dict[str, float]]

    @cached_property
    def _guessed(self) -> dict[str, float]:
        return self.algorithm.guess_types(self.document)

    def may_be(self, *kinds: str) -> bool:
        """Whether the markup leaves room for one of *kinds*."""
        room = sum(self._guessed.get(kind, 0) for kind in kinds)
        return not self._guessed or room >= MIN_ROOM * len(kinds)

    def types_if(self, *kinds: str) -> dict[str, float]:
        """The types of a page that is likely of one of *kinds*; or none."""
        types = self.page_types() if self.may_be(*kinds) else {}
        return types if likely_type(types) in kinds else {}


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


def complete_thread(document: Document, main: Mask, page: PageKind) -> Parts:
    """The *main* blocks with all posts of the thread, if most of it is main content.

    Posts are records named as posts around the longest text, and records with authors
    on a page that is likeliest a forum's. Long quotes of posts of the same page are
    left as they are. Other pages cost some microseconds.
    """
    may_be_named, types = _may_be_thread(document, main), page.types_if(FORUM)
    spots = document.once(find_spots) if may_be_named or types else []
    if len(spots) < MIN_POSTS:
        return Parts(main)
    view = View(document)
    tries = [types] if types else []
    for each in [*tries, None] if may_be_named else tries:
        known = partial(Known, np.zeros_like(main), each)
        thread = find_thread(view, spots, main, known, has_authors=each is not None)
        spans, names = thread.spans, [author.name for author in thread.authors]
        if not spans or not (types or is_named(view, spans)):
            continue
        said = find_said(view, spans, names or [None] * len(spans))
        bodies = find_bodies(view, spans, said)
        pairs = _of_most_kind(view, spans, bodies)
        if len(pairs) >= MIN_POSTS:
            chosen = _choose(view, pairs, main, said)
            return chosen._replace(thread=thread) if thread.authors else chosen
    return Parts(main)


def _may_be_thread(document: Document, main: Mask) -> bool:
    """Whether the longest chosen text is in one of several elements named as posts.

    The first post may have an element of its own: then the longest text outside of it.
    """
    blocks, templates = document.blocks, document.templates
    words = np.where(main, blocks.words, 0)
    for _ in range(MAX_PROBES):
        longest = int(words.argmax()) if len(words) else 0
        if not words.any():
            return False
        named = [*_named_around(document, int(blocks.element[longest]))]
        if any(np.count_nonzero(templates == templates[e]) > 1 for e in named):
            return True
        if not named:
            return False
        first, end = document.elements.first_block, document.elements.end_block
        words[first[named[0]] : end[named[0]]] = 0
    return False


def _named_around(document: Document, element: int) -> Iterator[int]:
    """The elements around *element*, itself included, whose class or id names posts."""
    parents, first_token = document.elements.parent, document.elements.first_token
    tokens, last = document.tokens, document.n_elements - 1
    for _ in range(MAX_LEVELS):
        if element < 0:
            return
        first = first_token[element]
        end = first_token[element + 1] if element < last else len(tokens.element)
        if first < end:
            names = document.values[tokens.start[first] : tokens.end[end - 1]].lower()
            if any(name in names for name in _POSTS):
                yield element
        element = int(parents[element])


def _of_most_kind(
    view: View, spans: list[Span], bodies: list[int]
) -> list[tuple[Span, int]]:
    """The posts whose body is an element of the kind that most have, with the body."""
    inner = [
        (span, body)
        for span, body in zip(spans, bodies, strict=True)
        if body >= 0 and body != span.element
    ]
    votes: Counter[tuple[str, str]] = Counter()
    for _, body in inner:
        words = view.prose_in(view.first_block[body], view.end_block[body])
        votes[view.key(body)] += 1 + min(words, MAX_VOTE)
    kind = max(votes, key=votes.__getitem__, default=None)
    return [(span, body) for span, body in inner if view.key(body) == kind]


def _choose(
    view: View, posts: list[tuple[Span, int]], main: Mask, texts: Said
) -> Parts:
    document, elements = view.document, [element for _, element in posts]
    bodies = [Span(e, view.first_block[e], view.end_block[e]) for e in elements]
    beside = blocks_of(document, [span for span, _ in posts])
    body = blocks_of(document, bodies)
    quotes = {*quote_elements(document, body)}.difference(elements)
    quote = cover(document, quotes, body)
    signature = signature_blocks(document, beside)
    said = body & ~unsaid_blocks(document, elements, texts.repeated, body)
    own = said & ~quote if (said & ~quote).any() else said
    words = np.diff(view.prose)
    if words[own & main].sum() < MIN_CHOSEN * max(1, words[own].sum()):
        return Parts(main)
    panel = beside & ~body & ~_titles(document)
    panel[[*texts.words]] = False
    copies = _copies(document, main | said, quote)
    chosen: Mask = (main | (said & ~copies)) & ~panel & ~signature
    starts = [s.first + int(chosen[s.first : s.end].argmax()) for s, _ in posts]
    return Parts(chosen, tuple(start for start in starts if chosen[start]))


def _titles(document: Document) -> Mask:
    """The headings of a text of their own: no "Re:" and the title of the thread."""
    level = document.blocks.flags >> HEADING_SHIFT
    titles: Mask = level == 1
    headings = np.flatnonzero(level).tolist()
    names = [document.block_text(each).rpartition(": ")[2] for each in headings]
    times = Counter(names)
    own = [times[name] == 1 for name in names]
    titles[headings] |= np.array(own, bool)
    return titles


def _copies(document: Document, said: Mask, quote: Mask) -> Mask:
    """The blocks of long quotes that repeat what is *said* above, with who said it."""
    copied = np.zeros_like(said)
    edges = np.flatnonzero(np.diff(quote, prepend=False, append=False)).tolist()
    known: set[tuple[str, ...]] = set()
    last = 0
    for first, end in zip(edges[::2], edges[1::2], strict=True):
        for block in (last + np.flatnonzero(said[last:first])).tolist():
            known |= _triples(document, block, block + 1)
        triples = _triples(document, first, end)
        is_long = len(triples) > MAX_QUOTED
        copied[first:end] = is_long and len(triples & known) >= MIN_COPIED * len(
            triples
        )
        last = end
    return copied


def _triples(document: Document, first: int, end: int) -> set[tuple[str, ...]]:
    words = " ".join(map(document.block_text, range(first, end))).split()
    return {*zip(words, words[1:], words[2:], strict=False)}


def without_comments(document: Document, main: Mask, page: PageKind) -> Mask:
    """The *main* blocks without the comments below a page that is likeliest an article.

    The type is asked for only where there are any.
    """
    if not page.may_be("article"):
        return main
    comments = named_comments(document, main)
    if not (comments & main).any() or not page.types_if("article"):
        return main
    rest: Mask = main & ~comments
    return rest


def named_comments(document: Document, main: Mask) -> Mask:
    """The blocks of elements named comments, below enough of the *main* ones."""
    comments = np.zeros(document.n_blocks, bool)
    named = np.flatnonzero(document.once(read_names) & np.uint64(Region.COMMENTS.bit))
    named = named[document.elements.tag[named] < len(BLOCK_TAGS)]  # not those of code
    if not len(named):
        return comments
    sums = np.zeros(document.n_blocks + 1, np.int64)
    np.cumsum(np.where(main, document.blocks.words, 0), out=sums[1:])
    first, end = (
        document.elements.first_block[named],
        document.elements.end_block[named],
    )
    is_part = sums[first] >= MIN_ABOVE
    # In a thread the first post has the same name as those below it.
    kinds = document.templates[named]
    is_part &= ~np.isin(kinds, kinds[~is_part])
    edges = np.zeros(document.n_blocks + 1, np.int64)
    np.add.at(edges, first[is_part], 1)
    np.add.at(edges, end[is_part], -1)
    comments |= np.cumsum(edges[:-1]) > 0
    return comments
