"""Pages for commands: responses of files, and of Scrapy's downloader.

A file is a response like any other. Archives, feeds and folders of pages are read by
:mod:`scrapy_mainpage.batch`.
"""

from __future__ import annotations

import re
import sys
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlsplit

from scrapy_mainpage.commands.cli import BaseCommand, CommandError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import AsyncIterator, Callable, Sequence

    from scrapy import Request, Spider
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    Receive = Callable[[str, Response | str], None]

_URL: Final = re.compile(r"(?!file:)([a-z][a-z0-9+.-]*://|data:)", re.IGNORECASE)

#: A page that is only shown takes no part in the project's crawl, and writes nothing.
ALONE: Final = {
    "MAINPAGE_ENABLED": True,
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
    "FEEDS": {},
    "ITEM_PIPELINES": {},
    "JOBDIR": None,
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
}


def is_url(source: str) -> bool:
    """Whether *source* is to download; all else is a file, also file:// and drives."""
    return _URL.match(source) is not None


class PageCommand(BaseCommand):
    """A command that reads pages of URLs and files; only errors are logged."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def process_options(self, args: list[str], opts: Namespace) -> None:
        """Make settings of the options."""
        super().process_options(args, opts)
        assert self.settings is not None
        self.settings.setdict(ALONE, priority="cmdline")

    def read(
        self, sources: Sequence[str], spider_name: str | None = None
    ) -> dict[str, Response | str]:
        """The responses of URLs and files, by their source; a problem is a sentence.

        ``-`` is standard input. The spider is the named one, or that of the first URL.
        Raises :exc:`~.cli.CommandError` for a spider or URL that cannot be used, and if
        a browser is wanted but missing.
        """
        found: dict[str, Response | str] = {}
        if urls := [source for source in sources if is_url(source)]:
            self._download(urls, spider_name, found.__setitem__)
        for source in sources:
            if not is_url(source):
                found[source] = _try_file(source)
            missing = f"{source}: nothing was downloaded; -L INFO says more"
            response = found.setdefault(source, missing)
            status = 200 if isinstance(response, str) else response.status
            if status >= HTTPStatus.BAD_REQUEST:
                found[source] = f"{source}: HTTP status {status}"
        return found

    def _download(
        self, urls: Sequence[str], spider_name: str | None, receive: Receive
    ) -> None:
        process = self.crawler_process
        assert process is not None
        assert self.settings is not None
        spider = _make_spider(process, urls, spider_name, receive)
        _place_components(urls, self.settings, spider)
        process.crawl(spider)
        process.start()


def _make_spider(
    process: CrawlerProcessBase, urls: Sequence[str], name: str | None, receive: Receive
) -> type[Spider]:
    """A subclass of the named spider, or the first URL's, that fetches the URLs."""
    from scrapy.utils.spider import DefaultSpider, spidercls_for_request

    from scrapy_mainpage.redaction import error_line

    loader = process.spider_loader
    try:
        requests = [_make_request(url, receive) for url in urls]
        base: type[Spider] = (
            loader.load(name)
            if name
            else spidercls_for_request(loader, requests[0], DefaultSpider)
        )
    except (KeyError, ValueError) as error:
        raise CommandError(error_line(error)) from None

    async def start(self: Spider) -> AsyncIterator[Any]:
        for request in requests:
            yield request

    # Spiders of scrapy-redis take start URLs from the shared list with the latter.
    own = {"start": start, "setup_redis": lambda *_, **__: None}
    return type(base.__name__, (base,), own)


def _make_request(url: str, receive: Receive) -> Request:
    from scrapy import Request

    from scrapy_mainpage.redaction import error_line

    def show(response: Response) -> None:
        receive(url, response)

    def fail(failure: Failure) -> None:
        receive(url, f"{url}: {error_line(failure.value)}")

    return Request(
        url,
        callback=show,
        errback=fail,
        dont_filter=True,
        meta={"handle_httpstatus_list": range(400, 600), "mainpage_layout": True},
    )


def _place_components(
    urls: Sequence[str], shared: BaseSettings, spider: type[Spider]
) -> None:
    """Enable the add-on, also without a project.

    The browser may reach the hosts of the URLs, which the user has chosen.
    """
    from scrapy_mainpage.addon import Addon, place
    from scrapy_mainpage.rendering.launch import find_problem
    from scrapy_mainpage.setting_readers import words

    settings = shared.copy()
    spider.update_settings(settings)
    render = settings.get("MAINPAGE_RENDER") or "never"
    if render != "never":
        if missing := find_problem(settings):
            raise CommandError(f"MAINPAGE_RENDER={render!r}: {missing}")
        name = "MAINPAGE_RENDER_ALLOWED_HOSTS"
        hosts = [urlsplit(url).netloc.rpartition("@")[2] for url in urls]
        allowed = [*words(settings.get(name)), *filter(_may_be_allowed, hosts)]
        shared.set(name, [*dict.fromkeys(allowed)], "cmdline")
    place(shared, "ADDONS", Addon, 500)


def _may_be_allowed(host: str) -> bool:
    """Whether the setting would take the host; the page of another fails later."""
    from scrapy_mainpage.rendering.destinations import AllowedHosts

    try:
        AllowedHosts.parse([host])
    except ValueError:
        return False
    return True


def _try_file(source: str) -> Response | str:
    """The response of a file, or of standard input; else what is wrong with it."""
    from scrapy.http import HtmlResponse

    path, url = _locate(source)
    try:
        body = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        exists = path and path.exists()
        hint = "" if exists else " (a URL begins with https:// or the like)"
        return f"{source}: {error.strerror or error}{hint}"
    if not body.strip():
        return f"{source} is empty"
    if not _is_html(path, body):
        return f"{source} is not an HTML document"
    return HtmlResponse(url, body=body)


def _is_html(path: Path | None, body: bytes) -> bool:
    """Whether the file is HTML: by its name, or by an element in its content."""
    from scrapy.http import HtmlResponse, Response
    from scrapy.responsetypes import responsetypes

    from scrapy_mainpage.extraction.parsing.encoding import binary_type

    named = responsetypes.from_filename(path.name) if path else Response
    is_text = b"<" in body and not binary_type(body)
    return issubclass(named, HtmlResponse) or (named is Response and is_text)


def _locate(source: str) -> tuple[Path | None, str]:
    """Path of a source (none for standard input) and its URL."""
    from w3lib.url import file_uri_to_path

    if source == "-":
        return None, "file:///dev/stdin"
    path = Path(file_uri_to_path(source) if source.startswith("file://") else source)
    return path, path.absolute().as_uri()
