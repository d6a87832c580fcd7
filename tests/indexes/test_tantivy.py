"""tantivy only: its folder, locks and error codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import tantivy

from scrapy_mainpage.indexes import (
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    Passage,
    open_index,
)
from scrapy_mainpage.indexes.tantivy import engine
from scrapy_mainpage.indexes.tantivy import schema as tantivyfolder
from scrapy_mainpage.indexes.tantivy.schema import schema

from .helpers import found, put

#: Limits the size of files, as on a full disk, and lifts the limit again.
LIMITED = """
import resource, sys
from scrapy_mainpage.indexes import IndexDocument, IndexFailure, open_index

large = " ".join(f"word{number}" for number in range(100_000))
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
with open_index(sys.argv[1]) as index:
    index.put_many([IndexDocument("u/small", "small words")])
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    for _ in range(3):
        try:
            index.put_many([IndexDocument("u/large", large)])
        except IndexFailure as failure:
            print(failure.reason, failure.retryable)
    print(list(index.urls()), len(index.search("word7")))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    index.put_many([IndexDocument("u/large", large)])
    print(sorted(index.urls()), len(index.search("word7")))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "site.index"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestFolder:
    @pytest.mark.parametrize("read_only", [True, False])
    def test_folder_of_another_program_is_left_alone(
        self, folder: Path, tantivy_url: str, read_only: bool
    ) -> None:
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
        with pytest.raises(IndexUnavailable, match="not an index of scrapy-mainpage"):
            open_index(tantivy_url, read_only=read_only)
        assert contents(folder) == {"notes.txt": b"mine"}

    @pytest.mark.parametrize("read_only", [True, False])
    def test_index_of_another_program_is_left_alone(
        self, folder: Path, tantivy_url: str, read_only: bool
    ) -> None:
        folder.mkdir()
        tantivy.Index(schema(), str(folder))
        before = contents(folder)
        with pytest.raises(IndexUnavailable, match="not an index of scrapy-mainpage"):
            open_index(tantivy_url, read_only=read_only)
        assert contents(folder) == before

    @pytest.mark.parametrize("read_only", [True, False])
    def test_other_schema_version_is_named(
        self, folder: Path, tantivy_url: str, read_only: bool
    ) -> None:
        open_index(tantivy_url).close()
        (folder / tantivyfolder.MARKER).write_text(json.dumps({"schema_version": 99}))
        before = contents(folder)
        with pytest.raises(IndexUnavailable, match=r"schema version 99.* version 1"):
            open_index(tantivy_url, read_only=read_only)
        assert contents(folder) == before

    @pytest.mark.parametrize("marker", [b"", b"[]", b"{}", b"\xff"])
    def test_broken_marker_is_named(
        self, folder: Path, tantivy_url: str, marker: bytes
    ) -> None:
        open_index(tantivy_url).close()
        (folder / tantivyfolder.MARKER).write_bytes(marker)
        with pytest.raises(IndexUnavailable, match=tantivyfolder.MARKER):
            open_index(tantivy_url)

    def test_broken_index_is_named(self, folder: Path, tantivy_url: str) -> None:
        open_index(tantivy_url).close()
        (folder / tantivyfolder.META).write_text("{")
        with pytest.raises(IndexUnavailable, match="orrupt"):
            open_index(tantivy_url)

    @pytest.mark.parametrize("suffix", [".store", ".term", ".idx", ".fast", ".json"])
    def test_nothing_is_added_beside_a_deleted_file(
        self, folder: Path, tantivy_url: str, suffix: str
    ) -> None:
        with open_index(tantivy_url) as index:
            put(index, "words")
            name = tantivyfolder.META if suffix == ".json" else f"*{suffix}"
            next(folder.glob(name)).unlink()
            with pytest.raises(IndexFailure) as caught:
                put(index, "more")
            assert (caught.value.reason, caught.value.retryable) == ("corrupt", False)
        left = contents(folder)
        with pytest.raises(IndexUnavailable, match=r"FileDoesNotExist|is gone"):
            open_index(tantivy_url)
        assert contents(folder) == left

    def test_folder_that_was_made_by_half_is_made_whole(
        self, folder: Path, tantivy_url: str
    ) -> None:
        open_index(tantivy_url).close()
        for path in folder.iterdir():
            if path.name != tantivyfolder.MARKER:
                path.unlink()
        with pytest.raises(IndexUnavailable):
            open_index(tantivy_url, read_only=True)
        with open_index(tantivy_url) as index:
            put(index, "words")
            assert found(index, "words") == ["0"]

    def test_without_the_package_the_extra_is_named(
        self, tantivy_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in list(sys.modules):
            if name.startswith("scrapy_mainpage.indexes.tantivy."):
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "tantivy", None)
        with pytest.raises(IndexUnavailable, match=r"scrapy-mainpage\[tantivy\]"):
            open_index(tantivy_url)


class TestWriter:
    def test_write_that_another_writer_keeps_out_fails_as_locked(
        self, folder: Path, tantivy_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(engine, "BUSY_TIMEOUT", 0.0)
        with open_index(tantivy_url) as index:
            other = tantivy.Index.open(str(folder)).writer(15_000_000, 1)
            with pytest.raises(IndexFailure) as caught:
                put(index, "words")
            assert caught.value.reason == "locked"
            assert caught.value.retryable
            assert found(index, "words") == []
            other.wait_merging_threads()
            put(index, "words")
            assert found(index, "words") == ["0"]

    @pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
    def test_full_disk_fails_as_such_and_keeps_what_was_there(
        self, tantivy_url: str
    ) -> None:
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, tantivy_url],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == [
            *["disk_error True"] * 3,
            "['u/small'] 0",
            "['u/large', 'u/small'] 1",
        ]

    @pytest.mark.parametrize(
        ("message", "reason", "retryable"),
        [
            ("'No space left on device (os error 28)'", "disk_full", True),
            ("IoError { io_error: Custom { kind: StorageFull", "disk_full", True),
            ("'Disk quota exceeded (os error 122)'", "disk_full", True),
            ("'Input/output error (os error 5)'", "disk_error", True),
            ("'Read-only file system (os error 30)'", "read_only", False),
            ("'Permission denied (os error 13)'", "read_only", False),
            ("Data corrupted: '...'", "corrupt", False),
            ("something new", "tantivy_error", False),
        ],
    )
    def test_what_tantivy_says_has_a_reason(
        self,
        tantivy_url: str,
        monkeypatch: pytest.MonkeyPatch,
        message: str,
        reason: str,
        retryable: bool,
    ) -> None:
        def fail(*args: object) -> None:
            raise ValueError(message)

        with open_index(tantivy_url) as index:
            monkeypatch.setattr(engine.TantivyIndex, "_writer", fail)
            with pytest.raises(IndexFailure) as caught:
                put(index, "words")
        assert (caught.value.reason, caught.value.retryable) == (reason, retryable)

    def test_small_batches_do_not_pile_up(self, folder: Path, tantivy_url: str) -> None:
        with open_index(tantivy_url) as index:
            for number in range(50):
                index.put_many([IndexDocument(f"u/{number % 30}", f"n{number} words")])
            assert len(index.search("words", limit=100)) == 30
        assert tantivy.Index.open(str(folder)).searcher().num_segments < 20
        assert len(list(folder.iterdir())) < 200


class TestSearch:
    def test_hit_says_of_a_passage_what_it_says_of_the_page(
        self, tantivy_url: str
    ) -> None:
        document = IndexDocument(
            "https://e/", "owl", "T", language="en", passages=(Passage("p", 0, "owl"),)
        )
        with open_index(tantivy_url) as index:
            index.put_many([document])
            (page,) = index.search("owl")
            (passage,) = index.search("owl", passages=True)
        for name in ("url", "title", "language", "site", "sections"):
            assert getattr(page, name) == getattr(passage, name)
