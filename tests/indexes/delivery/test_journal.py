"""The journal: recovery, takeover, folders."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexDocument, Passage, Section
from scrapy_mainpage.indexes.delivery import Journal, Operation
from scrapy_mainpage.indexes.delivery.journal import as_line, journal_folder

from .memory import Place, counts, document, page

KILLED = """
import sys
from pathlib import Path
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.delivery import Journal, Operation
from scrapy_mainpage.indexes.delivery.journal import as_line

journal = Journal(Path(sys.argv[1]))
segment = journal.new_segment()
for number in range(3):
    operation = Operation.put(IndexDocument(f"https://example.com/{number}", "words"))
    segment.append(as_line(operation.as_dict()))
print("written", flush=True)
sys.stdin.read()
"""


def other_process(home: Path) -> subprocess.Popen[str]:
    """Start a process with three documents in its journal; it keeps running."""
    running = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "written\n"
    return running


def fill(home: Path, *documents: IndexDocument, torn: bytes = b"") -> Journal:
    """A journal with a batch in it."""
    journal = Journal(home)
    segment = journal.new_segment()
    for each in documents:
        segment.append(as_line(Operation.put(each).as_dict()))
    if torn:
        segment.append(torn)
    return journal


class TestRecovery:
    def test_running_process_keeps_its_journal(self, place: Place) -> None:
        running = other_process(place.home)
        try:
            assert place.run(document(7)) == {"put": 1}
            assert len(place.folders()) == 1
        finally:
            running.kill()
            running.communicate()
        assert place.run() == {"restored": 3, "put": 3}
        assert list(place.memory.documents)[1:] == [page(0), page(1), page(2)]
        assert place.folders() == []

    def test_what_was_killed_is_taken_over_when_asked_for(self, place: Place) -> None:
        running = other_process(place.home)
        with place.writer() as writer:
            assert writer.take_over().result(60) == []
            running.kill()
            running.communicate()
            assert len(writer.take_over().result(60)) == 3
            assert counts(writer) == {"restored": 3, "put": 3}
            assert writer.take_over().result(60) == []

    @pytest.mark.skipif(os.name == "nt", reason="no such permissions")
    def test_journal_that_is_gone_at_the_end_keeps_no_writer_alive(
        self, place: Place
    ) -> None:
        with place.writer() as writer:
            shutil.rmtree(place.home)
        assert writer.pending == 0

    def test_two_runs_at_once_take_what_is_left_once(self, place: Place) -> None:
        fill(place.home, document(0)).close()
        first, second = Journal(place.home), Journal(place.home)
        assert [len(each.left_over()) for each in (first, second)] == [1, 0]
        first.close()
        second.close()
        assert len(place.folders()) == 1

    def test_unfinished_last_line_is_left_out(self, place: Place) -> None:
        fill(place.home, document(0), torn=b'{"document": {"url": "https').close()
        assert place.run() == {"restored": 1, "put": 1}
        assert place.folders() == []

    def test_whole_line_that_cannot_be_read_is_kept_aside(
        self, place: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        line = b'{"document": {"url": "u", "text": "t", "of a later version": 1}}\n'
        fill(place.home, document(0), torn=line).close()
        assert place.run() == {"restored": 1, "put": 1}
        (kept,) = place.home.glob("*/*.unread")
        assert line in kept.read_bytes()
        assert str(kept) in caplog.text
        assert place.run() == {}
        assert kept.exists()

    @pytest.mark.skipif(os.name == "nt", reason="no such permissions")
    def test_batch_that_cannot_be_read_stays(
        self, place: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        fill(place.home, document(0)).close()
        (batch,) = place.home.glob("*/*.jsonl")
        batch.rename(batch.with_name("elsewhere"))
        batch.mkdir()  # cannot be read, not even by root
        assert place.run(document(1)) == {"put": 1}
        assert "A part of the journal cannot be read" in caplog.text
        assert batch.exists()

    def test_later_runs_are_given_back_later(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(8):
            monkeypatch.setattr(time, "time_ns", lambda n=number: 10**18 + n)
            fill(place.home, document(0, f"version {number}")).close()
        monkeypatch.undo()
        found = [each.document for each in place.left_operations()]
        versions = [f"version {number}" for number in range(8)]
        assert [each.text for each in found if each] == versions


class TestOtherFolders:
    def test_folder_that_cannot_be_locked_is_named_and_left(
        self, place: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        (place.home / "odd" / "lock").mkdir(parents=True)
        assert place.run(document(0)) == {"put": 1}
        assert f"The journal {place.home / 'odd'} is left where it is" in caplog.text


def test_folder_of_an_index_does_not_depend_on_its_password() -> None:
    home = Path("home")
    one, other, another = (
        journal_folder(home, f"postgresql://me:{secret}@{host}/pages")
        for secret, host in [("one", "a"), ("other", "a"), ("one", "b")]
    )
    assert one == other != another
    assert one.name.startswith("postgresql-")


def test_same_name_in_other_folders_is_another_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        folders.append(journal_folder(Path("home"), "sqlite:///site.db"))
    absolute = f"sqlite:///{(tmp_path / 'b' / 'site.db').as_posix()}"
    assert folders[0] != folders[1] == journal_folder(Path("home"), absolute)


def test_file_system_without_locks_is_an_error_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="Windows always has locks")

    def none(*args: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.raises(OSError, match="No locks available"):
        Journal(tmp_path)


@pytest.mark.parametrize(
    "made",
    [
        IndexDocument(
            "https://example.com/中文", "ไทย العربية 🙂\u2028\u0085\n\r next"
        ),
        IndexDocument("u", "broken \ud83d pair and \x00"),
        IndexDocument("u", "words " * 200_000),
        IndexDocument(
            "u",
            "text",
            sections=(Section("H", 2, "h"), Section("I", 3)),
            passages=(Passage("id", 0, "text", "H", "h"),),
        ),
    ],
)
def test_document_comes_back_as_it_was_accepted(
    place: Place, made: IndexDocument
) -> None:
    fill(place.home, made).close()
    assert place.left_operations() == [Operation.put(made)]


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"delete": 5},
        {"document": 5},
        {"document": {"url": "u"}},
        {"document": {"url": "u", "text": None}},
        {"document": {"url": "u", "text": "t", "title": 5}},
        {"document": {"url": "u", "text": "t", "sections": [{"heading": "H"}]}},
        {"document": {"url": "u", "text": "t", "passages": 5}},
    ],
)
def test_data_that_is_no_operation_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="no document and no URL to delete"):
        Operation.from_dict(json.loads(json.dumps(data)))
