"""Training of the trees that choose the lists of a page's entries: ``entries.npz``.

Examples are the candidates of the pages of the set ``listings``, of listings whose
entries were read (``labelled/entries.jsonl``), and of pages of other types, threads
among them, which have none. A candidate is as good as the F1 of its records, among the
entries to which links of its kind lead.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from lab.benchmarks.entries import Marked, ending
from lab.benchmarks.pages import labelled_rows
from scrapy_mainpage import extract
from scrapy_mainpage.extraction.records.entries import lists_of
from scrapy_mainpage.extraction.records.targets import Targets
from scrapy_mainpage.extraction.repeats.candidates import hrefs_of

from .boosting import flatten, site_folds

if TYPE_CHECKING:
    import numpy.typing as npt

OTHERS: Final = ("article", "documentation", "service", "product", "forum")
OTHER_SETS: Final = (
    "world-news", "multilingual-news", "multilingual-article", "dates", "recipes",
    "metadata", "documentation", "threads",
)  # fmt: skip
MOST_OF_SET: Final = 500
MOST_OF_SITE: Final = 5
OTHER_WEIGHT: Final = 0.6
ROUNDS: Final = 120
BAGS: Final = 4
"""Boosters, each of its own seed: with one alone F1 of the 44 lists that were read is
between .79 and .91, by the seed."""

PARAMETERS: Final[dict[str, Any]] = {
    "objective": "cross_entropy",
    "num_leaves": 7,
    "min_data_in_leaf": 30,
    "learning_rate": 0.1,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10,
    "max_bin": 63,
    "deterministic": True,
    "force_col_wise": True,
    "verbose": -1,
    "seed": 1,
}


class Example(NamedTuple):
    """The candidates of a page: their rows, how good they are, and their weights."""

    rows: npt.NDArray[np.float32]
    worth: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]
    site: str


def train(data: Path, output: Path, folds: int) -> str:
    """Write the trees; return what cross-validation by site says of them."""
    examples = [*read_examples(data)]
    fold_of = np.array(site_folds([each.site for each in examples], folds))
    errors, best = [], []
    for fold in range(folds):
        models = _fit([e for e, f in zip(examples, fold_of, strict=True) if f != fold])
        for example in (e for e, f in zip(examples, fold_of, strict=True) if f == fold):
            found = np.mean([each.predict(example.rows) for each in models], axis=0)
            errors.append(np.abs(found - example.worth).mean())
            if example.worth.any():
                best.append(example.worth[int(found.argmax())])
    dumps = [model.dump_model()["tree_info"] for model in _fit(examples)]
    trees = [tree["tree_structure"] for dump in dumps for tree in dump]
    nodes, roots = flatten(trees)
    # The mean of the bags is the sum of their trees.
    nodes["value"] = (nodes["value"] / BAGS).astype(np.float16)
    np.savez_compressed(output / "entries.npz", **nodes, roots=roots)
    return (
        f"entries: {len(examples)} pages, mean error {np.mean(errors):.4f}, "
        f"F1 of the best list {np.mean(best):.3f}"
    )


def read_examples(data: Path) -> Iterator[Example]:
    """The examples of all sets below *data*."""
    for row, body in labelled_rows(data / "listings"):
        marked = Marked(row, body)
        yield from _example(row, body, marked, site_of_list(row["id"]))
    file = Path(__file__).parent / "labelled" / "entries.jsonl"
    read = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    known = {line["id"]: line["entries"] for line in read}
    none = Marked({}, b"")
    for row, body in labelled_rows(data / "wcxb-dev"):
        site = (urlsplit(row["url"]).hostname or "").removeprefix("www.")
        if row["id"] in known:
            marked = Marked({}, b"")
            urls = [ending(url) for url in known[row["id"]]]
            marked.targets = {url: {k} for k, url in enumerate(urls)}
            yield from _example(row, body, marked, site)
        elif row["type"] in OTHERS:
            yield from _example(row, body, none, site)
    for name in OTHER_SETS:
        counts = Counter[str]()
        for row, body in labelled_rows(data / name, MOST_OF_SET):
            # A few rows have the name of a host in place of an address.
            parts = urlsplit(row.get("url") or row["id"])
            site = (parts.hostname or parts.path).removeprefix("www.")
            counts[site] += 1
            if "in" not in row and counts[site] <= MOST_OF_SITE:
                own = row if parts.scheme else row | {"url": None}
                yield from _example(own, body, none, site)


def site_of_list(name: str) -> str:
    """Courts of one state, which share a template, are one site."""
    return name[:9] if name.startswith("court-") else name


def _example(
    row: dict[str, Any], body: bytes, marked: Marked, site: str
) -> Iterator[Example]:
    page = extract(body, url=row.get("url"))
    content: Any = page._extraction
    if content is None or (row.get("type") == "forum" and len(page.posts) < 2):
        # A forum's list of threads is none of the lists that were read.
        return
    targets = Targets(content.document, content.url)
    found = lists_of(content, targets)
    if found is None:
        return
    links, candidates, rows = found
    urls = [targets.find(href) for href in hrefs_of(content.document, links)]
    sizes = np.sqrt(candidates.sizes)
    weight = (
        sizes / sizes.sum() * (1 if marked.ends or marked.targets else OTHER_WEIGHT)
    )
    worth = np.array([*_worths(candidates, urls, marked)])
    yield Example(rows, worth, weight, site or row["id"])


def _worths(candidates: Any, urls: list[str | None], marked: Marked) -> Iterator[float]:
    lists = np.split(candidates.link, candidates.bounds[1:-1])
    reached: dict[int, set[int]] = {}
    for kind, own in zip(candidates.kind.tolist(), lists, strict=True):
        found = (marked.match(urls[k]) for k in own)
        reached.setdefault(kind, set()).update(*found)
    for kind, own in zip(candidates.kind.tolist(), lists, strict=True):
        distinct = {urls[k]: None for k in own}
        taken: set[int] = set()
        for url in distinct:
            taken.update(sorted(marked.match(url) - taken)[:1])
        yield 2 * len(taken) / (len(distinct) + len(reached[kind]))


def _fit(examples: list[Example]) -> list[Any]:
    """Boosted trees, once for each bag, whose odds have one mean."""
    import lightgbm

    rows, worth, weight = (
        np.concatenate([each[k] for each in examples]) for k in range(3)
    )
    data = lightgbm.Dataset(rows, worth, weight=weight / weight.mean())
    seeds = ({"seed": PARAMETERS["seed"] + bag} for bag in range(BAGS))
    return [lightgbm.train(PARAMETERS | seed, data, ROUNDS) for seed in seeds]
