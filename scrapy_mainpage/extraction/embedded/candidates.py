"""Candidate texts in the values of a page's data, and the main content among them.

Data holds much beside the text: other articles, translations of the interface,
settings. The object that has the page's title, or else the group of texts (of one path,
places in lists left out) with the most words, shows where the content is; only what
stands with it is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..title_rule import letters
from ..vocabulary import read_words
from .prose import (
    MIN_PROSE_CHARACTERS,
    MIN_PROSE_WORDS,
    TEXT_WORK,
    as_html,
    count_words,
    is_prose,
    plain_text,
)
from .rich_text import is_rich_text, write_rich_text
from .values import MIN_CHARACTERS, JsonScanner, is_flattened, unflatten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lxml.etree import _Element

    from ..parsing.budget import Budget

    Path = tuple[str, ...]
    Entry = tuple[Any, Path, str | None, tuple[int, ...]]

NODE_WORK: Final = 100
MAX_LEVELS: Final = 100
MAX_CANDIDATES: Final = 2_000
MAX_TITLE_CHARACTERS: Final = 500
MAX_KEY_CHARACTERS: Final = 100

MIN_TITLED_WORDS: Final = 25
"""Words of the texts that stand with the page's title."""

MIN_UNTITLED_WORDS: Final = 100
MIN_UNTITLED_SHARE: Final = 0.6
"""Words of the longest text, and its share, where the title is nowhere."""

_CONTAINERS: Final = frozenset({dict, list})
_KEY_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, eq=False)
class Candidate:
    """A text in the data: its path, its HTML, its words, the element that holds it.

    ``objects`` are the numbers of the objects around it, the outermost first.
    """

    path: Path
    objects: tuple[int, ...]
    html: str
    words: int
    origin: _Element

    @property
    def group(self) -> Path:
        """The path without the places in lists."""
        return tuple(key for key in self.path if key != "*")

    @property
    def names_content(self) -> bool:
        """Whether a key near the text names content."""
        words = read_words("json_keys")["content"]
        return any(
            not words.isdisjoint(_parts(key[:MAX_KEY_CHARACTERS]))
            for key in self.path[-3:]
        )


@lru_cache(maxsize=4096)
def _read_key(key: str) -> tuple[bool, bool]:
    """Whether *key* names a title, and whether it names anything but content."""
    words = read_words("json_keys")
    return key.lower() in words["title"], not words["other"].isdisjoint(_parts(key))


def _parts(key: str) -> list[str]:
    """A key and the words in it: ``articleBody`` has two."""
    return [key.lower(), *(part.lower() for part in _KEY_WORD.findall(key))]


class CandidateCollector:
    """Collects texts out of values: prose, and rich text as HTML.

    *title* gives the page's title, once there is data. ``references`` maps strings of
    the data to the texts that they stand for.
    """

    def __init__(
        self,
        scanner: JsonScanner,
        title: Callable[[], str | None],
        budget: Budget,
    ) -> None:
        self.references: Mapping[str, str] = {}
        self.candidates: list[Candidate] = []
        self._scanner, self._budget = scanner, budget
        self._get_title = title
        self._titled: set[int] = set()
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._objects = 0

    @cached_property
    def _title(self) -> str:
        return letters(self._get_title() or "")

    def collect(self, value: Any, origin: _Element) -> None:
        """Collect the texts in *value*, which the element *origin* holds.

        A value that is referred to many times is read once.
        """
        if is_flattened(value):
            value = unflatten(value, self._budget)
        self._kept.append(value)  # identities are good as long as the values live
        stack: list[Entry] = [(value, (), None, ())]
        while stack and self._budget.spend(NODE_WORK):
            node, path, key, objects = stack.pop()
            path = path if key is None else (*path, key)
            if type(node) is str:
                text = self.references.get(node, node)
                is_new = self._is_new(text)
                node = self._read_text(text, path, objects, origin) if is_new else None
            if not node or len(path) > MAX_LEVELS or not self._is_new(node):
                continue
            if path and is_rich_text(node):
                html = write_rich_text(node, self._budget)
                self._add(html, path, objects, origin)
                continue
            if type(node) is dict:
                self._objects += 1
                objects = (*objects, self._objects)
                stack += [
                    (item, path, key, objects)
                    for key, item in reversed(self._open_object(node))
                ]
            else:
                self._budget.spend(NODE_WORK // 5 * len(node))
                stack += [
                    (item, path, "*", objects)
                    for item in reversed(node)
                    if self._may_hold_text(item)
                ]

    def _is_new(self, value: Any) -> bool:
        """Whether *value* was not read before, by identity."""
        if id(value) in self._seen:
            return False
        self._seen.add(id(value))
        return True

    def _may_hold_text(self, item: Any) -> bool:
        if type(item) is str:
            return len(item) >= MIN_PROSE_CHARACTERS or item in self.references
        return bool(item) and type(item) in _CONTAINERS

    def _open_object(self, node: dict[str, Any]) -> list[tuple[str, Any]]:
        """The items that may hold content, by value and key; notes a title."""
        found = []
        self._budget.spend(NODE_WORK // 2 * len(node))
        for key, item in node.items():
            kind = type(item)
            if kind is not str and (not item or kind not in _CONTAINERS):
                continue
            is_title, is_other = _read_key(key[:MAX_KEY_CHARACTERS])
            if kind is str:
                if is_title:
                    self._note_title(item)
                if len(item) < MIN_PROSE_CHARACTERS and item not in self.references:
                    continue
            if not is_other:
                found.append((key, item))
        return found

    def _note_title(self, text: str) -> None:
        if (
            self._title
            and len(text) < MAX_TITLE_CHARACTERS
            and self._budget.spend(TEXT_WORK * len(text))
            and letters(plain_text(text)) == self._title
        ):
            self._titled.add(self._objects)

    def _read_text(
        self, text: str, path: Path, objects: tuple[int, ...], origin: _Element
    ) -> Any:
        """Add a text if it is prose; the value inside of it if it is JSON."""
        if not self._budget.spend(TEXT_WORK * len(text)):
            return None
        if len(text) >= MIN_CHARACTERS and text.lstrip()[:1] in {"{", "["}:
            value = self._scanner.decode_nested(text)
            if value is not None:
                self._kept.append(value)
                return value
        if path and is_prose(text):
            self._add(as_html(text), path, objects, origin)
        return None

    def _add(
        self, markup: str, path: Path, objects: tuple[int, ...], origin: _Element
    ) -> None:
        if len(self.candidates) < MAX_CANDIDATES and self._budget.spend(
            TEXT_WORK * len(markup)
        ):
            words = count_words(plain_text(markup))
            if words >= MIN_PROSE_WORDS:
                candidate = Candidate(path, objects, markup, words, origin)
                self.candidates.append(candidate)

    def select(self) -> list[Candidate]:
        """The candidates that are main content, in their order; often none."""
        distinct: dict[str, Candidate] = {}
        for item in self.candidates:
            distinct.setdefault(item.html, item)
        candidates = distinct.values()
        titled = (c for c in candidates if not self._titled.isdisjoint(c.objects))
        found = _largest_group(titled)
        if sum(candidate.words for candidate in found) >= MIN_TITLED_WORDS:
            return found
        found = _largest_group(c for c in candidates if c.names_content)
        return found if _stands_out(found) else []


def _stands_out(candidates: list[Candidate]) -> bool:
    """Whether one object holds a long text, and most of all: no list of many things."""
    words: dict[int, int] = {}
    for item in candidates:
        words[item.objects[-1]] = words.get(item.objects[-1], 0) + item.words
    longest = max(words.values(), default=0)
    return longest >= max(MIN_UNTITLED_WORDS, MIN_UNTITLED_SHARE * sum(words.values()))


def _largest_group(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The group with the most words, and the groups of content beside it."""
    candidates = list(candidates)
    totals: dict[Path, int] = {}
    for item in candidates:
        weight = 2 if item.names_content else 1
        totals[item.group] = totals.get(item.group, 0) + weight * item.words
    if not totals:
        return []
    best = max(totals, key=lambda group: totals[group])
    return [
        item
        for item in candidates
        if item.group == best or (item.names_content and item.group[:-1] == best[:-1])
    ]
