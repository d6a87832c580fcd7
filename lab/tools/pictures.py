"""Take the pictures of the documentation: reports and corrections.

Writes into ``docs/_static``: the visual report of a page of the
bundled site, all labels of that page, the report of the site's crawl by the demo, and
how a made site is corrected; the search page. The browser is one that Playwright finds
or that ``--browser`` names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from lab import ROOT
from scrapy_mainpage import extract
from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.correct.server import Server
from scrapy_mainpage.correct.session import Session
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.indexes import IndexDocument, open_index
from scrapy_mainpage.pipelines.index_documents import DocumentMaker
from scrapy_mainpage.report import write_report
from scrapy_mainpage.searchpage.server import SearchServer

from .hard_site import make_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SITE = ROOT / "example_project/site"
PAGE = "blog/loose-chair.html"
URL = f"http://127.0.0.1:8000/{PAGE}"
PAGE_SIZE = {"width": 1200, "height": 720}
CRAWL_SIZE = {"width": 1200, "height": 1040}
# The panes alone: boilerplate and the beginning of the article.
SHOW_PANES = """() => document.querySelector("header")?.remove()"""


def report_page() -> str:
    """The visual report of a page."""
    return write_report(extract((SITE / PAGE).read_bytes(), url=URL))


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", help="path of a Chromium")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/_static")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser)
        output = options.output
        take(browser, report_page(), output / "report-light.png", PAGE_SIZE, SHOW_PANES)
        take_labels(browser, report_page(), output / "labels.png")
        take(browser, crawl_site(), output / "crawl-light.png", CRAWL_SIZE)
        take_corrections(browser, output)
        take_search(browser, output / "search-page.png")
        browser.close()


def crawl_site() -> str:
    """The report of the demo's crawl."""
    with TemporaryDirectory() as folder:
        demo = ROOT / "example_project/demo.py"
        command = [sys.executable, str(demo), "--output", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return Path(folder, "crawl.html").read_text("utf-8")


def take(
    browser: Browser, html: str, path: Path, size: dict[str, int], script: str = ""
) -> None:
    """Take the top of a page, after a script."""
    page = browser.new_context(viewport=size).new_page()
    page.set_content(html)
    if script:
        page.evaluate(script)
    page.screenshot(path=path)


def take_labels(browser: Browser, html: str, path: Path) -> None:
    """Take the whole page with its labelled blocks."""
    page = browser.new_context(viewport=PAGE_SIZE).new_page()
    page.set_content(html)
    page.locator("section.pane").first.screenshot(path=path)


def take_corrections(browser: Any, folder: Path) -> None:
    """From the report of a wrong page to the rules of its site."""
    extractor, made = Extractor(), make_pages()
    pages = [
        PageToCorrect.read(url, html.encode(), None, extractor)
        for url, html in made.items()
    ]
    tab = browser.new_context(viewport=PAGE_SIZE | {"height": 780}).new_page()
    tab.set_content(write_report(pages[0].page))
    tab.evaluate(SHOW_PANES)
    tab.screenshot(path=folder / "corrections-report.png")
    with TemporaryDirectory() as output:
        # A path that readers may have themselves.
        session = Session(pages, Path(output), Path("mainpage-rules"), extractor)
        server = Server(session)
        Thread(target=server.serve_forever, daemon=True).start()
        for number in (1, 2):
            tab.goto(f"{server.url}page/{number}")
            correct(tab)
            if number == 1:
                tab.screenshot(path=folder / "corrections-page.png")
            tab.keyboard.press("s")
            tab.wait_for_url(f"**/page/{number + 1}")
        tab.goto(f"{server.url}rules/lights.example")
        tab.set_viewport_size(PAGE_SIZE | {"height": 760})
        tab.screenshot(path=folder / "corrections-rules.png")
        server.stop()


def take_search(browser: Browser, path: Path) -> None:
    """The search page of the bundled site, with its folders as a field."""
    maker = DocumentMaker()
    tab = browser.new_context(viewport=PAGE_SIZE | {"height": 640}).new_page()
    with TemporaryDirectory() as folder:
        index_url = f"sqlite:///{Path(folder, 'site.db').as_posix()}"
        with open_index(index_url) as index:
            for file in sorted(SITE.rglob("*.html")):
                place = file.relative_to(SITE)
                url = f"https://barn.example/{place.as_posix()}"
                made = maker.make({"url": url}, extract(file.read_bytes(), url=url))
                if isinstance(made, IndexDocument):
                    fields = {"part": place.parts[0]}
                    index.put_many([replace(made, fields=fields)])
            with SearchServer(index, "", "site.db", ("127.0.0.1", 0)) as server:
                Thread(target=server.serve_forever, daemon=True).start()
                tab.goto(f"{server.url}?q=chair")
                tab.wait_for_selector("#hits li")
                tab.screenshot(path=path)
                server.shutdown()


def correct(tab: Any) -> None:
    """Keep the facts of a record, and drop the stories below it."""

    def press(name: str) -> None:
        tab.get_by_role("button", name=name, exact=True).click()

    blocks = tab.locator("#page .b")
    blocks.filter(has_text="Lit").click()
    press("Like this")
    press("Keep")
    for number, name in ((2, "author"), (3, "date")):
        blocks.nth(number).click()
        for menu, choice in (("Label…", "byline"), ("This is…", name)):
            press(menu)
            press(choice)
    blocks.nth(11).click()  # below the facts
    press("Keep")
    blocks.filter(has_text="From our journal").click()
    blocks.filter(has_text="Read the whole").last.click(modifiers=["Shift"])
    press("Drop")
    tab.mouse.move(0, 0)
    tab.evaluate("scrollTo(0, 0)")


if __name__ == "__main__":
    main()
