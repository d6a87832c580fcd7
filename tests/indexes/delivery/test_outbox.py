"""The outbox: killed runs, dead letters, several processes."""

from __future__ import annotations

import errno
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexDocument, Passage, Section
from scrapy_mainpage.indexes.outbox import Operation, Outbox, OutboxError, index_name

from .memory import URL, Place, counts, document, failing, gone, page

KILLED = f"""
import sys
from contextlib import closing
from pathlib import Path
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.outbox import Operation, Outbox

outbox = Outbox(Path(sys.argv[1]))
for number in range(3):
    document = IndexDocument(f"https://example.com/{{number}}", "words")
    outbox.add({URL!r}, Operation.put(document))
print("written", flush=True)
sys.stdin.read()
"""


def other_process(place: Place) -> subprocess.Popen[str]:
    """Start a process with three documents in the outbox; it keeps running."""
    running = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(place.outbox)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "written\n"
    return running


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def fill(place: Place, *documents: IndexDocument) -> None:
    """Leave documents of a run that has ended."""
    outbox = Outbox(place.outbox)
    for each in documents:
        outbox.add(URL, Operation.put(each))
    outbox.close()


class TestKilledRuns:
    def test_running_process_keeps_its_operations(self, place: Place) -> None:
        running = other_process(place)
        try:
            assert place.run(document(7)) == {"put": 1}
            assert len(place.left()) == 3
        finally:
            kill(running)
        assert place.run() == {"restored": 3, "put": 3}
        assert list(place.memory.documents)[1:] == [page(0), page(1), page(2)]
        assert place.rows() == []
        assert not list(place.outbox.parent.glob("*.lock"))

    def test_what_was_killed_is_taken_over_when_asked_for_and_at_the_end(
        self, place: Place
    ) -> None:
        running = other_process(place)
        with place.writer() as writer:
            writer.take_over().result(60)
            assert "restored" not in writer.counts
            kill(running)
            for _ in range(2):
                writer.take_over().result(60)
                assert writer.counts["restored"] == 3
            kill(other_process(place))
        assert counts(writer) == {"restored": 6, "put": 6}

    def test_only_its_own_index_gets_it(self, place: Place) -> None:
        fill(place, document(0))
        place.url = "memory://other"
        assert place.run() == {}
        assert place.left() == [page(0)]

    def test_later_version_is_written_later(self, place: Place) -> None:
        for number in range(5):
            fill(place, document(0, f"version {number}"))
        place.run(batch=2)
        assert place.memory.documents == {page(0): "version 4"}

    @pytest.mark.parametrize(
        ("odd", "reason"),
        [
            (
                """document = '{"url": "u", "text": "t", "of a later version": 1}'""",
                "unreadable",
            ),
            ("url = x'ff'", "unreadable"),
            ("run = x'ff'", None),
            ("run = CAST(x'ff' AS TEXT)", None),
        ],
    )
    def test_what_cannot_be_read_stays_and_holds_no_other(
        self, place: Place, odd: str, reason: str | None
    ) -> None:
        fill(place, document(0), document(1))
        with sqlite3.connect(place.outbox) as connection:
            connection.execute(f"UPDATE operations SET {odd} WHERE id = 1")
        connection.close()
        for retry in (False, True):
            place.run(retry=retry)
            with closing(Outbox(place.outbox)) as outbox:
                assert [row.reason for row in outbox.rows()] == [reason]
        assert list(place.memory.documents) == [page(1)]


class TestDeadLetters:
    def test_retry_writes_them_and_keeps_what_fails_again(self, place: Place) -> None:
        place.memory.steps += [failing(gone())] * 2
        place.run(document(0), document(1), batch=1, retries=0)
        assert place.run(document(2)) == {"put": 1}  # without being asked for
        assert len(place.dead()) == 2
        place.memory.steps.append(failing(ValueError("odd")))
        found = place.run(batch=1, retry=True)
        assert found == {"restored": 2, "put": 1, "dead": 1, "dead/ValueError": 1}
        assert place.dead() == [(page(0), "ValueError")]

    def test_deletions_are_among_them(self, place: Place) -> None:
        place.memory.documents[page(0)] = "words"
        place.memory.deletions.append(gone(retryable=False))
        with place.writer() as writer:
            writer.delete(page(0))
        assert place.dead() == [(page(0), "connection_lost")]
        assert place.run(retry=True) == {"restored": 1, "deleted": 1}
        assert place.memory.documents == {}

    def test_killed_retry_is_done_by_the_next_run(self, place: Place) -> None:
        place.memory.steps.append(failing(gone(retryable=False)))
        place.run(document(0))
        outbox = Outbox(place.outbox)
        ((taken,), _) = outbox.take_over(URL, 9, letters=True)
        assert taken.url == page(0)
        outbox.close()
        assert place.run() == {"restored": 1, "put": 1}


@pytest.mark.parametrize(
    "made",
    [
        IndexDocument("https://example.com/中文", "ไทย العربية 🙂\u2028\x85\n\r next"),
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
    outbox = Outbox(place.outbox)
    outbox.add(URL, Operation.put(made))
    outbox.close()
    ((found,), _) = Outbox(place.outbox).take_over(URL, 9)
    assert found.document == Operation.put(made).document


def test_name_of_an_index_does_not_depend_on_password_or_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other, another = (
        index_name(f"postgresql://me:{secret}@{host}/pages")
        for secret, host in [("one", "a"), ("other", "a"), ("one", "b")]
    )
    assert one == other != another
    monkeypatch.chdir(tmp_path)
    assert index_name("sqlite:///site.db") == f"sqlite:///{tmp_path / 'site.db'}"
    assert index_name(f"sqlite:///{tmp_path}/site.db") == index_name(
        "sqlite:///site.db"
    )


def test_file_system_without_locks_is_an_error_at_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="Windows always has locks")

    def none(*args: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.raises(OutboxError, match="No locks available"):
        Outbox(place.outbox).check()
