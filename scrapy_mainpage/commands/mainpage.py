"""``scrapy mainpage``: the main content of one URL, file or standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    NOT_POSSIBLE,
    NoPageError,
    to_line,
    write,
)
from scrapy_mainpage.commands.page_source import (
    PageCommand,
    is_url,
    read_page,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from scrapy.http import Response

    from scrapy_mainpage.commands.report import LayoutExtractor
    from scrapy_mainpage.page import Page

FORMATS = ("text", "markdown", "html", "json", "blocks", "records")

MAX_XPATH_CELLS = 60
"""A longer XPath does not widen its column."""

MAX_TEXT_CELLS = 60


class Command(PageCommand):
    """Print the main content of a page, or all of its text blocks with their labels."""

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
        add = parser.add_argument
        add(
            "-f",
            "--format",
            choices=FORMATS,
            default="text",
            help="what to print (default: text); blocks is a table of all text blocks "
            "with label, score, words, link density, source and XPath, records are "
            "tables of the product, the entries, the posts and the like",
        )
        add("-a", "--algorithm", help="algorithm (default: MAINPAGE_ALGORITHM)")
        add(
            "--favor",
            choices=("balanced", "precision", "recall"),
            help="prefer precision or recall (default: MAINPAGE_FAVOR)",
        )
        add(
            "-o",
            "--output",
            metavar="FILE",
            help="write to FILE, not to standard output",
        )
        add("--spider", help="use this spider's settings for a URL")
        parser.add_argument(
            "--report",
            metavar="FILE",
            help="write the visual report, one HTML page, to FILE and print nothing",
        )
        add(
            "--render",
            nargs="?",
            const="always",
            choices=("never", "auto", "always"),
            help="render a URL in a browser, always or (auto) where it is needed "
            "(default: MAINPAGE_RENDER); its host may then be one of yours",
        )
        add(
            "--layout",
            metavar="FILE",
            help="layout snapshot of the rendered page whose source is given, for the "
            "algorithms that need one",
        )

    def process_options(self, args: list[str], opts: Namespace) -> None:
        """Make settings of the options."""
        super().process_options(args, opts)
        assert self.settings is not None
        names = [item.partition("=")[0] for item in opts.set]
        if not opts.loglevel and "LOG_LEVEL" not in names:
            # The project's level is meant for crawls.
            self.settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
        for name in ("algorithm", "favor", "render"):
            if value := getattr(opts, name):
                self.settings.set(f"MAINPAGE_{name.upper()}", value, "cmdline")

    def run(self, args: list[str], opts: Namespace) -> None:
        """Print the page, or a message with exit code 2."""
        if len(args) != 1:
            raise UsageError("one URL or file is needed")
        if opts.layout and is_url(args[0]):
            raise UsageError("--layout goes with the file that it was recorded with")
        try:
            extractor = self._extractor(opts)
            page = (
                self._download(args[0], opts, extractor)
                if is_url(args[0])
                else read_page(args[0], extractor)
            )
            _check_layout(page, extractor)
            if hint := _hint(page, extractor):
                self.warn(hint)
            if opts.report:
                write(extractor.report(page), opts.report)
            elif (shown := render(page, opts.format)) or opts.output:
                write(shown, opts.output)
        except NoPageError as error:
            self.end(NOT_POSSIBLE, str(error))

    def _extractor(self, opts: Namespace) -> LayoutExtractor:
        from scrapy_mainpage.commands.report import LayoutExtractor
        from scrapy_mainpage.extraction.algorithms import get_algorithm
        from scrapy_mainpage.rules.rule_book import RuleBook

        settings = self.read_settings()
        algorithm = get_algorithm(settings.algorithm, settings.options)
        return LayoutExtractor(
            algorithm,
            opts.layout,
            rules=RuleBook(settings.rules) if settings.rules else None,
            **settings.extraction,
        )

    def _download(self, url: str, opts: Namespace, extractor: LayoutExtractor) -> Page:
        """Return the page of a URL, from Scrapy's downloader."""
        results: list[Page | str] = []

        def receive(_: str, found: Response | str) -> None:
            results.append(
                found if isinstance(found, str) else _page_or_problem(found, extractor)
            )

        render = self.download([url], opts.spider, receive)
        if not results:
            raise NoPageError(f"{url}: nothing was downloaded; -L INFO says more")
        page = results[0]
        if isinstance(page, str):
            raise NoPageError(page)
        if render == "always" and not page.rendered:
            reason = page.render_reason or "it was not tried"
            self.warn(f"not rendered: {reason}")
        return page


def _check_layout(page: Page, extractor: LayoutExtractor) -> None:
    """Raise :exc:`NoPageError` if another algorithm took over for want of a layout."""
    from scrapy_mainpage.crawl.pages import NO_LAYOUT

    if NO_LAYOUT in page.warnings:
        needed = f"{extractor.algorithm.name} needs the layout of a rendered page"
        raise NoPageError(f"{needed}; --render gets it, --layout reads it from a file")


def _hint(page: Page, extractor: LayoutExtractor) -> str | None:
    """What to try for a page that has no main content, or whose scripts make it."""
    from scrapy_mainpage.rendering.need import Need, judge

    if extractor.root is not None and not page.rendered:
        judgement = judge(extractor.root, page)
        if judgement.need == Need.YES:
            return f"JavaScript seems to build this page ({judgement.reason}): --render"
    if not page.text:
        return "no main content found; --format blocks shows all text blocks"
    return None


def _page_or_problem(response: Response, extractor: LayoutExtractor) -> Page | str:
    from scrapy.http import HtmlResponse

    from scrapy_mainpage.crawl.pages import (
        NotHtmlError,
        mainpage,
        record_of,
        shared_tree,
    )

    if response.status >= 400:
        return f"{response.url}: HTTP status {response.status}"
    try:
        page = mainpage(response, extractor=extractor)
        extractor.layout = record_of(response).layout
        if isinstance(response, HtmlResponse):
            extractor.root = shared_tree(response, page)
    except NotHtmlError as error:
        return str(error)
    return page if response.body.strip() else f"{response.url} is empty"


def render(page: Page, form: str) -> str:
    """Return the page in one of :data:`FORMATS`."""
    if form == "json":
        import json

        return json.dumps(page.as_dict(blocks=True), ensure_ascii=False, indent=2)
    if form == "blocks":
        return blocks_table(page)
    if form == "records":
        from scrapy_mainpage.commands.records import records_tables

        return records_tables(page)
    text: str = getattr(page, form)
    return text


def blocks_table(page: Page) -> str:
    """A line for each text block; only the last column has cells of any width."""
    rows = [("LABEL", "SCORE", "WORDS", "LINKS", "SOURCE", "XPATH", "TEXT")]
    rows += [
        (
            block.label.value,
            f"{block.score:.2f}",
            str(block.words),
            f"{block.link_density:.2f}",
            block.source,
            block.xpath,
            _shorten(block.text),
        )
        for block in page.blocks
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    widths[5] = min(widths[5], MAX_XPATH_CELLS)
    return "\n".join(_row(row, widths) for row in rows)


def _row(row: tuple[str, ...], widths: list[int]) -> str:
    label, *numbers, source, xpath, text = row
    cells = [label.ljust(widths[0])]
    cells += [
        cell.rjust(width) for cell, width in zip(numbers, widths[1:4], strict=True)
    ]
    cells += [source.ljust(widths[4]), xpath.ljust(widths[5]), text]
    return "  ".join(cells).rstrip()


def _shorten(text: str) -> str:
    line = to_line(text)
    return line if len(line) <= MAX_TEXT_CELLS else line[: MAX_TEXT_CELLS - 1] + "…"
