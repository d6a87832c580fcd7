"""Verdicts on documents, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from scrapy_mainpage.memory import Memory, PageRow, open_memory
from scrapy_mainpage.memory.judgement import (
    find_refusals,
    is_over_share,
    judge,
)

RUN = 5


@pytest.fixture
def ledger(memory_url: str) -> Iterator[Memory]:
    opened = open_memory(memory_url)
    assert opened.scope("docs") == 1
    yield opened
    opened.close()


def page(ledger: Memory, name: str, **values: Any) -> PageRow:
    row = ledger.page(1, f"https://example.com/{name}")
    defaults = {"content_hash": b"x", "last_seen_run": RUN, "document_run": RUN - 1}
    for key, value in {**defaults, **values}.items():
        setattr(row, key, value)
    ledger.put(row)
    return row


def verdicts(ledger: Memory) -> dict[str, tuple[str | None, str | None]]:
    judged = judge(ledger, 1, RUN)
    return {each.document.url[20:]: (each.gone, each.kept) for each in judged}


def test_what_is_gone_goes_and_what_failed_stays_for_three_runs(
    ledger: Memory,
) -> None:
    page(ledger, "gone", outcome="gone", status=404)
    page(ledger, "dropped", outcome="dropped", status=200, reason="words")
    page(ledger, "other", outcome="changed", status=200)
    page(ledger, "third", outcome="failed", status=503, reason="503", failures=3)
    page(ledger, "fourth", outcome="failed", status=503, reason="503", failures=4)
    page(ledger, "unseen", outcome="new", last_seen_run=RUN - 1)
    page(ledger, "unmodified", outcome="unchanged", status=304)
    page(ledger, "confirmed", outcome="changed", status=200, document_run=RUN)
    assert verdicts(ledger) == {
        "gone": ("404", None),
        "dropped": ("words", None),
        "other": ("not_produced", None),
        "third": (None, "503"),
        "fourth": ("503", None),
    }
    assert ledger.count_unseen(1, RUN) == 1


def test_a_moved_page_goes_when_its_new_address_is_indexed(ledger: Memory) -> None:
    target = "https://example.com/new"
    moved = {"outcome": "redirected", "status": 301}
    page(ledger, "old", redirect_to=target, **moved)
    page(ledger, "older", redirect_to="https://example.com/old", **moved)
    page(ledger, "lost", redirect_to="https://example.com/nowhere", **moved)
    page(ledger, "over", redirect_to="https://example.com/gone", **moved)
    page(ledger, "gone", outcome="gone", status=404, content_hash=None)
    page(ledger, "loop", redirect_to="https://example.com/loop", **moved)
    for name, failures in (("briefly", 3), ("long", 4)):
        down = {"outcome": "failed", "status": 503, "failures": failures}
        page(ledger, f"down-{name}", content_hash=None, **down)
        page(ledger, name, redirect_to=f"https://example.com/down-{name}", **moved)
    for number in range(15):
        path = f"https://example.com/{number + 1}" if number < 14 else target
        page(ledger, str(number), redirect_to=path, **moved)
    away = {"outcome": "redirected", "status": 302}
    page(ledger, "away", redirect_to=target, **away)
    page(ledger, "to-gone", redirect_to="https://example.com/gone", **away)
    for name, failures in (("to-error", 3), ("to-errors", 4)):
        error = {"outcome": "failed", "reason": "error_page", "failures": failures}
        page(ledger, f"{name}-page", content_hash=None, **error)
        page(ledger, name, redirect_to=f"https://example.com/{name}-page", **away)
    page(ledger, "new", outcome="new", status=200, document_run=RUN)
    assert verdicts(ledger) == {
        "old": ("301", None),
        "older": ("301", None),
        "lost": (None, "target_not_indexed"),
        "over": ("301", None),
        "loop": (None, "target_not_indexed"),
        "briefly": (None, "target_not_indexed"),
        "long": ("301", None),
        "away": (None, "redirected"),
        "to-gone": ("404", None),
        "to-error": (None, "error_page"),
        "to-errors": ("error_page", None),
        **{str(number): ("301", None) for number in range(15)},
    }


def test_a_document_is_judged_by_the_page_that_it_came_from(ledger: Memory) -> None:
    listing = page(ledger, "list", outcome="gone", status=410, content_hash=None)
    page(ledger, "entry", parent=listing.id, last_seen_run=None)
    assert verdicts(ledger) == {"entry": ("410", None)}


def test_copies_are_asked_again_when_their_original_has_another_text(
    ledger: Memory,
) -> None:
    before = ledger.begin_run(1)
    before.complete = True
    ledger.put_run(before)
    run = ledger.begin_run(1).id
    original = page(ledger, "original", outcome="changed", last_seen_run=run)
    copy = {"outcome": "dropped", "reason": "near", "canonical": original.url}
    page(ledger, "copy", content_hash=None, last_seen_run=before.id, **copy)
    # One that no page of the last crawl led to, such as with an old session id.
    page(ledger, "copy?session=1", content_hash=None, last_seen_run=0, **copy)
    assert [row.url[20:] for row in ledger.stepped_back(1, run)] == ["copy"]


@pytest.mark.parametrize(
    ("values", "refusals"),
    [
        ({"start_run": RUN, "outcome": "new"}, set()),
        ({"start_run": RUN, "outcome": "failed"}, {"start_failed"}),
        ({"start_run": RUN, "outcome": "gone"}, {"start_failed"}),
        ({"start_run": RUN, "last_seen_run": None}, {"start_failed"}),
        ({"start_run": RUN - 1, "outcome": "failed"}, set()),
        ({"kind": "sitemap", "outcome": "gone"}, {"sitemap_failed"}),
        ({"kind": "sitemap", "outcome": "gone", "last_seen_run": 1}, set()),
    ],
)
def test_a_sweep_is_refused_if_a_start_page_or_sitemap_did_not_come(
    ledger: Memory, values: dict[str, Any], refusals: set[str]
) -> None:
    page(ledger, "start", **values)
    assert find_refusals(ledger, 1, RUN) == refusals


def test_one_start_page_of_several_may_be_gone(ledger: Memory) -> None:
    page(ledger, "gone", start_run=RUN, outcome="gone")
    page(ledger, "here", start_run=RUN, outcome="unchanged")
    assert find_refusals(ledger, 1, RUN) == set()
    page(ledger, "down", start_run=RUN, outcome="failed")
    assert find_refusals(ledger, 1, RUN) == {"start_failed"}


def test_one_document_may_always_go() -> None:
    assert not is_over_share(1, 3, 0.1)
    assert is_over_share(2, 3, 0.1)
    assert not is_over_share(10, 100, 0.1)
    assert is_over_share(11, 100, 0.1)
