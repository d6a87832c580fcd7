"""What becomes of tables, code, lists and headings, per set, page type and site."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from lab.evaluation.groups import (
    LANGUAGE,
    LEGEND,
    TEXT_HEADS,
    TYPE,
    format_table,
    summarise,
    total,
)
from scrapy_mainpage.evaluation.datasets import site_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lab.evaluation.groups import Summary
    from lab.evaluation.page_measures import Row

SITE: Final = "site"
"""The kind of summaries by site; their group ``mean`` gives each site equal weight."""

MEAN: Final = "mean"

STRUCTURE_LEGEND: Final = (
    "TABLES, CODE, LISTS: share whole, torn, gone. HEADINGS, TITLES: share kept. "
    "ORPHANS: text blocks kept\nwithout their heading. MISPLACED: cells in the wrong "
    "column of the Markdown. mean: sites, each alike."
)


class Share(NamedTuple):
    """A share of the count *of* that is added up over pages, and its head."""

    head: str
    of: str


STRUCTURE: Final = {
    "tables_whole": Share("TABLES", "tables"),
    "tables_torn": Share("TORN", "tables"),
    "tables_gone": Share("GONE", "tables"),
    "code_whole": Share("CODE", "code"),
    "code_torn": Share("TORN", "code"),
    "code_gone": Share("GONE", "code"),
    "lists_whole": Share("LISTS", "lists"),
    "lists_torn": Share("TORN", "lists"),
    "lists_gone": Share("GONE", "lists"),
    "headings_kept": Share("HEADINGS", "headings"),
    "paragraphs_orphaned": Share("ORPHANS", "paragraphs"),
    "titles_kept": Share("TITLES", "titles"),
    "cells_misplaced": Share("MISPLACED", "cells"),
}
"""The measures of structure, where the main element is known."""

STRUCTURE_HEADS: Final = {"f1": "F1", **{k: s.head for k, s in STRUCTURE.items()}}
COUNTS: Final = tuple(dict.fromkeys(share.of for share in STRUCTURE.values()))


def summarise_structure(rows: Sequence[Row]) -> list[Summary]:
    """The summaries of *rows* with measures of structure, where they have any.

    Sets with structure have summaries by site as well.
    """
    summaries = []
    for name in dict.fromkeys(row.set for row in rows):
        own = [row for row in rows if row.set == name]
        summaries += summarise(own, pool_structure)
        if any(count in row.measures for row in own for count in COUNTS):
            summaries += _of_sites(own)
    return summaries


def _of_sites(rows: Sequence[Row]) -> list[Summary]:
    by_site = [replace(row, type=site_of(row.url)) for row in rows]
    found = summarise(by_site, pool_structure)
    sites = [replace(s, kind=SITE) for s in found if s.kind == TYPE]
    return sites + _means_of_sites(sites)


def _means_of_sites(sites: Sequence[Summary]) -> list[Summary]:
    """Per algorithm the mean of the sites' measures, and the sum of their counts."""
    means = []
    for algorithm in dict.fromkeys(s.algorithm for s in sites):
        own = [s for s in sites if s.algorithm == algorithm]
        names = dict.fromkeys(m for s in own for m in s.measures)
        values = {m: [s.measures[m] for s in own if m in s.measures] for m in names}
        means.append(
            replace(
                own[0],
                group=MEAN,
                pages=sum(s.pages for s in own),
                failed=sum(s.failed for s in own),
                milliseconds=fmean(s.milliseconds for s in own),
                measures={
                    name: sum(found) if name in COUNTS else fmean(found)
                    for name, found in values.items()
                },
            )
        )
    return means


def pool_structure(rows: Sequence[Row]) -> dict[str, float]:
    """The counts of *rows* added up, and the shares of them."""
    counts: dict[str, float] = {name: total(rows, name) for name in COUNTS}
    shares = {
        name: total(rows, name) / counts[share.of]
        for name, share in STRUCTURE.items()
        if counts[share.of]
    }
    return {name: count for name, count in counts.items() if count} | shares


def format_structure(summaries: Sequence[Summary]) -> str:
    """Two tables per set: of its words and blocks, and of its structure."""
    parts = []
    for name in dict.fromkeys(s.set for s in summaries):
        own = [s for s in summaries if s.set == name]
        others = [s for s in own if s.kind != SITE]
        parts.append(format_table(name, others, TEXT_HEADS))
        if counts := ", ".join(_counts(own[0])):
            others = [s for s in own if s.kind != LANGUAGE]
            parts.append(format_table(f"{name}: {counts}", others, STRUCTURE_HEADS))
    return "\n\n".join([*parts, STRUCTURE_LEGEND, LEGEND])


def _counts(summary: Summary) -> Iterator[str]:
    for name in COUNTS:
        if name != "cells" and name in summary.measures:
            yield f"{summary.measures[name]:.0f} {name}"
