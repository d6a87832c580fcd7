"""Workers: pages in, pages out, and what becomes of those that go wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scrapy.http import HtmlResponse

from scrapy_mainpage.crawl.pages import make_page
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.page import Page
from scrapy_mainpage.processes.errors import (
    ProcessError,
    WorkerDied,
    WorkerNotStarted,
    WorkerTimedOut,
)
from scrapy_mainpage.processes.pool import Pool
from scrapy_mainpage.processes.tasks import Failure, Setup, Task
from tests.mockserver import article
from tests.processes.algorithms import TROUBLED, UNWILLING, troubling

URL = "http://example.com/a"
NO_HURRY = 100.0

Opened = Callable[..., Pool]


@pytest.fixture
def opened() -> Iterator[Opened]:
    pools = []

    def open_pool(
        processes: int = 1,
        algorithm: str = "learned",
        limit: float = NO_HURRY,
        **options: str,
    ) -> Pool:
        pools.append(Pool(processes, Setup(algorithm, options, True, limit)))
        return pools[-1]

    yield open_pool
    for pool in pools:
        pool.close()


def task(html: str, *, judging: bool = False) -> Task:
    return Task.of(HtmlResponse(URL, body=html.encode()), None, judging=judging)


def page_of(pool: Pool, html: str) -> Page:
    page = pool.submit(task(html)).result().answer.page
    assert isinstance(page, Page)
    return page


def until(found: Callable[[], object]) -> None:
    """Wait for what is bound to come."""
    while not found():
        time.sleep(0.01)


def test_nothing_is_started_before_there_is_a_page(opened: Opened) -> None:
    pool = opened(2)
    assert pool.started == 0
    for topic in ("ants", "bees", "cats"):
        assert page_of(pool, article(topic)).text.startswith(f"All about {topic}")
    assert pool.started == 1
    assert pool.died == 0


def test_the_page_is_the_one_that_would_be_made_here(opened: Opened) -> None:
    html = article("trains")
    page = page_of(opened(), html)
    same = make_page(HtmlResponse(URL, body=html.encode()), Extractor())
    assert page == same
    assert page.as_dict(blocks=True) == same.as_dict(blocks=True)


def test_many_pages_are_each_answered_once(opened: Opened) -> None:
    pool = opened(2)
    topics = [f"number {n}" for n in range(20)]
    futures = [pool.submit(task(article(topic))) for topic in topics]
    pages = [future.result().answer.page for future in futures]
    assert [page.title for page in pages] == [f"All about {t}" for t in topics]
    assert pool.started == 2


def test_an_extraction_that_raises_says_so_and_the_worker_lives(opened: Opened) -> None:
    pool = opened(1, "tests.algorithms.Failing")
    for _ in range(2):
        failure = pool.submit(task(article("trains"))).result().answer.page
        assert isinstance(failure, Failure)
        assert failure.name == "RuntimeError"
        assert "no idea" in failure.details
    assert pool.started == 1


def test_what_is_printed_in_a_worker_disturbs_nothing(opened: Opened) -> None:
    pool = opened(1, TROUBLED)
    html = troubling("please chatter")
    assert page_of(pool, html).text
    assert page_of(pool, html).text


def test_a_page_that_kills_is_tried_twice_and_harms_no_other(opened: Opened) -> None:
    pool = opened(2, TROUBLED)
    pages = [troubling("" if n != 3 else "please die") for n in range(8)]
    futures = [pool.submit(task(page)) for page in pages]
    with pytest.raises(WorkerDied, match="exit code 3"):
        futures.pop(3).result()
    assert all(isinstance(f.result().answer.page, Page) for f in futures)
    assert pool.died == 2


def test_a_page_whose_worker_dies_once_is_extracted_by_another(
    opened: Opened, tmp_path: Path
) -> None:
    pool = opened(1, TROUBLED, folder=str(tmp_path))
    outcome = pool.submit(task(troubling("please stumble"))).result()
    assert isinstance(outcome.answer.page, Page)
    assert outcome.deaths == ("exit code 3",)
    assert (pool.started, pool.died) == (2, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
def test_a_worker_that_is_killed_in_the_middle_loses_nothing(
    opened: Opened, tmp_path: Path
) -> None:
    pool = opened(1, TROUBLED, folder=str(tmp_path))
    future = pool.submit(task(troubling("please wait")))
    until(lambda: list(tmp_path.glob("*.pid")))
    (waiting,) = tmp_path.glob("*.pid")
    os.kill(int(waiting.stem), signal.SIGKILL)
    (tmp_path / "go").touch()
    assert isinstance(future.result().answer.page, Page)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
def test_a_worker_that_is_killed_while_idle_is_replaced(opened: Opened) -> None:
    pool = opened()
    assert page_of(pool, article("ants")).text
    (worker,) = pool._workers
    worker.kill()
    assert page_of(pool, article("bees")).text


@pytest.mark.parametrize("how", ["loop", "clutch"])
def test_a_page_that_takes_too_long_is_given_up(opened: Opened, how: str) -> None:
    pool = opened(1, TROUBLED, limit=1.0)
    hanging, next_one = (
        pool.submit(task(troubling(trouble))) for trouble in (f"please {how}", "")
    )
    with pytest.raises(WorkerTimedOut, match="after 1 seconds"):
        hanging.result()
    assert isinstance(next_one.result().answer.page, Page)
    assert (pool.started, pool.died) == (2, 1)


def test_a_worker_that_cannot_do_its_work_is_no_worker(opened: Opened) -> None:
    pool = opened(1, UNWILLING)
    with pytest.raises(WorkerNotStarted, match="not here"):
        page_of(pool, article("trains"))


def test_without_a_python_to_start_there_is_no_worker(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for python in ("", str(tmp_path / "nothing")):
        monkeypatch.setattr(sys, "executable", python)
        with pytest.raises(WorkerNotStarted):
            page_of(opened(), article("trains"))


def test_a_judgement_comes_with_the_page(opened: Opened) -> None:
    shell = '<title>Shell</title><div id="root"></div><script src="/app.js"></script>'
    answer = opened().submit(task(shell, judging=True)).result().answer
    assert isinstance(answer.page, Page)
    assert answer.judgement is not None
    assert not isinstance(answer.judgement, Failure)
    assert answer.judgement.reason == "empty_root"


def test_a_closed_pool_takes_nothing_and_lets_go_of_what_hangs(
    opened: Opened, tmp_path: Path
) -> None:
    pool = opened(1, TROUBLED, folder=str(tmp_path))
    hanging, waiting = (pool.submit(task(troubling("please wait"))) for _ in range(2))
    until(lambda: list(tmp_path.glob("*.pid")))
    pool.close()
    with pytest.raises(ProcessError):
        hanging.result()
    until(waiting.cancelled)
    assert pool.submit(task(article("trains"))).cancelled()


PROGRAM = """
import sys
from scrapy.http import HtmlResponse
from scrapy_mainpage.processes.pool import Pool
from scrapy_mainpage.processes.tasks import Setup, Task
from tests.processes.algorithms import TROUBLED, troubling

pool = Pool(1, Setup(TROUBLED, {"folder": sys.argv[1]}, True, float(sys.argv[3])))
body = troubling("please " + sys.argv[2]).encode()
future = pool.submit(Task.of(HtmlResponse("http://a/", body=body), None, judging=False))
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes here")
@pytest.mark.parametrize("end", ["kill", "return"])
@pytest.mark.parametrize(("how", "limit"), [("loop", NO_HURRY), ("clutch", 2.0)])
def test_no_worker_outlives_the_program(
    tmp_path: Path, how: str, limit: float, end: str
) -> None:
    """If not even its listener can run, it ends itself after twice the limit."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = [str(tmp_path), how, str(limit)]
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    assert program.stdin is not None
    with pipe.open("rb") as reading:  # as soon as the worker is at the page
        if end == "kill":
            program.kill()
        program.stdin.close()
        program.wait()
        assert reading.read() == b""  # the worker is gone
