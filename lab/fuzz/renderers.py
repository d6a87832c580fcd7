"""``python -m lab.fuzz.renderers FOLDER``: Markdown of hostile pages in all renderers.

Those in JavaScript are installed into FOLDER by npm. What renderers make of the
Markdown of a page may have nothing that its sanitised HTML has not. That HTML, and
theirs, are opened in a browser, which may run no script and make no request.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from lab.zoo.tools import npm
from scrapy_mainpage.rendering.launch import find_browser
from tests.extraction.output import test_markdown_renderers as inputs
from tests.extraction.output.bodies import Judge, body, extracted

SCRIPT = Path(__file__).with_suffix(".mjs")
PACKAGES = (
    "commonmark@0", "katex@0", "markdown-it@15", "markdown-it-attrs@5",
    "markdown-it-texmath@1", "marked@18", "micromark@4", "micromark-extension-gfm@3",
    "micromark-extension-math@3", "rehype-raw@7", "rehype-stringify@10", "remark-gfm@4",
    "remark-parse@11", "remark-rehype@11", "showdown@2", "snarkdown@2", "unified@11",
)  # fmt: skip
BATCH = 500
#: Bodies of a batch whose Markdown is opened in the browser. Their HTML always is.
OPENED = 10


def main() -> int:
    """Render, judge and open; 1 where anything is active."""
    parser = argparse.ArgumentParser(prog="renderers", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bodies", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first body")
    options = parser.parse_args()
    npm(options.folder, *PACKAGES)
    node, findings = Node(options.folder), Counter[str]()
    ends = range(options.first, options.first + options.bodies, BATCH)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox"]
        )
        for first in ends:
            findings += examine(range(first, first + BATCH), node, browser)
        browser.close()
    for name, number in sorted(findings.items()):
        print(f"{name}: {number} of {options.bodies:,} bodies are active")
    print(f"{options.bodies:,} bodies: {findings.total()} findings")
    return int(findings.total() > 0)


def examine(seeds: range, node: Node, browser: Browser) -> Counter[str]:
    """Render the bodies, and count what is active, by renderer."""
    pages = [extracted(body(seed)) for seed in seeds]
    judges = [Judge(page.html) for page in pages]
    documents = [page.markdown for page in pages]
    python = (
        (name, list(map(make(), documents))) for name, make in inputs.RENDERERS.items()
    )
    own = [("page.html", [page.html for page in pages])]
    found = Counter[str]()
    for name, htmls in chain(own, python, node.render(documents)):
        for seed, judge, html in zip(seeds, judges, htmls, strict=True):
            if parts := judge.active_parts(html):
                print(f"{name}: body {seed}: {parts}", flush=True)
                found[name] += 1
        opened = htmls if name == "page.html" else htmls[:OPENED]
        actions = inputs.find_actions(opened, browser)
        if actions:
            print(f"{name}: bodies from {seeds[0]}: {actions}", flush=True)
            found[f"{name} in the browser"] += len(actions)
    return found


class Node:
    """The JavaScript renderers, in one process."""

    def __init__(self, folder: Path) -> None:
        script = Path(shutil.copy(SCRIPT, folder)).resolve()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            ["node", str(script)], stdin=pipe, stdout=pipe, text=True
        )

    def render(self, documents: list[str]) -> Iterator[tuple[str, list[str]]]:
        """The name of each renderer, and its HTML of the documents."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(documents), file=self.process.stdin, flush=True)
        while answer := json.loads(self.process.stdout.readline()):
            yield answer[0], answer[1]


if __name__ == "__main__":
    sys.exit(main())
