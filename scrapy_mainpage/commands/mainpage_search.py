"""``scrapy mainpage-search INDEX QUERY...``: search what was crawled.

Imported at every call of ``scrapy``, so what the search needs is imported in ``run``.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy_mainpage.indexes import Hit

NO_HITS = 1
NO_INDEX = 2


class Command(ScrapyCommand):
    """Search an index: exit code 0 with hits, 1 without, 2 if it cannot be read."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return what stands after the command's name."""
        return "[options] <index> <query...>"

    def short_desc(self) -> str:
        """Return the line in the list of commands."""
        return "Search an index made by scrapy-mainpage"

    def long_desc(self) -> str:
        """Return the help."""
        return (
            "Search the index of a crawl, the best hits first. INDEX is a file "
            "(SQLite), a folder (tantivy) or a URL such as "
            "postgresql://user@host/database. A hit has every word of the query; "
            "'\"a phrase\"', 'prefix*' and '-excluded' are understood. Put options "
            "first and quote the whole query: scrapy mainpage-search --limit 5 site.db "
            "'\"main content\" crawl* -forum'"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--site", metavar="HOST", help="only pages of this host and hosts below it"
        )
        parser.add_argument(
            "--type", metavar="TYPE", help="only pages of this type, such as article"
        )
        parser.add_argument(
            "--language",
            metavar="TAG",
            help="only pages in this language: en takes in en-GB",
        )
        parser.add_argument(
            "--passages", action="store_true", help="search passages, not whole pages"
        )
        parser.add_argument(
            "--limit",
            type=int,
            metavar="N",
            default=10,
            help="hits to show (default: 10)",
        )
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object a line"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the hits and set the exit code."""
        index, query = _arguments(args)
        options = _options(opts)
        from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable
        from scrapy_mainpage.indexes.errors import redacted

        from .hits import MARKS, PLAIN_MARKS, as_json, as_text
        from .output import show

        try:
            marks = PLAIN_MARKS if opts.json else MARKS
            hits = _search(index, query, highlight=marks, **options)
        except (IndexUnavailable, IndexFailure) as exc:
            self._end(NO_INDEX, f"scrapy mainpage-search: {exc}")
            return
        if not hits:
            what = "passage" if opts.passages else "page"
            self._end(NO_HITS, f"No {what} in {redacted(index)} matches {query}")
            return
        show(as_json(hits, _encoding()) if opts.json else as_text(hits, _is_bold()))

    def _end(self, exitcode: int, message: str) -> None:
        self.exitcode = exitcode
        print(message, file=sys.stderr)


def _arguments(args: Sequence[str]) -> tuple[str, str]:
    index, *words = [arg for arg in args if arg != "--"] or [""]
    query = " ".join(words)
    if not index or not query.strip():
        raise UsageError("an index and a query are needed")
    return index, query


def _options(opts: argparse.Namespace) -> dict[str, Any]:
    """The options as :meth:`.Index.search` takes them."""
    if opts.limit < 1:
        raise UsageError("--limit must be 1 or more")
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
    }


def _host(site: str) -> str:
    """The host of what may be one, or the URL of one of its pages."""
    try:
        host = urlsplit(site if "//" in site else f"//{site}").hostname
    except ValueError:
        host = None
    if not host:
        raise UsageError(f"--site {site}: not a host such as docs.example.com")
    return host


def _search(index: str, query: str, **options: Any) -> list[Hit]:
    from scrapy_mainpage.indexes import open_index

    from .indexurls import index_url

    with open_index(index_url(index), read_only=True) as opened:
        return opened.search(query, **options)


def _is_bold() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _encoding() -> str:
    return sys.stdout.encoding or "utf-8"
