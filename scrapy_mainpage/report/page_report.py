"""The visual report of a page: one HTML file, safe to open, with nothing to load.

It shows the page with its text blocks coloured by label beside the extracted text. The
page's own markup is not in it, and its content security policy allows one style, by its
hash, no script and no address at all.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..extraction.labels import LABELS
from ..extraction.output.writers import write_html
from ..extraction.result import Extraction
from .annotated_page import (
    GROUPS,
    MAX_COST,
    annotate,
    choose_window,
    group_of,
)
from .wording import describe_origin, explain_warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment

    from ..extraction.document.schema import Mask
    from ..page import Page

_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")

# HTML as our own writer writes it: the values of attributes are escaped.
_IMAGE: Final = re.compile(r'<img src="[^"]*" alt="([^"]*)"(?: title="[^"]*")?>')


class ReportUnavailable(RuntimeError):
    """Jinja2, which the report is made with, is not installed."""


def write_report(page: Page) -> str:
    """The report of *page* as an HTML document.

    Of large pages a part is drawn, and the report says which. Raises
    :exc:`ReportUnavailable` without Jinja2.
    """
    template = make_environment().get_template("report.html")
    content, style = page._extraction, make_style()
    metadata = page.metadata.as_dict().items()
    return template.render(
        page=page,
        title=page.title or page.url or "a page",
        digest=digest(style),
        style=style,
        cards=_cards(page),
        origin=describe_origin(page),
        warnings=[explain_warning(code) for code in page.warnings],
        metadata=[(name.replace("_", " "), value) for name, value in metadata if value],
        panes=_panes(content) if isinstance(content, Extraction) else None,
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


def clean(text: str, limit: int | None = None) -> str:
    """*text* without control characters, cut to *limit* characters.

    >>> clean("<b>\\x00bold", 3)
    '<b…'
    """
    text = _CONTROLS.sub("", str(text))
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    return text


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


def _panes(content: Extraction) -> dict[str, Any]:
    """The page and the extracted text, side by side."""
    window = choose_window(content.document, content.main)
    shown = _limit(content)
    return {
        "legend": [*_legend(content)],
        "window": window,
        "parts": annotate(content, window),
        "first": int(np.argmax(content.main)) if content.main.any() else None,
        "extracted": [*_extracted(content, shown)],
        "hidden_blocks": int(content.main.sum() - shown.sum()),
    }


def _legend(content: Extraction) -> Iterator[dict[str, Any]]:
    """The labels of the page in the order of their groups, with blocks and words."""
    blocks = np.bincount(content.labels, minlength=len(LABELS))
    words = np.bincount(content.labels, content.document.blocks.words, len(LABELS))
    for group, _, _ in GROUPS:
        for k, label in enumerate(LABELS):
            if blocks[k] and group_of(label) == group:
                text = f"{label.value} ({int(blocks[k]):,}, {int(words[k]):,} words)"
                yield {"group": group, "text": text}


def _extracted(content: Extraction, shown: Mask) -> Iterator[dict[str, str]]:
    """The main content, then that from outside of the page's text, as HTML."""
    if shown.any():
        yield {"source": "", "html": _write_html(content, shown)}
    for item in content.supplements:
        html = _write_html(item.content, _limit(item.content))
        yield {"source": item.source, "xpath": item.xpath, "html": html}


def _limit(content: Extraction) -> Mask:
    """The main blocks whose HTML is shown: the first, as many as the bounds allow."""
    blocks = content.document.blocks
    sizes = np.where(content.main, blocks.end - blocks.start, 0)
    shown: Mask = content.main & (np.cumsum(sizes) <= MAX_COST)
    return shown


def _write_html(content: Extraction, shown: Mask) -> str:
    """The *shown* blocks as HTML, with alternative texts in the place of images."""
    html = write_html(content.document, shown, content.url, content.posts_at)
    return _IMAGE.sub(_box, html)


def _box(match: re.Match[str]) -> str:
    about = f"image: {match[1]}" if match[1] else "image"
    return f'<span class="img">{about}</span>'
