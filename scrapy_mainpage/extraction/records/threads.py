"""The posts of a thread as ranges of text blocks, found by dates that repeat.

Each post shows its date in the same way. So the dates of one kind of element divide the
thread: a post is the largest element around its date without the one before it, as in
the search for data records by Liu, Grossman and Zhai (2003) with a date as the anchor.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.schema import HEADING_SHIFT
from .fields import is_profile
from .view import Span, names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.schema import Mask
    from .spots import Spot
    from .view import View

MAX_POSTS: Final = 1000
MIN_POSTS: Final = 2
MIN_CHOSEN: Final = 0.5
"""Share of the words of the posts that are main content or labelled as comments."""

MIN_OF_FORUM: Final = 0.1
"""The same on a forum whose markup says that they are posts."""

MIN_WORDS: Final = 3
"""Words of a post in the mean, in texts of at least so many words."""

MIN_FIRST: Final = 12
"""Words of a first post in an element of another kind than those of the others."""

MAX_BETWEEN: Final = 6
"""Words between two dates of the same post."""

MAX_VOTE: Final = 40
"""Words from which on a record says what kind of element records are."""

MIN_INSIDE: Final = 0.6
"""Share of the words up to the next date inside of the elements around the dates."""

MAX_TEASERS: Final = 0.5
"""Share of records that begin with a heading that leads elsewhere."""

_POSTS: Final = (
    "comment post reply replies message answer antwort beitrag beitraege kommentar "
    "respuesta reponse mensaje discussion forum thread topic review"
).split()
_POST = re.compile("|".join(_POSTS), re.IGNORECASE)
POST_BYTES: Final = tuple(name.encode() for name in _POSTS)
_PROFILE = re.compile(r"profile|user|member|author-?info", re.IGNORECASE)
_GIVEN_UP = re.compile(
    r"related|similar|recent|teaser|widget|(?<!no-)sidebar|latest|popular|carousel|"
    r"article-?list|news-?list|archive|search-result|post-(?:preview|summary|excerpt)",
    re.IGNORECASE,
)

_ONE_POST = re.compile(r"(?i)\b(?:post|comment|reply|message|answer|beitrag)\b")


class Thread(NamedTuple):
    """Records with their anchors, in document order."""

    spans: list[Span]
    spots: list[Spot]


def find_thread(
    view: View, spots: Sequence[Spot], chosen: Mask, *, forum: bool
) -> Thread:
    """The posts with most words in *chosen* blocks; none on pages of other kinds."""
    groups: dict[object, list[Spot]] = defaultdict(list)
    for spot in spots:
        key = view.key(spot.element)
        parent = view.parent[spot.element]
        groups[key[1] or (key, view.key(parent))].append(spot)
    inside = [0, *np.cumsum(np.where(chosen, view.longer, 0)).tolist()]
    best, most = Thread([], []), 0.0
    for group in groups.values():
        if len(group) < MIN_POSTS:
            continue
        thread = divide(view, group)
        if not _is_thread(view, thread, inside, forum=forum):
            continue
        words = sum(view.prose_in(span.first, span.end) for span in thread.spans)
        score = words + sum(inside[s.end] - inside[s.first] for s in thread.spans)
        score *= len(thread.spans) ** 0.5 * _rate(view, thread)
        if score > most:
            best, most = thread, score
    return best


def _rate(view: View, thread: Thread) -> float:
    """How likely the dates are those of posts: seen, with a time, not of a profile.

    Questions and answers are more than the comments between them.
    """
    spots, last = thread.spots, thread.spans[-1].element
    seen = sum(bool(spot.text) for spot in spots) / len(spots)
    timed = sum(":" in (spot.machine or spot.text) for spot in spots) / len(spots)
    names = _names(view, spots[-1].element, 2)
    profile = bool(_PROFILE.search(names))
    return 1 + 0.2 * (seen - profile) + 0.1 * timed + 1.5 * view.is_answer(last)


def divide(view: View, group: list[Spot]) -> Thread:
    """The records around the dates of a *group*."""
    group = _without_doubles(view, group)
    if len(group) < MIN_POSTS:
        return Thread([], [])
    around = [_climb(view, a.element, b.element) for a, b in itertools.pairwise(group)]
    keys: Counter[tuple[int, str]] = Counter()
    starts = [view.first_block[element] for element in around]
    for element, start, stop in zip(around, starts, [*starts[1:], None], strict=True):
        last = view.end_block[element]
        end = last if stop is None else min(last, stop)
        keys[view.key(element)] += 1 + min(view.prose_in(start, end), MAX_VOTE)
    kind = keys.most_common(1)[0][0]
    parents = Counter(view.parent[e] for e in around if view.key(e) == kind)
    first = _first(view, group[0].element, group[1].element)
    places = [_descend(view, first, group[0].element, kind)]
    spots = [group[0]]
    for element, spot in zip(around, group[1:], strict=True):
        element = _descend(view, element, spot.element, kind)
        if _is_like(view, element, kind) or view.parent[element] in parents:
            places.append(element)
            spots.append(spot)
    if len(places) > MIN_POSTS and not _is_like(view, places[0], kind):
        # The line below the title says the date of the first post.
        machine = spots[0].machine or ""
        same = "T" in machine and machine == spots[1].machine
        said = view.prose_in(view.first_block[places[0]], view.end_block[places[0]])
        if same or said < MIN_FIRST:
            places, spots = places[1:], spots[1:]
    return Thread(_spans(view, places[:MAX_POSTS]), spots[:MAX_POSTS])


def _without_doubles(view: View, group: list[Spot]) -> list[Spot]:
    """The dates without those that say the one before again, with no text between."""
    kept = group[:1]
    for spot in group[1:]:
        last = kept[-1]
        first, end = (view.first_block[e.element] for e in (last, spot))
        near = view.prose_in(first, end)
        same = (spot.machine or spot.text) == (last.machine or last.text)
        if same and near < MAX_BETWEEN:
            kept.pop()  # of the line below the title and the first post, the post's
        kept.append(spot)
    return kept


def _descend(view: View, top: int, element: int, kind: tuple[int, str]) -> int:
    """The largest element from *top* down to *element* of the *kind*, else *top*."""
    found = top
    while element >= top:
        if _is_like(view, element, kind) and (kind[1] or view.key(element) == kind):
            found = element
        element = view.parent[element]
    return found


def _is_like(view: View, element: int, kind: tuple[int, str]) -> bool:
    tag, names = view.key(element)
    if (tag, names) == kind:
        return True
    return tag == kind[0] and bool(set(names.split()) & set(kind[1].split()))


def _climb(view: View, before: int, element: int) -> int:
    """The largest element around *element* that begins after *before*."""
    while view.parent[element] > before:
        element = view.parent[element]
    return element


def _first(view: View, element: int, after: int) -> int:
    """The largest element around *element* that ends before *after*."""
    while (up := view.parent[element]) >= 0 and view.end[up] <= after:
        element = up
    return element


def _spans(view: View, places: list[int]) -> list[Span]:
    """The ranges of the records; those of rows of a table go up to the next one."""
    starts = [view.first_block[place] for place in places]
    ends = [view.end_block[place] for place in places]
    nexts = [*starts[1:], ends[-1]]
    whole = view.prose_in(starts[0], starts[-1])
    within = sum(
        view.prose_in(start, min(end, stop))
        for start, end, stop in zip(starts[:-1], ends[:-1], nexts[:-1], strict=True)
    )
    if within < MIN_INSIDE * whole:
        nexts[-1] = _last_end(view, places)
        ends = nexts
    return [
        Span(place, start, max(start, min(end, stop)))
        for place, start, end, stop in zip(places, starts, ends, nexts, strict=True)
    ]


def _last_end(view: View, places: list[int]) -> int:
    """The end of the last record: as many siblings as the one before has."""
    last, steps = places[-1], 0
    sibling = places[-2]
    while view.end[sibling] < last and view.parent[sibling] == view.parent[last]:
        sibling, steps = view.end[sibling], steps + 1
    end = last
    for _ in range(steps):
        following = view.end[end]
        if following >= len(view.parent) or view.parent[following] != view.parent[last]:
            break
        end = following
    return view.end_block[end]


def _is_thread(view: View, thread: Thread, inside: list[int], *, forum: bool) -> bool:
    spans = [span for span in thread.spans if span.end > span.first]
    if len(spans) < MIN_POSTS:
        return False
    words = sum(view.long[s.end] - view.long[s.first] for s in spans)
    share = sum(inside[s.end] - inside[s.first] for s in spans)
    least = MIN_OF_FORUM if forum and is_named(view, spans) else MIN_CHOSEN
    if words < MIN_WORDS * len(spans) or share < least * words:
        return False
    names, teasers = _names(view, spans[-1].element, 2), _teasers(view, spans)
    own = _ONE_POST.search(_names(view, spans[-1].element, 1))
    # Cards are of a listing, or boxes of a style sheet around each post.
    is_card = "card" in names.lower() and not (own and (forum or not teasers))
    if is_card or _GIVEN_UP.search(names):
        return False
    return teasers <= MAX_TEASERS * len(spans)


def is_named(view: View, spans: list[Span]) -> bool:
    """Whether names in the markup say that the records are posts."""
    return bool(_POST.search(_names(view, spans[-1].element)))


def _names(view: View, element: int, levels: int = 4) -> str:
    return names_of(view.document, element, ("class", "id", "itemtype"), levels)


def _teasers(view: View, spans: list[Span]) -> int:
    """How many records begin with a heading, all different, that is a link.

    Not one to a profile: mailing lists have the author in a heading.
    """
    document, texts = view.document, []
    for span in spans[:50]:
        for block in range(span.first, min(span.end, span.first + 6)):
            blocks = document.blocks
            if blocks.flags[block] >> HEADING_SHIFT and blocks.linked_words[block] > 1:
                if not _names_person(view, block):
                    texts.append(document.block_text(block).removeprefix("Re: "))
                break
    return len(texts) if len(set(texts)) > 0.5 * len(texts) else 0


def _names_person(view: View, block: int) -> bool:
    document = view.document
    run = slice(
        int(document.blocks.first_run[block]), int(document.blocks.end_run[block])
    )
    links = set(document.elements.link[document.runs.element[run]].tolist()) - {-1}
    return any(is_profile(document.attribute(link, "href")) for link in links)
