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
    CommandError,
    ToolCommand,
    index_url,
    make_embedder,
    serve,
    show,
    to_line,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy_mainpage.indexes import Hit, Index
    from scrapy_mainpage.indexes.base import Hits

_PLAIN_MARKS: Final = ("**", "**")
_BOLD: Final = ("\x1b[1m", "\x1b[0m")

_COLOR: Final = re.compile("#[0-9A-Fa-f]{3,8}|[A-Za-z]+")

#: Marks around matches until control characters are removed: private characters, and a
#: token that no page can guess.
_TOKEN: Final = token_hex(8)
_MARKS: Final = (f"\ue000{_TOKEN}", f"\ue001{_TOKEN}")

_MODES: Final = ("lexical", "vector", "hybrid")
#: Options with a value, its name, and what they do.
_VALUES: Final = (
    ("--site", "HOST", "only pages of this host and hosts below it, or of HOST:PORT"),
    ("--type", "TYPE", "only pages of this type, such as article"),
    ("--language", "TAG", "only pages in this language: en takes in en-GB"),
    ("--sort", "FIELD", "by this field of numbers or dates; --sort=-price downwards"),
    ("--synonyms", "FILE", "words that stand for each other"),
    ("--title", "TEXT", "name of the search page (default: that of the index's file)"),
    ("--color", "COLOR", "of its links and buttons, such as #005a8c or teal"),
    ("--bind", "HOST:PORT", "where to serve the page (127.0.0.1:8765: this machine)"),
)
_LISTS: Final = (("--facet", "FIELD", "count the values of this field"),)
_FLAGS: Final = (
    ("--passages", "search passages, not whole pages"),
    ("--json", "print one JSON object a line"),
    ("--serve", "serve a search page, and /search.json, until Ctrl-C"),
    ("--no-browser", "print the address of the page, and open no browser"),
)


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
    values, lists, flags = _VALUES, _LISTS, _FLAGS

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        limit = "hits to show (default: 10)"
        add("--limit", type=int, metavar="N", default=10, help=limit)
        mode = "search by words, by meaning (MAINPAGE_EMBEDDER), or by both"
        add("--mode", choices=_MODES, default=_MODES[0], help=mode)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the hits and set the exit code."""
        name, query = _arguments(args, needs_query=not opts.serve)
        options = _options(opts)
        from scrapy_mainpage.indexes import IndexFailure, open_index
        from scrapy_mainpage.redaction import message_line

        needs_model = opts.mode != _MODES[0]
        model = make_embedder(self.read_settings()) if needs_model else None
        try:
            with open_index(index_url(name), read_only=True, embedder=model) as index:
                if opts.serve:
                    _serve_page(index, name, opts, options)
                else:
                    self._search(index, name, query, opts, options)
        except IndexFailure as exc:
            raise CommandError(message_line(str(exc), name)) from exc

    def _search(
        self,
        index: Index,
        name: str,
        query: str,
        opts: argparse.Namespace,
        options: dict[str, Any],
    ) -> None:
        from scrapy_mainpage.redaction import redacted

        marks = _PLAIN_MARKS if opts.json else _MARKS
        hits = index.search(query, limit=opts.limit, highlight=marks, **options)
        if hits:
            text = _as_json(hits) if opts.json else _as_text(hits)
            show(text, is_clean=not opts.json)
            return
        kind = "passage" if opts.passages else "page"
        message = f"No {kind} in {redacted(name)} matches {query}"
        if opts.passages and index.search(query, **options | {"passages": False}):
            message += ", but pages do: MAINPAGE_INDEX_PASSAGE_WORDS indexes passages"
        self.exitcode = INCOMPLETE
        print(to_line(message), file=sys.stderr)


def _serve_page(
    index: Index, name: str, opts: argparse.Namespace, options: dict[str, Any]
) -> None:
    """Serve the search page of the index until Ctrl-C."""
    from scrapy_mainpage.redaction import redacted
    from scrapy_mainpage.searchpage.server import SearchServer, parse_address

    try:
        address = parse_address(opts.bind or "")
    except ValueError:
        raise UsageError(f"--bind {opts.bind}: not HOST:PORT") from None
    try:
        server = SearchServer(
            index, name, _title(name, opts), address, color=opts.color, **options
        )
    except OSError as exc:
        problem = f"--bind {address[0]}:{address[1]}: {exc.strerror}"
        raise CommandError(problem) from exc
    print(f"Search {redacted(name)} at {server.url} (Ctrl-C ends)", flush=True)
    serve(server, server.url, opens_browser=not opts.no_browser)


def _title(name: str, opts: argparse.Namespace) -> str:
    """The name of the search page; no path of this machine, and no password."""
    from scrapy_mainpage.redaction import redacted

    shown = redacted(name)
    is_file = "://" not in name or name.startswith("sqlite:")
    return opts.title or (Path(shown).stem if is_file else shown)


def _arguments(args: Sequence[str], *, needs_query: bool) -> tuple[str, str]:
    index, *words = [arg for arg in args if arg != "--"] or [""]
    query = " ".join(words)
    if not index or (needs_query and not query.strip()):
        raise UsageError("an index and a query are needed")
    return index, query


def _options(opts: argparse.Namespace) -> dict[str, Any]:
    """The options of every search, as :meth:`.Index.search` takes them."""
    from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES
    from scrapy_mainpage.indexes.word_forms import SynonymsError, read_synonyms

    if opts.limit < 1:
        raise UsageError("--limit must be a number from 1")
    if opts.color is not None and not _COLOR.fullmatch(opts.color):
        raise UsageError(f"--color {opts.color}: not such as #005a8c or teal")
    if opts.type is not None and opts.type not in PAGE_TYPES:
        allowed = ", ".join(PAGE_TYPES)
        raise UsageError(f"--type {opts.type}: no page type; allowed: {allowed}")
    try:
        synonyms = read_synonyms(Path(opts.synonyms)) if opts.synonyms else None
    except SynonymsError as exc:
        raise UsageError(f"--synonyms {exc}") from exc
    return {
        "site": _host(opts.site) if opts.site else None,
        "page_type": opts.type,
        "language": opts.language,
        "passages": opts.passages,
        "facets": opts.facet,
        "sort": opts.sort or "",
        "mode": opts.mode,
        "synonyms": synonyms,
    }


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
