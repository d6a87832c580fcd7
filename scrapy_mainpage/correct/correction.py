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
from ..extraction.page_rules import RECORDS
from ..extraction.result import Extraction
from ..label import Label
from ..rules import CorrectedPage, format_rules, learn_rules, parse_rules, preview

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

    ``fields`` has the blocks of :data:`FIELDS`, as far as they are set, ``records`` the
    range of blocks of one post or entry.
    """

    main: Mask
    labels: dict[int, Label] = field(default_factory=dict)
    fields: dict[str, int] = field(default_factory=dict)
    records: dict[str, tuple[int, int]] = field(default_factory=dict)

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
        records = {
            str(name): (int(first), int(end))
            for name, (first, end) in data["records"].items()
        }
        if not {*labels, *fields.values()} <= set(range(n_blocks)):
            raise ValueError("no such block")
        if not all(0 <= first < end <= n_blocks for first, end in records.values()):
            raise ValueError("no such blocks")
        if fields.keys() - set(FIELDS) or records.keys() - set(RECORDS):
            raise ValueError("no such field")
        main = np.array([mark == "1" for mark in marks], bool)
        if any(label.is_main != main[block] for block, label in labels.items()):
            raise ValueError("a label of the other side")
        return cls(main, labels, fields, records)

    @property
    def all_fields(self) -> dict[str, int]:
        """The fields; blocks labelled as the title and the byline are some, too."""
        found = {}
        for name, label in (("title", Label.TITLE), ("author", Label.BYLINE)):
            if blocks := [b for b, own in self.labels.items() if own is label]:
                found[name] = min(blocks)
        return found | self.fields


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
    for name in ("fields", "records"):
        if own := getattr(correction, name):
            entry[name] = own
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

    ``rows`` has the pages of the site with their numbers, the worst first, each with
    whether the rules give its correction; ``None`` for a page without one. ``notes``
    say what could not be learned.
    """

    site: str
    rules: SiteRules
    text: str
    path: Path
    rows: tuple[tuple[int, PageToCorrect, PagePreview, bool | None], ...]
    notes: tuple[str, ...] = ()

    @property
    def is_replacement(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    def write(self) -> None:
        """Write the file; raises ``OSError`` if it cannot be written."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text, "utf-8")


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
        done = [*_corrected_pages([page for _, page in own])]
        rules = learn_rules(done, others, extractor)
        text = format_rules(rules)
    rules = parse_rules(path.name, text)
    shown = preview(
        rules,
        [(page.url, decode_page(page.html)) for _, page in own],
        extractor,
        [
            None if (c := page.correction) is None else c.main.tolist()
            for _, page in own
        ],
    )
    rows = [
        (number, page, row, _is_right(page, row))
        for (number, page), row in zip(own, shown, strict=True)
    ]
    rows.sort(key=lambda each: (each[3] is not False, [-n for n in each[2].harm]))
    notes = tuple(_find_notes([page for _, page in own], rules, shown))
    return RuleProposal(site, rules, text, path, tuple(rows), notes)


def _corrected_pages(pages: Sequence[PageToCorrect]) -> Iterator[CorrectedPage]:
    for page in pages:
        if (found := page.correction) is not None:
            yield CorrectedPage(
                url=page.url,
                html=page.html,
                main=found.main.tolist(),
                fields=found.all_fields,
                records=found.records,
            )


def _find_notes(
    pages: Sequence[PageToCorrect], rules: SiteRules, shown: Sequence[PagePreview]
) -> Iterator[str]:
    """What the corrections say, but no selector gives."""
    done = [page.correction for page in pages if page.correction]
    named = dict.fromkeys(n for c in done for n in (*c.all_fields, *c.records))
    known = {key for key, _ in rules.selectors}
    for name in named:
        if name not in known:
            what = name.replace("_", " ")
            yield f"No selector finds the {what} on the corrected pages."
    for name in RECORDS:
        found = [
            row.fields.get(name)
            for page, row in zip(pages, shown, strict=True)
            if page.correction and name in page.correction.records
        ]
        if found and name in known and {"0", "1"}.issuperset(found):
            yield f"The rules find a single one of the {name}: mark another one."
    if len(done) == 1:
        yield "One corrected page says little about the others: correct a second one."


def _is_right(page: PageToCorrect, row: PagePreview) -> bool | None:
    """Whether the rules give the corrected main content."""
    if page.correction is None:
        return None
    return row.text == page.corrected_text(page.correction)
