"""``scrapy mainpage-search INDEX QUERY...``: search what was crawled.

Imported at every call of ``scrapy``, so what the search needs is imported in ``run``.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy_mainpage.indexes import Hit

NO_HITS = 1
NO_INDEX = 2

_BOLD = ("\x1b[1m", "\x1b[0m")
_STARS = ("**", "**")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


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
            "Search the index of a crawl, the best hits first. INDEX is a file or a "
            "URL such as sqlite:///site.db. A hit has every word of the query; "
            "'\"a phrase\"', 'prefix*' and '-excluded' are understood. Put options "
            "first and quote the whole query: scrapy mainpage-search --limit 5 site.db "
            "'\"main content\" crawl* -forum'"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--limit", type=int, default=10, help="hits to show (default: 10)"
        )
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object a line"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the hits and set the exit code."""
        index, query = _arguments(args)
        if opts.limit < 1:
            raise UsageError("--limit must be 1 or more")
        from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable

        marks = _STARS if opts.json else _marks()
        try:
            hits = _search(index, query, opts.limit, marks)
        except (IndexUnavailable, IndexFailure) as exc:
            self._end(NO_INDEX, f"scrapy mainpage-search: {exc}")
            return
        if not hits:
            self._end(NO_HITS, f"No page in {index} matches {query}")
            return
        _print(_as_json(hits) if opts.json else _as_text(hits))

    def _end(self, exitcode: int, message: str) -> None:
        self.exitcode = exitcode
        print(message, file=sys.stderr)


def _arguments(args: Sequence[str]) -> tuple[str, str]:
    index, *words = [arg for arg in args if arg != "--"] or [""]
    query = " ".join(words)
    if not index or not query.strip():
        raise UsageError("an index and a query are needed")
    return index, query


def _search(
    index: str, query: str, limit: int, highlight: tuple[str, str]
) -> list[Hit]:
    from scrapy_mainpage.indexes import open_index

    url = index if "://" in index else f"sqlite:///{index}"
    with open_index(url, read_only=True) as opened:
        return opened.search(query, limit=limit, highlight=highlight)


def _marks() -> tuple[str, str]:
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return _BOLD if coloured else _STARS


def _as_json(hits: Sequence[Hit]) -> str:
    import json
    from dataclasses import asdict

    # Escapes are right in every terminal; characters read better where they can be.
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    return "\n".join(json.dumps(asdict(hit), ensure_ascii=ascii_only) for hit in hits)


def _as_text(hits: Sequence[Hit]) -> str:
    return "\n\n".join(_entry(rank, hit) for rank, hit in enumerate(hits, 1))


def _entry(rank: int, hit: Hit) -> str:
    lines = (_plain(hit.title or hit.url), _plain(hit.url), hit.snippet)
    return f"{rank}. " + "\n   ".join(lines)


def _plain(text: str) -> str:
    """The text on one line, without what a terminal would obey."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def _print(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))
