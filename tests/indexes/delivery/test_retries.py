"""Retries of calls and documents, and final failures."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pytest

from scrapy_mainpage.indexes import IndexDocument, IndexFailure, Rejection

from .memory import (
    URL,
    Memory,
    Place,
    counts,
    document,
    failing,
    gone,
    page,
    rejecting,
    unavailable,
)


class TestWholeBatch:
    def test_failure_that_may_pass_is_tried_again(self, place: Place) -> None:
        place.memory.steps += [failing(gone())] * 3
        found = place.run(document(0), document(1))
        assert found == {"put": 2, "retried": 6}
        assert place.dead() == []

    def test_after_the_last_repetition_documents_are_dead(self, place: Place) -> None:
        place.memory.steps += [failing(gone())] * 3
        found = place.run(document(0), document(1), retries=2)
        assert found == {"dead": 2, "dead/connection_lost": 2, "retried": 4}
        assert place.dead() == [(page(n), "connection_lost") for n in range(2)]
        assert {row.message for row in place.rows()} == {"connection reset"}
        assert len(place.memory.calls) == 3

    def test_failing_deletion_is_tried_again_and_finally_dead(
        self, place: Place
    ) -> None:
        place.memory.deletions += [gone(), gone()]
        with place.writer(retries=1) as writer:
            writer.put(document(0))
            writer.delete(page(1))
        assert counts(writer) == {
            "put": 1,
            "retried": 1,
            "dead": 1,
            "dead/connection_lost": 1,
        }
        assert place.dead() == [(page(1), "connection_lost")]
        assert place.memory.calls == [[page(0)]]


class TestRejections:
    def test_only_rejected_documents_are_tried_again(self, place: Place) -> None:
        place.memory.steps.append(rejecting(1))
        found = place.run(document(0), document(1), document(2))
        assert found == {"put": 3, "retried": 1}
        assert place.memory.calls == [[page(0), page(1), page(2)], [page(1)]]

    def test_document_that_is_refused_for_good_is_dead_with_its_reason(
        self, place: Place
    ) -> None:
        step = rejecting(1, reason="too_long", retryable=False)
        place.memory.steps.append(step)
        found = place.run(document(0), document(1), document(2))
        assert found == {"put": 2, "dead": 1, "dead/too_long": 1}
        (row,) = place.rows()
        assert row[:4] == (URL, page(1), "too_long", "it is too_long")
        assert row.failed_at is not None
        assert row.failed_at.endswith("+00:00")


class TestHalving:
    def test_culprit_of_a_refused_batch_is_found(self, place: Place) -> None:
        def refuse(
            memory: Memory, documents: Sequence[IndexDocument]
        ) -> list[Rejection]:
            if page(5) in {each.url for each in documents}:
                raise IndexFailure("bad_request", "a field cannot be read")
            return memory.put(documents)

        place.memory.steps += [refuse] * 20
        found = place.run(*map(document, range(8)), batch=8)
        assert found == {"put": 7, "dead": 1, "dead/bad_request": 1}
        assert place.dead() == [(page(5), "bad_request")]
        assert len(place.memory.calls) == 7


class TestClients:
    @pytest.mark.parametrize("error", [KeyError, SystemExit, BaseException])
    def test_unexpected_error_is_logged_once_and_costs_its_document_only(
        self,
        place: Place,
        caplog: pytest.LogCaptureFixture,
        error: type[BaseException],
    ) -> None:
        def crash(
            memory: Memory, documents: Sequence[IndexDocument]
        ) -> list[Rejection]:
            if documents[0].url == page(0):
                raise error("a\n  b " + "c" * 9_000)
            return memory.put(documents)

        place.memory.steps += [crash] * 9
        found = place.run(document(0), document(1), document(2))
        assert found == {"put": 2, "dead": 1, f"dead/{error.__name__}": 1}
        assert caplog.text.count("Traceback") == 1
        assert len(place.rows()[0].message or "") == 1_000

    @pytest.mark.parametrize(
        "exc", [ConnectionResetError("reset"), TimeoutError(), BrokenPipeError()]
    )
    def test_lost_connection_that_no_engine_caught_is_tried_again(
        self, place: Place, exc: Exception
    ) -> None:
        place.memory.steps.append(failing(exc))
        assert place.run(document(0)) == {"put": 1, "retried": 1}


class TestOpening:
    def test_index_that_can_be_opened_later_gets_all(self, place: Place) -> None:
        place.memory.opening += [unavailable(), unavailable()]
        found = place.run(document(0), document(1))
        assert found == {"put": 2, "retried": 4}

    def test_out_of_reach_is_waited_for_once(self, place: Place) -> None:
        place.memory.opening += [unavailable()] * 5
        found = place.run(*map(document, range(3)), batch=1, retries=2)
        assert found["retried"] == 2
        assert len(place.dead()) == 3

    def test_after_it_is_back_batches_are_repeated_again(self, place: Place) -> None:
        steps = [failing(gone())] * 3 + [Memory.put, failing(gone())]
        place.memory.steps += steps
        found = place.run(*map(document, range(3)), batch=1, retries=2)
        assert found == {
            "put": 2,
            "retried": 3,
            "dead": 1,
            "dead/connection_lost": 1,
        }


def test_dead_letters_are_logged_once_a_reason(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    place.memory.steps += [failing(gone())] * 9
    place.run(*map(document, range(9)), retries=0, batch=1)
    (error,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert error.getMessage().startswith(
        f"Not indexed in {URL}: {page(0)} for connection_lost (connection reset)"
    )


def test_what_is_tried_again_is_logged_when_it_first_fails(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    place.memory.steps += [failing(gone()), rejecting(0), rejecting(0)]
    place.run(*map(document, range(3)))
    (line,) = [each.getMessage() for each in caplog.records]
    assert line.startswith(
        "Not yet in memory://tests: 3 documents, the first for connection_lost "
        "(connection reset); again in 0."
    )
