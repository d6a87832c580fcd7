"""The training of the linear model of the markup."""

from __future__ import annotations

import numpy as np
import pytest

from lab.tests.training.kinds import page_of
from lab.training import markup
from lab.training.markup import (
    fit_markup,
    unseen_markup,
)
from lab.training.training_pages import TrainingPage
from scrapy_mainpage.extraction.learned.features import (
    block_slots,
)
from tests.extraction.helpers import document_of


def page_with(html: str, main: list[int], site: str) -> TrainingPage:
    document = document_of(html)
    n = document.n_blocks
    labels = np.isin(np.arange(n), main)
    rows = np.zeros((n, 1), np.float32)
    return page_of(rows, labels, site=site, slots=block_slots(document))


def story(site: str, body: str = "post", menu: str = "menu") -> TrainingPage:
    html = f"<div class={menu}><p>a<p>b</div><div class={body}><p>c<p>d</div>"
    return page_with(html, [2, 3], site)


SITES = [f"s{k}" for k in range(8)]


def test_names_of_few_sites_are_not_learned() -> None:
    pages = [story(site, f"post {site}own") for site in SITES]
    pages += [story(site, "rare") for site in SITES[:4]]
    slots, _ = fit_markup([*pages, *[story(site, "five") for site in SITES[:5]]])

    def learned(name: str) -> bool:
        own, other = (
            set(block_slots(document_of(f"<div class={n}><p>a</div>"))[0].tolist())
            for n in (name, "neverseen")
        )
        return bool((own - other) & set(slots.tolist()))

    assert [learned(name) for name in ("post", "five")] == [True, True]
    assert [learned(name) for name in ("s1own", "rare")] == [False, False]


def test_no_model_speaks_of_a_site_that_it_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    # A page's sums are its site's number, if the model did not see the site.
    pages = [story(SITES[k % 8]) for k in range(24)]
    seen: list[set[str]] = []

    def fit(train: list[TrainingPage]) -> tuple[object, object]:
        seen.append({page.site for page in train})
        return np.zeros(0, np.int32), np.zeros(0, np.float32)

    def sums(slots: list[str], table: object) -> list[str]:
        assert slots[0] not in seen[-1]
        return slots

    monkeypatch.setattr(markup, "fit_markup", fit)
    monkeypatch.setattr(markup, "slot_sums", sums)
    monkeypatch.setattr(markup, "slots_of", lambda page: [page.site])
    fold_of = [k % 4 for k in range(24)]
    assert unseen_markup(pages, fold_of) == [[page.site] for page in pages]
    assert seen == [{f"s{j}" for j in range(8) if j % 4 != k} for k in range(4)]
