"""Saved corrections: exact, and read by evaluation and training as they are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scrapy.http import HtmlResponse

from lab.training.training_pages import read_page as read_training_page
from scrapy_mainpage.commands import mainpage_evaluate
from scrapy_mainpage.correct.correction import (
    Correction,
    PageToCorrect,
    describe,
    page_id,
    save_page,
)
from scrapy_mainpage.correct.session import read_source
from scrapy_mainpage.evaluation.datasets import load_sets, read_document
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.label import Label
from tests.commands.helpers import CommandRunner
from tests.correct.helpers import URL, as_sent, read_page
from tests.mockserver import article

SITE = Path(__file__).parents[2] / "example_project/site"

MIXED = """<html><body><nav><a href=/>Home</a></nav><div>Text that is content.
<p>A paragraph.</p>Share this with friends.</div></body></html>"""


def correct(page: PageToCorrect, *flipped: int, **more: object) -> Correction:
    data = as_sent(page, *flipped, **more)
    return Correction.parse(data, page.content.document.n_blocks)


def test_evaluation_reads_corrections_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = read_page(article("owls"), "https://a.example/owls")
    other = read_page(article("cats"), "https://b.example/cats")
    longest = int(np.argmax(other.content.document.blocks.words))
    save_page(tmp_path / "set", same, correct(same))
    save_page(tmp_path / "set", other, correct(other, longest))
    scores = tmp_path / "scores.jsonl"
    run = CommandRunner(mainpage_evaluate.Command, capsys)
    code, _, err = run("-a", "learned", "-o", scores, tmp_path / "set")
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in scores.read_text().splitlines()]
    f1 = {record["page"]: record["f1"] for record in records}
    assert f1[page_id(same.url)] == 1
    assert f1[page_id(other.url)] < 0.95


@pytest.mark.parametrize("flipped", [(), (0,), (0, 4, 8)])
@pytest.mark.parametrize(
    "name", ["blog/loose-chair.html", "docs/file-format.html", "ar/maktaba.html"]
)
def test_training_reads_exactly_what_was_corrected(
    tmp_path: Path, name: str, flipped: tuple[int, ...]
) -> None:
    page = read_page((SITE / name).read_text("utf-8"))
    correction = correct(page, *flipped)
    save_page(tmp_path, page, correction)
    ((saved,),) = (each.pages for each in load_sets(tmp_path))
    read = read_training_page("set", saved)
    assert read is not None
    assert read.main.tolist() == correction.main.tolist()
    assert read.exact


def test_labels_tell_what_elements_cannot(tmp_path: Path) -> None:
    page = read_page(MIXED)
    assert [b.text[:4] for b in page.page.blocks] == ["Home", "Text", "A pa", "Shar"]
    data = as_sent(page) | {"main": "0110"}
    correction = Correction.parse(data, 4)
    save_page(tmp_path, page, correction)
    ((saved,),) = (each.pages for each in load_sets(tmp_path))
    assert saved.text == "Text that is content.\n\nA paragraph."
    read = read_training_page("set", saved)
    assert read is not None
    assert read.main.tolist() == [False, True, True, False]


def test_labels_of_a_page_that_is_divided_otherwise_do_not_count(
    tmp_path: Path,
) -> None:
    page = read_page()
    save_page(tmp_path, page, correct(page))
    file = tmp_path / "pages.jsonl"
    entry = json.loads(file.read_text("utf-8"))
    entry["labels"] = entry["labels"][1:]
    file.write_text(json.dumps(entry), "utf-8")
    ((saved,),) = (each.pages for each in load_sets(tmp_path))
    read = read_training_page("set", saved)
    assert read is not None
    assert read.main.tolist() == page.content.main.tolist()


def test_the_entry_has_labels_and_the_fields_that_the_user_set() -> None:
    page = read_page(article("owls", main="<p>By Ann Owl, 3 May 2026</p>"))
    byline = next(b.index for b in page.page.blocks if "Ann Owl" in b.text)
    data = as_sent(page, fields={"author": byline})
    marks = list(data["main"])
    marks[byline] = "0"
    data["main"] = "".join(marks)
    entry = describe(page, Correction.parse(data, len(marks)))
    assert not Label(entry["labels"][byline]).is_main
    assert entry["labels"].count("title") == 1
    assert set(entry["labels"][:4]) == {"navigation"}
    assert entry["fields"] == {"author": byline}
    assert "Ann Owl" not in entry["text"]


def test_a_page_that_is_saved_again_replaces_its_label(tmp_path: Path) -> None:
    first, second = read_page(), read_page(article("owls"), "https://a.example/o")
    save_page(tmp_path, first, correct(first))
    save_page(tmp_path, second, correct(second))
    save_page(tmp_path, first, correct(first, 0))
    (data,) = load_sets(tmp_path)
    assert [page.url for page in data.pages] == [second.url, first.url]
    assert data.pages[1].text is not None
    assert data.pages[1].text.startswith("Home")


@pytest.mark.parametrize(
    "body",
    [
        "<meta charset=koi8-r><p>Тексты и слова в старой кодировке".encode("koi8-r"),
        "<p>Тексты и слова, чья кодировка стоит в заголовке".encode("cp1251"),
        b"\xef\xbb\xbf<p>With a mark and \xc3\xa4 letters",
    ],
)
def test_the_bytes_are_decoded_as_the_response_was(tmp_path: Path, body: bytes) -> None:
    encoding = "cp1251" if body.startswith(b"<p>\xd2") else None
    headers = {"Content-Type": f"text/html; charset={encoding}"} if encoding else {}
    response = HtmlResponse(URL, body=body, headers=headers)
    page = read_source(response, Extractor(), "")
    assert isinstance(page, PageToCorrect)
    save_page(tmp_path, page, correct(page))
    ((saved,),) = (each.pages for each in load_sets(tmp_path))
    document = read_document(saved.html())
    assert document.block_text(0) == response.xpath("string(//p)").get()


def test_ids_are_names_of_files() -> None:
    ids = {page_id(f"{base}/{k}") for k in range(9) for base in (URL, "file:///a/../b")}
    assert len(ids) == 18
    assert all("/" not in name and ".." not in name for name in ids)
    assert page_id("https://xn--bcher-kva.example:8080/ü?q=1").startswith("xn--bcher")
