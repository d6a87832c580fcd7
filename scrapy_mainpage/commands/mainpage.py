"""``scrapy mainpage``: the main content of one URL, file or standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    NOT_POSSIBLE,
    BaseCommand,
    NoPageError,
    read_settings,
    write,
)
from scrapy_mainpage.commands.page_download import ALONE, download, is_url
from scrapy_mainpage.commands.page_files import FORMATS, read_page, render

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from scrapy.http import Response

    from scrapy_mainpage.commands.report import LayoutExtractor
    from scrapy_mainpage.page import Page


class Command(BaseCommand):
    """Print the main content of a page, or all of its text blocks with their labels."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    arguments = "[options] <url or file or ->"
    summary = "Show the main content of a URL or an HTML file"
    description = (
        "Download a URL with the settings of the project, or read a file (- is "
        "standard input), and print its main content. A page that is not HTML, is "
        "empty, or cannot be downloaded or read gives a message on standard error "
        "and exit code 2. Only errors are logged unless -L says otherwise."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "-f",
            "--format",
            choices=FORMATS,
            default="text",
            help="what to print (default: text); blocks is a table of all text blocks "
            "with label, score, words, link density, source and XPath",
        )
        parser.add_argument(
            "-a", "--algorithm", help="algorithm (default: MAINPAGE_ALGORITHM)"
        )
        parser.add_argument(
            "--favor",
            choices=("balanced", "precision", "recall"),
            help="prefer precision or recall (default: MAINPAGE_FAVOR)",
        )
        parser.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            help="write to FILE, not to standard output",
        )
        parser.add_argument("--spider", help="use this spider's settings for a URL")
        parser.add_argument(
            "--report",
            metavar="FILE",
            help="write the visual report, one HTML page, to FILE and print nothing",
        )
        parser.add_argument(
            "--render",
            nargs="?",
            const="always",
            choices=("never", "auto", "always"),
            help="render a URL in a browser, always or (auto) where it is needed "
            "(default: MAINPAGE_RENDER); its host may then be one of yours",
        )
        parser.add_argument(
            "--layout",
            metavar="FILE",
            help="layout snapshot of the rendered page whose source is given, for the "
            "algorithms that need one",
        )

    def process_options(self, args: list[str], opts: Namespace) -> None:
        """Make settings of the options."""
        super().process_options(args, opts)
        assert self.settings is not None
        if not opts.loglevel and "LOG_LEVEL" not in dict(_pairs(opts.set)):
            # The project's level is meant for crawls.
            self.settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
        if opts.algorithm:
            self.settings.set("MAINPAGE_ALGORITHM", opts.algorithm, priority="cmdline")
        if opts.favor:
            self.settings.set("MAINPAGE_FAVOR", opts.favor, priority="cmdline")
        if opts.render:
            self.settings.set("MAINPAGE_RENDER", opts.render, priority="cmdline")
            # For the report.
            self.settings.set("MAINPAGE_RENDER_LAYOUT", True, priority="cmdline")
        self.settings.setdict(ALONE, priority="cmdline")

    def run(self, args: list[str], opts: Namespace) -> None:
        """Print the page, or a message with exit code 2."""
        if len(args) != 1:
            raise UsageError("one URL or file is needed")
        if opts.layout and is_url(args[0]):
            raise UsageError("--layout goes with the file that it was recorded with")
        try:
            extractor = self._extractor(opts)
            page = self._page(args[0], opts, extractor)
            _check_layout(page, extractor)
            if hint := _hint(page, extractor):
                print(f"scrapy mainpage: {hint}", file=sys.stderr)
            if opts.report:
                write(extractor.report(page), opts.report)
            elif (shown := render(page, opts.format)) or opts.output:
                write(shown, opts.output)
        except NoPageError as error:
            self.end(NOT_POSSIBLE, f"scrapy mainpage: {error}")

    def _extractor(self, opts: Namespace) -> LayoutExtractor:
        from scrapy_mainpage.commands.report import LayoutExtractor
        from scrapy_mainpage.extraction.algorithms import get_algorithm
        from scrapy_mainpage.rules.rule_book import RuleBook
        from scrapy_mainpage.settings import SettingsError

        assert self.settings is not None
        try:
            settings = read_settings(self.settings)
        except SettingsError as error:
            raise NoPageError(str(error)) from None
        algorithm = get_algorithm(settings.algorithm, settings.options)
        return LayoutExtractor(
            algorithm,
            opts.layout,
            structured_data=settings.structured_data,
            title_in_text=settings.title_in_text,
            limits=settings.limits,
            detect_encoding=settings.detect_encoding,
            rules=RuleBook(settings.rules) if settings.rules else None,
        )

    def _page(self, source: str, opts: Namespace, extractor: LayoutExtractor) -> Page:
        if is_url(source):
            return self._download(source, opts, extractor)
        return read_page(source, extractor)

    def _download(self, url: str, opts: Namespace, extractor: LayoutExtractor) -> Page:
        """Return the page of a URL, from Scrapy's downloader."""
        assert self.crawler_process is not None
        assert self.settings is not None
        results: list[Page | str] = []

        def receive(_: str, found: Response | str) -> None:
            if not isinstance(found, str):
                results.append(_page_or_problem(found, extractor))
            else:
                results.append(found)

        process, settings = self.crawler_process, self.settings
        render = download(process, settings, [url], opts.spider, receive)
        if not results:
            raise NoPageError(f"{url}: nothing was downloaded; -L INFO says more")
        page = results[0]
        if isinstance(page, str):
            raise NoPageError(page)
        if render == "always" and not page.rendered:
            reason = page.render_reason or "it was not tried"
            print(f"scrapy mainpage: not rendered: {reason}", file=sys.stderr)
        return page


def _check_layout(page: Page, extractor: LayoutExtractor) -> None:
    """Raise :exc:`NoPageError` if another algorithm took over for want of a layout."""
    from scrapy_mainpage.crawl.pages import NO_LAYOUT

    if NO_LAYOUT in page.warnings:
        needed = f"{extractor.algorithm.name} needs the layout of a rendered page"
        raise NoPageError(f"{needed}; --render gets it, --layout reads it from a file")


def _hint(page: Page, extractor: LayoutExtractor) -> str | None:
    """What to try for a page that has no main content, or whose scripts make it."""
    from scrapy_mainpage.rendering.detection.need import Need, judge

    if extractor.root is not None and not page.rendered:
        judgement = judge(extractor.root, page)
        if judgement.need == Need.YES:
            return f"JavaScript seems to build this page ({judgement.reason}): --render"
    if not page.text:
        return "no main content found; --format blocks shows all text blocks"
    return None


def _pairs(options: list[str]) -> list[tuple[str, str]]:
    return [
        (name, value) for name, _, value in (item.partition("=") for item in options)
    ]


def _page_or_problem(response: Response, extractor: LayoutExtractor) -> Page | str:
    from scrapy.http import HtmlResponse

    from scrapy_mainpage.crawl.pages import (
        NotHtmlError,
        known_layout,
        mainpage,
        shared_tree,
    )

    if response.status >= 400:
        return f"{response.url}: HTTP status {response.status}"
    try:
        page = mainpage(response, extractor=extractor)
        extractor.layout = known_layout(response)
        if isinstance(response, HtmlResponse):
            extractor.root = shared_tree(response, page)
    except NotHtmlError as error:
        return str(error)
    return page if response.body.strip() else f"{response.url} is empty"
