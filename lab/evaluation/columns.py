"""The columns of the page of results: their titles, heads and groups."""

from __future__ import annotations

from typing import Final, NamedTuple

WRONG: Final = ("torn", "gone", "orphaned", "misplaced")
"""The heads of columns whose least value is the best."""


class Column(NamedTuple):
    """A measure: its title, its group of columns, and what stands above it there."""

    title: str
    group: str
    head: str

    @property
    def is_error(self) -> bool:
        """Whether the least value is the best."""
        return self.head in WRONG


TEXT_COLUMNS: Final = {
    "precision": Column("words: precision", "words", "P"),
    "recall": Column("words: recall", "words", "R"),
    "f1": Column("words: F1", "words", "F1"),
    "lcs_f1": Column("longest common subsequence: F1", "LCS", "F1"),
    "lcs_f05": Column("longest common subsequence: F0.5", "LCS", "F0.5"),
    "text_nodes_f1": Column("matched text blocks: F1", "text blocks", "F1"),
    "text_nodes_f05": Column("matched text blocks: F0.5", "text blocks", "F0.5"),
    "nodes_f1": Column("DOM nodes: F1", "DOM nodes", "F1"),
    "zones_f1": Column("words by the label of their block: F1", "block words", "F1"),
    "blocks_precision": Column("all text blocks: precision", "main class", "P"),
    "blocks_recall": Column("all text blocks: recall", "main class", "R"),
    "blocks_f1": Column("all text blocks: F1", "main class", "F1"),
    "snippets_with": Column("required snippets found", "snippets", "with"),
    "snippets_without": Column("forbidden snippets absent", "snippets", "without"),
}
"""The columns of the tables that every set has; some are of ``lab.papers`` alone."""


def _parts(name: str, title: str) -> dict[str, Column]:
    return {
        f"{name}_{part}": Column(f"{title}: share {part}", title, part)
        for part in ("whole", "torn", "gone")
    }


STRUCTURE: Final = {
    **_parts("tables", "tables"),
    **_parts("code", "code blocks"),
    **_parts("lists", "lists"),
    "headings_kept": Column("headings: share kept", "headings", "kept"),
    "paragraphs_orphaned": Column(
        "text blocks below a heading: share kept without the heading",
        "text",
        "orphaned",
    ),
    "titles_kept": Column("titles: share kept", "titles", "kept"),
    "cells_misplaced": Column(
        "cells of Markdown tables: share in the wrong column", "cells", "misplaced"
    ),
}

STRUCTURE_COLUMNS: Final = {"f1": TEXT_COLUMNS["f1"], **STRUCTURE}
"""The columns of the tables of a set with element truth."""

COLUMNS: Final = {**TEXT_COLUMNS, **STRUCTURE}

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
