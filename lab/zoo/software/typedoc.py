"""TypeDoc: the reference of a made-up library in TypeScript."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..apis import make_library
from ..record import Page
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..apis import Class, Method
    from ..content import Content

WANTED: Final[dict[str, int]] = {}
LIBRARY_SEED: Final = 23
SCRIPT_TYPES: Final = {
    "text": "string",
    "number": "number",
    "integer": "number",
    "flag": "boolean",
    "list": "string[]",
}
DROP: Final = "ul.tsd-breadcrumb, a.tsd-anchor-icon, svg, nav"
ROLES: Final = {
    "navigation": "nav.tsd-navigation, .site-menu, details.tsd-page-navigation",
    "breadcrumb": "ul.tsd-breadcrumb",
    "header": "header.tsd-page-toolbar",
    "form": "#tsd-search ul.results, div.tsd-filter-visibility",
    "other": "div.tsd-navigation.settings, #tsd-nav-container",
    "footer": "footer",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    del contents  # the library has its own sentences
    programs = npm(folder, "typedoc@0.27", "typescript@5.7")
    library = make_library("measure", LIBRARY_SEED)
    write(folder / "src" / "index.ts", "\n\n".join(map(_class, library)))
    write(
        folder / "tsconfig.json",
        json.dumps({"compilerOptions": {"strict": False}, "include": ["src"]}),
    )
    site = fresh(folder / "site")
    options = (
        "--out",
        site,
        "--skipErrorChecking",
        "--disableSources",
        "--readme",
        "none",
    )
    run(programs / "typedoc", *options, "src/index.ts", cwd=folder)
    for made in library:
        yield Page(
            path=f"/classes/{made.name}.html",
            html=(site / "classes" / f"{made.name}.html").read_bytes(),
            content="div.col-content",
            drop=DROP,
            roles=ROLES,
            title=f"Class {made.name}",
            type="documentation",
        )


def _class(made: Class) -> str:
    parent = f" extends {made.parent}" if made.parent else ""
    lines = ["/**", *map(" * {}".format, made.texts), " */"]
    lines.append(f"export class {made.name}{parent} {{")
    for value in made.fields:
        kind = SCRIPT_TYPES.get(value.type, value.type)
        lines += [f"  /** {value.text} */"] if value.text else []
        lines.append(f"  {value.name}?: {kind};")
    for method in made.methods:
        lines += _method(method)
    return "\n".join([*lines, "}"])


def _method(method: Method) -> list[str]:
    tags = [f"@param {value.name} {value.text}" for value in method.parameters]
    tags += [f"@returns {method.returns.text}"] if method.returns else []
    tags += ["@deprecated"] if method.is_deprecated else []
    parameters = ", ".join(
        f"{value.name}: {SCRIPT_TYPES.get(value.type, value.type)}"
        for value in method.parameters
    )
    kind = "void"
    if method.returns:
        kind = SCRIPT_TYPES.get(method.returns.type, method.returns.type)
    static = "static " if method.is_static else ""
    comment = ["/**", *(f" * {line}" for line in (method.text, *tags)), " */"]
    head = f"{static}{method.name}({parameters}): {kind} {{ return null as any; }}"
    return [f"  {line}" for line in (*comment, head)]
