"""Javadoc: packages that are explained at length, and their classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..apis import make_library
from ..content import to_html
from ..record import Page
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..apis import Class, Method
    from ..content import Content

WANTED: Final = {"documentation": 6, "wiki": 1}
SOURCE: Final = """package atlas.core;

/**
 * A map with its layers. Maps are opened with {@link #open}, and closed by
 * {@code try}.
 *
 * <p>Files have these parts:
 * <table>
 * <caption>Parts of a file</caption>
 * <tr><th scope="col">Part</th><th scope="col">Bytes</th>
 * <th scope="col">Since</th></tr>
 * <tr><th scope="row">head</th><td>512</td><td>3.0</td></tr>
 * <tr><th scope="row">layers</th><td>any</td><td>3.0</td></tr>
 * <tr><th scope="row">index</th><td></td><td>4.1</td></tr>
 * </table>
 *
 * <pre>{@code
 * try (Chart chart = Chart.open(Path.of("harbour.atlas"))) {
 *     System.out.println(chart.layers().size());
 * }
 * }</pre>
 *
 * @since 4.0
 * @see Layer
 */
public class Chart implements AutoCloseable {
    /** The largest number of layers. */
    public static final int MAX_LAYERS = 1000;

    /** Makes an empty map without a file. */
    public Chart() {}

    /**
     * Opens a file and locks it.
     *
     * @param path the file; it must exist
     * @return the map
     * @throws IllegalStateException if the lock is not free within five seconds
     */
    public static Chart open(java.nio.file.Path path) { return new Chart(); }

    /**
     * Layers in the order in which they are drawn.
     *
     * @return a list that cannot be changed
     */
    public java.util.List<Layer> layers() { return java.util.List.of(); }

    /**
     * Draws what lies between two corners.
     *
     * @param west degrees, -180 to 180
     * @param south degrees, -90 to 90
     * @param east degrees, more than {@code west}
     * @param north degrees, more than {@code south}
     * @return a PNG
     * @deprecated Use {@link Layer}.
     */
    @Deprecated
    public byte[] render(double west, double south, double east, double north) {
        return null;
    }

    @Override
    public void close() {}

    /** Features of the same geometry, drawn in one style. */
    public static class Layer {
        /** Unique in the map. */
        public String name;
        /** Whether it is drawn; {@code true} by default. */
        public boolean visible;
        /** The zoom from which it is drawn, 0 to 22. */
        public int minZoom;
    }
}
"""
JAVA_TYPES: Final = {
    "text": "String",
    "number": "double",
    "integer": "int",
    "flag": "boolean",
    "list": "java.util.List<String>",
}
LIBRARY_SEED: Final = 4
TRUTH: Final = "main"
DROP: Final = (
    "div.sub-title, ol.sub-nav-list, button.copy, a.anchor-link, div.table-tabs"
)
ROLES: Final = {
    "navigation": "header[role=banner]",
    "breadcrumb": "div.sub-title",
    "form": "div.nav-list-search, div.table-tabs",
    "legal": "footer[role=contentinfo]",
    "other": "noscript",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    javadoc = need("javadoc", "default-jdk-headless")
    site = fresh(folder / "site")
    write(site / "atlas" / "core" / "Chart.java", SOURCE)
    for content in contents:
        # Headings of a package begin at the second level there, too.
        text = to_html(content.source).replace("@", "&#64;").replace("*/", "*&#47;")
        package = f"atlas.{content.name.replace('-', '_')}"
        comment = f"/**\n{text}\n*/\npackage {package};\n"
        place = site / package.replace(".", "/")
        write(place / "package-info.java", comment)
        write(
            place / "Marker.java",
            f"package {package};\n/** Nothing. */\npublic interface Marker {{}}\n",
        )
    library = make_library("train", LIBRARY_SEED)
    for made in library:
        write(site / "atlas" / "parts" / f"{made.name}.java", java(made))
    files = [str(path.relative_to(site)) for path in sorted(site.rglob("*.java"))]
    title = (
        "-windowtitle",
        "Atlas 4.2",
        "-doctitle",
        "Atlas 4.2 API",
        "-bottom",
        "Copyright 2025 the Atlas contributors",
    )
    run(
        javadoc,
        "-quiet",
        "-Xdoclint:none",
        "-encoding",
        "UTF-8",
        "-d",
        "doc",
        *title,
        *files,
        cwd=site,
    )
    for content in contents:
        path = f"/atlas/{content.name.replace('-', '_')}/package-summary.html"
        yield Page(
            path=path,
            html=(site / "doc" / path[1:]).read_bytes(),
            content=TRUTH,
            drop=DROP,
            roles=ROLES,
            title=f"Package atlas.{content.name.replace('-', '_')}",
            language=content.language,
            type="documentation",
        )
    parts = [f"parts/{made.name}" for made in library]
    for name in ("core/Chart", "core/Chart.Layer", *parts):
        yield Page(
            path=f"/atlas/{name}.html",
            html=(site / "doc" / "atlas" / f"{name}.html").read_bytes(),
            content=TRUTH,
            drop=DROP,
            roles=ROLES,
            title=f"Class {name.rsplit('/', 1)[1]}",
            type="documentation",
        )


def java(made: Class) -> str:
    """The source of a class of the made-up library."""
    parent = f" extends {made.parent}" if made.parent else ""
    lines = ["package atlas.parts;", "", "/**", *map(" * {}".format, made.texts), " */"]
    lines.append(f"public class {made.name}{parent} {{")
    for value in made.fields:
        kind = JAVA_TYPES.get(value.type, value.type)
        lines += [f"    /** {value.text} */"] if value.text else []
        lines.append(f"    protected {kind} {value.name};")
    for method in made.methods:
        lines += _method(method)
    return "\n".join([*lines, "}", ""])


def _method(method: Method) -> list[str]:
    tags = [f"@param {value.name} {value.text}" for value in method.parameters]
    tags += [f"@return {method.returns.text}"] if method.returns else []
    tags += [f"@throws IllegalStateException {method.raises}"] if method.raises else []
    tags += ["@deprecated Not in use."] if method.is_deprecated else []
    kind = "void"
    if method.returns:
        kind = JAVA_TYPES.get(method.returns.type, method.returns.type)
    parameters = ", ".join(
        f"{JAVA_TYPES.get(value.type, value.type)} {value.name}"
        for value in method.parameters
    )
    head = f"public {'static ' if method.is_static else ''}{kind} {method.name}"
    comment = ["/**", *(f" * {line}" for line in (method.text, *tags)), " */"]
    body = "{ throw new UnsupportedOperationException(); }"
    return [f"    {line}" for line in (*comment, f"{head}({parameters}) {body}")]
