"""History of sites during a crawl: simulations of small crawls."""

from __future__ import annotations

import gc
import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import ref

import pytest
from scrapy import Request, signals

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY, State
from scrapy_mainpage.page import Page
from scrapy_mainpage.rendering import site_memory as module
from scrapy_mainpage.rendering.need import Judgement, Need
from scrapy_mainpage.rendering.site_memory import SiteMemory, get_memory
from tests.crawling import make_crawler
from tests.rendering.test_gain import page as make_page
from tests.rendering.test_gain import prose

SHELL = ("empty_root", "div#app")
HALF = ("placeholder", "div.reviews")
YES, MAYBE = Need.YES, Need.MAYBE
STATIC, FULL = Page(None, "A few words.", "some", words=3), make_page(prose(60))


@dataclass(frozen=True)
class Site:
    """A page with its verdict, and whether rendering it gains content."""

    url: str
    key: tuple[str, ...] = ()
    need: Need = Need.NO
    gains: bool = False


def begin(
    memory: SiteMemory, url: str, key: tuple[str, ...] = SHELL, need: Need = YES
) -> State | None:
    return memory.begin(url, STATIC, Judgement(need, key[0], key[1:]))


def begun(
    memory: SiteMemory, url: str, need: Need = YES, key: tuple[str, ...] = SHELL
) -> State:
    state = begin(memory, url, key, need)
    assert state is not None
    return state


def asked(state: State, url: str = "http://other.example/") -> Request:
    return Request(url, meta={STATE_KEY: state})


@dataclass
class Crawl:
    """Simulation of a downloader: judges pages and renders two at a time.

    Pages that are rendered or wait for the browser take up the concurrency. A verdict
    comes after the browser has begun its next page.
    """

    memory: SiteMemory
    concurrency: int = 16
    browsers: int = 2
    rendered: list[Site] = field(default_factory=list)
    upfront: list[Site] = field(default_factory=list)
    static: list[Site] = field(default_factory=list)

    def run(self, pages: Iterable[Site]) -> Crawl:
        left = deque(pages)
        waiting: deque[tuple[Site, State]] = deque()
        running: list[tuple[Site, State]] = []
        while left or waiting or running:
            while left and len(waiting) + len(running) < self.concurrency:
                self._download(left.popleft(), waiting)
            done, running = running, []
            while waiting and len(running) < self.browsers:
                page, state = waiting.popleft()
                if self.memory.confirm(asked(state)):
                    running.append((page, state))
                else:
                    self.static.append(page)
            for page, state in done:
                gain = self.memory.add_rendered(FULL if page.gains else STATIC, state)
                assert gain == ("yes" if page.gains else "no")
                self.rendered.append(page)
        return self

    def _download(self, page: Site, waiting: deque[tuple[Site, State]]) -> None:
        if self.memory.is_rendered_upfront(page.url):
            self.upfront.append(page)
        elif page.need is Need.NO:
            self.memory.add_static(page.url)
            self.static.append(page)
        elif state := begin(self.memory, page.url, page.key, page.need):
            waiting.append((page, state))
        else:
            self.static.append(page)

    @property
    def lost(self) -> list[Site]:
        return [page for page in self.static if page.gains]

    @property
    def fruitless(self) -> list[Site]:
        return [page for page in self.rendered + self.upfront if not page.gains]


def one_by_one(memory: SiteMemory | None = None) -> Crawl:
    known = SiteMemory() if memory is None else memory
    return Crawl(known, concurrency=1, browsers=1)


def pages(
    count: int,
    path: str,
    key: tuple[str, ...] = (),
    need: Need = Need.NO,
    gains: bool = False,
) -> list[Site]:
    return [
        Site(f"https://a.example/{path}".replace("{}", str(n)), key, need, gains)
        for n in range(count)
    ]


def shells(count: int, path: str = "product/{}-name") -> list[Site]:
    return pages(count, path, SHELL, YES, gains=True)


# Sites with sufficient static pages.


def test_a_static_site_is_soon_not_rendered_whatever_its_markup() -> None:
    site = [
        Site(f"https://a.example/page/{n}", ("lazy", f"div#part-{n}"), MAYBE)
        for n in range(900)
    ]
    assert len(one_by_one().run(site).fruitless) == 6
    assert len(Crawl(SiteMemory()).run(site).fruitless) <= 8


def test_two_misses_of_a_kind_are_enough_on_a_small_site() -> None:
    crawl = one_by_one().run(pages(300, "page/{}", HALF, MAYBE))
    assert len(crawl.fruitless) <= 3


def test_pages_that_look_like_shells_and_gain_nothing_are_skipped_at_last() -> None:
    crawl = one_by_one().run(pages(103, "page/{}", SHELL, YES))
    assert 3 < len(crawl.fruitless) <= 4 + 100 // 20


# Sites that need a browser.


def test_a_site_of_shells_is_rendered_upfront_and_seen_again() -> None:
    memory = SiteMemory()
    crawl = Crawl(memory).run(shells(400))
    assert not crawl.lost
    assert len(crawl.rendered) + len(crawl.upfront) == 400
    judged_again = len(crawl.rendered)
    # Those begun before the first results, then one after 100 and 200.
    assert 4 <= judged_again <= 3 + 16 + 2
    again = Crawl(memory).run(shells(200))
    assert len(again.rendered) <= 1


def test_shells_that_become_static_pages_are_noticed() -> None:
    memory = SiteMemory()
    Crawl(memory).run(shells(60))
    after = Crawl(memory).run(pages(200, "product/{}-new"))
    assert len(after.upfront) < 100
    assert len(after.static) > 100
    assert not after.rendered


def test_a_kind_that_begins_to_gain_is_noticed() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(pages(50, "page/{}", SHELL, YES))
    after = one_by_one(memory).run(pages(400, "page/{}", SHELL, YES, gains=True))
    assert len(after.rendered) > 200


def test_one_static_page_is_enough_to_look_at_a_part_always() -> None:
    memory = SiteMemory()
    site = [*shells(2), *pages(1, "product/{}-other"), *shells(60)]
    assert not one_by_one(memory).run(site).upfront


def test_parts_of_a_site_are_told_apart() -> None:
    memory = SiteMemory()
    one_by_one(memory).run([*shells(10), *pages(10, "blog/{}-name")])
    assert memory.is_rendered_upfront("https://a.example/product/77-name")
    assert not memory.is_rendered_upfront("https://a.example/blog/77-name")
    assert not memory.is_rendered_upfront("https://b.example/product/77-name")
    assert not memory.is_rendered_upfront("https://a.example:8080/product/77-name")


@pytest.mark.parametrize(
    ("learned", "other", "known"),
    [
        ("product/{}-name", "product/chair", True),
        ("product/{}-name", "product/a/b.html", True),
        ("product/{}-name", "products/chair", False),
        ("product/{}-name", "product", False),
        ("shop-{}/list", "shop-77/items", True),
        ("2024/x{}", "2025/12/y", True),
        ("{}/list", "77/list", True),
        ("{}", "other?page=2", True),
        ("{}", "a/b", False),
    ],
)
def test_pages_of_one_folder_are_one_part(
    learned: str, other: str, known: bool
) -> None:
    memory = SiteMemory()
    one_by_one(memory).run(shells(6, learned))
    assert memory.is_rendered_upfront(f"https://a.example/{other}") is known


def test_a_folder_with_files_has_to_gain_anew() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(shells(10))
    url = "https://a.example/product/price.pdf"
    upfront: State = {"rendered": True, "reason": "site"}
    memory.add_failure(url, upfront, "not_html")
    assert not memory.is_rendered_upfront(url)
    one_by_one(memory).run(shells(5))
    assert memory.is_rendered_upfront(url)


# Sites with all kinds of pages and late verdicts.


def mixed_site(seed: int, *, one_shape: bool) -> list[Site]:
    """60 static pages (a third of them doubtful), 20 shells, 20 half-static ones."""
    folders = ["page"] * 5 if one_shape else ["blog", "news", "help", "app", "item"]
    doubts = [("lazy", "img"), ("lazy", "ul.menu"), ("little_text", "body")]
    site = pages(40, folders[0] + "/{}-a")
    for at, doubt in enumerate(doubts):
        count = (12, 6, 2)[at]
        site += pages(count, folders[at] + f"/{{}}-b{at}", doubt, MAYBE)
    site += shells(20, folders[3] + "/{}-c")
    site += pages(16, folders[4] + "/{}-d", HALF, MAYBE, gains=True)
    other_half = ("placeholder", "section.specs")
    site += pages(4, folders[4] + "/{}-e", other_half, MAYBE, gains=True)
    random.Random(seed).shuffle(site)
    return site


@pytest.mark.parametrize("one_shape", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_mixed_site_is_rendered_where_it_needs_to_be(
    seed: int, one_shape: bool
) -> None:
    site = mixed_site(seed, one_shape=one_shape)
    crawl = Crawl(SiteMemory()).run(site)
    assert len(crawl.rendered) + len(crawl.upfront) + len(crawl.static) == 100
    assert not crawl.lost
    assert len(crawl.fruitless) <= 10


def test_a_hint_in_vain_spoils_no_other_hint_of_the_site() -> None:
    """One sum over all hints lost 39 of these 40 pages, or rendered 300 in vain."""
    site = pages(460, "page/{}-a")
    site += pages(500, "blog/{}-b", ("deferred_fragment", "div.widget"), MAYBE)
    site += pages(40, "page/{}-c", HALF, MAYBE, gains=True)
    for seed in range(4):
        random.Random(seed).shuffle(site)
        crawl = Crawl(SiteMemory()).run(site)
        assert not crawl.lost
        assert len(crawl.fruitless) <= 6


def test_pages_that_wait_for_the_browser_are_dropped_after_a_bad_verdict() -> None:
    memory = SiteMemory()
    urls = [f"https://a.example/{n}" for n in range(16)]
    states = [begun(memory, url, MAYBE) for url in urls]
    for state in states[:2]:
        assert memory.confirm(asked(state))
        memory.add_rendered(STATIC, state)
    assert not memory.confirm(asked(states[3]))
    assert begin(memory, "https://a.example/20", need=MAYBE) is None


def test_hosts_do_not_learn_from_each_other() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(pages(50, "page/{}", HALF, MAYBE))
    assert begin(memory, "https://a.example/page/1", HALF, MAYBE) is None
    assert begin(memory, "https://b.example/page/1", HALF, MAYBE) is not None


def test_verdicts_are_on_the_page_that_was_judged_wherever_it_was_redirected() -> None:
    memory = SiteMemory()
    states = [begun(memory, f"https://a.example/{n}", MAYBE) for n in range(4)]
    assert all(memory.confirm(asked(state)) for state in states)
    for state in states[:3]:
        memory.add_rendered(STATIC, state)
    assert not memory.confirm(asked(states[3]))
    assert len(memory._sites) == 1
    assert memory.confirm(Request("http://other.example/"))


def test_a_replay_renders_what_the_page_alone_decided() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(pages(50, "page/{}", HALF, MAYBE))
    judgement = Judgement(MAYBE, HALF[0], HALF[1:])
    url = "https://a.example/page/1"
    assert memory.begin(url, STATIC, judgement, replayed=True) is not None


# Failures.


def test_a_site_that_the_browser_fails_on_is_left_alone_but_tried_again() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(shells(10))
    url = "https://a.example/product/1-x"
    waiting = begun(memory, url)
    for _ in range(5):
        assert memory.is_rendered_upfront(url)
        memory.add_failure(url, waiting, "crash")
    assert not memory.is_rendered_upfront(url)
    assert not memory.confirm(asked(waiting))
    states = [begin(memory, url) for _ in range(20)]
    assert states[:19] == [None] * 19
    assert states[19] is not None
    assert memory.confirm(asked(states[19]))
    memory.add_rendered(FULL, states[19])
    assert begin(memory, url) is not None


@pytest.mark.parametrize(
    ("reason", "judged", "left_alone"),
    [
        ("timeout", False, True),
        ("crash", False, True),
        ("no_browser", False, True),
        ("refused", False, False),
        ("too_large", False, False),
        ("status", False, False),
        ("network", False, False),
        ("status", True, True),
        ("network", True, True),
        ("too_large", True, False),
    ],
)
def test_only_failures_of_the_browser_are_a_reason_to_leave_a_site_alone(
    reason: str, judged: bool, left_alone: bool
) -> None:
    memory = SiteMemory()
    one_by_one(memory).run(shells(10))
    url = "https://a.example/product/7-x"
    state: State = {"rendered": True, "reason": "site"}
    for _ in range(5):
        memory.add_failure(url, begun(memory, url) if judged else state, reason)
    assert memory.is_rendered_upfront(url) is not left_alone


# Bounds.


def test_the_site_that_was_seen_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SITES", 3)
    memory = SiteMemory()
    for host in "abcad":
        memory.add_static(f"https://{host}/x/y")
    assert len(memory._sites) == 3


def test_rules_and_folders_of_a_site_are_bounded() -> None:
    memory = SiteMemory()
    for n in range(500):
        name = "".join(chr(97 + int(digit)) for digit in str(n))
        url = f"https://a.example/{name}/" + "x" * 10_000
        state = begin(memory, url, ("r" * 10_000, str(n)))
        assert state is not None
        memory.add_rendered(FULL, state)
        memory.add_static(url)
    assert len(str(after(memory)._sites)) < 10_000


@pytest.mark.parametrize(
    "url", ["", "x", "http://[", "http://[::1/", "https://a/\ud800"]
)
def test_any_url_will_do(url: str) -> None:
    memory = SiteMemory()
    memory.add_rendered(FULL, begun(memory, url))
    assert not memory.is_rendered_upfront(url)


# Storage.


def after(memory: SiteMemory) -> SiteMemory:
    """The memory of the next crawl."""
    return SiteMemory(memory.to_json())


def test_all_components_of_a_crawl_learn_together() -> None:
    crawler = make_crawler()
    assert get_memory(crawler) is get_memory(crawler)
    assert get_memory(crawler) is not get_memory(make_crawler())


def test_a_crawler_is_freed_when_its_crawl_is_over() -> None:
    crawler = make_crawler()
    known = ref(get_memory(crawler)), ref(crawler)
    crawler.signals.send_catch_log(
        signals.spider_closed, spider=crawler.spider, reason="finished"
    )
    del crawler
    gc.collect()
    gc.collect()  # The crawler was the key of the rest.
    assert [one() for one in known] == [None, None]


def test_the_next_crawl_knows_the_sites() -> None:
    crawl = Crawl(SiteMemory())
    crawl.run([*shells(30), *pages(30, "page/{}", HALF, MAYBE)])
    later = after(crawl.memory)
    assert later.is_rendered_upfront("https://a.example/product/77-x")
    # What brought nothing is tried once more: the site may have failed.
    state = begun(later, "https://a.example/page/1", MAYBE, HALF)
    later.add_rendered(STATIC, state)
    assert begin(later, "https://a.example/page/1", HALF, MAYBE) is None


def test_a_browser_that_failed_has_another_chance_in_the_next_crawl() -> None:
    crawl = one_by_one().run(shells(10))
    for _ in range(5):
        crawl.memory.add_failure("https://a.example/product/1", {}, "crash")
    assert not crawl.memory.is_rendered_upfront("https://a.example/product/1")
    assert after(crawl.memory).is_rendered_upfront("https://a.example/product/1")


@pytest.mark.parametrize(
    "text",
    ["", "null", "[1]", '{"rules": {}}', '{"folders": 7}', '{"misses": {"": ""}}'],
)
def test_what_another_version_has_kept_is_forgotten(text: str) -> None:
    assert not SiteMemory({"a.example": text})._sites


def test_the_same_crawl_decides_the_same() -> None:
    site = mixed_site(1, one_shape=False)
    first, second = (Crawl(SiteMemory()).run(site) for _ in range(2))
    assert first.rendered == second.rendered
