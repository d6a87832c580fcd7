"""What a run counted, compared with the last one: a crawl that fails is not silent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..extraction.page_rules import decide, file_of, is_missed
from .records import DROPPED, FAILED, GONE, REDIRECTED

if TYPE_CHECKING:
    from .memory import Memory

#: Pages of a run, and of a part of it, from which it is compared.
MIN_PAGES: Final = 20

#: Share of the pages, or of the words per page, that may be lost.
MAX_LOSS: Final = 0.2

#: Change of a share, or of the confidence, that is no cause for a warning.
MAX_SHIFT: Final = 0.1

#: Languages, the most frequent ones, that are compared.
MAX_LANGUAGES: Final = 10


class Drift(NamedTuple):
    """A figure that differs: its name in statistics, before and now."""

    name: str
    before: float
    now: float

    def __str__(self) -> str:
        return f"{self.name} {self.before:g} before, {self.now:g} now"


def count_run(ledger: Memory, scope: int, run: int) -> dict[str, Any]:
    """Return the figures of a run: outcomes, statuses, documents and their means."""
    where, values = (
        "scope = :scope AND last_seen_run = :run",
        {"scope": scope, "run": run},
    )
    outcomes: dict[str, int]
    outcomes = dict(ledger.count("outcome, count(*)", f"{where} GROUP BY 1", **values))
    statuses = ledger.count(
        "status, count(*)", f"{where} AND status IS NOT NULL GROUP BY 1", **values
    )
    indexed = "scope = :scope AND content_hash IS NOT NULL"
    languages = ledger.count(
        "language, count(*)",
        f"{indexed} AND language IS NOT NULL GROUP BY 1 ORDER BY 2 DESC "
        f"LIMIT {MAX_LANGUAGES}",
        **values,
    )
    documents, words, confidence, rendered = ledger.count(
        "count(*), avg(words), avg(confidence), "
        "avg(CASE WHEN is_rendered = 1 THEN 1.0 ELSE 0.0 END)",
        indexed,
        **values,
    )[0]
    return {
        "outcomes": outcomes,
        # An unchanged page is as good as one that is sent again.
        "statuses": {str(status): number for status, number in statuses},
        "documents": documents,
        "words_per_document": round(float(words or 0), 1),
        "confidence": round(float(confidence or 0), 3),
        "rendered": round(float(rendered or 0), 3),
        "languages": dict(languages),
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
    languages = counts.get("languages", {})
    known = sum(languages.values())
    return {
        "pages": came,
        "documents": counts.get("documents", 0),
        "words_per_document": counts.get("words_per_document", 0.0),
        "confidence": counts.get("confidence", 0.0),
        "rendered": counts.get("rendered", 0.0),
        "dropped": round(outcomes.get(DROPPED, 0) / max(came, 1), 3),
        "failed": round(outcomes.get(FAILED, 0) / max(pages, 1), 3),
        "errors": round(bad / max(pages, 1), 3),
        **{
            f"language_{tag}": round(number / max(known, 1), 3)
            for tag, number in languages.items()
        },
    }
