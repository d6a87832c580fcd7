"""The texts in the values of a page's data: strings that read as prose, rich text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ..metadata.plaintext import letters
from ._pruned import Whole
from ._sequences import count_words
from .choice import Text, chosen
from .keys import KnownKeys
from .markup import as_html, plain_text
from .prose import LEAST_LENGTH, LEAST_WORDS, reads_as_prose
from .references import is_flat, unflatten
from .richtext import is_rich_text, rich_html
from .values import LEAST_CHARACTERS, Values

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from .values import Budget

    Path = tuple[str, ...]
    Place = tuple[Any, Path, tuple[int, ...], bool]

MOST_NODES: Final = 200_000
MOST_LEVELS: Final = 100
MOST_CANDIDATES: Final = 2_000

_HOLDERS: Final = frozenset({str, dict, list, Whole})
"""The types of values that may hold a text."""


class Reader:
    """Reads texts out of values; all it reads counts against one budget."""

    def __init__(self, budget: Budget, title: Callable[[], str | None]) -> None:
        self._keys = KnownKeys()
        self.values = Values(budget, self._keys.is_unwanted)
        self._title = title
        self.texts: list[Text] = []
        self.titled: set[int] = set()
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._nodes = 0
        self._objects = 0

    @cached_property
    def title(self) -> str:
        """The letters of the page's title."""
        return letters(self._title() or "")

    def read(self, value: Any, origin: _Element, *, whole: bool = False) -> None:
        """Take note of the texts in *value*, which the element *origin* holds.

        Of a *whole* value nothing was left out.
        """
        if isinstance(value, Whole):
            value, whole = value.value(), True
        if whole and is_flat(value):
            value = unflatten(value)
        # Identities are only good for as long as the values live.
        self._kept.append(value)
        stack: list[Place] = [(value, (), (), whole)]
        while stack and self._nodes < MOST_NODES:
            self._nodes += 1
            node, path, objects, whole = stack.pop()
            if isinstance(node, str):
                node, whole = self._text(node, path, objects, origin), False
            if isinstance(node, Whole):
                node, whole = node.value(), True
                self._kept.append(node)
            if not isinstance(node, (dict, list)) or len(path) > MOST_LEVELS:
                continue
            if id(node) in self._seen:
                continue
            self._seen.add(id(node))
            if whole and len(path) and is_rich_text(node):
                self._add(rich_html(node), path, objects, origin)
                continue
            if isinstance(node, dict):
                found = self._of_dict(node, path, objects, whole)
            else:
                found = self._of_list(node, path, objects, whole)
            stack += reversed(found)

    def _of_list(
        self, node: list[Any], path: Path, objects: tuple[int, ...], whole: bool
    ) -> list[Place]:
        inside = (*path, "*")
        found = [
            (item, inside, objects, whole) for item in node if self._may_hold(item)
        ]
        self._nodes += len(node) - len(found)  # those are done
        return found

    def _of_dict(
        self, node: dict[str, Any], path: Path, objects: tuple[int, ...], whole: bool
    ) -> list[Place]:
        self._objects += 1
        objects = (*objects, self._objects)
        found: list[Place] = []
        keys, references = self._keys, self.values.references
        for key, value in node.items():
            kind = type(value)
            if kind not in _HOLDERS:
                continue
            titled, unwanted = keys[key]
            if kind is str:
                if titled and self.title:
                    self._note_title(value)
                if unwanted or len(value) < 2:
                    continue
                if len(value) < LEAST_LENGTH and value not in references:
                    self._nodes += 1
                    continue
            elif unwanted:
                continue
            found.append((value, (*path, key), objects, whole))
        return found

    def _may_hold(self, item: object) -> bool:
        """Whether a text can be in an item: most are too short, or no strings."""
        if isinstance(item, str):
            return len(item) >= LEAST_LENGTH or item in self.values.references
        return type(item) in _HOLDERS

    def _note_title(self, text: str) -> None:
        if len(text) < 500 and letters(plain_text(text)) == self.title:
            self.titled.add(self._objects)

    def _text(
        self, text: str, path: Path, objects: tuple[int, ...], origin: _Element
    ) -> Any:
        """Note a text; the value inside where it is JSON."""
        if (referred := self.values.references.get(text)) is not None:
            if not self.values.budget.take(len(referred)):
                return None
            text = referred
        if len(text) >= LEAST_CHARACTERS and text.lstrip()[:1] in {"{", "["}:
            is_value, value = self.values.inside(text)
            if is_value:
                self._kept.append(value)
                return value
        if path and reads_as_prose(text):
            self._add(as_html(text), path, objects, origin)
        return None

    def _add(
        self, markup: str, path: Path, objects: tuple[int, ...], origin: _Element
    ) -> None:
        words = count_words(plain_text(markup))
        if words >= LEAST_WORDS and len(self.texts) < MOST_CANDIDATES:
            self.texts.append(Text(path, objects, markup, words, origin))

    def chosen(self) -> list[Text]:
        """The texts that are the page's main content, in their order; often none."""
        return chosen(self.texts, self.titled)


__all__ = ["Reader"]
