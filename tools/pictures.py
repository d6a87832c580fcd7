"""Take the pictures of the documentation: reports and evaluation, light and dark.

Writes ``docs/_static/NAME-light.png`` and ``NAME-dark.png`` from the bundled site, with
a browser that Playwright finds or that ``--browser`` names.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from scrapy_mainpage import extract
from scrapy_mainpage.report import write_report

ROOT = Path(__file__).parent.parent
SITE = ROOT / "example_project/site"
PAGE = "blog/loose-chair.html"
URL = f"http://127.0.0.1:8000/{PAGE}"
WIDTH, HEIGHTS = 1200, {"report": 720, "evaluation": 960}
# The panes alone: boilerplate and the beginning of the article.
SHOW_PANES = """() => document.querySelector("header")?.remove()"""
ALGORITHMS = "learned,text-block-context,danag,semantic-markup"


def report_page() -> str:
    """The visual report of a page."""
    return write_report(extract((SITE / PAGE).read_bytes(), url=URL))


def evaluation_page() -> str:
    """The results of some algorithms on the bundled site, whose snippets are known."""
    truth = json.loads((SITE / "truth.json").read_text("utf-8"))
    with TemporaryDirectory() as name:
        folder = Path(name, "brackwater")
        (folder / "html").mkdir(parents=True)
        with (folder / "pages.jsonl").open("w", encoding="utf-8") as lines:
            for path, snippets in truth.items():
                file = SITE / f"{path.lstrip('/')}{'index.html' * path.endswith('/')}"
                id_ = path.strip("/").replace("/", "-").removesuffix(".html") or "home"
                (folder / "html" / f"{id_}.html").write_bytes(file.read_bytes())
                known = {kind: snippets[kind] for kind in ("with", "without")}
                line = {"id": id_, "url": f"https://brackwater.example{path}", **known}
                lines.write(json.dumps(line) + "\n")
        command = [sys.executable, "-m", "scrapy", "mainpage-evaluate", folder.name]
        options = ["-a", ALGORITHMS, "-j", "1", "--output", "results"]
        subprocess.run([*command, *options], cwd=name, check=True, capture_output=True)
        return Path(name, "results/index.html").read_text("utf-8")


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", help="path of a Chromium")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/_static")
    options = parser.parse_args()
    pages = {"report": report_page(), "evaluation": evaluation_page()}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser)
        for scheme in ("light", "dark"):
            context = browser.new_context(color_scheme=scheme)
            for name, html in pages.items():
                page = context.new_page()
                page.set_viewport_size({"width": WIDTH, "height": HEIGHTS[name]})
                page.set_content(html)
                page.evaluate(SHOW_PANES)
                page.screenshot(path=options.output / f"{name}-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
