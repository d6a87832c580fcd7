"""Candidates for the dates of a page in what it shows.

A candidate is a date in a short text block around the title or the long texts, or that
of a ``time`` element anywhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.schema import Context
from ..document.site_frame import is_site_frame
from .candidates import (
    Candidate,
    Markup,
    Places,
    block_features,
    crossed,
    grouped,
    label_above,
)
from .dates import is_iso_date
from .declarations import attributes_by_element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

MIN_SENTENCE_CHARACTERS: Final = 60
_SENTENCE_ENDS: Final = (".", "!", "?", "。", "！", "？")
MAX_TIMES: Final = 30
MAX_CANDIDATES: Final = 60
MAX_CONTEXT_CHARACTERS: Final = 60
MAX_RUNS: Final = 16

_MODIFIED: Final = re.compile(
    r"updated?\b|modified|edited|revised|last (?:change|review)|aktualisiert|geändert"
    r"|bearbeitet|letzte änderung|stand:|mis à jour|modifié|actualizad|aggiornat"
    r"|atualizad|bijgewerkt|gewijzigd|aktualizac|обновлен|изменен|oppdatert|uppdaterad"
    r"|opdateret|päivitetty|güncelle|ενημέρωση|最終更新|更新|修改|수정",
)
_OTHER: Final = re.compile(
    r"join|since|member|regist|founded|born|copyright|©|until|expire|ship|deliver|event"
    r"|deadline|start|end",
)
_PUBLISHED: Final = re.compile(
    r"publish|posted|written|released|filed|veröffentlicht|erstellt|publié|publicad"
    r"|pubblicat|gepubliceerd|opublik|dodan|опубликован|создан|добавлен|δημοσ|\bon\b"
    r"|\bam\b|date|datum|fecha|data|дата|发[布表稿]|發[佈布表]|刊登|公開|掲載|投稿|日期|时间"
    r"|時間|등록|입력|작성",
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
_CLOCK: Final = re.compile(r"^\D{0,6}[0-9]{1,2}[:.h][0-9]{2}")
_CROSSED: Final = (
    "time", "said:", "class:published", "class:modified", "class:date", "class:foreign",
    "days:", "near:", "frame", "short", "text:", "headings:",
)  # fmt: skip


class _Day(NamedTuple):
    text: str
    block: int
    element: int
    before: str
    behind: str = ""
    is_time: bool = False


def find_moments(document: Document, places: Places) -> list[Candidate]:
    """The candidates for a date, in the order of the page."""
    found = [*_times(document)]
    timed = {day.block for day in found}
    for block in places.near(above=8, below=16, text=8, after=4):
        days = places.days(block) if block not in timed else ()
        if days and not _is_sentence(document, block):
            found += _in_block(document, block, days)
    found = [day for day in found if not _is_foreign(document, places, day)]
    found = sorted(found[:MAX_CANDIDATES], key=lambda day: day.block)
    if not found:
        return []
    markup = Markup(document, _GROUPS, (day.element for day in found))
    keys = [day.text[:10] if is_iso_date(day.text) else day.text for day in found]
    where = [_place(places, day.block) for day in found]
    pairs = zip(keys, where, strict=True)
    near = len({key for key, place in pairs if place.startswith("at:")})
    shared = [_days(len(set(keys))), f"near:{min(near, 3)}"]
    return [
        Candidate(
            day.text,
            day.block,
            int(document.templates[day.element]),
            _features(document, places, markup, day, [
                place, *shared,
                *(["again"] if keys.count(key) > 1 else []),
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


def _is_foreign(document: Document, places: Places, day: _Day) -> bool:
    """Whether a date is a clock of the frame, or says that it is of another thing."""
    is_frame = is_site_frame(int(document.elements.flags[day.element]))
    is_below = 0 < day.block - places.title <= 4 and places.title >= 0
    return (is_frame and not is_below) or _said(document, day) == "other"


def _days(count: int) -> str:
    return f"days:{count}" if count < 3 else "days:few" if count < 6 else "days:many"


def _place(places: Places, block: int) -> str:
    if place := places.below_title(block):
        return place
    if places.first - 8 <= block <= places.first + 1:
        return "before-text"
    return "end" if places.last <= block <= places.last + 4 else "far"


def _features(
    document: Document, places: Places, markup: Markup, day: _Day, own: list[str]
) -> tuple[str, ...]:
    place = own[0]
    own += [places.above_text(day.block), places.headings_above(day.block)]
    own.append("time" if day.is_time else "written")
    own += block_features(document, day.block, day.element)
    if int(document.elements.flags[day.element]) & int(Context.QUOTE | Context.CAPTION):
        own.append("inner")
    blocks, block = document.blocks, day.block
    if block >= 0 and blocks.linked_words[block] == blocks.words[block]:
        own.append("linked")
    if said := _said(document, day):
        own.append(f"said:{said}")
    if _SOURCE.match(day.behind.lower()):
        own.append("source")
    if _CLOCK.match(day.behind) or "T" in day.text:
        own.append("clock")
    for level, _, groups in markup.around(day.element):
        if level < 4:
            own += [f"class:{group}:{0 if level < 2 else 2}" for group in groups]
    own = [*dict.fromkeys(own)]
    said = f"said:{said}"
    more = crossed(own, said, ("days:", "time", "class:")) if said in own else []
    return (*own, *crossed(own, place, _CROSSED), *more)


def _said(document: Document, day: _Day) -> str:
    """What the words before a date say that it is of."""
    said = label_above(document, day.block) + day.before
    said = said[-MAX_CONTEXT_CHARACTERS:].lower()
    if _MODIFIED.search(said):
        return "modified"
    if _OTHER.search(said):
        return "other"
    if _PUBLISHED.search(said):
        return "published"
    return "" if day.before.strip() else "nothing"


def _times(document: Document) -> Iterator[_Day]:
    """The dates of ``time`` elements, and of an ``abbr`` whose title is one."""
    wanted = np.zeros(document.n_elements, bool)
    for tag in ("time", "abbr"):
        wanted[document.elements_with_tag(tag)[: 2 * MAX_TIMES]] = True
    if not wanted.any():
        return
    runs, count = document.runs, 0
    for element, values in attributes_by_element(
        document, wanted, "datetime title"
    ).items():
        title = values.get("title", "")
        moment = values.get("datetime") or (is_iso_date(title) and title)
        run = int(document.elements.first_run[element])
        has_text = run < int(document.elements.end_run[element])
        block = int(runs.block[run]) if has_text else -1
        if not moment or count == MAX_TIMES:
            continue
        count += 1
        if block < 0:  # it is empty, or a picture outside of all texts
            yield _Day(moment.strip(), -1, element, "", is_time=True)
            continue
        text = document.text[document.blocks.start[block] : runs.start[run]]
        before = text.decode("utf-8", "replace")[-MAX_CONTEXT_CHARACTERS:]
        yield _Day(moment.strip(), block, element, before, is_time=True)


def _in_block(
    document: Document, block: int, days: list[tuple[int, str]]
) -> Iterator[_Day]:
    text, last = document.block_text(block), 0
    for place, day in days:
        end = place + len(day)
        clock = _CLOCK.match(text[end:])
        whole = day + (clock[0] if clock else "")
        element = _element_of(document, block, day)
        yield _Day(whole, block, element, text[last:place], text[end:])
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
