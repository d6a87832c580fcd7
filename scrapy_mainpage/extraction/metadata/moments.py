"""Candidates for the dates of a page in what it shows.

A candidate is a date in a short text block around the title or the long texts, or that
of a ``time`` element anywhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..declared.meta import attributes_by_element
from ..document.schema import Context
from ..document.site_frame import is_site_frame
from .candidates import (
    MAX_LINE_CHARACTERS,
    Candidate,
    Markup,
    Places,
    block_features,
    crossed,
    grouped,
    label_above,
)
from .dates import clock_in, dates_in, is_iso_date

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

MIN_SENTENCE_CHARACTERS: Final = 60
_SENTENCE_ENDS: Final = (".", "!", "?", "。", "！", "？")
MAX_TIMES: Final = 30
MAX_CANDIDATES: Final = 60
MAX_CONTEXT_CHARACTERS: Final = 60
MAX_SENTENCE_CHARACTERS: Final = 400
MAX_RUNS: Final = 16

_MODIFIED: Final = re.compile(
    r"updated?\b|modified|edited|revised|last (?:change|review)|aktualisiert|geändert"
    r"|bearbeitet|letzte änderung|stand:|mis à jour|modifié|actualizad|aggiornat"
    r"|atualizad|bijgewerkt|gewijzigd|aktualizac|обновлен|изменен|oppdatert|uppdaterad"
    r"|opdateret|päivitetty|güncelle|ενημέρωση|最終更新|更新|修改|수정",
)
_POSTED: Final = re.compile(
    "publish|posted|written|released|filed|veröffentlicht|erstellt|geschrieben|gepostet"
    "|publié|publicad|pubblicat|gepubliceerd|opublik|dodan|опубликован|создан|добавлен"
    "|δημοσ|发[布表稿]|發[佈布表]|刊登|公開|掲載|投稿"
)
_SOURCE: Final = re.compile(
    r"[0-9: ]{0,12}\W{0,4}(?:文章)?(?:[来來]源|作者|出[处處]|阅读|閱讀|浏览|瀏覽"
    r"|点击|發表|发表|by\b|von\b|\|)",
)
_GROUPS: Final = grouped(
    ("published", "publi|entry-?date|pub-?date|post-?date|date-?posted|created|posted"),
    ("modified", "updat|modif|revis"),
    ("date", "date|time(?!line)|datum|fecha"),
    ("byline", "byline|meta|info|author|header|head"),
    ("foreign", "comment|related|teaser|sidebar|widget|copyright|recent|latest|popular"
     "|card|list|item|footer|weather|event|calendar|profile|user"),
)  # fmt: skip
_CROSSED: Final = (
    "time", "opens", "told", "said:", "class:published", "class:modified", "class:date",
    "class:foreign", "days:", "near:", "frame", "short", "text:",
)  # fmt: skip


class _Day(NamedTuple):
    text: str
    block: int
    element: int
    before: str
    behind: str = ""
    is_time: bool = False
    is_sentence: bool = False


def find_moments(document: Document, places: Places) -> list[Candidate]:
    """The candidates for a date, in the order of the page."""
    near = places.near(8, 16, text=8, after=8, most=MAX_SENTENCE_CHARACTERS)
    if places.first >= 0 and places.first not in near:
        near.append(places.first)
    found = [*_times(document, near)]
    timed = {day.block for day in found}
    for block in near:
        if block not in timed:
            found += _in_block(document, places, block)
    found = [day for day in found if not _is_foreign(document, places, day)]
    found = sorted(found[:MAX_CANDIDATES], key=lambda day: day.block)
    if not found:
        return []
    markup = Markup(document, _GROUPS, (day.element for day in found))
    keys = [day.text[:10] if is_iso_date(day.text) else day.text for day in found]
    where = [_place(places, day.block) for day in found]
    pairs = zip(keys, where, strict=True)
    count = len({key for key, place in pairs if place.startswith("at:")})
    shared = [_days(len(set(keys))), f"near:{min(count, 3)}"]
    return [
        Candidate(
            day.text,
            day.block,
            int(document.templates[day.element]),
            _features(document, places, markup, day, [
                place, *shared,
                *(["first"] if day is found[0] else []),
            ]),
        )
        for day, key, place in zip(found, keys, where, strict=True)
    ]  # fmt: skip


def _is_sentence(document: Document, block: int) -> bool:
    """Whether a block is running text: a date in it is what it tells of."""
    if document.blocks.chars[block] < MIN_SENTENCE_CHARACTERS:
        return False
    return document.block_text(block).rstrip().endswith(_SENTENCE_ENDS)


def _is_of_page(day: _Day) -> bool:
    """Whether a date in running text begins it, or says when that was published."""
    around = day.before[-MAX_CONTEXT_CHARACTERS:] + day.behind[:MAX_CONTEXT_CHARACTERS]
    return not day.before.strip(" ([") or bool(_POSTED.search(around.lower()))


def _is_foreign(document: Document, places: Places, day: _Day) -> bool:
    """Whether a date is a clock of the frame, in code, or that of a copyright."""
    flags = int(document.elements.flags[day.element])
    is_below = 0 < day.block - places.title <= 4 and places.title >= 0
    is_frame = is_site_frame(flags) and not is_below
    is_code = bool(flags & int(Context.PRE | Context.CODE))
    return is_frame or is_code or "©" in day.before


def _days(count: int) -> str:
    return f"days:{count}" if count < 3 else "days:few" if count < 6 else "days:many"


def _place(places: Places, block: int) -> str:
    if place := places.below_title(block):
        return place
    return "end" if places.last <= block <= places.last + 4 else "far"


def _features(
    document: Document, places: Places, markup: Markup, day: _Day, own: list[str]
) -> tuple[str, ...]:
    place = own[0]
    own.append(places.above_text(day.block))
    own.append("time" if day.is_time else "written")
    if day.is_sentence:
        own.append("opens" if not day.before.strip(" ([") else "told")
    own += block_features(document, day.block, day.element)
    blocks, block = document.blocks, day.block
    if block >= 0 and blocks.linked_words[block] == blocks.words[block]:
        own.append("linked")
    if said := _said(document, day):
        own.append(f"said:{said}")
    if _SOURCE.match(day.behind.lower()):
        own.append("source")
    if clock_in(day.behind) or "T" in day.text:
        own.append("clock")
    for level, _, groups in markup.around(day.element):
        if level < 4:
            own += [f"class:{group}:{0 if level < 2 else 2}" for group in groups]
    own = [*dict.fromkeys(own)]
    return (*own, *crossed(own, place, _CROSSED))


def _said(document: Document, day: _Day) -> str:
    """What the words before a date say that it is of."""
    said = label_above(document, day.block) + day.before
    said = said[-MAX_CONTEXT_CHARACTERS:].lower()
    if _MODIFIED.search(said):
        return "modified"
    if _POSTED.search(said):
        return "published"
    return "" if day.before.strip() else "nothing"


def _times(document: Document, near: list[int]) -> Iterator[_Day]:
    """The dates of ``time`` elements, and of an ``abbr`` whose title is one.

    Those in *near* blocks come first: a long menu may have many others.
    """
    wanted = np.zeros(document.n_elements, bool)
    is_near = np.zeros(document.n_blocks + 1, bool)
    is_near[near] = True
    for tag in ("time", "abbr"):
        tagged = document.elements_with_tag(tag)
        first = document.elements.first_block[tagged]
        wanted[tagged[is_near[first]][:MAX_TIMES]] = True
        wanted[tagged[:MAX_TIMES]] = True
    if not wanted.any():
        return
    runs = document.runs
    for element, values in attributes_by_element(
        document, wanted, "datetime title"
    ).items():
        title = values.get("title", "")
        moment = values.get("datetime") or (is_iso_date(title) and title)
        run = int(document.elements.first_run[element])
        has_text = run < int(document.elements.end_run[element])
        block = int(runs.block[run]) if has_text else -1
        if not moment:
            continue
        if block < 0:  # it is empty, or a picture outside of all texts
            yield _Day(moment.strip(), -1, element, "", is_time=True)
            continue
        text = document.text[document.blocks.start[block] : runs.start[run]]
        before = text.decode("utf-8", "replace")[-MAX_CONTEXT_CHARACTERS:]
        yield _Day(moment.strip(), block, element, before, is_time=True)


def _in_block(document: Document, places: Places, block: int) -> Iterator[_Day]:
    """The dates of a block; of running text those that it is likely to be of."""
    if document.blocks.chars.item(block) > MAX_LINE_CHARACTERS:
        is_sentence, text = True, document.block_text(block)[:MAX_SENTENCE_CHARACTERS]
        days = dates_in(text)
    elif days := places.days(block):
        is_sentence, text = _is_sentence(document, block), document.block_text(block)
    else:
        return
    last = 0
    for place, day in days:
        end = place + len(day)
        clock = clock_in(text[end:])
        whole = day + (text[end : end + clock.end()] if clock else "")
        element = _element_of(document, block, day)
        found = _Day(whole, block, element, text[last:place], text[end:])
        if not is_sentence or _is_of_page(found):
            yield found._replace(is_sentence=is_sentence)
        last = end


def _element_of(document: Document, block: int, day: str) -> int:
    """The innermost element of the beginning of a date."""
    runs, blocks = document.runs, document.blocks
    wanted = day[:8].encode()
    first, end = int(blocks.first_run[block]), int(blocks.end_run[block])
    for run in range(first, min(end, first + MAX_RUNS)):
        text = document.text[runs.start[run] : runs.end[run]]
        if runs.kind[run] == 0 and wanted in text:
            return int(runs.element[run])
    return int(blocks.element[block])
