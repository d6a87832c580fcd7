"""Training of the models of author and dates: ``weights/fields.json``.

Pages that declare a field are the examples: a candidate in the visible page is right if
it says the declared value. Pages whose value stands nowhere weigh little: most show
another one. Listings, products and services without a declaration show the authors and
dates of others. Old pages without a declaration count, if only one of their days is
within 40 days before the crawl. Hosts of the set ``metadata`` and the set
``world-news`` are left out: there the fields are measured.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.metadata import authors, field_models, reader
from scrapy_mainpage.extraction.metadata.declarations import from_source
from scrapy_mainpage.extraction.metadata.moments import find_moments
from scrapy_mainpage.extraction.metadata.persons import find_persons
from scrapy_mainpage.extraction.title_rule import letters

if TYPE_CHECKING:
    from scrapy_mainpage.evaluation.datasets import DataSet, LabelledPage
    from scrapy_mainpage.extraction.metadata.candidates import Candidate

OLD_PAGES: Final = "multilingual-news"
DAYS: Final = 40
PENALTY: Final = {"author": 0.5, "date_published": 0.3, "date_modified": 0.3}
"""Regularisation (C of the logistic regression)."""

WEIGHT_WITHOUT: Final = {"author": 0.1, "date_published": 0.3, "date_modified": 0.3}
"""Weight of a page none of whose candidates is right."""

UNDATED: Final = frozenset({"listing", "collection", "product", "service"})
"""Types of pages without a date or an author of their own, unless they declare one."""

MIN_WEIGHT: Final = 0.03
MIN_PART_LETTERS: Final = 8
_CRAWLED: Final = re.compile(r"(\d{4})(\d\d)(\d\d)_")


class Example(NamedTuple):
    """The candidates of a page, which of them are right, and the page's weight."""

    candidates: list[Candidate]
    right: list[bool]
    host: str
    weight: float


def train(sets: Iterable[DataSet], held_out: frozenset[str], output: Path) -> str:
    """Write the models, without shares of sources; return a line a model."""
    examples = read_examples(sets, held_out)
    models = {name: _fit(name, rows) for name, rows in examples.items()}
    write({"models": models, "sources": {}}, output)
    return "\n".join(
        f"{name}: {len(rows)} pages, {len(models[name]['weights'])} weights"
        for name, rows in examples.items()
    )


def read_examples(
    sets: Iterable[DataSet], held_out: frozenset[str]
) -> dict[str, list[Example]]:
    """The examples of each field, without hosts that are *held_out*."""
    examples: dict[str, list[Example]] = {name: [] for name in PENALTY}
    for data_set in sets:
        for page in data_set.pages:
            host = page.site or page.id
            if host not in held_out:
                for name, example in _examples(page, host, data_set.name):
                    examples[name].append(example)
    return examples


def _judged(name: str, example: Example) -> Iterator[tuple[str, float, bool]]:
    pairs = zip(example.candidates, example.right, strict=True)
    right = {each.text for each, known in pairs if known}
    if name == "author":
        names, share = field_models.choose_persons(example.candidates)
        if names:
            yield name, share, right.issuperset(names)
    elif found := field_models.choose_date(name, example.candidates, str):
        yield name, found.probability or 0.0, found.value in right


def add_sources(shares: dict[str, dict[str, float]], output: Path) -> None:
    """Write the shares of right values by source beside the models."""
    content = json.loads((output / "fields.json").read_text("utf-8"))
    write({**content, "sources": shares}, output)


def write(content: dict[str, Any], output: Path) -> None:
    text = json.dumps(content, ensure_ascii=False)
    (output / "fields.json").write_text(text.replace("}, ", "},\n") + "\n", "utf-8")


def _examples(
    page: LabelledPage, host: str, name: str
) -> Iterator[tuple[str, Example]]:
    content: Any = extract(page.html(), url=page.url)._extraction
    if content is None:
        return
    own = reader.MetadataReader(
        content.document,
        page.url,
        content.block_text,
        main=content.main,
        title_block=content.title_block,
    )
    if names := declared_names(own):
        found = find_persons(content.document, own._places)
        right = [_is_one_of(each.text, names) for each in found]
        yield "author", _example("author", found, right, host)
    elif page.type in UNDATED:
        found = find_persons(content.document, own._places)
        yield "author", Example(found, [False] * len(found), host, 0.5)
    days = {
        "date_published": _day(own, "datePublished", reader._PUBLISHED),
        "date_modified": _day(own, "dateModified", reader._MODIFIED),
    }
    moments = find_moments(content.document, own._places)
    dated = [(each, own._read_date(each.text)) for each in moments]
    moments = [each._replace(text=day) for each, day in dated if day]
    read = [day for _, day in dated if day]
    for field, day in days.items():
        if day:
            is_same = field == "date_modified" and _near(day, days["date_published"])
            right = [not is_same and _near(each, day) for each in read]
            yield field, _example(field, moments, right, host)
    if page.type in UNDATED and not any(days.values()):
        yield "date_published", Example(moments, [False] * len(moments), host, 0.5)
    crawled = _CRAWLED.match(page.id) if name == OLD_PAGES else None
    if crawled and not days["date_published"]:
        right = [_is_before(each, date(*map(int, crawled.groups()))) for each in read]
        if (
            len({day[:10] for day, known in zip(read, right, strict=True) if known})
            == 1
        ):
            yield "date_published", Example(moments, right, host, 1.0)


def _example(
    field: str, found: list[Candidate], right: list[bool], host: str
) -> Example:
    return Example(found, right, host, 1.0 if any(right) else WEIGHT_WITHOUT[field])


def declared_names(own: reader.MetadataReader) -> list[str]:
    """The declared authors, without the site itself."""
    names = authors._persons(authors._jsonld_names(own.jsonld))
    names = names or authors._persons(own.declared.all(*authors._META))
    return [letters(name) for name in names if letters(name) not in own._sites]


def _is_one_of(text: str, names: list[str]) -> bool:
    own = letters(text)
    is_long = len(own) >= MIN_PART_LETTERS
    return own in names or any(
        is_long and own in name and 2 * len(own) >= len(name) for name in names
    )


def _day(own: reader.MetadataReader, key: str, names: tuple[str, ...]) -> str | None:
    values = chain(
        from_source("json-ld", own.jsonld.values(key)),
        own.declared.found(*names),
        own._item_values(key.lower()),
    )
    found = own._date(values)
    return found.value if found else None


def _distance(one: str | None, other: str | None) -> int | None:
    try:
        days = [date.fromisoformat((day or "")[:10]) for day in (one, other)]
    except ValueError:
        return None
    return (days[1] - days[0]).days


def _near(one: str, other: str | None) -> bool:
    distance = _distance(one, other)
    return distance is not None and abs(distance) <= 1


def _is_before(day: str, crawled: date) -> bool:
    distance = _distance(day, crawled.isoformat())
    return distance is not None and -2 <= distance <= DAYS


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
    judged: Iterable[tuple[str, str, bool]], prior: float = 0.9, worth: float = 4
) -> dict[str, dict[str, float]]:
    """The share of right values by field and source, drawn to a *prior*.

    *judged* are field, source and verdict of each value; the prior is *worth* as many.
    """
    counts: dict[str, dict[str, list[int]]] = {}
    for field, source, is_right in judged:
        cell = counts.setdefault(field, {}).setdefault(source, [0, 0])
        cell[0] += is_right
        cell[1] += 1
    return {
        field: {
            source: round((right + prior * worth) / (count + worth), 3)
            for source, (right, count) in sorted(cells.items())
        }
        for field, cells in sorted(counts.items())
    }


Judge = Callable[[str, str, str | None], str]


def judged_values(
    labelled: Iterable[tuple[str, dict[str, Any], bytes]], judge: Judge
) -> Iterator[tuple[str, str, bool]]:
    """Field, source and verdict of each value on pages whose fields people read."""
    fields = {"title": "title", "author": "author", "date_published": "date"}
    for _, truth, html in labelled:
        found = extract(html, url=truth["url"]).metadata
        for field, label in fields.items():
            value = getattr(found, field)
            if truth.get(label) and value:
                verdict = judge(label, truth[label], value)
                yield field, found.sources[field], verdict == "right"
