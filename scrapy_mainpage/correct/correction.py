"""Pages to correct, their corrections, the labelled set and the rules made of these."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import PAGES, decode_page, read_document, site_of
from ..extraction.output.text import write_text
from ..extraction.result import Extraction
from ..label import Label
from ..rules import CorrectedPage, format_rules, learn_rules, preview, write_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..extraction.document.schema import Mask
    from ..extraction.extractor import Extractor
    from ..page import Page
    from ..rules import PagePreview, SiteRules


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
    """The main blocks of a page, the labels that the user has set, and its fields.

    ``fields`` has the blocks of :data:`FIELDS`, as far as they are set.
    """

    main: Mask
    labels: dict[int, Label] = field(default_factory=dict)
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
        labels = {int(block): Label(name) for block, name in data["labels"].items()}
        fields = {str(name): int(block) for name, block in data["fields"].items()}
        if not {*labels, *fields.values()} <= set(range(n_blocks)):
            raise ValueError("no such block")
        if fields.keys() - set(FIELDS):
            raise ValueError("no such field")
        main = np.array([mark == "1" for mark in marks], bool)
        if any(label.is_main != main[block] for block, label in labels.items()):
            raise ValueError("a label of the other side")
        return cls(main, labels, fields)

    @property
    def all_fields(self) -> dict[str, int]:
        """The fields, of which a block labelled as the title is one, too."""
        titles = [b for b, label in self.labels.items() if label is Label.TITLE]
        return ({"title": min(titles)} if titles else {}) | self.fields


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
        """The label of every block: the user's, else the labels' own rules."""
        content = replace(self.content, main=correction.main)
        return [
            correction.labels.get(block, content.label(block))
            for block in range(len(correction.main))
        ]


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
    if correction.fields:
        entry["fields"] = correction.fields
    return entry


def _id(line: bytes) -> object:
    """The id of a line; ``None`` for one that is not in the format, which is kept."""
    try:
        return json.loads(line)["id"]
    except (KeyError, TypeError, ValueError):
        return None


# Rules of a site


@dataclass(frozen=True)
class RuleProposal:
    """Rules, their text and file, and what they do to each page of the session.

    ``rows`` has the pages of the site, each with whether the rules give its correction;
    ``None`` for a page without one.
    """

    site: str
    rules: SiteRules
    text: str
    path: Path
    rows: tuple[tuple[PageToCorrect, PagePreview, bool | None], ...]

    @property
    def is_replacement(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    def write(self) -> None:
        """Write the file; raises ``OSError`` if it cannot be written."""
        write_rules(self.rules, self.path)


def sites_with_corrections(pages: Sequence[PageToCorrect]) -> list[str]:
    """The sites that rules can be proposed for."""
    sites = (site_of(page.url) for page in pages if page.correction)
    return [site for site in dict.fromkeys(sites) if _SITE.fullmatch(site)]


def propose_rules(
    pages: Sequence[PageToCorrect], site: str, folder: Path, extractor: Extractor
) -> RuleProposal:
    """The rules for a *site* with corrections, for a file in *folder*.

    Raises ``ValueError`` if no rules fit.
    """
    own = [page for page in pages if site_of(page.url) == site]
    others = [(page.url, page.html) for page in own if page.correction is None]
    rules = learn_rules([*_corrected_pages(own)], others)
    rules.check()
    shown = preview(
        rules, [(page.url, decode_page(page.html)) for page in own], extractor
    )
    rows = tuple(
        (page, row, _is_right(page, row)) for page, row in zip(own, shown, strict=True)
    )
    return RuleProposal(site, rules, format_rules(rules), folder / f"{site}.toml", rows)


def _corrected_pages(pages: Sequence[PageToCorrect]) -> Iterator[CorrectedPage]:
    for page in pages:
        if (found := page.correction) is not None:
            yield CorrectedPage(
                url=page.url,
                html=page.html,
                main=found.main.tolist(),
                fields=found.all_fields,
            )


def _is_right(page: PageToCorrect, row: PagePreview) -> bool | None:
    """Whether the rules give the corrected main content."""
    if page.correction is None:
        return None
    return row.text == page.corrected_text(page.correction)
