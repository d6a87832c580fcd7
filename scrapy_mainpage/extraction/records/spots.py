"""Dates on a page, each with its element: the signs by which posts are found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ...text.language import normalise_language
from ..declared.meta import Values
from ..document.schema import spans_with
from ..metadata.candidates import label_above
from ..metadata.dates import normalise_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.document import Document

MAX_CHARACTERS: Final = 400
MAX_FAILED: Final = 10
"""Texts with a year that cannot be read, after which no more are tried: each takes as
long as the languages that are tried."""

MIN_LABEL: Final = 12
"""Characters before a date; of fewer the line above says what it is."""

MAX_WORDS: Final = 30
"""Words of a text block with a post's date."""

_MONTH: Final = (
    "(?=[adefgjlmnos])"  # which leaves out most places at once
    "(?:jan|ene|gen|feb|f(?:e|é)v|mar|mär|mrz|maa|apr|avr|abr|may|mai|mag|mei|jun|juin|giu"
    r"|jul|juil|lug|aug|ao(?:u|û)|ago|sep|set|oct|okt|ott|out(?!\sof\b)|nov|dec|déc|dez|dic|des)"
)
_YEAR: Final = r"(?:(?:19|20)[0-9]{2}|'?[0-9]{2})(?![0-9]|:[0-9])"
_LONG_YEAR: Final = "(?:19|20)[0-9]{2}(?![0-9]|:[0-9])"
_TIME: Final = r"(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\s?(?:[ap]\.?m\b\.?)?)"
_LETTERS: Final = r"[^\s0-9.,:;<>()]"
_NUMBERED: Final = (
    r"(?:19|20)[0-9]{2}\s?(?:[-/.]|年|년)\s?[0-9]{1,2}\s?(?:[-/.]|月|월)\s?[0-9]{1,2}(?![0-9])",
    rf"(?<![0-9./-])[0-9]{{1,2}}(?:\.|/|-)[0-9]{{1,2}}(?:\.|/|-){_YEAR}",
    rf"(?<![0-9:])[0-9]{{1,2}}(?:st|nd|rd|th|er|º|\.)?[\s-]{{1,2}}(?:de |of )?"
    rf"(?:{_MONTH}{_LETTERS}{{0,9}}\.?,?[\s-](?:del? )?{_YEAR}"
    rf"|{_LETTERS}{{3,12}}\.?,?[\s-](?:del? )?{_LONG_YEAR})",
    rf"(?<![0-9:])[0-9]{{1,2}}(?:st|nd|rd|th|\.)?\s{_MONTH}{_LETTERS}{{0,7}}",
)
# The lookahead spares the tries at signs and within words.
_WITH_MONTH: Final = (
    rf"(?<!{_LETTERS})(?={_LETTERS})(?:"
    rf"{_MONTH}{_LETTERS}{{0,9}}\.?\s[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s{_YEAR}"
    rf"|{_LETTERS}{{3,12}}\.?\s[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s{_LONG_YEAR}"
    rf"|{_MONTH}{_LETTERS}{{0,7}}\.?\s[0-9]{{1,2}}(?:st|nd|rd|th)?(?![0-9:]|[/.-][0-9]))"
)
_AGO: Final = r"\s?(?:second|minute|min|hour|hr|day|week|month|year)s?\sago"
_SAID: Final = (
    rf"(?=[aovihtyg])(?:(?:an?|one){_AGO}"
    r"|vor\s(?:[0-9]+|eine[mrn]?)\s(?:sekunde|minute|stunde|tag|woche|monat|jahr)[a-z]*"
    r"|il y a\s(?:[0-9]+|une?)\s(?:seconde|minute|heure|jour|semaine|mois|an)[a-z]*"
    r"|hace\s(?:[0-9]+|une?a?)\s(?:segundo|minuto|hora|d.{1,2}a|semana|mes|año)[a-z]*"
    r"|(?:today|yesterday|heute|gestern|hier|aujourd'hui|hoy|ayer),?\s"
    rf"(?:at |um |à |a las )?(?={_TIME}))"
)
_DAY: Final = "|".join((*_NUMBERED, rf"[0-9]{{1,6}}{_AGO}", _WITH_MONTH, _SAID))
_AFTER: Final = rf"(?:[\s,-]{{0,4}}(?:(?:at|um|à|a las|kl\.?)\s)?{_TIME})?"
# Of letters in lower case, which is three times as fast as to ignore the case.
_DATE = re.compile(
    rf"(?:(?=[0-9])(?:{_TIME}[\s,]{{0,3}}(?:on\s)?)?(?:{_DAY})"
    rf"|{_WITH_MONTH}|{_SAID}){_AFTER}".encode()
)
_SINCE: Final = (b" ago", b" y a ", b"vor e", b"Vor e", b"hace u", b"Hace u")
_FOREIGN = re.compile(
    r"\bjoin(?:ed|date)?\b|founded|regist(?!\w{0,20}\s(?:user|member))|anmeld|mitglied(?:\s+seit|:)|"
    r"dabei seit|beigetreten|inscri|member since|miembro|birth|"
    r"last (?:edit|visit|seen|active|post|activity|modif|updat)|edited|modified|"
    r"updated|zuletzt|bearbeitet|geändert|modifi[ée]|editado|letzte|since|seit|depuis",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(
    r"(?<![0-9:])([0-9]{1,2})([-./\s])([0-9]{1,2}|[^\W\d_]{3,9})(?:\2|,\s|\s)'?"
    r"([0-9]{2})(?![0-9:.])"
)
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,9}\.?\s[0-9]{1,2}),?\s'([0-9]{2})(?![0-9:])")
_NUMERIC = re.compile(r"(?<![0-9])([0-9]{1,2})[-/]([0-9]{1,2})[-/][0-9]{2,4}(?![0-9])")
_YEARS = re.compile(_LONG_YEAR)
_MACHINE: Final = ("datetime", "content", "title")


def is_date(text: str) -> bool:
    """Whether a text begins with a date."""
    return bool(_DATE.match(text.encode().lower()))


def parts_around_dates(text: str) -> list[str]:
    """The parts of a text around those of its first dates that have a year."""
    parts, end, data = list[bytes](), 0, text.encode()
    for start, stop in _full_dates(data):
        parts.append(data[end:start])
        end = stop
    return [part.decode("utf-8", "replace") for part in (*parts, data[end:])]


def date_in(text: bytes) -> str:
    """The first date with a year in a *text*, or nothing."""
    start, end = next(_full_dates(text), (0, 0))
    return text[start:end].decode("utf-8", "replace")


def _full_dates(text: bytes) -> Iterator[tuple[int, int]]:
    for start, end in _places(text[:MAX_CHARACTERS]):
        day = text[start:end].decode("utf-8", "replace")
        if sum(map(str.isdigit, day)) > len("31"):
            yield start, end


def _places(text: bytes) -> Iterator[tuple[int, int]]:
    """Where dates begin and end in a *text*."""
    return (match.span() for match in _DATE.finditer(text.lower()))


class Spot(NamedTuple):
    """A date: its innermost element, its text block or -1, and how it is written."""

    element: int
    block: int
    text: str
    machine: str | None = None


def find_spots(document: Document) -> list[Spot]:
    """The dates of short texts and of attributes, in document order.

    Without those that say since when somebody is a member, or when a post was edited.
    """
    found = {spot.element: spot for spot in reversed(_written(document))}
    inside = {int(document.elements.parent[element]): element for element in found}
    for element, machine in _machine_dates(document).items():
        run = int(document.elements.first_run[element])
        empty = run >= int(document.elements.end_run[element])
        block = -1 if empty else int(document.runs.block[run])
        if _is_foreign(document, block, element):
            found.pop(element, None)
            continue
        # The text of a ``time`` may be in an element of its own.
        spot = found.get(element) or found.pop(inside.get(element, -1), None)
        found[element] = Spot(element, block, spot.text if spot else "", machine)
    return sorted(found.values())


def _written(document: Document) -> list[Spot]:
    blocks, runs = document.blocks, document.runs
    short = (blocks.words <= MAX_WORDS) & (blocks.chars <= MAX_CHARACTERS)
    # All others have a digit.
    plain = np.flatnonzero(short & (blocks.digits == 0))
    bounds = blocks.start[plain], blocks.end[plain]
    short[plain] = spans_with(_SINCE, document.text, *bounds)
    places, own = [], []
    rows = np.flatnonzero(short)
    columns = (column[rows].tolist() for column in (blocks.start, blocks.end))
    each = zip(rows.tolist(), *columns, strict=True)
    for block, start, end in document.budget.each(each):
        # A slice: the text before the block touches it.
        for first, stop in _places(document.text[start:end]):
            places.append((start + first, start + stop))
            own.append(block)
    texts = np.flatnonzero((runs.kind == 0) & (runs.end > runs.start))
    found = np.searchsorted(runs.start[texts], [at for at, _ in places], side="right")
    elements = runs.element[texts[found - 1]].tolist()
    spots = []
    for (at, stop), block, element in zip(places, own, elements, strict=True):
        before = document.text[max(int(blocks.start[block]), at - 40) : at]
        if not _is_labelled(document, block, before):
            day = document.text[at:stop].decode("utf-8", "replace")
            spots.append(Spot(element, block, " ".join(day.split())))
    return spots


def _is_labelled(document: Document, block: int, before: bytes) -> bool:
    """Whether what stands before a date says that it is no post's."""
    label = before.decode("utf-8", "replace")
    if len(label) < MIN_LABEL:
        label = label_above(document, block) + label
    return bool(_FOREIGN.search(label))


def _is_foreign(document: Document, block: int, element: int) -> bool:
    if block < 0:
        return False
    if document.blocks.words[block] > MAX_WORDS:
        return True
    run = int(document.elements.first_run[element])
    start = max(int(document.blocks.start[block]), int(document.runs.start[run]) - 40)
    return _is_labelled(
        document, block, document.text[start : document.runs.start[run]]
    )


def _machine_dates(document: Document) -> dict[int, str]:
    """The dates in attributes of elements: ``datetime``, ``content``, ``title``."""
    found: dict[int, str] = {}
    for name in reversed(_MACHINE):
        values = Values.read(document, name)
        dated = [8 <= len(text) <= 60 and any(_places(text)) for text in values.texts]
        own = np.array(dated, bool)[values.place]
        rows = zip(
            values.element[own].tolist(), values.place[own].tolist(), strict=True
        )
        found |= {e: values.texts[k].decode("utf-8", "replace") for e, k in rows}
    for meta in found.keys() & {*document.elements_with_tag("meta").tolist()}:
        if not (document.attribute(meta, "itemprop") or "").startswith("date"):
            del found[meta]
    return found


class DateReader:
    """Reads dates of one page; numbers such as 03/04/2020 by their order elsewhere."""

    def __init__(self, texts: Iterable[str], language: str | None) -> None:
        language = normalise_language(language)
        pairs = [m.groups() for text in texts if (m := _NUMERIC.search(text))]
        if any(int(second) > 12 for _, second in pairs):
            language = "en-us"
        elif any(int(first) > 12 for first, _ in pairs):
            language = "en-gb" if (language or "en").startswith("en") else language
        self._language = language
        self._known: dict[str, str | None] = {}
        self._failed = 0

    def read(self, spot: Spot) -> str | None:
        """The date in ISO 8601, or as it is written."""
        machine = self.normalise(spot.machine)
        return machine or (self.read_text(spot.text) if spot.text else None)

    def read_text(self, text: str) -> str:
        """A written date in ISO 8601, or as it is."""
        long = _SHORT_YEAR.sub(_with_century, text)
        long = _MONTH_FIRST.sub(r"\1, 20\2", long)
        return self.normalise(long) or text

    def normalise(self, text: str | None) -> str | None:
        """A date in ISO 8601; ``None`` for what cannot be read."""
        if not text or self._failed > MAX_FAILED:
            return self._known.get(text or "")
        if text not in self._known:
            self._known[text] = found = normalise_date(text, self._language)
            self._failed += found is None and bool(_YEARS.search(text))
        return self._known[text]


def _with_century(match: re.Match[str]) -> str:
    day, mark, month, year = match.groups()
    century = "20" if int(year) < 50 else "19"
    return f"{day}{mark}{month}{mark}{century}{year}"
