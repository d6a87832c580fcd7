"""``MAINPAGE_EMBEDDER`` in ``mainpage-index``, ``mainpage-search`` and crawls."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from scrapy_mainpage.commands.mainpage_index import Command as IndexCommand
from scrapy_mainpage.commands.mainpage_search import Command as SearchCommand
from scrapy_mainpage.indexes import open_index
from scrapy_mainpage.pipelines.index import IndexPipeline
from scrapy_mainpage.settings import SettingsError

from .helpers import CommandRunner

MODEL = f"{__name__}:two_meanings"
BROKEN = f"{__name__}:broken"


def two_meanings() -> Any:
    def embed(texts: list[str]) -> list[list[float]]:
        pets = [any(w in text for w in ("dog", "hound", "puppy")) for text in texts]
        return [[pet, 1.0] for pet in pets]

    return embed


def broken() -> Any:
    """A model that fails after the first text."""
    calls = iter([[[1.0, 2.0]]])
    return lambda texts: next(calls)


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    items = [
        {"url": "https://e/1", "title": "Rest", "text": "A hound sleeps all day."},
        {"url": "https://e/2", "title": "Glue", "text": "Glue dries all day."},
    ]
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(map(json.dumps, items)), "utf-8")
    return path


def runner(
    command: Any, capsys: pytest.CaptureFixture[str], **settings: object
) -> CommandRunner:
    given = {f"MAINPAGE_{name.upper()}": value for name, value in settings.items()}
    return CommandRunner(command, capsys, **given)


def test_a_feed_is_embedded_once_and_searched_by_meaning(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = runner(IndexCommand, capsys, embedder=MODEL)
    code, out, _ = index("--to", "site.db", feed)
    assert (code, "2 indexed, 2 passages embedded" in out) == (0, True)
    assert "passages embedded" not in index("--to", "site.db", feed)[1]
    search = runner(SearchCommand, capsys, embedder=MODEL)
    assert search("site.db", "puppy")[0] == 1
    for mode in ("vector", "hybrid"):
        code, out, _ = search("--mode", mode, "site.db", "puppy")
        assert (code, out.splitlines()[0]) == (0, "1. Rest")


def test_what_a_search_by_meaning_lacks_is_said(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runner(IndexCommand, capsys)("--to", "site.db", feed)
    for settings, problem in (
        ({}, "needs MAINPAGE_EMBEDDER"),
        ({"embedder": MODEL}, "it has no vectors"),
        ({"embedder": "nothing"}, "MAINPAGE_EMBEDDER='nothing': no such model"),
    ):
        search = runner(SearchCommand, capsys, **settings)
        code, _, err = search("--mode", "hybrid", "site.db", "puppy")
        assert (code, problem in err) == (2, True)
    index = runner(IndexCommand, capsys, embedder="nothing")
    code, _, err = index("--to", "site.db", feed)
    assert (code, "MAINPAGE_EMBEDDER='nothing': no such model" in err) == (2, True)


def test_a_model_that_fails_later_loses_no_document(
    feed: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        code, out, _ = runner(IndexCommand, capsys, embedder=BROKEN)(
            "--to", "site.db", feed
        )
    assert (code, "2 indexed\n" in out) == (0, True)
    assert "Passages of sqlite:///site.db have no vector" in caplog.text
    with open_index("sqlite:///site.db") as index:
        assert len(index.search("day")) == 2
        assert index.mark("embedder") is not None


def test_a_crawl_with_a_bad_model_does_not_start(tmp_path: Path) -> None:
    settings = {
        "MAINPAGE_INDEX": f"sqlite:///{(tmp_path / 'site.db').as_posix()}",
        "MAINPAGE_EMBEDDER": "json:nothing",
    }
    crawler = get_crawler(settings_dict=settings)
    with pytest.raises(SettingsError, match="MAINPAGE_EMBEDDER='json:nothing': Attr"):
        IndexPipeline.from_crawler(crawler)
