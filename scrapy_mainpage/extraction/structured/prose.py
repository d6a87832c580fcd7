"""The main content among all strings of a page's data, whatever wrote it.

Data holds much beside the text: other articles, translations of the interface,
settings. Candidates are texts that read like prose, by length, sentences and the names
of their keys. The one object that has the page's title, or else the group of texts (of
one path, places in lists left out) with the most words, tells where the content is;
only what stands with it is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..metadata.plaintext import letters
from .markup import as_html, is_html, plain_text
from .references import is_flat, unflatten
from .richtext import is_rich_text, rich_html
from .shown import words_of
from .values import LEAST_CHARACTERS, nested

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from .values import Budget

    Path = tuple[str, ...]
    Place = tuple[Any, Path, tuple[int, ...]]

MOST_NODES: Final = 200_000
MOST_LEVELS: Final = 100
MOST_CANDIDATES: Final = 2_000
LONGEST_TEXT: Final = 500_000
LEAST_WORDS: Final = 12
"""Of a text; a shorter one may be anything."""

LEAST_LENGTH: Final = 30
"""Characters of a text."""

LONGEST_KEY: Final = 100
"""Characters of a key that are looked at."""

LEAST_TITLED: Final = 25
"""Words of the texts that stand with the page's title."""

LEAST_ALONE: Final = 100
SHARE_ALONE: Final = 0.6
"""Words of the longest text, and its share, where the title is nowhere."""

_SENTENCE: Final = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*(?:\s|$|<)|[。！？]")
_CODE: Final = re.compile(r"[{}\[\]=;|\\^~]|=>|//|%[0-9A-F]{2}")
_SAMPLE: Final = 2000
# What a program fills in: {name}, %s, %1$s.
_GAP: Final = re.compile(r"\{\w{1,30}\}|%(?:\d\$)?s\b")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_HOLDERS: Final = frozenset({str, dict, list})
"""The types of values that may hold a text; those of JSON are no others."""

_TITLES: Final = frozenset("title name headline heading question label subject".split())
_WANTED: Final = frozenset(
    "answer article biography blocks body content contents cooked description details "
    "document html instructions markdown markup overview paragraph paragraphs "
    "rendered richtext story summary synopsis text transcript value".split()
)
_UNWANTED: Final = frozenset(
    "ad ads advertisement adverts analytics aria author authors banner bio breadcrumb "
    "breadcrumbs byline captcha caption captions channel chunk comment comments "
    "config configs configuration consent cookie cookies copyright css dictionary "
    "disclaimer disclaimers error errors experiment experiments fallback faqs flag "
    "flags footer footers form forms gdpr globals header headers i18n intl jsonld "
    "label labels lang languages latest layout ld legal locale locales login menu "
    "menus messages meta metadata metas modal modals more nav navigation newsletter "
    "notice notification notifications og onetrust opengraph permissions phrases "
    "placeholder policy popular popup privacy promo promos promotion promotions "
    "recommend recommendation recommendations recommended related review reviews "
    "schema script scripts seo settings shipping sidebar sidebars similar site social "
    "sponsor sponsors strings style styles subscribe subscription suggestions svg "
    "teaser teasers terms testimonials theme toast toasts tooltip tooltips track "
    "tracking translation translations trending twitter ui variables warranty widget "
    "widgets".split()
)


@dataclass(frozen=True)
class Text:
    """A text in the data: where it is, what it says as HTML, and its words.

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


class Reader:
    """Reads texts out of values; all it reads counts against one budget."""

    def __init__(self, budget: Budget, title: Callable[[], str | None]) -> None:
        self.budget = budget
        self._title = title
        self.texts: list[Text] = []
        self.titled: set[int] = set()
        self.references: Mapping[str, str] = {}
        self._keys: dict[str, tuple[bool, bool]] = {}
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._nodes = 0
        self._objects = 0

    @cached_property
    def title(self) -> str:
        """The letters of the page's title."""
        return letters(self._title() or "")

    def read(self, value: Any, origin: _Element) -> None:
        """Take note of the texts in *value*, which the element *origin* holds."""
        # Identities are only good for as long as the values live.
        self._kept.append(value)
        if is_flat(value):
            value = unflatten(value)
            self._kept.append(value)
        stack: list[Place] = [(value, (), ())]
        while stack and self._nodes < MOST_NODES:
            self._nodes += 1
            node, path, objects = stack.pop()
            if isinstance(node, str):
                node = self._text(node, path, objects, origin)
            if not isinstance(node, (dict, list)) or len(path) > MOST_LEVELS:
                continue
            if id(node) in self._seen:
                continue
            self._seen.add(id(node))
            if len(path) and is_rich_text(node):
                self._add(rich_html(node), path, objects, origin)
                continue
            if isinstance(node, dict):
                found = self._of_dict(node, path, objects)
            else:
                found = self._of_list(node, path, objects)
            stack += reversed(found)

    def _of_list(
        self, node: list[Any], path: Path, objects: tuple[int, ...]
    ) -> list[Place]:
        inside = (*path, "*")
        found = [(item, inside, objects) for item in node if self._may_hold(item)]
        self._nodes += len(node) - len(found)  # those are done
        return found

    def _of_dict(
        self, node: dict[str, Any], path: Path, objects: tuple[int, ...]
    ) -> list[Place]:
        self._objects += 1
        objects = (*objects, self._objects)
        found: list[Place] = []
        keys, references = self._keys, self.references
        for key, value in node.items():
            kind = type(value)
            if kind not in _HOLDERS:
                continue
            is_title, is_unwanted = keys.get(key) or self._read_key(key)
            if kind is str:
                if is_title and self.title:
                    self._note_title(value)
                if is_unwanted or len(value) < 2:
                    continue
                if len(value) < LEAST_LENGTH and value not in references:
                    self._nodes += 1
                    continue
            elif is_unwanted:
                continue
            found.append((value, (*path, key), objects))
        return found

    def _read_key(self, key: str) -> tuple[bool, bool]:
        found = self._keys[key] = (key.lower() in _TITLES, _is_unwanted(key))
        return found

    def _may_hold(self, item: object) -> bool:
        """Whether a text can be in an item: most are too short, or no strings."""
        if isinstance(item, str):
            return len(item) >= LEAST_LENGTH or item in self.references
        return type(item) in _HOLDERS

    def _note_title(self, text: str) -> None:
        if len(text) < 500 and letters(plain_text(text)) == self.title:
            self.titled.add(self._objects)

    def _text(
        self, text: str, path: Path, objects: tuple[int, ...], origin: _Element
    ) -> Any:
        """Note a text; the value inside where it is JSON."""
        if (referred := self.references.get(text)) is not None:
            if not self.budget.take(len(referred)):
                return None
            text = referred
        if len(text) >= LEAST_CHARACTERS and text.lstrip()[:1] in {"{", "["}:
            value = nested(text, self.budget)
            if value is not None:
                self._kept.append(value)
                return value
        if path and reads_as_prose(text):
            self._add(as_html(text), path, objects, origin)
        return None

    def _add(
        self, markup: str, path: Path, objects: tuple[int, ...], origin: _Element
    ) -> None:
        words = len(words_of(plain_text(markup)))
        if words >= LEAST_WORDS and len(self.texts) < MOST_CANDIDATES:
            self.texts.append(Text(path, objects, markup, words, origin))

    def chosen(self) -> list[Text]:
        """The texts that are the page's main content, in their order; often none."""
        texts = list(_distinct(self.texts))
        titled = [text for text in texts if not self.titled.isdisjoint(text.objects)]
        found = _best(titled)
        if sum(text.words for text in found) >= LEAST_TITLED:
            return found
        found = _best([text for text in texts if _is_wanted(text)])
        return found if _stands_out(found) else []


def _stands_out(texts: list[Text]) -> bool:
    """Whether one object holds a long text, and most of all: no list of many things."""
    words: dict[int, int] = {}
    for text in texts:
        words[text.objects[-1]] = words.get(text.objects[-1], 0) + text.words
    longest = max(words.values(), default=0)
    return longest >= max(LEAST_ALONE, SHARE_ALONE * sum(words.values()))


def _distinct(texts: Iterable[Text]) -> Iterator[Text]:
    seen = set()
    for text in texts:
        if text.html not in seen:
            seen.add(text.html)
            yield text


def _best(texts: list[Text]) -> list[Text]:
    """The group with the most words, and the groups that stand with it."""
    totals: dict[Path, int] = {}
    for text in texts:
        weight = 2 if _is_wanted(text) else 1
        totals[text.group] = totals.get(text.group, 0) + weight * text.words
    if not totals:
        return []
    best = max(totals, key=lambda group: totals[group])
    holder = best[:-1]
    return [
        text
        for text in texts
        if text.group == best or (_is_wanted(text) and text.group[:-1] == holder)
    ]


def _is_wanted(text: Text) -> bool:
    return any(not _WANTED.isdisjoint(_parts(key)) for key in text.path[-3:])


def _is_unwanted(key: str) -> bool:
    return _names_unwanted(key[:LONGEST_KEY])


@lru_cache(maxsize=4096)
def _names_unwanted(key: str) -> bool:
    return not _UNWANTED.isdisjoint(_parts(key))


def _parts(key: str) -> list[str]:
    """A key and the words in it: ``articleBody`` has two."""
    key = key[:LONGEST_KEY]
    return [key.lower(), *(part.lower() for part in _WORD.findall(key))]


def reads_as_prose(text: str) -> bool:
    """Whether *text* is sentences that are made for people, HTML or not.

    >>> reads_as_prose("The kettle boils at noon. Bring a cup, and be on time, all.")
    True
    >>> reads_as_prose("width: 100px; color: red; margin: 0 auto; padding: 1px 2px 3px")
    False
    """
    if not LEAST_LENGTH <= len(text) <= LONGEST_TEXT:
        return False
    plain = plain_text(text) if "<" in text or "&" in text else text
    sample = plain[:_SAMPLE]
    if not _SENTENCE.search(sample) and not is_html(text):
        return False
    words = len(words_of(sample))
    marks = len(_CODE.findall(sample))
    if len(plain) <= _SAMPLE and _GAP.search(plain):
        return False
    return words >= LEAST_WORDS and marks * 8 < words and len(sample) < 15 * words


__all__ = ["Reader", "Text", "reads_as_prose"]
