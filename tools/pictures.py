"""Take the pictures of the documentation: reports and evaluation, light and dark.

Writes ``docs/_static/NAME-light.png`` and ``NAME-dark.png``: the visual report of a page
of the bundled site, the report of its crawl by the demo, and the evaluation page of the
site. The browser is one that Playwright finds or that ``--browser`` names.
"""

from __future__ import annotations

import argparse
import json
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
SITE = ROOT / "example_project/site"
PAGE = "blog/loose-chair.html"
URL = f"http://127.0.0.1:8000/{PAGE}"
PAGE_SIZE = {"width": 1200, "height": 720}
EVALUATION_SIZE = {"width": 1200, "height": 960}
CRAWL_SIZE = {"width": 1200, "height": 1040}
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
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser)
        output = options.output
        take(browser, report_page(), output / "report", PAGE_SIZE, SHOW_PANES)
        take(browser, evaluation_page(), output / "evaluation", EVALUATION_SIZE)
        take(browser, crawl_site(), output / "crawl", CRAWL_SIZE)
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
