"""One sitting of corrections: its pages as HTML, their sources, where they are saved.

A page's own markup is not in its HTML: blocks are text in elements of the report.
"""

from __future__ import annotations

import json
from importlib.resources import files
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse

from ..evaluation.datasets import site_of
from ..extraction.labels import LABELS
from ..extraction.records.view import View
from ..report.annotated_page import annotate, choose_window, group_of
from ..report.page_report import make_environment, make_style
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
    from pathlib import Path

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
            window=window,
            panes={"parts": annotate(content, window)},
            state=json.dumps(_state(page)),
            fields=FIELDS,
            field_keys=_choose_keys(FIELDS),
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
    response: Response | str, extractor: Extractor, site: str
) -> PageToCorrect | str:
    """The page of a response, or why there is none, as a text of the response says.

    That of a file has the address that it declares; where it declares none it is one of
    the *site*, or has the file's address.
    """
    if isinstance(response, str):
        return response
    if not isinstance(response, HtmlResponse):
        return f"{response.url} is not an HTML document"
    url, body = response.url, response.body
    is_file = url.startswith("file:")
    try:
        page = PageToCorrect.read(
            url, body, None if is_file else response.text, extractor
        )
        declared = page.page.metadata.canonical_url or ""
        if not declared.startswith(("http://", "https://")):
            name = url.rpartition("/")[2]
            declared = f"https://{site}/{name}" if site else url
        if is_file and declared != url:
            return PageToCorrect.read(declared, body, None, extractor)
        return page
    except CorrectionError as error:
        return str(error)


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
        "fields": known.fields if known else {},
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
