"""The parts of the visual report: figures of the page, legends, texts, pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.labels import LABELS
from ..extraction.output.html import write_html
from .annotated import MOST_BLOCKS, MOST_COST, block_costs
from .palette import GROUPS, group_of
from .pictures import Figure, draw_picture, has_picture
from .pictures.strips import draw_strips
from .pictures.svg import Svg, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..extraction.algorithms import Algorithm
    from ..extraction.document.document import Document
    from ..extraction.document.layout import Layout
    from ..extraction.result import Extraction, Supplement
    from ..page import Page

MOST_ADDED: Final = 20
"""Places outside of the page's text whose content is shown."""

MOST_TEXT: Final = 400_000
"""Characters of the plain text that are shown."""

# The form in which our own writer writes an image: its values are escaped.
_IMAGE = re.compile(r'<img src="[^"]*" alt="([^"]*)"(?: title="[^"]*")?>')


def title_of(page: Page) -> str:
    """What the report is called by: the page's title, its URL, or neither."""
    return page.title or page.url or "a page"


# The head


def facts_section(page: Page) -> str:
    """Title, figures, warnings and metadata."""
    url = page.url if page.url and page.url != title_of(page) else ""
    url = f'<p class="url muted">{plain(url, 500)}</p>' if url else ""
    return (
        f"<header><h1><bdi>{plain(title_of(page), 300)}</bdi></h1>{url}"
        f'<div class="cards">{_cards(page)}</div>{_warnings(page)}{_metadata(page)}'
        "</header>"
    )


def _cards(page: Page) -> str:
    dropped = page.words_total - page.words
    confidence = (
        "not predicted" if page.confidence is None else f"{page.confidence:.2f}"
    )
    blocks = 0 if page._content is None else page._content.document.n_blocks
    main = 0 if page._content is None else int(page._content.main.sum())
    cards: tuple[tuple[str, str], ...] = (
        (f"{page.words:,}", f"words kept ({page.main_share:.0%})"),
        (f"{dropped:,}", "words dropped"),
        (f"{main:,} of {blocks:,}", "text blocks are main content"),
        (page.algorithm or "none", "algorithm"),
        (confidence, "confidence (predicted F1)"),
        (page.page_type or "not predicted", "page type"),
        (", ".join(page.sources) or "none", "sources of the main content"),
    )
    if page.render_reason is not None:
        done = "rendered" if page.rendered else "not rendered"
        cards = (*cards, (page.render_reason, f"why it was {done} by a browser"))
    return "".join(
        f'<div class="card"><b>{plain(value)}</b><span>{plain(name)}</span></div>'
        for value, name in cards
    )


def _warnings(page: Page) -> str:
    if not page.warnings:
        return ""
    return f'<p class="warning">Warnings: {plain(", ".join(page.warnings), 500)}</p>'


def _metadata(page: Page) -> str:
    rows = [
        f"<tr><th>{plain(name.replace('_', ' '))}</th>"
        f"<td><bdi>{plain(value, 600)}</bdi></td></tr>"
        for name, value in page.metadata.as_dict().items()
        if value
    ]
    if not rows:
        return '<p class="muted">The page says nothing of itself (no metadata).</p>'
    return (
        "<details open><summary>What the page says of itself</summary>"
        f'<table class="facts">{"".join(rows)}</table></details>'
    )


# The two panes


def legend(content: Extraction) -> str:
    """The labels that the page has, with their blocks and words."""
    blocks = np.bincount(content.labels, minlength=len(LABELS))
    words = np.bincount(content.labels, content.document.blocks.words, len(LABELS))
    found = [label for k, label in enumerate(LABELS) if blocks[k]]
    places = [group for group, _, _ in GROUPS]
    found.sort(key=lambda label: places.index(group_of(label)))
    colours = {name: (bar, back) for name, bar, back in GROUPS}
    items = []
    for label in found:
        bar, back = colours[group_of(label)]
        k = LABELS.index(label)
        text = f"{label.value} ({int(blocks[k]):,}, {int(words[k]):,} words)"
        items.append(f"<li>{_swatch(back, bar, label.is_main)}{plain(text)}</li>")
    return f'<ul class="legend">{"".join(items)}</ul>'


def _swatch(fill: str, bar: str = "", solid: bool = True) -> str:
    svg = Svg(18, 12, "colour")
    svg.rect(0, 0, 18, 12, fill=fill)
    if bar:
        dash = None if solid else "2 2"
        svg.line(2, 0, 2, 12, stroke=bar, stroke_width=4, stroke_dasharray=dash)
    return f'<span class="swatch" aria-hidden="true">{svg}</span>'


def extracted_pane(page: Page, content: Extraction, lang: str) -> str:
    """The main content, rendered and as plain text."""
    shown = shown_main(content)
    html = _without_images(write_html(replace(content, main=shown)))
    html += "".join(map(_added, content.supplements[:MOST_ADDED]))
    rest = int(content.main.sum() - shown.sum())
    note = (
        f"{rest:,} more blocks of the main content are left out here." if rest else ""
    )
    text = page.text[:MOST_TEXT]
    if len(text) < len(page.text):
        missing = len(page.text) - MOST_TEXT
        text += f"\n\n… {missing:,} more characters are left out here."
    empty = '<p class="muted">No main content.</p>'
    return (
        f'<section class="pane" aria-label="What was extracted"{lang}>'
        f'<details open><summary>Main content</summary><div class="text">'
        f"{html or empty}</div>{_warn(note)}</details>"
        f"<details><summary>As plain text</summary>"
        f'<div class="plain">{plain(text) or empty}</div></details></section>'
    )


def _added(item: Supplement) -> str:
    """What was added from outside of the page's text, under a line that says so."""
    added = replace(item.content, main=shown_main(item.content))
    return (
        f'<p class="muted">Added from {plain(item.source)}: '
        f"<code>{plain(item.xpath, 300)}</code></p>"
        f"{_without_images(write_html(added))}"
    )


def shown_main(content: Extraction) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The main blocks that are shown: the first, as many as the bounds allow."""
    blocks = content.document.blocks
    # Nothing is shortened here, so that a block counts in full.
    cost = block_costs(content.document) + (blocks.end - blocks.start)
    cost = np.where(content.main, cost, 0)
    few = np.cumsum(content.main) <= MOST_BLOCKS
    return content.main & few & (np.cumsum(cost) <= 2 * MOST_COST)


def _without_images(html: str) -> str:
    """Alternative texts in the place of images: nothing is loaded."""
    return _IMAGE.sub(_image_box, html)


def _image_box(match: re.Match[str]) -> str:
    about = f"image: {match[1]}" if match[1] else "image"
    return f'<span class="img">{about}</span>'


def _warn(note: str) -> str:
    return f'<p class="warning">{plain(note)}</p>' if note else ""


# Pictures


def verdicts_section(
    page: Page,
    content: Extraction,
    algorithms: Sequence[Algorithm],
    layout: Layout | None,
    without_layout: Sequence[str],
) -> str:
    """A strip for each of the *algorithms*, and which others need a layout."""
    document = content.document
    verdicts = [(page.algorithm, content.main)]
    verdicts += [
        (algorithm.name, algorithm.judge(document, layout).main)
        for algorithm in algorithms
        if algorithm.name != page.algorithm
    ]
    figure = draw_strips(verdicts, document.blocks.words, page.algorithm)
    note = (
        f"{', '.join(without_layout)}: drawn only with the layout of the rendered page."
        if without_layout
        else ""
    )
    return (
        "<h2>What the algorithms see</h2>"
        f"{_figure(figure)}{_notes((note,) if note else ())}"
    )


def picture_section(
    document: Document, algorithm: Algorithm, layout: Layout | None
) -> str:
    """The picture of an algorithm, empty for one without."""
    if not has_picture(algorithm):
        return ""
    picture = draw_picture(document, algorithm, layout)
    figures = "".join(map(_figure, picture.figures))
    if algorithm.needs_layout:
        figures = f'<div class="pair">{figures}</div>'
    return (
        f'<section><h2>{plain(picture.title)}</h2><p class="muted">{algorithm.name}</p>'
        f"{_notes(picture.notes)}{figures}</section>"
    )


def _figure(figure: Figure) -> str:
    items = "".join(
        f"<li>{_swatch(colour)}{plain(name)}</li>" for colour, name in figure.legend
    )
    return (
        f"<figure><figcaption>{plain(figure.caption)}</figcaption>"
        f'<ul class="legend">{items}</ul><div class="scroll">{figure.svg}</div>'
        "</figure>"
    )


def _notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{plain(note, 2000)}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>' if items else ""
