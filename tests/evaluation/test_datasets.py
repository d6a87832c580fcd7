"""Sets of labelled pages: accepted and rejected files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from scrapy_mainpage.evaluation.datasets import (
    DataSetError,
    LabelledPage,
    load_sets,
)

from .sets import article_label, label, write_set


def only_page(folder: Path) -> LabelledPage:
    (data_set,) = load_sets(folder)
    (page,) = data_set.pages
    return page


def test_a_page_with_all_that_a_label_may_hold(tmp_path: Path) -> None:
    line = label(
        "owls",
        text="On owls",
        **{"with": ["owls"], "without": ["Home"]},
        type="article",
        language="en",
        content="//main",
        drop="//main//button",
        more=1,
    )
    page = only_page(write_set(tmp_path / "birds", [line]))
    assert page == LabelledPage(
        id="owls",
        url="https://www.owls.example/page",
        folder=tmp_path / "birds" / "html",
        text="On owls",
        required=("owls",),
        forbidden=("Home",),
        type="article",
        language="en",
        content="//main",
        drop="//main//button",
    )


def test_a_page_with_snippets_alone(tmp_path: Path) -> None:
    line = label("a", without=["Home"], url=None, **{"with": None})
    page = only_page(write_set(tmp_path / "set", [line]))
    assert (page.text, page.url) == (None, "")
    assert (page.required, page.forbidden) == ((), ("Home",))
    assert (page.type, page.language) == ("", "")


def test_a_text_may_hold_line_ends_that_json_does_not_know(tmp_path: Path) -> None:
    page = only_page(write_set(tmp_path / "set", [label("a", text="x\u2028y\x85z")]))
    assert page.text == "x\u2028y\x85z"


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.owls.example:8000/a", "owls.example"),
        ("https://news.owls.example/", "news.owls.example"),
        ("", ""),
    ],
)
def test_a_site_is_a_host_without_www(url: str, site: str) -> None:
    assert LabelledPage("a", url, Path()).site == site


@pytest.mark.parametrize("suffix", ["html", "html.gz"])
def test_pages_are_plain_or_compressed(tmp_path: Path, suffix: str) -> None:
    data = b"<p>\xff"
    packed = gzip.compress(data) if suffix.endswith("gz") else data
    (tmp_path / f"a.b.{suffix}").write_bytes(packed)
    page = LabelledPage("a.b", "", tmp_path)
    assert page.html() == data
    assert page.layout_json() is None


def test_a_layout_lies_beside_its_page(tmp_path: Path) -> None:
    labels = [article_label("a"), article_label("b")]
    folder = write_set(tmp_path / "set", labels)
    (folder / "html" / "b.layout.json.gz").write_bytes(gzip.compress(b"{}"))
    (data_set,) = load_sets(folder)
    assert [page.layout_json() for page in data_set.pages] == [None, b"{}"]


def test_a_page_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"a\.html\[\.gz\] is not there"):
        LabelledPage("a", "", tmp_path).html()


def test_a_folder_of_sets_gives_them_by_name(tmp_path: Path) -> None:
    write_set(tmp_path / "b", [article_label("x")])
    write_set(tmp_path / "a", [article_label("x")])
    (tmp_path / "other").mkdir()
    (tmp_path / "README").touch()
    assert [data_set.name for data_set in load_sets(tmp_path)] == ["a", "b"]


def test_a_folder_without_sets_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match=r"no pages\.jsonl in"):
        load_sets(tmp_path)
    with pytest.raises(DataSetError, match=r"no pages\.jsonl in"):
        load_sets(tmp_path / "missing")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 1: no JSON"),
        ("[" * 100_000, "line 1: no JSON"),
        ("[]", "line 1: not a JSON object"),
        ('{"id": "a"}', "line 1: one of 'text', 'with' and 'without' is needed"),
        ('{"text": "x"}', "line 1: the id '' is not the name of a file"),
        ('{"id": "../a", "text": "x"}', "not the name of a file"),
        ('{"id": "a\\\\b", "text": "x"}', "not the name of a file"),
        ('{"id": "", "text": "x"}', "not the name of a file"),
        ('{"id": "a", "text": 3}', "'text' is not a text: 3"),
        ('{"id": "a", "text": "", "drop": [1]}', "'drop' is not a text: [1]"),
        ('{"id": "a", "with": "x"}', "'with' is not a list of texts"),
        ('{"id": "a", "without": [1]}', "'without' is not a list of texts"),
        ('{"id": "a", "text": ""}\n\n{"id": "a", "text": ""}', "line 3: the id 'a' is"),
    ],
)
def test_a_line_that_is_not_as_the_format_says_is_an_error(
    tmp_path: Path, line: str, reason: str
) -> None:
    (tmp_path / "pages.jsonl").write_text(line)
    with pytest.raises(DataSetError) as caught:
        load_sets(tmp_path)
    assert reason in str(caught.value)
    assert str(tmp_path) in str(caught.value)
