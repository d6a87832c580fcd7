"""The fuzzer's own parts, and its checks on a few hundred generated pages."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import scrapy_mainpage
from fuzz import checks, grammar, mutations, plain, record, seeds, targets
from fuzz.__main__ import executions
from fuzz.plain import Outcome
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html

URL = "https://example.com/a"


@pytest.mark.parametrize("seed", range(40))
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
    for seed in range(40):
        page = change(grammar.page(seed), choose)
        checks.check_document(read_tree(parse_html(page.decode("utf-8", "replace"))))


@pytest.mark.parametrize("change", mutations.MUTATIONS, ids=lambda item: item.__name__)
def test_nothing_can_be_changed_too(change: mutations.Mutation) -> None:
    assert isinstance(change(b"", random.Random(1)), bytes)


def test_the_same_seed_gives_the_same_page() -> None:
    assert grammar.page(7) == grammar.page(7)
    assert len({grammar.page(seed) for seed in range(200)}) > 190


def test_pages_hold_most_of_what_is_read() -> None:
    pages = b"".join(grammar.page(seed, 400) for seed in range(200))
    missing = [tag for tag in seeds.TAGS if b"<" + tag.encode() not in pages]
    assert not missing
    assert not [n for n in seeds.ATTRIBUTES if n.encode() + b"=" not in pages]


def test_cut_pages_end_at_a_kilobyte() -> None:
    page = bytes(5000)
    lengths = {len(mutations.cut(page, random.Random(seed))) for seed in range(99)}
    assert lengths == {1024, 2048, 3072, 4096, 5000}


def test_shuffling_keeps_all_tags() -> None:
    page = grammar.page(5, 200)
    shuffled = mutations.shuffle(page, random.Random(1))
    assert shuffled != page
    assert sorted(shuffled) == sorted(page)


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


def test_overlapping_blocks_are_found() -> None:
    document = read_tree(parse_html("<p>abc<p>def"))
    document.blocks.end[0] += 1
    with pytest.raises(checks.BrokenError, match="overlap"):
        checks.check_document(document)


def test_documents_that_differ_are_told_apart() -> None:
    one, other = (read_tree(parse_html(text)) for text in ("<p>a", "<p>a"))
    assert checks.same_documents(one, other)
    other.elements.code[0] += 1
    assert not checks.same_documents(one, other)
    assert np.array_equal(one.blocks.start, other.blocks.start)


def test_characters_of_another_page_are_found() -> None:
    page = scrapy_mainpage.extract("<p>" + "word and word, " * 40, url=URL)
    with pytest.raises(checks.BrokenError):
        checks.check_origin(page, parse_html("<p>" + "x" * 40))


def test_a_page_unlike_itself_is_found() -> None:
    one, other = (scrapy_mainpage.extract(f"<p>{'a b ' * 40}{n}") for n in (1, 2))
    with pytest.raises(checks.BrokenError, match="the same page twice"):
        checks.check_again(one, other)


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
    "target", ["document", "extract", "flattening", "twin", "trees"]
)
def test_targets_run_without_sanitisers(target: str, tmp_path: Path) -> None:
    outcome = plain.run(target, [grammar.page(1)], 0.2, tmp_path)
    assert outcome.executions
    assert not outcome.findings


def test_executions_are_read_of_a_log() -> None:
    assert executions("#2\tINITED\n#4096\tpulse  cov: 1\n") == 4096
    assert executions("#2\tINITED\nstat::number_of_executed_units: 5000\n") == 5000
    assert executions("ModuleNotFoundError") == 0


def test_the_record_adds_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "TABLE", tmp_path / "fuzzing.csv")
    run = Outcome("document", 1000, 1800.0, [Path("crash-1"), Path("1.txt")])
    record.add([run, Outcome("extract", 10, 36.0)])
    record.add([run])
    assert record.read() == {"document": (2000, 1.0, 2), "extract": (10, 0.01, 0)}


def test_cases_are_read_of_the_parsers_tests() -> None:
    file = b"#data\n<p>a\nb\n#errors\nx\n#document\n| <p>\n\n#data\n\n#errors\n"
    assert seeds.cases(file) == [b"<p>a\nb", b""]
