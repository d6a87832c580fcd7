"""``scrapy mainpage-index``: feeds and dead letters, run in this process."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import io
import json
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_mainpage import indexes
from scrapy_mainpage.commands.index_run import IndexRun
from scrapy_mainpage.commands.mainpage_index import Command
from scrapy_mainpage.commands.retry_file import RetryFile
from scrapy_mainpage.indexes import (
    Hit,
    Index,
    IndexDocument,
    IndexUnavailable,
    Rejection,
    open_index,
)
from scrapy_mainpage.indexes.delivery import DeadLetter, DeadLetters, Operation
from scrapy_mainpage.indexes.query import Query

LETTERS = "mainpage-dead-letters.jsonl"
SHELF = "shelf://me:geheim@host/a"
SHOWN = "shelf://me:***@host/a"

Run = Callable[..., tuple[int, str, str]]


class Shelf(Index):
    """An engine that keeps documents in memory and refuses the word "poison"."""

    documents: ClassVar[dict[str, str]] = {}
    gate: ClassVar[threading.Event]
    on_put: ClassVar[Callable[[], None] | None] = None

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Shelf:
        if "down" in url:
            raise IndexUnavailable(url, "nobody is there")
        return cls()

    async def _put(self, documents: Sequence[IndexDocument]) -> list[Rejection]:
        while not self.gate.is_set():
            await asyncio.sleep(0.01)
        if self.on_put is not None:
            type(self).on_put()
        good = {item.url: item.text for item in documents if "poison" not in item.text}
        self.documents.update(good)
        return [
            Rejection(item.url, "poison", "It is\npoison.")
            for item in documents
            if item.url not in good
        ]

    async def delete(self, urls: Iterable[str]) -> int:
        return sum(self.documents.pop(url, None) is not None for url in urls)

    async def _search(self, query: Query) -> list[Hit]:
        return []

    async def urls(self) -> AsyncIterator[str]:
        for url in self.documents:
            yield url

    async def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Content of the engine of these tests; the working directory is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(indexes.ENGINES, "shelf", ("shelf", "Shelf"))
    module = sys.modules[__name__]
    monkeypatch.setitem(sys.modules, f"{indexes.__name__}.shelf", module)
    Shelf.documents.clear()
    Shelf.gate = threading.Event()
    Shelf.gate.set()
    yield Shelf.documents
    Shelf.gate.set()
    Shelf.on_put = None


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; return exit code, standard output and standard error."""

    def run_command(*args: object, **settings: Any) -> tuple[int, str, str]:
        command = Command()
        command.settings = Settings(
            {f"MAINPAGE_{name}": value for name, value in settings.items()}
        )
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        opts, rest = parser.parse_known_args([str(arg) for arg in args])
        command.run(rest, opts)
        return (command.exitcode, *capsys.readouterr())

    return run_command


def write(items: Sequence[object], name: str = "items.jsonl") -> str:
    """Write a feed; items other than dictionaries are raw lines."""
    lines = [item if isinstance(item, str) else json.dumps(item) for item in items]
    Path(name).write_text("".join(f"{line}\n" for line in lines))
    return name


def items(*texts: str) -> list[dict[str, str]]:
    """Items with these texts and the URLs https://e/1, https://e/2, ..."""
    return [
        {"url": f"https://e/{number}", "text": text}
        for number, text in enumerate(texts, 1)
    ]


def found(url: str, query: str) -> list[str]:
    with open_index(url, read_only=True) as index:
        return [hit.url for hit in index.search(query)]


class TestFeed:
    def test_is_indexed_and_counted(self, run: Run) -> None:
        code, out, err = run(write(items("An owl.", "Two owls.")), "--to", "site.db")
        assert (code, err) == (0, "")
        first, second = out.splitlines()
        assert first.startswith("2 items of items.jsonl in ")
        assert second == "sqlite:///site.db: 2 indexed"
        assert found("sqlite:///site.db", "owl") == ["https://e/1"]

    def test_goes_where_the_project_indexes(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        fields = {"text": "body"}
        feed = write([{"url": "https://e/1", "body": "owl"}])
        code, _, _ = run(feed, INDEX=SHELF, INDEX_FIELDS=fields)
        assert (code, shelf) == (0, {"https://e/1": "owl"})

    def test_may_go_into_several_indexes(self, run: Run, shelf: dict[str, str]) -> None:
        options = ("--to", "site.db", "--to", SHELF, "--to", "site.db")
        code, out, _ = run(write(items("owl", "poison owl")), *options, INDEX="x:///y")
        assert code == 1
        assert "sqlite:///site.db: 2 indexed\n" in out
        assert f"{SHOWN}: 1 indexed, 1 failed (poison 1)\n" in out
        assert len(found("sqlite:///site.db", "owl")) == 2
        assert list(shelf) == ["https://e/1"]

    def test_may_come_by_standard_input(
        self, run: Run, shelf: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data = gzip.compress(b'{"url": "https://e/1", "text": "owl"}\n')
        buffer = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(buffer))
        code, out, _ = run("-", "--to", SHELF)
        assert (code, list(shelf)) == (0, ["https://e/1"])
        assert out.startswith("1 items of standard input in ")

    def test_lines_that_serve_not_are_counted_and_the_rest_is_indexed(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        lines: list[object] = ['{"url":', {"text": "no url"}, {"url": "https://e/0"}]
        feed = write([*lines, *items("owl"), *["nul"] * 6])
        code, out, _ = run(feed, "--to", SHELF)
        assert (code, list(shelf)) == (1, ["https://e/1"])
        assert out.splitlines()[2:] == [
            "skipped: 7, not_json (lines 1, 5, 6, 7, 8, ...)",
            "skipped: 1, no_url (line 2)",
            "skipped: 1, no_text (line 3)",
        ]

    def test_pages_that_come_twice_are_told_from_lost_ones(self, run: Run) -> None:
        feed = write([*items("old"), *items("new", "other")])
        code, out, _ = run(feed, "--to=site.db")
        assert code == 0
        said = "2 indexed, 1 superseded by a later one of the same page"
        assert out.endswith(f"sqlite:///site.db: {said}\n")

    def test_what_fails_is_kept_and_can_be_fed_again(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        code, _, err = run(write(items("poison", "owl")), "--to", SHELF)
        assert (code, list(shelf)) == (1, ["https://e/2"])
        again = f"scrapy mainpage-index --retry {LETTERS}"
        assert err.splitlines()[-1].endswith(again)
        (letter,) = DeadLetters(Path(LETTERS)).read()
        assert (letter.index, letter.reason) == (SHOWN, "poison")
        assert "geheim" not in err + Path(LETTERS).read_text()


class TestNothingToDo:
    @pytest.mark.parametrize(
        "args", [[], ["a.jsonl", "b.jsonl"], ["a.jsonl", "--retry", LETTERS], [""]]
    )
    def test_other_than_one_feed_is_a_usage_error(
        self, run: Run, args: list[str]
    ) -> None:
        with pytest.raises(UsageError, match="feed"):
            run(*args, INDEX=SHELF)

    def test_no_index_is_a_usage_error(self, run: Run) -> None:
        with pytest.raises(UsageError, match=r"--to .*MAINPAGE_INDEX"):
            run(write(items("owl")))

    def test_missing_feed_is_one_line_and_makes_no_index(self, run: Run) -> None:
        code, out, err = run("no.jsonl", "--to", "site.db")
        assert (code, out) == (2, "")
        assert err == "scrapy mainpage-index: no.jsonl: No such file or directory\n"
        assert not Path("site.db").exists()

    def test_index_out_of_reach_is_one_line_without_password(self, run: Run) -> None:
        url = "shelf://me:geheim@down/a"
        code, out, err = run(write(items("owl")), "--to", SHELF, "--to", url)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "'shelf://me:***@down/a': nobody is there" in err

    def test_empty_feed_is_no_error(self, run: Run) -> None:
        code, out, _ = run(write([]), "--to", "site.db")
        assert (code, out.splitlines()[1]) == (0, "sqlite:///site.db: nothing indexed")


class Interrupted(io.RawIOBase):
    """Lines of input, followed by Ctrl-C."""

    def __init__(self, data: bytes):
        self._data = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._data:
            signal.raise_signal(signal.SIGINT)
        length = min(len(buffer), len(self._data))
        buffer[:length], self._data = self._data[:length], self._data[length:]
        return length


class TestStop:
    def test_writes_what_was_read_and_says_how_far_it_came(
        self, run: Run, shelf: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data = Path(write(items("owl", "cat", "elk"))).read_bytes()
        buffer = io.BufferedReader(Interrupted(data))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(buffer))
        handler = signal.getsignal(signal.SIGINT)
        code, out, err = run("-", "--to", SHELF)
        assert (code, len(shelf)) == (130, 3)
        assert "3 indexed" in out
        assert err == "scrapy mainpage-index: stopped after line 3\n"
        assert signal.getsignal(signal.SIGINT) is handler

    def test_the_second_time_does_not_wait_for_the_index(
        self, run: Run, shelf: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(_: IndexRun) -> None:
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(IndexRun, "_tick", interrupt)
        Shelf.gate.clear()
        code, _, err = run(write(items("owl", "cat", "elk")), "--to", SHELF)
        assert (code, shelf) == (130, {})
        left = "ended at line 1; 1 documents before it are not written"
        assert err == f"scrapy mainpage-index: {left}\n"


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


class TestProcess:
    @staticmethod
    def scrapy(*args: str) -> subprocess.CompletedProcess[str]:
        """Run the command through Scrapy's own reading of commands and options."""
        command = [sys.executable, "-m", "scrapy", "mainpage-index", *args]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_settings_come_from_the_command_line(self) -> None:
        feed = write([{"url": "https://e/1", "body": "owl"}])
        fields = 'MAINPAGE_INDEX_FIELDS={"text": "body"}'
        done = self.scrapy(feed, "--to", "site.db", "-s", fields)
        assert (done.returncode, done.stderr) == (0, "")
        assert found("sqlite:///site.db", "owl") == ["https://e/1"]
