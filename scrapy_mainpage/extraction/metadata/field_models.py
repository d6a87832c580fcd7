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

from ..declared.meta import Found
from ..title_rule import letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .candidates import Candidate

MIN_PROBABILITY: Final = 0.4
"""A value that is less likely is none."""

MIN_CHANGE: Final = 0.1
"""Probability of a date that says that it is that of a change."""

MAX_LIKELIEST: Final = 6
"""Dates that are read, the likeliest first."""

MIN_ALONE: Final = 0.8
"""Probability of a name that counts though another one far away is likely, too."""

MAX_LIST_BLOCKS: Final = 12
"""Text blocks from the likeliest date to another one of the same list."""

_IN_LIST: Final = frozenset({"form:full", "form:full4"})
_NAME_FORMS: Final = _IN_LIST | {"form:han", "form:upper"}
MAX_BLOCKS_APART: Final = 2


@cache
def read_models(name: str = "fields") -> dict[str, Any]:
    """The models of ``weights/NAME.json``; of fields the weights and the sources."""
    path = Path(__file__).parents[1] / "weights" / f"{name}.json"
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


def rate(field: str, candidate: Candidate) -> float:
    """The probability that a *candidate* is the page's *field*."""
    return probability(read_models()["models"][field], candidate)


def probability(model: dict[str, Any], candidate: Candidate) -> float:
    """The probability of a *candidate* by one *model*."""
    return 1 / (1 + math.exp(-log_odds(model, candidate.features)))


def log_odds(model: dict[str, Any], features: Iterable[str]) -> float:
    """The logarithm of the odds by a linear *model* of what has these *features*."""
    weights = model["weights"]
    return float(model["intercept"] + sum(weights.get(f, 0.0) for f in features))


def source_probability(field: str, source: str) -> float | None:
    """The share of right values of a *source*; ``None`` where it is not known."""
    share = read_models()["sources"].get(field, {}).get(source)
    return None if share is None else float(share)


def choose_persons(candidates: list[Candidate]) -> tuple[list[str], float]:
    """The likeliest name and those in its list; none if none is likely."""
    rated = [(rate("author", each), each) for each in candidates]
    likely = [pair for pair in rated if pair[0] >= MIN_PROBABILITY]
    best, top = max(likely, key=lambda pair: pair[0], default=(0.0, None))
    if top is None:
        return [], 0.0
    # Below a next heading there may be teasers, each with an author of its own.
    is_own = "headings:0" in top.features
    others = (
        likely if is_own else [p for p in rated if "class:author:0" in p[1].features]
    )
    if best < MIN_ALONE and _has_rival(top, others):
        return [], 0.0
    names = [
        each.text
        for share, each in rated
        if each is top or _is_with(each, top, is_likely=share >= MIN_PROBABILITY)
    ]
    return names, best


def _has_rival(top: Candidate, others: list[tuple[float, Candidate]]) -> bool:
    """Whether *others* have another person, too far away to be in the same list."""
    return any(
        abs(each.block - top.block) > MAX_BLOCKS_APART
        and letters(each.text) != letters(top.text)
        for _, each in others
    )


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
    """The likeliest date of the *field*; *read* gives it in ISO 8601, or ``None``.

    A page that shows no other date was published, for all it says, when it changed.
    """
    changes = [each for each in candidates if _says_change(each)]
    if field == "date_modified":
        return _likeliest(field, changes, MIN_CHANGE, read)
    others = [each for each in candidates if not _says_change(each)]
    if found := _likeliest(field, others, MIN_PROBABILITY, read):
        return found
    found = _likeliest(field, changes, MIN_PROBABILITY, read)
    return found and found._replace(probability=MIN_PROBABILITY)


def _likeliest(
    field: str,
    candidates: list[Candidate],
    least: float,
    read: Callable[[str], str | None],
) -> Found | None:
    rated = [(rate(field, each), each) for each in candidates]
    likely = sorted((pair for pair in rated if pair[0] >= least), key=lambda p: -p[0])
    found = [
        (Found("time" if "time" in each.features else "byline", day, share), each)
        for share, each in likely[:MAX_LIKELIEST]
        if (day := read(each.text))
    ]
    is_list = field != "date_modified" and _are_listed(found)
    return found[0][0] if found and not is_list else None


def _says_change(candidate: Candidate) -> bool:
    marks = {"said:modified", "class:modified:0"} & set(candidate.features)
    return bool(marks) and "class:published:0" not in candidate.features


def _are_listed(found: list[tuple[Found, Candidate]]) -> bool:
    """Whether the first date is of a list: another one of its template is older.

    Or stands above it: a thread begins with the oldest.
    """
    if not found:
        return False
    (first, own), *others = found
    return any(
        other.group == own.group
        and abs(other.block - own.block) <= MAX_LIST_BLOCKS
        and ("said:published" in other.features) == ("said:published" in own.features)
        and str(each.value)[:10] != str(first.value)[:10]
        and (str(each.value) < str(first.value) or other.block < own.block)
        for each, other in others
    )
