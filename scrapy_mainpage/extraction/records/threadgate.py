"""Whether dated records are posts of a thread: a logistic regression over few shares.

A list of topics looks like a thread: authors, dates, records of one template. In it
each record names another page, by a link of several words that no other record has,
and says little else; a post says something of its own. The weights in
``weights/posts.json`` are of threads that people marked, and of lists of all kinds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.schema import RunKind
from ..metadata.field_models import log_odds, read_models
from .spots import is_date
from .view import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .fields import Author
    from .spots import Spot
    from .view import Span, View

    Sums = Sequence[int]

MAX_READ: Final = 50
"""Records whose links are read."""

MIN_SHARE: Final = 0.6
"""Share of the records that have a link of a kind, and of its texts that differ."""

TITLED: Final = 3
"""Size of links of four words in the mean: of the titles of other pages."""

MIN_TALK: Final = 5
"""Records of a talk with an author that a class or a link says."""

POSTS: Final = (
    "comment post reply replies message answer antwort beitrag beitraege kommentar "
    "respuesta reponse mensaje discussion forum thread topic review"
).split()
_TYPES: Final = ("forum", "listing")
_KNOWN: Final = ("main", "comments", *_TYPES, "talk")


@dataclass
class Records:
    """Dated records of a page, with what is known of them."""

    view: View
    spans: Sequence[Span]
    spots: Sequence[Spot]
    sums: Mapping[str, Sums] = field(default_factory=dict)
    """The words before each block that are main content or comments."""
    types: Mapping[str, float] | None = None
    """The page's types; ``None`` where they are not known yet."""
    authors: Sequence[Author] = ()
    """Who wrote each; none where they were not searched."""

    @cached_property
    def titles(self) -> int:
        """The size of their titles, if they have any."""
        return _size(2 * _words_of_titles(self.view, self.spans[:MAX_READ]), 5)

    @property
    def kind(self) -> str:
        """How the features of records with titles begin, or nothing."""
        return "titled " if self.titles >= TITLED else ""

    @cached_property
    def shown(self) -> list[str]:
        """What the model reads of the records alone."""
        return [f"titles:{self.titles}", *_named(self.kind, _shown(self))]


def thread_odds(records: Records) -> float:
    """The logarithm of the odds that records are posts."""
    return log_odds(read_models("posts"), thread_features(records))


def may_be_thread(records: Records) -> bool:
    """Whether records are likely posts if all is for it that takes long to find."""
    kind, unknown = records.kind, {*_KNOWN} - records.sums.keys()
    known = _named(kind, _known(records))
    most = sum(_most(kind + name) for name in unknown)
    features = [*records.shown, *known]
    return log_odds(read_models("posts"), features) + most > 0


@cache
def _most(name: str) -> float:
    """The most that a feature can add; values without a weight add nothing."""
    weights: dict[str, float] = read_models("posts")["weights"]
    return max(
        0.0, 0.0, *(w for key, w in weights.items() if key.partition(":")[0] == name)
    )


def thread_features(records: Records) -> list[str]:
    """What the model reads of records, which means other things if they have titles."""
    shown = records.shown
    return [*shown, *_named(records.kind, _known(records))]


def _named(kind: str, values: Iterable[tuple[str, int]]) -> Iterator[str]:
    return (f"{kind}{name}:{int(value)}" for name, value in values)


def _shown(records: Records) -> Iterator[tuple[str, int]]:
    """Sizes on a logarithmic scale, shares in parts."""
    view, spans, spots = records.view, records.spans, records.spots
    said, read = sorted(_each(view.long, spans)), spans[:MAX_READ]
    whole = sum(_each(view.all_words, spans))
    yield "records", _size(len(spans), 5)
    yield "said", _size(said[len(said) // 2], 7)
    yield "least", _size(said[len(said) // 5], 5)
    yield "free", _part(sum(said) / max(whole, 1))
    yield "named", is_named(view, spans)
    yield "seen", _part(sum(bool(spot.text) for spot in spots) / len(spots))
    timed = sum(":" in (spot.machine or spot.text) for spot in spots)
    yield "timed", _part(timed / len(spots))
    yield "numbers", _size(sum(_numbers(view, s) for s in read) / len(read), 3)


def _known(records: Records) -> Iterator[tuple[str, int]]:
    """The shares of main content and comments, and what the page's types say."""
    own = max(sum(_each(records.view.long, records.spans)), 1)
    for name, each in records.sums.items():
        yield name, _part(sum(_each(each, records.spans)) / own)
    if records.types is not None:
        for name in _TYPES:
            yield name, _part(records.types.get(name, 0))
        yield "talk", _is_talk(records.authors)


def _is_talk(authors: Sequence[Author]) -> bool:
    """Whether several wrote the records, and some of them again."""
    names = [author.name for author in authors if author.name and author.is_sure]
    return len(names) >= MIN_TALK and 1 < len({*names}) < len(names)


def is_named(view: View, spans: Sequence[Span]) -> bool:
    """Whether names in the markup say that the records are posts."""
    attributes = ("class", "id", "itemtype")
    element = spans[-1].element
    names = names_of(view.document, element, attributes, levels=4)
    names = f"{view.document.tag_name(element)} {names}".lower()
    return any(name in names for name in POSTS)


def _each(sums: Sums, spans: Sequence[Span]) -> list[int]:
    return [sums[span.end] - sums[span.first] for span in spans]


def _size(number: float, most: int) -> int:
    return min(int(math.log2(1 + number)), most)


def _part(share: float, parts: int = 5) -> int:
    return min(int(parts * share), parts - 1)


def _words_of_titles(view: View, spans: Sequence[Span]) -> float:
    """The most words of a kind of links that most records have, each another one."""
    kinds: dict[int, dict[int, str]] = defaultdict(dict)
    for k, span in enumerate(spans):
        for link, text in _links(view, span):
            known = kinds[int(view.document.kinds[link])]
            known[k] = max(known.get(k, ""), text, key=len)
    found = [_words([*texts.values()], len(spans)) for texts in kinds.values()]
    return max(found, default=0.0)


def _words(texts: list[str], records: int) -> float:
    """The mean words of *texts* that most *records* have, each another one; else 0."""
    others = {text.removeprefix("Re: ") for text in texts}
    if min(len(texts) / records, len(others) / max(len(texts), 1)) < MIN_SHARE:
        return 0.0
    return sum(len(text.split()) for text in others) / len(others)


def _links(view: View, span: Span) -> Iterator[tuple[int, str]]:
    """The links of a record with what each says, without dates."""
    document, runs = view.document, view.document.runs
    if span.end <= span.first:
        return
    first = int(document.blocks.first_run[span.first])
    end = int(document.blocks.end_run[span.end - 1])
    links = document.elements.link[runs.element[first:end]]
    is_text = (links >= 0) & (runs.kind[first:end] == RunKind.TEXT)
    for place in np.flatnonzero(is_text).tolist():
        run = slice(runs.start[first + place], runs.end[first + place])
        text = document.text[run].decode("utf-8", "replace").strip()
        if not is_date(text):
            yield int(links[place]), text


def _numbers(view: View, span: Span) -> int:
    """The short texts with numbers of a record: replies, views, votes."""
    blocks, part = view.document.blocks, slice(span.first, span.end)
    return int(((blocks.digits[part] > 0) & (blocks.words[part] <= 2)).sum())
