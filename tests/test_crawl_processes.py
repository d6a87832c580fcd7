"""Whole crawls whose large pages are extracted by other processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.crawl.worker_pool import MIN_SIZE
from tests.crawling import PROCESSES, ROOT, Crawl, crawl, finish, start
from tests.mockserver import Reply, Site, article, html, serve
from tests.processes.algorithms import TROUBLED, troubling
from tests.waiting import wait

posix = pytest.mark.skipif(sys.platform == "win32", reason="it is of POSIX")

TOPICS = [f"topic {n}" for n in range(12)]
TROUBLES = ("die", "stumble", "wait")


def large(page: str) -> Reply:
    return html(f"{page}<!--{'x' * MIN_SIZE}-->")


PAGES = {
    **{f"/{n}": large(article(topic)) for n, topic in enumerate(TOPICS)},
    **{f"/{name}": large(troubling(f"please {name}", 99)) for name in TROUBLES},
    "/small": html("<title>Small</title><p>This one is small, and stays at home.</p>"),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve(PAGES) as site:
        yield site


def settings_for(folder: Path, **more: object) -> dict[str, Any]:
    return {
        "MAINPAGE_PROCESSES": 2,
        "MAINPAGE_ALGORITHM": TROUBLED,
        "MAINPAGE_ALGORITHM_OPTIONS": {"folder": str(folder)},
        **more,
    }


def urls(site: Site, *names: object) -> list[str]:
    return [f"{site.url}/{name}" for name in names]


def texts(done: Crawl, site: Site) -> dict[str, str]:
    return {item["url"][len(site.url) + 1 :]: item["page_text"] for item in done.items}


FIELDS = {"MAINPAGE_ITEM_FIELDS": {"words": "words", "markdown": "markdown"}}
SELECT = "twisted.internet.selectreactor.SelectReactor"


@pytest.fixture(scope="module")
def same(site: Site) -> Crawl:
    """The crawl with all pages made in its own process."""
    return crawl("page", FIELDS, urls=urls(site, *range(len(TOPICS)), "small"))


@pytest.mark.parametrize("process", PROCESSES)
def test_every_kind_of_crawl_has_its_large_pages_made_elsewhere(
    site: Site, process: str, same: Crawl
) -> None:
    settings: dict[str, Any] = {**FIELDS, "MAINPAGE_PROCESSES": 2}
    if process == "sync":
        settings["TWISTED_REACTOR"] = SELECT
    wanted = urls(site, *range(len(TOPICS)), "small")
    done = crawl("page", settings, process=process, urls=wanted)
    assert sorted(done.items, key=str) == sorted(same.items, key=str)
    assert len(done.items) == len(wanted)
    assert done.stat("mainpage/processes/extracted") == len(TOPICS)
    assert done.stat("mainpage/processes/time") > 0
    assert 1 <= done.stat("mainpage/processes/started") <= 2
    assert done.stat("mainpage/extracted") == len(wanted)
    assert done.stat("mainpage/loop/longest") > 0
    assert same.stat("mainpage/processes/extracted") == 0
    assert "ERROR" not in done.log + same.log


def test_pages_that_kill_cost_themselves_and_nothing_else(
    site: Site, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path)
    names = ["die", "stumble", *range(len(TOPICS))]
    done = crawl("page", settings, urls=urls(site, *names))
    found = texts(done, site)
    assert found.keys() == set(map(str, names))
    for number, topic in enumerate(TOPICS):
        assert found[str(number)].startswith(f"All about {topic}")
    assert "worth reading" in found["stumble"]
    failed = {
        item["url"].rsplit("/", 1)[1]: item["warnings"]
        for item in done.items
        if not item["page_text"]
    }
    assert failed == {"die": ["failed:WorkerDied"]}
    assert done.stat("mainpage/failed/WorkerDied") == 1
    assert done.stat("mainpage/processes/died") == 3
    assert done.stat("mainpage/processes/extracted") == len(names) - 1
    assert done.log.count("Extraction of the main content failed") == 1
    said = "Another process has the task of one that died: exit code 3"
    assert done.log.count(said) == 2
    assert done.stat("finish_reason") == "finished"


@posix
def test_a_crawl_that_is_told_to_stop_still_gets_its_pages(
    site: Site, tmp_path: Path
) -> None:
    """With a terminal, Ctrl-C goes to all processes of the group."""
    settings = settings_for(tmp_path)
    running = start("page", tmp_path, settings, group=True, urls=urls(site, "wait"))
    wait(lambda: list(tmp_path.glob("*.pid")), "page", running)
    (waiting,) = tmp_path.glob("*.pid")
    os.killpg(running.pid, signal.SIGINT)
    os.kill(int(waiting.stem), signal.SIGINT)
    assert running.stderr is not None
    while "Received SIGINT" not in running.stderr.readline():
        assert running.poll() is None
    (tmp_path / "go").touch()
    done = finish(running, tmp_path)
    assert "worth reading" in texts(done, site)["wait"]
    assert done.stat("finish_reason") == "shutdown"
    assert done.stat("mainpage/processes/died") == 0


SCRIPT = """
import sys

import scrapy
from scrapy.crawler import AsyncCrawlerProcess


class Script(scrapy.Spider):
    name = "script"
    start_urls = sys.argv[1:]

    def parse(self, response):
        print(response.meta["mainpage"].title, flush=True)


process = AsyncCrawlerProcess({
    "ADDONS": {"scrapy_mainpage.Addon": 500},
    "MAINPAGE_PROCESSES": 2,
})
process.crawl(Script)
process.start()
"""


def test_a_script_that_crawls_as_it_is_imported_crawls_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with serve(
        {f"/{topic}": large(article(topic)) for topic in ("ants", "bees")}
    ) as site:
        command = [sys.executable, str(script), *urls(site, "ants", "bees")]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
        )
        assert sorted(done.stdout.split("\n")[:-1]) == [
            "All about ants",
            "All about bees",
        ]
        assert set(site.requests.values()) == {1}
    assert "'mainpage/processes/extracted': 2" in done.stderr
