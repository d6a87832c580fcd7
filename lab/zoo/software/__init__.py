"""The software of the zoo: its table, and the pages of its sites.

``software.yaml`` has what differs by software alone:

``half``, ``wanted``
    for training or measuring, and the number of contents by kind
``program`` or ``packages``
    a program with its Debian package, or packages of PyPI or npm
``themes``
    settings by theme; each theme gets its share of the contents
``truth``, ``drop``
    selectors of the content, and of what is foreign in it: for all pages, or by theme
``lists``
    pages that list others, with their own ``content``, ``entries``, ``title``, ``type``
``settings``, ``boxes``
    what its builder writes into files

Its builder is the function of its name in ``generators``, ``references`` or
``applications``: it makes the site of the given contents in a folder, which keeps what
was installed there before, and yields the pages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from ..record import Page, page_of
from ..tools import need, npm, python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..content import Content

FILE: Final = Path(__file__).parent.parent / "software.yaml"
SOURCES: Final = Path(__file__).parent.parent / "sources"
MODULES: Final = ("generators", "references", "applications")


@dataclass(frozen=True)
class Software:
    """A row of the table; see the module."""

    name: str
    half: str
    wanted: Mapping[str, int]
    about: str = ""
    program: Sequence[str] = ()
    packages: Sequence[str] = ()
    themes: Mapping[str, Any] = field(default_factory=dict)
    truth: str | Mapping[str, str] = ""
    drop: str | Mapping[str, str] = ""
    lists: Sequence[Mapping[str, Any]] = ()
    entries: Mapping[str, str] = field(default_factory=dict)
    settings: Any = None
    boxes: Mapping[str, str] = field(default_factory=dict)
    api: Mapping[str, str] = field(default_factory=dict)
    collections: str = ""

    @property
    def build(self) -> Callable[[Software, Sequence[Content], Path], Iterator[Page]]:
        """The builder."""
        for module in MODULES:
            found = getattr(import_module(f"{__name__}.{module}"), self.name, None)
            if found:
                builder: Callable[..., Iterator[Page]] = found
                return builder
        raise LookupError(self.name)

    def need(self) -> str:
        """The path of its program; :exc:`ToolError` if it is not installed."""
        return need(*self.program)

    def pip(self) -> Path:
        """The folder of its programs from PyPI."""
        return python(self.name, *self.packages)

    def npm(self, folder: Path) -> Path:
        """The folder of its programs from npm, installed below *folder*."""
        return npm(folder, *self.packages)

    def shares(
        self, contents: Sequence[Content]
    ) -> Iterator[tuple[str, list[Content]]]:
        """Each theme with its share of the contents."""
        for place, theme in enumerate(self.themes):
            yield theme, [*contents[place :: len(self.themes)]]

    def page(
        self, content: Content, path: str, html: bytes, part: str = "", **more: Any
    ) -> Page:
        """The page of a content; *part* is the theme, or the kind of page."""
        known = self._known(part) | more
        return page_of(content, path, html, known.pop("content"), **known)

    def pages(
        self,
        contents: Sequence[Content],
        root: Path,
        path: Callable[[Content], str],
        theme: str = "",
    ) -> Iterator[Page]:
        """The pages of contents, whose files are below *root* as their addresses."""
        for content in contents:
            html = read_file(root, path(content))
            yield self.page(content, path(content), html, theme)

    def reference(self, path: str, html: bytes, title: str, **more: Any) -> Page:
        """A page of an interface, whose text is not known beforehand."""
        theme = more.pop("template", "")
        known = self._known(theme) | {"type": "documentation"} | more
        return Page(path=path, html=html, title=title, **known)

    def listing(
        self, html: bytes, row: Mapping[str, Any], theme: str = "", **more: Any
    ) -> Page:
        """A page that lists others, as a row of ``lists`` has it."""
        own = {key: _of(value, theme) for key, value in row.items() if key != "themes"}
        known = self._known(theme) | {"type": "listing"} | own | more
        return Page(html=html, **known)

    def listings(self, root: Path, theme: str = "") -> Iterator[Page]:
        """The listings of a site whose files are below *root*."""
        for row in self.lists:
            if theme in row.get("themes", (theme,)):
                yield self.listing(read_file(root, row["path"]), row, theme)

    def _known(self, part: str) -> dict[str, Any]:
        template = part.replace("_", "-") if part in self.themes else ""
        return {
            "content": _of(self.truth, part),
            "drop": _of(self.drop, part),
            "template": template,
        }


def _of(value: Any, part: str) -> Any:
    """A value that may differ by theme, or by kind of page."""
    return value.get(part, value) if isinstance(value, dict) else value


def read_file(root: Path, path: str) -> bytes:
    """The file of a page at *path* below *root*."""
    ending = "index.html" if path.endswith("/") else ""
    file = root / f"{path[1:]}{ending}"
    return (file if file.suffix else file.with_suffix(".html")).read_bytes()


@cache
def load_software() -> dict[str, Software]:
    """The table, by name."""
    rows = yaml.safe_load(FILE.read_text("utf-8"))
    return {name: Software(name, **row) for name, row in rows.items()}
