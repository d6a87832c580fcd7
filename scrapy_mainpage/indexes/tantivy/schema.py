"""The folder of the tantivy engine: schema, creating, opening, checking."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import tantivy

from ..documents import WEIGHTS

#: Identifies an index.
MARKER: Final = "scrapy-mainpage.json"
SCHEMA_VERSION: Final = 1

#: tantivy writes it at every commit, last of all.
META: Final = "meta.json"
_MANAGED: Final = ".managed.json"

#: Searched fields of a passage, and the weight of a match.
PASSAGE_WEIGHTS: Final = {
    "passage_heading": WEIGHTS["headings"],
    "passage_text": WEIGHTS["text"],
}

#: The values of the field ``kind``.
PAGE: Final = "page"
PASSAGE: Final = "passage"

#: The name of the tokenizer in the schema.
TOKENIZER: Final = "mainpage"
#: The text comes as words between spaces. tantivy's terms have up to 65,530 bytes.
_ANALYZER: Final = (
    tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    .filter(tantivy.Filter.remove_long(65_000))
    .build()
)


class UnusableFolderError(Exception):
    """A folder that is not an index of this schema."""


def schema() -> tantivy.Schema:
    """Return the fields of tantivy's documents."""
    builder = tantivy.SchemaBuilder()
    for name in ("key", "kind", "sites", "page_type", "languages"):
        stored = name == "key"  # leads from a passage to its page
        builder.add_text_field(
            name, stored=stored, tokenizer_name="raw", index_option="basic"
        )
    for name in (*WEIGHTS, *PASSAGE_WEIGHTS):
        builder.add_text_field(name, tokenizer_name=TOKENIZER)
    builder.add_bytes_field("kept", stored=True)
    builder.add_bytes_field("stored_text", stored=True)
    return builder.build()


def open_to_write(path: Path) -> tantivy.Index:
    """Open or create the folder; several processes may do so at once."""
    if not path.absolute().parent.is_dir():
        raise UnusableFolderError(f"there is no directory {path.parent}")
    path.mkdir(exist_ok=True)
    if not (path / MARKER).exists():
        _check_empty(path)
        _write_marker(path)
    _check_marker(path)
    if not (path / META).exists():
        if any(path.glob("*.store")):
            raise UnusableFolderError(f"{META} in it is gone, documents are left")
        _create(path)
    if not os.access(path, os.W_OK):
        raise UnusableFolderError("there is no permission to write")
    return _open(path)


def open_to_read(path: Path) -> tantivy.Index:
    """Open an existing folder."""
    if not path.is_dir():
        raise UnusableFolderError("there is no such folder")
    _check_marker(path)
    return _open(path)


def _open(path: Path) -> tantivy.Index:
    index = tantivy.Index.open(os.fspath(path))
    index.register_tokenizer(TOKENIZER, _ANALYZER)
    index.config_reader("manual")  # searches reload after commits
    return index


def _check_empty(path: Path) -> None:
    """Raise for a folder with files; the root of a file system has ``lost+found``."""
    is_empty = all(name == "lost+found" for name in os.listdir(path))
    # Another process may have begun to create the index meanwhile.
    if not is_empty and not (path / MARKER).exists():
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
    """Write the marker atomically."""
    with tempfile.TemporaryDirectory(dir=path.absolute().parent) as folder:
        marker = Path(folder) / MARKER
        marker.write_text(json.dumps({"schema_version": SCHEMA_VERSION}) + "\n")
        marker.replace(path / MARKER)


def _create(path: Path) -> None:
    """Create an empty index, unless another process was faster.

    tantivy would overwrite the documents of the other; a hard link cannot.
    """
    with tempfile.TemporaryDirectory(dir=path, prefix=".new-") as folder:
        tantivy.Index(schema(), folder)
        for name in (_MANAGED, META):
            with suppress(FileExistsError):
                os.link(Path(folder) / name, path / name)
