"""The articles of the front ends, and the pages that are made without npm."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.frontends import build
from lab.frontends.build import HERE, FrontEnd, texts
from scrapy_mainpage import extract


@pytest.mark.parametrize(
    ("routes", "path"), [("history", "/articles/"), ("hash", "/#/articles/")]
)
def test_all_articles_are_reached_from_the_first_page(routes: str, path: str) -> None:
    pages = texts()
    waiting = [each["slug"] for each in pages["index"]["pages"]]
    seen = set()
    while waiting:
        seen.add(path + (slug := waiting.pop()))
        waiting += [pages[slug]["next"]] if pages[slug]["next"] else []
    assert seen == set(FrontEnd(True, routes, Path()).paths())


def test_the_pages_of_a_template_have_their_text(tmp_path: Path) -> None:
    template = HERE / "sources" / "scripts" / "page.html"
    for name in build.re.findall(r'"/(node_modules/[^"]+)"', template.read_text()):
        build.write(tmp_path / name, "")
    build._build_pages(template, tmp_path, tmp_path / "site")
    slug, page = list(texts().items())[1]
    made = tmp_path / "site" / "articles" / slug / "index.html"
    assert page["paragraphs"][0][:40] in extract(made.read_bytes()).text
