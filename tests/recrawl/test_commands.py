"""``scrapy mainpage-state`` and ``scrapy mainpage-sweep`` after crawls."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.mockserver import Reply

from .site import Crawls


def run(crawls: Crawls, *args: str) -> subprocess.CompletedProcess[str]:
    options = ["-s", f"MAINPAGE_STATE={crawls.folder / 'state.db'}"]
    options += ["-s", f"MAINPAGE_INDEX={crawls.index}"]
    return subprocess.run(
        [sys.executable, "-m", "scrapy", args[0], *options, *args[1:]],
        cwd=crawls.folder,
        capture_output=True,
        text=True,
    )


def test_the_state_shows_runs_pages_and_histories(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.site.topics["/page3"] = "lighthouses"
    crawls.site.replies["/page1"] = Reply(status=404)
    crawls.crawl(MAINPAGE_SWEEP="report")
    shown = run(crawls, "mainpage-state")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[0].split()[:3] == ["run", "scope", "started"]
    first, second = map(
        json.loads, run(crawls, "mainpage-state", "--json").stdout.splitlines()
    )
    assert (first["new"], first["complete"], first["reason"]) == (13, True, "finished")
    assert (second["changed"], second["gone"], second["unchanged"]) == (1, 1, 11)
    assert second["sweep"]["would_delete"] == {"404": 1}
    pages = run(crawls, "mainpage-state", "--run", "2", "--json").stdout.splitlines()
    assert [json.loads(line)["outcome"] for line in pages] == ["changed", "gone"]
    url = f"{crawls.site.url}/page1"
    history = run(crawls, "mainpage-state", "--json", url).stdout.splitlines()
    assert [json.loads(line).get("outcome") for line in history] == [
        *("gone", "gone", "new")
    ]
    assert url in run(crawls, "mainpage-state", url).stdout
    unknown = run(crawls, "mainpage-state", "https://example.com/unknown")
    assert unknown.returncode == 2


def test_a_refused_sweep_is_applied_by_hand(crawls: Crawls) -> None:
    crawls.crawl()
    for number in range(4):
        crawls.site.replies[f"/page{number}"] = Reply(status=404)
    crawls.crawl(MAINPAGE_SWEEP_SHARE=0.1)
    listed = run(crawls, "mainpage-sweep")
    assert listed.returncode == 1
    assert "MAINPAGE_SWEEP_SHARE" in listed.stderr
    assert len(listed.stdout.splitlines()) == 4
    assert len(crawls.indexed()) == 12
    assert run(crawls, "mainpage-state").returncode == 1
    applied = run(crawls, "mainpage-sweep", "--apply")
    assert applied.returncode == 0, applied.stderr
    assert len(crawls.indexed()) == 8
    assert run(crawls, "mainpage-sweep", "--dry-run").stdout == ""
    crawls.crawl()
    assert len(crawls.indexed()) == 8


def test_without_a_state_the_commands_say_so(crawls: Crawls) -> None:
    shown = run(crawls, "mainpage-state")
    assert shown.returncode == 2
    assert "state.db" in shown.stderr
    assert "Traceback" not in shown.stderr
