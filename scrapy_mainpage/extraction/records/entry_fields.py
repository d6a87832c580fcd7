"""What an entry of a listing shows: its name, summary, image, date and author."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import numpy as np

from ...records import Entry
from ..declared.meta import Values
from ..document.schema import RunKind
from ..metadata.authors import clean_name
from ..metadata.dates import is_iso_date
from ..metadata.plaintext import clean, element_text
from .prices import find_price_spots, region_of
from .spots import (
    DateReader,
    date_in,
    find_spots,
    is_date,
    parts_around_dates,
)

if TYPE_CHECKING:
    from ..document.document import Document
    from .entry_lists import Record
    from .prices import PriceSpot
    from .spots import Spot
    from .targets import Targets

MAX_NAME_CHARACTERS: Final = 300
MAX_SUMMARY_CHARACTERS: Final = 1000
MAX_BLOCKS: Final = 60
"""Text blocks of a record that are read."""

MAX_NAME: Final = 6
"""Words of a person's name."""

MIN_SUMMARY: Final = 5
"""Words of a summary."""

MAX_SUMMARIES: Final = 3
MIN_SAID: Final = 25
"""Characters of a summary beside the name, if this is in it."""

MAX_ABOVE: Final = 6
"""Text blocks above the first record that may say the date of the next records."""

MAX_TRIED: Final = 5
"""Dates, images and names of persons of a record that are looked at."""

MAX_INSIDE: Final = 12
"""Elements inside of a link that may say what it is."""

MAX_PRICE: Final = 15
"""Words of a text with a price."""

MAX_PRICELESS: Final = 12
"""Records without a price, one after another, behind which none is searched."""

MAX_BYLINE: Final = 8
"""Words of a text that names an author."""

_PERSON: Final = re.compile(rb"author|byline|(?<![a-z])(?:writer|creator)(?![a-z])")
_RATING: Final = re.compile(r"(?i)\b(?:out )?of 5\b|\b5 (?:stars|sternen)\b")
_BEHIND_NAME: Final = re.compile(r"\s[|•·–—]\s?|\s(?:on|am|in|le|el)\s|\s(?=[0-9])")
_AROUND: Final = " \n,;:|-–—•·("
"""What stands between a name and a date behind it."""

_BY: Final = re.compile(r"(?i)^(?:by|von|par|por|di|от|作者)[\s:]+(?=\S)")
_NO_NAME: Final = re.compile(
    r"(?i)^(?:read|learn|find out|see|view|show|load|get|shop|buy|add|more|details?|"
    r"continue|full|new|sale|sold|featured|quick|in stock|on sale|best ?seller|"
    r"from|save|free|select|compare|mehr|weiter|lire|leer|ver|leggi|подробнее)\b.{0,24}$"
    r"|^[\W\d_]*$|^\W*(?:(?:[$€£¥₹]|usd|eur|gbp)\W*)[\d.,\s]+"
)


class Reader:
    """Reads the records of a page's entries."""

    def __init__(
        self,
        document: Document,
        targets: Targets,
        records: list[Record],
        language: str | None,
    ) -> None:
        self.document = document
        self.targets = targets
        self.region = region_of(targets.page, language)
        self._images = np.flatnonzero(document.runs.kind == RunKind.IMAGE).tolist()
        named = Values.read(document, "class itemprop rel").those_with(_PERSON)
        self._persons: list[int] = np.unique(named.element).tolist()
        self._priceless = 0
        first = min((record.first for record in records), default=0)
        last = max((record.end for record in records), default=0)
        columns = document.elements
        spots = sorted(
            (int(columns.first_run[spot.element]), spot.element, spot)
            for spot in document.once(find_spots)
            if first - MAX_ABOVE <= columns.first_block[spot.element] <= last
        )
        self._spots = [spot for *_, spot in spots]
        self._places = [run for run, *_ in spots]
        self._above = _places_above(self._places, records)
        # Longer texts are looked at where not every record has a short one.
        texts = [spot.text for spot in self._spots]
        if len(texts) < len(records):
            texts += [date_in(self._text(each)) for each in records]
        self._dates = DateReader(texts, language)

    def read(self, record: Record, url: str, named: tuple[int, int]) -> Entry | None:
        """The entry of a *record*, without its position.

        *named* is the range of the text that is likely the name, or empty.
        """
        first, end = record.first, min(record.end, record.first + MAX_BLOCKS)
        name, place = self._name(record, named)
        if not name:
            return None
        name = _without_dates(name)
        spot, date = self._date(record)
        price = self._price(first, end, place)
        author, byline = (None, -1) if price else self._author(record, end)
        left_out = {place, byline, *(each.block for each in (spot, price) if each)}
        return Entry(
            name=name[:MAX_NAME_CHARACTERS],
            url=url,
            summary=self._summary(first, end, name, left_out),
            image=self._image(record),
            price=price.price.amount if price else None,
            currency=price.price.currency if price else None,
            date=date,
            author=author,
        )

    def _price(self, first: int, end: int, name: int) -> PriceSpot | None:
        """The first price of a short text that is asked now.

        Of a listing whose first records show none no price is searched.
        """
        if self._priceless == MAX_PRICELESS:
            return None
        blocks = self.document.blocks
        short = [
            block
            for block in range(first, end)
            if block != name
            and blocks.digits[block]
            and blocks.words[block] <= MAX_PRICE
        ]
        spots = find_price_spots(self.document, short, self.region)
        own = [spot for spot in spots if not spot.is_other]
        # The only price is asked, whatever its class says: Magento's "regular-price".
        found = next((spot for spot in own if not spot.is_old), own[0] if own else None)
        self._priceless = 0 if found else self._priceless + 1
        return found

    def _name(self, record: Record, named: tuple[int, int]) -> tuple[str | None, int]:
        """The name of a record, and its text block; -1 for that of a picture.

        It is the line that is *named* after the others, or the link's own text, if that
        is in the line or there is none; else what a picture says.
        """
        link = record.link
        elements, runs = self.document.elements, self.document.runs
        run, stop = int(elements.first_run[link]), int(elements.end_run[link])
        inside = range(int(elements.first_block[link]), int(elements.end_block[link]))
        own = self._of_link(link, run, stop) if len(inside) < 2 else (None, -1)
        start, end = named
        block = int(np.searchsorted(self.document.blocks.end, start, "right"))
        if start < end and not (block == own[1] and _is_name(own[0])):
            text = self.document.text[start:end].decode("utf-8", "replace")
            rest = _without_dates(self._line(text.removeprefix(own[0] or "")))
            text = rest if _is_name(rest) else self._line(text)
            if text and not is_date(text):
                return text, block
        if own[0] and not _NO_NAME.search(own[0]):
            return own
        if not runs.words[run:stop].any() and (
            said := spoken_text(self.document, link)
        ):
            return said, -1
        return own

    def _of_link(self, link: int, run: int, stop: int) -> tuple[str | None, int]:
        """The text of a link in one block."""
        document = self.document
        words = document.runs.words[run:stop].sum()
        block = int(document.runs.block[run]) if words else -1
        if not words:
            return None, -1
        if block >= 0 and document.blocks.words[block] == words:
            return self._line(document.block_text(block)), block
        return self._line(element_text(document, link)), block

    def _line(self, text: str) -> str:
        """A text as one line, without further lines that are no words: prices."""
        first, _, rest = text.partition("\n")
        text = first if first.strip() and not rest.lstrip()[:1].isalpha() else text
        return " ".join(text.split())

    def _date(self, record: Record) -> tuple[Spot | None, str | None]:
        """The first date of a record that can be read, or that of the heading above.

        Numbers such as 1-21-08 are one if there is none with a whole year.
        """
        at = bisect_left(self._places, record.first_run)
        end = bisect_left(self._places, record.end_run)
        spots = sorted(self._spots[at : min(end, at + MAX_TRIED)], key=_is_short)
        dates = [(spot, self._dates.read(spot)) for spot in spots]
        if dates:
            return next((own for own in dates if is_iso_date(own[1] or "")), dates[0])
        if day := date_in(self._text(record)):
            return None, self._dates.read_text(day)
        above = bisect_left(self._above, at) - 1
        if above < 0:
            return None, None
        return None, self._dates.read(self._spots[self._above[above]])

    def _text(self, record: Record) -> bytes:
        """How the text of a record begins, which may be a part of a long block."""
        start, end = self.document.places[[record.first_run, record.end_run]].tolist()
        return self.document.text[start : min(end, start + MAX_NAME_CHARACTERS)]

    def _author(self, record: Record, end: int) -> tuple[str | None, int]:
        """Who wrote what a record is about, and the text block that says it."""
        first = record.first
        if first >= end:
            return None, -1
        top = int(self.document.blocks.element[first])
        at = bisect_left(self._persons, top)
        for element in self._persons[at : at + MAX_TRIED]:
            if int(self.document.elements.first_block[element]) > end:
                break
            run = int(self.document.elements.first_run[element])
            is_said = run < int(self.document.elements.end_run[element])
            block = int(self.document.runs.block[run]) if is_said else -1
            name = self._person(element_text(self.document, element))
            if name and first <= block < end:
                return name, block
        words = self.document.blocks.words[first:end]
        for place in np.flatnonzero((words > 1) & (words <= MAX_BYLINE)).tolist():
            text = self._line(self.document.block_text(first + place))
            said = _BY.match(text)
            if said and (name := self._person(text[said.end() :])):
                return name, first + place
        return None, -1

    def _person(self, text: str) -> str | None:
        """The name that begins a byline; ``None`` for other texts."""
        name = _BEHIND_NAME.split(_BY.sub("", text))[0].strip(" ,|•·–—-")
        if not name or len(name.split()) > MAX_NAME or re.search("[0-9]", name):
            return None
        return None if _NO_NAME.search(name) else clean_name(name)

    def _summary(
        self, first: int, end: int, name: str, left_out: set[int]
    ) -> str | None:
        """The longest text of a record that is not its name again, nor a rating."""
        words = self.document.blocks.words
        longer = np.flatnonzero(words[first:end] >= MIN_SUMMARY) + first
        longest = sorted(longer.tolist(), key=lambda block: (-words[block], block))
        for block in longest[:MAX_SUMMARIES]:
            text = self._line(self.document.block_text(block))
            is_name = name in text and len(text) - len(name) < MIN_SAID
            said = is_name or _NO_NAME.search(text) or _RATING.search(text)
            if block not in left_out and not said:
                return text[:MAX_SUMMARY_CHARACTERS]
        return None

    def _image(self, record: Record) -> str | None:
        """The first image of a record with an address; better one that is the link."""
        document = self.document
        at = bisect_left(self._images, record.first_run)
        found = None
        for run in self._images[at : at + MAX_TRIED]:
            if run >= record.end_run:
                break
            element = int(document.runs.element[run])
            values = document.attributes_of(element)
            image = self.targets.addresses.image(element, values)
            link = int(document.elements.link[element])
            href = (document.attribute(link, "href") or "") if link >= 0 else ""
            if image and href.encode("utf-8", "replace") == record.href:
                return image
            found = found or image
        return found


def _is_short(spot: Spot) -> bool:
    """Whether a date is numbers without a century, as 1-21-08, which may be another."""
    parts = spot.text.replace("/", "-").replace(".", "-").split("-")
    return not spot.machine and max(map(len, parts)) < len("2008")


def _places_above(places: list[int], records: list[Record]) -> list[int]:
    """The dates outside of all *records*, if one of them is between two records."""
    spans = sorted((record.first_run, record.end_run) for record in records)
    if not spans:
        return []
    first, end = np.array(spans).T
    own = np.searchsorted(first, places, side="right") - 1
    is_outside = (own < 0) | (np.asarray(places) >= np.maximum.accumulate(end)[own])
    found = np.flatnonzero(is_outside).tolist()
    return found if any(first[0] < places[k] < first[-1] for k in found) else []


def _without_dates(name: str) -> str:
    """The first part of a name beside dates that is one itself, else all of it."""
    parts = parts_around_dates(name)
    if len(parts) == 1:
        return name
    return next(filter(_is_name, (part.strip(_AROUND) for part in parts)), name)


def _is_name(text: str | None) -> bool:
    """Whether the text of a link says more than a word or a number."""
    words = (text or "").split()
    return len(words) > 1 and not _NO_NAME.search(text or "")


def spoken_text(document: Document, link: int) -> str | None:
    """What a link without text says: its label, or that of a picture in it."""
    end = min(int(document.elements.end[link]), link + MAX_INSIDE)
    for element in range(link, end):
        values = document.attributes_of(element)
        for name in ("aria-label", "title", "alt"):
            if text := clean(values.get(name)):
                return text
    return None
