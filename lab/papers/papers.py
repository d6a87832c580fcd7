"""The tables and figures of the papers, with the same rows, columns and measures.

Each function takes the results of its paper's systems on any labelled pages. A page
that a system failed on counts as an empty extraction, as everywhere.
"""

from __future__ import annotations

from statistics import pstdev
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from lab.evaluation.page_measures import NOT_READ

from .tables import (
    BLOCK_SYSTEMS,
    C_SET,
    CENTROID,
    LCS,
    TEXT_SYSTEMS,
    THRESHOLDS,
    PaperTable,
    alarte_tables,
    algorithm_of,
    common_rows,
    group_rows,
    mean_of,
    mean_of_known,
    means_of,
    page_of,
    web_site_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lab.evaluation.page_measures import Row


TEXTS: Final = (
    "text_nodes_precision", "text_nodes_recall", "text_nodes_f1", "text_nodes_f05",
)  # fmt: skip
ZONES: Final = ("zones_precision", "zones_recall", "zones_f1")


class Paper(NamedTuple):
    """A paper: its systems by the names of ``-a``, its tables, and what is missing."""

    title: str
    algorithms: tuple[str, ...]
    tables: Callable[[Sequence[Row]], list[PaperTable]]
    missing: str = ""


def _rae(rows: Sequence[Row]) -> list[PaperTable]:
    """Table 1: words by the label of their zone, better of both tags per page."""
    rows = common_rows(rows)
    markup = [r for r in rows if r.algorithm.startswith("semantic-markup")]
    best = {
        key: max(group, key=lambda row: row.measures.get("zones_f1", 0.0))
        for key, group in group_rows(markup, page_of).items()
    }
    systems = group_rows((r for r in rows if r not in markup), algorithm_of)
    systems["semantic-markup (better tag)"] = list(best.values())
    tests = {"Full": 0, "ST only": 1}
    lines = [
        (name, test, len(own), *means_of(own, ZONES))
        for test, least in tests.items()
        for name, group in systems.items()
        if (own := [r for r in group if r.measures.get("semantic_tags", 0) >= least])
    ]
    head = ("Algorithm", "Test set", "Pages", "Precision", "Recall", "F-score")
    return [PaperTable("table-1", "Main content detection", head, tuple(lines))]


def _danag(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 1 and 2: F1 by the longest common subsequence, by web site."""
    sites = group_rows(rows, web_site_of)
    corpus = tuple(
        (
            site,
            f"{urlsplit(group[0].url).scheme}://{site}/",
            len(pages),
            ", ".join(sorted({r.language for r in group if r.language})),
        )
        for site, group in sites.items()
        for pages in [group_rows(group, page_of)]
    )
    algorithms = group_rows(rows, algorithm_of)
    lines = tuple(
        (
            name,
            *(
                mean_of(group_rows(own, web_site_of).get(s, []), "lcs_f1")
                for s in sites
            ),
        )
        for name, own in algorithms.items()
    )
    return [
        PaperTable(
            "table-1", "Corpus", ("Web site", "URL", "Size", "Languages"), corpus
        ),
        PaperTable("table-2", "LCS F1 by web site", ("", *sites), lines),
    ]


def _gce(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 2 and 3, figures 6 to 8, and the rates of section III-A, by language."""
    rows = common_rows(rows)
    languages = group_rows(rows, lambda row: row.language or "none")
    scores: dict[str, dict[str, tuple[float | None, ...]]] = {}
    for name, own in group_rows(rows, algorithm_of).items():
        groups = group_rows(own, lambda row: row.language or "none")
        scores[name] = {
            key: means_of(group, LCS + TEXTS) for key, group in groups.items()
        }
        columns = zip(*scores[name].values(), strict=True)
        scores[name]["Avg."] = tuple(map(mean_of_known, columns))
    measures = [f"{m} {x}" for m in ("LCS", "Block") for x in ("P", "R", "F1", "F0.5")]
    lines = tuple(
        (key, *(value for s in scores.values() for value in s[key]))
        for key in (*languages, "Avg.")
    )
    titles = (f"{name} {measure}" for name in scores for measure in measures)
    corpus = [(key, *_pages(group)) for key, group in languages.items()]
    rates = means_of(rows, ("hit_midpoint", "hit_band"))
    tables = [
        PaperTable(
            "table-2", "Pages", ("Language", "Pages", "Readable"), tuple(corpus)
        ),
        PaperTable("table-3", "LCS and matched text blocks", ("", *titles), lines),
        PaperTable("section-3", "Main content hit", ("Midpoint", "Band"), (rates,)),
    ]
    for letter, k in (("a", 3), ("b", 7)):
        title = "F0.5 by language: " + ("LCS" if k == 3 else "matched text blocks")
        bars = {
            key: {n: s[key][k] or 0.0 for n, s in scores.items()} for key in languages
        }
        tables.append(PaperTable(f"figure-8{letter}", title, bars=bars))
    for number, title, k in (("6", "LCS", 2), ("7", "Matched text blocks", 6)):
        places = {"F1": k, "F0.5": k + 1}
        bars = {
            label: {name: s["Avg."][at] or 0.0 for name, s in scores.items()}
            for label, at in places.items()
        }
        variation = {
            label: {
                name: pstdev(s[key][at] or 0.0 for key in languages)
                for name, s in scores.items()
            }
            for label, at in places.items()
        }
        tables.append(
            PaperTable(f"figure-{number}", title, bars=bars, variation=variation)
        )
    return tables


def _pages(rows: Sequence[Row]) -> tuple[int, int]:
    """The pages of some rows, and those with main content in them."""
    pages = [group[0] for group in group_rows(rows, page_of).values()]
    return len(pages), sum(bool(row.measures.get("nodes_gold")) for row in pages)


PAPERS: Final = {
    "rae": Paper(
        "Rae et al. 2018: Main Content Detection in HTML Journal Articles",
        ("layout-analysis", "semantic-markup", "semantic-markup:tag=main"),
        _rae,
    ),
    "danag": Paper(
        "Mohammadzadeh et al. 2011: Main Content by a Naive Smoothing Method",
        (
            *("all-text", "lqf", "crunch", "dsc", "tccb", "ccb", "accb", "density"),
            *("danag", "r2l", "dana"),
        ),
        _danag,
        "Plain is all-text. R2L and DANA, of section 2.3, find right-to-left scripts.",
    ),
    "gce": Paper(
        "Jung et al. 2022: Main Content Using the First Impression Area",
        ("readability-js", "first-impression"),
        _gce,
        "DOM Distiller, BoilerNet and Web2Text are in no package.",
    ),
    "alarte": Paper(
        "Alarte and Silva: Page-Level Main Content Extraction",
        tuple(
            dict.fromkeys(
                (*C_SET, *THRESHOLDS, *TEXT_SYSTEMS, *BLOCK_SYSTEMS, CENTROID)
            )
        ),
        alarte_tables,
        "Table 4 needs --by-site. IWPTD, RBM-TD, ConEx, CEHTD-DS, CRF and Web2Text "
        "are in no package.",
    ),
}


def paper_tables(name: str, rows: Iterable[Row]) -> list[PaperTable]:
    """The tables of the paper *name* for the *rows* of pages that could be read."""
    read = [row for row in rows if not row.error.startswith(NOT_READ)]
    return PAPERS[name].tables(read)


__all__ = ["PAPERS", "Paper", "PaperTable", "paper_tables"]
