"""The rules of one site: selectors of its main content, and the pages they are for."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from ..extraction.page_rules import FIELDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SELECTOR_KEYS: Final = (
    "content", "drop", "title", "author", "date", "posts", "entries"
)  # fmt: skip
"""Keys with selectors."""

TOML: Final = ".toml"

_LISTS: Final = ("hosts", "paths", "unless", *SELECTOR_KEYS)
_IS_XPATH: Final = re.compile(r"\(|\.{0,2}/|@|[a-z-]+(\(|::)")
_EMPTY_PAGE: Final = etree.fromstring("<html><body/></html>")


class RulesError(ValueError):
    """Rules that cannot be used; the message names file, key and selector."""


@dataclass(frozen=True)
class SiteRules:
    """The rules of a site, each a list of CSS selectors or XPath expressions.

    Main content are all text blocks in the elements of ``content`` that are not in
    those of ``drop``. Without ``content`` the algorithm selects it, and ``drop``
    leaves blocks out. ``title``, ``author``, ``date`` and those of ``fields``, such as
    ``{"price": (".price",)}``, override the page's fields by the text of the first
    match; :doc:`/usage/rules` has their names. Each element of ``posts`` is a post of a
    thread, each of ``entries`` an entry of a listing.

    ``hosts`` and ``paths`` are patterns with ``*`` for any text, such as
    ``*.example.com`` and ``/blog/*``; without them the rules are for all hosts, or for
    all paths. They are not for pages with an element that ``unless`` finds: those are
    of another kind. ``name`` is that of the file.
    """

    hosts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    posts: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    name: str = ""
    unless: tuple[str, ...] = ()

    @property
    def selectors(self) -> Iterator[tuple[str, str]]:
        """The key and the text of each selector."""
        lists = {key: getattr(self, key) for key in SELECTOR_KEYS} | dict(self.fields)
        for key, selectors in lists.items():
            for selector in selectors:
                yield key, selector

    def check(self) -> None:
        """Raise :exc:`RulesError`: no selector, an error in one, an unknown name."""
        if not any(self.selectors):
            raise self._error("no selector in it")
        if unknown := sorted(self.fields.keys() - FIELDS.keys()):
            allowed = ", ".join(FIELDS)
            raise self._error(f"[fields]: no field {unknown[0]!r}; allowed: {allowed}")
        _ = self.compiled

    def _error(self, reason: str) -> RulesError:
        return RulesError(f"{self.name}: {reason}".removeprefix(": "))

    def describe(self, key: str, selector: str) -> str:
        """A rule as pages name it: ``example.com.toml: content = .story``."""
        return f"{self.name}: {key} = {selector}".removeprefix(": ")

    @cached_property
    def compiled(self) -> dict[str, etree.XPath]:
        """The compiled selectors. Raises :exc:`RulesError` for one with an error."""
        every = [*self.selectors, *(("unless", each) for each in self.unless)]
        return {selector: self._compile(key, selector) for key, selector in every}

    def _compile(self, key: str, selector: str) -> etree.XPath:
        text = selector.strip()
        try:
            is_xpath = _IS_XPATH.match(text)
            path = text if is_xpath else HTMLTranslator().css_to_xpath(text)
            compiled = etree.XPath(path, smart_strings=False)
            compiled(_EMPTY_PAGE)  # some errors are found where it is evaluated
        except (SelectorError, NotImplementedError, etree.XPathError) as error:
            reason = str(error) or "not a selector"
            raise self._error(f"{key}: {selector!r}: {reason}") from None
        return compiled

    @cached_property
    def failed(self) -> set[str]:
        """The selectors that have failed on a page, each logged once."""
        return set()

    def __getstate__(self) -> dict[str, Any]:
        # Compiled selectors cannot be pickled.
        return {k: v for k, v in vars(self).items() if k in self.__dataclass_fields__}

    def fits(self, url: str | SplitResult) -> bool:
        """Whether the rules are for the page at *url*."""
        try:
            parts = urlsplit(url) if isinstance(url, str) else url
        except ValueError:  # an impossible host
            return False
        host, path = parts.hostname or "", parts.path or "/"
        if self.hosts and not any(fnmatchcase(host, h.lower()) for h in self.hosts):
            return False
        # A path may be written with its letters, as browsers show it.
        forms = (path, unquote(path))
        found = (fnmatchcase(each, glob) for glob in self.paths for each in forms)
        return not self.paths or any(found)


def read_rules(path: str | Path) -> SiteRules:
    """Read the rules in a TOML file.

    Raises :exc:`.RulesError`, whose message names file, key and selector, and
    ``OSError`` for a file that cannot be read.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RulesError(f"{path.name}: not UTF-8: {error.reason}") from None
    return parse_rules(path.name, text)


def parse_rules(name: str, text: str) -> SiteRules:
    """The rules in the *text* of a file; raises :exc:`.RulesError` for a bad one."""
    try:
        rules = _read_toml(name, text)
        rules.check()
    except RulesError:
        raise
    except Exception as error:  # noqa: BLE001 - of readers of TOML and selectors
        raise RulesError(f"{name}: {error}") from None
    return rules


def write_rules(rules: SiteRules, path: str | Path) -> None:
    """Write *rules* as a TOML file, a line for each selector.

    Raises :exc:`.RulesError` for a selector with an error, or without any.
    """
    rules.check()
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_rules(rules), "utf-8")


def format_rules(rules: SiteRules) -> str:
    """*rules* as the text of a TOML file."""
    lines: list[str] = []
    for key in _LISTS:
        lines += _format_list(key, getattr(rules, key))
    if rules.fields:
        lines += ["[fields]"] if not lines else ["", "[fields]"]
    for name, values in rules.fields.items():
        lines += _format_list(f'"{name}"' if "." in name else name, values)
    return "\n".join(lines) + "\n"


def _format_list(key: str, values: tuple[str, ...]) -> list[str]:
    indent = 4 if len(values) > 1 else None
    text = json.dumps(values, ensure_ascii=False, indent=indent)
    # TOML knows the escapes of JSON, and allows no DEL.
    return [f"{key} = {text}".replace("\x7f", "\\u007f")] if values else []


def _read_toml(name: str, text: str) -> SiteRules:
    data = tomllib.loads(text)
    known = (*_LISTS, "fields")
    if unknown := sorted(data.keys() - set(known)):
        allowed = ", ".join(known)
        raise RulesError(f"{name}: no key {unknown[0]!r}; allowed: {allowed}")
    fields = _read_fields(name, data.pop("fields", {}))
    lists: dict[str, Any] = {k: _texts(name, k, value) for k, value in data.items()}
    return SiteRules(**lists, fields=fields, name=name)


def _read_fields(name: str, data: Any) -> dict[str, tuple[str, ...]]:
    """The selectors of ``[fields]``, where ``product.price`` may be a table, too."""
    if not isinstance(data, dict):
        raise RulesError(f"{name}: fields must be a table, [fields]")
    found: dict[str, tuple[str, ...]] = {}
    for key, value in data.items():
        table = value if isinstance(value, dict) else {"": value}
        paths = {f"{key}.{own}".rstrip("."): each for own, each in table.items()}
        found |= {k: _texts(name, f"[fields]: {k}", v) for k, v in paths.items()}
    return found


def _texts(name: str, key: str, value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if isinstance(values, list) and all(isinstance(each, str) for each in values):
        return tuple(values)
    raise RulesError(f"{name}: {key} must be a list of strings, not {value!r:.60}")
