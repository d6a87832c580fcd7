"""Kinds of placeholders by the names of their elements, from lists of words."""

from __future__ import annotations

import json
import re
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from typing import Final

from ...extraction.document.tags import ATTRIBUTE_CODES
from ...extraction.labels import Region
from ...extraction.labels.names import classify

_CLASS: Final = ATTRIBUTE_CODES["class"]
_MAX_EXCLUDING_NAMES: Final = 3
_MAX_PLACE_CHARS: Final = 40
_MAX_NAME_CHARS: Final = 80


class PlaceholderKind(Enum):
    """Meaning of a placeholder's tag and names; higher values are stronger signs."""

    OTHER = 0
    PLAIN = 1
    WAITING = 2
    CONTENT = 3
    ROOT = 4
    MAIN = 5


def strongest(*kinds: PlaceholderKind) -> PlaceholderKind:
    """Return the kind that says most."""
    return max(kinds, key=lambda kind: kind.value)


def _load_names() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("placeholder_names.json").read_text("utf-8")
    return {
        key: frozenset(" ".join(entry["names"]).split())
        for key, entry in json.loads(text).items()
    }


_NAMES: Final = _load_names()
FRAGMENT_TAGS: Final = _NAMES["fragment_tags"]


def _bits(names: str) -> int:
    return sum(Region[name].bit for name in names.upper().split())


_PAGE_PARTS: Final = _bits(
    "consent advertisement comments related sidebar footer header overlay"
)
_OTHER_LABELS: Final = _PAGE_PARTS | _bits(
    "breadcrumb pagination share account form legal navigation brand byline"
)
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_WIDGET_NAME: Final = re.compile(
    r"banner|advert|adserv|adslot|comment|consent|cookie|disqus|newsletter|recommend"
    r"|related|sidebar|social|share(?!d)|sponsor|taboola|outbrain|viafoura|widget|modal"
    r"|popup|tooltip|carousel|slider|swiper|video|player|captcha|google|facebook"
    r"|adspot|adocean|placement|fontsize|toolbar|informer|memberinfo"
    r"|twitter|werbung|anzeige|reklam|^ads?[-_\d]|[-_]ads?(?:[-_\d]|$)",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d+")


def classify_names(names: tuple[str, ...]) -> PlaceholderKind:
    """Classify an element by its names; only the first few can exclude it."""
    kinds = [_classify_name(name) for name in names]
    is_excluded = PlaceholderKind.OTHER in kinds[:_MAX_EXCLUDING_NAMES]
    if is_excluded or (names and all(map(_is_spacer, names))):
        return PlaceholderKind.OTHER
    return strongest(PlaceholderKind.PLAIN, *kinds)


@lru_cache(maxsize=20_000)
def _is_spacer(name: str) -> bool:
    words = {word.lower() for word in _WORDS.findall(name)}
    return not words or bool(words & _NAMES["spacer_words"])


@lru_cache(maxsize=20_000)
def _classify_name(name: str) -> PlaceholderKind:
    """Classify one id, class name or tag."""
    name = name[:_MAX_NAME_CHARS]
    words = {word.lower() for word in _WORDS.findall(name)}
    words.add(name.lower().strip("_"))
    if words & _NAMES["widget_words"] or _WIDGET_NAME.search(name):
        return PlaceholderKind.OTHER
    if classify(_CLASS, name.encode("utf-8", "replace")) & _OTHER_LABELS:
        return PlaceholderKind.OTHER
    if words & _NAMES["waiting_words"]:
        return PlaceholderKind.WAITING
    is_root = name.lower().strip("_-") in _NAMES["root_names"]
    if is_root or words & _NAMES["root_words"]:
        return PlaceholderKind.ROOT
    if words & _NAMES["content_words"]:
        return PlaceholderKind.CONTENT
    return PlaceholderKind.PLAIN


@lru_cache(maxsize=20_000)
def is_page_part(name: str) -> bool:
    """Whether a name is that of a page part without main content."""
    bits = classify(_CLASS, name[:_MAX_NAME_CHARS].encode("utf-8", "replace"))
    return bool(bits & _PAGE_PARTS) and not bits & Region.CONTENT.bit


def normalize_name(name: str) -> str:
    """Return a name as it stands in places: shortened, with 0 for numbers."""
    return _DIGITS.sub("0", name[:_MAX_PLACE_CHARS])


def is_text_name(name: str) -> bool:
    """Whether a name announces running text."""
    return any(word.lower() in _NAMES["text_words"] for word in _WORDS.findall(name))
