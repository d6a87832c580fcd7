"""Algorithms as they are named on the command line."""

from __future__ import annotations

import pytest

from lab.evaluation.extractors import EXTRACTORS
from lab.evaluation.systems import (
    AlgorithmSpec,
)
from scrapy_mainpage.extraction.algorithms import AlgorithmError
from tests.evaluation.sets import MENU
from tests.extraction.helpers import document_of


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("nope", "unknown algorithm 'nope'"),
        ("", "unknown algorithm ''"),
        ("danag:gap", "'gap' is not OPTION=VALUE"),
        ("danag:=3", "'=3' is not OPTION=VALUE"),
        ("danag:nope=3", "danag"),
        ("all-text:gap=3", "'all-text' has no options"),
    ],
)
def test_what_is_not_known_is_an_error(label: str, reason: str) -> None:
    with pytest.raises(AlgorithmError) as caught:
        AlgorithmSpec.parse(label)
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", EXTRACTORS)
def test_other_extractors_take_the_text_of_an_article(name: str) -> None:
    spec = AlgorithmSpec.parse(name)
    assert spec.is_extractor
    prose = "It was the night in which they had seen all of the owls of this wood, " * 6
    text = f"<p>A story.</p><p>{prose}</p><p>It was dark.</p>"
    page = f"<html><body>{MENU}<article>{text}</article></body></html>"
    found = EXTRACTORS[name].extract(page, "en")
    assert "they had seen all of the owls" in found
    assert "Home" not in found
    with pytest.raises(AlgorithmError, match="has no options"):
        AlgorithmSpec.parse(f"{name}:a=1")


def test_all_text_takes_every_block_and_is_a_reference() -> None:
    spec = AlgorithmSpec.parse("all-text")
    algorithm = spec.build()
    document = document_of("<p>a</p><p>b</p>")
    assert algorithm.select(document, algorithm.score(document)).tolist() == [True] * 2
    assert spec.is_reference
    assert not AlgorithmSpec.parse("danag").is_reference
