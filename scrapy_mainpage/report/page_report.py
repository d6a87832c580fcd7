"""The visual report of a page: one HTML file, safe to open, with nothing to load.

It shows the page with its text blocks coloured by label beside the extracted text, and
each algorithm's view of the page. The page's own markup is not in it, and its content
security policy allows one script and one style, by their hashes, and no address at all.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from unicodedata import bidirectional

import numpy as np

from ..extraction.algorithms import available, get_algorithm
from ..extraction.labels import LABELS
from ..extraction.learned.learned import Learned
from ..extraction.result import Extraction
from .annotated_page import GROUPS, annotate, choose_window, group_of
from .charts import draw_probabilities, draw_strips
from .drawing import clean
from .panes import find_dropped_blocks, select_shown, write_anchored, write_plain
from .wording import describe_origin, explain_warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment

    from ..extraction.algorithms import Algorithm
    from ..extraction.document.layout import Layout
    from ..extraction.document.schema import Mask
    from ..page import Page

MAX_SUPPLEMENTS: Final = 20
"""Places outside of the page's text whose content is shown."""

MAX_TEXT: Final = 400_000
"""Characters of the plain text that are shown."""

MAX_DIRECTION_BYTES: Final = 20_000
"""Bytes of the text that decide whether the page is written from right to left."""


class ReportUnavailable(RuntimeError):
    """Jinja2, which the report is made with, is not installed."""


def write_report(
    page: Page,
    *,
    layout: Layout | None = None,
    algorithm: Algorithm | None = None,
) -> str:
    """The report of *page* as an HTML document.

    *layout* is where a browser put the elements of the page's document; without it the
    algorithms that need one are left out, and the report says so.
    *algorithm* is the one that made the page, where its options are not the defaults.
    Time and size are bounded by the page's: of large pages a part is drawn, and the
    report says which. Raises :exc:`ReportUnavailable` without Jinja2.
    """
    template = make_environment().get_template("report.html")
    content, style, script = page._extraction, make_style(), read_template("panes.js")
    panes = None
    if isinstance(content, Extraction):
        panes = _panes(page, content) | _figures(page, content, layout, algorithm)
    return template.render(
        page=page,
        title=page.title or page.url or "a page",
        style_digest=digest(style),
        style=_Markup(style),
        script_digest=digest(script),
        script=_Markup(script),
        cards=_cards(page),
        origin=describe_origin(page),
        warnings=[explain_warning(code) for code in page.warnings],
        metadata=[
            (name.replace("_", " "), value)
            for name, value in page.metadata.as_dict().items()
            if value
        ],
        panes=panes,
    )


@cache
def make_environment(*packages: str) -> Environment:
    """The templates of *packages* and of the report, which escape what they insert.

    One for all reports of a process: Jinja2 keeps the templates it has compiled.
    """
    try:
        from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise ReportUnavailable(
            "the visual report needs Jinja2: pip install 'scrapy-mainpage[report]'"
        ) from None
    environment = Environment(
        loader=ChoiceLoader([*map(PackageLoader, (*packages, __package__))]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clean"] = clean
    return environment


class _Markup(str):
    """Text that the templates insert as it is."""

    def __html__(self) -> str:
        return self


@cache
def read_template(name: str) -> str:
    """The text of a file among the templates of the report."""
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def digest(text: str) -> str:
    """The SHA-256 hash by which a content security policy allows *text*."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def make_style() -> str:
    """The style sheet, with the colours of the labels and of the scores."""
    rules = read_template("report.css")
    for name, bar, back in GROUPS:
        rules += f".g-{name} {{ --bar: {bar}; --back: {back}; }}\n"
    for step in range(11):
        rules += f".s{step} {{ --score: {step * 9 + 4}%; }}\n"
    return rules


def _cards(page: Page) -> Iterator[tuple[str, str]]:
    """The figures at the top: values and names."""
    content, blocks, main = page._extraction, 0, 0
    if isinstance(content, Extraction):
        blocks, main = content.document.n_blocks, int(content.main.sum())
    yield f"{page.words:,}", f"words kept ({page.main_share:.0%})"
    yield f"{page.words_total - page.words:,}", "words dropped"
    confidence = page.confidence
    predicted = "not predicted" if confidence is None else f"{confidence:.2f}"
    yield predicted, "confidence (predicted F1)"
    yield f"{main:,} of {blocks:,}", "text blocks kept"


def _panes(page: Page, content: Extraction) -> dict[str, Any]:
    """The page and the extracted text, side by side."""
    window = choose_window(content.document, content.main)
    shown = select_shown(content)
    extracted, anchored = _extracted(content, shown)
    text = page.text[:MAX_TEXT]
    if missing := len(page.text) - len(text):
        text += f"\n\n… {missing:,} more characters are left out here."
    hidden = int(content.main.sum() - shown.sum())
    left_out, unlisted = find_dropped_blocks(content, window)
    first = int(np.argmax(content.main)) if content.main.any() else -1
    return {
        "legend": [*_legend(content)],
        "direction": find_direction(content),
        "window": window,
        "parts": annotate(content, window, anchored),
        "first": first if window.start <= first < window.end else None,
        "extracted": extracted,
        "left_out": left_out,
        "unlisted": unlisted,
        "hidden_blocks": f"{hidden:,}" if hidden else "",
        "text": text,
    }


def find_direction(content: Extraction) -> str:
    """The direction of most letters at the start of the page: ``rtl`` or ``ltr``."""
    letters = content.document.text[:MAX_DIRECTION_BYTES].decode("utf-8", "ignore")
    kinds = [bidirectional(letter) for letter in letters]
    to_left = kinds.count("R") + kinds.count("AL")
    return "rtl" if to_left > kinds.count("L") else "ltr"


def _legend(content: Extraction) -> Iterator[dict[str, Any]]:
    """The labels of the page in the order of their groups, with blocks and words."""
    blocks = np.bincount(content.labels, minlength=len(LABELS))
    words = np.bincount(content.labels, content.document.blocks.words, len(LABELS))
    for group, _, _ in GROUPS:
        for k, label in enumerate(LABELS):
            if blocks[k] and group_of(label) == group:
                text = f"{label.value} ({int(blocks[k]):,}, {int(words[k]):,} words)"
                yield {"group": group, "text": text}


def _extracted(
    content: Extraction, shown: Mask
) -> tuple[list[dict[str, str]], set[int]]:
    """The main content and that from outside of the text as HTML; anchored blocks."""
    html, anchored = write_anchored(content, shown)
    parts = [{"source": "", "html": _Markup(html)}] if html else []
    for item in content.supplements[:MAX_SUPPLEMENTS]:
        added = write_plain(item.content, select_shown(item.content))
        parts.append(
            {"source": item.source, "xpath": item.xpath, "html": _Markup(added)}
        )
    return parts, anchored


def _figures(
    page: Page, content: Extraction, layout: Layout | None, own: Algorithm | None
) -> dict[str, Any]:
    """What each algorithm takes, and the figure of ``learned``, with *own* options."""
    document = content.document
    algorithms = [get_algorithm(name) for name in available()]
    missing = [a.name for a in algorithms if a.needs_layout and layout is None]
    masks = [(page.algorithm, content.main)]
    masks += [
        (algorithm.name, algorithm.judge(document, layout).main)
        for algorithm in algorithms
        if algorithm.name not in (page.algorithm, *missing)
    ]
    learned = own if isinstance(own, Learned) else Learned()
    return {
        "strips": draw_strips(masks, document.blocks.words, page.algorithm),
        "without_layout": missing,
        "is_learned": page.algorithm == learned.name,
        "probabilities": draw_probabilities(document, learned, layout),
    }
