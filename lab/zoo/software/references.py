"""Manuals and references of interfaces, made from sources of programs or books."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from ..apis import Class, Language, make_library, source_of
from ..content import html_box, indented, to_html
from ..tools import fresh, run, write
from . import SOURCES, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..content import Content
    from ..record import Page
    from . import Software

STYLES: Final = "/usr/share/xml/docbook/stylesheet/docbook-xsl-ns"
DOCBOOK: Final = 'xmlns="http://docbook.org/ns/docbook" version="5.0"'
JAVADOC: Final = (
    "-quiet -Xdoclint:none -encoding UTF-8 -d doc -windowtitle Atlas -doctitle Atlas "
    "-bottom Copyright"
).split()
TEXINFO: Final = (
    "--html --split=chapter --no-number-sections --force --no-warn -o html"
).split()
#: Of the made-up libraries.
JAVA_SEED, SCRIPT_SEED, PYTHON_SEEDS = 4, 23, range(11, 19)


def named(content: Content) -> str:
    """The content's name as programs take it."""
    return content.name.replace("-", "_")


def docbook(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    program = own.need()
    flags = [f for p in own.settings.items() for f in ("--stringparam", *p)]
    for theme, share in own.shares(contents):
        site = fresh(folder / theme)
        chapters = "\n".join(map(_chapter, share))
        info = "<info><title>Atlas handbook</title></info>"
        links = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
        write(site / "book.xml", f"<book {DOCBOOK} {links}>{info}\n{chapters}\n</book>")
        style = f"{STYLES}/{own.themes[theme]}"
        run(program, "--nonet", *flags, style, "book.xml", cwd=site)
        yield from own.pages(share, site, lambda c: f"/{c.slug}.html", theme)


def _chapter(content: Content) -> str:
    title = escape(content.title)
    text = content.markup("docbook5", _docbook_box)
    return f'<chapter xml:id="{content.slug}"><title>{title}</title>\n{text}</chapter>'


def _docbook_box(kind: str, title: str, text: str) -> str:
    if kind == "tabs":
        return text
    name = {"tab": "example", "danger": "caution"}.get(kind, kind)
    return f"<{name}><title>{escape(title)}</title>\n{text}\n</{name}>"


def texinfo(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    program, site = own.need(), fresh(folder / "site")
    menu = "\n".join(f"* {_node(content)}::" for content in contents)
    chapters = "\n".join(
        f"@node {_node(c)}\n@chapter {_escaped(c.title)}\n\n{_sections(c)}"
        for c in contents
    )
    head = "\\input texinfo\n@documentencoding UTF-8\n@settitle Atlas\n@node Top\n"
    head += f"@top Atlas\n@menu\n{menu}\n@end menu\n"
    write(site / "atlas.texi", f"{head}{chapters}\n@bye\n")
    run(program, *TEXINFO, "atlas.texi", cwd=site)
    yield from own.pages(contents, site / "html", lambda c: f"/{c.slug}.html")


def _sections(content: Content) -> str:
    """The text without nodes and menus of its own: the chapter is one page."""
    text = re.sub(r"(?ms)^@menu$.*?^@end menu$", "", content.markup("texinfo"))
    return re.sub(r"(?m)^@(node|top|anchor)\b.*$", "", text)


def _escaped(text: str) -> str:
    return text.replace("@", "@@").replace("{", "@{").replace("}", "@}")


def _node(content: Content) -> str:
    """The name of a chapter's node, whose file is named after the content."""
    return content.slug.replace("-", " ")


def doxygen(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    program = own.need()
    for theme, share in own.shares(contents):
        site = fresh(folder / theme)
        write(site / "Doxyfile", own.settings + own.themes[theme])
        write(site / "chart.h", (SOURCES / "chart.h").read_text("utf-8"))
        for content in contents:
            text = content.markup("gfm", html_box).replace("@", "\\@")
            head = f"# {content.title} {{#{named(content)}}}\n\n"
            write(site / f"{content.slug}.md", head + text)
        run(program, cwd=site)
        for content in share:
            html = _read_doubled(site, named(content))
            yield own.page(content, f"/{named(content)}.html", html, theme)
        for name in ("classatlas_1_1Chart", "structatlas_1_1Place"):
            title = f"atlas::{name.rpartition('1')[2]}"
            html = _read_doubled(site, name)
            yield own.reference(f"/{name}.html", html, title, template=theme)


def _read_doubled(site: Path, name: str) -> bytes:
    """A page of Doxygen, which doubles underscores."""
    path = site / "html" / f"{name}.html"
    return (
        path if path.is_file() else path.with_stem(name.replace("_", "__"))
    ).read_bytes()


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


# --- References of made-up libraries


def javadoc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    program, site = own.need(), fresh(folder / "site")
    chart = (SOURCES / "Chart.java").read_text("utf-8")
    write(site / "atlas/core/Chart.java", chart)
    for content in contents:
        _write_package(site / "atlas" / named(content), content)
    language = Language(own.types, "protected {type} {name};",
                        "public {static}{type} {name}({parameters}) {body}",
                        "{type} {name}", "public ", "{ throw null; }")  # fmt: skip
    library = make_library("train", JAVA_SEED)
    for made in library:
        text = f"package atlas.parts;\n\n{source_of(made, language)}\n"
        write(site / "atlas/parts" / f"{made.name}.java", text)
    files = [str(path.relative_to(site)) for path in sorted(site.rglob("*.java"))]
    run(program, *JAVADOC, *files, cwd=site)
    for content in contents:
        path = f"/atlas/{named(content)}/package-summary.html"
        html = read_file(site / "doc", path)
        title = f"Package atlas.{named(content)}"
        yield own.reference(path, html, title, language=content.language)
    for name in (
        "core/Chart",
        "core/Chart.Layer",
        *(f"parts/{c.name}" for c in library),
    ):
        path, title = f"/atlas/{name}.html", f"Class {name.rsplit('/', 1)[1]}"
        yield own.reference(path, read_file(site / "doc", path), title)


def _write_package(place: Path, content: Content) -> None:
    """A package that a content explains; its headings begin at the second level."""
    text = to_html(content.source).replace("@", "&#64;").replace("*/", "*&#47;")
    package = f"package atlas.{named(content)};\n"
    write(place / "package-info.java", f"/**\n{text}\n*/\n{package}")
    marker = "/** Nothing. */\npublic interface Marker {}\n"
    write(place / "Marker.java", f"{package}{marker}")


def typedoc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    del contents  # the library has its own sentences
    programs, site = own.npm(folder), fresh(folder / "site")
    language = Language(own.types, "{name}?: {type};",
                        "{static}{name}({parameters}): {type} {body}",
                        "{name}: {type}", "export ",
                        "{ return null as any; }")  # fmt: skip
    library = make_library("measure", SCRIPT_SEED)
    text = "\n\n".join(source_of(made, language) for made in library)
    write(folder / "src" / "index.ts", text)
    options = {"compilerOptions": {"strict": False}, "include": ["src"]}
    write(folder / "tsconfig.json", json.dumps(options))
    flags = "--skipErrorChecking --disableSources --readme none".split()
    run(programs / "typedoc", "--out", site, *flags, "src/index.ts", cwd=folder)
    for made in library:
        path = f"/classes/{made.name}.html"
        yield own.reference(path, read_file(site, path), f"Class {made.name}")


def pdoc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    del contents  # the library has its own sentences
    programs, site = own.pip(), fresh(folder / "site")
    names = []
    for seed in PYTHON_SEEDS:
        library = make_library("measure", seed, classes=2 + seed % 4)
        names.append(library[0].name.lower() + "s")
        classes = "\n\n".join(_python(made, own) for made in library)
        head = f'"""{library[0].texts[0]}"""\n\nfrom __future__ import annotations'
        write(site / f"{names[-1]}.py", f"{head}\n\n{classes}\n")
    modules = [f"{name}.py" for name in names]
    run(programs / "pdoc", "-o", "doc", "--no-show-source", *modules, cwd=site)
    for name in names:
        path = f"/{name}.html"
        yield own.reference(path, read_file(site / "doc", path), name)


def _python(made: Class, own: Software) -> str:
    """The source of a class in Python, whose comments are strings."""

    def typed(name: str) -> str:
        return own.types.get(name, name)

    parent = f"({made.parent})" if made.parent else ""
    lines = [f"class {made.name}{parent}:", f'    """{" ".join(made.texts)}"""', ""]
    for value in made.fields:
        lines += [f"    {value.name}: {typed(value.type)}", f'    """{value.text}"""']
    for method in made.methods:
        parameters = "".join(f", {v.name}: {typed(v.type)}" for v in method.parameters)
        returns = typed(method.returns.type) if method.returns else "None"
        terms = [f"    - `{value.name}`: {value.text}" for value in method.parameters]
        text = "\n    ".join([method.text, "", *terms])
        lines.append(f"    def {method.name}(self{parameters}) -> {returns}:")
        lines.append(f'        """{text}"""')
    return "\n".join(lines)
