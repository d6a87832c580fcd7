"""The tables and figures of the papers, with the same rows, columns and measures.

Each function takes the results of its paper's systems on any labelled pages. A page
that a system failed on counts as an empty extraction, as everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

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
    pool_blocks,
    set_of,
    sum_of,
    web_site_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lab.evaluation.page_measures import Row

    from .tables import Cell

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


def _kim(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 2 and 3, figure 5: the main content class over all records (blocks)."""
    sets = group_rows((r for r in rows if "blocks_gold" in r.measures), set_of)
    records = []
    for name, group in sets.items():
        pages = [same[0] for same in group_rows(group, page_of).values()]
        total, main = (sum_of(pages, f"blocks_{x}") for x in ("total", "gold"))
        share, rest = main / max(total, 1), total - main
        n = len(pages)
        counts: tuple[Cell, ...] = (total, total / n, main, share, main / n)
        records.append((name, n, *counts, rest, 1 - share, rest / n))
    head = (
        "Data set", "Documents", "Records", "per doc", "Main", "Main share", "per doc",
        "Non-main", "Non-main share", "per doc",
    )  # fmt: skip
    algorithms = group_rows((r for g in sets.values() for r in g), algorithm_of)
    scores = {
        name: {key: pool_blocks(group_rows(own, set_of).get(key, [])) for key in sets}
        for name, own in algorithms.items()
    }
    lines: list[tuple[Cell, ...]] = [
        (name, *(value for score in by_set.values() for value in score[1:]))
        for name, by_set in scores.items()
    ]
    titles = (f"{x} {m}" for x in sets for m in ("Precision", "Recall", "F-Measure"))
    bars = {key: {name: s[key][3] for name, s in scores.items()} for key in sets}
    return [
        PaperTable("table-2", "Records and classes", head, tuple(records)),
        PaperTable("table-3", "Main content class", ("", *titles), tuple(lines), bars),
    ]


def _danag(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 1 and 2: F1 by the longest common subsequence, by web site."""
    sites = group_rows(rows, web_site_of)
    corpus = tuple(
        (site, len(pages), ", ".join(sorted({r.language for r in group if r.language})))
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
        PaperTable("table-1", "Corpus", ("Web site", "Size", "Languages"), corpus),
        PaperTable("table-2", "LCS F1 by web site", ("", *sites), lines),
    ]


def _gce(rows: Sequence[Row]) -> list[PaperTable]:
    """Table 3 and figures 6 to 8: LCS and matched text blocks by language."""
    scores: dict[str, dict[str, tuple[float | None, ...]]] = {}
    for name, own in group_rows(common_rows(rows), algorithm_of).items():
        scores[name] = {
            language: means_of(group, LCS + TEXTS)
            for language, group in group_rows(
                own, lambda r: r.language or "none"
            ).items()
        }
        columns = zip(*scores[name].values(), strict=True)
        scores[name]["Avg."] = tuple(map(mean_of_known, columns))
    titles = [f"{m} {x}" for m in ("LCS", "Block") for x in ("P", "R", "F1", "F0.5")]
    lines = tuple(
        (name, key, *values) for name, s in scores.items() for key, values in s.items()
    )
    head = ("Method", "Language", *titles)
    tables = [PaperTable("table-3", "LCS and matched text blocks", head, lines)]
    figures = {
        "figure-6": ("Longest common subsequence", {"F1": 2, "F0.5": 3}),
        "figure-7": ("Matched text blocks", {"F1": 6, "F0.5": 7}),
    }
    for number, (title, places) in figures.items():
        bars = {
            label: {name: s["Avg."][k] or 0.0 for name, s in scores.items()}
            for label, k in places.items()
        }
        tables.append(PaperTable(number, title, bars=bars))
    for letter, k in (("a", 3), ("b", 7)):
        title = "F0.5 by language: " + ("LCS" if k == 3 else "matched text blocks")
        languages = dict.fromkeys(key for s in scores.values() for key in s)
        bars = {
            key: {n: s[key][k] or 0.0 for n, s in scores.items() if key in s}
            for key in languages
        }
        tables.append(PaperTable(f"figure-8{letter}", title, bars=bars))
    return tables


PAPERS: Final = {
    "rae": Paper(
        "Rae et al. 2018: Main Content Detection in HTML Journal Articles",
        ("layout-analysis", "semantic-markup", "semantic-markup:tag=main"),
        _rae,
    ),
    "kim": Paper(
        "Kim et al. 2013: Main Content Extraction Using Text Block Context",
        ("boilerpipe-density", "boilerpipe-numwords", "text-block-context"),
        _kim,
        "Boilerpipe stands here with its published rules, in place of a tree trained "
        "anew; records are text blocks.",
    ),
    "danag": Paper(
        "Mohammadzadeh et al. 2011: Main Content by a Naive Smoothing Method",
        ("all-text", "lqf", "dsc", "tccb", "ccb", "accb", "danag"),
        _danag,
        "Plain is all-text. Crunch and Density (Moreno et al. 2009) are not built.",
    ),
    "gce": Paper(
        "Jung et al. 2022: Main Content Using the First Impression Area",
        ("readability-lxml", "first-impression"),
        _gce,
        "DOM Distiller, BoilerNet and Web2Text have no kept Python package; "
        "readability-lxml stands for Readability.js.",
    ),
    "alarte": Paper(
        "Alarte and Silva: Page-Level Main Content Extraction",
        tuple(
            dict.fromkeys(
                (*C_SET, *THRESHOLDS, *TEXT_SYSTEMS, *BLOCK_SYSTEMS, CENTROID)
            )
        ),
        alarte_tables,
        "Table 4 needs --by-site. IWPTD, RBM-TD, ConEx, CEHTD-DS, CRF, Unfluff and "
        "Web2Text are not built.",
    ),
}


def paper_tables(name: str, rows: Iterable[Row]) -> list[PaperTable]:
    """The tables of the paper *name* for the *rows* of pages that could be read."""
    read = [row for row in rows if not row.error.startswith(NOT_READ)]
    return PAPERS[name].tables(read)


__all__ = ["PAPERS", "Paper", "PaperTable", "paper_tables"]
