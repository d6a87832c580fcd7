"""``scrapy mainpage``: the main content of one URL, file or standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import NOT_POSSIBLE, NoPageError, write
from scrapy_mainpage.commands.page_source import PageCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from scrapy.http import Response

    from scrapy_mainpage.extraction.extractor import Extractor
    from scrapy_mainpage.page import Page

FORMATS = ("text", "markdown", "html", "json", "blocks", "records")


class Command(PageCommand):
    """Print the main content of a page, or all of its text blocks with their labels."""

    arguments = "[options] <url or file or ->"
    summary = "Show the main content of a URL or an HTML file"
    description = (
        "Download a URL with the settings of the project, or read a file (- is "
        "standard input), and print its main content. The settings of the extraction "
        "apply, such as -s MAINPAGE_ALGORITHM=centroid or -s MAINPAGE_FAVOR=recall. A "
        "page that is not HTML, is empty, or cannot be downloaded or read gives a "
        "message on standard error and exit code 2. Only errors are logged unless -L "
        "says otherwise."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add(
            "-f",
            "--format",
            choices=FORMATS,
            default="text",
            help="what to print (default: text); blocks is a table of all text blocks "
            "with label, score, words, link density, source, text and XPath, records "
            "are tables of the product, the entries, the posts and the like",
        )
        add("--spider", help="use this spider's settings for a URL")
        add(
            "--report",
            metavar="FILE",
            help="write the visual report, one HTML page, to FILE and print nothing",
        )
        add(
            "--render",
            action="store_true",
            help="render a URL in a browser; its host may then be one of yours",
        )

    def process_options(self, args: list[str], opts: Namespace) -> None:
        """Make settings of the options."""
        super().process_options(args, opts)
        assert self.settings is not None
        names = [item.partition("=")[0] for item in opts.set]
        if not opts.loglevel and "LOG_LEVEL" not in names:
            # The project's level is meant for crawls.
            self.settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
        if opts.render:
            self.settings.set("MAINPAGE_RENDER", "always", "cmdline")

    def run(self, args: list[str], opts: Namespace) -> None:
        """Print the page, or a message with exit code 2."""
        if len(args) != 1:
            raise UsageError("one URL or file is needed")
        try:
            extractor = self._make_extractor()
            response = self.read(args, opts.spider)[args[0]]
            if isinstance(response, str):
                raise NoPageError(response)
            page = _extract(response, extractor)
            if opts.render and not page.rendered:
                reason = page.render_reason or "it was not tried"
                self.warn(f"not rendered: {reason}")
            if hint := _hint(page, response):
                self.warn(hint)
            if opts.report:
                write(_report(page), opts.report)
            elif shown := render(page, opts.format):
                write(shown)
        except NoPageError as error:
            self.end(NOT_POSSIBLE, str(error))

    def _make_extractor(self) -> Extractor:
        from scrapy_mainpage.extraction.extractor import Extractor
        from scrapy_mainpage.rules.rule_book import RuleBook

        settings = self.read_settings()
        return Extractor(
            settings.algorithm,
            settings.options,
            rules=RuleBook(settings.rules) if settings.rules else None,
            **settings.extraction,
        )


def _extract(response: Response, extractor: Extractor) -> Page:
    """The page of a response. Raises :exc:`~.cli.NoPageError`."""
    from scrapy_mainpage.crawl.pages import NO_LAYOUT, NotHtmlError, mainpage

    try:
        page = mainpage(response, extractor=extractor)
    except NotHtmlError as error:
        raise NoPageError(str(error)) from None
    if not response.body.strip():
        raise NoPageError(f"{response.url} is empty")
    if NO_LAYOUT in page.warnings:
        needed = f"{extractor.algorithm.name} needs the layout of a rendered page"
        raise NoPageError(f"{needed}; for a URL --render gets it")
    return page


def _hint(page: Page, response: Response) -> str | None:
    """What to try for a page that has no main content, or whose scripts make it."""
    from scrapy.http import HtmlResponse

    from scrapy_mainpage.crawl.pages import shared_tree
    from scrapy_mainpage.rendering.need import Need, judge

    assert isinstance(response, HtmlResponse)
    root = None if page.rendered else shared_tree(response, page)
    if root is not None:
        judgement = judge(root, page)
        if judgement.need == Need.YES:
            return f"JavaScript seems to build this page ({judgement.reason}): --render"
    if not page.text:
        return "no main content found; --format blocks shows all text blocks"
    return None


def _report(page: Page) -> str:
    from scrapy_mainpage.report import ReportUnavailable, write_report

    try:
        return write_report(page)
    except ReportUnavailable as error:
        raise NoPageError(str(error)) from None


def render(page: Page, form: str) -> str:
    """Return the page in one of :data:`FORMATS`."""
    from scrapy_mainpage.commands import tables

    writers = {
        "json": tables.page_json,
        "blocks": tables.blocks_table,
        "records": tables.records_tables,
    }
    if form in writers:
        return writers[form](page)
    text: str = getattr(page, form)
    return text
