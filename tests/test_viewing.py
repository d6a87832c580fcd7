"""Commands that show single pages: they write nothing and take no shared request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from scrapy_mainpage.addon import Addon
from scrapy_mainpage.commands.shell import Command
from tests.crawling import ADDON, make_crawler
from tests.forking import run_scrapy
from tests.mockserver import Answer, article, html, serve
from tests.servers.redis import RedisServer

PAGES: dict[str, Answer] = {
    "/": html(article("The owls of the harbour hunt at noon. " * 9))
}

SETTINGS = """
SPIDER_MODULES = ["shop.spiders"]
COMMANDS_MODULE = "shop.commands"
ADDONS = {"scrapy_mainpage.Addon": 500}
MAINPAGE_INDEX = "sqlite:///index.db"
MAINPAGE_DUPLICATES_ENABLED = True
MAINPAGE_FILTER_ENABLED = True
"""

SPIDER = """
import scrapy

class OwlSpider(scrapy.Spider):
    name = "owls"

    def parse(self, response):
        '''Contract.

        @url URL
        @returns items 1 1
        '''
        yield {"url": response.url, "text": response.meta["mainpage"].text}
"""


@pytest.fixture
def url() -> Iterator[str]:
    with serve(PAGES) as site:
        yield site.url


@pytest.fixture
def project(tmp_path: Path, url: str) -> Path:
    """A project that indexes, and has the shell of the plugin."""
    files = {
        "scrapy.cfg": "[settings]\ndefault = shop.settings\n",
        "shop/__init__.py": "",
        "shop/settings.py": SETTINGS,
        "shop/spiders/__init__.py": SPIDER.replace("URL", url),
        "shop/commands/__init__.py": "",
        "shop/commands/shell.py": (
            "from scrapy_mainpage.commands import shell\n"
            "class Command(shell.Command): pass"
        ),
    }
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "project"


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


VIEWS = {
    "shell": ["-c", "print(page.title, page is mainpage(response))", "--spider=owls"],
    "fetch": ["--spider=owls"],
    "parse": ["--spider=owls", "--pipelines"],
    "check": ["owls"],
    "mainpage": ["--spider=owls"],
}


@pytest.mark.parametrize("command", VIEWS)
def test_a_command_that_shows_a_page_writes_nothing_and_takes_no_shared_request(
    command: str, project: Path, url: str, redis_server: RedisServer
) -> None:
    with Redis.from_url(redis_server.url) as client:
        client.zadd("mainpage:owls:requests", {"a request": 1})
        before = files(project)
        shared = ["-s", f"MAINPAGE_SHARED={redis_server.url}"]
        address = [] if command == "check" else [url]
        view = (command, *VIEWS[command], *shared, *address)
        done = run_scrapy(*view, cwd=project)
        assert done.returncode == 0, done.stderr
        assert files(project) == before
        assert client.keys() == [b"mainpage:owls:requests"]
        assert client.zrange("mainpage:owls:requests", 0, -1) == [b"a request"]
    if command == "check":
        assert "OK" in done.stderr
    else:
        assert "owls" in done.stdout
    if command == "shell":
        assert "True" in done.stdout


def test_a_crawl_of_that_project_is_indexed(project: Path, url: str) -> None:
    done = run_scrapy("crawl", "owls", "-a", f"start_urls={url}", cwd=project)
    assert done.returncode == 0, done.stderr
    assert (project / "index.db").exists()


def test_the_add_on_does_nothing_but_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that does not answer and a file that cannot be made are no matter."""
    monkeypatch.chdir(tmp_path)
    values = {
        "MAINPAGE_INDEX": "sqlite:///made.db",
        "MAINPAGE_SHARED": "redis://127.0.0.1:1/0",
        "MAINPAGE_DUPLICATES_ENABLED": True,
    }
    crawler = make_crawler(**ADDON, **values)
    Addon.from_crawler(crawler).update_settings(crawler.settings)
    assert crawler.settings["SCHEDULER"].endswith("SharedScheduler")
    assert files(tmp_path) == set()


def test_the_shell_of_a_response_without_a_page_has_none() -> None:
    names: dict[str, object] = {"response": None}
    Command().update_vars(names)
    assert names["page"] is None
