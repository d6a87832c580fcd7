"""``scrapy mainpage-correct``: correct the labels of pages in the browser.

Imported at every call of ``scrapy``: the modules of the page are imported in ``run``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import CommandError, serve
from scrapy_mainpage.commands.page_source import PageCommand

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from scrapy_mainpage.correct.correction import PageToCorrect
    from scrapy_mainpage.correct.server import Server
    from scrapy_mainpage.extraction.extractor import Extractor

RULES_FOLDER: Final = "mainpage-rules"


class Command(PageCommand):
    """Serve the correcting page on this machine, until it is done or Ctrl-C."""

    arguments = "[options] <url or file> ..."
    summary = "Correct the labels of pages in the browser, and save them"
    description = (
        "Show pages with the labels of their text blocks in the browser, where clicks "
        "or keys correct them. Save them as labelled pages, and propose rules for "
        "their sites. URLs are downloaded with the settings of the project. Needs the "
        "extra 'report'."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        output = "folder of the labelled set, which is added to (default: %(default)s)"
        rules = f"folder for rules (default: MAINPAGE_RULES, or {RULES_FOLDER})"
        site = "the site of files that declare no address: rules need one"
        browser = "print the address, and open no browser"
        add = parser.add_argument
        add("-o", "--output", default="corrections", metavar="DIR", help=output)
        add("--rules", metavar="DIR", help=rules)
        add("--site", default="", metavar="HOST", help=site)
        add("--spider", help="use this spider's settings for URLs")
        add("--no-browser", action="store_true", help=browser)

    def work(self, args: list[str], opts: Namespace) -> None:
        """Read the pages and serve them; exit code 2 if there are none."""
        from scrapy_mainpage.text.words import number_of

        if not args:
            raise UsageError("a URL or a file is needed")
        server = self._make_server(args, opts)
        count = number_of(len(server.session.pages), "page")
        print(f"Correct {count} at {server.url} (Ctrl-C ends)", flush=True)
        serve(server, server.url, opens_browser=not opts.no_browser)
        saved = number_of(server.session.n_saved, "page")
        print(f"{saved} saved in {Path(opts.output)}")

    def _make_server(self, args: list[str], opts: Namespace) -> Server:
        import jinja2  # noqa: F401 - before all pages are downloaded

        from scrapy_mainpage.correct.server import Server
        from scrapy_mainpage.correct.session import Session
        from scrapy_mainpage.crawl.worker_pool import make_extractor

        settings = self.read_settings()
        # As that of a crawl, but of what the page itself shows alone.
        of_page = {"structured_data": False, "limits": settings.extraction["limits"]}
        extractor = make_extractor(
            settings.algorithm, settings.options, of_page, settings.rules
        )
        pages = self._read_pages([*dict.fromkeys(args)], opts, extractor)
        rules_folder = Path(opts.rules or settings.rules or RULES_FOLDER)
        return Server(Session(pages, Path(opts.output), rules_folder, extractor))

    def _read_pages(
        self, sources: list[str], opts: Namespace, extractor: Extractor
    ) -> list[PageToCorrect]:
        """The pages of URLs and files in their order; problems are printed."""
        from scrapy_mainpage.correct.session import read_source

        found = self.read(sources, opts.spider)
        read = [read_source(found[each], extractor, opts.site) for each in sources]
        problems = [each for each in read if isinstance(each, str)]
        if len(problems) == len(read):
            raise CommandError("; ".join(problems))
        for problem in problems:
            self.warn(problem)
        return [each for each in read if not isinstance(each, str)]
