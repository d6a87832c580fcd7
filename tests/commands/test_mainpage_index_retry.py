"""``scrapy mainpage-index --retry`` and ``--dead-letters``, in this process."""

from __future__ import annotations

import json
import signal

import pytest

from scrapy_mainpage.commands.index_run import IndexRun
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.outbox import Operation, Outbox
from scrapy_mainpage.pipelines.index import outbox_path

from .shelf import SHELF, SHOWN, Run, Shelf, found, run, shelf

__all__ = ["run", "shelf"]


def fail(number: int, text: str | None, index: str = SHOWN) -> None:
    """Make a dead letter on the page https://e/NUMBER; one to delete without text."""
    url = f"https://e/{number}"
    operation = Operation(url, IndexDocument(url, text) if text else None)
    outbox = Outbox(outbox_path())
    outbox.end(index, [], [(operation, "down", "It was so.")])
    outbox.close()


def left() -> list[tuple[str, str | None]]:
    """URL and reason of what is in the outbox."""
    outbox = Outbox(outbox_path())
    rows = [(row.url, row.reason) for row in outbox.rows()]
    outbox.close()
    return rows


class TestRetry:
    def test_takes_what_succeeds_out_of_the_outbox(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        shelf["https://e/2"] = "to be deleted"
        fail(1, "owl")
        fail(2, None)
        code, out, err = run("--retry", INDEX=SHELF)
        assert (code, err, shelf) == (0, "", {"https://e/1": "owl"})
        assert out.splitlines()[0].startswith(f"2 documents of {outbox_path()} in ")
        assert out.splitlines()[1] == f"{SHOWN}: 1 indexed, 1 deleted"
        assert left() == []

    def test_leaves_what_fails_again_with_its_new_reason(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        for number, text in enumerate(["owl", "poison", "elk"], 1):
            fail(number, text)
        code, out, _ = run("--retry", INDEX=SHELF)
        assert (code, sorted(shelf)) == (1, ["https://e/1", "https://e/3"])
        assert left() == [("https://e/2", "poison")]
        assert f"{SHOWN}: 2 indexed, 1 failed (poison 1)\n" in out

    def test_puts_each_into_the_index_it_was_meant_for(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        path = outbox_path().parents[2] / "site.db"
        fail(1, "owl", f"sqlite:///{path}")
        fail(2, "elk")
        assert run("--retry", INDEX=SHELF)[0] == 0
        assert list(shelf) == ["https://e/2"]
        assert found(f"sqlite:///{path}", "owl") == ["https://e/1"]

    def test_leaves_what_it_knows_no_password_for(self, run: Run) -> None:
        fail(1, "owl")
        code, out, _ = run("--retry", INDEX="shelf://me:geheim@other/a")
        assert code == 1
        assert f"kept: 1, no_password: {SHOWN}\n" in out
        assert left() == [("https://e/1", "down")]

    def test_leaves_what_is_for_an_index_out_of_reach_and_does_the_rest(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        for number, index in enumerate(["shelf://down/a", SHOWN, "shelf://down/a"], 1):
            fail(number, "owl", index)
        code, out, err = run("--retry", INDEX=SHELF)
        assert (code, list(shelf)) == (2, ["https://e/2"])
        assert "kept: 2, unavailable: shelf://down/a\n" in out
        assert err.count("nobody is there") == 1
        assert left() == [("https://e/1", "down"), ("https://e/3", "down")]

    def test_leaves_a_later_failure_that_a_crawl_adds_meanwhile(
        self, run: Run, shelf: dict[str, str]
    ) -> None:
        fail(2, "poison")
        Shelf.on_put = lambda: fail(3, "elk")
        run("--retry", INDEX=SHELF)
        assert sorted(left()) == [("https://e/2", "poison"), ("https://e/3", "down")]

    def test_second_ctrl_c_leaves_the_rest_to_the_next_run(
        self, run: Run, shelf: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fail(1, "owl")
        Shelf.gate.clear()
        with monkeypatch.context() as patch:
            patch.setattr(
                IndexRun, "_tick", lambda _: signal.raise_signal(signal.SIGINT)
            )
            code, _, err = run("--retry", INDEX=SHELF)
        assert (code, shelf) == (130, {})
        assert "1 documents are not written" in err
        assert left() == [("https://e/1", None)]

    def test_without_dead_letters_does_nothing(self, run: Run) -> None:
        code, out, _ = run("--retry", INDEX=SHELF)
        assert (code, outbox_path().exists()) == (0, False)
        assert out.startswith(f"0 documents of {outbox_path()}")


def test_dead_letters_are_listed_as_json_lines(run: Run) -> None:
    fail(1, "owl")
    fail(2, None)
    code, out, err = run("--dead-letters")
    first, second = map(json.loads, out.splitlines())
    assert (code, err) == (0, "")
    assert first.pop("failed_at").endswith("+00:00")
    assert first == {
        "index_url": SHOWN,
        "url": "https://e/1",
        "reason": "down",
        "message": "It was so.",
    }
    assert second["url"] == "https://e/2"
