"""The long crawl in small: the site, crawls that are stopped and killed, verdicts."""

from __future__ import annotations

import json
import signal
from collections import Counter
from pathlib import Path

import pytest

from soak import report, runs
from soak.found import Found
from soak.plot import plot
from soak.site import KINDS, LISTED, Outcome, Site
from soak.texts import LANGUAGES
from soak.verify import Verdict, verify

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the process is read from /proc"
)
PAGES = 150


@pytest.fixture(scope="module")
def site() -> Site:
    return Site(PAGES)


def test_every_page_is_the_same_each_time(site: Site) -> None:
    again = Site(PAGES)
    for number in range(PAGES):
        path = f"/p/{number}"
        assert site.answer(path, 2) == again.answer(path, 2)


def test_there_are_pages_of_all_kinds() -> None:
    site = Site(20_000)
    kinds = Counter(site.kind(number) for number in range(site.count))
    assert set(kinds) == set(KINDS)
    assert {site.outcome(number) for number in range(2000)} == set(Outcome)
    for kind in KINDS:
        number = next(n for n in range(site.count) if site.kind(n) == kind)
        assert site.answer(f"/p/{number}").status in (200, 302, 404, 500, 503)


def test_a_copy_has_the_text_of_its_original() -> None:
    site = Site(2000)
    copies = [n for n in range(2000) if site.kind(n) == "copy"]
    for number in copies[:20]:
        original = site.original(number)
        assert site.kind(original) == "article"
        own, other = (site.answer(f"/p/{n}").body for n in (number, original))
        # But for the links to other pages.
        assert own.partition(b"<aside")[0] == other.partition(b"<aside")[0]


def test_listings_lead_to_every_page(site: Site) -> None:
    bodies = [site.answer(f"/list/{k}").body for k in range(-(-PAGES // LISTED))]
    assert all(
        f'href="{site.url(number)}"'.encode() in b"".join(bodies)
        for number in range(PAGES)
    )
    assert site.listing_url(1).encode() in bodies[0]


def test_what_is_not_there_is_not_found(site: Site) -> None:
    for path in ("/", "/p", f"/p/{PAGES}", "/p/x", "/list/x", "/other/1"):
        assert site.answer(path).status == 404


def test_redirects_end_and_circles_do_not() -> None:
    site = Site(3000)
    for kind, ends in (("redirect", True), ("loop", False)):
        number = next(n for n in range(3000) if site.kind(n) == kind)
        path = f"/p/{number}"
        for _ in range(4):
            answer = site.answer(path)
            if answer.status != 302:
                break
            path = answer.headers["Location"].partition(".example")[2]
        assert (answer.status == 200) is ends


def test_texts_are_in_several_languages(site: Site) -> None:
    bodies = [site.answer(f"/p/{number}").body for number in range(PAGES)]
    assert all(
        any(f'lang="{language}"'.encode() in body for body in bodies)
        for language in LANGUAGES
    )


# --- A crawl


def crawled(
    folder: Path, site: Site, with_signal: int, times: int
) -> tuple[runs.Crawl, Verdict]:
    answered = folder / "answered.json"
    with runs.served(site, answered) as port:
        crawl = runs.Crawl(site, folder, port)
        runs.interrupted(crawl, with_signal, times, seed=5)
    return crawl, verify(crawl, json.loads(answered.read_text("utf-8")))


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_lost_at_a_signal(
    tmp_path: Path, site: Site, with_signal: signal.Signals
) -> None:
    crawl, verdict = crawled(tmp_path, site, with_signal, 2)
    assert verdict.wrong == {name: [] for name in verdict.wrong}
    assert [stop.signal for stop in crawl.stops] == [with_signal.name] * 2
    assert verdict.figures["pages and listings"] == PAGES + 4
    assert report.errors(tmp_path) == 0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, site: Site) -> runs.Crawl:
    folder = tmp_path_factory.mktemp("whole")
    with runs.served(site, folder / "answered.json") as port:
        crawl = runs.Crawl(site, folder, port)
        runs.whole(crawl)
    return crawl


def verdict_of(crawl: runs.Crawl) -> Verdict:
    answered = json.loads((crawl.folder / "answered.json").read_text("utf-8"))
    return verify(crawl, answered)


def test_all_is_well_with_a_crawl_that_is_left_alone(whole: runs.Crawl) -> None:
    verdict = verdict_of(whole)
    assert verdict.wrong == {name: [] for name in verdict.wrong}
    outcome = report.Outcome(
        "whole", PAGES, 1.0, [], verdict, report.looks(whole.folder), 0
    )
    assert not outcome.is_bad
    assert outcome.figures["pages/s"] == PAGES
    assert "svg" in plot({"whole": outcome})


def test_a_crawl_without_the_plugin_goes_the_same_way(tmp_path: Path) -> None:
    site = Site(PAGES)
    with runs.served(site, tmp_path / "answered.json") as port:
        crawl = runs.Crawl(site, tmp_path, port, bare=True)
        runs.whole(crawl)
    assert len([key for key in crawl.outcomes if key[:2] == "p/"]) == PAGES
    assert not (tmp_path / "site.db").exists()
    assert len(report.looks(tmp_path)) == 1


def test_a_page_that_the_index_has_lost_is_found(
    whole: runs.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Found.of(whole.folder)
    lost = next(url for url in sorted(found.indexed) if "/p/0" in url)
    del found.indexed[lost]
    monkeypatch.setattr(Found, "of", lambda _: found)
    wrong = verdict_of(whole).wrong
    assert wrong["accepted, and in no index"] == ["p/0"]


def test_a_page_without_an_outcome_is_found(
    whole: runs.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = {key: value for key, value in whole.outcomes.items() if key != "p/0"}
    monkeypatch.setattr(whole, "outcomes", left)
    wrong = verdict_of(whole).wrong
    assert wrong["reached the extraction, and nothing became of it"] == ["p/0"]


def test_a_page_that_is_indexed_twice_is_found(
    whole: runs.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Found.of(whole.folder)
    found.indexed["http://site0.example/p/0/1"] += 1
    monkeypatch.setattr(Found, "of", lambda _: found)
    assert verdict_of(whole).wrong["indexed twice"] == ["p/0"]
