"""Pdoc: the reference of a made-up library in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..apis import make_library
from ..record import Page
from ..tools import fresh, python, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..apis import Class, Method
    from ..content import Content

WANTED: Final[dict[str, int]] = {}
LIBRARY_SEEDS: Final = range(11, 19)
PYTHON_TYPES: Final = {
    "text": "str",
    "number": "float",
    "integer": "int",
    "flag": "bool",
    "list": "list[str]",
}
IMPORT: Final = "from __future__ import annotations"
DROP: Final = "input, label.view-source-button, a.headerlink"
ROLES: Final = {"navigation": "nav.pdoc h2, nav.pdoc ul"}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    del contents  # the library has its own sentences
    programs = python("pdoc", "pdoc==15.0.1")
    site = fresh(folder / "site")
    names = []
    for seed in LIBRARY_SEEDS:
        library = make_library("measure", seed, classes=2 + seed % 4)
        names.append(library[0].name.lower() + "s")
        text = "\n\n".join(
            ["from __future__ import annotations", *map(_class, library)]
        )
        write(site / f"{names[-1]}.py", f'"""{library[0].texts[0]}"""\n\n{text}\n')
    modules = [f"{name}.py" for name in names]
    run(programs / "pdoc", "-o", "doc", "--no-show-source", *modules, cwd=site)
    for name in names:
        yield Page(
            path=f"/{name}.html",
            html=(site / "doc" / f"{name}.html").read_bytes(),
            content="main.pdoc",
            drop=DROP,
            roles=ROLES,
            title=name,
            type="documentation",
        )


def _class(made: Class) -> str:
    parent = f"({made.parent})" if made.parent else ""
    lines = [f"class {made.name}{parent}:", f'    """{" ".join(made.texts)}"""', ""]
    for value in made.fields:
        kind = PYTHON_TYPES.get(value.type, value.type)
        lines += [f"    {value.name}: {kind}", f'    """{value.text}"""']
    for method in made.methods:
        lines += _method(method)
    return "\n".join(lines)


def _method(method: Method) -> list[str]:
    parameters = "".join(
        f", {value.name}: {PYTHON_TYPES.get(value.type, value.type)}"
        for value in method.parameters
    )
    returns = method.returns.type if method.returns else "None"
    returns = PYTHON_TYPES.get(returns, returns)
    terms = [f"    - `{value.name}`: {value.text}" for value in method.parameters]
    text = "\n    ".join([method.text, "", *terms])
    return [
        f"    def {method.name}(self{parameters}) -> {returns}:",
        f'        """{text}"""',
    ]
