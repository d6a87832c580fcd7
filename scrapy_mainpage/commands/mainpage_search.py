"""``scrapy mainpage-search INDEX QUERY...``: search the pages of a crawl.

Imported at every call of ``scrapy``, so the indexes are imported in ``run``.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    NOT_POSSIBLE,
    ToolCommand,
    index_url,
    show,
    to_line,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy_mainpage.indexes import Hit
    from scrapy_mainpage.indexes.base import Hits
    from scrapy_mainpage.indexes.embedders import Embedder

#: Engines keep the hits of a search in memory, and a larger number in no type.
MAX_LIMIT: Final = 1_000_000

_PLAIN_MARKS: Final = ("**", "**")
_BOLD: Final = ("\x1b[1m", "\x1b[0m")

_CONDITION: Final = re.compile(
    r"([A-Za-z]\w*)(?:[:=]\s*(?![<>])|:?(?=[<>]))(.+)", re.DOTALL
)

#: Marks around matches until control characters are removed: private characters, and a
#: token that no page can guess.
_TOKEN: Final = token_hex(8)
_MARKS: Final = (f"\ue000{_TOKEN}", f"\ue001{_TOKEN}")


class Command(ToolCommand):
    """Search an index: exit code 0 with hits, 1 without, 2 if it cannot be read."""

    arguments = "[options] <index> [query...]"
    summary = "Search an index made by scrapy-mainpage"
    description = (
        "Search the index of a crawl, the best hits first. INDEX is a file "
        "(SQLite) or a URL such as postgresql://user@host/database. Hits with every "
        "word of the query come before those with most; version:15 and price<100 are "
        "conditions on fields of the index; "
        "'\"a phrase\"', 'prefix*' and '-excluded' are understood. Put options "
        "first and quote the whole query: scrapy mainpage-search --limit 5 site.db "
        "'\"main content\" crawl* -forum'"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add(
            "--site",
            metavar="HOST",
            help="only pages of this host and hosts below it, or of HOST:PORT",
        )
        add("--type", metavar="TYPE", help="only pages of this type, such as article")
        add(
            "--language",
            metavar="TAG",
            help="only pages in this language: en takes in en-GB",
        )
        add(
            "--filter",
            metavar="CONDITION",
            action="append",
            help="only pages with this value of a field: version:15, 'price<100'; "
            "may be given several times",
        )
        add(
            "--facet",
            metavar="FIELD",
            action="append",
            help="count the values of this field; may be given several times",
        )
        add(
            "--sort",
            metavar="FIELD",
            help="by this field of numbers or dates; --sort=-price from the highest",
        )
        add("--passages", action="store_true", help="search passages, not whole pages")
        add(
            "--limit",
            type=int,
            metavar="N",
            default=10,
            help="hits to show (default: 10)",
        )
        add("--synonyms", metavar="FILE", help="words that stand for each other")
        add("--json", action="store_true", help="print one JSON object a line")
        add(
            "--mode",
            choices=("lexical", "vector", "hybrid"),
            default="lexical",
            help="search by words, by meaning (MAINPAGE_EMBEDDER), or by both",
        )
        add(
            "--serve",
            action="store_true",
            help="serve a search page, and /search.json, until Ctrl-C",
        )
        add(
            "--bind",
            metavar="HOST:PORT",
            default="",
            help="where to serve it (default: 127.0.0.1:8765, this machine only)",
        )
        add(
            "--static",
            metavar="DIR",
            help="write a search page for sites without a server, by Pagefind",
        )
        add(
            "--no-browser",
            action="store_true",
            help="print the address of the page, and open no browser",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the hits and set the exit code."""
        has_page = opts.serve or opts.static is not None
        index, query = _arguments(args, needs_query=not has_page)
        options = _options(opts)
        if opts.mode != "lexical":
            from scrapy_mainpage.indexes.embedders import EmbedderError, embedder_of

            try:
                options["embedder"] = embedder_of(self.read_settings())
            except EmbedderError as exc:
                self.end(NOT_POSSIBLE, f"MAINPAGE_EMBEDDER: {exc}")
                return
        if has_page:
            self._with_page(index, opts, **options)
            return
        from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable
        from scrapy_mainpage.indexes.fields import UnknownFieldError
        from scrapy_mainpage.redaction import message_line, redacted

        try:
            marks = _PLAIN_MARKS if opts.json else _MARKS
            hits = _search(index, query, highlight=marks, **options)
        except UnknownFieldError as exc:
            self.end(NOT_POSSIBLE, str(exc))
            return
        except (IndexUnavailable, IndexFailure) as exc:
            is_safe = isinstance(exc, IndexUnavailable)
            message = str(exc) if is_safe else message_line(str(exc), index)
            self.end(NOT_POSSIBLE, message)
            return
        if not hits:
            kind = "passage" if opts.passages else "page"
            message = f"No {kind} in {redacted(index)} matches {query}"
            if opts.passages and _search(index, query, **options | {"passages": False}):
                message += (
                    ", but pages do: MAINPAGE_INDEX_PASSAGE_WORDS indexes passages"
                )
            self.exitcode = INCOMPLETE
            print(message, file=sys.stderr)
            return
        show(_as_json(hits) if opts.json else _as_text(hits))

    def _with_page(self, index: str, opts: argparse.Namespace, **options: Any) -> None:
        """Serve a search page until Ctrl-C, or write one."""
        from scrapy_mainpage.commands.search_pages import serve_page, write_page

        del options["limit"]
        if opts.static is None:
            message = serve_page(index, opts.bind, not opts.no_browser, **options)
        else:
            message = write_page(index, opts.static)
        if message:
            self.end(NOT_POSSIBLE, message)


def _arguments(args: Sequence[str], *, needs_query: bool = True) -> tuple[str, str]:
    index, *words = [arg for arg in args if arg != "--"] or [""]
    query = " ".join(words)
    if not index or (needs_query and not query.strip()):
        raise UsageError("an index and a query are needed")
    return index, query


def _options(opts: argparse.Namespace) -> dict[str, Any]:
    """The options as :meth:`.Index.search` takes them."""
    if not 1 <= opts.limit <= MAX_LIMIT:
        raise UsageError(f"--limit must be a number from 1 to {MAX_LIMIT}")
    if opts.type is not None:
        from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES

        if opts.type not in PAGE_TYPES:
            allowed = ", ".join(PAGE_TYPES)
            raise UsageError(f"--type {opts.type}: no page type; allowed: {allowed}")
    return {
        "limit": opts.limit,
        "site": _host(opts.site) if opts.site else None,
        "page_type": opts.type,
        "language": opts.language,
        "passages": opts.passages,
        "filters": _filters(opts.filter or ()),
        "facets": opts.facet or (),
        "sort": opts.sort or "",
        "mode": opts.mode,
        "synonyms": _synonyms(opts.synonyms),
    }


def _filters(conditions: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for condition in conditions:
        match = _CONDITION.fullmatch(condition)
        if match is None:
            raise UsageError(f"--filter {condition}: not such as version:15 or price<9")
        found.setdefault(match[1], []).append(match[2])
    return found


def _synonyms(file: str | None) -> dict[str, tuple[str, ...]] | None:
    from scrapy_mainpage.indexes.word_forms import SynonymsError, read_synonyms

    try:
        return read_synonyms(Path(file)) if file else None
    except SynonymsError as exc:
        raise UsageError(f"--synonyms {exc}") from exc


def _host(site: str) -> str:
    """The host of *site*, and the port if it names one: a host or the URL of a page."""
    try:
        parts = urlsplit(site if "//" in site else f"//{site}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host:
        raise UsageError(f"--site {site}: not a host such as docs.example.com")
    if port is None:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _search(
    index: str, query: str, embedder: Embedder | None = None, **options: Any
) -> Hits:
    from scrapy_mainpage.indexes import open_index

    with open_index(index_url(index), read_only=True, embedder=embedder) as opened:
        return opened.search(query, **options)


def _as_json(hits: Hits) -> str:
    """One JSON object a line, facets last; in ASCII if the output is not UTF-8."""
    from scrapy_mainpage.indexes.search_records import hit_record

    encoding = sys.stdout.encoding or "utf-8"
    is_ascii = encoding.lower().replace("-", "") != "utf8"
    facets = [{"facets": hits.facets}] if hits.facets else []
    rows = [*map(hit_record, hits), *facets]
    return "\n".join(json.dumps(row, ensure_ascii=is_ascii) for row in rows)


def _as_text(hits: Hits) -> str:
    """Rank, title, URL and snippet of each hit, then a line for each facet."""
    bold = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    entries = [_entry(rank, hit, bold) for rank, hit in enumerate(hits, 1)]
    facets = [
        f"{name}: {', '.join(f'{to_line(str(x))} ({n})' for x, n in counts.items())}"
        for name, counts in hits.facets.items()
    ]
    return "\n\n".join([*entries, *(["\n".join(facets)] if facets else [])])


def _entry(rank: int, hit: Hit, bold: bool) -> str:
    snippet = to_line(hit.snippet)
    for mark, shown in zip(_MARKS, _BOLD if bold else _PLAIN_MARKS, strict=True):
        snippet = snippet.replace(mark, shown)
    return "\n   ".join([f"{rank}. {to_line(_name(hit))}", to_line(hit.link), snippet])


def _name(hit: Hit) -> str:
    """The title, and the headings that lead to the passage or section."""
    title = hit.title or hit.url
    if hit.passage:
        path = hit.passage.path or filter(None, (hit.passage.heading,))
    else:
        path = hit.sections[0].path if hit.sections else ()
    return " - ".join((title, *(name for name in path if name != title)))
