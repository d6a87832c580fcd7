"""What a run says: which documents go, by evidence. A crawl that fails deletes none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .tables import DROPPED, FAILED, GONE, PERMANENT, REDIRECTED, PageRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .memory import Memory

#: Runs in a row for which a page that fails, or is elsewhere, keeps its document.
MAX_FAILURES: Final = 3

START_FAILED: Final = "start_failed"
SITEMAP_FAILED: Final = "sitemap_failed"
ROBOTS_FAILED: Final = "robotstxt_failed"
DEAD_LETTERS: Final = "dead_letters"
QUEUE_BROKEN: Final = "queue_broken"
NOT_FINISHED: Final = "not_finished"
OVER_SHARE: Final = "share"

#: Reasons of a sweep that is refused, in words.
REFUSALS: Final = {
    START_FAILED: "a start page did not come",
    SITEMAP_FAILED: "a sitemap did not come",
    ROBOTS_FAILED: "a robots.txt did not come",
    DEAD_LETTERS: "documents of this run are in the file of dead letters",
    QUEUE_BROKEN: "the queue was broken when the crawl went on",
    NOT_FINISHED: "the crawl was ended before its time",
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
    judged = [_judge(ledger, *pair) for pair in ledger.documents_to_judge(scope, run)]
    going = {each.document.url for each in judged if each.gone}
    return [_follow(ledger, each, going) for each in judged]


def _judge(ledger: Memory, document: PageRow, page: PageRow) -> Verdict:
    is_away = page.outcome == REDIRECTED and page.status not in PERMANENT
    target = ledger.find(page.scope, page.redirect_to or "") if is_away else None
    if target is not None and target.outcome in (GONE, FAILED):
        page, is_away = target, False  # where an error page has an address of its own
    if page.outcome == FAILED or is_away:
        reason = REDIRECTED if is_away else page.reason or FAILED
        if page.failures > MAX_FAILURES:
            return Verdict(document, gone=reason)
        return Verdict(document, kept=reason)
    if page.outcome in (GONE, REDIRECTED):
        return Verdict(document, gone=str(page.status))
    # The page came whole, and gave this document no more.
    dropped = page.reason if page.outcome == DROPPED else None
    return Verdict(document, gone=dropped or "not_produced")


def _follow(ledger: Memory, verdict: Verdict, going: set[str]) -> Verdict:
    """Keep the document of a moved page until the new address is indexed, or gone."""
    document = verdict.document
    is_moved = document.outcome == REDIRECTED and document.failures <= MAX_FAILURES
    if verdict.gone is None or not is_moved:
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
    rows = ledger.count(
        "coalesce(start_run, 0) = :run, "
        "CASE WHEN last_seen_run = :run THEN outcome END, count(*)",
        "scope = :scope AND (start_run = :run OR kind = 'sitemap' AND "
        "last_seen_run = :run) GROUP BY 1, 2",
        scope=scope,
        run=run,
    )
    starts = {outcome for is_start, outcome, _ in rows if is_start}
    others = {outcome for is_start, outcome, _ in rows if not is_start}
    # One start page of several that is gone says so; if all are, the site is down.
    missed = {None, FAILED} | ({GONE} if starts == {GONE} else set())
    found = {START_FAILED} if starts & missed else set()
    return found | ({SITEMAP_FAILED} if others & {None, FAILED, GONE} else set())


def is_over_share(going: int, documents: int, share: float) -> bool:
    """Whether too many documents would go; one may always go."""
    return going > max(1, int(share * documents))


def count_reasons(reasons: Iterable[str]) -> str:
    """Return reasons with their numbers, the most frequent first."""
    return ", ".join(f"{name} {n}" for name, n in Counter(reasons).most_common())


def count_run(memory: Memory, scope: int, run: int) -> dict[str, Any]:
    """Return the figures of a run: its outcomes, and the documents of the scope."""
    where = "scope = :scope AND last_seen_run = :run GROUP BY 1"
    outcomes = memory.count("outcome, count(*)", where, scope=scope, run=run)
    return {"outcomes": dict(outcomes), "documents": memory.count_documents(scope)}
