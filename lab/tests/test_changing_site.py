"""The changing site in small: its answers, verdicts, and crawls."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lab.benchmarks.changing_site import make_table, play
from lab.benchmarks.changing_site.bench import (
    KEPT,
    UNAVAILABLE,
    Document,
    compare,
    wanted,
)
from lab.benchmarks.changing_site.project import SETTINGS
from lab.benchmarks.changing_site.rounds import NAMED, Round
from lab.benchmarks.changing_site.site import NO_PAGES, Site

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the crawls get signals of Unix"
)
URL = "http://site.example/1"


def document(token: str, written: str = "day 1") -> dict[str, Document]:
    return {URL: Document(token, written)}


def named(*names: str) -> list[Round]:
    return [NAMED[name] for name in names]


# --- The site


def test_an_unchanged_page_answers_304_to_its_own_validators() -> None:
    site = Site(60)
    for page in site.pages.values():
        answer = site.answer(page.path, {})
        named = {"ETag": "if-none-match", "Last-Modified": "if-modified-since"}
        headers = {
            named[name]: value
            for name, value in answer.headers.items()
            if name in named
        }
        again = site.answer(page.path, headers)
        assert again.status == (304 if headers else 200)
        page.edit(day=1)
        assert site.answer(page.path, headers).status == 200


def test_the_truth_has_what_a_publisher_shows() -> None:
    site = Site(20)
    pages = list(site.pages.values())
    pages[0].gone(404)
    pages[1].noindex = "meta"
    pages[2].canonical = pages[3].path
    pages[5].copy_of = pages[6]
    want = wanted(site)
    missing = {page.path for page in site.every()} - want.keys()
    assert missing == {pages[k].path for k in (0, 1, 2, 5)}


def test_the_truth_keeps_pages_in_trouble_and_ignores_canonicals_of_no_page() -> None:
    site = Site(20)
    first, second = list(site.pages.values())[:2]
    first.trouble = UNAVAILABLE
    second.canonical = NO_PAGES[0]
    want = wanted(site)
    assert (want[first.path], want[second.path]) == (KEPT, second.token)


def test_a_canonical_address_counts_as_long_as_a_document_is_there() -> None:
    site = Site(20)
    variant, page = list(site.pages.values())[:2]
    variant.canonical = page.path
    assert variant.path not in wanted(site)
    page.gone(404)
    assert wanted(site)[variant.path] == variant.token


# --- Verdicts


def test_a_document_that_is_missing_is_lost_or_was_deleted_wrongly() -> None:
    assert compare({}, {}, {URL: "a"}).lost == [URL]
    assert compare(document("a"), {}, {URL: "a"}).deleted == [URL]
    assert compare(document("a"), {}, {URL: KEPT}).deleted == [URL]
    assert compare(document("a"), {}, {URL: KEPT}, is_whole=False).deleted == [URL]


def test_a_document_is_stale_with_an_old_text_or_without_a_page() -> None:
    assert compare({}, document("old"), {URL: "new"}).stale == [URL]
    assert compare({}, document("old"), {}).stale == [URL]
    assert compare({}, document("old"), {URL: KEPT}).is_good


# --- Crawls


def test_a_crawl_without_state_is_seen_to_leave_stale_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line for line in SETTINGS.splitlines() if "STATE" not in line]
    project = "lab.benchmarks.changing_site.project.SETTINGS"
    monkeypatch.setattr(project, "\n".join(lines))
    first, second, third = play(60, named("first_crawl", "text_edit", "gone"), tmp_path)
    assert first.is_good
    assert second.verdict.is_good
    assert second.verdict.written > second.verdict.changed == 2
    assert second.faults
    assert len(third.verdict.stale) == 1
    assert "A changing site of 76 pages" in str(make_table([first, second, third]))


def test_rounds_leave_the_index_as_the_site_is(tmp_path: Path) -> None:
    rounds = named(*"first_crawl nothing gone killed mass_delete applied".split())
    for report in play(60, rounds, tmp_path):
        assert report.is_good, report
