"""Training of the models of products: ``weights/products.json``.

The examples are pages that declare a product, without their declaration: a visible
price is right if it is the declared one. Whether a page is about one product is learned
from these, from pages of the type "product", and from all pages of other types.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from lab.benchmarks.products import JUDGES, read_truth, taken_out
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import DataSet, decode_page, site_of
from scrapy_mainpage.extraction.records.prices import region_of
from scrapy_mainpage.extraction.records.product_facts import find_facts
from scrapy_mainpage.extraction.records.product_fields import (
    likeliest,
    odds,
    page_columns,
    price_columns,
    shown_prices,
)
from scrapy_mainpage.extraction.records.product_page import ProductPage

from .boosting import site_folds

Columns = Mapping[str, Any]
PENALTY: Final = 1.0
PRODUCT_WEIGHT: Final = 5.0
"""Weight of a page of a product: one that is missed costs more than one in a hundred
others that is taken for one."""


class Example(NamedTuple):
    """A page, its prices, their columns, and which of them are declared."""

    site: str
    is_product: bool
    types: dict[str, float]
    page: ProductPage
    spots: list[Any]
    columns: Columns
    right: list[bool]
    facts: dict[str, str]


def train(sets: Iterable[DataSet], output: Path, folds: int) -> str:
    """Write the weights; return how often they are right on sites not seen."""
    examples = [*read_examples(sets)]
    fold_of = site_folds([each.site for each in examples], folds)
    counts: Counter[str] = Counter()
    for fold in range(folds):
        pairs = [*zip(examples, fold_of, strict=True)]
        models = fit_models([example for example, own in pairs if own != fold])
        for each in (example for example, own in pairs if own == fold):
            kind = "products" if each.is_product else "others"
            row = page_row(each, models["price"])
            counts[kind] += 1
            counts[f"found {kind}"] += bool(odds(models["page"], row)[0] > 0)
            if any(each.right):
                best = int(odds(models["price"], each.columns).argmax())
                counts["prices"] += 1
                counts["right prices"] += each.right[best]
    text = json.dumps(fit_models(examples), indent=0) + "\n"
    (output / "products.json").write_text(text, "utf-8")
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def fit_models(examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The models of a price and of a page."""
    price = fit_price(examples)
    rows = [page_row(each, price) for each in examples]
    return {"price": price, "page": fit_page(examples, rows)}


def read_examples(sets: Iterable[DataSet]) -> Iterator[Example]:
    """The pages of the *sets*, also those on which no product is searched."""
    for page in (page for data_set in sets for page in data_set.pages):
        html = decode_page(page.html())
        truth = read_truth(html, page.url)
        is_product = bool(truth) or page.type == "product"
        text = taken_out(page.html()) if truth else html
        content = extract(text, url=page.url)._extraction
        # A product of a list, or beside an article, makes no page of a product.
        is_told = is_product or "schema.org/Product" not in html
        if is_told and content is not None and content.document.n_blocks:
            shown = ProductPage(content.document, content.title_block)
            region = region_of(page.url, content.declared.meta.language)
            spots = shown_prices(shown, region)
            columns = price_columns(shown, spots) if spots else {}
            prices = truth["price"] if truth else []
            right = [
                any(JUDGES["price"](s.price.amount, p) for p in prices) for s in spots
            ]
            yield Example(site_of(page.url), is_product, content.page_types, shown,
                          spots, columns, right, find_facts(shown))  # fmt: skip


def page_row(example: Example, price: dict[str, float]) -> Columns:
    """The columns of a page, given the model of its prices."""
    columns = example.columns
    seen = likeliest(example.spots, odds(price, columns)) if columns else None
    return page_columns(example.page, example.types, seen, example.facts)


def fit_price(examples: Sequence[Example]) -> dict[str, float]:
    """The weights by which the right price of a page is to be the likeliest."""
    from scipy.optimize import minimize

    known = [each for each in examples if any(each.right)]
    names = [*known[0].columns]
    rows = np.concatenate([_table(each.columns, names) for each in known])
    right = np.concatenate([each.right for each in known])
    page = np.repeat(np.arange(len(known)), [len(each.right) for each in known])
    scale = rows.std(axis=0) + 1e-6

    def loss(weights: Any) -> tuple[float, Any]:
        likely = np.exp(rows / scale @ weights)
        whole, wanted = (np.bincount(page, e) for e in (likely, likely * right))
        slope = likely * (1 / whole[page] - right / wanted[page])
        total = np.log(whole / wanted).sum() + PENALTY * weights @ weights
        return float(total), (rows / scale).T @ slope + 2 * PENALTY * weights

    weights = (minimize(loss, np.zeros(len(names)), jac=True).x / scale).round(2)
    return {**dict(zip(names, weights.tolist(), strict=True)), "": 0.0}


def _table(columns: Columns, names: Sequence[str]) -> Any:
    return np.array([columns[name] for name in names], float).T


def fit_page(examples: Sequence[Example], rows: Sequence[Columns]) -> dict[str, float]:
    """The weights of a page's columns; each page once more without its type.

    The types are of a model that has seen the pages.
    """
    untyped = [{**row, "type": [0.0], "list": [0.0], "untyped": [1.0]} for row in rows]
    right = [each.is_product for each in examples] * 2
    weights = [PRODUCT_WEIGHT if own else 1.0 for own in right]
    return fit([*rows, *untyped], right, weights)


def fit(
    rows: Sequence[Columns], right: Sequence[bool], weights: Sequence[float]
) -> dict[str, float]:
    """The weights of a logistic regression by column; of "" its intercept."""
    from sklearn.linear_model import LogisticRegression

    names = [*rows[0]]
    table = np.concatenate([_table(row, names) for row in rows])
    model = LogisticRegression(C=1 / PENALTY, max_iter=2000)
    model.fit(table, right, sample_weight=weights)
    pairs = zip(names, model.coef_[0].tolist(), strict=True)
    found = {name: round(weight, 2) for name, weight in pairs}
    return found | {"": round(float(model.intercept_[0]), 2)}
