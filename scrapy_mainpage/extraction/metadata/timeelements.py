"""The page's date from its ``time`` elements, where they leave no doubt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from .declarations import attributes_by_element

if TYPE_CHECKING:
    from ..document.document import Document

_PUBLISHED = re.compile(
    r"publish|entry-date|pubdate|post-?date|date-?posted", re.IGNORECASE
)
_MODIFIED = re.compile(r"updated|modified", re.IGNORECASE)
_FOREIGN = re.compile(r"comment|related|teaser|sidebar|widget|copyright", re.IGNORECASE)
_MODIFIED_WORDS = re.compile(
    r"updated?\b|modified|edited|revised|aktualisiert|geändert|bearbeitet|mis à jour|"
    r"modifié|actualizad|aggiornat|atualizad|bijgewerkt|aktualizac|обновлен|изменен|"
    r"最終更新|更新",
    re.IGNORECASE,
)
_CONTEXT = 60


def find_time(document: Document, *, modified: bool) -> str | None:
    """The date of the page's publication, or of its last change if *modified*.

    It is that of the elements whose class says so, if they all agree; else of the only
    date on the page, as the words before it tell.
    """
    times = _times(document)
    pattern = _MODIFIED if modified else _PUBLISHED
    marked = {moment for _, moment, names in times if pattern.search(names)}
    if len(marked) == 1:
        return marked.pop()
    if marked or len({moment for _, moment, _ in times}) != 1:
        return None
    element, moment, names = times[0]
    said = _MODIFIED_WORDS.search(f"{names} {_context(document, element)}")
    return moment if bool(said) == modified else None


def _times(document: Document) -> list[tuple[int, str, str]]:
    """Element, date and class of each ``time`` not in a comment or a teaser."""
    wanted = np.zeros(document.n_elements, bool)
    wanted[document.elements_with_tag("time")] = True
    return [
        (element, values["datetime"], names)
        for element, values in attributes_by_element(document, wanted).items()
        if values.get("datetime")
        and not _FOREIGN.search(names := values.get("class", ""))
    ]


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
    context = text.decode("utf-8", "replace")[-_CONTEXT:]
    before = document.block_text(block - 1) if block > 0 else ""
    return f"{before} {context}" if len(before) < _CONTEXT else context
