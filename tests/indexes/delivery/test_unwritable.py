"""Journals and dead letters that cannot be written."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pytest

from scrapy_mainpage.indexes.delivery import journal as journalfile
from scrapy_mainpage.indexes.delivery.journal import JournalSegment

from .fullfile import FullFile, full
from .memory import Memory, Place, counts, document, failing, gone, page


class TestKept:
    def test_batch_stays_where_no_dead_letter_can_be_written(
        self, place: Place
    ) -> None:
        place.dead_letters.mkdir()
        place.memory.steps.append(failing(gone()))
        assert place.run(document(0), document(1), retries=0) == {"kept": 2}
        assert place.left() == [page(0), page(1)]
        assert place.run() == {"restored": 2, "put": 2}
        assert place.folders() == []

    def test_later_version_is_not_replaced_by_one_that_was_kept(
        self, place: Place
    ) -> None:
        place.dead_letters.mkdir()
        place.memory.steps.append(failing(gone()))
        found = place.run(
            document(0, "old"), document(0, "new"), document(1), retries=0, batch=1
        )
        assert found == {"kept": 1, "put": 2}
        assert place.left() == [page(0), page(0)]
        place.run()
        assert place.memory.documents == {page(0): "new", page(1): "words"}

    def test_segment_that_cannot_be_removed_is_counted_once(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(path: Path, missing_ok: bool = False) -> None:
            raise PermissionError(errno.EPERM, "not permitted")

        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", fail)
            assert place.run(document(0)) == {"put": 1}
        assert place.run() == {"restored": 1, "put": 1}


class TestFullDisk:
    def test_producer_waits_for_what_could_not_be_written_down(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(journalfile, "FileIO", FullFile)
        with place.writer() as writer:
            for number in range(3):
                wait = writer.put(document(number))
                assert wait is not None
                wait.result(60)
                assert page(number) in place.memory.documents
        assert counts(writer) == {"put": 3, "journal_failed": 3}
        assert place.folders() == []

    def test_what_is_nowhere_is_lost_and_what_is_in_the_journal_is_not(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "mkdtemp", full)
        place.dead_letters.mkdir()
        place.memory.steps += [failing(gone())]
        with place.writer(retries=0) as writer:
            writer.put(document(0))
            monkeypatch.setattr(JournalSegment, "append", full)
            writer.put(document(1))
        assert counts(writer) == {"kept": 1, "lost": 1, "journal_failed": 1}
        assert place.left() == [page(0)]


class TestDeath:
    @pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, BaseException])
    def test_documents_of_a_writer_that_dies_stay_in_the_journal(
        self, place: Place, error: type[BaseException]
    ) -> None:
        place.memory.steps += [Memory.put, failing(error("the end"))]
        with place.writer(batch=2, pending=2) as writer:
            for number in range(9):
                wait = writer.put(document(number))
                if wait is not None:
                    wait.result(60)
        assert writer.death is not None
        assert "the end" in writer.death
        assert counts(writer) == {"put": 2, "kept": 7}
        assert place.left() == [page(number) for number in range(2, 9)]
        assert place.run() == {"restored": 7, "put": 7}

    def test_documents_without_a_journal_are_counted_as_lost(
        self, place: Place
    ) -> None:
        place.memory.steps += [failing(BaseException())]
        found = place.run(*map(document, range(3)), batch=2, journal=False)
        assert found == {"lost": 3}
