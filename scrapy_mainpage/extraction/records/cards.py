"""What an entry of a listing shows: its name, summary, image, date and author."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import numpy as np

from ...records import Entry
from ..document.schema import HEADING_SHIFT, RunKind
from ..document.tags import ATTRIBUTE_CODES
from ..metadata.authors import clean_name
from ..metadata.plaintext import element_text
from .measures import spoken_text
from .prices import find_price_spots, region_of
from .spots import DateReader, find_spots, is_date, language_of

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Mask
    from .linkgroups import Groups, Targets
    from .prices import PriceSpot
    from .spots import Spot

MAX_NAME_CHARACTERS: Final = 300
MAX_SUMMARY_CHARACTERS: Final = 1000
MAX_BLOCKS: Final = 60
"""Text blocks of a record that are read."""

MAX_PERSONS: Final = 5
"""Elements of a record that are named after authors."""

MAX_NAME: Final = 6
"""Words of a person's name."""

MIN_SUMMARY: Final = 5
"""Words of a summary."""

MAX_SUMMARIES: Final = 3
MIN_SAID: Final = 25
"""Characters of a summary beside the name, if this is in it."""

MAX_IMAGES: Final = 5

MAX_PRICE: Final = 15
"""Words of a text with a price."""

MAX_PRICELESS: Final = 12
"""Records without a price, one after another, behind which none is searched."""

MAX_BYLINE: Final = 8
"""Words of a text that names an author."""

_NAMED: Final = re.compile(r"(?i)title|heading|headline|(?<![a-z])name(?![a-z])")
_PERSON: Final = re.compile(
    rb"[Aa]uthor|[Bb]yline|(?<![a-z])(?:writer|creator)(?![a-z])"
)
_RATING: Final = re.compile(r"(?i)\b(?:out )?of 5\b|\b5 (?:stars|sternen)\b")
_BEHIND_NAME: Final = re.compile(r"\s[|•·–—]\s?|\s(?:on|am|in|le|el)\s|\s(?=[0-9])")
_BY: Final = re.compile(r"(?i)^(?:by|von|par|por|di|от|作者)[\s:]+(?=\S)")
_NO_NAME: Final = re.compile(
    r"(?i)^(?:read|learn|find out|see|view|show|load|get|shop|buy|add|more|details?|"
    r"continue|full|new|sale|sold|featured|quick|in stock|on sale|best ?seller|"
    r"from|save|free|select|compare|mehr|weiter|lire|leer|ver|leggi|подробнее)\b.{0,24}$"
    r"|^[\W\d_]*$|^\W*(?:(?:[$€£¥₹]|usd|eur|gbp)\W*)[\d.,\s]+"
)


class Reader:
    """Reads the records of groups of links."""

    def __init__(
        self, document: Document, targets: Targets, taken: Mask, language: str | None
    ) -> None:
        self.document = document
        self.targets = targets
        self.region = region_of(targets.page, language)
        self._images = np.flatnonzero(document.runs.kind == RunKind.IMAGE).tolist()
        self._persons = _persons(document)
        self._priceless = 0
        self._classes: dict[int, bool] = {}
        spots = [s for s in find_spots(document, taken) if s.block >= 0]
        self._spots = sorted(spots, key=lambda spot: spot.block)
        self._places = [spot.block for spot in self._spots]
        self._dates = DateReader((spot.text for spot in spots), language_of(language))

    def read(self, groups: Groups, k: int, url: str, *, own_text: bool) -> Entry | None:
        """The entry of the record *k* of all *groups*, without its position."""
        first = int(groups.first[k])
        end = min(int(groups.end[k]), first + MAX_BLOCKS)
        name, place = self._name(int(groups.links[k]), first, end, own_text=own_text)
        if not name:
            return None
        spot = self._spot(first, end)
        price = self._price(first, end, place)
        author, byline = (
            (None, -1) if price else self._author(int(groups.tops[k]), first, end)
        )
        left_out = {
            place,
            byline,
            spot.block if spot else -1,
            price.block if price else -1,
        }
        return Entry(
            name=name[:MAX_NAME_CHARACTERS],
            url=url,
            summary=self._summary(first, end, name, left_out),
            image=self._image(groups, k),
            price=price.price.amount if price else None,
            currency=price.price.currency if price else None,
            date=self._dates.read(spot) if spot else None,
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

    def _name(
        self, link: int, first: int, end: int, *, own_text: bool
    ) -> tuple[str | None, int]:
        """The name of a record, and its text block; -1 for that of a picture.

        A heading in the link, or the link's own text if *own_text*; else a heading of
        the record, what a picture says, or the text that its class calls a name.
        """
        elements, runs = self.document.elements, self.document.runs
        inner, last = int(elements.first_block[link]), int(elements.end_block[link])
        own = range(inner, min(last, inner + MAX_BLOCKS))
        if elements.flags[link] >> HEADING_SHIFT == 0 or not own_text:
            found = self._heading(own)
            if found[0]:
                return found
        run, stop = int(elements.first_run[link]), int(elements.end_run[link])
        if own_text:
            found = (
                self._of_blocks(own) if len(own) > 1 else self._of_link(link, run, stop)
            )
            if found[0]:
                return found
        found = self._heading(range(first, end))
        if not found[0] and not runs.words[run:stop].any():
            found = spoken_text(self.document, link), -1
        return found if found[0] else self._of_blocks(range(first, end))

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

    def _heading(self, blocks: range) -> tuple[str | None, int]:
        """The first heading that may be a name."""
        flags = self.document.blocks.flags[blocks.start : blocks.stop]
        for place in np.flatnonzero(flags >> HEADING_SHIFT).tolist():
            text = self._line(self.document.block_text(blocks.start + place))
            if text and not _NO_NAME.search(text):
                return text, blocks.start + place
        return None, -1

    def _of_blocks(self, blocks: range) -> tuple[str | None, int]:
        """The block whose class says that it is a name, else the first that may be."""
        possible = []
        for block in blocks:
            text = self._line(self.document.block_text(block))
            if text and not _NO_NAME.search(text) and not is_date(text):
                possible.append((text, block))
        for text, block in possible:
            if self._says_name(block):
                return text, block
        return possible[0] if possible else (None, -1)

    def _line(self, text: str) -> str:
        """A text as one line, without further lines that are no words: prices."""
        first, _, rest = text.partition("\n")
        text = first if first.strip() and not rest.lstrip()[:1].isalpha() else text
        return " ".join(text.split())

    def _says_name(self, block: int) -> bool:
        """Whether the class of a block's element calls it a name."""
        element = int(self.document.blocks.element[block])
        kind = int(self.document.kinds[element])
        if kind not in self._classes:
            values = self.document.attributes_of(element)
            names = f"{values.get('class', '')} {values.get('itemprop', '')}"
            self._classes[kind] = bool(_NAMED.search(names))
        return self._classes[kind]

    def _spot(self, first: int, end: int) -> Spot | None:
        at = bisect_left(self._places, first)
        found = self._spots[at] if at < len(self._spots) else None
        return found if found and found.block < end else None

    def _author(self, top: int, first: int, end: int) -> tuple[str | None, int]:
        """Who wrote what a record is about, and the text block that says it."""
        at = bisect_left(self._persons, top)
        for element in self._persons[at : at + MAX_PERSONS]:
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

    def _image(self, groups: Groups, k: int) -> str | None:
        """The first image of a record with an address; better one that is the link."""
        document, top = self.document, int(groups.tops[k])
        first = int(document.elements.first_run[top])
        end = int(document.elements.end_run[top])
        if groups.end[k] > groups.first[k]:
            end = max(end, int(document.blocks.end_run[groups.end[k] - 1]))
        at = bisect_left(self._images, first)
        found = None
        for run in self._images[at : at + MAX_IMAGES]:
            if run >= end:
                break
            element = int(document.runs.element[run])
            values = document.attributes_of(element)
            image = self.targets.addresses.image(element, values)
            link = int(document.elements.link[element])
            href = (document.attribute(link, "href") or "") if link >= 0 else ""
            if image and href.encode("utf-8", "replace") == groups.hrefs[k]:
                return image
            found = found or image
        return found


def _persons(document: Document) -> list[int]:
    """The elements whose class, relation or property names an author."""
    attributes, values = document.attributes, document.values
    codes = [ATTRIBUTE_CODES[name] for name in ("class", "itemprop", "rel")]
    rows = np.flatnonzero(np.isin(attributes.name, codes))
    starts, first = np.unique(attributes.start[rows], return_index=True)
    ends = attributes.end[rows[first]].tolist()
    named = [
        start
        for start, end in zip(starts.tolist(), ends, strict=True)
        if _PERSON.search(values, start, end)
    ]
    chosen = rows[np.isin(attributes.start[rows], named)]
    elements: list[int] = np.unique(attributes.element[chosen]).tolist()
    return elements
