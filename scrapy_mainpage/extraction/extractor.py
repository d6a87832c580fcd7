"""The extraction pipeline: HTML or a tree to a :class:`~scrapy_mainpage.page.Page`."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from lxml import etree

from ..page import Page
from ._choice_rules import mend_choice
from .algorithms import DEFAULT_ALGORITHM, Algorithm, get_algorithm
from .declared import Declared
from .declared.fields import META
from .declared.lines import with_declared_lines
from .document.document import Document, read_tree
from .embedded import supplement
from .output._main_tree import complete_units
from .output._signs import Signs
from .output.text import make_writer, write_text
from .page_rules import NO_MATCH, OTHER_ELEMENTS, RULE_MISSED
from .page_warnings import (
    ENCODING_SUSPECT,
    find_challenge,
    find_navigation,
    find_page_kind,
    find_unread_text,
)
from .parsing.budget import Budget
from .parsing.encoding import UTF_8, decode_page, to_utf8
from .parsing.tree import (
    DEPTH,
    EMPTY,
    NO_MAIN_CONTENT,
    NO_TEXT,
    TIME,
    TOO_LARGE,
    BoundedHtml,
    Limits,
    is_streamed,
    later_roots,
    parse_html,
)
from .records.choice import PageKind, Parts
from .records.parts import complete_parts
from .result import Draft, Extraction
from .title_rule import ALWAYS, AUTO, TITLE_RULES, TitleFinder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lxml.etree import _Element

    from .algorithms.algorithm import Mask, Selection
    from .document.layout import Layout
    from .page_rules import PageRules, RuleMatch
    from .records.post_templates import PostTemplates


class Extractor:
    """Extracts pages with one algorithm, without state between pages.

    *algorithm* is a name (see
    :func:`~scrapy_mainpage.extraction.algorithms.available`), the import path of an
    ``Algorithm`` subclass, or an instance; *options* are the algorithm's own. Raises
    :exc:`~scrapy_mainpage.extraction.algorithms.AlgorithmError` for an unknown name or
    option. With *structured_data* a page with little text is supplemented from its
    embedded data (see :mod:`.embedded`). *title_in_text* says whether the title stands
    in the text: ``"auto"`` (the page's own heading does), ``"always"`` or ``"never"``.
    *limits* bound the cost of a page. With *detect_encoding* a declared encoding that
    makes a page's text unlikely is replaced by the detected one. *rules* are those of
    sites, which decide before the algorithm.
    """

    def __init__(
        self,
        algorithm: str | Algorithm = DEFAULT_ALGORITHM,
        options: Mapping[str, Any] | None = None,
        *,
        structured_data: bool = True,
        title_in_text: str = AUTO,
        limits: Limits | None = None,
        detect_encoding: bool = False,
        rules: PageRules | None = None,
    ) -> None:
        if title_in_text not in TITLE_RULES:
            message = f"title_in_text={title_in_text!r}; allowed: "
            raise ValueError(message + ", ".join(TITLE_RULES))
        if not isinstance(algorithm, Algorithm):
            algorithm = get_algorithm(algorithm, options)
        self.algorithm = algorithm
        self.structured_data = structured_data
        self.title_in_text = title_in_text
        self.limits = limits or Limits()
        self.detect_encoding = detect_encoding
        self.rules = rules
        self.post_templates: PostTemplates | None = None  # that a crawl keeps
        self.warnings: tuple[str, ...] = ()  # that every page has, after its own

    def extract(
        self, html: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Extract a page from *html*.

        Bytes are decoded by their byte order mark, *encoding* (from a server's header),
        the page's own declaration, or detection, in this order. A page with nothing to
        parse is empty and has a warning.
        """
        return self.extract_bounded(self.bound(html, encoding), url=url)

    def bound(self, html: bytes | str, encoding: str | None = None) -> BoundedHtml:
        """Decode *html* and return it as it may be parsed."""
        if not isinstance(html, bytes | str):
            raise TypeError(_say_what_to_extract(html))
        if len(html) > self.limits.max_size:
            return BoundedHtml(b"", (TOO_LARGE,))
        page, is_suspect = decode_page(html, encoding, detect=self.detect_encoding)
        bounded = self.limits.bound(page)
        if not is_suspect:
            return bounded
        return bounded._replace(reasons=(*bounded.reasons, ENCODING_SUSPECT))

    def extract_bounded(self, bounded: BoundedHtml, *, url: str | None = None) -> Page:
        """Extract the page that :meth:`bound` returned."""
        html, reasons = bounded
        if TOO_LARGE in reasons:
            return Page.empty(url, TOO_LARGE)
        if not html:
            return Page(url, "", "", warnings=(EMPTY, *reasons))
        budget = Budget(self.limits, len(html))
        root = parse_html(html)
        document = self._read_tree(root, budget)
        if self._is_too_deep(document):
            html, flat_reasons = self.limits.flatten(html)
            reasons = (*reasons, *flat_reasons)
            root = parse_html(html)
            document = self._read_tree(root, budget)
        return self._finish(document, root, url, None, reasons)

    def extract_tree(
        self,
        root: _Element,
        *,
        url: str | None = None,
        layout: Layout | None = None,
        source: Callable[[], bytes | str] | None = None,
    ) -> Page:
        """Extract a page from the root of its tree, which is only read.

        *layout* belongs to this tree, element by element; it is ignored if the tree has
        changed since. *source* returns the HTML of the tree: its size bounds the work,
        and a page whose tree is too deep or was cut off by the parser is extracted from
        there.
        """
        html = source() if source else etree.tostring(root, encoding="utf-8")
        document = self._read_tree(root, Budget(self.limits, len(html)))
        reasons: tuple[str, ...] = ()
        if source is not None:
            if later_roots(root) or is_streamed(html):
                return self.extract_bounded(self.bound(source(), UTF_8), url=url)
            if bounded := self._bound_source(document, source):
                return self.extract_bounded(bounded, url=url)
        if self._is_too_deep(document):
            reasons = (DEPTH,)
        if layout is not None and layout.n_elements != document.n_elements:
            layout, reasons = None, (*reasons, OTHER_ELEMENTS)
        return self._finish(document, root, url, layout, reasons)

    def _bound_source(
        self, document: Document, source: Callable[[], bytes | str]
    ) -> BoundedHtml | None:
        """The HTML to extract instead of a tree that exceeds a limit."""
        if self._is_too_deep(document):
            return self.limits.flatten(to_utf8(source(), UTF_8))
        if document.n_elements > self.limits.max_elements:
            # A parser adds some elements of its own, which do not count.
            bounded = self.limits.bound(to_utf8(source(), UTF_8))
            return bounded if bounded.reasons else None
        return None

    def _read_tree(self, root: _Element, budget: Budget) -> Document:
        every = self.algorithm.reads_all_attributes
        return read_tree(root, budget, all_attributes=every)

    def _is_too_deep(self, document: Document) -> bool:
        return document.max_depth > self.limits.tree_depth

    def _finish(
        self,
        document: Document,
        root: _Element,
        url: str | None,
        layout: Layout | None,
        reasons: tuple[str, ...],
    ) -> Page:
        budget = document.budget
        budget.elements -= document.n_elements
        if budget.is_over:
            warnings = (TIME, *reasons, *self.warnings)
            return Page(url, "", self.algorithm.name, warnings=warnings)
        match = self.rules.match(root, document, url) if self.rules else None
        match = match or NO_MATCH
        draft = self.draft(document, url, layout, match)
        draft.warnings += find_challenge(document, root)
        draft.warnings += find_unread_text(document, root)
        is_ruled = match.content is not None and RULE_MISSED not in draft.warnings
        if self.structured_data and not is_ruled:
            supplement(draft, root)
        reasons = (*budget.reasons, *reasons)
        if not draft.text and not _WHY_EMPTY.intersection((*draft.warnings, *reasons)):
            reasons = (*reasons, NO_MAIN_CONTENT)
        found = dict.fromkeys((*draft.warnings, *reasons))
        draft.warnings = (*found, *self.warnings)
        budget.pause()
        return draft.make_page()

    def extract_document(
        self,
        document: Document,
        *,
        url: str | None = None,
        layout: Layout | None = None,
        root: _Element | None = None,
    ) -> Page:
        """Extract a page from a document, without embedded data.

        Rules of sites decide if the *root* of its tree is given.

        Raises :exc:`~scrapy_mainpage.extraction.algorithms.LayoutRequired` if the
        algorithm needs a *layout* and gets none.
        """
        match = (
            self.rules and root is not None and self.rules.match(root, document, url)
        )
        return self.draft(document, url, layout, match or NO_MATCH).make_page()

    def draft(
        self,
        document: Document,
        url: str | None,
        layout: Layout | None,
        match: RuleMatch = NO_MATCH,
    ) -> Draft:
        """What a document says about its page; *match* is what rules of its site do."""
        selection = self.algorithm.judge(document, layout)
        declared, title = Declared(document, url), None
        titles, signs = TitleFinder(document), document.once(Signs)
        types = cache(partial(self.algorithm.page_types, document, selection.scores))
        chosen = self._select(declared, selection, titles, types, match)
        main = chosen.main & ~signs.silent_blocks
        if self.title_in_text == ALWAYS:
            title = _missing_title(declared, main, titles)
        if title is not None:
            title = match.fields.get("title", title)
        content = Extraction(
            document,
            url,
            selection.scores,
            main,
            titles.find_block(main),
            types,
            title=title,
            ruled_fields=match.fields,
            ruled_records=match.records,
            given=declared,
            post_templates=self.post_templates,
            parts=chosen,
            boxes=None if layout is None else layout.boxes(document),
        )
        confidence = selection.confidence if match.content is None else None
        warnings = selection.warnings if match.content is None else ()
        warnings = warnings if document.n_blocks else (NO_TEXT,)
        text = write_text(document, main)
        warnings += match.warnings + find_page_kind(document, content.words, text)
        warnings += find_navigation(document, main, confidence)
        return Draft(
            content,
            text="\n\n".join(filter(None, (title, text))),
            algorithm=self.algorithm.name,
            words=content.words,
            words_total=int(document.blocks.words.sum()),
            confidence=confidence,
            warnings=warnings,
            rules=match.rules,
        )

    def _select(
        self,
        declared: Declared,
        selection: Selection,
        titles: TitleFinder,
        page_types: Callable[[], dict[str, float]],
        match: RuleMatch,
    ) -> Parts:
        """The main content: the *selection*, or what rules of the site match instead.

        Rules say whether the title is part of it, unless the setting does, and which
        blocks are not, unless no word would be left.
        """
        document = declared.document
        main = selection.main if match.content is None else match.content
        if match.content is None or self.title_in_text != AUTO:
            main = titles.apply(main, self.title_in_text)
        parts = Parts(main)
        if match.content is None and self.algorithm.mends_choice:
            title = titles.find_block(main)

            def describe() -> list[str]:
                return [*declared.meta.all(*META["description"])]

            main = mend_choice(document, main, selection.scores, title, describe)
            page = PageKind(self.algorithm, document, page_types)
            parts = complete_parts(document, declared.url, main, page)
            main = parts.main
            main = with_declared_lines(declared, main)
            main = complete_units(document.once(Signs), main)
        if match.drop is not None:
            rest = main & ~match.drop
            main = rest if document.blocks.words[rest].any() else main
        return parts._replace(main=main)


@cache
def default_extractor() -> Extractor:
    """An extractor without options; another for each page would take 1% of its time."""
    return Extractor()


def _say_what_to_extract(source: object) -> str:
    hints = {
        "css": "use mainpage(response)",
        "read_bytes": "use extract(path.read_bytes())",
        "read": "use extract(file.read())",
    }
    found = (hint for name, hint in hints.items() if hasattr(source, name))
    hint = next(found, "")
    message = f"extract() takes HTML as bytes or str, not {type(source).__name__}"
    return f"{message}: {hint}" if hint else message


def _missing_title(declared: Declared, main: Mask, titles: TitleFinder) -> str | None:
    """The title to write first where no heading of the page is it."""
    if not main.any() or titles.find_heading(main, anywhere=True) is not None:
        return None
    from .metadata.reader import MetadataReader

    return MetadataReader(declared, make_writer(declared.document).block_text).title


_WHY_EMPTY = frozenset({EMPTY, NO_TEXT, TOO_LARGE, TIME})
