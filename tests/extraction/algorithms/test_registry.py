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


@pytest.mark.parametrize("options", [{"gap": "many"}, {"nothing": 1}])
def test_a_bad_option_is_refused_with_what_is_allowed(options: dict[str, object]):
    with pytest.raises(
        AlgorithmError, match="allowed: gap, link_code, whole_"
    ) as caught:
        get_algorithm("danag", options)
    assert "\n" not in str(caught.value)
