"""A folder of rules: found by host, read on the first page, errors left out."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from time import process_time

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.rules import RuleBook, RulesError, read_rules
from scrapy_mainpage.rules import rule_book as module
from tests.growth import by_turns


def make(folder: Path, **files: str) -> RuleBook:
    for name, text in files.items():
        (folder / name.replace("_", ".").replace("..", "+")).write_text(text, "utf-8")
    return RuleBook(folder)


def found(book: RuleBook, url: str | None) -> str | None:
    rules = next(filter(None, book._candidates(url)), None)
    return rules.name if rules else None


POST = 'content = [".post"]\n'


FORUM = POST + 'paths = ["/forum/*"]\n'
HOSTS = dict.fromkeys(("example_com_toml", "blog_example_com_toml"), POST)
PATHS = {"a_com_toml": POST, "a_com__forum_toml": FORUM}
LETTERS = {"a_com_toml": POST + 'paths = ["/über uns/*"]\n'}
ENCODED = {"a_com_toml": POST + 'paths = ["/%C3%BCber%20uns/*"]\n'}


@pytest.mark.parametrize(
    ("files", "url", "name"),
    [
        (HOSTS, "https://example.com/a", "example.com.toml"),
        (HOSTS, "https://WWW.example.com:8080/a", "example.com.toml"),
        (HOSTS, "https://blog.example.com/", "blog.example.com.toml"),
        (HOSTS, "https://anexample.com/", None),
        (HOSTS, "file:///example.com", None),
        (HOSTS, "https://[bad/", None),
        (HOSTS, None, None),
        # A file with paths is tried first.
        (PATHS, "https://a.com/forum/1", "a.com+forum.toml"),
        (PATHS, "https://a.com/news/1", "a.com.toml"),
        # A path is written with its letters, or as the URL has it.
        (LETTERS, "https://a.com/%C3%BCber%20uns/1", "a.com.toml"),
        (ENCODED, "https://a.com/%C3%BCber%20uns/1", "a.com.toml"),
        (LETTERS, "https://a.com/ueber/1", None),
        # Of two files the one without an error counts.
        (
            PATHS | {"a_com_toml": "content = 1"},
            "https://a.com/forum/",
            "a.com+forum.toml",
        ),
        ({"a_com_md": POST}, "https://a.com/", None),
    ],
)
def test_the_first_file_that_is_for_a_url_counts(
    tmp_path: Path, files: dict[str, str], url: str | None, name: str | None
) -> None:
    assert found(make(tmp_path, **files), url) == name


def test_a_file_is_read_once_when_its_host_is_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def count(path: Path) -> object:
        read.append(path.name)
        return read_rules(path)

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


def test_a_file_of_another_type_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.com.txt").write_text(POST)
    assert found(RuleBook(tmp_path), "https://a.com/") is None
    (record,) = caplog.records
    assert record.getMessage() == "Rules left out: a.com.txt: not a .toml file"


def test_a_folder_that_is_missing_and_a_bad_file_are_errors(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        extract("<p>a", rules=tmp_path / "missing")
    (tmp_path / "a.toml").write_text("content = 1")
    with pytest.raises(RulesError, match=r"a\.toml: content must be"):
        extract("<p>a", rules=tmp_path / "a.toml")


def test_a_page_costs_the_same_among_many_files(tmp_path: Path) -> None:
    books = {}
    for size in (40, 400):
        (folder := tmp_path / str(size)).mkdir()
        for number in range(size):
            (folder / f"site{number}.example.toml").write_text(POST)
        books[size] = RuleBook(folder)

    def seconds(size: int) -> float:
        started = process_time()
        for number in [*range(40), *range(400, 440)] * 10:  # half of them have no file
            found(books[size], f"https://www.site{number}.example/a/b.html")
        return process_time() - started

    turns = by_turns(partial(seconds, 40), partial(seconds, 400))
    assert any(many < 2 * few for few, many in turns)
