"""Scores of texts and names: BM25 over fields, and how well a name fits the query."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ._matching import Matcher
from .tokens import names_in, segment
from .word_forms import rarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from .query import Query, Term

    Integers = NDArray[np.intp]
    Numbers = NDArray[np.float64]

#: What a word counts in a title and in a heading, relative to once in the text.
TITLE: Final = 6.0
HEADING: Final = 5.0
#: How soon more mentions count little more (``k`` of BM25).
SATURATION: Final = 1.0
#: How much a longer text than others is worth less (``b`` of BM25).
LENGTH: Final = 0.5
#: What two words of the query count that stand side by side as they do there, and the
#: distance in characters at which it is a third of that.
TOGETHER: Final = 0.4
DISTANCE: Final = 30.0


class Fit(NamedTuple):
    """How well a name fits: from 0 to 1, and whether it is the query as typed."""

    share: float = 0.0
    is_named: bool = False


class Terms:
    """Terms of a query, as they are looked for in segmented texts."""

    def __init__(self, terms: Sequence[Term]):
        phrases = [
            (number, words, prefix)
            for number, term in enumerate(terms)
            for words, prefix in term.phrases
        ]
        self.count = len(terms)
        self._terms = np.array([number for number, _, _ in phrases], np.intp)
        self._matcher = Matcher([(words, prefix) for _, words, prefix in phrases])

    def find(self, text: str) -> Integers:
        """Return start, end and number of each term that a text has, a row each."""
        found = np.array(self._matcher.find(text), np.intp).reshape(-1, 3)
        found[:, 2] = self._terms[found[:, 2]]
        return found


class Counts(NamedTuple):
    """How often parts of texts have each term, a row each; how near neighbours are."""

    of_terms: Numbers
    nearest: Numbers


class Scorer:
    """The words of a query with their weights: the rarer, the more they count."""

    def __init__(self, query: Query, typed: str, size: int):
        self.terms = Terms(query.wanted)
        self._weights = np.array([rarity(term, size) for term in query.wanted])
        self._total = float(self._weights.sum()) or 1.0
        self._typed = typed
        self._fits: dict[str, Fit] = {}
        self._required, self._unwanted = Terms(query.required), Terms(query.unwanted)

    def allows(self, texts: Iterable[str]) -> bool:
        """Return whether texts together have what is quoted and nothing excluded."""
        if not (self._required.count or self._unwanted.count):
            return True
        text = " ".join(map(segment, texts))
        is_there = len({*self._required.find(text)[:, 2]}) == self._required.count
        return is_there and not len(self._unwanted.find(text))

    def counts(self, texts: Sequence[str], starts: Sequence[Integers]) -> Counts:
        """Return which terms are in the parts of texts, which begin at *starts*."""
        n, places, borders, base = self.terms.count, [], [], 0
        for text, own in zip(texts, starts, strict=True):
            found = self.terms.find(text)
            places.append((found[:, 0] + base) * n + found[:, 2])
            borders.append(own + base)
            base += len(text) + 1
        # A term that matches as it is and as a beginning is there once.
        place, term = np.divmod(np.unique(np.concatenate(places)), n or 1)
        border = np.concatenate(borders)
        part = np.searchsorted(border, place, "right") - 1
        counts = np.bincount(part * n + term, minlength=n * len(border))
        near = np.full((len(border), n), np.inf)
        for k in range(1, n):
            own, other = term == k, term == k - 1
            of_own, of_other = (place[own], part[own]), (place[other], part[other])
            _note_nearest(near[:, k], of_own, of_other)
        return Counts(counts.reshape(len(border), n).astype(float), near)

    def score(self, counts: Numbers, lengths: Numbers, fields: Numbers) -> Numbers:
        """Return BM25 from 0 to 1: of terms in texts, and in short *fields*.

        *lengths* are relative to other texts.
        """
        long = 1 - LENGTH + LENGTH * lengths
        total = counts / long[:, None] + fields
        scores: Numbers = total / (total + SATURATION) @ self._weights / self._total
        return scores

    def closeness(self, nearest: Numbers) -> Numbers:
        """Return how close neighbours in the query are in texts."""
        pairs = np.minimum(self._weights[1:], self._weights[:-1])
        close: Numbers = np.exp(-nearest[:, 1:] / DISTANCE) @ pairs
        return TOGETHER * close / self._total

    def fit(self, name: str) -> Fit:
        """Return how well a title, heading or signature fits the query.

        It is 1 for the words of the query and nothing else: the share of the query that
        the name has, by the share of the name that the query has.
        """
        if name not in self._fits:
            fits = map(self._fit, names_in(name))
            self._fits[name] = max(fits, key=lambda fit: fit[::-1], default=Fit())
        return self._fits[name]

    def _fit(self, name: str) -> Fit:
        if name == self._typed:
            return Fit(1.0, is_named=True)
        found = self.terms.find(name)
        has = self._weights[np.unique(found[:, 2])].sum() / self._total
        spans = (range(start, end) for start, end, _ in found.tolist())
        letters = sum(name[place] != " " for place in set(chain.from_iterable(spans)))
        return Fit(float(has) * letters / len(name.replace(" ", "")))


def _note_nearest(
    nearest: Numbers, own: tuple[Integers, Integers], other: tuple[Integers, Integers]
) -> None:
    """Note the least distance of two terms in each part; both in places and parts."""
    (place, part), (others, parts) = own, other
    if not (place.size and others.size):
        return
    following = np.searchsorted(others, place)
    for near in (np.maximum(following - 1, 0), np.minimum(following, others.size - 1)):
        is_here = parts[near] == part
        distance = np.abs(others[near] - place)[is_here]
        np.minimum.at(nearest, part[is_here], distance)
