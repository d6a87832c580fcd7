"""History of sites during a crawl: simulations of small crawls."""

from __future__ import annotations

import gc
import pickle
import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from weakref import ref

import pytest
from scrapy import Request, signals

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY, State
from scrapy_mainpage.page import Page
from scrapy_mainpage.rendering import site_memory as module
from scrapy_mainpage.rendering.need import Judgement, Need
from scrapy_mainpage.rendering.site_memory import (
    SiteMemory,
    find_gain,
    get_memory,
    keep_static,
)
from tests.crawling import make_crawler


def make_page(*main: str) -> Page:
    """A page with paragraphs of main content."""
    words = sum(len(text.split()) for text in main)
    return Page(None, "\n".join(main), "test", words=words)


def prose(words: int, seed: int = 0) -> str:
    """*words* different words."""
    chance = random.Random(seed)
    return " ".join(f"w{chance.getrandbits(60):x}" for _ in range(words))


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
        if page.need is Need.NO:
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
        return [page for page in self.rendered if not page.gains]


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


def test_pages_that_look_like_shells_and_gain_nothing_are_skipped_at_last() -> None:
    crawl = one_by_one().run(pages(103, "page/{}", SHELL, YES))
    assert 3 < len(crawl.fruitless) <= 4 + 100 // 20


# Sites that need a browser.


def test_a_kind_that_begins_to_gain_is_noticed() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(pages(50, "page/{}", SHELL, YES))
    after = one_by_one(memory).run(pages(400, "page/{}", SHELL, YES, gains=True))
    assert len(after.rendered) > 200


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
    assert len(crawl.rendered) + len(crawl.static) == 100
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


# Failures.


def test_a_site_that_the_browser_fails_on_is_left_alone_but_tried_again() -> None:
    memory = SiteMemory()
    one_by_one(memory).run(shells(10))
    url = "https://a.example/product/1-x"
    waiting = begun(memory, url)
    for _ in range(5):
        assert memory.confirm(asked(waiting))
        memory.add_failure(waiting, "crash")
    assert not memory.confirm(asked(waiting))
    states = [begin(memory, url) for _ in range(20)]
    assert states[:19] == [None] * 19
    assert states[19] is not None
    assert memory.confirm(asked(states[19]))
    memory.add_rendered(FULL, states[19])
    assert begin(memory, url) is not None


@pytest.mark.parametrize(
    ("reason", "left_alone"),
    [
        *(("timeout", True), ("crash", True), ("no_browser", True)),
        *(("status", True), ("network", True)),
        *(("refused", False), ("too_large", False), ("not_html", False)),
    ],
)
def test_failures_that_are_not_the_pages_are_a_reason_to_leave_a_site_alone(
    reason: str, left_alone: bool
) -> None:
    memory = SiteMemory()
    for state in [begun(memory, "https://a.example/product/7-x") for _ in range(5)]:
        memory.add_failure(state, reason)
    assert (begin(memory, "https://a.example/x") is None) is left_alone


# Bounds.


def test_the_site_that_was_seen_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SITES", 3)
    memory = SiteMemory()
    for host in "abcad":
        begun(memory, f"https://{host}/x/y")
    assert len(memory._sites) == 3


def test_rules_of_a_site_are_bounded() -> None:
    memory = SiteMemory()
    for n in range(500):
        name = "".join(chr(97 + int(digit)) for digit in str(n))
        url = f"https://a.example/{name}/" + "x" * 10_000
        state = begin(memory, url, ("r" * 10_000, str(n)))
        assert state is not None
        memory.add_rendered(FULL, state)
    assert len(str(after(memory)._sites)) < 10_000


@pytest.mark.parametrize(
    "url", ["", "x", "http://[", "http://[::1/", "https://a/\ud800"]
)
def test_any_url_will_do(url: str) -> None:
    memory = SiteMemory()
    assert memory.add_rendered(FULL, begun(memory, url)) == "yes"


# Storage.


def after(memory: SiteMemory) -> SiteMemory:
    """The memory of the next crawl."""
    return SiteMemory(memory.to_json())


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
    memory, url = SiteMemory(), "https://a.example/page/1"
    one_by_one(memory).run(pages(30, "page/{}", HALF, MAYBE))
    assert begin(memory, url, HALF, MAYBE) is None
    # What brought nothing is tried once more: the site may have failed.
    later = after(memory)
    later.add_rendered(STATIC, begun(later, url, MAYBE, HALF))
    assert begin(later, url, HALF, MAYBE) is None


def test_a_browser_that_failed_has_another_chance_in_the_next_crawl() -> None:
    memory, url = SiteMemory(), "https://a.example/product/1"
    for state in [begun(memory, url) for _ in range(5)]:
        memory.add_failure(state, "crash")
    assert begin(memory, url) is None
    assert begin(after(memory), url) is not None


@pytest.mark.parametrize(
    "text",
    ["", "null", "[1]", '{"gained": 1, "misses": {}}', '{"a": ""}', '{"a": true}'],
)
def test_what_another_version_has_kept_is_forgotten(text: str) -> None:
    assert not SiteMemory({"a.example": text})._sites


def test_the_memory_is_kept_in_the_state_of_the_crawl(tmp_path: Path) -> None:
    path, url = str(tmp_path / "state.db"), "https://a.example/page/1"
    crawler = make_crawler(MAINPAGE_STATE=path)
    one_by_one(get_memory(crawler)).run(shells(3))
    for stop in (signals.spider_closed, signals.engine_stopped):
        crawler.signals.send_catch_log(stop, spider=crawler.spider, reason="finished")
    later = get_memory(make_crawler(MAINPAGE_STATE=path))
    assert later.to_json().keys() == {"a.example"}
    assert begin(later, url) is not None


# Gain.


def gain(static: Page, rendered: Page) -> str:
    state: State = {"rendered": True, "reason": "empty_root"}
    keep_static(state, static)
    assert len(pickle.dumps(state)) < 5_000
    return find_gain(state, rendered)


def test_the_same_page_gains_nothing_at_all() -> None:
    for words in (1, 2, 3, 60, 600, 6_000, 60_000):
        same = make_page(prose(words), "A short one.")
        assert gain(same, same) == "no"
    odd = make_page("one \ud800 two \udfff three " * 10)
    assert gain(odd, odd) == "no"
    for static in (make_page("Few words."), make_page()):
        assert gain(static, make_page()) == "no"


@pytest.mark.parametrize(
    ("static", "added", "expected"),
    [
        (600, 19, "no"),
        (600, 60, "no"),
        (600, 80, "yes"),
        (30, 19, "no"),
        (30, 40, "yes"),
        (0, 4, "no"),
        (2, 8, "no"),
    ],
)
def test_what_is_new_has_to_be_enough(static: int, added: int, expected: str) -> None:
    old, new = prose(static, 3), prose(added, 4)
    assert gain(make_page(old), make_page(old, new)) == expected


def test_another_text_is_a_gain_or_worse_by_its_length() -> None:
    old = make_page(prose(300, 1))
    assert gain(old, make_page(prose(310, 2))) == "yes"
    assert gain(old, make_page(prose(290, 2))) == "worse"
    chinese = "渲染之后的页面多出了主要内容而静态页面没有这些文字" * 2
    assert gain(make_page(chinese), make_page(chinese)) == "no"
