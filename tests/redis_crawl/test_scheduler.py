"""The scheduler of a shared crawl: leases of requests until these have ended."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from redis import Redis
from scrapy.settings import Settings

from scrapy_mainpage import Addon
from scrapy_mainpage.settings import SettingsError
from tests.crawling import (
    PROCESSES,
    crawl,
    finish,
    make_crawler,
    start,
)
from tests.mockserver import Answer, Reply, article, html, redirect, serve
from tests.servers.redis import RedisServer
from tests.waiting import PATIENCE

from .spiders import SPIDERS

BRIEF = f"{SPIDERS}BriefScheduler"

PARAGRAPH = "The owls of the harbour hunt at noon, which others never do, for years. "


def shared(server: RedisServer, **settings: Any) -> dict[str, Any]:
    return {"MAINPAGE_SHARED": f"{server.url}?prefix=crawl", **settings}


def left_in(server: RedisServer) -> set[str]:
    with Redis.from_url(server.url) as client:
        return {key.decode() for key in client.scan_iter()}


class Ends(dict[str, Answer]):
    """A page for every query."""

    def get(self, path: str, other: Any = None) -> Any:
        return super().get(path, super().get(path.partition("?")[0], other))


@pytest.mark.parametrize("process", PROCESSES)
def test_however_a_request_ends_it_is_done(server: RedisServer, process: str) -> None:
    pages = Ends(
        {
            "/page": html(article("owls")),
            "/moved": redirect("/page?moved"),
            "/busy": lambda count: Reply(status=503 if count < 2 else 200),
        }
    )
    settings = shared(
        server,
        ITEM_PIPELINES={f"{SPIDERS}Refusing": 100},
        RETRY_TIMES=1,
    )
    with serve(pages) as site, socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and does not listen
        found = crawl(
            f"{SPIDERS}EndsSpider",
            settings,
            site=site.url,
            closed=f"http://127.0.0.1:{unused.getsockname()[1]}/",
            process=process,
        )
    assert found.returncode == 0, found.log
    assert found.stat("finish_reason") == "finished"
    names = sorted(item["name"] for item in found.items)
    refused = next(n for n in names if n.startswith("missed") and "Refused" in n)
    refused = refused.removeprefix("missed ")
    assert names == sorted(
        [
            "no request at all", "/page", "/page", "/page?async", "/busy",
            "/page?HttpError", "missed HttpError", "/page?first",
            f"/page?{refused}", f"missed {refused}",
        ]
    )  # fmt: skip
    assert found.stat("dupefilter/filtered") == 1
    assert left_in(server) == {"crawl:ends:seen", "crawl:ends:last"}


def test_requests_stay_small_also_with_all_of_a_page_s_meta(
    server: RedisServer,
) -> None:
    links = "".join(
        f'<p>Of owls number {n}, {PARAGRAPH * n}<a href="/{n}">more of them</a>, too.'
        for n in range(9)
    )
    pages: dict[str, Answer] = {
        f"/{n}": html(article("owls", main=links)) for n in range(9)
    }
    with serve(pages) as site:
        found = crawl("site", shared(server), url=f"{site.url}/0")
    assert len(found.items) == 9
    assert found.stat("mainpage/shared/request_bytes_max") < 400


def test_what_cannot_be_handed_over_is_crawled_by_its_own_worker(
    server: RedisServer,
) -> None:
    with serve(Ends({"/page": html(article("owls"))})) as site:
        found = crawl(f"{SPIDERS}LocalSpider", shared(server), site=site.url)
    assert sorted(item["url"][-1] for item in found.items) == ["1", "2"]
    assert found.stat("scheduler/unserializable") == 2
    assert found.log.count("Not for other workers") == 1


def test_a_page_that_takes_longer_than_the_lease_stays_with_its_worker(
    server: RedisServer, tmp_path: Path
) -> None:
    go_on = Event()

    def slow(count: int) -> Reply:
        go_on.wait(PATIENCE)
        return html(article("owls"))

    running = []
    with serve({"/0": slow}) as site:
        for name in "ab":
            folder = tmp_path / name
            folder.mkdir()
            settings = shared(server, SCHEDULER=BRIEF, LOG_LEVEL="DEBUG")
            spider = f"{SPIDERS}ChainSpider"
            running.append((start(spider, folder, settings, site=site.url), folder))
        with Redis.from_url(server.url) as client:
            leases = set()
            while len(leases) < 6:  # renewed four times as often as they end
                leases.update(
                    client.zrange("crawl:chain:leased", 0, -1, withscores=True)
                )
        go_on.set()
        found = [finish(*one) for one in running]
        assert site.requests["/0"] == 1
    assert sorted(len(each.items) for each in found) == [0, 1]
    assert not any(each.stat("mainpage/shared/taken_back") for each in found)


def test_a_worker_that_cannot_hand_on_its_requests_closes_and_says_so(
    server: RedisServer, tmp_path: Path
) -> None:
    go_on, asked = Event(), Event()

    def last(count: int) -> Reply:
        asked.set()
        go_on.wait(PATIENCE)
        return html(article("owls", main='<p>See <a href="/1">the next</a>.</p>'))

    with serve({"/0": last}) as site:
        running = start(
            f"{SPIDERS}ChainSpider", tmp_path, shared(server), site=site.url
        )
        was_asked = asked.wait(PATIENCE)
        server.kill()
        go_on.set()
        found = finish(running, tmp_path)
    assert was_asked, found.log
    assert found.stat("finish_reason") == "shared_crawl_failed", found.log
    assert found.stat("mainpage/shared/failed/add") == 1
    assert found.log.count("did not take") == 1
    assert "secret" not in found.log


# Settings


def placed(url: str, **project: Any) -> Settings:
    settings = Settings({"MAINPAGE_SHARED": url, **project}, priority="project")
    Addon(make_crawler()).update_settings(settings)
    return settings


def test_one_setting_places_the_scheduler_and_what_the_project_has_set_stays(
    server: RedisServer,
) -> None:
    settings = placed(f"{server.url}?prefix=docs")
    assert settings["SCHEDULER"].endswith("SharedScheduler")
    assert settings["FEED_STORAGES"].keys() == {"", "file"}
    settings = placed(server.url, SCHEDULER=BRIEF, FEED_STORAGES={"file": "my.Storage"})
    assert settings["SCHEDULER"] == BRIEF
    assert settings["FEED_STORAGES"]["file"] == "my.Storage"
    assert settings["FEED_STORAGES"][""].endswith("UnbufferedFile")


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://localhost/", "http is not a Redis scheme"),
        ("redis://[", "Invalid"),
    ],
)
def test_a_url_that_is_none_of_redis_stops_the_crawl(url: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem) as caught:
        placed(url)
    assert str(caught.value).startswith("MAINPAGE_SHARED=")


@pytest.mark.parametrize("process", PROCESSES)
def test_a_server_that_does_not_answer_stops_the_crawl_in_one_line(
    process: str,
) -> None:
    shared = {"MAINPAGE_SHARED": "redis://:hidden@127.0.0.1:1/0", "LOG_LEVEL": "ERROR"}
    done = crawl("page", shared, process=process, urls=["data:,"])
    assert done.returncode == 1
    assert not done.items
    assert len(done.log.splitlines()) == 1, done.log
    assert "MAINPAGE_SHARED='redis://" in done.log
    assert "refused" in done.log
    assert "hidden" not in done.log


def test_without_redis_the_crawl_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(SettingsError, match=r"needs redis: pip install .*shared"):
        placed("redis://localhost/0")
