"""History of sites during a crawl: simulations of small crawls."""

from __future__ import annotations

import logging
import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scrapy_mainpage.rendering.history import site_history as module
from scrapy_mainpage.rendering.history.site_history import SiteHistory
from scrapy_mainpage.rendering.history.site_stats import Certainty, Decision

SHELL = ("empty_root", "div#app")
HALF = ("placeholder", "div.reviews")


@dataclass(frozen=True)
class Site:
    """A page with its verdict, and whether rendering it gains content."""

    url: str
    key: tuple[str, ...] = ()
    need: Certainty | None = None
    gains: bool = False


@dataclass
class Crawl:
    """Simulation of a downloader: judges pages and renders two at a time.

    Pages that are rendered or wait for the browser take up the concurrency. A verdict
    comes after the browser has begun its next page.
    """

    history: SiteHistory
    concurrency: int = 16
    browsers: int = 2
    rendered: list[Site] = field(default_factory=list)
    upfront: list[Site] = field(default_factory=list)
    static: list[Site] = field(default_factory=list)

    def run(self, pages: Iterable[Site]) -> Crawl:
        left = deque(pages)
        waiting: deque[tuple[Site, Decision]] = deque()
        running: list[Site] = []
        while left or waiting or running:
            while left and len(waiting) + len(running) < self.concurrency:
                self._download(left.popleft(), waiting)
            done, running = running, []
            while waiting and len(running) < self.browsers:
                page, advice = waiting.popleft()
                if advice == "probe" or self.history.confirm(page.url, page.key):
                    running.append(page)
                else:
                    self.static.append(page)
            for page in done:
                self.history.add_rendered(page.url, page.key, page.gains)
                self.rendered.append(page)
        return self

    def _download(self, page: Site, waiting: deque[tuple[Site, Decision]]) -> None:
        if self.history.is_rendered_upfront(page.url):
            self.upfront.append(page)
            return
        if page.need is None:
            self.history.add_static(page.url)
            self.static.append(page)
            return
        advice = self.history.decide(page.url, page.key, page.need)
        if advice == "skip":
            self.static.append(page)
        else:
            waiting.append((page, advice))

    @property
    def lost(self) -> list[Site]:
        return [page for page in self.static if page.gains]

    @property
    def fruitless(self) -> list[Site]:
        return [page for page in self.rendered + self.upfront if not page.gains]


def one_by_one(history: SiteHistory | None = None) -> Crawl:
    known = SiteHistory() if history is None else history
    return Crawl(known, concurrency=1, browsers=1)


def pages(
    count: int,
    path: str,
    key: tuple[str, ...] = (),
    need: Certainty | None = None,
    gains: bool = False,
) -> list[Site]:
    return [
        Site(f"https://a.example/{path}".replace("{}", str(n)), key, need, gains)
        for n in range(count)
    ]


def shells(count: int, path: str = "product/{}-name") -> list[Site]:
    return pages(count, path, SHELL, "yes", gains=True)


# Sites with sufficient static pages.


def test_a_static_site_is_soon_not_rendered_whatever_its_markup() -> None:
    site = [
        Site(f"https://a.example/page/{n}", ("lazy", f"div#part-{n}"), "maybe")
        for n in range(900)
    ]
    assert len(one_by_one().run(site).fruitless) == 6
    assert len(Crawl(SiteHistory()).run(site).fruitless) <= 8


def test_two_misses_of_a_kind_are_enough_on_a_small_site() -> None:
    crawl = one_by_one().run(pages(300, "page/{}", HALF, "maybe"))
    assert len(crawl.fruitless) <= 3


def test_pages_that_look_like_shells_and_gain_nothing_are_skipped_at_last() -> None:
    crawl = one_by_one().run(pages(103, "page/{}", SHELL, "yes"))
    assert 3 < len(crawl.fruitless) <= 4 + 100 // 20


# Sites that need a browser.


def test_a_site_of_shells_is_rendered_upfront_and_seen_again() -> None:
    crawl = Crawl(SiteHistory()).run(shells(400))
    assert not crawl.lost
    assert len(crawl.rendered) + len(crawl.upfront) == 400
    judged_again = len(crawl.rendered)
    assert 400 // 20 <= judged_again <= 5 + 16 + 400 // 20 + 1


def test_shells_that_become_static_pages_are_noticed() -> None:
    history = SiteHistory()
    Crawl(history).run(shells(60))
    after = Crawl(history).run(pages(200, "product/{}-new"))
    assert len(after.upfront) < 20
    assert len(after.static) > 180
    assert not after.rendered


def test_a_kind_that_begins_to_gain_is_noticed() -> None:
    history = SiteHistory()
    one_by_one(history).run(pages(50, "page/{}", SHELL, "yes"))
    after = one_by_one(history).run(pages(400, "page/{}", SHELL, "yes", gains=True))
    assert len(after.rendered) > 200


def test_one_static_page_is_enough_to_look_at_a_part_always() -> None:
    history = SiteHistory()
    site = [*shells(4), *pages(1, "product/{}-other"), *shells(60)]
    assert not one_by_one(history).run(site).upfront


def test_parts_of_a_site_are_told_apart() -> None:
    history = SiteHistory()
    one_by_one(history).run([*shells(10), *pages(10, "blog/{}-name")])
    assert history.is_rendered_upfront("https://a.example/product/77-name")
    assert not history.is_rendered_upfront("https://a.example/blog/77-name")
    assert not history.is_rendered_upfront("https://b.example/product/77-name")
    assert not history.is_rendered_upfront("https://a.example:8080/product/77-name")


@pytest.mark.parametrize(
    ("learned", "asked", "known"),
    [
        ("product/{}-name", "product/chair", True),
        ("product/{}-name", "product/chair/", True),
        ("product/{}", "product/chair", False),
        ("p?id={}", "p?id=99", True),
        ("p?id={}", "p?page=2", False),
        ("p?id={}", "q?id=1", False),
        ("a/b/{}.html", "a/b/other.html", False),
        ("a/b/x{}.html", "a/b/other.html", True),
        ("a/b/x{}.html", "a/b/other.php", False),
        ("a/b/x{}.html", "a/c/other.html", False),
        ("user/{}/posts", "user/123/posts", True),
        ("u/0b3f9c5e-11d2-4a7c-8e21-0000000000{}0/x", "u/deadbeef99/y", True),
        ("2024/01/x{}", "2025/12/y", True),
        ("shop-{}/list", "shop-77/items", True),
        ("top-{}", "other", False),
        ("top{}.html", "other.html", False),
        ("{}", "77", True),
    ],
)
def test_addresses_of_one_shape_are_one_part(
    learned: str, asked: str, known: bool
) -> None:
    history = SiteHistory()
    one_by_one(history).run(shells(6, learned))
    assert history.is_rendered_upfront(f"https://a.example/{asked}") is known


def test_pages_at_the_top_level_are_lumped_only_on_strong_evidence() -> None:
    history = SiteHistory()
    one_by_one(history).run(shells(19, "page-{}"))
    assert not history.is_rendered_upfront("https://a.example/other")
    one_by_one(history).run(shells(1, "last-{}"))
    assert history.is_rendered_upfront("https://a.example/other")


# Sites with all kinds of pages and late verdicts.


def mixed_site(seed: int, *, one_shape: bool) -> list[Site]:
    """60 static pages (a third of them doubtful), 20 shells, 20 half-static ones."""
    folders = ["page"] * 5 if one_shape else ["blog", "news", "help", "app", "item"]
    doubts = [("lazy", "img"), ("lazy", "ul.menu"), ("little_text", "body")]
    site = pages(40, folders[0] + "/{}-a")
    for at, doubt in enumerate(doubts):
        count = (12, 6, 2)[at]
        site += pages(count, folders[at] + f"/{{}}-b{at}", doubt, "maybe")
    site += shells(20, folders[3] + "/{}-c")
    site += pages(16, folders[4] + "/{}-d", HALF, "maybe", gains=True)
    other_half = ("placeholder", "section.specs")
    site += pages(4, folders[4] + "/{}-e", other_half, "maybe", gains=True)
    random.Random(seed).shuffle(site)
    return site


@pytest.mark.parametrize("one_shape", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_mixed_site_is_rendered_where_it_needs_to_be(
    seed: int, one_shape: bool
) -> None:
    site = mixed_site(seed, one_shape=one_shape)
    crawl = Crawl(SiteHistory()).run(site)
    assert len(crawl.rendered) + len(crawl.upfront) + len(crawl.static) == 100
    assert not crawl.lost
    assert len(crawl.fruitless) <= 10


def test_pages_that_wait_for_the_browser_are_dropped_after_a_bad_verdict() -> None:
    history = SiteHistory()
    urls = [f"https://a.example/{n}" for n in range(16)]
    assert {history.decide(url, HALF, "maybe") for url in urls} == {"render"}
    for url in urls[:2]:
        assert history.confirm(url, HALF)
        history.add_rendered(url, HALF, gained=False)
    assert not history.confirm(urls[3], HALF)
    assert history.decide("https://a.example/20", HALF, "maybe") == "skip"


def test_hosts_do_not_learn_from_each_other() -> None:
    history = SiteHistory()
    one_by_one(history).run(pages(50, "page/{}", HALF, "maybe"))
    assert history.decide("https://a.example/page/1", HALF, "maybe") == "skip"
    assert history.decide("https://b.example/page/1", HALF, "maybe") == "render"


# Failures.


def test_a_site_that_the_browser_fails_on_is_left_alone_but_tried_again() -> None:
    history = SiteHistory()
    one_by_one(history).run(shells(10))
    for _ in range(5):
        assert history.is_rendered_upfront("https://a.example/product/1-x")
        history.add_failure("https://a.example/product/1-x")
    assert not history.is_rendered_upfront("https://a.example/product/1-x")
    advices = [
        history.decide("https://a.example/product/1-x", SHELL, "yes") for _ in range(20)
    ]
    assert advices == ["skip"] * 19 + ["probe"]
    assert not history.confirm("https://a.example/product/1-x", SHELL)
    history.add_rendered("https://a.example/product/1-x", SHELL, gained=True)
    assert history.decide("https://a.example/product/2-x", SHELL, "yes") == "render"


# Bounds.


def test_the_site_that_was_seen_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SITES", 3)
    history = SiteHistory()
    for host in "abcad":
        history.add_static(f"https://{host}/x/y")
    assert len(history) == 3


def test_rules_and_patterns_of_a_site_are_bounded(tmp_path: Path) -> None:
    history = SiteHistory()
    for n in range(500):
        name = "".join(chr(97 + int(digit)) for digit in str(n))
        url = f"https://a.example/{name}/" + "x" * 10_000
        history.decide(url, ("r" * 10_000, str(n)), "yes")
        history.add_static(url)
    history.save(tmp_path / "sites.json")
    assert (tmp_path / "sites.json").stat().st_size < 50_000


@pytest.mark.parametrize(
    "url", ["", "x", "http://[", "http://[::1/", "https://a/\ud800"]
)
def test_any_url_will_do(url: str) -> None:
    history = SiteHistory()
    assert history.decide(url, (), "yes") == "render"
    history.add_rendered(url, (), gained=True)
    assert not history.is_rendered_upfront(url)


# Storage.


def learned() -> SiteHistory:
    history = SiteHistory()
    Crawl(history).run([*shells(30), *pages(30, "page/{}", HALF, "maybe")])
    return history


def test_a_saved_history_decides_as_before(tmp_path: Path) -> None:
    learned().save(tmp_path / "sites.json")
    again = SiteHistory.load(tmp_path / "sites.json")
    assert again.is_rendered_upfront("https://a.example/product/77-x")
    assert again.decide("https://a.example/page/1", HALF, "maybe") == "skip"
    assert [path.name for path in tmp_path.iterdir()] == ["sites.json"]


def test_no_file_is_an_empty_history_without_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(SiteHistory.load(tmp_path / "none.json")) == 0
    assert not caplog.records


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b'{"version": 1, "sites": {}}',
        b'{"version": 2, "sites": []}',
        b'{"version": 2, "sites": {"a.example": null}}',
        b'{"version": 2, "sites": {"a": {"rules": {}, "patterns": {}, "x": 1}}}',
        b'{"version": 2, "sites": {"a.example": {"rules": {"r": 3}, "patterns": {}}}}',
    ],
)
def test_a_broken_file_is_an_empty_history_and_a_warning(
    content: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "sites.json"
    path.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert len(SiteHistory.load(path)) == 0
    assert str(path) in caplog.text


def test_the_same_crawl_decides_the_same() -> None:
    site = mixed_site(1, one_shape=False)
    first, second = (Crawl(SiteHistory()).run(site) for _ in range(2))
    assert first.rendered == second.rendered
