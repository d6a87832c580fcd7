"""Take the pictures of the documentation: two reports, light and dark.

Writes ``docs/_static/report-light.png``, ``crawl-light.png`` and so on: the visual report
of a page of the bundled site, and the report of its crawl by the demo. The browser is one
that Playwright finds or that ``--browser`` names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from scrapy_mainpage import extract
from scrapy_mainpage.report import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
PAGE = "blog/loose-chair.html"
URL = f"http://127.0.0.1:8000/{PAGE}"
PAGE_SIZE = {"width": 1200, "height": 720}
CRAWL_SIZE = {"width": 1200, "height": 1040}
# The panes alone: boilerplate and the beginning of the article.
SHOW_PANES = """() => document.querySelector("header").remove()"""


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", help="path of a Chromium")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/_static")
    options = parser.parse_args()
    html = (ROOT / "example_project/site" / PAGE).read_bytes()
    report = write_report(extract(html, url=URL))
    crawl = crawl_site()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser)
        take(browser, report, options.output / "report", PAGE_SIZE, SHOW_PANES)
        take(browser, crawl, options.output / "crawl", CRAWL_SIZE)
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
    """Take the top of a page, light and dark, after a script."""
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport=size, color_scheme=scheme)
        page = context.new_page()
        page.set_content(html)
        if script:
            page.evaluate(script)
        page.screenshot(path=path.with_name(f"{path.name}-{scheme}.png"))


if __name__ == "__main__":
    main()
