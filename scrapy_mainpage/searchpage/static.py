"""A search for sites without a server: Pagefind's index, and the search page."""

from __future__ import annotations

import asyncio
import html
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from w3lib.url import is_url

from ..indexes.candidates import with_paths
from ..indexes.tokens import segment, unsegment
from .server import colored

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..indexes import Index, IndexDocument

_FILES: Final = ("search.css", "search.js", "static.js")
_SCRIPT: Final = '<script src="search.js" defer></script>'
_POLICY: Final = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'\">\n"
    '<script src="static.js" defer></script>\n'
)


class StaticError(ValueError):
    """A search that cannot be written; the message is one line."""


def write_static(
    index: Index, name: str, folder: Path, color: str | None = None
) -> int:
    """Write a search of the index into a folder; return the number of pages.

    *name* is shown as that of the index, links have the *color*. Pages that
    no browser can open are left out. Raises :exc:`StaticError` without
    Pagefind, a folder to write to, or texts.
    """
    documents = index.documents()
    if not documents:
        raise StaticError("an empty index, or one of an engine that gives no texts")
    try:
        # A thread has no event loop, which a notebook has.
        with ThreadPoolExecutor(1) as thread:
            made = _write(documents, name, folder)
            count = thread.submit(asyncio.run, made).result()
        style = folder / "search.css"
        style.write_text(colored(style.read_text("utf-8"), color), "utf-8")
        return count
    except ModuleNotFoundError as exc:
        hint = "pip install 'scrapy-mainpage[pagefind]'"
        raise StaticError(f"{exc.name} is not installed: {hint}") from exc
    except OSError as exc:
        raise StaticError(f"{folder}: {exc.strerror or exc}") from exc


async def _write(documents: Sequence[IndexDocument], name: str, folder: Path) -> int:
    from pagefind.index import IndexConfig, PagefindIndex

    folder.mkdir(parents=True, exist_ok=True)
    # Pagefind makes an index for each language, and loads that of the page alone.
    tags = Counter(each.language.split("-")[0] for each in documents if each.language)
    config = IndexConfig(
        output_path=os.fspath(folder / "pagefind"),
        force_language=tags.most_common(1)[0][0] if tags else "en",
    )
    count = 0
    async with PagefindIndex(config=config) as made:
        for document in documents:
            if is_url(document.url):
                await made.add_html_file(content=_page_of(document), url=document.url)
                count += 1
    home = files(__package__)
    for each in _FILES:
        (folder / each).write_text(home.joinpath(each).read_text("utf-8"), "utf-8")
    page = home.joinpath("search.html").read_text("utf-8")
    page = page.replace("INDEX", html.escape(name))
    page = page.replace(_SCRIPT, _POLICY + _SCRIPT)
    (folder / "index.html").write_text(page, "utf-8")
    return count


def _page_of(document: IndexDocument) -> str:
    """The document as a page that Pagefind reads: headings with ids, and texts."""
    language = html.escape(document.language or "en")
    title = html.escape(document.title or document.url)
    return (
        f'<html lang="{language}"><head><title>{title}</title></head><body>'
        f"<h1>{title}</h1>{''.join(_filters(document))}{''.join(_parts(document))}"
        "</body></html>"
    )


def _filters(document: IndexDocument) -> Iterator[str]:
    fields = {"type": [document.page_type], "language": [document.language]}
    fields |= {name: _values(value) for name, value in document.fields.items()}
    for name, values in fields.items():
        for value in filter(None, values):
            shown = html.escape(str(value))
            yield f'<p data-pagefind-filter="{name}[title]" title="{shown}"></p>'


def _parts(document: IndexDocument) -> Iterator[str]:
    """The text with the headings of its sections, from the first on."""
    place = 0
    for section, _, _ in with_paths(document.title, document.sections):
        # Places are those of the text as it came; the stored one may be shorter.
        heading = unsegment(segment(section.heading))
        end = max(section.start, place) + len(heading)
        start = document.text.rfind(heading, place, end) if heading else -1
        if start >= 0:
            yield _texts(document.text[place:start])
            place = start + len(heading)
        level = min(max(section.level, 2), 6)
        anchor = f' id="{html.escape(section.anchor)}"' if section.anchor else ""
        yield f"<h{level}{anchor}>{html.escape(section.heading)}</h{level}>"
    yield _texts(document.text[place:])


def _texts(text: str) -> str:
    lines = filter(None, map(str.strip, text.splitlines()))
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)


def _values(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]
