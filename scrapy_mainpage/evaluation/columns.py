"""The measures of a group of pages: their titles, and their columns in tables."""

from __future__ import annotations

from typing import Final, NamedTuple


class Column(NamedTuple):
    """A measure: its title, and what stands above it on the page and in a terminal.

    A measure without *head* or *terminal* is in CSV files only. *of* is the count that
    it is a share of. Of an error the least is the best.
    """

    title: str
    group: str = ""
    head: str = ""
    terminal: str = ""
    of: str = ""
    is_error: bool = False


MEANS: Final = {
    "precision": Column("words: precision", "words", "P", "P"),
    "recall": Column("words: recall", "words", "R", "R"),
    "f1": Column("words: F1", "words", "F1", "F1"),
    "lcs_precision": Column("longest common subsequence: precision"),
    "lcs_recall": Column("longest common subsequence: recall"),
    "lcs_f1": Column("longest common subsequence: F1", "LCS", "F1", "LCS F1"),
    "lcs_f05": Column("longest common subsequence: F0.5", "LCS", "F0.5", "F0.5"),
    "text_nodes_precision": Column("matched text blocks: precision"),
    "text_nodes_recall": Column("matched text blocks: recall"),
    "text_nodes_f1": Column("matched text blocks: F1", "text blocks", "F1", "TEXTS"),
    "text_nodes_f05": Column("matched text blocks: F0.5", "text blocks", "F0.5"),
    "nodes_precision": Column("DOM nodes: precision"),
    "nodes_recall": Column("DOM nodes: recall"),
    "nodes_f1": Column("DOM nodes: F1", "DOM nodes", "F1", "NODES"),
    "zones_precision": Column("words by the label of their block: precision"),
    "zones_recall": Column("words by the label of their block: recall"),
    "zones_f1": Column("words by the label of their block: F1", "block words", "F1"),
}
"""Measures that are averaged over pages."""

_MAIN_CLASS: Final = "main content class of all text blocks"

POOLED: Final = {
    "blocks_precision": Column(f"{_MAIN_CLASS}: precision", "main class", "P"),
    "blocks_recall": Column(f"{_MAIN_CLASS}: recall", "main class", "R"),
    "blocks_f1": Column(f"{_MAIN_CLASS}: F1", "main class", "F1", "BLOCKS"),
    "snippets_with": Column(
        "share of the required snippets that are found", "snippets", "with", "WITH"
    ),
    "snippets_without": Column(
        "share of the forbidden snippets that are absent",
        "snippets",
        "without",
        "W/OUT",
    ),
    "snippets_f1": Column("snippets: F1"),
}
"""Measures of counts that are added up over pages."""


def _parts(name: str, title: str, terminal: str) -> dict[str, Column]:
    share = f"{title}: share"
    return {
        f"{name}_whole": Column(f"{share} whole", title, "whole", terminal, name),
        f"{name}_torn": Column(f"{share} torn", title, "torn", "TORN", name, True),
        f"{name}_gone": Column(f"{share} gone", title, "gone", "GONE", name, True),
    }


STRUCTURE: Final = {
    **_parts("tables", "tables", "TABLES"),
    **_parts("code", "code blocks", "CODE"),
    **_parts("lists", "lists", "LISTS"),
    "headings_kept": Column(
        "headings: share kept", "headings", "kept", "HEADINGS", "headings"
    ),
    "paragraphs_orphaned": Column(
        "text blocks below a heading: share kept without the heading",
        "text", "orphaned", "ORPHANS", "paragraphs", is_error=True,
    ),
    "titles_kept": Column("titles: share kept", "titles", "kept", "TITLES", "titles"),
    "cells_misplaced": Column(
        "cells of Markdown tables: share in the wrong column",
        "cells", "misplaced", "MISPLACED", "cells", is_error=True,
    ),
}  # fmt: skip
"""Shares of counts that are added up over pages, where the main element is known."""

COUNTS: Final = tuple(dict.fromkeys(column.of for column in STRUCTURE.values()))

MEASURES: Final = {
    **MEANS,
    **POOLED,
    **{name: Column(f"{name}: count") for name in COUNTS},
    **STRUCTURE,
}

EXPLANATIONS: Final = {
    "words": (
        "The words of the extracted and of the true text; order does not count. P:"
        " the share of the extracted words that are true. R: the share of the true"
        " words that are extracted. F1: their harmonic mean. Mean of the pages."
    ),
    "LCS": (
        "The longest common subsequence of the words of both texts: order counts."
        " F0.5 gives precision twice the weight of recall."
    ),
    "text blocks": "Extracted and true blocks of text, each with the same weight.",
    "DOM nodes": (
        "The same for all elements; one is main content if all its text blocks are."
    ),
    "block words": "Words, each with the label of its text block.",
    "main class": (
        "The class “main content” over all text blocks of all pages together: a page"
        " with many blocks counts more."
    ),
    "snippets": (
        "with: the share of the required snippets that are in the text; without: the"
        " share of the forbidden ones that are not."
    ),
}
"""What the groups of columns measure, for the page of results."""

TEXT_COLUMNS: Final = {**MEANS, **POOLED}
"""The columns of the tables that every set has."""
STRUCTURE_COLUMNS: Final = {"f1": MEANS["f1"], **STRUCTURE}
"""The columns of the tables of a set with element truth."""
