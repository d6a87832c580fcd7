"""Dates in the text of a page: ``time`` elements, classes, lines below the title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.site_frame import is_site_frame
from ..document.tags import CODES
from .dates import dates_in, is_iso_date
from .declarations import attributes_by_element
from .plaintext import (
    MAX_LINE_BLOCKS,
    blocks_below,
    element_text,
    short_line,
    title_block,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

    Time = tuple[int, str, str]

_PUBLISHED: Final = re.compile(
    r"publish|entry-date|pubdate|post-?date|date-?posted", re.IGNORECASE
)
_MODIFIED: Final = re.compile(r"updated|modified", re.IGNORECASE)
_FOREIGN: Final = re.compile(
    r"comment|related|teaser|sidebar|widget|copyright", re.IGNORECASE
)
_DATE_CLASSES: Final = frozenset(
    "date dateline published publishdate pubdate post-date entry-date article-date "
    "publish-date publication-date date-published".split()
)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|_+")
_MODIFIED_WORDS: Final = re.compile(
    r"updated?\b|modified|edited|revised|aktualisiert|geändert|bearbeitet|mis à jour|"
    r"modifié|actualizad|aggiornat|atualizad|bijgewerkt|aktualizac|обновлен|изменен|"
    r"最終更新|更新",
    re.IGNORECASE,
)
_OTHER_WORDS: Final = re.compile(
    r"join|since|member|regist|founded|born|copyright|©|until|expire|ship|deliver",
    re.IGNORECASE,
)
MAX_CONTEXT_CHARACTERS: Final = 60

MAX_DATE_BLOCKS: Final = 3
"""Text blocks from the title to a date of a class."""

MAX_OTHER_BLOCKS: Final = 12
"""Another line with a date, so near, is one of a list."""

MAX_DATED_LINES: Final = 2
"""More lines with dates below a title are those of other pages."""

# Before a date, and behind it: lines of old pages in Chinese, Japanese and Korean.
_PUBLISHED_WORDS: Final = re.compile(
    r"(?:发[布表稿]|發[佈布表]|刊登|公開|掲載|投稿|日期|时间|時間|등록|입력|작성)[^0-9]{0,6}$"
)
_SOURCE_WORDS: Final = re.compile(
    r"[0-9: ]{0,12}(?:更新)?\W{0,4}(?:文章)?(?:[来來]源|作者|出[处處]"
    r"|阅读|閱讀|浏览|瀏覽|点击|發表|发表)"
)

MAX_LABELLED_BLOCKS: Final = 30
"""Text blocks from the title, or the beginning, to a line that says when."""

BEFORE_TITLE: Final = 6
BEFORE_TEXT: Final = 8
"""Text blocks above the title, and above the first long text, with the only day."""

MIN_LONG_WORDS: Final = 25
"""Words outside of links of the first long text."""

MAX_LABEL_CHARACTERS: Final = 24
MAX_CLASS_LEVELS: Final = 4


def find_time(document: Document, *, modified: bool) -> str | None:
    """The date of the page's publication, or of its last change if *modified*.

    It is that of the ``time`` elements whose class says so, if they all agree; else of
    the only date on the page or, if there are several, next to the title, as the words
    before it tell.
    """
    times = _times(document)
    pattern = _MODIFIED if modified else _PUBLISHED
    marked = {moment for _, moment, names in times if pattern.search(names)}
    if len(marked) == 1:
        return marked.pop()
    if marked:
        return None
    if len({moment for _, moment, _ in times}) > 1:
        times = _times_at_title(document, times)
    else:
        times = times[:1]
    said = {
        moment
        for element, moment, names in times
        if bool(_MODIFIED_WORDS.search(f"{names} {_context(document, element)}"))
        == modified
    }
    return said.pop() if len(said) == 1 else None


def _times_at_title(document: Document, times: list[Time]) -> list[Time]:
    """Those within a few blocks of the title; none if two others follow: a list."""
    title, first = title_block(document), document.elements.first_block
    if title < 0:
        return []
    far = [int(first[element]) - title for element, _, _ in times]
    others = [k for k in far if MAX_DATE_BLOCKS < k <= MAX_OTHER_BLOCKS]
    if len(set(others)) > 1:
        return []
    pairs = zip(times, far, strict=True)
    return [each for each, distance in pairs if abs(distance) <= MAX_DATE_BLOCKS]


def _times(document: Document) -> list[Time]:
    """Element, date and class of each ``time`` of the page's own.

    Not those in a comment, a teaser, or the site's frame. Of an ``abbr`` its title, if
    that is a date, as in microformats.
    """
    wanted = np.zeros(document.n_elements, bool)
    wanted[document.elements_with_tag("time")] = True
    wanted[document.elements_with_tag("abbr")] = True
    found = []
    for element, values in attributes_by_element(document, wanted).items():
        title, names = values.get("title", ""), values.get("class", "")
        moment = values.get("datetime") or (is_iso_date(title) and title)
        flags = int(document.elements.flags[element])
        if moment and not _FOREIGN.search(names) and not is_site_frame(flags):
            found.append((element, moment, names))
    return found


def _context(document: Document, element: int) -> str:
    """The text before *element*, as far as its block and a short one before it go."""
    runs = document.runs
    run = int(document.elements.first_run[element])
    if run >= int(document.elements.end_run[element]):
        return ""
    block = int(runs.block[run])
    if block < 0:  # an image outside of all texts
        return ""
    text = document.text[document.blocks.start[block] : runs.end[run]]
    context = text.decode("utf-8", "replace")[-MAX_CONTEXT_CHARACTERS:]
    before = document.block_text(block - 1) if block > 0 else ""
    return f"{before} {context}" if len(before) < MAX_CONTEXT_CHARACTERS else context


def find_written_date(document: Document, *, modified: bool) -> str | None:
    """The text of a date next to the title: one with a class that says so, if it is
    the only one; else one in a short line below the title, if no other line has one.
    """
    title = title_block(document)
    if modified:
        return _date_at_title(document, title, modified=True)
    return (
        _labelled_date(document, title)
        or _date_at_title(document, title, modified=False)
        or _only_date(document, title)
    )


def _date_at_title(document: Document, title: int, *, modified: bool) -> str | None:
    """The date of a class, or of the one line below the title with a date."""
    lines = {
        block: found
        for block in blocks_below(document, title, MAX_OTHER_BLOCKS)
        if (found := _line_dates(document, block, modified=modified))
    }
    if len(lines) > MAX_DATED_LINES:
        return None
    marked = set() if modified or title < 0 else set(_marked_dates(document, title))
    if len(marked) == 1:
        return marked.pop()
    near = blocks_below(document, title, MAX_LINE_BLOCKS)
    said = [found[0] for block, found in lines.items() if block in near]
    # A line further below may say the same day again.
    days = {found[0] for found in lines.values()}
    return said[0] if said and len(days) == 1 else None


def _only_date(document: Document, title: int) -> str | None:
    """The only day in the short lines around the title, else above the first long text.

    Old pages have no classes, and often no heading. A line that says it is of a change,
    and a clock in the site's frame, are none.
    """
    long = np.flatnonzero(
        document.blocks.words - document.blocks.linked_words >= MIN_LONG_WORDS
    )
    if not len(long):
        return None
    first = int(long[0])
    near_title = range(title - BEFORE_TITLE, title + MAX_OTHER_BLOCKS + 1)
    near_text = range(first - BEFORE_TEXT, first + 1)
    for near in (near_title if title >= 0 else (), near_text):
        known = (block for block in near if 0 <= block < document.n_blocks)
        days = [day for block in known for day in _own_days(document, block)]
        if days:
            return days[0] if len(set(days)) == 1 else None
    return None


def _own_days(document: Document, block: int) -> list[str]:
    """The dates of a line outside of the frame that does not say what else they are."""
    said = _label(document, block) + short_line(document, block)
    if is_site_frame(int(document.blocks.flags[block])) or _OTHER_WORDS.search(said):
        return []
    return _line_dates(document, block, modified=False)


def _labelled_date(document: Document, title: int) -> str | None:
    """The date in a short line beside words that say it is that of the publication.

    None if more than two lines have such dates: those are of other pages, or posts.
    """
    first = max(title - MAX_DATE_BLOCKS, 0)
    found = []
    for block in range(first, min(first + MAX_LABELLED_BLOCKS, document.n_blocks)):
        text = short_line(document, block)
        for place, day in dates_in(text):
            before, behind = text[:place], text[place + len(day) :]
            if _PUBLISHED_WORDS.search(before) or _SOURCE_WORDS.match(behind):
                found.append(day)
    return found[0] if 0 < len(found) <= MAX_DATED_LINES else None


def _line_dates(document: Document, block: int, *, modified: bool) -> list[str]:
    """The dates in a short text that is not a heading."""
    text, last, found = short_line(document, block), 0, []
    label = _label(document, block)
    for place, day in dates_in(text):
        if bool(_MODIFIED_WORDS.search(label + text[last:place])) == modified:
            found.append(day)
        last = place + len(day)
    return found


def _label(document: Document, block: int) -> str:
    """The text above a block, if it is so short that it may say what the block is."""
    if not block or document.blocks.chars[block - 1] > MAX_LABEL_CHARACTERS:
        return ""
    return f"{document.block_text(block - 1)} "


def _marked_dates(document: Document, title: int) -> Iterator[str]:
    """The texts near the block *title* whose class or tag says that they are dates."""
    blocks, runs = document.blocks, document.runs
    near = range(max(title - MAX_DATE_BLOCKS, 0), title + MAX_DATE_BLOCKS + 1)
    for block in near[: document.n_blocks - near.start]:
        first, end = int(blocks.first_run[block]), int(blocks.end_run[block])
        seen: set[int] = set()
        for element in runs.element[first : min(end, first + 8)].tolist():
            seen.update(_around(document, element, int(blocks.element[block])))
        marked = [element for element in seen if _is_date(document, element)]
        said = _label(document, block) + document.block_text(block)
        if marked and not _MODIFIED_WORDS.search(said):
            yield from (element_text(document, element) for element in marked)


def _around(document: Document, element: int, last: int) -> Iterator[int]:
    """An element and those around it, up to the element *last* of its block."""
    for _ in range(MAX_CLASS_LEVELS):
        yield element
        if element <= last:
            break
        element = int(document.elements.parent[element])


def _is_date(document: Document, element: int) -> bool:
    if document.elements.tag[element] == CODES["time"]:
        return True
    names = (document.attribute(element, "class") or "").split()
    named = [_CAMEL.sub("-", name).lower() for name in names]
    return any(n in _DATE_CLASSES or n.endswith("-date") for n in named)
