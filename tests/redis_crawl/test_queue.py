"""The queue of a shared crawl, against a real server."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis
from scrapy import FormRequest, Request, Spider

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY, replace_state
from scrapy_mainpage.redis_crawl.queue import LeasedQueue
from tests.servers.redis import RedisServer

URL = "https://example.com/{}"
HEAD = bytes(12)
Make = Callable[..., LeasedQueue]


class Pages(Spider):
    name = "pages"

    def parse_page(self, response: Any) -> None: ...

    def missed(self, failure: Any) -> None: ...


@pytest.fixture
def make(server: RedisServer) -> Make:
    return lambda: LeasedQueue(server.url, "crawl:pages", Pages(), 600.0)


@pytest.fixture
def leases_end(server: RedisServer) -> Callable[[], None]:
    """Ends all leases, as time does."""

    def end() -> None:
        with Redis.from_url(server.url) as client:
            leased = client.zrange("crawl:pages:leased", 0, -1)
            client.zadd("crawl:pages:leased", dict.fromkeys(leased, 1), xx=True)

    return end


def put(queue: LeasedQueue, *names: object, **options: Any) -> None:
    for name in names:
        request = Request(URL.format(name), **options)
        queue.add(queue.encode(request), request.priority)


def name_of(queue: LeasedQueue, entry: bytes) -> str:
    return queue.decode(entry).url[len(URL) - 2 :]


def names(queue: LeasedQueue) -> list[str]:
    return [name_of(queue, entry) for entry in iter(lambda: queue.take()[0], b"")]


def test_requests_come_by_priority_and_then_as_they_went_in(make: Make) -> None:
    queue = make()
    put(queue, "a", "bbb", "c")
    put(queue, "urgent", priority=10)
    put(queue, "later", priority=-1)
    put(queue, "a")  # equal requests both stay: the spider yielded both
    assert queue.pending() == 6
    assert names(queue) == ["urgent", "a", "bbb", "c", "a", "later"]


def test_what_was_taken_is_pending_until_it_is_done(make: Make) -> None:
    one, other = make(), make()
    put(one, "a", "b")
    entry, _ = one.take()
    assert other.pending() == 2
    one.end([entry])
    assert name_of(one, one.take()[0]) == "b"
    assert other.pending() == 1
    assert other.take() == (b"", 0)


def test_a_dead_worker_s_requests_come_first_and_with_their_priority(
    make: Make, leases_end: Callable[[], None]
) -> None:
    dead, other = make(), make()
    put(dead, "a", "b", "c")
    put(dead, "low", priority=-5)
    entries = [dead.take()[0] for _ in range(4)]
    dead.end(entries[1:2])  # finishes b, then dies
    put(other, "d")
    leases_end()
    entry, back = other.take()
    assert back == 3
    assert name_of(other, entry) == "a"
    assert names(other) == ["c", "d", "low"]


def test_a_lease_that_is_renewed_goes_on_and_one_that_is_done_does_not(
    make: Make, leases_end: Callable[[], None]
) -> None:
    queue, other = make(), make()
    put(queue, "a", "b")
    entries = [queue.take()[0] for _ in range(2)]
    queue.end(entries[:1])
    leases_end()
    queue.renew(entries)
    assert other.take() == (b"", 0)
    assert other.pending() == 1
    leases_end()
    assert other.take()[1] == 1


def test_a_worker_that_leaves_gives_back_what_it_has(make: Make) -> None:
    one, other = make(), make()
    put(one, "a", "b")
    entries = [one.take()[0] for _ in range(2)]
    one.end(entries[:1])
    one.give_back(entries)
    assert names(other) == ["b"]


def test_a_request_and_its_fingerprint_go_in_together(make: Make) -> None:
    queue = make()
    encoded = queue.encode(Request(URL.format("a")))
    assert queue.add(encoded, 0, b"1")
    assert not queue.add(encoded, 0, b"1")
    assert queue.add(encoded, 0, b"2")
    assert queue.add(encoded, 0)
    assert (queue.pending(), queue.count_seen()) == (3, 2)


def test_a_request_arrives_as_it_was(make: Make) -> None:
    queue, spider = make(), Pages()
    queue._spider = spider
    request = Request(
        URL.format("ü?q=1"),
        callback=spider.parse_page,
        errback=spider.missed,
        method="PUT",
        headers={"X-One": ["1", "2"]},
        body=b"\xff",
        cookies={"a": "b"},
        meta={"depth": 3, "own": {"x": (1, 2)}},
        encoding="latin-1",
        priority=7,
        dont_filter=True,
        flags=["f"],
        cb_kwargs={"site": "example.com/"},
    )
    assert queue.decode(HEAD + queue.encode(request)).to_dict(spider=spider) == (
        request.to_dict(spider=spider)
    )
    form = FormRequest(URL.format("f"), formdata={"a": "1"})
    found = queue.decode(HEAD + queue.encode(form))
    assert isinstance(found, FormRequest)
    assert (found.method, found.body) == ("POST", b"a=1")


def test_requests_are_small_and_those_to_be_rendered_not_large(make: Make) -> None:
    queue = make()
    plain = Request(URL.format("x" * 80), meta={"depth": 9, "download_timeout": 180.0})
    assert len(queue.encode(plain)) < 250
    rendering = replace_state(
        plain,
        {
            "rendered": True,
            "reason": "scripted_container",
            "url": plain.url,
            "key": ["scripted_container", "div#app", "main"],
            "advice": "probe",
            "words": 2**31,
            "layout": True,
        },
    )
    encoded = queue.encode(rendering)
    assert len(encoded) < 2500
    found = queue.decode(HEAD + encoded)
    assert found.dont_filter
    assert found.meta[STATE_KEY] == rendering.meta[STATE_KEY]
    assert "Page" not in pickle.loads(encoded)


@pytest.mark.parametrize(
    "request_", [Request(URL, callback=print), Request(URL, meta={"x": open})]
)
def test_what_cannot_be_handed_over_says_so(make: Make, request_: Request) -> None:
    queue = make()
    if request_.callback is None:
        request_.meta["x"] = lambda: None
    with pytest.raises((ValueError, AttributeError, pickle.PicklingError)):
        queue.encode(request_)
