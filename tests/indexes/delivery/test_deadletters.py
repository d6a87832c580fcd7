"""The file of dead letters."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexDocument, Passage, Section
from scrapy_mainpage.indexes.delivery import DeadLetter, DeadLetters, Operation

from .fullfile import FullFile
from .memory import Place, document, failing, gone, page

ADDER = """
import sys
from pathlib import Path
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.delivery import DeadLetter, DeadLetters, Operation

path, name = Path(sys.argv[1]), sys.argv[2]
for number in range(5):
    documents = [IndexDocument(f"{name}/{number}/{n}", "w" * 5_000) for n in range(5)]
    DeadLetters(path).add(
        [DeadLetter("memory://", Operation.put(d), "full", "") for d in documents]
    )
"""


def letter(made: IndexDocument) -> DeadLetter:
    operation = Operation.put(made)
    return DeadLetter("memory://a", operation, "full", "no room", 7, "2026-01-01")


FULL = IndexDocument(
    "https://example.com/中文",
    "ไทย العربية 🙂\u2028\x85\n\r next",
    title="Title",
    headings="One\nTwo",
    language="zh-hant",
    sections=(Section("H", 2, "h"), Section("I", 3)),
    passages=(Passage("id", 0, "text", "H", "h"),),
)


class TestFormat:
    @pytest.mark.parametrize(
        "made", [FULL, document(0, "broken \ud83d pair"), document(0, "w " * 500_000)]
    )
    def test_letters_come_back_as_they_were(
        self, tmp_path: Path, made: IndexDocument
    ) -> None:
        letters = DeadLetters(tmp_path / "dead.jsonl")
        deletion = DeadLetter("memory://a", Operation.delete("u"), "odd", "", 1, "now")
        letters.add([letter(made), deletion])
        assert list(letters.read()) == [letter(made), deletion]

    def test_a_line_is_json_that_says_what_failed_why_and_when(
        self, place: Place
    ) -> None:
        place.memory.steps.append(failing(gone()))
        place.run(document(0), retries=0)
        (line,) = place.dead_letters.read_bytes().splitlines()
        data = json.loads(line)
        assert data.pop("failed_at").endswith("+00:00")
        assert data == {
            "index": "memory://tests",
            "reason": "connection_lost",
            "message": "connection reset",
            "attempts": 1,
            "document": {"url": page(0), "text": "words"},
        }

    def test_what_is_no_letter_is_logged_and_left_out(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / "dead.jsonl"
        lines = [b"{", b"5", b"\xff", b"[]", b'{"document": {"url": 5, "text": ""}}']
        path.write_bytes(b"\n".join(lines) + b"\n")
        letters = DeadLetters(path)
        letters.add([letter(document(0))])
        assert list(letters.read()) == [letter(document(0))]
        assert [f"{path}:{n}: " in caplog.text for n in range(1, 7)] == [
            *[True] * 5,
            False,
        ]

    def test_message_is_one_line_of_limited_length(self, place: Place) -> None:
        exc = ValueError("a\n  b " + "c" * 100_000)
        place.memory.steps.append(failing(exc))
        place.run(document(0))
        (dead,) = place.dead()
        assert dead.message.startswith("a b ccc")
        assert len(dead.message) == 1_000


class TestWriting:
    def test_several_processes_add_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "dead.jsonl"
        running = [
            subprocess.Popen([sys.executable, "-c", ADDER, str(path), name])
            for name in "abc"
        ]
        assert [process.wait() for process in running] == [0, 0, 0]
        found = [each.operation.url for each in DeadLetters(path).read()]
        wanted = {
            f"{name}/{number}/{n}"
            for name in "abc"
            for number in range(5)
            for n in range(5)
        }
        assert len(found) == 75
        assert set(found) == wanted
        assert len(path.read_bytes().splitlines()) == 75

    def test_line_that_a_killed_process_left_costs_no_other(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "dead.jsonl"
        path.write_bytes(b'{"index": "memory://a", "docu')
        letters = DeadLetters(path)
        letters.add([letter(document(0))])
        letters.add([letter(document(1))])
        found = [each.operation.url for each in letters.read()]
        assert found == [page(0), page(1)]

    def test_all_or_none_of_the_letters_are_in_the_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        letters = DeadLetters(tmp_path / "dead.jsonl")
        letters.add([letter(document(0))])
        before = letters.path.read_bytes()
        monkeypatch.setattr("scrapy_mainpage.indexes.delivery.journal.FileIO", FullFile)
        monkeypatch.setattr(FullFile, "room", int(len(before) * 2.5))
        with pytest.raises(OSError, match="No space left"):
            letters.add([letter(document(1)), letter(document(2))])
        assert letters.path.read_bytes() == before


class TestNoPlace:
    @pytest.fixture(autouse=True)
    def unwritable(self, place: Place) -> None:
        place.dead_letters.mkdir()
        place.memory.steps.append(failing(gone()))

    def test_without_a_journal_it_goes_to_a_folder_of_temporary_files(
        self, place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        found = place.run(document(0), retries=0, journal=False)
        assert found == {"dead": 1, "dead/connection_lost": 1}
        (path,) = tmp_path.glob("mainpage-dead-letters-*/dead.jsonl")
        (dead,) = DeadLetters(path).read()
        assert dead.operation.url == page(0)

    def test_where_nothing_can_be_written_it_is_lost_and_named(
        self,
        place: Place,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
        found = place.run(document(0), retries=0, journal=False)
        assert found == {"lost": 1}
        assert f"Not indexed, and kept nowhere: {page(0)!r}" in caplog.text
