"""A folder of rules: found by host, read on the first page, errors left out."""

from __future__ import annotations

import logging
from pathlib import Path
from time import perf_counter

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.rules import RuleBook, RulesError
from scrapy_mainpage.rules import rule_book as module


def make(folder: Path, **files: str) -> RuleBook:
    for name, text in files.items():
        (folder / name.replace("_", ".").replace("..", "+")).write_text(text)
    return RuleBook(folder)


def found(book: RuleBook, url: str | None) -> str | None:
    rules = next(filter(None, book._candidates(url)), None)
    return rules.name if rules else None


POST = 'content = [".post"]\n'


def test_a_file_is_for_its_host_and_the_hosts_below(tmp_path: Path) -> None:
    book = make(tmp_path, example_com_toml=POST, blog_example_com_toml=POST)
    assert found(book, "https://example.com/a") == "example.com.toml"
    assert found(book, "https://WWW.example.com:8080/a") == "example.com.toml"
    assert found(book, "https://blog.example.com/") == "blog.example.com.toml"
    assert found(book, "https://anexample.com/") is None
    assert found(book, "file:///example.com") is None
    assert found(book, "https://[bad/") is None
    assert found(book, None) is None


def test_a_file_with_paths_is_tried_first(tmp_path: Path) -> None:
    forum = POST + 'paths = ["/forum/*"]\n'
    book = make(tmp_path, a_com_toml=POST, a_com__forum_toml=forum)
    assert found(book, "https://a.com/forum/1") == "a.com+forum.toml"
    assert found(book, "https://a.com/news/1") == "a.com.toml"


@pytest.mark.parametrize("path", ["/über uns/*", "/%C3%BCber%20uns/*"])
def test_a_path_is_written_with_its_letters_or_as_the_url_has_it(
    tmp_path: Path, path: str
) -> None:
    (tmp_path / "a.com.toml").write_text(POST + f'paths = ["{path}"]\n', "utf-8")
    book = RuleBook(tmp_path)
    assert found(book, "https://a.com/%C3%BCber%20uns/1") == "a.com.toml"
    assert found(book, "https://a.com/ueber/1") is None


def test_the_public_format_is_for_one_host_and_comes_after(tmp_path: Path) -> None:
    book = make(tmp_path, a_com_txt="body: //main", b_com_txt="body: //p")
    assert found(book, "https://www.a.com/") == "a.com.txt"
    assert found(book, "https://news.a.com/") is None
    book = make(tmp_path, a_com_toml=POST)
    assert found(book, "https://a.com/") == "a.com.toml"


def test_other_files_are_no_rules(tmp_path: Path) -> None:
    assert found(make(tmp_path, a_com_md=POST), "https://a.com/") is None


def test_a_file_is_read_once_when_its_host_is_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = module.read_rules

    def count(path: Path) -> object:
        read.append(path.name)
        return real(path)

    monkeypatch.setattr(module, "read_rules", count)
    book = make(tmp_path, a_com_toml=POST, b_com_toml=POST)
    assert not read
    for _ in range(3):
        found(book, "https://a.com/")
        found(book, "https://c.com/")
    assert read == ["a.com.toml"]


def test_a_file_with_an_error_is_logged_once_and_its_pages_say_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make(tmp_path, a_com_toml='content = ["p["]')
    html = "<main><p>" + "The owl sleeps by day. " * 20
    with caplog.at_level(logging.WARNING):
        page = extract(html, url="https://a.com/", rules=tmp_path)
    assert page.text.startswith("The owl")
    assert page.warnings == ("bad_rules",)
    (record,) = caplog.records
    assert record.getMessage().startswith("Rules left out: a.com.toml: content: 'p['")


def test_of_two_files_the_one_without_an_error_counts(tmp_path: Path) -> None:
    book = make(tmp_path, a_com_toml="content = 1", a_com__x_toml=POST)
    assert found(book, "https://a.com/") == "a.com+x.toml"


def test_a_folder_that_is_missing_and_a_bad_file_are_errors(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        extract("<p>a", rules=tmp_path / "missing")
    (tmp_path / "a.toml").write_text("content = 1")
    with pytest.raises(RulesError, match=r"a\.toml: content must be"):
        extract("<p>a", rules=tmp_path / "a.toml")


def test_a_thousand_files_cost_little_per_page(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"site{number}.example.toml").write_text(POST)
    book = RuleBook(tmp_path)
    urls = [f"https://www.site{n}.example/a/b.html" for n in range(0, 2000, 2)]
    for url in urls:  # files are read
        found(book, url)
    times = []
    for _ in range(5):
        started = perf_counter()
        for url in urls:
            found(book, url)
        times.append((perf_counter() - started) / len(urls))
    assert min(times) < 0.0001
