"""The compiled helpers of the features, written down again slowly and plainly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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


def inherit(parent: list[int], bits: list[int]) -> list[int]:
    def all_of(i: int) -> int:
        result = bits[i]
        for p in ancestors(parent, i):
            result |= bits[p]
        return result

    return [all_of(i) for i in range(len(parent))]


def token_bits(
    tokens: list[tuple[bool, int, bytes]],
    n_elements: int,
    classify: Callable[[bytes], int],
) -> tuple[list[int], list[int]]:
    """Of tokens: whether it is a class, its element, its bytes."""
    bits, classes = [0] * n_elements, [0] * n_elements
    for is_class, element, token in tokens:
        bits[element] |= classify(token)
        if is_class:
            classes[element] = (classes[element] + fnv(token)) & MASK
    return bits, classes


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
