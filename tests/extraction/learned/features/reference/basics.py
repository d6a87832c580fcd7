"""Steps of the reference, written plainly in Python."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]+")
ENDS = (
    (1, (".", "!", "?", "。", "！", "？", "؟", "۔")),
    (2, (":", "：")),
    (3, ("…",)),
)


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


def number_groups(keys: Iterable[Hashable]) -> tuple[list[int], list[int], list[int]]:
    """The group of each key, its place in it, and how many each group has."""
    number: dict[Hashable, int] = {}
    group, rank, size = [], [], []
    for key in keys:
        k = number.setdefault(key, len(size))
        size += [0] * (k == len(size))
        group.append(k)
        rank.append(size[k])
        size[k] += 1
    return group, rank, size


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
    plain = [(element, folded(token)) for mine, element, token in tokens if mine]
    often = Counter(name for _, name in plain)
    names: list[list[bytes]] = [[] for _ in tag]
    for element, name in plain:
        if often[name] >= least:
            names[element].append(name)
    return [(t, tuple(sorted(own))) for t, own in zip(tag, names, strict=True)]


def short_paths(parent: list[int], place: list[Place], steps: int) -> list[Hashable]:
    """Per element its place and those of its ancestors, *steps* of them.

    The order of those before the last is ignored.
    """
    found: list[Hashable] = []
    for i in range(len(parent)):
        path = [place[k] for k in [i, *ancestors(parent, i)][:steps]]
        found.append((tuple(sorted(path[: steps - 1])), tuple(path[steps - 1 :])))
    return found


def whole_paths(parent: list[int], place: Sequence[Hashable]) -> list[Hashable]:
    """Per element its place and those of all its ancestors."""
    return [
        tuple(place[k] for k in [i, *ancestors(parent, i)]) for i in range(len(parent))
    ]


def folded(text: bytes) -> bytes:
    """The text in lower case, without digits, blanks and control characters."""
    return lower(bytes(c for c in text if c > 32 and not 48 <= c <= 57))


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
