"""Training of the models of author and dates: ``weights/fields.json``.

Pages that declare a field are the examples: a candidate in the visible page is right if
it says the declared value, or the day that a person read. Pages whose value stands
nowhere weigh little: most show another one. Listings, products and services without a
declaration show the authors and dates of others. What people read on the pages of the
set ``metadata`` counts more. Figures are of models that saw no page of the same site.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from lab.benchmarks.metadata import judge
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import PAGES, DataSet, LabelledPage, site_of
from scrapy_mainpage.extraction.metadata import authors, reader
from scrapy_mainpage.extraction.metadata.field_models import (
    MIN_PROBABILITY,
    probability,
)
from scrapy_mainpage.extraction.metadata.moments import find_moments
from scrapy_mainpage.extraction.metadata.persons import find_persons
from scrapy_mainpage.extraction.title_rule import letters

from .boosting import site_folds

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.metadata.candidates import Candidate

UNLABELLED: Final = ("dates", "recipes")
"""Sets without labels of the text; the rows of the first have days."""

PENALTY: Final = {"author": 0.2, "date_published": 0.3, "date_modified": 0.3}
"""Regularisation (C of the logistic regression)."""

WEIGHT_WITHOUT: Final = {"author": 0.1, "date_published": 0.3, "date_modified": 0.3}
"""Weight of a page none of whose candidates is right."""

UNDATED: Final = frozenset({"listing", "collection", "product", "service"})
"""Types of pages without a date or an author of their own, unless they declare one."""

WEIGHT_READ: Final = 3.0
"""Weight of a page whose author people read, against one that declares it."""

MIN_WEIGHT: Final = 0.03
MIN_PART_LETTERS: Final = 8
Labelled = Iterable[tuple[str, dict[str, Any], bytes]]
"""Group, labels and HTML of each page."""


class Example(NamedTuple):
    """The candidates of a page, which of them are right, and the page's weight."""

    candidates: list[Candidate]
    right: list[bool]
    host: str
    weight: float


def train(
    sets: list[DataSet], data: Path, labelled: Labelled, output: Path, folds: int
) -> str:
    """Write the models and the shares of right values by source; a line a model."""
    rows = _rows(data / UNLABELLED[0])
    days = {row["id"]: row["date"] for row in rows if isinstance(row["date"], str)}
    examples = read_examples([*sets, *read_sets(data)], days)
    examples["author"] += read_labelled(labelled)
    models = {name: _fit(name, rows) for name, rows in examples.items()}
    found = {"models": models, "sources": source_shares(labelled)}
    text = json.dumps(found, ensure_ascii=False).replace("}, ", "},\n")
    (output / "fields.json").write_text(text + "\n", "utf-8")
    return "\n".join(
        f"{name}: {len(rows)} pages, {len(models[name]['weights'])} weights, "
        f"cross-validated {crossed(name, rows, folds)}"
        for name, rows in examples.items()
    )


def read_examples(
    sets: Iterable[DataSet], days: dict[str, str]
) -> dict[str, list[Example]]:
    """The examples of each field; *days* by page."""
    examples: dict[str, list[Example]] = {name: [] for name in PENALTY}
    for page in (page for data_set in sets for page in data_set.pages):
        for name, example in _examples(page, days.get(page.id)):
            examples[name].append(example)
    return examples


def read_labelled(labelled: Labelled) -> Iterator[Example]:
    """The examples of the author that people read on pages."""
    for _, truth, html in labelled:
        content: Any = extract(html, url=truth["url"])._extraction
        names = letters(truth.get("author") or "")
        if content is not None and names:
            found = find_persons(content.document, content._metadata_reader._places)
            right = [letters(each.text) in names for each in found]
            host = site_of(truth["url"] or "") or truth["id"]
            own = _example("author", found, right, host)
            yield own._replace(weight=own.weight * WEIGHT_READ)


def crossed(field: str, examples: list[Example], folds: int) -> str:
    """Shares of pages with the field whose likeliest candidate is right, by site."""
    fold_of = site_folds([each.host for each in examples], folds)
    counts: Counter[str] = Counter()
    for fold in range(folds):
        pairs = [*zip(examples, fold_of, strict=True)]
        model = _fit(field, [example for example, own in pairs if own != fold])
        for each in (e for e, own in pairs if own == fold and any(e.right)):
            rated = [probability(model, candidate) for candidate in each.candidates]
            best = int(np.argmax(rated))
            verdict = "right" if each.right[best] else "wrong"
            counts[verdict if rated[best] >= MIN_PROBABILITY else "none"] += 1
    total = max(counts.total(), 1)
    return ", ".join(f"{name} {n / total:.3f}" for name, n in sorted(counts.items()))


def read_sets(data: Path) -> list[DataSet]:
    """The sets without labels of the text in a folder of sets."""
    return [
        DataSet(name, tuple(
            LabelledPage(row["id"], row["url"], data / name / "html")
            for row in _rows(data / name)
        ))
        for name in UNLABELLED
    ]  # fmt: skip


def _rows(folder: Path) -> list[dict[str, Any]]:
    return [*map(json.loads, (folder / PAGES).read_text("utf-8").splitlines())]


def _examples(
    page: LabelledPage, published: str | None
) -> Iterator[tuple[str, Example]]:
    content: Any = extract(page.html(), url=page.url)._extraction
    if content is None:
        return
    own, host = content._metadata_reader, page.site or page.id
    if names := declared_names(own):
        found = find_persons(content.document, own._places)
        right = [_is_one_of(each.text, names) for each in found]
        yield "author", _example("author", found, right, host)
    elif page.type in UNDATED:
        found = find_persons(content.document, own._places)
        yield "author", Example(found, [False] * len(found), host, 0.5)
    dates = ("date_published", "date_modified")
    found_days = ((field, own._date(own.declared.found(field))) for field in dates)
    days = {field: day and day.value for field, day in found_days}
    days["date_published"] = published or days["date_published"]
    moments = find_moments(content.document, own._places)
    dated = [(each, own._read_date(each.text)) for each in moments]
    moments = [each._replace(text=day) for each, day in dated if day]
    for field, day in days.items():
        if day:
            is_same = field == "date_modified" and _near(day, days["date_published"])
            right = [not is_same and _near(each.text, day) for each in moments]
            yield field, _example(field, moments, right, host)
    if page.type in UNDATED and not any(days.values()):
        yield "date_published", Example(moments, [False] * len(moments), host, 0.5)


def _example(
    field: str, found: list[Candidate], right: list[bool], host: str
) -> Example:
    return Example(found, right, host, 1.0 if any(right) else WEIGHT_WITHOUT[field])


def declared_names(own: reader.MetadataReader) -> list[str]:
    """The declared authors, without the site itself."""
    names = authors._persons(each.value for each in own.declared.found("author"))
    return [name for name in map(letters, names) if name not in own._sites]


def _is_one_of(text: str, names: list[str]) -> bool:
    own = letters(text)
    is_long = len(own) >= MIN_PART_LETTERS
    return own in names or any(
        is_long and own in name and 2 * len(own) >= len(name) for name in names
    )


def _near(one: str, other: str | None) -> bool:
    return bool(other) and judge("date", one, other) == "right"


def _fit(field: str, examples: list[Example]) -> dict[str, Any]:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    hosts = Counter(each.host for each in examples)
    rows, right, weights = [], [], []
    for each in examples:
        for candidate, known in zip(each.candidates, each.right, strict=True):
            rows.append(dict.fromkeys(candidate.features, 1))
            right.append(known)
            weights.append(each.weight / hosts[each.host] ** 0.5)
    vectors = DictVectorizer()
    model = LogisticRegression(C=PENALTY[field], max_iter=3000)
    model.fit(vectors.fit_transform(rows), np.array(right), sample_weight=weights)
    pairs = zip(vectors.feature_names_, model.coef_[0].tolist(), strict=True)
    kept = {name: round(w, 2) for name, w in pairs if abs(w) >= MIN_WEIGHT}
    return {"intercept": round(float(model.intercept_[0]), 2), "weights": kept}


def source_shares(
    labelled: Labelled, prior: float = 0.9, worth: float = 4
) -> dict[str, dict[str, float]]:
    """The share of right values by field and source, drawn to a *prior*.

    Of pages whose fields people read; the prior is *worth* as many.
    """
    fields = {"title": "title", "author": "author", "date_published": "date"}
    counts: dict[str, dict[str, list[bool]]] = {name: {} for name in sorted(fields)}
    for _, truth, html in labelled:
        found = extract(html, url=truth["url"]).metadata
        for field, label in fields.items():
            value = getattr(found, field)
            if truth.get(label) and value:
                is_right = judge(label, truth[label], value) == "right"
                counts[field].setdefault(found.sources[field], []).append(is_right)
    return {
        field: {
            source: round((sum(right) + prior * worth) / (len(right) + worth), 3)
            for source, right in sorted(cells.items())
        }
        for field, cells in counts.items()
    }
