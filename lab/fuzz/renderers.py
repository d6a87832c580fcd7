"""``python -m lab.fuzz.renderers FOLDER``: Markdown of hostile pages in JavaScript.

The renderers are installed into FOLDER by npm. Their HTML is searched for active parts,
and opened in a browser, which may run no script and make no request.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from scrapy_mainpage.rendering.browser.launch import find_browser
from tests.extraction.output import test_markdown_renderers as inputs

SCRIPT = Path(__file__).with_suffix(".mjs")
PACKAGES = (
    "commonmark@0", "markdown-it@15", "marked@18", "micromark@4",
    "micromark-extension-gfm@3", "rehype-raw@7", "rehype-stringify@10", "remark-gfm@4",
    "remark-parse@11", "remark-rehype@11", "showdown@2", "snarkdown@2", "unified@11",
)  # fmt: skip
SEEDS = range(3_000)


def main() -> int:
    """Render, search and open; 1 where anything is active."""
    folder = Path(sys.argv[1])
    if not shutil.which("npm"):
        raise SystemExit("fuzz: npm is missing (Node.js 18 or later)")
    folder.mkdir(parents=True, exist_ok=True)
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent", *PACKAGES]
    subprocess.run(install, cwd=folder, check=True)
    documents = inputs.make_documents(SEEDS)
    findings = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox"]
        )
        for name, htmls in render(documents, folder):
            active = {
                text: parts
                for text, html in zip(documents, htmls, strict=True)
                if (parts := inputs.active_parts(html))
            }
            actions = inputs.find_actions(htmls, browser)
            findings += len(active) + len(actions)
            print(f"{name}: {len(htmls):,} documents, {len(active)} with active parts, "
                  f"{len(actions)} scripts and requests in a browser")  # fmt: skip
            for text, parts in list(active.items())[:1]:
                print(parts, text[:800], sep="\n")
        browser.close()
    return int(findings > 0)


def render(documents: list[str], folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The name of each renderer, and its HTML of the documents."""
    script = Path(shutil.copy(SCRIPT, folder)).resolve()
    given = script.with_name("documents.json")
    given.write_text(json.dumps(documents), "ascii")
    command = ["node", str(script), str(given)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.strip().split("\n"):
        name, htmls = json.loads(line)
        yield name, htmls


if __name__ == "__main__":
    sys.exit(main())
