"""The rules of one site: selectors of its main content, and the pages they are for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

SELECTOR_KEYS: Final = ("content", "drop", "title", "author", "date")
"""Fields with selectors."""

_IS_XPATH: Final = re.compile(r"\(|\.{0,2}/|@|[a-z-]+(\(|::)")
_EMPTY_PAGE: Final = etree.fromstring("<html><body/></html>")


class RulesError(ValueError):
    """Rules that cannot be used; the message names file, key and selector."""


@dataclass(frozen=True)
class SiteRules:
    """The rules of a site, each a list of CSS selectors or XPath expressions.

    Main content are all text blocks in the elements of ``content`` that are not in
    those of ``drop``; with ``first_match`` in those of the first selector of
    ``content`` that matches. Without ``content`` the algorithm selects it, and ``drop``
    leaves blocks out. ``title``, ``author`` and ``date`` override the metadata by the
    text of the first match.

    ``hosts`` and ``paths`` are patterns with ``*`` for any text, such as
    ``*.example.com`` and ``/blog/*``; without them the rules are for all hosts, or for
    all paths. ``name`` is that of the file.
    """

    hosts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    first_match: bool = False
    name: str = ""

    @property
    def selectors(self) -> Iterator[tuple[str, str]]:
        """The field and the text of each selector."""
        for key in SELECTOR_KEYS:
            for selector in getattr(self, key):
                yield key, selector

    def check(self) -> None:
        """Raise :exc:`RulesError` for a selector with an error, or without any."""
        if not any(self.selectors):
            raise RulesError(f"{self.name}: no selector in it")
        _ = self.compiled

    @cached_property
    def compiled(self) -> dict[str, etree.XPath]:
        """The compiled selectors. Raises :exc:`RulesError` for one with an error."""
        return {
            selector: self._compile(key, selector) for key, selector in self.selectors
        }

    def _compile(self, key: str, selector: str) -> etree.XPath:
        try:
            return compile_selector(selector)
        except ValueError as error:
            message = f"{self.name}: {key}: {selector!r}: {error}"
            raise RulesError(message.removeprefix(": ")) from None

    def __getstate__(self) -> dict[str, Any]:
        # Compiled selectors cannot be pickled.
        return {k: v for k, v in vars(self).items() if k in self.__dataclass_fields__}

    def fits(self, url: str | SplitResult) -> bool:
        """Whether the rules are for the page at *url*."""
        try:
            parts = urlsplit(url) if isinstance(url, str) else url
        except ValueError:  # an impossible host
            return False
        host, path = self._patterns
        return bool(
            (host is None or host.fullmatch(parts.hostname or ""))
            and (path is None or path.fullmatch(parts.path or "/"))
        )

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
        hosts = tuple(host.lower() for host in self.hosts)
        return _any_of(hosts), _any_of(self.paths)


def _any_of(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile("|".join(map(translate, globs))) if globs else None


def compile_selector(selector: str) -> etree.XPath:
    """Compile a CSS selector or an XPath expression.

    XPath begins with ``/``, ``./``, ``(``, ``@``, a function or an axis. Raises
    ``ValueError`` for one with an error.
    """
    try:
        xpath = selector.strip()
        if not _IS_XPATH.match(xpath):
            xpath = HTMLTranslator().css_to_xpath(xpath)
        compiled = etree.XPath(xpath, smart_strings=False)
        compiled(_EMPTY_PAGE)
    except (SelectorError, NotImplementedError, etree.XPathError) as error:
        raise ValueError(str(error) or "not a selector") from None
    return compiled
