"""The recipes of real front ends, and the pages that are made without npm."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.frontends import build
from lab.frontends.build import HERE, FrontEnd, fragment, names, texts
from scrapy_mainpage import extract


def test_every_front_end_has_sources_and_packages() -> None:
    recipes = build._recipes()
    assert len(names()) >= 16
    for name, recipe in recipes["front_ends"].items():
        assert (HERE / "sources" / recipe.get("source", name)).is_dir(), name
        packages = recipes["groups"][recipe.get("group", "vite")].split()
        assert any(one.startswith(f"{recipe['package']}@") for one in packages), name


@pytest.mark.parametrize(
    ("routes", "path"), [("history", "/articles/"), ("hash", "/#/articles/")]
)
def test_all_articles_are_reached_from_the_first_page(routes: str, path: str) -> None:
    front_end = FrontEnd("x", "x", "1", needs=True, routes=routes, folder=Path())
    pages = texts()
    waiting = [each["slug"] for each in pages["index"]["pages"]]
    seen = set()
    while waiting:
        seen.add(slug := waiting.pop())
        waiting += [pages[slug]["next"]] if pages[slug]["next"] else []
    assert {path + slug for slug in seen} == set(front_end.paths())


def test_the_pages_of_a_template_have_their_text_and_their_scripts(
    tmp_path: Path,
) -> None:
    template = HERE / "sources" / "scripts" / "page.html"
    script = "node_modules/jquery/dist/jquery.min.js"
    for name in build.re.findall(r'"/(node_modules/[^"]+)"', template.read_text()):
        build.write(tmp_path / name, "")
    build._build_pages(template, tmp_path, tmp_path / "site")
    slug, page = list(texts().items())[1]
    made = tmp_path / "site" / "articles" / slug / "index.html"
    assert page["paragraphs"][0][:40] in extract(made.read_bytes()).text
    assert fragment(page) in made.read_text("utf-8")
    assert (tmp_path / "site" / script).is_file()
