"""Which documents go after a run, by evidence, and when none may go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from .records import DROPPED, FAILED, GONE, PERMANENT, REDIRECTED, PageRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .memory import Memory

#: Runs in a row for which a page that fails keeps its document.
MAX_FAILURES: Final = 3

#: Reasons of a sweep that is refused.
START_FAILED: Final = "start_failed"
SITEMAP_FAILED: Final = "sitemap_failed"
ROBOTS_FAILED: Final = "robotstxt_failed"
DEAD_LETTERS: Final = "dead_letters"
QUEUE_BROKEN: Final = "queue_broken"
NOT_FINISHED: Final = "not_finished"
OVER_SHARE: Final = "share"
ARCHIVE_FAILED: Final = "archive_failed"

#: Reasons of a sweep that is refused, in words.
REFUSALS: Final = {
    START_FAILED: "a start page did not come",
    SITEMAP_FAILED: "a sitemap did not come",
    ROBOTS_FAILED: "a robots.txt did not come",
    DEAD_LETTERS: "documents of this run are in the file of dead letters",
    QUEUE_BROKEN: "the queue was broken when the crawl went on",
    NOT_FINISHED: "the crawl was ended before its time",
    ARCHIVE_FAILED: "not every archive was read to its end, in this run",
    OVER_SHARE: "more than MAINPAGE_SWEEP_SHARE of the documents would go",
}


class Verdict(NamedTuple):
    """A document that the run has not confirmed: the reason why it goes, if it does.

    ``kept`` is the reason of one that stays all the same.
    """

    document: PageRow
    gone: str | None = None
    kept: str | None = None


def judge(ledger: Memory, scope: int, run: int) -> list[Verdict]:
    """Return a verdict for each document that a page seen in the run did not give."""
    doubtful = ledger.documents_to_judge(scope, run)
    judged = [_judge(document, page) for document, page in doubtful]
    going = {each.document.url for each in judged if each.gone}
    return [_follow(ledger, each, going) for each in judged]


def _judge(document: PageRow, page: PageRow) -> Verdict:
    if page.outcome == GONE:
        return Verdict(document, gone=str(page.status))
    if page.outcome == REDIRECTED:
        if page.status in PERMANENT:
            return Verdict(document, gone=str(page.status))
        return Verdict(document, kept="redirected")
    if page.outcome == FAILED:
        reason = page.reason or FAILED
        if page.failures > MAX_FAILURES:
            return Verdict(document, gone=reason)
        return Verdict(document, kept=reason)
    # The page came whole, and gave this document no more.
    dropped = page.reason if page.outcome == DROPPED else None
    return Verdict(document, gone=dropped or "not_produced")


def _follow(ledger: Memory, verdict: Verdict, going: set[str]) -> Verdict:
    """Keep the document of a moved page until the new address is indexed, or gone."""
    document = verdict.document
    if verdict.gone is None or document.outcome != REDIRECTED:
        return verdict
    target: PageRow | None = document
    for _ in range(20):  # as many redirects as Scrapy follows
        if target is None or target.outcome != REDIRECTED or not target.redirect_to:
            break
        target = ledger.find(document.scope, target.redirect_to)
    if target is not None and target is not document:
        if target.outcome in (GONE, DROPPED) or target.failures > MAX_FAILURES:
            return verdict
        known = ledger.find(document.scope, target.canonical or "") or target
        for each in (target, known):
            if each.content_hash is not None and each.url not in going:
                return verdict
    return Verdict(document, kept="target_not_indexed")


def find_refusals(ledger: Memory, scope: int, run: int) -> set[str]:
    """Return why a run says nothing about pages that it has not seen."""
    came = "('new', 'changed', 'unchanged', 'dropped', 'redirected')"
    missed = ledger.count(
        "coalesce(start_run, 0) = :run, count(*)",
        "scope = :scope AND (start_run = :run OR is_sitemap = 1 AND "
        "last_seen_run = :run) "
        f"AND (coalesce(last_seen_run, 0) <> :run OR outcome NOT IN {came}) GROUP BY 1",
        scope=scope,
        run=run,
    )
    return {START_FAILED if is_start else SITEMAP_FAILED for is_start, _ in missed}


def is_over_share(going: int, documents: int, share: float) -> bool:
    """Whether too many documents would go; one may always go."""
    return going > max(1, int(share * documents))


def count_reasons(reasons: Iterable[str]) -> str:
    """Return reasons with their numbers, the most frequent first.

    >>> count_reasons(["404", "noindex", "404"])
    '404 2, noindex 1'
    """
    return ", ".join(f"{name} {n}" for name, n in Counter(reasons).most_common())
