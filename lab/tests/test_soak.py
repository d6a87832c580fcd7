"""The long crawl in small: the site, a crawl that is killed, verdicts."""

from __future__ import annotations

import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from lab.server import port_of, served
from lab.soak import report, runs
from lab.soak.site import KINDS, Outcome, Site
from lab.soak.verify import Found, Verdict, verify, verify_again

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not Path("/proc/self/statm").exists(), reason="the process is read from /proc"
    ),
]
PAGES = 100
ANSWERED: dict[str, Counter[int]] = {}


def test_site_has_pages_of_all_kinds_that_stay_the_same() -> None:
    site, again = Site(20_000), Site(20_000)
    kinds = Counter(site.kind(number) for number in range(site.count))
    assert set(kinds) == set(KINDS)
    assert {site.outcome(number) for number in range(2000)} == set(Outcome)
    for kind in KINDS:
        number = next(n for n in range(site.count) if site.kind(n) == kind)
        answer = site.answer(f"/p/{number}")
        assert answer.status in (200, 302, 404, 500, 503)
        assert answer == again.answer(f"/p/{number}")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> runs.Crawl:
    """A crawl that was killed once, and ran to its end."""
    site, folder = Site(PAGES), tmp_path_factory.mktemp("killed")
    with served(site) as (server, url):
        crawl = runs.Crawl(site, folder, port_of(url))
        runs.interrupted(crawl, signal.SIGKILL, 1, seed=5)
    ANSWERED.update(server.answered)
    return crawl


def verdict_of(crawl: runs.Crawl) -> Verdict:
    return verify(crawl, ANSWERED)


def test_nothing_is_lost_at_a_kill(crawl: runs.Crawl) -> None:
    verdict = verdict_of(crawl)
    assert verdict.wrong == {name: [] for name in verdict.wrong}
    assert [stop.signal for stop in crawl.stops] == ["SIGKILL"]
    assert report.errors(crawl.folder) == 0
    looks = report.looks(crawl.folder)
    outcome = report.Outcome("killed", PAGES, 1.0, crawl.stops, verdict, looks, 0)
    assert not outcome.is_bad(0.0)


def test_a_page_that_the_index_has_lost_or_has_twice_is_found(
    crawl: runs.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Found.of(crawl.folder)
    lost = next(url for url in sorted(found.indexed) if "/p/0" in url)
    monkeypatch.setattr(Found, "of", lambda _: found)
    found.indexed[lost] += 1
    assert verdict_of(crawl).wrong["indexed twice"] == ["p/0"]
    del found.indexed[lost]
    assert verdict_of(crawl).wrong["accepted, and in no index"] == ["p/0"]


def test_a_page_without_an_outcome_is_found(
    crawl: runs.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = {key: value for key, value in crawl.outcomes.items() if key != "p/0"}
    monkeypatch.setattr(crawl, "outcomes", left)
    wrong = verdict_of(crawl).wrong
    assert wrong["reached the extraction, and nothing became of it"] == ["p/0"]


def test_second_edition_replaces_the_first(crawl: runs.Crawl) -> None:
    site = Site(PAGES, edition=2)
    assert verify_again(replace(crawl, site=site)).wrong[
        "second crawl: should not be indexed, and is"
    ]
    with served(site) as (_, url):
        second = runs.Crawl(site, crawl.folder, port_of(url), run=crawl.run)
        second.go()
    verdict = verify_again(second)
    assert verdict.wrong == {name: [] for name in verdict.wrong}
    assert report.errors(crawl.folder) == 0
