"""What a run says: which documents go, by evidence, and how it differs from the last.

A crawl that fails must not delete, and must not be silent.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..extraction.page_rules import decide, file_of, is_missed
from .records import DROPPED, FAILED, GONE, PERMANENT, REDIRECTED, PageRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .memory import Memory

#: Runs in a row for which a page that fails keeps its document.
MAX_FAILURES: Final = 3

#: Pages of a run, and of a part of it, from which it is compared.
MIN_PAGES: Final = 20

#: Share of the pages, or of the words per page, that may be lost.
MAX_LOSS: Final = 0.2

#: Change of a share that is no cause for a warning.
MAX_SHIFT: Final = 0.1

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


# --- Figures of runs --------------------------------------------------------------


class Drift(NamedTuple):
    """A figure that differs: its name in statistics, before and now."""

    name: str
    before: float
    now: float

    def __str__(self) -> str:
        return f"{self.name} {self.before:g} before, {self.now:g} now"


def count_run(ledger: Memory, scope: int, run: int) -> dict[str, Any]:
    """Return the figures of a run: outcomes, statuses, documents and their words."""
    values = {"scope": scope, "run": run}
    where = "scope = :scope AND last_seen_run = :run"
    outcomes = ledger.count("outcome, count(*)", f"{where} GROUP BY 1", **values)
    answered = f"{where} AND status IS NOT NULL GROUP BY 1"
    statuses = ledger.count("status, count(*)", answered, **values)
    indexed = "scope = :scope AND content_hash IS NOT NULL"
    ((documents, words),) = ledger.count("count(*), avg(words)", indexed, scope=scope)
    return {
        "outcomes": dict(outcomes),
        # An unchanged page is as good as one that is sent again.
        "statuses": {str(status): number for status, number in statuses},
        "documents": documents,
        "words_per_document": round(float(words or 0), 1),
    }


def compare(now: dict[str, Any], before: dict[str, Any]) -> list[Drift]:
    """Return the figures of a run that are unlike those of the one before."""
    figures, others = _figures(now), _figures(before)
    if others["pages"] < MIN_PAGES:
        return []
    found = _compare_rules(now.get("rules", {}), before.get("rules", {}))
    for name in {**others, **figures}:
        old, new = others.get(name, 0.0), figures.get(name, 0.0)
        if name in _AMOUNTS:
            differs = new < old * (1 - MAX_LOSS)
        else:
            differs = abs(new - old) > MAX_SHIFT
        if differs:
            found.append(Drift(name, old, new))
    return found


def _compare_rules(now: dict[str, int], before: dict[str, int]) -> list[Drift]:
    """The rules of sites that match on fewer pages of those that their file is for.

    Those that are not in *now* are no longer in their file: dead ones have 0 pages.
    """
    found = []
    for rule, number in before.items():
        if rule not in now or is_missed(rule) or not decide([rule]):
            continue
        file = file_of(rule)
        pages, others = now.get(file, 0), before.get(file, 0)
        if min(pages, others) >= MIN_PAGES:
            old, new = number / others, now[rule] / pages
            if new < old - MAX_SHIFT:
                found.append(Drift(f"rules/{rule}", round(old, 3), round(new, 3)))
    return found


_AMOUNTS: Final = ("pages", "documents", "words_per_document")


def _figures(counts: dict[str, Any]) -> dict[str, float]:
    outcomes, statuses = counts.get("outcomes", {}), counts.get("statuses", {})
    pages = sum(outcomes.values())
    came = pages - sum(outcomes.get(name, 0) for name in (FAILED, GONE, REDIRECTED))
    bad = sum(n for status, n in statuses.items() if int(status) >= 400)
    return {
        "pages": came,
        "documents": counts.get("documents", 0),
        "words_per_document": counts.get("words_per_document", 0.0),
        "dropped": round(outcomes.get(DROPPED, 0) / max(came, 1), 3),
        "failed": round(outcomes.get(FAILED, 0) / max(pages, 1), 3),
        "errors": round(bad / max(pages, 1), 3),
    }
