"""Manuals and references of interfaces, made from sources of programs or books."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..content import html_box, indented, to_html
from ..tools import fresh, run, write
from . import SOURCES, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..content import Content
    from ..record import Page
    from . import Software

JAVADOC: Final = (
    "-quiet -Xdoclint:none -encoding UTF-8 -d doc -windowtitle Atlas -doctitle Atlas "
    "-bottom Copyright"
).split()
#: Of the made-up libraries.
JAVA_SEED, SCRIPT_SEED, PYTHON_SEEDS = 4, 23, range(11, 19)


def named(content: Content) -> str:
    """The content's name as programs take it."""
    return content.name.replace("-", "_")


def rustdoc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    program, crate = own.need(), fresh(folder / "crate")
    items = (SOURCES / "items.rs").read_text("utf-8")
    modules = []
    for content in contents:
        comment = indented(content.markup("gfm", html_box), "//! ")
        comment = comment.replace("\n\n", "\n//!\n")
        modules.append(f"pub mod {named(content)} {{\n{comment}\n{items}\n}}\n")
    write(crate / "lib.rs", "//! Maps from plain files.\n\n" + "\n".join(modules))
    run(program, "--crate-name", "atlas", "-A", "warnings", "lib.rs", cwd=crate)
    for content in contents:
        path = f"/atlas/{named(content)}/index.html"
        html = read_file(crate / "doc", path)
        title = f"Module {named(content)}"
        yield own.reference(path, html, title, language=content.language)


def jsdoc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = own.npm(folder)
    source, tutorials = fresh(folder / "src"), fresh(folder / "tutorials")
    write(source / "chart.js", (SOURCES / "chart.js").read_text("utf-8"))
    for content in contents:
        write(tutorials / f"{content.slug}.md", content.markup("gfm", html_box))
        title = json.dumps({"title": content.title}, ensure_ascii=False)
        write(tutorials / f"{content.slug}.json", title)
    for theme, share in own.shares(contents):
        site = folder / f"site-{theme}"
        options = {"destination": str(fresh(site)), "tutorials": "tutorials"}
        if own.themes[theme]:
            options["template"] = own.themes[theme]
        settings = {"source": {"include": ["src"]}, "plugins": ["plugins/markdown"]}
        write(folder / "conf.json", json.dumps(settings | {"opts": options}))
        run(programs / "jsdoc", "-c", "conf.json", cwd=folder)
        yield from own.pages(share, site, lambda c: f"/tutorial-{c.slug}.html", theme)
        for name in ("Chart", "Layer") if theme != "clean" else ():
            title = f"Class: {name}" if theme == "default" else name
            html = read_file(site, f"/{name}.html")
            yield own.reference(f"/{name}.html", html, title, template=theme, **own.api)


def javadoc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    program, site = own.need(), fresh(folder / "site")
    chart = (SOURCES / "Chart.java").read_text("utf-8")
    write(site / "atlas/core/Chart.java", chart)
    for content in contents:
        _write_package(site / "atlas" / named(content), content)
    files = [str(path.relative_to(site)) for path in sorted(site.rglob("*.java"))]
    run(program, *JAVADOC, *files, cwd=site)
    for content in contents:
        path = f"/atlas/{named(content)}/package-summary.html"
        html = read_file(site / "doc", path)
        title = f"Package atlas.{named(content)}"
        yield own.reference(path, html, title, language=content.language)
    for name in ("Chart", "Chart.Layer"):
        path = f"/atlas/core/{name}.html"
        yield own.reference(path, read_file(site / "doc", path), f"Class {name}")


def _write_package(place: Path, content: Content) -> None:
    """A package that a content explains; its headings begin at the second level."""
    text = to_html(content.source).replace("@", "&#64;").replace("*/", "*&#47;")
    package = f"package atlas.{named(content)};\n"
    write(place / "package-info.java", f"/**\n{text}\n*/\n{package}")
    marker = "/** Nothing. */\npublic interface Marker {}\n"
    write(place / "Marker.java", f"{package}{marker}")
