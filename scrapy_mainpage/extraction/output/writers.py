"""The main content as Markdown (CommonMark with tables) and as sanitised HTML.

Both are written from one stream of events that nests as HTML demands. In Markdown,
text is escaped where it would be read as markup, and only there. HTML is built from a
list of allowed tags and attributes; nothing of the page's own markup is passed on: no
scripts, styles, forms or frames, and addresses have one of the schemes http, https,
ftp, mailto, tel, or none.
"""

from __future__ import annotations

import re
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.document import read_tree
from ..document.schema import HEADING_SHIFT
from ..document.tags import CODES
from ..parsing.tree import parse_html
from ._event_reader import read_events
from ._html import assemble_html
from ._main_tree import main_runs
from ._markdown import assemble_markdown
from ._signs import Signs
from .images import find_sources
from .urls import NOWHERE, Addresses

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document.document import Document
    from ..document.schema import Mask
    from ._events import Events

_LANGUAGE = re.compile(
    r"(?:language-|lang-|highlight-(?:source-)?|brush:)([a-z0-9][a-z0-9+#._-]{0,29});?$"
)
# A highlighter's class, and the language's name beside it.
_BARE_LANGUAGE = re.compile(
    r"(?:sourcecode|highlight|hljs) +([a-z][a-z0-9+#]{0,15}(?:-[a-z]{1,8})?)$"
)
_NO_LANGUAGE: Final = frozenset(
    {"default", "none", "auto", "nohighlight", "source", "text", "plaintext", "plain"}
    | {"code", "highlight", "hljs", "line", "numbers", "wrap", "notranslate"}
)
_DELIMITERS: Final = (b"$", rb"\(", rb"\[", rb"\begin{")
_FORMULA_SCRIPT = re.compile("mathjax|katex|math/tex", re.IGNORECASE)
_MIN_LEVELS: Final = 2
_MAX_INNER: Final = 20
_NAMING: Final = ("data-language", "data-lang", "class")
_CODE_TAGS: Final = tuple(CODES[name] for name in ("code", "pre", "div", "td"))
_TOP_TAGS: Final = (CODES["html"], CODES["body"])
_CITED: Final = ("blockquote", "q", "del", "ins")


def write_html(
    document: Document,
    main: Mask,
    url: str | None = None,
    posts: tuple[int, ...] = (),
) -> str:
    """The *main* blocks as an HTML fragment: sanitised, balanced, links absolute.

    *url* is the page's: addresses stay relative if it is not known. *posts* are blocks
    with which posts begin: there is a rule between two of them.
    """
    html = assemble_html(*_read_stream(document, main, url, posts))
    tops = np.flatnonzero(document.are_tagged(_TOP_TAGS))
    is_rtl = "rtl" in document.values_of("dir", tops).values()
    return f'<div dir="rtl">\n{html}\n</div>' if html and is_rtl else html


def write_markdown(
    document: Document,
    main: Mask,
    url: str | None = None,
    posts: tuple[int, ...] = (),
) -> str:
    """The *main* blocks as Markdown: headings, lists, links, emphasis, code, tables.

    There is a rule between two *posts*, which begin with the given blocks.
    """
    stream = _read_stream(document, main, url, posts)
    return assemble_markdown(*stream, _has_raw_formulas(document))


def write_title(title: str, write: Callable[[Document, Mask], str]) -> str:
    """A *title* without a block as a heading of the first level, by a writer."""
    document = read_tree(parse_html(f"<h1>{escape(title)}</h1>".encode()))
    return write(document, np.ones(document.n_blocks, bool))


class _Stream(NamedTuple):
    """Events, and by element: links, sources of images and media, code's languages."""

    events: Events
    links: dict[int, bytes]
    sources: dict[int, bytes]
    languages: dict[int, bytes]


def _read_stream(
    document: Document, main: Mask, url: str | None, posts: tuple[int, ...]
) -> _Stream:
    """The events of the main content; images of the site's frame are left out."""
    addresses = Addresses(document, url)
    signs = document.once(Signs)
    kept = main_runs(signs, main)
    sources = {}
    for run, element, source in find_sources(document, addresses, main, kept):
        if source is None:
            kept[run] = 0
        else:
            sources[element] = source.encode()
    events = read_events(signs, main, kept, {*posts[1:]})
    urls = addresses.find(events.elements("a"), "href", but=NOWHERE)
    urls |= addresses.find(events.elements(*_CITED), "cite")
    own = [each for each in urls if urls[each] == url and _is_heading(document, each)]
    links = {element: to.encode() for element, to in urls.items() if element not in own}
    languages = _code_languages(document, events.elements("pre").tolist())
    return _Stream(events, links, sources, languages)


def _is_heading(document: Document, link: int) -> bool:
    """Whether a link is all of a heading, which then leads to the page itself."""
    elements = document.elements
    around = int(elements.parent[link])
    same_runs = elements.end_run[around] == elements.end_run[link] and (
        elements.first_run[around] == elements.first_run[link]
    )
    return bool(same_runs and elements.flags[link] >> HEADING_SHIFT)


def _has_raw_formulas(document: Document) -> bool:
    """Whether a script of the page reads formulas in its text."""
    ends = document.blocks.start[:1].tolist() + document.blocks.end[-1:].tolist()
    # A part of a page keeps the page's text.
    if not any(document.text.find(sign, *ends) >= 0 for sign in _DELIMITERS):
        return False
    scripts = document.elements_with_tag("script")
    values = (document.values_of(name, scripts).values() for name in ("src", "type"))
    return any(_FORMULA_SCRIPT.search(value) for value in chain(*values))


def _code_languages(document: Document, pres: list[int]) -> dict[int, bytes]:
    """The languages of preformatted code by its attributes, where they tell one.

    Read from the first elements inside, the element, and those around nothing else.
    """
    elements, every = document.elements, np.arange(document.n_elements)
    told = np.append(0, np.cumsum(~document.once(Signs).silent_blocks))
    blocks = told[elements.end_block] - told[elements.first_block]
    named = [document.values_of(name, every) for name in _NAMING] if pres else []
    is_named = np.zeros(document.n_elements, bool)
    is_named[[element for values in named for element in values]] = True
    is_inner = is_named & document.are_tagged(_CODE_TAGS)
    found = {}
    for code in pres:
        end = min(elements.end.item(code), code + _MAX_INNER)
        near = code + 1 + np.flatnonzero(is_inner[code + 1 : end])
        outer = [code]
        while (around := elements.parent.item(outer[-1])) >= 0 and (
            len(outer) <= _MIN_LEVELS or blocks.item(around) == blocks.item(code)
        ):
            outer.append(around)
        candidates = [*near.tolist(), *(each for each in outer if is_named.item(each))]
        names = (_named_language(named, each, code) for each in candidates)
        if name := next(filter(None, names), None):
            found[code] = name.encode()
    return found


def _named_language(named: list[dict[int, str]], element: int, code: int) -> str:
    *names, classes = (values.get(element, "") for values in named)
    classes = classes.lower().replace("brush: ", "brush:")
    for token in classes.split():
        match = _LANGUAGE.match(token)
        # Around code, "lang-en" is a natural language.
        if match and (element >= code or not token.startswith("lang-")):
            names.append(match[1])
    if match := _BARE_LANGUAGE.match(classes):
        names.append(match[1])
    plain = (name.lower() for name in names if name)
    known = (name for name in plain if name not in _NO_LANGUAGE)
    return next((name for name in known if _LANGUAGE.match(f"lang-{name}")), "")
