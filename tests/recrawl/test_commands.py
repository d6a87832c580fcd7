"""``scrapy mainpage-state`` and ``scrapy mainpage-sweep`` after crawls."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import NamedTuple

import pytest

from scrapy_mainpage.commands import mainpage_state, mainpage_sweep
from scrapy_mainpage.memory import open_memory
from tests.commands.helpers import CommandRunner
from tests.mockserver import Reply

from .site import Crawls

COMMANDS = {"mainpage-state": mainpage_state, "mainpage-sweep": mainpage_sweep}


class Done(NamedTuple):
    """The end of a command."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(crawls: Crawls, capsys: pytest.CaptureFixture[str]) -> Run:
    state = {"MAINPAGE_STATE": str(crawls.folder / "state.db")}
    settings = {**state, "MAINPAGE_INDEX": crawls.index}

    def call(name: str, *args: str) -> Done:
        return Done(*CommandRunner(COMMANDS[name].Command, capsys, **settings)(*args))

    return call


def test_the_state_shows_runs_and_pages(crawls: Crawls, run: Run) -> None:
    crawls.crawl()
    crawls.site.topics["/page3"] = "lighthouses"
    crawls.site.replies["/page1"] = Reply(status=404)
    crawls.crawl(MAINPAGE_SWEEP="report")
    shown = run("mainpage-state")
    assert shown.returncode == 0, shown.stderr
    scope, names, *rows = shown.stdout.splitlines()
    assert scope.startswith("articles")
    assert names.split()[:3] == ["run", "started", "reason"]
    assert any("13 new" in row for row in rows)
    assert max(map(len, shown.stdout.splitlines())) <= 100
    first, second = map(json.loads, run("mainpage-state", "--json").stdout.splitlines())
    assert (first["new"], first["complete"], first["reason"]) == (13, True, "finished")
    assert (second["changed"], second["gone"], second["unchanged"]) == (1, 1, 11)
    assert second["sweep"]["would_delete"] == {"404": 1}
    url = f"{crawls.site.url}/page1"
    (page,) = map(json.loads, run("mainpage-state", "--json", url).stdout.splitlines())
    assert (page["outcome"], page["status"], page["verdict"]) == ("gone", 404, "404")
    assert url in run("mainpage-state", url).stdout
    unknown = run("mainpage-state", "https://example.com/unknown")
    assert unknown.returncode == 2


def test_a_refused_sweep_is_applied_by_hand(crawls: Crawls, run: Run) -> None:
    crawls.crawl()
    for number in range(4):
        crawls.site.replies[f"/page{number}"] = Reply(status=404)
    crawls.crawl(MAINPAGE_SWEEP_SHARE=0.1)
    listed = run("mainpage-sweep")
    assert listed.returncode == 1
    assert "MAINPAGE_SWEEP_SHARE" in listed.stderr
    assert len(listed.stdout.splitlines()) == 4
    assert len(crawls.indexed()) == 12
    assert run("mainpage-state").returncode == 1
    applied = run("mainpage-sweep", "--apply")
    assert applied.returncode == 0, applied.stderr
    assert len(crawls.indexed()) == 8
    assert run("mainpage-sweep").stdout == ""
    crawls.crawl()
    assert len(crawls.indexed()) == 8


def test_without_a_state_the_commands_say_so(run: Run) -> None:
    shown = run("mainpage-state")
    assert shown.returncode == 2
    assert "state.db" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_broken_state_is_one_line(crawls: Crawls, run: Run) -> None:
    path = crawls.folder / "state.db"
    open_memory(str(path)).close()
    with sqlite3.connect(path) as broken:
        broken.execute("DROP TABLE scopes")
    broken.close()
    shown = run("mainpage-state")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.splitlines()[-1].endswith("no such table: scopes")
    assert "Traceback" not in shown.stderr
