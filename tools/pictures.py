"""Take the pictures of the documentation: the report, and the correcting page.

Writes ``report-*.png`` from the bundled site and ``corrections-*.png`` from a made one
into ``docs/_static``, with a browser that Playwright finds or ``--browser`` names.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from hard_site import make_pages
from playwright.sync_api import sync_playwright

from scrapy_mainpage import extract
from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.correct.server import Server
from scrapy_mainpage.correct.session import Session
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.report import write_report

ROOT = Path(__file__).parent.parent
PAGE = "blog/loose-chair.html"
URL = f"http://127.0.0.1:8000/{PAGE}"
SIZE = {"width": 1200, "height": 720}
# The panes alone: boilerplate and the beginning of the article.
SHOW_PANES = """() => document.querySelector("header").remove()"""


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", help="path of a Chromium")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/_static")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser)
        take_report(browser, options.output)
        take_corrections(browser, options.output)
        browser.close()


def take_report(browser: Any, folder: Path) -> None:
    """The report of a page of the bundled site."""
    html = (ROOT / "example_project/site" / PAGE).read_bytes()
    report = write_report(extract(html, url=URL))
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport=SIZE, color_scheme=scheme)
        page = context.new_page()
        page.set_content(report)
        page.evaluate(SHOW_PANES)
        page.screenshot(path=folder / f"report-{scheme}.png")


def take_corrections(browser: Any, folder: Path) -> None:
    """From the report of a wrong page to the rules of its site."""
    extractor, made = Extractor(), make_pages()
    pages = [
        PageToCorrect.read(url, html.encode(), None, extractor)
        for url, html in made.items()
    ]
    tab = browser.new_context(viewport=SIZE | {"height": 780}).new_page()
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
                tab.emulate_media(color_scheme="dark")
                tab.screenshot(path=folder / "corrections-page-dark.png")
                tab.emulate_media(color_scheme="light")
            tab.keyboard.press("s")
            tab.wait_for_url(f"**/page/{number + 1}")
        tab.goto(f"{server.url}rules/lights.example")
        tab.set_viewport_size(SIZE | {"height": 560})
        tab.screenshot(path=folder / "corrections-rules.png")
        server.stop()


def correct(tab: Any) -> None:
    """Keep the facts of a record, and drop the stories below it."""
    blocks = tab.locator("#page .b")
    blocks.filter(has_text="Lit").click()
    tab.get_by_role("button", name="Undo").click()
    tab.get_by_role("button", name="Like this").click()
    for number, name in ((2, "author"), (3, "date")):
        blocks.nth(number).click()
        tab.keyboard.press("u")
        tab.get_by_label("Label of the block").select_option("byline")
        tab.get_by_label("Label of the block").select_option(f"field {name}")
    blocks.nth(11).click()  # the note below the facts
    blocks.filter(has_text="From our journal").click()
    blocks.filter(has_text="Read the whole").last.click(modifiers=["Shift"])
    tab.mouse.move(0, 0)
    tab.evaluate("scrollTo(0, 0)")


if __name__ == "__main__":
    main()
