"""The extraction gives for every page of the golden corpus what it gave before."""

from __future__ import annotations

import json

import pytest

from .corpus import FOLDER, golden_pages, outputs

PAGES = golden_pages()


@pytest.mark.parametrize("name", PAGES)
def test_outputs_are_those_on_record(name: str) -> None:
    recorded = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert outputs(name, PAGES[name]) == recorded


def test_the_corpus_has_a_record_for_each_page_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(PAGES)
    assert len(PAGES) >= 60
