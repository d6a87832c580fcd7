"""The regular expressions of the package, and texts to make each of them slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

import scrapy_mainpage

OUTSIDE = (
    "scrapy_mainpage.evaluation.",
    "scrapy_mainpage.commands.",
    "scrapy_mainpage.setting_readers",
    "scrapy_mainpage.indexes.word_forms",
)
"""Modules that read no untrusted texts: settings, command lines, synonyms."""

CUT: Final = {
    "extraction.metadata.authors.BETWEEN": 300,
    "extraction.metadata.authors.BY": 200,
    "extraction.metadata.authors._BEHIND": 300,
    "extraction.metadata.dates._ISO": 100,
    "extraction.metadata.dates._NOISE": 100,
    "extraction.metadata.titles._SEPARATOR": 300,
    "extraction.metadata.titles._POWERED": 300,
    "extraction.metadata.titles._PAGE": 300,
    "extraction.metadata.titles._FORUM": 300,
    "extraction.metadata.titles._EDGES": 300,
    "extraction.metadata.titles._ELLIPSIS": 300,
    "extraction.page_warnings._SEPARATOR": 200,
    "extraction/records/pagelinks.py": 60,
    "extraction.records.prices._ANY_SIGN": 500,
    "extraction.records.prices._PRICE": 500,
    "indexes.tokens._CALLED": 300,
    "indexes.tokens._SUFFIX": 300,
    "rendering.placeholders.URL_ATTRIBUTE": 100,
}
"""All patterns that are not linear: the most characters that one of them sees."""

CALLS = "sub search findall split match fullmatch finditer".split()
FROM_START = frozenset({"match", "fullmatch"})
"""Methods that do not look at other places where a match may begin."""


def patterns() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """All patterns that modules hold, by module and place, and whether one searches."""
    found: dict[str, tuple[re.Pattern[Any], bool]] = {}
    uses = methods_by_name()
    for name in module_names():
        for place, value in vars(importlib.import_module(name)).items():
            own = f"{path_of(name)}:{place}" if place.startswith("_") else place
            searches = not uses.get(own, {"search"}) <= FROM_START
            for pattern in held(value):
                key = repr((pattern.pattern, pattern.flags))
                if key not in found or searches > found[key][1]:
                    found[key] = pattern, searches
                    named[key] = f"{name}.{place}"
    for name, inline in inline_patterns():
        if inline:
            key = repr((inline.pattern, inline.flags))
            found[key], named[key] = (inline, True), name
    return {f"{named[key]}:{k}": each for k, (key, each) in enumerate(found.items())}


named: dict[str, str] = {}


def methods_by_name() -> dict[str, set[str]]:
    """The methods that are called of each name, a private one with its module."""
    uses: dict[str, set[str]] = {}
    for module, tree in sources(rf"\.(?:{'|'.join(CALLS)})\b"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in CALLS:
                name = getattr(node.value, "id", getattr(node.value, "attr", ""))
                place = f"{module}:{name}" if name.startswith("_") else name
                uses.setdefault(place, set()).add(node.attr)
    return uses


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


def path_of(module: str) -> str:
    path = module.removeprefix("scrapy_mainpage").lstrip(".").replace(".", "/")
    folder = Path(scrapy_mainpage.__file__).parent / path
    return f"{path}/__init__.py".lstrip("/") if folder.is_dir() else f"{path}.py"


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


_ITEM = "<div itemscope itemtype=http://schema.org/Article>"
_PRODUCT = "<div itemscope itemtype=http://schema.org/Product>"
_RECIPE = "<div itemscope itemtype=http://schema.org/Recipe>"
_JSON = '<script type=application/ld+json>{{"@type": "Article", '

SLOTS: Final = {
    "title": "<title>{}</title>",
    "title and heading": "<title>{0}</title><h1>{0}</h1>",
    "title of a site": "<meta property=og:site_name content='x'><title>x {} x</title>",
    "site name": "<meta property=og:site_name content='{0}'><title>a - {0}</title>",
    "shared title": "<meta property=og:title content='{}'><title>x</title>",
    "author": "<meta name=author content='{}'>",
    "byline": "<p class=author>{}</p>",
    "byline by": "<p class=byline>By {}</p>",
    "rel author": "<a rel=author href=x>{}</a>",
    "published": "<meta property=article:published_time content='{}'>",
    "time": "<time datetime='{0}'>{0}</time>",
    "date": "<p class=date>{}</p>",
    "description": "<meta name=description content='{}'>",
    "language": "<html lang='{}'>",
    "content language": "<meta http-equiv=content-language content='{}'>",
    "canonical": "<link rel=canonical href='{}'>",
    "canonical host": "<link rel=canonical href='http://{}/'>",
    "base": "<base href='{}'><a href=x>a</a>",
    "address": "<p>River <a href='{}'>mill</a></p>",
    "image": "<p>River <img src='{}' alt=x></p>",
    "sources": "<p>River <img srcset='{}' alt=x></p>",
    "alternative": "<p>River <img src=x.png alt='{}'></p>",
    "heading": "<h2>{}</h2><p>River",
    "heading with anchor": "<h2 id='{0}'>River <a href='#{0}'>{0}</a></h2><p>River",
    "class": "<div class='{}'><p>River</div>",
    "id": "<div id='{}'><p>River</div>",
    "role": "<div role='{}'><p>River</div>",
    "style": "<div style='{}'><p>River</div>",
    "code language": "<pre class='language-{0}'><code class='{0}'>river</code></pre>",
    "paragraph": "<p>{}</p>",
    "preformatted": "<pre>{}</pre>",
    "item": "<ul><li>{}</li></ul>",
    "cell": "<table><tr><td>{}</td><td>a</td></tr></table>",
    "link": "<p>River <a href=/x>{}</a></p>",
    "navigation": "<nav><a href=/x>{}</a></nav>",
    "footer": "<footer>{}</footer>",
    "script": "<script>{}</script>",
    "script value": "<script>var a = {}</script>",
    "script string": "<script>var a = '{}</script>",
    "state": "<script>window.__INITIAL_STATE__ = {{'a': {}</script>",
    "state in quotes": '<script>window.__DATA__ = JSON.parse("{}</script>',
    "hydration": "<script id=__NEXT_DATA__ type=application/json>{}</script>",
    "hydration value": '<script type=application/json>{{"body": "{}"}}</script>',
    "flight": '<script>self.__next_f.push([1,"{}"])</script>',
    "json": "<script type=application/ld+json>{}</script>",
    "json body": _JSON + '"headline": "x", "articleBody": "{}"}}</script>',
    "json author": _JSON + '"author": "{0}", "datePublished": "{0}"}}</script>',
    "script type": "<script type='{}'>a</script>",
    "microdata": _ITEM + "<p itemprop='{0}'>{0}</div>",
    "microdata body": _ITEM + "<meta itemprop=articleBody content='{}'></div>",
    "offer": _PRODUCT + "<b itemprop=name>x</b><b itemprop=price>{0}</b>{0}</div>",
    "price": "<main><h1>Mill</h1><p class=price>{0}</p><button>Buy</button></main>",
    "post": 4 * "<div class=post><b class=author>{0}</b><i>{0}</i><p>River</p></div>",
    "entry": "<dl>" + 4 * "<dt>{0}</dt><dd>{0}</dd>" + "</dl>",
    "recipe": _RECIPE
    + "<p itemprop=recipeIngredient>{0}<p itemprop=cookTime>{0}</div>",
    "next page": "<a rel=next href='?p={0}'>{0}</a>",
    "pages": 4 * "<a class=page href='/list/{0}?page=2'>{0}</a>",
    "search form": "<form role=search action='{0}'><input name='{0}'></form>",
    "noscript": "<noscript>{}</noscript>",
    "comment": "<!--{}--><p>River",
}

UNITS: Final = (
    *"a0 -|:.,/@([{<&#*_`=%!~^$+;?",
    "\\\\", "\u00a0", "\n", "\t\n", "\ue000", "\u00b6", "\u2026", "\u4e2d", "\u00e9",
    "a ", "A ", "Ann ", " - ", " | ", ": ", "...", " page 1", "1/2", " powered by",
    "by ",
    "a@", "a@b.", "http:", "http://a", "www.", "a.", "a-", "2024-05", "2024", "May 6 ",
    "12:00 ", "(a", "[a]", "[](", "![", "{{", "{%", "}}", "&amp;", "&lt;p&gt;",
    "../", "%20", "a, ", "a 2x, ", ", ", "1. ", "- ", "# ", "> ", "``", "**a",
    "{a:", "[{", "',", "\\'", '\\"', "\\\\u0041", "0:[", "0:T1,", "/*", "//", "forum ",
    "en-", "data:", "javascript:", "&nbsp;", "<p>", "</p>", "<br>", "\u202e", "e\u0301",
)  # fmt: skip


def page(slot: str, unit: str, size: int) -> str:
    """A page with *unit* again and again, in all *size* characters, at *slot*."""
    text = unit * (size // len(unit))
    if not text.strip() or unit == "&nbsp;":
        text = f"x{text}x"  # at its ends, blanks are gone at once
    filled = SLOTS[slot].format(text)
    return f"{filled}<p>A river runs through old towns and under bridges.</p>"
