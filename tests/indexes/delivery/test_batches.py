"""Batches: when they are written, in which order, and how many may wait."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.delivery.dead_letters import DeadLetterSink

from .memory import Place, counts, document, failing, gone, page


class TestFull:
    def test_batch_is_written_when_it_has_enough_documents(self, place: Place) -> None:
        with place.writer(batch=3) as writer:
            for number in range(7):
                writer.put(document(number))
            place.memory.wait_for(lambda: len(place.memory.calls) == 2)
        assert [len(call) for call in place.memory.calls] == [3, 3, 1]

    def test_batch_is_written_when_it_has_enough_bytes(self, place: Place) -> None:
        with place.writer(batch=100, batch_bytes=10_000) as writer:
            for number in range(3):
                writer.put(document(number, "w" * 6_000))
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
            assert place.memory.calls == [[page(0), page(1)]]

    def test_batch_is_written_when_it_is_old_enough(self, place: Place) -> None:
        with place.writer(batch=100, batch_age=1e-3) as writer:
            writer.put(document(0))
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)

    def test_flush_lets_what_is_there_be_written(self, place: Place) -> None:
        with place.writer(batch=100) as writer:
            writer.put(document(0))
            writer.put(document(1))
            writer.flush()
            place.memory.wait_for(lambda: len(place.memory.calls) == 1)
            assert place.memory.calls == [[page(0), page(1)]]

    def test_document_larger_than_a_batch_is_a_batch(self, place: Place) -> None:
        large = document(0, "word " * 200_000)
        assert place.run(large, document(1), batch_bytes=1_000)["put"] == 2
        assert place.memory.documents[page(0)] == large.text
        assert [len(call) for call in place.memory.calls] == [1, 1]


class TestOrder:
    def test_earlier_version_in_a_batch_is_not_written(self, place: Place) -> None:
        found = place.run(document(0, "old"), document(1), document(0, "new"))
        assert found == {"put": 2, "superseded": 1}
        assert place.memory.documents == {page(0): "new", page(1): "words"}
        assert place.memory.calls == [[page(0), page(1)]]

    def test_earlier_version_that_is_tried_again_stays_behind(
        self, place: Place
    ) -> None:
        place.memory.steps += [failing(gone()), failing(gone(), applied=True)]
        found = place.run(document(0, "old"), document(0, "new"), batch=1)
        assert found == {"put": 2, "retried": 2}
        assert place.memory.documents == {page(0): "new"}

    def test_deletion_finds_the_url_that_could_not_be_stored(
        self, place: Place
    ) -> None:
        with place.writer(batch=2) as writer:
            writer.put(IndexDocument("https://example.com/\ud83d", "words"))
            writer.delete("https://example.com/\ud83d")
        assert place.memory.documents == {}
        assert counts(writer) == {"superseded": 1, "deleted": 1}


class TestPending:
    def test_producer_waits_when_too_many_documents_are_pending(
        self, place: Place
    ) -> None:
        place.memory.hold()
        with place.writer(batch=2, pending=4) as writer:
            waits = [writer.put(document(number)) for number in range(4)]
            assert waits[:3] == [None, None, None]
            assert isinstance(waits[3], Future)
            assert not waits[3].done()
            assert writer.pending == 4
            place.memory.release()
            assert waits[3].result(60) is None
        assert counts(writer) == {"put": 4}

    def test_producer_waits_when_too_many_bytes_are_pending(self, place: Place) -> None:
        place.memory.hold()
        with place.writer(batch=100, batch_bytes=1_000) as writer:
            waits = [writer.put(document(n, "w" * 1_000)) for n in range(16)]
            waiting = [wait for wait in waits if wait is not None]
            assert waiting
            place.memory.release()
            for wait in waiting:
                wait.result(60)
        assert counts(writer) == {"put": 16}

    def test_producer_that_gave_up_waiting_does_no_harm(self, place: Place) -> None:
        place.memory.hold()
        with place.writer(batch=1, pending=1) as writer:
            waits = [writer.put(document(number)) for number in range(3)]
            assert waits[1] is not None
            assert waits[1].cancel()
            place.memory.release()
            assert waits[2] is not None
            waits[2].result(60)
        assert counts(writer) == {"put": 3}


class TestClosing:
    def test_nothing_is_accepted_after_the_end(self, place: Place) -> None:
        with place.writer() as writer:
            writer.close()
            with pytest.raises(RuntimeError, match="after the end"):
                writer.put(document(0))
        assert counts(writer) == {}

    def test_failing_close_of_the_index_is_logged(
        self, place: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        place.memory.closing.append(OSError("no more"))
        assert place.run(document(0)) == {"put": 1}
        assert "Closing memory://tests failed: no more" in caplog.text

    def test_index_that_does_not_let_itself_be_closed_is_left(
        self, place: Place, caplog: pytest.LogCaptureFixture
    ) -> None:
        place.memory.closes = False
        assert place.run(document(0), timeout=0.05) == {"put": 1}
        assert "Closing memory://tests takes too long" in caplog.text

    def test_error_of_the_writer_itself_keeps_the_batch(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*args: object, **options: object) -> bool:
            raise LookupError("a bug")

        place.memory.steps.append(failing(gone()))
        with monkeypatch.context() as patch:
            patch.setattr(DeadLetterSink, "add", fail)
            assert place.run(document(0), retries=0) == {"kept": 1}
        assert place.run() == {"restored": 1, "put": 1}

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


def test_lag_is_the_time_from_acceptance_to_the_index(place: Place) -> None:
    with place.writer() as writer:
        writer.put(document(0))
    assert 0 <= writer.counts["lag"] <= writer.counts["lag_max"]
