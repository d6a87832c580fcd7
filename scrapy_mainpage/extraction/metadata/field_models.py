"""Probabilities of a page's fields: of candidates in the visible page, of sources.

The weights in ``weights/fields.json`` are of logistic regressions, trained on pages
that declare the field: the declaration is left out, its value sought in the visible
page. The probability of a declared value is the share of right ones of its source.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..title_rule import letters
from .declarations import Found

if TYPE_CHECKING:
    from collections.abc import Callable

    from .candidates import Candidate

MIN_PROBABILITY: Final = 0.4
"""A value that is less likely is none."""

MIN_LIKELY: Final = 0.7
"""Of several dates as likely as this the earliest is that of the publication: the
others are those of changes, and of clocks."""

MIN_CHANGE: Final = 0.1
"""Probability of a date that says that it is that of a change."""

MAX_LIST_BLOCKS: Final = 12
"""Text blocks from the likeliest date to another one of the same list."""

MAX_LIKELIEST: Final = 6
"""Dates that are read, the likeliest first."""

MIN_UNMARKED: Final = 0.6
"""The same for a name that neither a class, a link nor a word marks."""

_MARKS: Final = frozenset({"by", "class:author:0", "class:author:1", "profile"})
MIN_AWAY: Final = 0.8
_AWAY: Final = ("end", "far")
_IN_LIST: Final = frozenset({"form:full", "form:full4"})
_NAME_FORMS: Final = _IN_LIST | {"form:han", "form:upper"}
MAX_BLOCKS_APART: Final = 2


@cache
def read_models() -> dict[str, Any]:
    """The weights of each field's features, and the probability of each source."""
    path = Path(__file__).parents[1] / "weights" / "fields.json"
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


def rate(field: str, candidate: Candidate) -> float:
    """The probability that a *candidate* is the page's *field*."""
    model = read_models()["models"][field]
    weights = model["weights"]
    odds = model["intercept"] + sum(weights.get(f, 0.0) for f in candidate.features)
    return 1 / (1 + math.exp(-odds))


def source_probability(field: str, source: str) -> float | None:
    """The share of right values of a *source*; ``None`` where it is not known."""
    share = read_models()["sources"].get(field, {}).get(source)
    return None if share is None else float(share)


def choose_persons(candidates: list[Candidate]) -> tuple[list[str], float]:
    """The likeliest names, those of one list together; none if none is likely.

    Less likely ones count where a class or a line that begins with "by" names them, and
    no other person. Several far from the title are those of other pages.
    """
    rated = [(rate("author", each), each) for each in candidates]
    likely = [(share, each) for share, each in rated if share >= _least(each)]
    named = [pair for pair in rated if _is_named(pair[1])]
    count = len({letters(each.text) for _, each in named})
    if count > 1:
        likely = [
            (share, each)
            for share, each in likely
            if share >= MIN_AWAY or each.features[0] not in _AWAY
        ]
    elif count == 1 and not likely:
        likely = named
    best, top = max(likely, key=lambda pair: pair[0], default=(0.0, None))
    if top is None or (best < MIN_AWAY and _has_rival(top, likely)):
        return [], 0.0
    # Below a next heading there may be teasers, each with an author of its own.
    cards = [pair for pair in named if "class:author:0" in pair[1].features]
    is_card = "class:author:0" in top.features and "headings:0" not in top.features
    if is_card and _has_rival(top, cards):
        return [], 0.0
    names = [
        each.text
        for share, each in rated
        if each is top or _is_with(each, top, is_likely=share >= MIN_PROBABILITY)
    ]
    return names, best


def _has_rival(top: Candidate, likely: list[tuple[float, Candidate]]) -> bool:
    """Whether *likely* has another person, too far away to be in the same list."""
    return any(
        abs(each.block - top.block) > MAX_BLOCKS_APART
        and letters(each.text) != letters(top.text)
        for _, each in likely
    )


def _least(candidate: Candidate) -> float:
    is_marked = not _MARKS.isdisjoint(candidate.features)
    return MIN_PROBABILITY if is_marked else MIN_UNMARKED


def _is_named(candidate: Candidate) -> bool:
    own = set(candidate.features)
    begins = "by" in own and bool({"first", "alone"} & own) and "far" not in own
    is_full = not _IN_LIST.isdisjoint(own)
    return is_full and ("class:author:0" in own or (begins and "end" not in own))


def _is_with(each: Candidate, top: Candidate, *, is_likely: bool) -> bool:
    if "role" in each.features:
        return False
    if (each.block, each.group) == (top.block, top.group):
        return not _IN_LIST.isdisjoint(each.features)
    is_near = abs(each.block - top.block) <= MAX_BLOCKS_APART
    return is_likely and is_near and not _NAME_FORMS.isdisjoint(each.features)


def choose_date(
    field: str, candidates: list[Candidate], read: Callable[[str], str | None]
) -> Found | None:
    """The likeliest date of the *field*; *read* gives it in ISO 8601, or ``None``."""
    is_change = field == "date_modified"
    rated = [
        (rate(field, each), each)
        for each in candidates
        if _says_change(each) == is_change
    ]
    least = MIN_CHANGE if is_change else MIN_PROBABILITY
    likely = [pair for pair in rated if pair[0] >= least]
    likely.sort(key=lambda pair: -pair[0])
    found = [
        (Found("time" if "time" in each.features else "byline", day, share), each)
        for share, each in likely[:MAX_LIKELIEST]
        if (day := read(each.text))
    ]
    if not found or (not is_change and _are_listed(found)):
        return None
    # Below a next heading there may be teasers, each with a date of its own.
    level = _heading_of(found[0][1])
    sure = [p for p in found if _is_sure(*p) and _heading_of(p[1]) == level]
    if sure and not is_change:
        return min(sure, key=lambda pair: str(pair[0].value)[:10])[0]
    return found[0][0]


def _heading_of(candidate: Candidate) -> str:
    return next((f for f in candidate.features if f.startswith("headings:")), "")


def _is_sure(found: Found, candidate: Candidate) -> bool:
    is_said = "said:published" in candidate.features
    return is_said or (found.probability or 0) >= MIN_LIKELY


def _says_change(candidate: Candidate) -> bool:
    marks = {"said:modified", "class:modified:0"} & set(candidate.features)
    return bool(marks) and "class:published:0" not in candidate.features


def _are_listed(found: list[tuple[Found, Candidate]]) -> bool:
    """Whether the first date and another one are of one template: those of a list."""
    (first, own), *others = found
    return any(
        other.group == own.group
        and abs(other.block - own.block) <= MAX_LIST_BLOCKS
        and ("said:published" in other.features) == ("said:published" in own.features)
        and str(each.value)[:10] != str(first.value)[:10]
        for each, other in others
    )
