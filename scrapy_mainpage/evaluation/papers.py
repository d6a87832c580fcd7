"""The tables and figures of the papers, with the same rows, columns and measures.

Each function takes the results of its paper's systems on any labelled pages. A page
that a system failed on counts as an empty extraction, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from .datasets import site_of
from .measure import NOT_READ

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .measure import Row

    Cell = str | int | float | None

ANY: Final = "all pages"
AVERAGE: Final = "Average"
LCS: Final = ("lcs_precision", "lcs_recall", "lcs_f1", "lcs_f05")
TEXTS: Final = (
    "text_nodes_precision", "text_nodes_recall", "text_nodes_f1", "text_nodes_f05",
)  # fmt: skip
ZONES: Final = ("zones_precision", "zones_recall", "zones_f1")
NODES_WORDS: Final = (
    "nodes_recall", "nodes_precision", "nodes_f1", "recall", "precision", "f1",
)  # fmt: skip


@dataclass(frozen=True)
class PaperTable:
    """A table or figure: its number in the paper, its title, and its cells.

    ``bars`` are values by group and algorithm, ``points`` values of x and y by
    algorithm, ``axes`` their titles.
    """

    number: str
    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    bars: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    points: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    axes: tuple[str, str] = ("", "")


class Paper(NamedTuple):
    """A paper: its systems by the names of ``-a``, its tables, and what is missing."""

    title: str
    algorithms: tuple[str, ...]
    tables: Callable[[Sequence[Row]], list[PaperTable]]
    missing: str = ""


def _rae(rows: Sequence[Row]) -> list[PaperTable]:
    """Table 1: words by the label of their zone, better of both tags per page."""
    rows = _common(rows)
    markup = [r for r in rows if r.algorithm.startswith("semantic-markup")]
    best = {
        key: max(group, key=lambda row: row.measures.get("zones_f1", 0.0))
        for key, group in _groups(markup, _page).items()
    }
    systems = _groups((r for r in rows if r not in markup), _algorithm)
    systems["semantic-markup (better tag)"] = list(best.values())
    tests = {"Full": 0, "ST only": 1}
    lines = [
        (name, test, len(own), *_means(own, ZONES))
        for test, least in tests.items()
        for name, group in systems.items()
        if (own := [r for r in group if r.measures.get("semantic_tags", 0) >= least])
    ]
    head = ("Algorithm", "Test set", "Pages", "Precision", "Recall", "F-score")
    return [PaperTable("table-1", "Main content detection", head, tuple(lines))]


def _kim(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 2 and 3, figure 5: the main content class over all records (blocks)."""
    sets = _groups((r for r in rows if "blocks_gold" in r.measures), _set)
    records = []
    for name, group in sets.items():
        pages = [same[0] for same in _groups(group, _page).values()]
        total, main = (_sum(pages, f"blocks_{x}") for x in ("total", "gold"))
        share, rest = main / max(total, 1), total - main
        n = len(pages)
        counts: tuple[Cell, ...] = (total, total / n, main, share, main / n)
        records.append((name, n, *counts, rest, 1 - share, rest / n))
    head = (
        "Data set", "Documents", "Records", "per doc", "Main", "Main share", "per doc",
        "Non-main", "Non-main share", "per doc",
    )  # fmt: skip
    algorithms = _groups((r for g in sets.values() for r in g), _algorithm)
    scores = {
        name: {key: _pooled(_groups(own, _set).get(key, [])) for key in sets}
        for name, own in algorithms.items()
    }
    lines = tuple(
        (name, *(value for score in by_set.values() for value in score[1:]))
        for name, by_set in scores.items()
    )
    titles = (f"{x} {m}" for x in sets for m in ("Precision", "Recall", "F-Measure"))
    bars = {key: {name: s[key][3] for name, s in scores.items()} for key in sets}
    return [
        PaperTable("table-2", "Records and classes", head, tuple(records)),
        PaperTable("table-3", "Main content class", ("", *titles), lines, bars),
    ]


def _danag(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 1 and 2: F1 by the longest common subsequence, by web site."""
    sites = _groups(rows, lambda row: site_of(row.url))
    corpus = tuple(
        (site, len(pages), ", ".join(sorted({r.language for r in group if r.language})))
        for site, group in sites.items()
        for pages in [_groups(group, _page)]
    )
    algorithms = _groups(rows, _algorithm)
    lines = tuple(
        (name, *(_mean(_groups(own, _site).get(s, []), "lcs_f1") for s in sites))
        for name, own in algorithms.items()
    )
    return [
        PaperTable("table-1", "Corpus", ("Web site", "Size", "Languages"), corpus),
        PaperTable("table-2", "LCS F1 by web site", ("", *sites), lines),
    ]


def _gce(rows: Sequence[Row]) -> list[PaperTable]:
    """Table 3 and figures 6 to 8: LCS and matched text blocks by language."""
    rows = _common(rows)
    tables, scores = [], {}
    head = (
        "",
        *(f"{m} {x}" for m in ("LCS", "Block") for x in ("P", "R", "F1", "F0.5")),
    )
    for name, own in _groups(rows, _algorithm).items():
        groups = {
            language: _means(group, LCS + TEXTS)
            for language, group in _groups(own, lambda r: r.language or "none").items()
        }
        mean = tuple(_fmean(column) for column in zip(*groups.values(), strict=True))
        scores[name] = groups | {"Avg.": mean}
        lines = tuple((key, *values) for key, values in scores[name].items())
        tables.append(PaperTable(f"table-3-{name}", name, head, lines))
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


CENTROID: Final = "centroid"
NO_POST_PROCESS: Final = "tr=1e9"
C_SET: Final = {f"{CENTROID}:c={c}:{NO_POST_PROCESS}": c for c in range(1, 9)}
THRESHOLDS: Final = {f"{CENTROID}:tr={tr / 4:g}:hr=7": tr / 4 for tr in range(5, 13)}
TEXT_SYSTEMS: Final = (
    "bte", "dsc", "fe", "k-fe", "lqf", "ccb", "cetr", "cetd:variant=CETD-DS",
    "cetd:variant=CECTD-S", "cetd:variant=CECTD-DS", "wlr",
)  # fmt: skip
BLOCK_SYSTEMS: Final = ("bte", "boilerpy3-default", "boilerpy3", "boilerpy3-largest")


def _alarte(rows: Sequence[Row]) -> list[PaperTable]:
    """Tables 1, 2, 3, 5 and 6, figure 2."""
    systems = _groups(rows, _algorithm)
    head = ("", *(f"{of} {m}" for of in ("nodes", "words") for m in ("R", "P", "F1")))
    columns = (*head[1:], "Runtime s")
    sizes = _lines(systems, {k: str(c) for k, c in C_SET.items()})
    named = {k: f"{tr:g}" for k, tr in THRESHOLDS.items()}
    without = f"{CENTROID}:c=3:{NO_POST_PROCESS}"
    thresholds = _lines(systems, named | {without: "No post-process"})
    own = systems.get(CENTROID, [])
    facts = ("nodes_total", "nodes_gold")
    pages: list[tuple[Cell, ...]] = [
        (
            row.page,
            *(int(row.measures.get(name, 0)) for name in facts),
            *map(row.measures.get, NODES_WORDS),
            row.seconds,
        )
        for row in own
    ]
    if own:
        means = _means(own, (*facts, *NODES_WORDS))
        pages.append((AVERAGE, *means, _seconds(own)))
    points = [(r.measures["nodes_rated"], r.seconds) for r in own if _is_rated(r)]
    return [
        PaperTable("table-1", "Size of the c-SET", ("Size", *columns), sizes),
        PaperTable("table-2", "tr, with hr = 7", ("tr", *columns), thresholds),
        PaperTable(
            "table-3", "By page", ("Page", "Nodes", "Main", *columns), tuple(pages)
        ),
        _lcs_by_set(systems, (*TEXT_SYSTEMS, CENTROID)),
        _accuracy(systems, (*BLOCK_SYSTEMS, CENTROID)),
        PaperTable(
            "figure-2", "Runtime by rated nodes", points={CENTROID: points},
            axes=("rated nodes", "seconds"),
        ),
    ]  # fmt: skip


def _is_rated(row: Row) -> bool:
    return not row.error and "nodes_rated" in row.measures


def _lines(
    systems: Mapping[str, Sequence[Row]], names: Mapping[str, str]
) -> tuple[tuple[Cell, ...], ...]:
    """A line for each of the systems *names*, by the title there."""
    return tuple(
        (title, *_means(systems[name], NODES_WORDS), _seconds(systems[name]))
        for name, title in names.items()
        if name in systems
    )


def _lcs_by_set(
    systems: Mapping[str, Sequence[Row]], names: Iterable[str]
) -> PaperTable:
    """Table 5 of Alarte and Silva."""
    sets = list(dict.fromkeys(r.set for own in systems.values() for r in own))
    lines = []
    for name in names:
        if name in systems:
            groups = _groups(systems[name], _set)
            parts = [_means(groups.get(key, []), LCS[:3]) for key in sets]
            mean = tuple(_fmean(column) for column in zip(*parts, strict=True))
            lines.append((name, *(v for part in (*parts, mean) for v in part)))
    titles = (f"{key} {m}" for key in (*sets, AVERAGE) for m in ("P", "R", "F1"))
    title = "Longest common subsequence"
    return PaperTable("table-5", title, ("Algorithm", *titles), tuple(lines))


def _accuracy(systems: Mapping[str, Sequence[Row]], names: Iterable[str]) -> PaperTable:
    """Table 6 of Alarte and Silva, over all text blocks."""
    lines = tuple(
        (name, *_pooled(systems[name]), _seconds(systems[name]))
        for name in names
        if name in systems
    )
    head = ("Method", "Accuracy", "Precision", "Recall", "F1", "Runtime s")
    return PaperTable("table-6", "Text blocks", head, lines)


def _page(row: Row) -> str:
    return f"{row.set} {row.page}"


def _set(row: Row) -> str:
    return row.set


def _site(row: Row) -> str:
    return site_of(row.url)


def _algorithm(row: Row) -> str:
    return row.algorithm


def _groups(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _common(rows: Sequence[Row]) -> list[Row]:
    """The rows of the pages that every algorithm was measured on."""
    n = len(_groups(rows, _algorithm))
    pages = _groups(rows, _page)
    return [row for row in rows if len(pages[_page(row)]) == n]


def _mean(rows: Sequence[Row], measure: str) -> float | None:
    return _fmean([row.measures.get(measure) for row in rows])


def _fmean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _means(rows: Sequence[Row], measures: Sequence[str]) -> tuple[float | None, ...]:
    return tuple(_mean(rows, measure) for measure in measures)


def _seconds(rows: Sequence[Row]) -> float | None:
    return _fmean([row.seconds for row in rows if not row.error])


def _sum(rows: Iterable[Row], measure: str) -> int:
    return sum(int(row.measures.get(measure, 0)) for row in rows)


def _pooled(rows: Sequence[Row]) -> tuple[float, float, float, float]:
    """Accuracy, precision, recall and F1 of the main class over all blocks."""
    names = ("total", "common", "predicted", "gold")
    total, common, predicted, gold = (_sum(rows, f"blocks_{x}") for x in names)
    right = total - predicted - gold + 2 * common
    return (
        right / max(total, 1),
        common / max(predicted, 1),
        common / max(gold, 1),
        2 * common / max(predicted + gold, 1),
    )


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
        _alarte,
        "Table 4 has systems that compare the pages of a site, which are not built. "
        "CEHTD-DS, CRF, Unfluff and Web2Text are not built either.",
    ),
}


def paper_tables(name: str, rows: Iterable[Row]) -> list[PaperTable]:
    """The tables of the paper *name* for the *rows* of pages that could be read."""
    read = [row for row in rows if not row.error.startswith(NOT_READ)]
    return PAPERS[name].tables(read)


__all__ = ["PAPERS", "Paper", "PaperTable", "paper_tables"]
