"""The README shows the plugin's real output for a page of the bundled site."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import scrapy_mainpage
from scrapy_mainpage import Page
from tests.mockserver import Reply, article, html, serve

ROOT = Path(__file__).parent.parent
URL = "http://127.0.0.1:8000/blog/loose-chair.html"
CUT = "[...]"


@pytest.fixture(scope="module")
def page() -> Page:
    html = ROOT / "example_project/site/blog/loose-chair.html"
    return scrapy_mainpage.extract(html.read_bytes(), url=URL)


def shown(name: str) -> str:
    """The code block of the README after the comment with the name."""
    readme = (ROOT / "README.rst").read_text(encoding="utf-8")
    pattern = rf"^\.\. {name}\n\n\.\. code-block:: \w+\n\n((?:    .*\n|\n)+)"
    match = re.search(pattern, readme, re.MULTILINE)
    assert match is not None
    return re.sub(r"^    ", "", match[1], flags=re.MULTILINE).strip()


def assert_abridged(excerpt: str, text: str) -> None:
    """The excerpt is the text, except for the omissions it marks."""
    pattern = ".*?".join(re.escape(part.strip()) for part in excerpt.split(CUT))
    assert re.search(pattern, text, re.DOTALL), excerpt


def test_before_is_text_of_the_page_in_its_order(page: Page) -> None:
    blocks = "\n".join(block.text for block in page.blocks)
    assert_abridged(shown("before").replace("\n", f"\n{CUT}\n"), blocks)


def test_the_number_of_blocks_is_right(page: Page) -> None:
    readme = (ROOT / "README.rst").read_text(encoding="utf-8")
    assert f" {len(page.blocks)} text blocks" in readme


def test_after_is_how_the_main_content_begins(page: Page) -> None:
    assert_abridged(shown("after"), page.text)
    assert page.text.startswith(shown("after").partition(CUT)[0].strip())


def test_the_item_is_what_the_settings_of_the_readme_make(page: Page) -> None:
    item = json.loads(shown("item"))
    text = item.pop("text")
    assert_abridged(text, page.text)
    assert item == {
        "url": URL,
        "title": page.title,
        "author": page.metadata.author,
    }


LINKS = """<p>Write to <a href="mailto:ines@example.com">Ines</a> about
<a href="/boats">boats</a>, the <a href="/plan.pdf">plan</a>, the <a href="/log">log</a>
or <a href="tel:+4412">call</a>.</p>"""


def test_the_spider_of_the_quickstart_crawls_a_site_with_all_sorts_of_links(
    tmp_path: Path,
) -> None:
    docs = (ROOT / "docs/quickstart.rst").read_text(encoding="utf-8")
    blocks = re.findall(r"code-block:: python\n\n((?:    .*\n|\n)+)", docs)
    code = next(dedent(block) for block in blocks if "class BlogSpider" in block)
    answers = {
        "/blog/": html(article("the blog", main=LINKS)),
        "/boats": html(article("boats", main=LINKS)),
        "/plan.pdf": Reply(b"%PDF-1.7", headers={"Content-Type": "application/pdf"}),
        "/log": Reply(b"Rain.", headers={"Content-Type": "text/plain"}),
    }
    with serve(answers) as site:
        code = code.replace("https://example.com", site.url)
        (tmp_path / "blog.py").write_text(code.replace("example.com", "127.0.0.1"))
        addons = '{"scrapy_mainpage.Addon": 500}'
        command = [
            "runspider",
            "blog.py",
            "-s",
            f"ADDONS={addons}",
            "-O",
            "out.jsonl",
        ]
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", *command],
            cwd=tmp_path,
            capture_output=True,
            timeout=120,
            check=True,
        )
    assert b"ERROR" not in done.stderr
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    titles = {json.loads(line)["title"] for line in lines}
    assert titles == {"All about the blog", "All about boats"}
