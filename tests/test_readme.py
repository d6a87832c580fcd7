"""The README shows the plugin's real output for a page of the bundled site."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest

import scrapy_mainpage
from scrapy_mainpage import Page
from tests.batch.archives import response, write_gzipped
from tests.forking import run_scrapy
from tests.mockserver import Reply, article, html, serve

ROOT = Path(__file__).parent.parent
URL = "http://127.0.0.1:8000/blog/loose-chair.html"
CUT = "[...]"
README = (ROOT / "README.rst").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page() -> Page:
    html = ROOT / "example_project/site/blog/loose-chair.html"
    return scrapy_mainpage.extract(html.read_bytes(), url=URL)


def shown(name: str) -> str:
    """The code block of the README after the comment with the name."""
    pattern = rf"^\.\. {name}\n\n\.\. code-block:: \w+\n\n((?:    .*\n|\n)+)"
    match = re.search(pattern, README, re.MULTILINE)
    assert match is not None
    return re.sub(r"^    ", "", match[1], flags=re.MULTILINE).strip()


def assert_abridged(excerpt: str, text: str) -> None:
    """The excerpt is the text, except for the omissions it marks."""
    pattern = ".*?".join(re.escape(part.strip()) for part in excerpt.split(CUT))
    assert re.search(pattern, text, re.DOTALL), excerpt


def test_the_item_is_what_the_settings_of_the_readme_make(page: Page) -> None:
    item = json.loads(shown("item"))
    text = item.pop("text")
    assert_abridged(text, page.text)
    assert item == {
        "url": URL,
        "title": page.title,
        "author": page.metadata.author,
    }


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    write_set(tmp_path / "my-pages")
    write_gzipped(tmp_path / "CC-MAIN-1.warc.gz", [response(1), response(2)])
    commands = re.findall(r"^ +(scrapy mainpage.*?)(?:  +#.*)?$", README, re.MULTILINE)
    assert len(commands) == 3
    with serve({"/": html(article("owls"))}) as site:
        for command in commands:
            line = command.replace("https://example.com", site.url)
            line = line.replace("CC-MAIN-*", "CC-MAIN-1")
            done = run_scrapy(*shlex.split(line)[1:], cwd=tmp_path, check=True)
    assert (tmp_path / "pages/CC-MAIN-1.warc.gz.parquet").is_file()
    assert "trafilatura" in done.stdout


def write_set(folder: Path) -> None:
    """A set of one labelled page."""
    (folder / "html").mkdir(parents=True)
    (folder / "html/1.html").write_text(article("owls"), encoding="utf-8")
    line = {"id": "1", "url": "https://example.com/owls", "with": ["The 1. paragraph"]}
    (folder / "pages.jsonl").write_text(json.dumps(line), encoding="utf-8")


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
        command = ["runspider", "blog.py", "-s", f"ADDONS={addons}", "-O", "out.jsonl"]
        done = run_scrapy(*command, cwd=tmp_path, check=True)
    assert "ERROR" not in done.stderr
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    titles = {json.loads(line)["title"] for line in lines}
    assert titles == {"All about the blog", "All about boats"}
