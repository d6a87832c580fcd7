from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import (
    DEFAULT_ALGORITHM,
    Algorithm,
    AlgorithmError,
    available,
    get_algorithm,
)
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.extractor import Extractor


@dataclass(frozen=True)
class Everything(Algorithm):
    """An algorithm as a user would write it."""

    name: ClassVar[str] = "everything"

    def score(self, document: Document, layout: object = None) -> np.ndarray:
        return np.ones(document.n_blocks, np.float32)


def test_every_registered_algorithm_can_be_made_and_knows_its_name():
    assert DEFAULT_ALGORITHM in available()
    for name in available():
        assert get_algorithm(name).name == name


def test_options_reach_the_algorithm():
    assert get_algorithm("danag", {"gap": 3}).gap == 3


def test_an_import_path_names_an_algorithm_of_the_user():
    path = f"{__name__}.Everything"
    page = Extractor(path).extract("<p>a</p><p>b</p>")
    assert (page.text, page.algorithm) == ("a\n\nb", "everything")


@pytest.mark.parametrize(
    "name", ["nothing", "", "no.such.module", "json.loads", "os.path", None, 3]
)
def test_an_unknown_name_is_refused_with_what_is_allowed(name: str):
    with pytest.raises(AlgorithmError, match=r"danag, .*semantic-markup") as caught:
        get_algorithm(name)
    assert "\n" not in str(caught.value)


REFUSED = {
    "centroid": [
        ("c", 0, 1.5),
        ("tr", -1, "1.5", float("nan")),
        ("hr", -1, 7.0, True),
    ],
    "danag": [("gap", -1, 1.5, "many"), ("whole_area", "yes")],
    "first-impression": [
        ("rows", 0, 7.0),
        ("columns", "8", True),
        ("alpha", -1, "2", float("inf")),
        ("beta", float("nan"), None),
        ("delta_w", 0.9),
    ],
    "layout-analysis": [
        ("tolerance", -0.1, 1.1, "0.1"),
        ("delta", float("nan"), None),
        ("fallback_score", 2, True),
        ("sentences", 0, 1.5, True),
        ("least_words", "five"),
        ("tagger", 1, None),
    ],
    "semantic-markup": [("tag", "section")],
    "text-block-context": [("segmentation", "", "Paper", "lines", None, 1)],
}


@pytest.mark.parametrize(
    ("algorithm", "option", "value"),
    [
        (name, option, value)
        for name, options in REFUSED.items()
        for option, *values in options
        for value in values
    ],
)
def test_a_bad_value_is_refused_with_the_allowed_ones(
    algorithm: str, option: str, value: object
):
    with pytest.raises(AlgorithmError, match=f"{option} must be ") as caught:
        get_algorithm(algorithm, {option: value})
    assert "\n" not in str(caught.value)


def test_an_unknown_option_is_refused_with_the_allowed_ones():
    allowed = "allowed: gap, whole_"
    with pytest.raises(AlgorithmError, match=allowed) as caught:
        get_algorithm("danag", {"nothing": 1})
    assert "\n" not in str(caught.value)
