"""The pool: each task is answered once and cannot harm another."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrapy_mainpage.processes import Pool
from scrapy_mainpage.processes.worker import (
    ProcessError,
    TaskFailed,
    WorkerDied,
    WorkerNotStarted,
    WorkerTimedOut,
)
from tests.processes.tasks import prepare
from tests.waiting import wait

NO_HURRY = 100.0

Opened = Callable[..., Pool]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def opened() -> Iterator[Opened]:
    pools = []

    def open_pool(
        processes: int = 1, folder: object = "", seconds: float = NO_HURRY
    ) -> Pool:
        pools.append(Pool(processes, prepare, str(folder), seconds))
        return pools[-1]

    yield open_pool
    for pool in pools:
        pool.close()


def answer_of(pool: Pool, order: str = "", text: str = "ants") -> object:
    return pool.submit((order, text)).result()


def test_workers_start_with_the_first_task_and_are_kept(opened: Opened) -> None:
    pool = opened(2)
    assert pool.started == 0
    for text in ("ants", "bees", "cats"):
        assert answer_of(pool, text=text) == text.upper()
    assert (pool.started, pool.died) == (1, 0)


def test_many_tasks_are_each_answered_once(opened: Opened) -> None:
    pool = opened(2)
    texts = [f"number {n}" for n in range(20)]
    futures = [pool.submit(("", text)) for text in texts]
    answers = [future.result() for future in futures]
    assert answers == [text.upper() for text in texts]
    assert pool.started == 2


def test_a_task_that_raises_says_so_and_the_worker_lives(opened: Opened) -> None:
    pool = opened()
    for _ in range(2):
        with pytest.raises(TaskFailed, match="no idea") as caught:
            answer_of(pool, "fail")
        assert caught.value.reason == "RuntimeError"
    assert pool.started == 1


def test_a_print_in_a_worker_disturbs_nothing(opened: Opened) -> None:
    pool = opened()
    assert answer_of(pool, "chatter") == answer_of(pool, "chatter") == "ANTS"


def test_a_task_that_kills_is_tried_twice_and_harms_no_other(opened: Opened) -> None:
    pool = opened(2)
    futures = [pool.submit(("die" if n == 3 else "", "ants")) for n in range(8)]
    with pytest.raises(WorkerDied, match="exit code 3"):
        futures.pop(3).result()
    assert {future.result() for future in futures} == {"ANTS"}
    assert pool.died == 2


def test_a_task_whose_worker_dies_once_is_done_by_another(
    opened: Opened, tmp_path: Path
) -> None:
    pool = opened(1, tmp_path)
    assert answer_of(pool, "stumble") == "ANTS"
    assert (pool.started, pool.died) == (2, 1)


@posix_only
def test_a_worker_that_is_killed_loses_nothing(opened: Opened, tmp_path: Path) -> None:
    pool = opened(1, tmp_path)
    future = pool.submit(("wait", "ants"))
    wait(lambda: list(tmp_path.glob("*.pid")), "task")
    (waiting,) = tmp_path.glob("*.pid")
    os.kill(int(waiting.stem), signal.SIGKILL)
    (tmp_path / "go").touch()
    assert future.result() == "ANTS"
    for worker in pool._workers:
        worker._process.kill()  # type: ignore[union-attr]  # while it is idle
    assert answer_of(pool) == "ANTS"


@pytest.mark.parametrize("how", ["loop", "clutch"])
def test_a_task_that_takes_too_long_is_given_up(opened: Opened, how: str) -> None:
    pool = opened(1, seconds=1.0)
    hanging, next_one = (pool.submit((order, "ants")) for order in (how, ""))
    with pytest.raises(WorkerTimedOut, match="after 1 seconds"):
        hanging.result()
    assert next_one.result() == "ANTS"
    assert (pool.started, pool.died) == (2, 1)


def test_a_worker_that_cannot_be_prepared_is_not_started(opened: Opened) -> None:
    with pytest.raises(WorkerNotStarted, match="not here"):
        answer_of(opened(1, "unwilling"))


def test_without_a_python_to_start_there_is_no_worker(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for python in ("", str(tmp_path / "nothing")):
        monkeypatch.setattr(sys, "executable", python)
        with pytest.raises(WorkerNotStarted):
            answer_of(opened())


def test_a_closed_pool_takes_no_task_and_ends_those_that_hang(
    opened: Opened, tmp_path: Path
) -> None:
    with opened(1, tmp_path) as pool:
        hanging, waiting = (pool.submit(("wait", "ants")) for _ in range(2))
        wait(lambda: list(tmp_path.glob("*.pid")), "task")
    with pytest.raises(ProcessError):
        hanging.result()
    wait(waiting.cancelled, "end")
    assert pool.submit(("", "ants")).cancelled()


PROGRAM = """
import sys
from scrapy_mainpage.processes import Pool
from tests.processes.tasks import prepare
from tests.waiting import wait

pool = Pool(1, prepare, sys.argv[1], float(sys.argv[3]))
future = pool.submit((sys.argv[2], "ants"))
sys.stdin.read()
"""


@posix_only
@pytest.mark.parametrize(
    ("how", "seconds", "end"), [("loop", NO_HURRY, "kill"), ("clutch", 1.0, "return")]
)
def test_no_worker_outlives_the_program(
    tmp_path: Path, how: str, seconds: float, end: str
) -> None:
    """If not even its listener can run, a worker exits after twice the time."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path), how, str(seconds)],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    assert program.stdin is not None
    with pipe.open("rb") as reading:  # as soon as the worker is at the task
        if end == "kill":
            program.kill()
        program.stdin.close()
        program.wait()
        assert reading.read() == b""  # the worker is gone
