"""Pages as the learned default reads them that has seen no page of their sites.

The shipped model was trained on the labelled sets: it is surer of their pages, and
better on them, than on any other. So each page is read by a model that was trained,
as the shipped one was, on the pages of other sites alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scrapy_mainpage.training.train_pages import TrainingPage, read_page

from scrapy_mainpage.evaluation.datasets import DataSet, LabelledPage, site_folds
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.learned.features import feature_names
from scrapy_mainpage.extraction.learned.learned import load_forest
from scrapy_mainpage.page import Page
from scrapy_mainpage.training.train_forest import fit_forest

FOLDS = 5

Read = tuple[str, LabelledPage, Page]


def read_unseen(sets: Sequence[DataSet], folds: int = FOLDS) -> Iterator[Read]:
    """Each page that has a gold text, with its set's name and what was extracted."""
    labelled = [(data_set.name, page) for data_set in sets for page in data_set.pages]
    training = [read_page(*item) for item in labelled]
    fold_of = site_folds([page.site for _, page in labelled], folds)
    with tempfile.TemporaryDirectory() as folder:
        for fold in range(folds):
            known = [
                page
                for page, own in zip(training, fold_of, strict=True)
                if page is not None and own != fold
            ]
            extractor = _trained(known, Path(folder, f"{fold}.npz"))
            for (name, page), own in zip(labelled, fold_of, strict=True):
                if own == fold and page.text is not None:
                    yield name, page, extractor.extract(page.html(), url=page.url)


def _trained(pages: Sequence[TrainingPage], file: Path) -> Extractor:
    """An extractor with a model of these pages, calibrated as the shipped one is."""
    shipped = load_forest()
    forest = fit_forest(pages, feature_names())
    replace(forest, slope=shipped.slope, offset=shipped.offset).save(file)
    return Extractor("learned", {"model": str(file)})
