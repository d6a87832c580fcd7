"""Scores of algorithms, and of other packages, on labelled pages; their table.

Of words there are precision, recall and F1 per page, whose mean is that of a set.
Snippets are counted over all pages of a set. Nothing extracted where nothing is to be
extracted is perfect; if only one of the two is empty, precision, recall and F1 are 0.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..extraction.algorithms import AlgorithmError, get_algorithm
from ..extraction.document.document import read_tree
from ..extraction.document.layout import Layout
from ..extraction.extractor import Extractor
from ..rules import RuleBook
from ..text.words import CJK
from .datasets import decode_page, parse_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .datasets import DataSet, LabelledPage

HEAD: Final = tuple("SET ALGORITHM PAGES FAILED MS P R F1 WITH W/OUT".split())
LEGEND: Final = (
    "MS: mean time, parse included. P, R, F1: words, mean over pages.\n"
    "WITH, W/OUT: share of the snippets found, and absent."
)

_TOKEN: Final = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def tokenize(text: str) -> list[str]:
    """The words of *text* in lower case, in order; a CJK character is a word.

    >>> tokenize("Don't panic: 你好 Welt_1")
    ['don', 't', 'panic', '你', '好', 'welt_1']
    """
    return _TOKEN.findall(text.lower())


class Score(NamedTuple):
    """Precision and recall, from 0 to 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score_words(predicted: Sequence[str], gold: Sequence[str]) -> Score:
    """The words that both have, as bags: order does not count, repetition does.

    >>> score_words(["a", "b", "b", "x"], ["b", "a", "b", "c", "d"])
    Score(precision=0.75, recall=0.6)
    """
    common = (Counter(predicted) & Counter(gold)).total()
    return score_counts(common, len(predicted), len(gold))


def score_counts(common: int, predicted: int, gold: int) -> Score:
    """Precision and recall of *common* things among the *predicted* and the *gold*."""
    if not predicted and not gold:
        return Score(1.0, 1.0)
    return Score(
        common / predicted if predicted else 0.0, common / gold if gold else 0.0
    )


def text_measures(page: LabelledPage, text: str) -> dict[str, float]:
    """The scores of the words of *text*, and counts of snippets, by a page's label."""
    measures: dict[str, float] = {}
    if page.text is not None:
        score = score_words(tokenize(text), tokenize(page.text))
        values = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
        measures |= {name: round(value, 6) for name, value in values.items()}
    if page.required or page.forbidden:
        plain = _plain(text)
        measures |= {
            "snippets_found": sum(_plain(each) in plain for each in page.required),
            "snippets_required": len(page.required),
            "snippets_absent": sum(_plain(e) not in plain for e in page.forbidden),
            "snippets_forbidden": len(page.forbidden),
        }
    return measures


def _plain(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True)
class Contender:
    """An algorithm, or a function of another package, that gives a page's text."""

    label: str
    extract: Callable[[LabelledPage], str]
    needs_layout: bool = False

    @classmethod
    def read(cls, label: str, rules: str | None = None) -> Contender:
        """The contender of a *label*: ``NAME`` or ``NAME:OPTION=VALUE:OPTION=VALUE``.

        A name is that of an algorithm, or the import path of one or of a function of a
        page's HTML, such as ``trafilatura.extract``. *rules* is a folder of rules of
        sites, which decide before an algorithm. Raises ``AlgorithmError`` for a name or
        an option that is not known, ``OSError`` without the folder.
        """
        name, options = parse_label(label)
        if function := _find_function(name):
            return cls(
                label, lambda page: function(decode_page(page.html()), **options) or ""
            )
        algorithm = get_algorithm(name, options)
        extractor = Extractor(algorithm, rules=RuleBook(rules) if rules else None)
        label += " with rules" if rules else ""
        return cls(label, partial(_extract, extractor), algorithm.needs_layout)


def parse_label(label: str) -> tuple[str, dict[str, Any]]:
    """The name and the options of a label; a value is JSON, or else a text.

    >>> parse_label("learned:model=mine.npz:limit=7")
    ('learned', {'model': 'mine.npz', 'limit': 7})
    """
    name, *pairs = label.strip().split(":")
    options: dict[str, Any] = {}
    for pair in pairs:
        option, equals, value = pair.partition("=")
        if not option or not equals:
            raise AlgorithmError(f"{label!r}: {pair!r} is not OPTION=VALUE")
        try:
            options[option] = json.loads(value)
        except ValueError:
            options[option] = value
    return name, options


def _find_function(name: str) -> Callable[..., str | None] | None:
    """The function at an import path; ``None`` where no function is meant."""
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(import_module(module), attribute, None) if module else None
    except ImportError as error:
        raise AlgorithmError(f"{name!r}: {error}") from None
    return found if callable(found) and not isinstance(found, type) else None


def _extract(extractor: Extractor, page: LabelledPage) -> str:
    root, snapshot = parse_page(page.html()), page.layout_json()
    document = read_tree(root, all_attributes=snapshot is not None)
    layout = Layout.from_json(snapshot, document) if snapshot else None
    return extractor.extract_document(
        document, url=page.url, layout=layout, root=root
    ).text


def score_pages(
    sets: Iterable[DataSet], contenders: Sequence[Contender]
) -> Iterator[dict[str, Any]]:
    """A record for each page and contender: times and measures.

    A failure is an ``error`` with the measures of an empty text. Algorithms that need a
    layout are left out on pages without one.
    """
    for data_set in sets:
        for page in data_set.pages:
            for contender in contenders:
                if not contender.needs_layout or page.layout_json() is not None:
                    yield {"set": data_set.name, **_score(page, contender)}


def _score(page: LabelledPage, contender: Contender) -> dict[str, Any]:
    text = error = ""
    start = time.perf_counter()
    try:
        text = contender.extract(page)
    except Exception as failure:  # noqa: BLE001 - a failure is a result here
        error = f"{type(failure).__name__}: {' '.join(str(failure).split())}"[:300]
    seconds = round(time.perf_counter() - start, 6)
    known = {"page": page.id, "url": page.url, "algorithm": contender.label}
    return {**known, "seconds": seconds, "error": error, **text_measures(page, text)}


def format_scores(records: Iterable[dict[str, Any]]) -> str:
    """A table with a row per set and contender."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault((record["set"], record["algorithm"]), []).append(record)
    rows = [HEAD, *((*names, *_cells(group)) for names, group in groups.items())]
    return f"{align_columns(rows, left=2)}\n\n{LEGEND}"


def align_columns(rows: Sequence[Sequence[str]], left: int) -> str:
    """The rows with their cells in columns; the first *left* begin at the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _cells(records: Sequence[dict[str, Any]]) -> list[str]:
    """Numbers of pages, time; means of words and shares of snippets, as far known."""

    def total(name: str) -> float:
        return float(sum(record.get(name, 0) for record in records))

    n_texts = sum("f1" in record for record in records)
    shares = [
        *((total(name), n_texts) for name in ("precision", "recall", "f1")),
        (total("snippets_found"), total("snippets_required")),
        (total("snippets_absent"), total("snippets_forbidden")),
    ]
    return [
        str(len(records)),
        str(sum(bool(record["error"]) for record in records)),
        f"{1000 * total('seconds') / len(records):.1f}",
        *(f"{part / whole:.3f}" if whole else "" for part, whole in shares),
    ]
