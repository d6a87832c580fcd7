"""Pages to correct, their corrections, the labelled set and the rules made of these."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import PAGES, decode_page, read_document, site_of
from ..extraction.output.text import write_text
from ..extraction.page_rules import FIELDS as FIELDS_OF_RULES
from ..extraction.page_rules import (
    PRODUCT,
    RECORDS,
    RULE_MISSED,
    decide,
    is_other_kind,
)
from ..extraction.result import Extraction
from ..rules import CorrectedPage, RuleBook, format_rules, learn_rules, parse_rules
from ..text.words import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..extraction.document.schema import Mask
    from ..extraction.extractor import Extractor
    from ..label import Label
    from ..page import Page
    from ..rules import SiteRules


FIELDS: Final = tuple(
    "title author date price regular_price availability sku gtin brand".split()
)
"""Fields that a block may be beside its label, by names of rules."""

_BOM: Final = b"\xef\xbb\xbf"
_SITE: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
"""Hosts that are safe as names of files."""

_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")


class CorrectionError(ValueError):
    """A page that cannot be corrected, or data that are not a correction of a page."""


@dataclass(frozen=True)
class Correction:
    """The main blocks of a page, and its fields.

    ``fields`` has the blocks of :data:`FIELDS`, as far as they are set.
    """

    main: Mask
    fields: dict[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, data: object, n_blocks: int) -> Correction:
        """Read the data that the page sends; raises :exc:`CorrectionError`."""
        try:
            return cls._parse(data, n_blocks)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise CorrectionError(f"not a correction of this page: {error}") from None

    @classmethod
    def _parse(cls, data: Any, n_blocks: int) -> Correction:
        marks = data["main"]
        if len(marks) != n_blocks or set(marks) - {"0", "1"}:
            raise ValueError("'main' is not a 0 or 1 for each block")
        fields = {str(name): int(block) for name, block in data["fields"].items()}
        if not {*fields.values()} <= set(range(n_blocks)):
            raise ValueError("no such block")
        if fields.keys() - set(FIELDS):
            raise ValueError("no such field")
        return cls(np.array([mark == "1" for mark in marks], bool), fields)


@dataclass
class PageToCorrect:
    """A page with its bytes, as a labelled set keeps them, and its correction if any.

    ``html`` is read alike by the extractor, by evaluation and by training.
    """

    url: str
    html: bytes
    page: Page
    correction: Correction | None = None

    @classmethod
    def read(
        cls, url: str, body: bytes, text: str | None, extractor: Extractor
    ) -> PageToCorrect:
        """The page of a response's *body*; *text* is the body, decoded, if known.

        Raises :exc:`CorrectionError` for a page that is too large or has no text.
        """
        html = body
        if text is not None and decode_page(body) != text:
            html = _BOM + text.encode("utf-8", "replace")
        page = extractor.extract(decode_page(html), url=url)
        content = page._extraction
        if not isinstance(content, Extraction) or not content.document.n_blocks:
            reason = ", ".join(page.warnings) or "no_text"
            raise CorrectionError(f"{url}: no text to correct ({reason})")
        if read_document(html).text != content.document.text:
            raise CorrectionError(f"{url}: too large to correct")
        return cls(url, html, page)

    @property
    def content(self) -> Extraction:
        """The extraction of the page."""
        content = self.page._extraction
        assert isinstance(content, Extraction)
        return content

    @property
    def title(self) -> str:
        """The title of the page, or else its URL."""
        return self.page.title or self.url

    def corrected_text(self, correction: Correction) -> str:
        """The main content as plain text."""
        return write_text(self.content.document, correction.main)

    def corrected_labels(self, correction: Correction) -> list[Label]:
        """The label of every block, by the labels' own rules."""
        content = replace(self.content, main=correction.main)
        return [content.label(block) for block in range(len(correction.main))]


def page_id(url: str) -> str:
    """A name for the file of a page: its site, and a hash of its URL.

    >>> page_id("https://www.example.com/owls")
    'example.com-c627078395'
    """
    site = _NOT_IN_NAMES.sub("-", site_of(url)) or "file"
    digest = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
    return f"{site}-{digest[:10]}"


def save_page(folder: Path, page: PageToCorrect, correction: Correction) -> None:
    """Add the page to the set in *folder*, or replace the label that it has there.

    Raises ``OSError`` if the folder cannot be written.
    """
    entry = describe(page, correction)
    pages = folder / "html"
    pages.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(page.html, mtime=0)
    (pages / f"{entry['id']}.html.gz").write_bytes(packed)
    file, fresh = folder / PAGES, folder / f"{PAGES}.new"
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    kept = [line for line in lines if line.strip() and _id(line) != entry["id"]]
    kept.append(json.dumps(entry, ensure_ascii=False).encode("utf-8", "replace"))
    fresh.write_bytes(b"\n".join(kept) + b"\n")
    fresh.replace(file)


def describe(page: PageToCorrect, correction: Correction) -> dict[str, Any]:
    """The page's line in the set: its main text, and the label of every block."""
    labels = page.corrected_labels(correction)
    entry: dict[str, Any] = {
        "id": page_id(page.url),
        "url": page.url,
        "text": page.corrected_text(correction),
        "labels": [label.value for label in labels],
    }
    return entry | ({"fields": correction.fields} if correction.fields else {})


def _id(line: bytes) -> object:
    """The id of a line; ``None`` for one that is not in the format, which is kept."""
    try:
        return json.loads(line)["id"]
    except (KeyError, TypeError, ValueError):
        return None


# Rules of a site


@dataclass(frozen=True)
class PagePreview:
    """A page of the session, counted from 1, with the rules of its site tried on it."""

    number: int
    page: PageToCorrect
    ruled: Page
    rules: SiteRules

    @property
    def is_matched(self) -> bool:
        """Whether the rules decide the main content, or fields if they have no more."""
        if RULE_MISSED in self.ruled.warnings or not decide(self.ruled.rules):
            return False
        keys = [key for key in ("content", "drop") if getattr(self.rules, key)]
        named = " ".join(self.ruled.rules)
        return not keys or any(f": {key} = " in named for key in keys)

    @property
    def is_right(self) -> bool | None:
        """Whether the rules give the correction; ``None`` for a page without one."""
        if (correction := self.page.correction) is None:
            return None
        return self.ruled.text == self.page.corrected_text(correction)

    @property
    def verdict(self) -> str:
        """What the rules do to the page, in words."""
        if self.is_right is not None:
            return "as corrected" if self.is_right else "differs from the correction"
        if any(map(is_other_kind, self.ruled.rules)):
            return "another kind of page: the algorithm decides"
        if not self.is_matched:
            return "rules find nothing: the algorithm decides"
        return "not corrected"

    @property
    def difference(self) -> int:
        """How many characters of main content are lost or gained."""
        return len("".join(self.lost + self.gained))

    @property
    def lost(self) -> list[str]:
        """Texts of blocks that are expected to be main content, and are not.

        Expected is the correction, or else the main content without the rules.
        """
        return self._differing(is_main=False)

    @property
    def gained(self) -> list[str]:
        """Texts of blocks that are main content, and are not expected to be."""
        return self._differing(is_main=True)

    def _differing(self, *, is_main: bool) -> list[str]:
        known = self.page.correction or self.page.content
        pairs = zip(self.ruled.blocks, known.main.tolist(), strict=False)
        return [b.text for b, wanted in pairs if b.is_main == is_main != wanted]

    @property
    def fields(self) -> dict[str, str]:
        """What the page says for the fields of the rules, and counts of records."""
        found: dict[str, str] = {}
        for key, _ in self.rules.selectors:
            name = FIELDS_OF_RULES.get(key, "")
            of_product = name.startswith(PRODUCT)
            source = self.ruled.product if of_product else self.ruled.metadata
            if value := getattr(source, name.removeprefix(PRODUCT), None):
                found[key] = str(value)
        kinds = [key for key in RECORDS if getattr(self.rules, key)]
        return found | {key: str(len(getattr(self.ruled, key))) for key in kinds}


@dataclass(frozen=True)
class RuleProposal:
    """Rules, their text and file, and what they do to each page of the session.

    ``rows`` has the pages of the site, the worst first. ``notes`` say what could not be
    learned, and what to do about it.
    """

    rules: SiteRules
    text: str
    path: Path
    rows: list[PagePreview]

    def write(self) -> None:
        """Write the file; raises ``OSError`` if it cannot be written."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text, "utf-8")

    @property
    def notes(self) -> Iterator[str]:
        """What the rules do not give of the corrections, and what to do about it."""
        rules, done = self.rules, [row for row in self.rows if row.page.correction]
        named = (row.page.correction.fields for row in done if row.page.correction)
        known = {key for key, _ in rules.selectors}
        for name in dict.fromkeys(name for fields in named for name in fields):
            if name not in known:
                what = name.replace("_", " ")
                yield f"No selector finds the {what} on the corrected pages."
        if not (rules.content or rules.drop) and not all(row.is_right for row in done):
            yield "No few selectors give the main content: correct another page of it."
        others = [row for row in self.rows if not row.page.correction]
        if missed := [row.page.title for row in others if not row.is_matched]:
            yield (
                f"Nothing is found on {number_of(len(missed), 'page')} of another "
                f"template, such as {missed[0]}: correct two of these, too."
            )
        if len(done) == 1:
            yield "Correct a second page of the same template: one says little."


def sites_with_corrections(pages: Sequence[PageToCorrect]) -> list[str]:
    """The sites that rules can be proposed for."""
    sites = (site_of(page.url) for page in pages if page.correction)
    return [site for site in dict.fromkeys(sites) if _SITE.fullmatch(site)]


def propose_rules(
    pages: Sequence[PageToCorrect],
    site: str,
    folder: Path,
    extractor: Extractor,
    text: str | None = None,
) -> RuleProposal:
    """The rules for a *site* with corrections, for a file in *folder*.

    They are learned, or those of *text*. Raises ``ValueError`` if no rules fit, or for
    an error in *text*.
    """
    path = folder / f"{site}.toml"
    own = [(k, page) for k, page in enumerate(pages, 1) if site_of(page.url) == site]
    if text is None:
        others = [(page.url, page.html) for _, page in own if page.correction is None]
        done = [
            CorrectedPage(page.url, page.html, found.main.tolist(), found.fields)
            for _, page in own
            if (found := page.correction)
        ]
        text = format_rules(learn_rules(done, others, extractor))
    rules = parse_rules(path.name, text)
    ruled = copy(extractor)
    ruled.rules = RuleBook(rules)
    rows = [
        PagePreview(k, page, ruled.extract(decode_page(page.html), url=page.url), rules)
        for k, page in own
    ]
    rows.sort(key=lambda row: (row.is_right is not False, -row.difference))
    return RuleProposal(rules, text, path, rows)
