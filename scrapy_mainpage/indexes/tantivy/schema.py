"""The folder of the tantivy engine: making it, opening it, telling it from others."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import tantivy

from .rows import ANALYZER, TOKENIZER, schema

#: Tell our folders from others'.
MARKER: Final = "scrapy-mainpage.json"
SCHEMA_VERSION: Final = 1

#: What tantivy writes at every commit, last of all.
META: Final = "meta.json"
_MANAGED = ".managed.json"


class UnusableFolderError(Exception):
    """A folder that is not an index of this schema."""


def open_to_write(path: Path) -> tantivy.Index:
    """Open the folder, or make it; several may do so at once."""
    if not path.absolute().parent.is_dir():
        raise UnusableFolderError(f"there is no directory {path.parent}")
    path.mkdir(exist_ok=True)
    if not (path / MARKER).exists():
        _check_empty(path)
        _write_marker(path)
    _check_marker(path)
    if not (path / META).exists():
        _make(path)
    if not os.access(path, os.W_OK):
        raise UnusableFolderError("there is no permission to write")
    return _opened(path)


def open_to_read(path: Path) -> tantivy.Index:
    """Open a folder that exists."""
    if not path.is_dir():
        raise UnusableFolderError("there is no such folder")
    _check_marker(path)
    return _opened(path)


def _opened(path: Path) -> tantivy.Index:
    index = tantivy.Index.open(os.fspath(path))
    index.register_tokenizer(TOKENIZER, ANALYZER)
    index.config_reader("manual")  # searches reload what has changed
    return index


def _check_empty(path: Path) -> None:
    """A file system of its own has ``lost+found``."""
    if any(name != "lost+found" for name in os.listdir(path)):
        # Another process may have begun to make the index.
        if (path / MARKER).exists():
            return
        raise UnusableFolderError("the folder is not an index of scrapy-mainpage")


def _check_marker(path: Path) -> None:
    try:
        version = json.loads((path / MARKER).read_bytes())["schema_version"]
    except FileNotFoundError:
        message = "the folder is not an index of scrapy-mainpage"
        raise UnusableFolderError(message) from None
    except (ValueError, KeyError, TypeError):
        raise UnusableFolderError(f"{MARKER} in it cannot be read") from None
    if version != SCHEMA_VERSION:
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}"
        raise UnusableFolderError(f"the index has schema version {version}, {known}")


def _write_marker(path: Path) -> None:
    """Write the marker whole: a reader finds none, or all of it."""
    with tempfile.TemporaryDirectory(dir=path.absolute().parent) as folder:
        marker = Path(folder) / MARKER
        marker.write_text(json.dumps({"schema_version": SCHEMA_VERSION}) + "\n")
        marker.replace(path / MARKER)


def _make(path: Path) -> None:
    """Make an empty index. The first of several that do is not overwritten.

    tantivy would overwrite the documents of the first; a link is made once.
    """
    with tempfile.TemporaryDirectory(dir=path, prefix=".new-") as folder:
        tantivy.Index(schema(), folder)
        for name in (_MANAGED, META):
            with suppress(FileExistsError):
                os.link(Path(folder) / name, path / name)
