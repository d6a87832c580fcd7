"""Several processes on one index, and processes that are killed."""

from __future__ import annotations

import signal
import sys

import pytest

from scrapy_mainpage.indexes import open_index

from .helpers import found, put, writer


class TestProcesses:
    def test_two_writers_at_once_lose_nothing(self, url: str) -> None:
        writers = [writer(url, name, 15) for name in ("one", "two")]
        outputs = [process.communicate()[0].split() for process in writers]
        assert [process.returncode for process in writers] == [0, 0]
        with open_index(url) as index:
            assert sorted(index.urls()) == sorted(outputs[0] + outputs[1])
            assert len(index.search("shared", limit=500)) == 30

    def test_searches_while_another_writes_see_more_and_more(self, url: str) -> None:
        with open_index(url) as index:
            with writer(url, "other", 10) as process:
                assert process.stdout is not None
                seen = 0
                for count, _ in enumerate(process.stdout, 1):
                    now = len(index.search("byother", limit=100))
                    assert now >= max(seen, count)
                    seen = now
            assert process.returncode == 0
            assert (seen, len(list(index.urls()))) == (10, 10)

    @pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
    def test_killed_writer_leaves_every_reported_document(self, url: str) -> None:
        process = writer(url, "killed", 1_000_000)
        assert process.stdout is not None
        reported = [process.stdout.readline().strip() for _ in range(10)]
        process.kill()
        reported += process.communicate()[0].split()
        assert process.returncode == -signal.SIGKILL
        with open_index(url, read_only=True) as index:
            kept = set(index.urls())
            assert kept.issuperset(reported)
            assert len(index.search("bykilled", limit=len(kept) + 1)) == len(kept)
        with open_index(url) as index:
            put(index, "works on")
            assert found(index, '"works on"') == ["0"]
