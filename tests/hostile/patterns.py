"""The package's regular expressions, and texts made to make each of them slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import scrapy_mainpage

OUTSIDE = ("scrapy_mainpage.evaluation.",)
"""Modules that read no untrusted pages."""


CALLS = "sub search findall split match fullmatch finditer".split()


def patterns() -> dict[str, re.Pattern[Any]]:
    """All patterns that modules hold, by module and place."""
    found: dict[str, re.Pattern[Any]] = {}
    known: set[tuple[object, int]] = set()
    for name in module_names():
        for place, value in vars(importlib.import_module(name)).items():
            for pattern in held(value):
                key = (pattern.pattern, pattern.flags)
                if key not in known:
                    known.add(key)
                    found[f"{name}.{place}:{len(found)}"] = pattern
    for name, inline in inline_patterns():
        if inline and (inline.pattern, inline.flags) not in known:
            known.add((inline.pattern, inline.flags))
            found[f"{name}:{len(found)}"] = inline
    return found


def sources(mentioned: str) -> Iterator[tuple[str, ast.Module]]:
    """Name and tree of each module in which a regular expression matches."""
    root = Path(scrapy_mainpage.__file__).parent
    for path in root.rglob("*.py"):
        text = path.read_text("utf-8")
        if re.search(mentioned, text):
            yield path.relative_to(root).as_posix(), ast.parse(text)


def inline_patterns() -> Iterator[tuple[str, re.Pattern[str] | None]]:
    """Module and pattern of each call such as ``re.sub``.

    It is ``None`` for one that is neither a literal nor a text that the module holds.
    """
    for name, tree in sources(rf"\bre\.(?:{'|'.join(CALLS)})\("):
        module = f"scrapy_mainpage.{name.removesuffix('.py').replace('/', '.')}"
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func
            if not isinstance(called, ast.Attribute) or called.attr not in CALLS:
                continue
            if not isinstance(called.value, ast.Name) or called.value.id != "re":
                continue
            given = node.args[0]
            text = given.value if isinstance(given, ast.Constant) else None
            if isinstance(given, ast.Name):
                text = getattr(importlib.import_module(module), given.id, None)
            yield name, re.compile(text) if isinstance(text, str) else None


def module_names() -> Iterator[str]:
    for module in pkgutil.walk_packages(scrapy_mainpage.__path__, "scrapy_mainpage."):
        if not module.name.startswith(OUTSIDE):
            yield module.name


def held(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns in *value*, a pattern or something that contains some."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from held(item, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for item in value.values():
            yield from held(item, depth + 1)


def attacks(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    """Texts of *size* characters that repeat near matches of *pattern*."""
    source = pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    tree = parser.parse(text, pattern.flags & ~re.UNICODE & ~re.DEBUG)
    for before, unit in dict.fromkeys(runs(tree, "")):
        count = max((size - len(before)) // max(len(unit), 1), 1)
        yield before + unit * count
        yield before + unit * count + "\x01"
    for unit in (" ", "a", "0", "a ", "<", "\n", "A ", "\x01"):
        yield unit * (size // len(unit))


def runs(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """Per repetition in the pattern: a text that leads to it, and a repeated unit."""
    for code, argument in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, inner = argument
            if most > 8:
                for unit in units(inner):
                    yield before, unit
                    yield "", before + unit
            yield from runs(inner, before)
            before += example(inner) * max(least, 1)
        elif code is codes.SUBPATTERN:
            yield from runs(argument[3], before)
            before += example(argument[3])
        elif code is codes.ATOMIC_GROUP:
            yield from runs(argument, before)
            before += example(argument)
        elif code is codes.BRANCH:
            for branch in argument[1]:
                yield from runs(branch, before)
            before += example(argument[1][0])
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from runs(argument[1], before)
        else:
            before += example([(code, argument)])
    if before:
        yield "", before
        yield "", before[:-1]
        yield before[:1], before[1:]


def units(tree: Any) -> list[str]:
    """Some texts that a repeated part of a pattern matches."""
    if len(tree) == 1 and tree[0][0] is codes.IN:
        members = [example([member]) for member in tree[0][1]]
        found = [text for text in members if text]
    elif len(tree) == 1 and tree[0][0] is codes.SUBPATTERN:
        return units(tree[0][1][3])
    elif len(tree) == 1 and tree[0][0] is codes.BRANCH:
        found = [example(branch) for branch in tree[0][1][1][:6]]
    else:
        found = []
    return [text for text in {*found, example(tree)} if text]


CATEGORIES = {
    codes.CATEGORY_DIGIT: "0",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_WORD: "-",
}


def example(tree: Any) -> str:
    """A text that *tree* matches, looking around left aside."""
    text = ""
    for code, argument in tree:
        if code is codes.LITERAL:
            text += chr(argument)
        elif code in (codes.NOT_LITERAL, codes.ANY):
            text += "b" if argument == ord("a") else "a"
        elif code is codes.IN:
            text += one_of(argument)
        elif code is codes.RANGE:
            text += chr(argument[0])
        elif code is codes.CATEGORY:
            text += CATEGORIES[argument]
        elif code is codes.SUBPATTERN:
            text += example(argument[3])
        elif code is codes.ATOMIC_GROUP:
            text += example(argument)
        elif code is codes.BRANCH:
            text += example(argument[1][0])
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            text += example(argument[2]) * max(argument[0], 1)
    return text


def one_of(members: Any) -> str:
    """A character of a class, or outside of a negated one."""
    if members[0][0] is not codes.NEGATE:
        return example(members[:1])
    chars = "".join(map(re.escape, filter(None, (example([m]) for m in members[1:]))))
    return next(c for c in "a0 -<\x01\u3042" if not re.match(f"[{chars}]", c))
