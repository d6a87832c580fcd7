"""The queue of a shared crawl, against a real server."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from time import sleep
from typing import Any

import pytest
from redis import Redis
from scrapy import FormRequest, Request, Spider

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY, replace_state
from scrapy_mainpage.redis_crawl.queue import LeasedQueue
from tests.servers.redis import RedisServer

URL = "https://example.com/{}"
Make = Callable[..., LeasedQueue]


class Pages(Spider):
    name = "pages"

    def parse_page(self, response: Any) -> None: ...

    def missed(self, failure: Any) -> None: ...


@pytest.fixture
def client(server: RedisServer) -> Any:
    with Redis.from_url(server.url) as client:
        yield client


@pytest.fixture
def make(client: Redis) -> Make:
    def make(lease: float = 60.0) -> LeasedQueue:
        made = LeasedQueue(client, Pages(), "crawl:%(spider)s:requests")
        made.lease = lease
        return made

    return make


def put(queue: LeasedQueue, *names: object, **options: Any) -> None:
    for name in names:
        queue.push(Request(URL.format(name), **options))


def take(queue: LeasedQueue, *done: bytes, held: int = 1) -> tuple[bytes, str]:
    """Number and name of the next request; both empty if the queue is empty."""
    taken = queue.exchange(done, held)
    name = queue.decode(taken.encoded).url[len(URL) - 2 :] if taken.number else ""
    return taken.number, name


def names(queue: LeasedQueue) -> list[str]:
    found = []
    while (taken := take(queue, held=9))[0]:
        found.append(taken[1])
    return found


def test_requests_come_by_priority_and_then_as_they_went_in(make: Make) -> None:
    queue = make()
    put(queue, "a", "bbb", "c")
    put(queue, "urgent", priority=10)
    put(queue, "later", priority=-1)
    put(queue, "a")  # equal requests both stay: the spider yielded both
    assert len(queue) == queue.pending() == 6
    assert names(queue) == ["urgent", "a", "bbb", "c", "a", "later"]


def test_what_was_taken_is_pending_until_it_is_done(make: Make) -> None:
    one, other = make(), make()
    put(one, "a", "b")
    number, _ = take(one, held=0)
    assert (len(other), other.pending()) == (1, 2)
    assert take(one, number, held=0)[1] == "b"
    assert (len(other), other.pending()) == (0, 1)
    assert take(other, held=0) == (b"", "")


def test_a_dead_worker_s_requests_come_first_and_with_their_priority(
    make: Make,
) -> None:
    dead, other = make(lease=0.05), make()
    put(dead, "a", "b", "c")
    put(dead, "low", priority=-5)
    numbers = [take(dead, held=n)[0] for n in range(4)]
    dead.exchange(numbers[1:2], 3, take=False)  # finishes b, then dies
    put(other, "d")
    sleep(0.1)
    taken = other.exchange([], 0)
    assert taken.back == 3
    assert other.decode(taken.encoded).url == URL.format("a")
    assert names(other) == ["c", "d", "low"]


def test_a_worker_that_was_taken_for_dead_hears_of_it(make: Make) -> None:
    slow, other = make(lease=0.05), make()
    put(slow, "a")
    number, _ = take(slow, held=0)
    assert slow.exchange([], 1, take=False).known
    sleep(0.1)
    assert take(other, held=0)[1] == "a"
    assert not slow.exchange([number], 0, take=False).known
    assert other.pending() == 1  # the other worker has it by now


def test_an_answer_that_got_lost_costs_no_request(make: Make) -> None:
    queue = make()
    put(queue, "a", "b")
    queue.exchange([], 0)  # the worker never gets the answer
    assert take(queue, held=0)[1] == "a"
    assert names(queue) == ["b"]


def test_a_worker_that_leaves_gives_back_what_it_has(make: Make) -> None:
    one, other = make(), make()
    put(one, "a", "b")
    number, _ = take(one, held=0)
    take(one)
    assert one.leave([number]) == 1
    assert names(other) == ["b"]


def test_a_request_and_its_fingerprint_go_in_together(
    make: Make, client: Redis
) -> None:
    queue = make()
    encoded = queue.encode(Request(URL.format("a")))
    assert queue.add(encoded, 0, "crawl:seen", b"1")
    assert not queue.add(encoded, 0, "crawl:seen", b"1")
    assert queue.add(encoded, 0, "crawl:seen", b"2")
    assert queue.add(encoded, 0)
    assert len(queue) == 3
    assert client.smembers("crawl:seen") == {b"1", b"2"}


def test_clearing_forgets_all_workers_and_nothing_else(
    make: Make, client: Redis
) -> None:
    client.set("crawl:pages:seen", "1")
    queue = make()
    put(queue, "a", "b")
    take(queue, held=0)
    queue.clear()
    assert client.keys() == [b"crawl:pages:seen"]


def test_a_request_arrives_as_it_was(make: Make) -> None:
    queue, spider = make(), Pages()
    queue.spider = spider
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
    assert queue.decode(queue.encode(request)).to_dict(spider=spider) == (
        request.to_dict(spider=spider)
    )
    form = FormRequest(URL.format("f"), formdata={"a": "1"})
    found = queue.decode(queue.encode(form))
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
            "sketch": list(range(2**32 - 256, 2**32)),
            "words": 1000,
            "layout": True,
        },
    )
    encoded = queue.encode(rendering)
    assert len(encoded) < 2500
    found = queue.decode(encoded)
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
