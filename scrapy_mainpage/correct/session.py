"""One sitting of corrections: its pages as HTML, their sources, where they are saved.

A page's own markup is not in its HTML: blocks are text in elements of the report.
"""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
from scrapy.http import HtmlResponse
from w3lib.url import file_uri_to_path

from ..evaluation.datasets import site_of
from ..extraction.labels import LABELS
from ..extraction.page_rules import RECORDS
from ..extraction.records.view import View
from ..report.annotated_page import annotate, choose_window, group_of
from ..report.page_report import find_direction, make_environment, make_style
from .correction import (
    FIELDS,
    Correction,
    CorrectionError,
    PageToCorrect,
    RuleProposal,
    propose_rules,
    save_page,
    sites_with_corrections,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy.http import Response

    from ..extraction.document.document import Document
    from ..extraction.extractor import Extractor


class NotThere(LookupError):
    """A number that no page has, or a site without corrections."""


class Session:
    """The pages to correct, numbered from 1.

    *folder* gets the labelled set, *rules_folder* the rules of sites. *extractor* made
    the pages.
    """

    def __init__(
        self,
        pages: Sequence[PageToCorrect],
        folder: Path,
        rules_folder: Path,
        extractor: Extractor,
    ) -> None:
        self.pages, self.folder, self.rules_folder = pages, folder, rules_folder
        self.extractor = extractor
        self.is_ended = False

    @property
    def n_saved(self) -> int:
        """How many of the pages are corrected and saved."""
        return sum(page.correction is not None for page in self.pages)

    def overview(self) -> str:
        """The list of pages as HTML, and what to do with those that are saved."""
        return _render(
            "overview.html",
            pages=self.pages,
            n_saved=self.n_saved,
            folder=str(self.folder),
            sites=sites_with_corrections(self.pages),
            without_site=[page.url for page in self.pages if not site_of(page.url)],
        )

    def page(self, number: int) -> str:
        """The page as HTML; raises :exc:`NotThere` for a number that none has."""
        page = self._find(number)
        content = page.content
        window = choose_window(content.document, content.main)
        return _render(
            "page.html",
            page=page,
            number=number - 1,
            n_pages=len(self.pages),
            n_saved=self.n_saved,
            direction=find_direction(content),
            window=window,
            panes={"parts": annotate(content, window)},
            state=json.dumps(_state(page)),
            fields=FIELDS,
            records=RECORDS,
            field_keys=_choose_keys((*FIELDS, *RECORDS)),
        )

    def text(self, number: int, data: object) -> dict[str, str]:
        """The main content of a page as it would be saved with *data*."""
        page = self._find(number)
        correction = Correction.parse(data, page.content.document.n_blocks)
        return {"text": page.corrected_text(correction)}

    def save(self, number: int, data: object) -> dict[str, str]:
        """Save the correction of a page; return the path to go on at, from a page's.

        Raises :exc:`NotThere` for a number that no page has, ``ValueError`` for data
        that are not a correction of it, and ``OSError`` if nothing can be saved.
        """
        page = self._find(number)
        correction = Correction.parse(data, page.content.document.n_blocks)
        save_page(self.folder, page, correction)
        page.correction = correction
        others = [*range(number + 1, len(self.pages) + 1), *range(1, number)]
        left = (k for k in others if self.pages[k - 1].correction is None)
        following = next(left, None)
        return {"next": "../" if following is None else f"../page/{following}"}

    def rules(self, site: str) -> str:
        """The rules for a site as HTML; raises :exc:`NotThere` without corrections."""
        proposal, problem = None, ""
        try:
            proposal = self._propose(site)
        except ValueError as error:
            problem = str(error)
        return _render("rules.html", site=site, proposal=proposal, problem=problem)

    def try_rules(self, site: str, data: object) -> dict[str, str]:
        """What the text of edited rules does to the pages, as HTML.

        Raises :exc:`NotThere` without corrections, ``ValueError`` for other data.
        """
        proposal = self._propose(site, _text_of(data))
        return {"html": _render("preview.html", proposal=proposal)}

    def write_rules(self, site: str, data: object) -> dict[str, str]:
        """Write the text of the rules for a site; return what to do next.

        Raises as :meth:`try_rules`, and ``OSError`` if nothing can be written.
        """
        self._propose(site, _text_of(data)).write()
        folder = self.rules_folder.as_posix()
        setting = f'In the settings of the project: MAINPAGE_RULES = "{folder}"'
        return {"message": f"Written. {setting}"}

    def style(self) -> str:
        """The style sheet: the report's, then that of the tools."""
        return make_style() + _read("correct.css")

    def script(self) -> str:
        """The script of the pages."""
        return _read("correct.js")

    def end(self, data: object) -> dict[str, str]:
        """End, with nothing to send: the page is to be closed."""
        self.is_ended = True
        return {"message": "Ended. This page can be closed."}

    def _propose(self, site: str, text: str | None = None) -> RuleProposal:
        if site not in sites_with_corrections(self.pages):
            raise NotThere(site)
        where = self.rules_folder, self.extractor
        return propose_rules(self.pages, site, *where, text)

    def _find(self, number: int) -> PageToCorrect:
        if not 0 < number <= len(self.pages):
            raise NotThere(number)
        return self.pages[number - 1]


def _text_of(data: object) -> str:
    if isinstance(data, dict) and isinstance(text := data.get("text"), str):
        return text
    raise ValueError("no text of rules")


def read_source(
    source: str, response: Response | str | None, extractor: Extractor, site: str
) -> PageToCorrect | str:
    """The page of a URL with its response, or of a file; or why there is none.

    A *response* may be a text that says why it is missing.
    """
    try:
        if response is None:
            return read_file(source, extractor, site)
        if isinstance(response, str):
            return response
        return read_response(response, extractor)
    except CorrectionError as error:
        return str(error)


def read_response(response: Response, extractor: Extractor) -> PageToCorrect:
    """The page of a response; raises :exc:`CorrectionError` if it has none."""
    if response.status >= 400:
        raise CorrectionError(f"{response.url}: HTTP status {response.status}")
    if not isinstance(response, HtmlResponse):
        raise CorrectionError(f"{response.url} is not an HTML document")
    return PageToCorrect.read(response.url, response.body, response.text, extractor)


def read_file(source: str, extractor: Extractor, site: str = "") -> PageToCorrect:
    """The page of an HTML file, under the address that it declares.

    Where it declares none the page is one of the *site*, or has the file's address.
    Raises :exc:`CorrectionError` if it cannot be read or has no text.
    """
    path = Path(file_uri_to_path(source) if source.startswith("file://") else source)
    try:
        body = path.read_bytes()
    except OSError as error:
        raise CorrectionError(f"{source}: {error.strerror or error}") from None
    page = PageToCorrect.read(path.absolute().as_uri(), body, None, extractor)
    declared = page.page.metadata.canonical_url or ""
    if not declared.startswith(("http://", "https://")):
        declared = f"https://{site}/{quote(path.name)}" if site else ""
    return PageToCorrect.read(declared, body, None, extractor) if declared else page


def _choose_keys(names: Iterable[str]) -> dict[str, str]:
    """A key for each of the *names*: its first letter that none before it has."""
    keys: dict[str, str] = {}
    for name in names:
        free = (key for key in f"{name}{ascii_lowercase}" if key not in keys.values())
        keys[name] = next(free)
    return keys


def _read(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def _render(template: str, **values: Any) -> str:
    assert __package__ is not None
    return make_environment(__package__).get_template(template).render(values)


def _state(page: PageToCorrect) -> dict[str, Any]:
    """What the script knows of the page: a value per block, and what is saved."""
    content, known = page.content, page.correction
    main = content.main if known is None else known.main
    labels = [content.label(block) for block in range(len(main))]
    return {
        "main": main.astype(int).tolist(),
        "before": content.main.astype(int).tolist(),
        "labels": [LABELS.index(label) for label in labels],
        "names": [label.value for label in LABELS],
        "groups": {label.value: group_of(label) for label in LABELS},
        "alike": number_alike(content.document),
        "records_of": RECORDS,
        "records": find_records(content.document),
        "fields": known.fields if known else {},
        "marked": known.records if known else {},
        "saved": known is not None,
    }


def number_alike(document: Document) -> tuple[list[int], list[int]]:
    """Numbers of blocks, the same for those of one path of tags; with classes first.

    Numbers in classes, and classes that say a state or a position, do not count.
    """
    view = View(document)
    known: dict[object, int] = {}
    paths: list[tuple[int, int]] = []
    for element, above in enumerate(view.parent):
        before = paths[above] if above >= 0 else (-1, -1)
        steps = view.key(element), view.tag[element]
        named, plain = ((before[k], steps[k]) for k in (0, 1))
        paths.append(
            (known.setdefault(named, len(known)), known.setdefault(plain, len(known)))
        )
    found = [paths[element] for element in document.blocks.element.tolist()]
    return [named for named, _ in found], [plain for _, plain in found]


def find_records(document: Document) -> list[tuple[int, int]]:
    """The blocks of the record around each block, from first to before end.

    A record is the innermost element of several blocks that has a sibling of its kind;
    of a block in none it is the block.
    """
    view = View(document)
    kinds = [(up, view.key(each)) for each, up in enumerate(view.parent)]
    has_text = document.elements.end_block > document.elements.first_block
    counts = Counter(kinds[each] for each in np.flatnonzero(has_text).tolist())
    found = []
    for block, element in enumerate(document.blocks.element.tolist()):
        while element >= 0:
            first, end = view.first_block[element], view.end_block[element]
            if end - first > 1 and counts[kinds[element]] > 1:
                break
            element = view.parent[element]
        found.append((first, end) if element >= 0 else (block, block + 1))
    return found
