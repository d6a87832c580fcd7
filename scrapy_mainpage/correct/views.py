"""The correcting page as HTML: the report's view of a page, and what may be done there.

The page's own markup is not in it: blocks are text in elements of the report.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..extraction.labels import LABELS
from ..report.annotated_page import annotate, choose_window, group_of
from ..report.page_report import find_direction, make_environment, make_style
from .correction import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..extraction.document.document import Document
    from .correction import PageToCorrect
    from .rule_proposals import RuleProposal


def show_page(pages: Sequence[PageToCorrect], number: int) -> str:
    """The page of that *number*, from 0, with its blocks and tools."""
    page = pages[number]
    content = page.content
    window = choose_window(content.document, content.main)
    return _render(
        "page.html",
        page=page,
        number=number,
        n_pages=len(pages),
        n_saved=count_saved(pages),
        direction=find_direction(content),
        window=window,
        panes={"parts": annotate(content, window)},
        state=json.dumps(_state(page)),
        kinds=[label for label in LABELS if label.is_main],
        roles=[label for label in LABELS if not label.is_main],
        fields=FIELDS,
    )


def show_overview(
    pages: Sequence[PageToCorrect], folder: str, sites: Sequence[str]
) -> str:
    """The list of all pages, and what to do with those that are saved in *folder*.

    *sites* are those that rules can be proposed for.
    """
    saved = count_saved(pages)
    return _render(
        "overview.html", pages=pages, n_saved=saved, folder=folder, sites=sites
    )


def show_rules(site: str, proposal: RuleProposal | None, problem: str = "") -> str:
    """The proposed rules of a site, and what they do; or the *problem*."""
    return _render("rules.html", site=site, proposal=proposal, problem=problem)


def count_saved(pages: Sequence[PageToCorrect]) -> int:
    """How many of the pages are corrected and saved."""
    return sum(page.correction is not None for page in pages)


@cache
def read_style() -> str:
    """The style sheet: the report's, then that of the tools."""
    return make_style() + _read("correct.css")


@cache
def read_script() -> str:
    """The script of the correcting page."""
    return _read("correct.js")


def _read(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def _render(template: str, **values: Any) -> str:
    assert __package__ is not None
    return make_environment(__package__).get_template(template).render(values)


def _state(page: PageToCorrect) -> dict[str, Any]:
    """What the script knows of the page: a value per block, and what is saved."""
    content, known = page.content, page.correction
    main = content.main if known is None else known.main
    labels = [content.label(block) for block in range(len(main))]
    own = known.labels if known else {}
    return {
        "main": main.astype(int).tolist(),
        "before": content.main.astype(int).tolist(),
        "labels": [LABELS.index(label) for label in labels],
        "names": [label.value for label in LABELS],
        "kinds": [label.value for label in LABELS if label.is_main],
        "groups": {label.value: group_of(label) for label in LABELS},
        "alike": [*number_alike(content.document)],
        "own": {block: label.value for block, label in own.items()},
        "fields": known.fields if known else {},
        "saved": known is not None,
    }


def number_alike(document: Document) -> Iterator[int]:
    """A number per block, the same for blocks of one path of tags and classes."""
    known: dict[tuple[int, str, str], int] = {}
    paths: list[int] = []
    for element, above in enumerate(document.elements.parent.tolist()):
        classes = document.attribute(element, "class") or ""
        step = (
            paths[above] if above >= 0 else -1,
            document.tag_name(element),
            " ".join(sorted(classes.split())),
        )
        paths.append(known.setdefault(step, len(known)))
    for element in document.blocks.element.tolist():
        yield paths[element]
