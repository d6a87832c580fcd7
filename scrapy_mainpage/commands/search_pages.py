"""The search pages of ``scrapy mainpage-search``: served, or written by Pagefind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import index_url, serve
from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable, open_index
from scrapy_mainpage.redaction import message_line, redacted
from scrapy_mainpage.searchpage.server import SearchServer, parse_address
from scrapy_mainpage.text.words import number_of

if TYPE_CHECKING:
    from scrapy_mainpage.indexes.embedders import Embedder


def serve_page(
    index: str,
    bind: str,
    opens_browser: bool,
    embedder: Embedder | None = None,
    **options: Any,
) -> str | None:
    """Serve the search page of the index until Ctrl-C; return the problem, if any.

    *options* are of :meth:`.Index.search`, for all searches.
    """
    try:
        address = parse_address(bind)
    except ValueError:
        raise UsageError(f"--bind {bind}: not HOST:PORT") from None
    try:
        with open_index(index_url(index), read_only=True, embedder=embedder) as opened:
            name = redacted(index)
            server = SearchServer(opened, index, name, address, **options)
            print(f"Search {name} at {server.url} (Ctrl-C ends)", flush=True)
            serve(server, server.url, opens_browser=opens_browser)
    except IndexUnavailable as exc:
        return str(exc)
    except IndexFailure as exc:
        return message_line(str(exc), index)
    except OSError as exc:
        return f"--bind {address[0]}:{address[1]}: {exc.strerror}"
    return None


def write_page(index: str, folder: str) -> str | None:
    """Write a static search of the index; return the problem, if any."""
    from scrapy_mainpage.searchpage.static import StaticError, write_static

    try:
        with open_index(index_url(index), read_only=True) as opened:
            count = write_static(opened, redacted(index), Path(folder))
    except (IndexUnavailable, StaticError) as exc:
        return str(exc)
    except IndexFailure as exc:
        return message_line(str(exc), index)
    print(f"{number_of(count, 'page')} in {Path(folder, 'index.html')}")
    return None
