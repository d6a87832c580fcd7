"""``scrapy mainpage``: the main content of one URL, file or standard input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import CommandError, write
from scrapy_mainpage.commands.page_source import PageCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from scrapy.http import Response

    from scrapy_mainpage.extraction.extractor import Extractor
    from scrapy_mainpage.page import Page

FORMATS = ("text", "markdown", "html", "json", "blocks", "records")

#: Columns of the table of blocks; the last one stands whole.
BLOCK_COLUMNS = "label score words link_density source text xpath".split()


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

    values = (
        ("--spider", "SPIDER", "use this spider's settings for a URL"),
        ("--report", "FILE", "write the visual report to FILE and print nothing"),
    )
    flags = (("--render", "render a URL in a browser, also one of your own network"),)

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        form = (
            "what to print (default: text); blocks is a table of all text blocks with "
            "label, score, words, link density, source, text and XPath, records are "
            "tables of the product, the entries, the posts and the like"
        )
        add = parser.add_argument
        add("-f", "--format", choices=FORMATS, default="text", help=form)

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

    def work(self, args: list[str], opts: Namespace) -> None:
        """Print the page, or a message with exit code 2."""
        if len(args) != 1:
            raise UsageError("one URL or file is needed")
        from scrapy_mainpage.crawl.worker_pool import make_extractor

        ours = self.read_settings()
        extractor = make_extractor(
            ours.algorithm, ours.options, ours.extraction, ours.rules
        )
        response = self.read(args, opts.spider)[args[0]]
        if isinstance(response, str):
            raise CommandError(response)
        page = _extract(response, extractor)
        if opts.render and not page.rendered:
            self.warn(f"not rendered: {page.render_reason or 'it was not tried'}")
        if hint := _hint(page, response):
            self.warn(hint)
        if opts.report:
            from scrapy_mainpage.report import write_report

            write(write_report(page), opts.report)
        elif shown := render(page, opts.format):
            write(shown)


def _extract(response: Response, extractor: Extractor) -> Page:
    """The page of a response. Raises :exc:`~.cli.CommandError`."""
    from scrapy_mainpage.crawl.pages import NO_LAYOUT, mainpage

    page = mainpage(response, extractor=extractor)
    if not response.body.strip():
        raise CommandError(f"{response.url} is empty")
    if NO_LAYOUT in page.warnings:
        needed = f"{extractor.algorithm.name} needs the layout of a rendered page"
        raise CommandError(f"{needed}; for a URL --render gets it")
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


def render(page: Page, form: str) -> str:
    """Return the page in one of :data:`FORMATS`."""
    from scrapy_mainpage.commands import tables

    if form == "json":
        return json.dumps(page.as_dict(blocks=True), ensure_ascii=False, indent=2)
    if form == "blocks":
        return tables.table(tables.list_rows(page.blocks, BLOCK_COLUMNS))
    if form == "records":
        return tables.records_tables(page)
    text: str = getattr(page, form)
    return text
