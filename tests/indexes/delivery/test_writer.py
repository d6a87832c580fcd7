"""Batches: when they are written, in which order, and who waits for them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexDocument, IndexFailure
from scrapy_mainpage.indexes.outbox import Outbox

from .memory import Place, counts, document, failing, gone, page


class TestBatches:
    @pytest.mark.parametrize("direct", [True, False])
    def test_batch_is_written_when_it_is_full(self, place: Place, direct: bool) -> None:
        with place.writer(batch=3, direct=direct) as writer:
            for number in range(3):
                writer.put(document(number))
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
        assert place.memory.calls == [[page(0), page(1), page(2)]]

    @pytest.mark.parametrize("direct", [True, False])
    def test_batch_is_written_when_it_is_old_enough(
        self, place: Place, direct: bool
    ) -> None:
        age = "direct_age" if direct else "age"
        with place.writer(batch=100, direct=direct, **{age: 1e-3}) as writer:
            writer.put(document(0)).result(60)
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
            writer.put(document(1)).result(60)
            place.memory.wait_for(lambda: len(place.memory.calls) == 2)

    def test_batch_has_a_limited_size(self, place: Place) -> None:
        large = document(0, "word " * 200_000)
        found = place.run(large, document(1), document(2), batch=9, batch_bytes=1_000)
        assert found == {"put": 3}
        assert place.memory.documents[page(0)] == large.text
        assert place.memory.calls == [[page(0)], [page(1), page(2)]]


class TestOrder:
    @pytest.mark.parametrize("direct", [True, False])
    def test_earlier_version_in_a_batch_is_not_written(
        self, place: Place, direct: bool
    ) -> None:
        versions = document(0, "old"), document(1), document(0, "new")
        found = place.run(*versions, direct=direct)
        assert found == {"put": 2, "superseded": 1}
        assert place.memory.documents == {page(0): "new", page(1): "words"}
        assert (place.memory.calls, place.rows()) == ([[page(0), page(1)]], [])

    def test_earlier_version_that_is_tried_again_stays_behind(
        self, place: Place
    ) -> None:
        place.memory.steps += [failing(gone()), failing(gone(), applied=True)]
        found = place.run(document(0, "old"), document(0, "new"), batch=1)
        assert found == {"put": 2, "retried": 2}
        assert place.memory.documents == {page(0): "new"}

    def test_later_version_ends_the_dead_letter_of_its_page(self, place: Place) -> None:
        place.memory.steps.append(failing(gone(retryable=False)))
        place.run(document(0, "old"), document(0, "new"), batch=1)
        assert (place.memory.documents, place.rows()) == ({page(0): "new"}, [])

    def test_deletion_finds_the_url_that_could_not_be_stored(
        self, place: Place
    ) -> None:
        with place.writer(batch=2) as writer:
            writer.put(IndexDocument("https://example.com/\ud83d", "words"))
            writer.delete("https://example.com/\ud83d")
        assert place.memory.documents == {}
        assert counts(writer) == {"superseded": 1, "deleted": 1}


class TestWaiting:
    def test_what_is_in_the_outbox_is_safe_before_it_is_written(
        self, place: Place
    ) -> None:
        place.memory.hold()
        with place.writer(batch=1) as writer:
            for number in range(2):
                writer.put(document(number)).result(60)
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
            assert place.left() == [page(0), page(1)]
        assert counts(writer) == {"put": 2}
        assert place.rows() == []

    def test_who_puts_more_than_the_backlog_waits(self, place: Place) -> None:
        place.memory.hold()
        with place.writer(batch=1, backlog=1) as writer:
            writer.put(document(0)).result(60)
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
            writer.put(document(1)).result(60)
            wait = writer.put(document(2))
            assert not wait.done()
            assert place.left() == [page(0), page(1), page(2)]
            place.memory.release()
            wait.result(60)

    def test_what_goes_directly_is_safe_when_it_is_written(self, place: Place) -> None:
        place.memory.hold()
        with place.writer(batch=1, direct=True) as writer:
            wait = writer.put(document(0))
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
            assert not wait.done()
            place.memory.release()
            wait.result(60)
        assert not place.outbox.exists()

    def test_producer_that_gave_up_waiting_does_no_harm(self, place: Place) -> None:
        place.memory.hold()
        with place.writer(batch=1, direct=True) as writer:
            assert writer.put(document(0)).cancel()
            other = writer.put(document(1))
            place.memory.release()
            other.result(60)
        assert counts(writer) == {"put": 2}


class TestClosing:
    def test_nothing_is_accepted_after_the_end(self, place: Place) -> None:
        writer = place.make()
        writer.start()
        writer.close().result(60)
        with pytest.raises(IndexFailure, match="has ended"):
            writer.put(document(0)).result(60)
        writer.stop()

    def test_index_that_cannot_be_closed_is_left(
        self, place: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        place.memory.closing.append(OSError("no more"))
        assert place.run(document(0)) == {"put": 1}
        assert "Closing memory://tests failed: no more" in caplog.text

    def test_stopped_writer_leaves_what_is_pending_to_the_next_run(
        self, place: Place
    ) -> None:
        place.memory.hold()
        writer = place.make(batch=1)
        writer.start()
        writer.put(document(0))
        place.memory.wait_for(lambda: len(place.memory.calls) == 1)
        writer.stop()
        place.memory.release()
        assert place.run() == {"restored": 1, "put": 1}


class TestFailingOutbox:
    @pytest.fixture
    def unwritable(self, place: Place) -> Place:
        place.outbox.mkdir()
        return place

    def test_producer_waits_for_the_index(
        self, unwritable: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        memory = unwritable.memory
        with unwritable.writer(direct_age=1e-3) as writer:
            for number in range(3):
                writer.put(document(number)).result(60)
                assert page(number) in memory.documents
        found = counts(writer)
        assert found.pop("outbox_failed") >= 3
        assert found == {"put": 3}
        assert caplog.text.count("The outbox of memory://tests fails") == 1

    def test_what_is_nowhere_is_lost_and_named(
        self, unwritable: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        unwritable.memory.steps.append(failing(gone()))
        with (
            unwritable.writer(retries=0, direct=True, direct_age=1e-3) as writer,
            pytest.raises(IndexFailure, match="connection reset"),
        ):
            writer.put(document(0)).result(60)
        assert counts(writer)["lost"] == 1
        assert writer.failed_urls == {page(0)}
        assert f"Not indexed, and kept nowhere: {page(0)!r}" in caplog.text

    def test_what_is_in_it_stays_there(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place.memory.steps += [failing(gone()), failing(gone())]
        with monkeypatch.context() as patch:
            patch.setattr(Outbox, "end", _full)
            found = place.run(document(0, "old"), document(0), batch=1, retries=0)
        assert found.pop("outbox_failed") > 0
        assert found == {"kept": 2}
        assert place.left() == [page(0), page(0)]
        assert place.run() == {"restored": 2, "put": 1, "superseded": 1}
        assert place.memory.documents == {page(0): "words"}
        assert place.rows() == []

    def test_later_version_is_not_replaced_by_one_that_was_kept(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place.memory.steps.append(failing(gone()))
        with monkeypatch.context() as patch:
            patch.setattr(Outbox, "end", _full)
            place.run(document(0, "old"), document(0, "new"), retries=0, batch=1)
        place.run()
        assert place.memory.documents == {page(0): "new"}


def _full(outbox: Outbox, *args: object) -> None:
    from scrapy_mainpage.indexes.outbox import OutboxError

    raise OutboxError("database or disk is full")


def test_index_that_is_a_file_needs_no_outbox(tmp_path: Path) -> None:
    from scrapy_mainpage.indexes.writer import IndexWriter

    logging.getLogger("scrapy_mainpage").setLevel(logging.INFO)
    writer = IndexWriter(f"sqlite:///{tmp_path}/site.db", tmp_path / "outbox.sqlite")
    writer.start()
    writer.put(document(0)).result(60)
    writer.close().result(60)
    writer.stop()
    assert [path.name for path in tmp_path.iterdir()] == ["site.db"]
