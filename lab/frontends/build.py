"""Front ends built from npm, and the texts that all of them show."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

import yaml

from lab.zoo.content import load_contents
from lab.zoo.tools import TOOLS, fresh, npm, run, write

HERE: Final = Path(__file__).parent
PLACE: Final = TOOLS / "frontends"
ARTICLES: Final = 12
LISTED: Final = 4  # on the first page; each leads to the one four places on
_PLAIN: Final = re.compile(r"(?m)^[A-Z][^#|`*\[\]{}<>@\\]{80,600}[.!?]$")
_ROUTES: Final = {
    "history": "/articles/{}",
    "hash": "/#/articles/{}",
    "hash-bang": "/#!/articles/{}",
    "pages": "/articles/{}/",
}


@dataclass(frozen=True)
class FrontEnd:
    """A built front end: whether it *needs* a browser; a key of the table of routes."""

    needs: bool
    routes: str
    folder: Path

    def paths(self) -> dict[str, dict[str, Any]]:
        """The path of each article with its page."""
        pattern = _ROUTES[self.routes]
        return {pattern.format(k): v for k, v in texts().items() if k != "index"}


@cache
def texts() -> dict[str, dict[str, Any]]:
    """The first page and the articles by slug: title, paragraphs, next."""
    found = {}
    for content in load_contents():
        paragraphs = list(dict.fromkeys(_PLAIN.findall(content.body)))
        if content.language == "en" and len(paragraphs) >= 3 and len(found) < ARTICLES:
            found[content.slug] = {"title": content.title, "paragraphs": paragraphs[:8]}
    slugs = list(found)
    for at, page in enumerate(found.values()):
        page["next"] = slugs[at + LISTED] if at + LISTED < len(slugs) else None
    listed = [
        {"slug": slug, "title": found[slug]["title"], "teaser": teaser(found[slug])}
        for slug in slugs[:LISTED]
    ]
    return {"index": {"title": "Notes of a year", "pages": listed}, **found}


def teaser(page: dict[str, Any]) -> str:
    """The first sentence of a page."""
    return page["paragraphs"][0].partition(". ")[0] + "."


def names() -> list[str]:
    """All front ends."""
    return list(_recipes()["front_ends"])


@cache
def _recipes() -> Any:
    return yaml.safe_load((HERE / "recipes.yaml").read_text("utf-8"))


def build(name: str) -> FrontEnd:
    """Build a front end, unless it is built; raises :exc:`lab.zoo.tools.ToolError`."""
    recipe = _recipes()["front_ends"][name]
    group = recipe.get("group", "vite")
    place, site = PLACE / group, PLACE / "sites" / name
    packages = _recipes()["groups"][group].split()
    source = HERE / "sources" / recipe.get("source", name)
    sources = [path.read_text("utf-8") for path in sorted(source.rglob("*.*"))]
    state = json.dumps([recipe, packages, sources, texts()])
    done = site.with_suffix(".done")
    if not done.is_file() or done.read_text("utf-8") != state:
        write(place / ".npmrc", "legacy-peer-deps=true\n")
        if not (place / "package.json").exists():
            write(place / "package.json", '{"private": true, "type": "module"}')
        programs = npm(place, *packages)
        fresh(site)
        if "build" in recipe:
            _build_own(recipe, place, source, site)
        elif recipe["routes"] == "pages":
            _build_pages(source / "page.html", place, site)
        else:
            _build_vite(recipe, programs, place, source, site)
        _write_data(site)
        write(done, state)
    return FrontEnd(recipe["needs"], recipe["routes"], site)


def _build_own(recipe: Any, place: Path, source: Path, site: Path) -> None:
    """Build with the framework's own commands, where its packages are."""
    shutil.copytree(source, place, dirs_exist_ok=True)
    for data in ("data", "src/data"):
        write(place / data / "site.json", json.dumps(texts()))
    for command in recipe["build"]:
        program, *rest = command.split()
        run(place / "node_modules" / ".bin" / program, *rest, cwd=place, CI="1")
    shutil.copytree(place / recipe["output"], site, dirs_exist_ok=True)


def _build_vite(
    recipe: Any, programs: Path, place: Path, source: Path, site: Path
) -> None:
    work = fresh(place / "work")
    shutil.copytree(source, work, dirs_exist_ok=True)
    [entry] = work.glob("main.*")
    head = '<!DOCTYPE html><html lang="en"><head><title>Site</title></head><body>'
    code = f'<div id="app"></div><script type="module" src="/{entry.name}"></script>'
    write(work / "index.html", f"{head}{code}</body></html>")
    plugin, options = recipe.get("plugin", ""), recipe.get("options", "")
    imported, _, module = plugin.rpartition(" from ")
    name = imported.strip("{}") or "plugin"
    lines = f'import {imported or name} from "{module}";\n' if plugin else ""
    used = f"{name}({options})" if plugin else ""
    write(work / "vite.config.mjs", f"{lines}export default {{ plugins: [{used}] }};\n")
    mode = recipe.get("mode", "production")
    run(programs / "vite", "build", "--mode", mode, cwd=work)
    shutil.copytree(work / "dist", site, dirs_exist_ok=True)


def _build_pages(template: Path, place: Path, site: Path) -> None:
    """Write a page for each text, and copy the scripts that it names."""
    text = template.read_text("utf-8")
    for name, page in texts().items():
        folder = site if name == "index" else site / "articles" / name
        values = {"name": name, "title": page["title"], "content": fragment(page)}
        write(folder / "index.html", Template(text).substitute(values))
    for script in set(re.findall(r'"/(node_modules/[^"]+)"', text)):
        target = site / script
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place / script, target)
        for other in (place / script).parent.glob("*.module*.js"):
            shutil.copy(other, target.parent)


def fragment(page: dict[str, Any]) -> str:
    """The content of a page below its title."""
    parts = [
        f'<h2><a href="/articles/{each["slug"]}/">{escape(each["title"])}</a></h2>'
        f"<p>{escape(each['teaser'])}</p>"
        for each in page.get("pages", ())
    ]
    parts += [f"<p>{escape(text)}</p>" for text in page.get("paragraphs", ())]
    if page.get("next"):
        parts.append(f'<nav><a href="/articles/{page["next"]}/">Next</a></nav>')
    return "".join(parts)


def _write_data(site: Path) -> None:
    """Write the texts as JSON, as fragments, and as fragments with a frame."""
    for name, page in texts().items():
        write(site / "api" / f"{name}.json", json.dumps(page))
        inside = fragment(page)
        write(site / "fragments" / f"{name}.html", inside)
        frame = (
            f'<turbo-frame id="content"><div id="content">{inside}</div></turbo-frame>'
        )
        write(site / "frames" / f"{name}.html", frame)
