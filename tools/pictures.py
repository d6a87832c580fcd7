"""Take the pictures of the documentation: the report of a page, light and dark.

Writes ``docs/_static/report-light.png`` and ``report-dark.png`` from the bundled site,
with a browser that Playwright finds or that ``--browser`` names.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright

from scrapy_mainpage import extract
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
    html = (ROOT / "example_project/site" / PAGE).read_bytes()
    report = write_report(extract(html, url=URL))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser)
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport=SIZE, color_scheme=scheme)
            page = context.new_page()
            page.set_content(report)
            page.evaluate(SHOW_PANES)
            page.screenshot(path=options.output / f"report-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
