"""The fuzzer's own parts, and its checks on a few hundred generated pages."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import scrapy_mainpage
from lab.fuzz import checks, grammar, mutations, plain, targets
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html

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
    checks.check_document(checks.check_read_only(root))


@pytest.mark.parametrize("change", mutations.MUTATIONS, ids=lambda item: item.__name__)
def test_changed_pages_are_read_soundly(change: mutations.Mutation) -> None:
    choose = random.Random(3)
    for seed in range(10):
        page = change(grammar.page(seed), choose)
        checks.check_document(read_tree(parse_html(page.decode("utf-8", "replace"))))


# --- The checks can fail


def test_an_empty_result_without_a_reason_is_found() -> None:
    page = scrapy_mainpage.Page(url=URL, text="", algorithm="learned")
    with pytest.raises(checks.BrokenError, match="has a warning"):
        checks.check_page(page)


def test_a_block_out_of_the_document_is_found() -> None:
    document = read_tree(parse_html("<p>a<p>b"))
    document.blocks.end[-1] += 1
    with pytest.raises(checks.BrokenError, match="inside the document"):
        checks.check_document(document)


def test_characters_of_another_page_are_found() -> None:
    page = scrapy_mainpage.extract("<p>" + "word and word, " * 40, url=URL)
    with pytest.raises(checks.BrokenError):
        checks.check_origin(page, parse_html("<p>" + "x" * 40))


def test_a_page_unlike_itself_is_found() -> None:
    one, other = (scrapy_mainpage.extract(f"<p>{'a b ' * 40}{n}") for n in (1, 2))
    with pytest.raises(checks.BrokenError, match="the same page twice"):
        checks.check_again(one, other)


def test_an_output_that_takes_the_square_of_the_size_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        checks,
        "part_seconds",
        lambda source, _: {
            "text": 1e-5 * len(source),
            "links": 1e-9 * len(source) ** 2,
        },
    )
    with pytest.raises(checks.BrokenError, match=r"links.* grow no faster"):
        checks.check_growth(lambda size: b"a" * size, targets._extractor)


# --- Output of a run


def test_what_fails_is_kept_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(data: bytes) -> None:
        raise ValueError("always")

    monkeypatch.setitem(targets.TARGETS, "failing", failing)
    outcome = plain.run("failing", [b"<p>a"], 0.05, tmp_path / "found")
    assert outcome.executions > 1
    assert outcome.findings == list((tmp_path / "found").iterdir())
    assert len(outcome.findings) == 1
    assert "ValueError: always" in capsys.readouterr().err


@pytest.mark.parametrize(
    "target", ["document", "extract", "flattening", "floods", "twin", "trees"]
)
def test_targets_run_without_sanitisers(target: str, tmp_path: Path) -> None:
    outcome = plain.run(target, [grammar.page(1)], 0.2, tmp_path)
    assert outcome.executions
    assert not outcome.findings
