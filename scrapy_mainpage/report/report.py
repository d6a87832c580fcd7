"""The visual report of a page: one HTML file, safe to open, with nothing to load.

It shows the page with its text blocks coloured by label beside the text that was
extracted, and what each algorithm sees in the page. Nothing of the page's own markup is
in it, and its content security policy allows no script, no style but its own, and no
address at all.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.algorithms import available, get_algorithm
from .annotated import window_of, write_annotated
from .palette import GROUPS
from .pictures.svg import plain
from .reportparts import (
    extracted_pane,
    facts_section,
    legend,
    picture_section,
    title_of,
    verdicts_section,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..extraction.algorithms import Algorithm
    from ..extraction.document.layout import Layout
    from ..extraction.result import Extraction
    from ..page import Page

_CSS_RESOURCE: Final = "report.css"


def write_report(
    page: Page,
    *,
    layout: Layout | None = None,
    algorithm: Algorithm | None = None,
) -> str:
    """The report of *page* as an HTML document.

    *layout* is where a browser put the elements of the page's document; without it
    the pictures of the algorithms that need one are left out, and the report says so.
    *algorithm* is the one that made the page, where its options are not the defaults.
    Time and size are bounded by the page's: of large pages a part is drawn, and the
    report says which.
    """
    content = page._content
    body = [facts_section(page)]
    if content is not None:
        body.append(_panes(page, content))
        body += _algorithms(page, content, layout, algorithm)
    return _document(title_of(page), page.language, body)


def _panes(page: Page, content: Extraction) -> str:
    """The page beside the extracted text."""
    window = window_of(content.document, content.main)
    note = f'<p class="warning">{plain(window.note)}</p>' if window.note else ""
    shown = write_annotated(content, window) or '<p class="muted">No text.</p>'
    lang = _lang(page.language)
    return (
        f"<h2>The page and what was extracted</h2>{legend(content)}"
        '<p class="muted">A solid bar at the left of a block is main content, a dotted '
        "one boilerplate; the bar at the right is darker the higher the score is. Rest "
        f"the pointer on a block for its label and its score.</p>{note}"
        f'<div class="panes"><section class="pane" aria-label="The page"{lang}>'
        f"{shown}</section>{extracted_pane(page, content, lang)}</div>"
    )


def _algorithms(
    page: Page, content: Extraction, layout: Layout | None, own: Algorithm | None
) -> Iterator[str]:
    """What each algorithm sees; *own* in the place of the one of its name."""
    algorithms = {name: get_algorithm(name) for name in available()}
    if own is not None:
        algorithms[own.name] = own
    drawn = [a for a in algorithms.values() if layout is not None or not a.needs_layout]
    names = [a.name for a in algorithms.values() if a not in drawn]
    yield verdicts_section(page, content, drawn, layout, names)
    for algorithm in drawn:
        yield picture_section(content.document, algorithm, layout)


def _document(title: str, language: str | None, body: list[str]) -> str:
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Report: {plain(title, 200)}</title>\n<style>{style}</style>\n"
        "</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    """The style sheet, with the colours of the labels and of the scores."""
    rules = files(__package__).joinpath(_CSS_RESOURCE).read_text("utf-8")
    for name, bar, back in GROUPS:
        rules += f".g-{name} {{ border-left-color: {bar}; background: {back}; }}\n"
    for step, grey in enumerate(np.linspace(245, 30, 11).astype(int).tolist()):
        rules += f".s{step} {{ border-right-color: rgb({grey} {grey} {grey}); }}\n"
    return rules


def _lang(language: str | None) -> str:
    return f' lang="{plain(language, 40)}"' if language else ""


__all__ = ["write_report"]
