"""Locks on files, between processes and within one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from scrapy_mainpage.indexes.delivery.locks import locked, try_lock

HOLDER = """
import sys
from pathlib import Path
from scrapy_mainpage.indexes.delivery.locks import locked

with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    """A process that has the lock until it ends."""
    running = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "locked\n"
    return running


def is_free(path: Path) -> bool:
    with path.open("ab") as file:
        return try_lock(file)


def test_lock_of_another_process_ends_with_the_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    running = holder(path)
    assert not is_free(path)
    running.kill()
    running.communicate()
    assert is_free(path)


def test_lock_is_held_against_the_same_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path):
        assert not is_free(path)
    assert is_free(path)


def test_lock_is_released_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with pytest.raises(KeyError), locked(path):
        raise KeyError
    assert is_free(path)


def test_patience_ends_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with (
        locked(path),
        pytest.raises(TimeoutError, match="stays locked"),
        locked(path, patience=0.0),
    ):
        pass


def test_who_waits_gets_the_lock_next(tmp_path: Path) -> None:
    path, order, begun = tmp_path / "lock", [], Event()

    def wait() -> None:
        begun.set()
        with locked(path, patience=60):
            order.append("second")

    with locked(path):
        waiting = Thread(target=wait)
        waiting.start()
        assert begun.wait(60)
        order.append("first")
    waiting.join(60)
    assert order == ["first", "second"]


def test_folder_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locked(tmp_path / "missing" / "lock"):
        pass
