"""Sets of labelled pages on disk.

A set is a folder with ``pages.jsonl``, one JSON object a line, and the pages' bytes in
``html/ID.html`` or ``html/ID.html.gz``; of a rendered page the boxes are beside it, in
``ID.layout.json`` or ``ID.layout.json.gz``. The keys of a line are in
``docs/evaluation.rst``. Others are ignored.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from w3lib.encoding import html_to_unicode

from ..extraction.document.document import read_tree
from ..extraction.parsing.tree import parse_html

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document

PAGES: Final = "pages.jsonl"

_KEYS: Final = {
    "with": "required",
    "without": "forbidden",
    **{k: k for k in "id url text type language content drop labels".split()},
}
"""The keys of a line, and the fields of a page."""

_LISTS: Final = frozenset({"with", "without", "labels"})


class DataSetError(ValueError):
    """A folder that is not a set of labelled pages; the message names the reason."""


def site_of(url: str) -> str:
    """The host of *url* without ``www.``."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


@dataclass(frozen=True)
class LabelledPage:
    """A page and its label, in a *folder*.

    ``text`` is ``None`` where only the snippets *required* and *forbidden* are known;
    ``content`` and ``drop`` are XPath or empty, ``labels`` those of all blocks or none.
    """

    id: str
    url: str
    folder: Path
    text: str | None = None
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    type: str = ""
    language: str = ""
    content: str = ""
    drop: str = ""
    labels: tuple[str, ...] = ()

    @property
    def site(self) -> str:
        """The host of the page's URL without ``www.``: the unit to split sets by."""
        return site_of(self.url)

    def html(self) -> bytes:
        """The page as it was served; raises ``OSError`` without such a file."""
        data = self._read("html")
        if data is None:
            raise FileNotFoundError(f"{self.folder / self.id}.html[.gz] is not there")
        return data

    def layout_json(self) -> bytes | None:
        """The page's layout snapshot; ``None`` if it has none."""
        return self._read("layout.json")

    def _read(self, suffix: str) -> bytes | None:
        path = self.folder / f"{self.id}.{suffix}"
        packed = path.with_name(f"{path.name}.gz")
        if path.is_file():
            return path.read_bytes()
        return gzip.decompress(packed.read_bytes()) if packed.is_file() else None


@dataclass(frozen=True)
class DataSet:
    """A set of labelled pages and the name of its folder."""

    name: str
    pages: tuple[LabelledPage, ...]


def load_sets(folder: Path, names: str | None = None) -> list[DataSet]:
    """The set in *folder*, or the sets in the folders in it, by name.

    *names*, with commas between them, chooses some, in that order. Raises
    :exc:`DataSetError` without any set, for an unknown name, or for a line that is not
    in the format.
    """
    files = (
        [folder / PAGES] if (folder / PAGES).is_file() else folder.glob(f"*/{PAGES}")
    )
    folders = sorted(file.parent for file in files)
    if not folders:
        raise DataSetError(f"no {PAGES} in {folder} nor in a folder in it")
    by_name = {path.resolve().name: path for path in folders}
    chosen = dict.fromkeys(names.split(",")) if names else by_name
    if unknown := chosen.keys() - by_name.keys():
        missing, known = ", ".join(sorted(unknown)), ", ".join(by_name)
        raise DataSetError(f"no set {missing}; there are: {known}")
    return [_load(by_name[name]) for name in chosen]


def read_document(html: bytes, *, all_attributes: bool = False) -> Document:
    """Read a page's bytes into the document that algorithms get."""
    return read_tree(parse_page(html), all_attributes=all_attributes)


def parse_page(html: bytes) -> _Element:
    """Parse a page's bytes into the tree whose elements labels name."""
    return parse_html(decode_page(html))


def decode_page(html: bytes) -> str:
    """Decode a page's bytes as Scrapy does, without lone surrogates."""
    text = html_to_unicode(None, html, default_encoding="utf-8")[1]
    return text.encode("utf-8", "replace").decode("utf-8")


def _load(folder: Path) -> DataSet:
    pages: dict[str, LabelledPage] = {}
    # Not splitlines(): texts may hold line ends that JSON does not know.
    for number, line in enumerate((folder / PAGES).read_bytes().split(b"\n"), 1):
        if line.strip():
            place = f"{folder / PAGES}, line {number}"
            page = _page(place, line, folder / "html")
            if page.id in pages:
                raise DataSetError(f"{place}: the id {page.id!r} is there twice")
            pages[page.id] = page
    return DataSet(folder.resolve().name, tuple(pages.values()))


def _page(place: str, line: bytes, folder: Path) -> LabelledPage:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataSetError(f"{place}: no JSON: {error}") from None
    if not isinstance(data, dict):
        raise DataSetError(f"{place}: not a JSON object")
    if not {"text", "with", "without"} & data.keys():
        raise DataSetError(f"{place}: one of 'text', 'with' and 'without' is needed")
    known = {name: _value(place, data, key) for key, name in _KEYS.items()}
    if not known["id"] or {"/", "\\", "\0"} & set(known["id"]):
        raise DataSetError(f"{place}: the id {known['id']!r} is not the name of a file")
    return LabelledPage(folder=folder, **known)


def _value(place: str, data: dict[str, Any], key: str) -> Any:
    value = data.get(key)
    if key in _LISTS:
        values = value or []
        if isinstance(values, list) and all(isinstance(v, str) for v in values):
            return tuple(values)
        raise DataSetError(f"{place}: {key!r} is not a list of texts: {value!r:.60}")
    if value is None:
        return None if key == "text" else ""
    if not isinstance(value, str):
        raise DataSetError(f"{place}: {key!r} is not a text: {value!r:.60}")
    return value
