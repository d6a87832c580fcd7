"""Tasks for workers, named by their effect on the process."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

Task = tuple[str, str]


def prepare(folder: str) -> Callable[[Task], str]:
    """Return the function that does tasks; *folder* is shared with the test."""
    if folder == "unwilling":
        raise ValueError("not here")
    return lambda task: do(task, folder)


def do(task: Task, folder: str) -> str:
    order, text = task
    if order == "fail":
        raise RuntimeError("no idea")
    if order == "die" or (order == "stumble" and _is_first(folder)):
        os._exit(3)
    if order == "chatter":
        print("A word " * 10_000)
    if order == "loop":
        _open_pipe(folder)
        while True:
            time.sleep(1)
    if order == "clutch":  # never releases the interpreter
        _open_pipe(folder)
        re.match(r"(a+)+$", "a" * 50 + "b")
    if order == "wait":
        Path(folder, f"{os.getpid()}.pid").touch()
        while not Path(folder, "go").exists():
            time.sleep(0.01)
    return text.upper()


def _is_first(folder: str) -> bool:
    path = Path(folder, "died")
    is_first = not path.exists()
    path.touch()
    return is_first


def _open_pipe(folder: str) -> None:
    """Open the pipe that a test reads; it ends when this process does."""
    pipe = Path(folder, "pipe")
    if pipe.exists():
        os.open(pipe, os.O_WRONLY)
