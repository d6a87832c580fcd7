"""Messages through the pipes between a pool and its workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
import pytest

from scrapy_mainpage.processes.worker import receive, send


@pytest.fixture
def pipe() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    out, into = os.pipe()
    with os.fdopen(out, "rb") as reading, os.fdopen(into, "wb") as writing:
        yield reading, writing


def test_messages_come_one_after_the_other(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    reading, writing = pipe
    messages = [None, b"", (1, "a"), np.zeros(0, np.int32)]
    for message in messages:
        send(writing, message)
    *plain, array = (receive(reading) for _ in messages)
    assert plain == messages[:-1]
    assert (array.dtype, array.shape) == (np.int32, (0,))


@pytest.mark.parametrize(
    "rest", [b"", b"\x01", b"\x09" + 7 * b"\0", b"\x09" + 9 * b"\0"]
)
def test_the_end_of_the_pipe_is_told_wherever_it_comes(
    pipe: tuple[BinaryIO, BinaryIO], rest: bytes
) -> None:
    reading, writing = pipe
    writing.write(rest)
    writing.close()
    with pytest.raises(EOFError):
        receive(reading)
