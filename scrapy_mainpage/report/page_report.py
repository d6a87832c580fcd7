"""The visual report of a page: one HTML file, safe to open, with nothing to load.

It shows the page with its text blocks coloured by label beside the extracted text, and
each algorithm's view of the page. The page's own markup is not in it, and its content
security policy allows no script, no style but its own, and no address at all.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..extraction.algorithms import available, get_algorithm
from ..extraction.labels import LABELS
from ..extraction.output.writers import write_html
from ..extraction.result import Extraction
from .annotated_page import (
    GROUPS,
    MAX_BLOCKS,
    MAX_COST,
    annotate,
    block_costs,
    choose_window,
    group_of,
)
from .figures import draw_figures, has_figures
from .figures.charts import draw_strips
from .figures.drawing import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    from jinja2 import Environment

    from ..extraction.algorithms import Algorithm
    from ..extraction.document.layout import Layout
    from ..page import Page

MAX_SUPPLEMENTS: Final = 20
"""Places outside of the page's text whose content is shown."""

MAX_TEXT: Final = 400_000
"""Characters of the plain text that are shown."""

# An image as our own writer writes it: its values are escaped.
_IMAGE = re.compile(r'<img src="[^"]*" alt="([^"]*)"(?: title="[^"]*")?>')


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
    figures of the algorithms that need one are left out, and the report says so.
    *algorithm* is the one that made the page, where its options are not the defaults.
    Time and size are bounded by the page's: of large pages a part is drawn, and the
    report says which. Raises :exc:`ReportUnavailable` without Jinja2.
    """
    template = _environment().get_template("report.html")
    content, style, panes = page._extraction, _style(), None
    if isinstance(content, Extraction):
        panes = _panes(page, content) | _figures(page, content, layout, algorithm)
    return template.render(
        page=page,
        title=page.title or page.url or "a page",
        digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        style=_Markup(style),
        cards=_cards(page),
        metadata=[
            (name.replace("_", " "), value)
            for name, value in page.metadata.as_dict().items()
            if value
        ],
        panes=panes,
    )


def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise ReportUnavailable(
            "the visual report needs Jinja2: pip install 'scrapy-mainpage[report]'"
        ) from None
    environment = Environment(
        loader=PackageLoader(__package__),
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
def _style() -> str:
    """The style sheet, with the colours of the labels and of the scores."""
    rules = files(__package__).joinpath("templates", "report.css").read_text("utf-8")
    for name, bar, back in GROUPS:
        rules += f".g-{name} {{ border-left-color: {bar}; background: {back}; }}\n"
    for step, grey in enumerate(np.linspace(245, 30, 11).astype(int).tolist()):
        rules += f".s{step} {{ border-right-color: rgb({grey} {grey} {grey}); }}\n"
    return rules


def _cards(page: Page) -> Iterator[tuple[str, str]]:
    """The figures at the top: values and names."""
    content, blocks, main = page._extraction, 0, 0
    if isinstance(content, Extraction):
        blocks, main = content.document.n_blocks, int(content.main.sum())
    yield f"{page.words:,}", f"words kept ({page.main_share:.0%})"
    yield f"{page.words_total - page.words:,}", "words dropped"
    yield f"{main:,} of {blocks:,}", "text blocks are main content"
    yield page.algorithm or "none", "algorithm"
    confidence = page.confidence
    predicted = "not predicted" if confidence is None else f"{confidence:.2f}"
    yield predicted, "confidence (predicted F1)"
    yield page.page_type or "not predicted", "page type"
    yield ", ".join(page.sources) or "none", "sources of the main content"
    if page.render_reason is not None:
        done = "rendered" if page.rendered else "not rendered"
        yield page.render_reason, f"why it was {done} by a browser"


def _panes(page: Page, content: Extraction) -> dict[str, Any]:
    """The page and the extracted text, side by side."""
    window = choose_window(content.document, content.main)
    shown = select_shown(content)
    text = page.text[:MAX_TEXT]
    if missing := len(page.text) - len(text):
        text += f"\n\n… {missing:,} more characters are left out here."
    hidden = int(content.main.sum() - shown.sum())
    return {
        "legend": [*_legend(content)],
        "window": window,
        "parts": annotate(content, window),
        "extracted": [*_extracted(content, shown)],
        "hidden_blocks": f"{hidden:,}" if hidden else "",
        "text": text,
    }


def _legend(content: Extraction) -> Iterator[dict[str, Any]]:
    """The labels of the page in the order of their groups, with blocks and words."""
    blocks = np.bincount(content.labels, minlength=len(LABELS))
    words = np.bincount(content.labels, content.document.blocks.words, len(LABELS))
    for group, bar, back in GROUPS:
        for k, label in enumerate(LABELS):
            if blocks[k] and group_of(label) == group:
                text = f"{label.value} ({int(blocks[k]):,}, {int(words[k]):,} words)"
                yield {"fill": back, "bar": bar, "is_main": label.is_main, "text": text}


def _extracted(
    content: Extraction, shown: npt.NDArray[np.bool_]
) -> Iterator[dict[str, str]]:
    """The main content as HTML, then the content from outside of the page's text."""
    if html := write_html(content.document, shown, content.url):
        yield {"source": "", "html": _replace_images(html)}
    for item in content.supplements[:MAX_SUPPLEMENTS]:
        added = item.content
        html = write_html(added.document, select_shown(added), added.url)
        yield {
            "source": item.source,
            "xpath": item.xpath,
            "html": _replace_images(html),
        }


def select_shown(content: Extraction) -> npt.NDArray[np.bool_]:
    """The main blocks that are shown: the first, as many as the bounds allow."""
    blocks = content.document.blocks
    # Nothing is shortened here, so that a block counts in full.
    cost = block_costs(content.document) + (blocks.end - blocks.start)
    cost = np.where(content.main, cost, 0)
    few = np.cumsum(content.main) <= MAX_BLOCKS
    return content.main & few & (np.cumsum(cost) <= 2 * MAX_COST)


def _replace_images(html: str) -> _Markup:
    """Put alternative texts in the place of images: nothing is loaded."""

    def box(match: re.Match[str]) -> str:
        about = f"image: {match[1]}" if match[1] else "image"
        return f'<span class="img">{about}</span>'

    return _Markup(_IMAGE.sub(box, html))


def _figures(
    page: Page, content: Extraction, layout: Layout | None, own: Algorithm | None
) -> dict[str, Any]:
    """The views of the algorithms; *own* in the place of the one of its name."""
    document = content.document
    algorithms = {name: get_algorithm(name) for name in available()}
    if own is not None:
        algorithms[own.name] = own
    usable = [
        a for a in algorithms.values() if layout is not None or not a.needs_layout
    ]
    masks = [(page.algorithm, content.main)]
    masks += [
        (algorithm.name, algorithm.judge(document, layout).main)
        for algorithm in usable
        if algorithm.name != page.algorithm
    ]
    return {
        "strips": draw_strips(masks, document.blocks.words, page.algorithm),
        "without_layout": [a.name for a in algorithms.values() if a not in usable],
        "drawn": [
            (algorithm, draw_figures(document, algorithm, layout))
            for algorithm in usable
            if has_figures(algorithm)
        ],
    }
