"""Sets of labelled pages on disk, the input of evaluation and training.

A set is a folder with ``pages.jsonl``, one JSON object a line, and the pages' bytes as
they were served in ``html/ID.html`` or ``html/ID.html.gz``. The keys of a line:

``id``
    the page's name in the set, and that of its file
``url``
    its address; pages of one host (without ``www.``) are one site
``text``
    the whole main content, or
``with``, ``without``
    lists of snippets that the main content holds, and that it does not
``content``, ``drop``
    optional: XPath of the elements of the main content, in the tree that lxml makes of
    the page, and of the parts in them that are not content
``labels``
    optional: the label of each text block of the page, in order, as ``page.blocks`` has
    them. They decide which blocks are main content as long as their number is right:
    another version may divide the page otherwise
``type``, ``language``
    optional; results are also given for each

At least one of ``text``, ``with`` and ``without`` is there. Other keys are ignored. A
page that was rendered has its boxes in ``html/ID.layout.json`` or ``.layout.json.gz``,
and its HTML is then the rendered page's, stamped as the boxes are.
"""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from lxml import etree
from w3lib.encoding import html_to_unicode

from ..extraction.document.document import read_tree
from ..extraction.parsing.tree import parse_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element

    from ..extraction.document.document import Document

PAGES: Final = "pages.jsonl"


class DataSetError(ValueError):
    """A folder that is not a set of labelled pages; the message names the reason."""


def site_of(url: str) -> str:
    """The host of *url* without ``www.``."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


@dataclass(frozen=True)
class LabelledPage:
    """A page and its label.

    ``text`` is ``None`` where only the snippets *required* (``with`` in the file) and
    *forbidden* (``without``) are known. ``content`` and ``drop`` are XPath or
    empty, ``labels`` those of all blocks or none. ``folder`` holds the page's files.
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

    @property
    def html_file(self) -> Path | None:
        """The file with the page's bytes, if it is there."""
        return _existing(self.folder / f"{self.id}.html")

    @property
    def layout_file(self) -> Path | None:
        """The file with the page's layout snapshot, if it has one."""
        return _existing(self.folder / f"{self.id}.layout.json")

    def html(self) -> bytes:
        """The page as it was served; raises ``OSError`` without such a file."""
        if self.html_file is None:
            raise FileNotFoundError(f"{self.folder / self.id}.html[.gz] is not there")
        return _read(self.html_file)

    def layout_json(self) -> bytes | None:
        """The page's layout snapshot; ``None`` if it has none."""
        return _read(self.layout_file) if self.layout_file else None


@dataclass(frozen=True)
class DataSet:
    """A set of labelled pages and the name of its folder."""

    name: str
    pages: tuple[LabelledPage, ...]

    @property
    def layouts(self) -> int:
        """How many of the pages have a layout."""
        return sum(page.layout_file is not None for page in self.pages)


def load_sets(folder: Path, names: str | None = None) -> list[DataSet]:
    """The set in *folder*, or the sets in the folders in it, by name.

    *names*, with commas between them, chooses some, in that order. Raises
    :exc:`DataSetError` without any set, for an unknown name, or for a line that is not
    in the format.
    """
    folders = [folder] if (folder / PAGES).is_file() else _folders_in(folder)
    if not folders:
        raise DataSetError(f"no {PAGES} in {folder} nor in a folder in it")
    by_name = {path.resolve().name: path for path in folders}
    chosen = dict.fromkeys(names.split(",")) if names else by_name
    if unknown := chosen.keys() - by_name.keys():
        missing, known = ", ".join(sorted(unknown)), ", ".join(by_name)
        raise DataSetError(f"no set {missing}; there are: {known}")
    return [_load(by_name[name]) for name in chosen]


def _folders_in(folder: Path) -> list[Path]:
    inside = folder.iterdir() if folder.is_dir() else ()
    return [path for path in sorted(inside) if (path / PAGES).is_file()]


def read_document(html: bytes, *, all_attributes: bool = False) -> Document:
    """Read a page's bytes into the document that algorithms get."""
    return read_tree(parse_page(html), all_attributes=all_attributes)


def parse_page(html: bytes) -> _Element:
    """Parse a page's bytes into the tree whose elements labels name."""
    return parse_html(decode_page(html))


def find_elements(
    root: _Element, content: str, drop: str
) -> tuple[list[_Element], list[_Element]]:
    """The elements of the XPath *content*, none in another, and those of *drop*.

    Raises ``ValueError`` if *content* finds no element of the page.
    """
    found = _select(root, content)
    if not found:
        raise ValueError(f"no element of the page is {content}")
    inside = set(found)
    outer = [node for node in found if inside.isdisjoint(node.iterancestors())]
    return outer, _select(root, drop) if drop else []


def _select(root: _Element, path: str) -> list[_Element]:
    found = root.xpath(path)
    nodes = found if isinstance(found, list) else []
    elements = [node for node in nodes if isinstance(node, etree._Element)]
    # Comments have no name.
    return [node for node in elements if isinstance(node.tag, str)]


def decode_page(html: bytes) -> str:
    """Decode a page's bytes as Scrapy does, without lone surrogates."""
    text = html_to_unicode(None, html, default_encoding="utf-8")[1]
    return text.encode("utf-8", "replace").decode("utf-8")


def site_folds(sites: Sequence[str], folds: int, seed: int = 0) -> list[int]:
    """The fold (0 to *folds* - 1) of each page, given the pages' sites.

    All pages of a site are in one fold; sites are dealt out in an order that depends on
    *seed* alone. Raises ``ValueError`` if there are fewer sites than folds.
    """
    distinct = sorted(set(sites))
    if len(distinct) < folds:
        raise ValueError(f"{len(distinct)} sites are too few for {folds} folds")
    random.Random(seed).shuffle(distinct)
    fold_of = {site: k % folds for k, site in enumerate(distinct)}
    return [fold_of[site] for site in sites]


def sample(data_set: DataSet, count: int) -> DataSet:
    """At most *count* pages of a set, evenly from its beginning to its end."""
    pages = data_set.pages
    if len(pages) <= count:
        return data_set
    places = (i * len(pages) // count for i in range(count))
    return replace(data_set, pages=tuple(pages[place] for place in places))


def _load(folder: Path) -> DataSet:
    pages: dict[str, LabelledPage] = {}
    for place, page in _pages(folder):
        if page.id in pages:
            raise DataSetError(f"{place}: the id {page.id!r} is there twice")
        pages[page.id] = page
    return DataSet(folder.resolve().name, tuple(pages.values()))


def _pages(folder: Path) -> Iterator[tuple[str, LabelledPage]]:
    file = folder / PAGES
    # Not splitlines(): texts may hold line ends that JSON does not know.
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if line.strip():
            place = f"{file}, line {number}"
            yield place, _page(place, line, folder / "html")


def _page(place: str, line: bytes, folder: Path) -> LabelledPage:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataSetError(f"{place}: no JSON: {error}") from None
    if not isinstance(data, dict):
        raise DataSetError(f"{place}: not a JSON object")
    if not {"text", "with", "without"} & data.keys():
        raise DataSetError(f"{place}: one of 'text', 'with' and 'without' is needed")
    return LabelledPage(
        id=_id(place, data),
        url=_text(place, data, "url", ""),
        folder=folder,
        text=_text(place, data, "text", None),
        required=_texts(place, data, "with"),
        forbidden=_texts(place, data, "without"),
        type=_text(place, data, "type", ""),
        language=_text(place, data, "language", ""),
        content=_text(place, data, "content", ""),
        drop=_text(place, data, "drop", ""),
        labels=_texts(place, data, "labels"),
    )


def _id(place: str, data: dict[str, Any]) -> str:
    """The page's id, which names a file: nothing that leads out of the folder."""
    name = data.get("id")
    if not isinstance(name, str) or not name or {"/", "\\", "\0"} & set(name):
        raise DataSetError(f"{place}: the id {name!r} is not the name of a file")
    return name


def _text(place: str, data: dict[str, Any], key: str, default: Any) -> Any:
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, str):
        raise DataSetError(f"{place}: {key!r} is not a text: {value!r:.60}")
    return value


def _texts(place: str, data: dict[str, Any], key: str) -> tuple[str, ...]:
    values = data.get(key) or []
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise DataSetError(f"{place}: {key!r} is not a list of texts: {values!r:.60}")
    return tuple(values)


def _existing(path: Path) -> Path | None:
    packed = path.with_name(path.name + ".gz")
    return next((file for file in (path, packed) if file.is_file()), None)


def _read(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data
