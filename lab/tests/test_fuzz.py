"""The fuzzer's own parts, and its checks on a few hundred generated pages."""

from __future__ import annotations

import random

import pytest

import scrapy_mainpage
from lab.fuzz import checks, grammar, mutations, targets
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html
from tests.extraction.soundness import check_document, check_ranges

URL = "https://example.com/a"


@pytest.mark.parametrize("seed", range(20))
def test_generated_pages_are_extracted_soundly(seed: int) -> None:
    data = grammar.page(seed, 60)
    checks.check_page(scrapy_mainpage.extract(data, url=URL))
    html = data.decode("utf-8", "replace")
    page, root = scrapy_mainpage.extract(html, url=URL), parse_html(html)
    checks.check_page(page)
    checks.check_origin(page, root)
    checks.check_again(page, scrapy_mainpage.extract(html, url=URL))
    check_document(root)


@pytest.mark.parametrize("change", mutations.MUTATIONS, ids=lambda item: item.__name__)
def test_changed_pages_are_read_soundly(change: mutations.Mutation) -> None:
    choose = random.Random(3)
    for seed in range(10):
        page = change(grammar.page(seed), choose)
        check_document(parse_html(page.decode("utf-8", "replace")))


# --- The checks can fail


def test_an_empty_result_without_a_reason_is_found() -> None:
    page = scrapy_mainpage.Page(url=URL, text="", algorithm="learned")
    with pytest.raises(checks.BrokenError, match="has a warning"):
        checks.check_page(page)


def test_a_block_out_of_the_document_is_found() -> None:
    document = read_tree(parse_html("<p>a<p>b"))
    document.blocks.end[-1] += 1
    with pytest.raises(AssertionError, match="inside the document"):
        check_ranges(document)


def test_characters_of_another_page_are_found() -> None:
    page = scrapy_mainpage.extract("<p>" + "word and word, " * 40, url=URL)
    with pytest.raises(checks.BrokenError):
        checks.check_origin(page, parse_html("<p>" + "x" * 40))


def test_a_page_unlike_itself_is_found() -> None:
    one, other = (scrapy_mainpage.extract(f"<p>{'a b ' * 40}{n}") for n in (1, 2))
    with pytest.raises(checks.BrokenError, match="the same page twice"):
        checks.check_again(one, other)


@pytest.mark.parametrize(
    "target", ["document", "extract", "flattening", "reread", "trees"]
)
def test_targets_run_without_sanitisers(target: str) -> None:
    for seed in range(4):
        targets.TARGETS[target](grammar.page(seed))
