"""``scrapy mainpage-index --retry``: dead letters, fed again in this process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.commands.index_run import IndexRun
from scrapy_mainpage.commands.retry_file import RetryFile
from scrapy_mainpage.indexes import (
    IndexDocument,
)
from scrapy_mainpage.indexes.delivery import DeadLetter, DeadLetters, Operation

from .shelf import LETTERS, SHELF, SHOWN, Run, Shelf, found, run, shelf

__all__ = ["run", "shelf"]


def letter(
    number: int, text: str | None, index: str = SHOWN, reason: str = "down"
) -> DeadLetter:
    """A letter on the page https://e/NUMBER; one to delete it without text."""
    url = f"https://e/{number}"
    operation = Operation(url, IndexDocument(url, text) if text else None)
    return DeadLetter(index, operation, reason, "It was so.")


def write_letters(*letters: DeadLetter, name: str = LETTERS) -> str:
    DeadLetters(Path(name)).add(letters)
    return name


def read_letters() -> list[tuple[str, str]]:
    """URL and reason of the letters in the file."""
    if not Path(LETTERS).exists():
        return []
    letters = DeadLetters(Path(LETTERS)).read()
    return [(letter.operation.url, letter.reason) for letter in letters]


class TestRetry:
    @pytest.fixture
    def retry(self, run: Run) -> Run:
        """Feed the letters again; only their file may remain."""

        def run_retry(**settings: Any) -> tuple[int, str, str]:
            done = run("--retry", LETTERS, **{"INDEX": [SHELF], **settings})
            left = {path.name for path in Path().iterdir() if path.name[0] != "."}
            assert left <= {LETTERS, "site.db"}
            return done

        return run_retry

    def test_takes_what_succeeds_out_of_the_file(
        self, retry: Run, shelf: dict[str, str]
    ) -> None:
        shelf["https://e/2"] = "to be deleted"
        write_letters(letter(1, "owl"), letter(2, None))
        code, out, err = retry()
        assert (code, err, shelf) == (0, "", {"https://e/1": "owl"})
        assert out.splitlines()[0].startswith(f"2 letters of {LETTERS} in ")
        assert out.splitlines()[1] == f"{SHOWN}: 1 indexed, 1 deleted"
        assert not Path(LETTERS).exists()

    def test_leaves_what_fails_again_with_its_new_reason(
        self, retry: Run, shelf: dict[str, str]
    ) -> None:
        write_letters(letter(1, "owl"), letter(2, "poison"), letter(3, "elk"))
        code, out, _ = retry()
        assert (code, sorted(shelf)) == (1, ["https://e/1", "https://e/3"])
        assert read_letters() == [("https://e/2", "poison")]
        assert f"{SHOWN}: 2 indexed, 1 failed (poison 1)\n" in out

    def test_puts_each_into_the_index_it_was_meant_for(
        self, retry: Run, shelf: dict[str, str]
    ) -> None:
        write_letters(letter(1, "owl", "sqlite:///site.db"), letter(2, "elk"))
        assert retry()[0] == 0
        assert (list(shelf), found("sqlite:///site.db", "owl")) == (
            ["https://e/2"],
            ["https://e/1"],
        )

    def test_leaves_what_it_knows_no_password_for(self, retry: Run) -> None:
        before = Path(write_letters(letter(1, "owl"))).read_bytes()
        code, out, _ = retry(INDEX="shelf://me:geheim@other/a")
        assert code == 1
        assert "kept: 1, no_password (line 1)\n" in out
        assert Path(LETTERS).read_bytes() == before

    def test_leaves_what_is_for_an_index_out_of_reach_and_does_the_rest(
        self, retry: Run, shelf: dict[str, str]
    ) -> None:
        down = [letter(number, "owl", "shelf://down/a") for number in (1, 3)]
        write_letters(down[0], letter(2, "elk"), down[1])
        code, out, err = retry()
        assert (code, list(shelf)) == (2, ["https://e/2"])
        assert "kept: 2, unavailable (lines 1, 3)\n" in out
        assert err.count("nobody is there") == 1
        assert read_letters() == [("https://e/1", "down"), ("https://e/3", "down")]

    def test_leaves_what_is_no_letter(self, retry: Run, shelf: dict[str, str]) -> None:
        write_letters(letter(1, "owl"))
        with Path(LETTERS).open("ab") as file:
            file.write(b'{"document": {"url": 1}}\nnul\n{"index": "a')
        code, out, _ = retry()
        assert (code, list(shelf)) == (1, ["https://e/1"])
        assert "kept: 3, no_letter (lines 2, 3, 4)\n" in out
        kept = b'{"document": {"url": 1}}\nnul\n{"index": "a\n'
        assert Path(LETTERS).read_bytes() == kept

    def test_drops_blank_lines(self, retry: Run, shelf: dict[str, str]) -> None:
        letters = Path(write_letters(letter(1, "owl"), letter(2, "poison")))
        first, second = letters.read_bytes().splitlines(keepends=True)
        letters.write_bytes(b"\n" + first + b" \r\n" + second + b"\n\n")
        code, out, _ = retry()
        assert (code, list(shelf)) == (1, ["https://e/1"])
        assert out.startswith("2 letters of ")
        assert "no_letter" not in out
        assert read_letters() == [("https://e/2", "poison")]
        letters.write_bytes(b"\n\n")
        assert retry()[0] == 0
        assert not letters.exists()

    def test_through_a_link_takes_the_letters_out_of_its_target(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        Path("kept").mkdir()
        Path(LETTERS).symlink_to("kept/letters")
        write_letters(letter(1, "owl"), letter(2, "poison"))
        assert run("--retry", LETTERS, INDEX=SHELF)[0] == 1
        assert (list(shelf), Path(LETTERS).is_symlink()) == (["https://e/1"], True)
        assert read_letters() == [("https://e/2", "poison")]
        assert not Path("kept/letters").is_symlink()

    def test_waits_for_one_that_writes_through_a_link(self) -> None:
        Path(LETTERS).symlink_to("letters")
        lock = DeadLetters(Path(LETTERS)).lock()
        assert lock.lock_file == DeadLetters(Path("letters")).lock().lock_file

    @pytest.mark.parametrize(
        ("make", "what"),
        [(os.mkdir, "a folder"), (os.mkfifo, "a pipe or a device")],
    )
    def test_refuses_what_is_no_file(
        self, run: Run, make: Callable[[str], None], what: str
    ) -> None:
        make(LETTERS)
        code, _, err = run("--retry", LETTERS, INDEX=SHELF)
        assert (code, err.count("\n")) == (2, 1)
        assert f"{LETTERS}: {what}, not a file" in err

    def test_leaves_what_a_crawl_adds_meanwhile(
        self, retry: Run, shelf: dict[str, str]
    ) -> None:
        write_letters(letter(1, "owl"), letter(2, "poison"))
        Shelf.on_put = lambda: write_letters(letter(2, "newer"), letter(3, "elk"))
        retry()
        # The later of two letters on a page counts: it has to remain.
        assert read_letters() == [
            ("https://e/2", "poison"),
            ("https://e/2", "down"),
            ("https://e/3", "down"),
        ]
        Shelf.on_put = None
        assert retry()[0] == 0
        assert shelf["https://e/2"] == "newer"
        assert shelf["https://e/3"] == "elk"

    def test_leaves_what_comes_after_ctrl_c(
        self, retry: Run, shelf: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begin = IndexRun._begin

        def interrupt(self: IndexRun, line: int, share: float | None) -> None:
            begin(self, line, share)
            if line == 2:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(IndexRun, "_begin", interrupt)
        write_letters(*(letter(number, "owl") for number in range(5)))
        code, _, err = retry()
        assert (code, sorted(shelf)) == (130, ["https://e/0", "https://e/1"])
        assert err.endswith("stopped after line 2\n")
        rest = [f"https://e/{number}" for number in (2, 3, 4)]
        assert [url for url, _ in read_letters()] == rest

    @pytest.mark.parametrize("name", ["keep", "_move_to"])
    def test_loses_nothing_when_it_is_killed(
        self,
        retry: Run,
        run: Run,
        shelf: dict[str, str],
        monkeypatch: pytest.MonkeyPatch,
        name: str,
    ) -> None:
        def killed(*args: object) -> None:
            raise SystemExit

        write_letters(letter(1, "owl"), letter(2, "poison"), letter(3, "elk"))
        with monkeypatch.context() as patch:
            patch.setattr(RetryFile, name, killed)
            with pytest.raises(SystemExit):
                run("--retry", LETTERS, INDEX=SHELF)
        write_letters(letter(3, "newer elk"))
        assert retry()[0] == 1
        assert shelf == {"https://e/1": "owl", "https://e/3": "newer elk"}
        assert read_letters() == [("https://e/2", "poison")]

    def test_loses_nothing_when_it_is_killed_at_its_end(
        self,
        retry: Run,
        run: Run,
        shelf: dict[str, str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        write_letters(letter(1, "poison"), letter(2, "elk"))
        move, moves = RetryFile._move_to, []

        def killed(self: RetryFile, target: Path) -> None:
            moves.append(target)
            if len(moves) == 2:
                raise SystemExit
            move(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(RetryFile, "_move_to", killed)
            with pytest.raises(SystemExit):
                run("--retry", LETTERS, INDEX=SHELF)
        assert read_letters() == []
        assert retry()[0] == 1
        assert read_letters() == [("https://e/1", "poison")]

    def test_keeps_all_where_what_fails_cannot_be_kept(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def full(self: DeadLetters, letters: Sequence[DeadLetter]) -> None:
            raise OSError(28, "No space left on device")

        write_letters(letter(1, "owl"), letter(2, "poison"))
        with monkeypatch.context() as patch:
            patch.setattr(DeadLetters, "add", full)
            patch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
            code, _, err = run("--retry", LETTERS, INDEX=SHELF)
        assert code == 2
        assert f"1 letters could not be kept; {LETTERS}.retrying has all" in err
        assert run("--retry", LETTERS, INDEX=SHELF)[0] == 1
        assert read_letters() == [("https://e/2", "poison")]

    def test_needs_a_file(self, run: Run) -> None:
        code, _, err = run("--retry", LETTERS, INDEX=SHELF)
        assert (code, err) == (
            2,
            f"scrapy mainpage-index: {LETTERS}: there is no such file\n",
        )

    def test_is_done_by_one_process_at_a_time(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        file = RetryFile(Path(write_letters(letter(1, "owl"))))
        with DeadLetters(file.work).lock():
            code, _, err = run("--retry", LETTERS, INDEX=SHELF)
        assert (code, shelf) == (2, {})
        assert "another process works it off" in err
        assert read_letters() == [("https://e/1", "down")]
