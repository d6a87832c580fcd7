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
    MIN_PROSE_WORDS,
    TEXT_WORK,
    as_html,
    count_words,
    is_prose,
    plain_text,
)
from .rich_text import is_rich_text, write_rich_text
from .values import JsonScanner, is_flattened, unflatten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from ..parsing.budget import Budget

    Path = tuple[str, ...]
    Objects = tuple[int, ...]

NODE_WORK: Final = 100
MAX_LEVELS: Final = 100
MAX_KEY_CHARACTERS: Final = 100

MIN_TITLED_WORDS: Final = 25
"""Words of the texts that stand with the page's title."""

MIN_UNTITLED_WORDS: Final = 100
MIN_UNTITLED_SHARE: Final = 0.6
"""Words of the longest text, and its share, where the title is nowhere."""

_KEY_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, eq=False)
class Candidate:
    """A text in the data: the keys to it, its HTML, its words, the element around it.

    ``objects`` are the numbers of the objects around it, the outermost first.
    """

    path: Path
    objects: Objects
    html: str
    words: int
    origin: _Element

    @property
    def names_content(self) -> bool:
        """Whether a key near the text names content."""
        return any("content" in _read_key(key) for key in self.path[-3:])


@lru_cache(maxsize=4096)
def _read_key(key: str) -> frozenset[str]:
    """What *key*, or a word in it, names: a title, content, something other."""
    key = key[:MAX_KEY_CHARACTERS]
    known, words = read_words("json_keys"), {key.lower()}
    words.update(part.lower() for part in _KEY_WORD.findall(key))
    found = {name for name in ("content", "other") if not words.isdisjoint(known[name])}
    return frozenset(found | ({"title"} if key.lower() in known["title"] else set()))


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
        stack: list[tuple[Any, Path, Objects]] = [(value, (), ())]
        while stack and self._budget.spend(NODE_WORK):
            node, path, objects = stack.pop()
            if len(path) > MAX_LEVELS or id(node) in self._seen:
                continue
            self._seen.add(id(node))
            if type(node) is str:
                node = self._read_text(node, path, objects, origin)
            if path and is_rich_text(node):
                html = write_rich_text(node, self._budget)
                self._add(html, path, objects, origin)
            elif type(node) is dict:
                self._objects += 1
                inside = (*objects, self._objects)
                items = [*self._open_object(node)]
                stack += ((item, (*path, key), inside) for key, item in items[::-1])
            elif type(node) is list:
                self._budget.spend(NODE_WORK // 5 * len(node))
                items = [*filter(None, map(self._resolve, node))]
                stack += ((item, path, objects) for item in reversed(items))

    def _resolve(self, item: Any) -> Any:
        """A container, or a text that may hold content; ``None`` for others."""
        if type(item) is str:
            item = self.references.get(item, item)
            return item if len(item) >= MIN_PROSE_WORDS else None
        return item if isinstance(item, (dict, list)) else None

    def _open_object(self, node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """The items that may hold content; notes a title."""
        self._budget.spend(NODE_WORK // 2 * len(node))
        for key, value in node.items():
            if isinstance(value, (str, dict, list)):
                names = _read_key(key)
                if "title" in names and isinstance(value, str):
                    self._note_title(value)
                item = self._resolve(value)
                if item and "other" not in names:
                    yield key, item

    def _note_title(self, text: str) -> None:
        if (
            self._title
            and self._budget.spend(TEXT_WORK * len(text))
            and letters(plain_text(text)) == self._title
        ):
            self._titled.add(self._objects)

    def _read_text(
        self, text: str, path: Path, objects: Objects, origin: _Element
    ) -> Any:
        """Add a text if it is prose; the value inside of it if it is JSON."""
        if not self._budget.spend(TEXT_WORK * len(text)):
            return None
        value = self._scanner.decode_nested(text)
        if value is not None:
            self._kept.append(value)
        elif path and is_prose(text):
            self._add(as_html(text), path, objects, origin)
        return value

    def _add(self, markup: str, path: Path, objects: Objects, origin: _Element) -> None:
        if self._budget.spend(TEXT_WORK * len(markup)):
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
    """The texts of the path with the most words."""
    groups: dict[Path, list[Candidate]] = {}
    for item in candidates:
        groups.setdefault(item.path, []).append(item)
    return max(groups.values(), key=lambda g: sum(c.words for c in g), default=[])
