"""``scrapy mainpage-index``: feeds, run in this process."""

from __future__ import annotations

import gzip
import io
import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.index_run import IndexRun
from scrapy_mainpage.indexes import open_index
from scrapy_mainpage.indexes.outbox import Outbox
from scrapy_mainpage.pipelines.index import outbox_path

from .shelf import SHELF, SHOWN, Run, Shelf, found, items, run, shelf, write

__all__ = ["run", "shelf"]


class TestFeed:
    def test_is_indexed_and_counted(self, run: Run) -> None:
        code, out, err = run(write(items("An owl.", "Two owls.")), "--to", "site.db")
        assert (code, err) == (0, "")
        first, second = out.splitlines()
        assert first.startswith("2 items of items.jsonl in ")
        assert second == "sqlite:///site.db: 2 indexed"
        assert found("sqlite:///site.db", "owl") == ["https://e/1", "https://e/2"]

    def test_goes_where_the_project_indexes(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        fields = {"text": "body"}
        feed = write([{"url": "https://e/1", "body": "owl"}])
        code, _, _ = run(feed, INDEX=SHELF, INDEX_FIELDS=fields)
        assert (code, shelf) == (0, {"https://e/1": "owl"})

    def test_sections_are_those_of_the_item_or_of_its_markdown(self, run: Run) -> None:
        text = "Birds\n\nOf all sorts.\n\nOwls\n\nThey hunt at night."
        shared = {"text": text}
        given = [{"heading": "Owls", "level": 2, "anchor": "o", "text": "They hunt."}]
        feed = write(
            [
                {"url": "https://e/1", "markdown": "# Birds\n\n## Owls", **shared},
                {"url": "https://e/3", "sections": given, **shared},
            ]
        )
        assert run(feed, "--to", "site.db")[0] == 0
        with open_index("sqlite:///site.db", read_only=True) as index:
            hits = {hit.url: hit for hit in index.search("owls")}
        assert {hit.sections[0].heading for hit in hits.values()} == {"Owls"}
        assert len(hits) == 2
        assert hits["https://e/3"].link == "https://e/3#o"

    def test_feed_without_headings_says_what_is_missing(self, run: Run) -> None:
        _, out, _ = run(write(items(*["An owl."] * 10)), "--to", "site.db")
        assert "without headings: 10; the feed needs the field headings" in out

    @pytest.mark.parametrize("form", ["docsearch", "passages"])
    def test_records_are_printed_and_nothing_is_indexed(
        self, run: Run, form: str
    ) -> None:
        code, out, err = run(write(items("An owl.")), "--records", form, INDEX=SHELF)
        record = json.loads(out.splitlines()[-1])
        assert (code, record["url"]) == (0, "https://e/1")
        assert record["content" if form == "docsearch" else "text"] == "An owl."
        assert err.startswith("1 items of items.jsonl")

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
            "skipped: 7, not_json (first in line 1)",
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
        again = "scrapy mainpage-index --retry"
        assert err.splitlines()[-1].endswith(again)
        (row,) = Outbox(outbox_path()).rows()
        assert (row.index_url, row.reason) == (SHOWN, "poison")
        assert b"geheim" not in err.encode() + outbox_path().read_bytes()


class TestNothingToDo:
    @pytest.mark.parametrize(
        "args", [[], ["a.jsonl", "b.jsonl"], ["a.jsonl", "--retry"], [""]]
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
        assert err == "scrapy mainpage-index: stopped at line 3\n"
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
        left = "ended at line 1; 1 documents are not written"
        assert err == f"scrapy mainpage-index: {left}\n"
