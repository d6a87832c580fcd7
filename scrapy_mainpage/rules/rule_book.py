"""The rules of many sites in a folder, and what those of one match on a page."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from ..addresses import parts_of
from ..extraction.document.document import OtherTree, number_elements
from ..extraction.document.schema import HEADING_SHIFT
from ..extraction.metadata.plaintext import clean, element_text
from ..extraction.page_rules import (
    BAD_RULES,
    FIELDS,
    MISSED,
    OTHER_ELEMENTS,
    PRODUCT,
    RECORDS,
    RULE_MISSED,
    RULE_TOO_COSTLY,
    RuleMatch,
    is_other_kind,
)
from .site_rules import TOML, RulesError, SiteRules, read_rules

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Mask

logger = logging.getLogger(__name__)

MAX_TIME: Final = 0.2
"""Share of a page's time that the selectors of its rules may take."""

MAX_VALUES: Final = 5
"""Nodes that are tried for one text."""

_VALUE_ATTRIBUTES: Final = {"meta": "content", "time": "datetime", "data": "value"}
_STRUCK: Final = ("del", "s", "strike")
_NOT_STRUCK: Final = etree.XPath(
    f".//text()[not({' or '.join(f'ancestor::{tag}' for tag in _STRUCK)})]",
    smart_strings=False,
)
_STRING: Final = etree.XPath("string()", smart_strings=False)


class RuleBook:
    """The rules in a folder, by host; or those of one file, or given ones, for any.

    ``example.com.toml`` is for the host ``example.com`` and the hosts below it, such as
    ``www.example.com``; so is ``example.com+NAME.toml``, for another kind of page.
    Of the files for a page the first that fits counts: the one with the longest host,
    with ``paths`` before one without.

    A file with an error, or named ``.txt``, is logged once, and the others count. The
    folder is listed once: files that are added to it later are not seen. Raises
    ``OSError`` for a folder or file that cannot be read, :exc:`.RulesError` for a
    single file with an error.
    """

    def __init__(self, source: str | Path | SiteRules) -> None:
        self._files: dict[str, list[Path]] = defaultdict(list)
        self._sites: dict[str, list[SiteRules | None]] = {}
        """The rules of each file by host, ``None`` for one with an error."""
        self._only: SiteRules | None = None
        if isinstance(source, SiteRules):
            source.check()
            self._only = source
        elif Path(source).is_file():
            self._only = read_rules(source)
        else:
            self._list(Path(source))

    def _list(self, folder: Path) -> None:
        for path in sorted(folder.iterdir()):
            if path.suffix == TOML:
                self._files[_host(path)].append(path)
            elif path.suffix == ".txt":
                message = {"message": f"{path.name}: not a {TOML} file"}
                logger.warning("Rules left out: %(message)s", message)

    def match(
        self, root: _Element, document: Document, url: str | None
    ) -> RuleMatch | None:
        """Match the rules for *url*; ``None`` without any."""
        other, has_errors = None, False
        for rules in self._candidates(url):
            match = match_rules(rules, root, document) if rules else None
            if match and not any(map(is_other_kind, match.rules)):
                return match
            other, has_errors = other or match, has_errors or rules is None
        return RuleMatch(warnings=(BAD_RULES,)) if has_errors else other

    def _candidates(self, url: str | None) -> Iterator[SiteRules | None]:
        """The rules that fit, the best first; ``None`` for each file with an error."""
        parts = parts_of(url)
        host = parts.hostname or ""
        if self._only and (url is None or self._only.fits(parts)):
            yield self._only
        while host:
            if host in self._files:
                for rules in self._load(host):
                    if rules is None or rules.fits(parts):
                        yield rules
            host = host.partition(".")[2]

    def _load(self, host: str) -> list[SiteRules | None]:
        if host not in self._sites:
            read = [_read(path) for path in self._files[host]]
            read.sort(key=lambda rules: rules is None or not rules.paths)
            self._sites[host] = read
        return self._sites[host]


def _host(path: Path) -> str:
    """The host that a file is for: ``example.com+blog.toml`` is for ``example.com``."""
    return path.stem.partition("+")[0].removeprefix(".").lower()


def _read(path: Path) -> SiteRules | None:
    try:
        return read_rules(path)
    except (OSError, RulesError) as error:
        logger.warning("Rules left out: %(error)s", {"error": error})
        return None


class TooCostly(Exception):
    """The selectors of a file take too long on a page."""


def match_rules(rules: SiteRules, root: _Element, document: Document) -> RuleMatch:
    """Match *rules* on the page with the tree *root*, read into *document*.

    A page of another kind has nothing but the name of the rule that says so.

    Content without text, or with nothing but headings, is a miss: then the algorithm
    decides alone, without what is to be dropped. It also does where selectors take too
    long, and where the tree is not the one that was read.
    """
    try:
        return _Match(rules, root, document).result()
    except TooCostly:
        return RuleMatch(warnings=(RULE_TOO_COSTLY,))
    except OtherTree:
        return RuleMatch(warnings=(OTHER_ELEMENTS,))


def elements_in(found: Iterable[object]) -> list[_Element]:
    """The elements among the nodes and texts that a selector finds."""
    nodes = (node for node in found if isinstance(node, etree._Element))
    return [node for node in nodes if isinstance(node.tag, str)]


class _Match:
    """What the selectors of rules find on a page, and what this says about it."""

    def __init__(self, rules: SiteRules, root: _Element, document: Document) -> None:
        self.rules, self.root, self.document = rules, root, document
        self._left = MAX_TIME * document.budget.limits.max_time
        self._found: dict[str, list[object]] = {}
        self._numbers: dict[_Element, int] = {}
        self._elements: dict[str, list[int]] = {}

    def result(self) -> RuleMatch:
        """The match; its selectors are evaluated as long as there is time."""
        if other := next(filter(self._select, self.rules.unless), None):
            return RuleMatch(rules=(self.rules.describe("unless", other),))
        self._found = {each: self._select(each) for _, each in self.rules.selectors}
        nodes = (node for found in self._found.values() for node in elements_in(found))
        numbers = self._numbers = number_elements(self.root, self.document, nodes)
        self._elements = {
            each: [numbers[node] for node in elements_in(found) if node in numbers]
            for each, found in self._found.items()
        }
        return self._decide()

    def _select(self, selector: str) -> list[object]:
        """The nodes and texts that a selector finds; none if it fails, or says no."""
        started = thread_time()
        try:
            found = self.rules.compiled[selector](self.root)
        except etree.XPathError as error:
            # XPath finds an unknown prefix or function where a page has it evaluated.
            self._warn(selector, str(error))
            return []
        self._left -= (seconds := thread_time() - started)
        if self._left < 0:
            self._warn(selector, f"{seconds:.1f} s on a page, without its rules now")
            raise TooCostly
        return list(found) if isinstance(found, list) else [found] * bool(found)

    def _warn(self, selector: str, reason: str) -> None:
        """Log that a selector fails, once for all pages."""
        if selector not in self.rules.failed:
            self.rules.failed.add(selector)
            keys = (key for key, each in self.rules.selectors if each == selector)
            name = self.rules.describe(next(keys, "unless"), selector)
            logger.warning("Rule fails: %(message)s", {"message": f"{name}: {reason}"})

    def _decide(self) -> RuleMatch:
        """The main content, the fields and the records."""
        rules, document = self.rules, self.document
        inside, dropped = self._gather(rules.content), self._gather(rules.drop)
        main = cover_blocks(document, inside, dropped) if inside else None
        fields, decided = self._read_fields()
        records, named = self._find_records()
        decided += named
        if rules.content and (main is None or not _has_text(document, main)):
            said = (rules.describe(MISSED, "content"), *decided)
            return RuleMatch(None, None, fields, said, (RULE_MISSED,), records=records)
        drop = cover_blocks(document, dropped) if main is None and dropped else None
        used = [("content", each) for each in rules.content]
        used += [("drop", each) for each in rules.drop]
        said = tuple(rules.describe(*each) for each in used if self._elements[each[1]])
        # Where nothing matches the file is named: its pages are counted.
        said = said + decided or tuple(filter(None, [rules.name]))
        return RuleMatch(main, drop, fields, said, records=records)

    def _gather(self, selectors: Iterable[str]) -> list[int]:
        return [number for each in selectors for number in self._elements[each]]

    def _find_records(self) -> tuple[dict[str, list[int]], tuple[str, ...]]:
        """The elements of posts and entries, and the selectors that gave them."""
        records: dict[str, list[int]] = {}
        decided: tuple[str, ...] = ()
        for key in RECORDS:
            own = [css for css in getattr(self.rules, key) if self._elements[css]]
            if known := _with_text(self.document, self._gather(own), key == "posts"):
                records[key] = known
                decided += tuple(self.rules.describe(key, css) for css in own)
        return records, decided

    def _read_fields(self) -> tuple[dict[str, str], tuple[str, ...]]:
        """The texts of fields, and which selector gave each: the first with a text."""
        texts: dict[str, str] = {}
        decided: list[str] = []
        for key, selector in self.rules.selectors:
            name = FIELDS.get(key)
            if name is None or name in texts:
                continue
            nodes = self._found[selector][:MAX_VALUES]
            read = self._read_price if name == "product.price" else self._read_text
            text = next(filter(None, map(read, nodes)), None)
            if text and (not name.startswith(PRODUCT) or self._is_single(nodes)):
                texts[name] = text
                decided.append(self.rules.describe(key, selector))
        return texts, tuple(decided)

    def _is_single(self, nodes: Sequence[object]) -> bool:
        """Whether a match is not one of several records, as the cards of a listing."""
        pair = elements_in(nodes)[:2]
        if len(pair) < 2 or _STRING(pair[0]) == _STRING(pair[1]):
            return True
        known = [self._numbers[node] for node in pair if node in self._numbers]
        return len(set(self.document.kinds[known].tolist())) == len(pair)

    def _read_text(self, node: object) -> str | None:
        if not isinstance(node, etree._Element):
            return clean(node)
        is_element = isinstance(node.tag, str)
        attribute = _VALUE_ATTRIBUTES.get(node.tag) if is_element else None
        if attribute and (value := clean(node.get(attribute))):
            return value
        number = self._numbers.get(node)
        text = "" if number is None else element_text(self.document, number)
        return text or clean(_STRING(node))

    def _read_price(self, node: object) -> str | None:
        """The text of a node without prices that are struck through in it."""
        text = None
        if isinstance(node, etree._Element) and any(True for _ in node.iter(*_STRUCK)):
            found = _NOT_STRUCK(node)
            text = clean("".join(map(str, found))) if isinstance(found, list) else None
        return text or self._read_text(node)


def _with_text(document: Document, elements: Iterable[int], nested: bool) -> list[int]:
    """The *elements* with text, in order.

    Of those in another, such as replies, only *nested* ones that text stands before.
    """
    columns, kept, end, last = document.elements, list[int](), 0, -1
    for number in sorted(set(elements)):
        first = int(columns.first_block[number])
        has_text = columns.end_block[number] > first
        if has_text and (number >= end or (nested and first > last)):
            kept.append(number)
            end, last = max(end, int(columns.end[number])), first
    return kept


def cover_blocks(
    document: Document, inside: Iterable[int], outside: Iterable[int] = ()
) -> Mask:
    """The text blocks most of whose text is in elements *inside*, not in *outside*."""
    runs, elements = document.runs, document.elements
    chosen = np.zeros(len(runs.block), bool)
    for numbers, value in ((inside, True), (outside, False)):
        for number in numbers:
            chosen[elements.first_run[number] : elements.end_run[number]] = value
    shown = runs.block >= 0
    # An image has no text, and counts as a letter.
    length = np.maximum((runs.end - runs.start)[shown], 1)
    total = np.bincount(runs.block[shown], length, document.n_blocks)
    own = np.bincount(runs.block[shown], length * chosen[shown], document.n_blocks)
    mask: Mask = own > total / 2
    return mask


def _has_text(document: Document, main: Mask) -> bool:
    is_text = main & (document.blocks.words > 0)
    return bool((is_text & (document.blocks.flags >> HEADING_SHIFT == 0)).any())
