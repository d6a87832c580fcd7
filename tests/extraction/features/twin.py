"""The compiled helpers of the features, written down again slowly and plainly."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

FNV_OFFSET = 14695981039346656037
FNV_PRIME = 1099511628211
MASK = (1 << 64) - 1

WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]+")
ENDS = (
    (1, (".", "!", "?", "。", "！", "？", "؟", "۔")),
    (2, (":", "：")),
    (3, ("…",)),
)


def fnv(data: Sequence[int], value: int = FNV_OFFSET) -> int:
    for byte in data:
        value = (value ^ byte) * FNV_PRIME & MASK
    return value


def lower(data: bytes) -> bytes:
    return bytes(c | 0x20 if 65 <= c <= 90 else c for c in data)


def ancestors(parent: list[int], element: int) -> list[int]:
    """From the element's parent up to the root."""
    found = []
    while (element := parent[element]) >= 0:
        found.append(element)
    return found


def next_larger(parent: list[int], first: list[int], end: list[int]) -> list[int]:
    def larger(i: int) -> int:
        blocks = (first[i], end[i])
        wider = (p for p in ancestors(parent, i) if (first[p], end[p]) != blocks)
        return next(wider, -1)

    return [larger(i) for i in range(len(parent))]


def number_groups(keys: Sequence[Hashable]) -> tuple[list[int], list[int], list[int]]:
    """The group of each key, its place in it, and how many each group has."""
    keys = list(keys)
    known = list(dict.fromkeys(keys))
    rank = [keys[:i].count(key) for i, key in enumerate(keys)]
    return [known.index(key) for key in keys], rank, [keys.count(key) for key in known]


def class_hash(is_class: bool, token: bytes) -> int:
    return fnv(lower(re.sub(rb"[0-9]", b"", token))) | 1 if is_class else 0


def nearest_marked(parent: list[int], marked: list[bool]) -> list[int]:
    def nearest(i: int) -> int:
        return next((p for p in [i, *ancestors(parent, i)] if marked[p]), -1)

    return [nearest(i) for i in range(len(parent))]


Place = tuple[int, tuple[bytes, ...]]


def places(
    tag: list[int], tokens: list[tuple[bool, int, bytes]], least: int
) -> list[Place]:
    """Per element its tag and its classes that the page has *least* times, sorted.

    Of tokens: whether it is a class, its element, its bytes.
    """
    plain = [
        (element, lower(re.sub(rb"[0-9]", b"", token)))
        for is_class, element, token in tokens
        if is_class
    ]
    often = [name for _, name in plain]
    usual = {name for name in often if often.count(name) >= least}
    names = [(element, name) for element, name in plain if name in usual]
    return [
        (tag[i], tuple(sorted(name for element, name in names if element == i)))
        for i in range(len(tag))
    ]


def paths(parent: list[int], place: list[Place], steps: int) -> list[Hashable]:
    """Per element its place and those of its ancestors, *steps* of them.

    In which order those before the last come does not count.
    """
    found: list[Hashable] = []
    for i in range(len(parent)):
        path = [place[k] for k in [i, *ancestors(parent, i)][:steps]]
        found.append((tuple(sorted(path[: steps - 1])), tuple(path[steps - 1 :])))
    return found


def path_hashes(
    parent: list[int], tag: list[int], classes: list[int]
) -> tuple[list[int], list[int]]:
    paths = [[*reversed(ancestors(parent, i)), i] for i in range(len(parent))]
    tags = [fnv([tag[k] + 1 for k in path]) for path in paths]
    both = [fnv([x for k in path for x in (tag[k] + 1, classes[k])]) for path in paths]
    return tags, both


def text_hash(text: bytes) -> int:
    return fnv(lower(bytes(c for c in text if c > 32 and not 48 <= c <= 57)))


def heaviest_path(parent: list[int], weight: list[float], share: float) -> list[int]:
    path = [0]
    while True:
        children = [i for i in range(len(parent)) if parent[i] == path[-1]]
        best = max(children, key=weight.__getitem__, default=-1)
        if best < 0 or weight[best] <= 0 or weight[best] < share * weight[path[-1]]:
            return path
        path.append(best)


def last_character(text: str) -> int:
    """How a text ends: 1 a sentence mark, 2 a colon, 3 an ellipsis, else 0."""
    plain = text[0] + text[1:].rstrip("\"')]")
    if len(plain) > 1 and plain[-1] in "’”":
        plain = plain[:-1]
    if plain.endswith(".."):
        return 3
    return next((kind for kind, marks in ENDS if plain.endswith(marks)), 0)


def shared_words(text: bytes, title: bytes) -> tuple[int, int, int]:
    known = [lower(word) for word in WORD.findall(title)][:64]
    words = [lower(word) for word in WORD.findall(text)]
    return len(words), sum(word in known for word in words), len(known)
