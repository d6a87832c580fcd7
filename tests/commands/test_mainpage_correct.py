"""``scrapy mainpage-correct``: its pages, their order, and its end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.mainpage_correct import Command
from scrapy_mainpage.evaluation.datasets import load_sets
from tests.commands.helpers import CommandRunner, MakeRunner
from tests.mockserver import Answer, article, html, serve

PAGES: dict[str, Answer] = {
    f"/{topic}": html(article(topic)) for topic in ("owls", "cats", "dogs")
}
ROW = re.compile(r'<a href="page/\d+"><bdi>([^<]*)</bdi>')


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "scrapy", "mainpage-correct", "--no-browser"]
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def address(process: subprocess.Popen[str]) -> str:
    """The address that the command prints."""
    assert process.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+/\S+/", process.stdout.readline())
    assert found, process.communicate()
    return found[0]


def ask(url: str, data: object = None) -> str:
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=60)
    own = {"Origin": f"http://{parts.netloc}", "Content-Type": "application/json"}
    if data is None:
        connection.request("GET", parts.path)
    else:
        connection.request("POST", parts.path, json.dumps(data), own)
    answer = connection.getresponse().read().decode()
    connection.close()
    return answer


def test_pages_of_files_and_of_the_web_are_corrected_in_their_order(
    tmp_path: Path,
) -> None:
    with serve(PAGES) as site:
        (tmp_path / "page.html").write_text(article("trains"))
        urls = [f"{site.url}/{topic}" for topic in ("cats", "dogs", "cats")]
        with started(tmp_path, "page.html", *urls, "-o", "mine") as process:
            url = address(process)
            titles = ROW.findall(ask(url))
            assert titles == [f"All about {x}" for x in ("trains", "cats", "dogs")]
            marks = "1" * ask(f"{url}page/2").count('<div id="b')
            data = {"main": marks, "labels": {}, "fields": {}, "records": {}}
            said = json.loads(ask(f"{url}save/2", data))
            assert said == {"next": "../page/3"}
            process.send_signal(signal.SIGINT)  # after a download, too
            out, err = process.communicate(timeout=60)
    assert (out, err, process.returncode) == ("1 page saved in mine\n", "", 0)
    ((page,),) = (each.pages for each in load_sets(tmp_path / "mine"))
    assert page.url == f"{site.url}/cats"
    assert page.text is not None
    assert page.text.startswith("Home\nNews")
    assert b"All about cats" in page.html()


def test_done_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))
    with started(tmp_path, "page.html") as process:
        assert "Ended" in ask(f"{address(process)}done", {})
        out, err = process.communicate(timeout=60)
    assert (out, err) == ("0 pages saved in corrections\n", "")
    assert process.returncode == 0
    assert not (tmp_path / "corrections").exists()


@pytest.fixture
def run(runner: MakeRunner) -> CommandRunner:
    return runner(Command, "--no-browser")


def test_what_cannot_be_read_is_said_in_one_line(
    run: CommandRunner, tmp_path: Path
) -> None:
    (tmp_path / "empty.html").write_text("<p></p>")
    (tmp_path / "large.html").write_text("<p>word " + "<b>word" * 5000)
    for arguments, reason in (
        (["nowhere.html"], "nowhere.html: No such file"),
        (["empty.html"], "no text to correct (no_text"),
        (["large.html"], "large.html: too large to correct"),
        (["nowhere.html", "empty.html"], "; "),
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert reason in err
        assert err.count("\n") == 1


def test_a_page_is_needed(run: CommandRunner) -> None:
    with pytest.raises(UsageError):
        run()


def test_without_the_extra_it_says_what_to_install(
    run: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, out, err = run("page.html")
    assert (code, out) == (2, "")
    assert err.endswith("pip install 'scrapy-mainpage[report]'\n")
