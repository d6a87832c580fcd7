"""Files and folders on local disks and in object stores (:mod:`pyarrow.fs`)."""

from __future__ import annotations

import glob
import io
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit, urlunsplit

import pyarrow as pa
from pyarrow.fs import FileSelector, FileSystem, FileType, LocalFileSystem

from ..redaction import hide_secrets, redacted
from .batch_errors import BatchError

HTML_SUFFIXES: Final = (".html", ".htm", ".xhtml")

_NO_UTF8: Final = re.compile(r"[\udc80-\udcff]")
"""Bytes of a name as ``os.fsdecode`` writes them."""

_BUFFER_BYTES: Final = 1 << 20
"""Read at once: in an object store each read is a request."""


class Location:
    """A file or folder: a path, or a URL such as ``s3://bucket/folder/file``.

    The query of a URL has options of its file system, such as ``endpoint_override``.
    A path may have bytes that are not UTF-8, as ``os.fsdecode`` writes them. Methods
    raise ``OSError`` where the file system does, and :exc:`.BatchError` for a URL of an
    unknown scheme, or one that is not text. ``name`` has the keys of an object store
    that its URL has; ``str()`` hides them.
    """

    def __init__(self, name: str, label: str | None = None) -> None:
        self.name = name
        self._label = label

    def __str__(self) -> str:
        return redacted(self.name) if "://" in self.name else self.name

    @property
    def base(self) -> str:
        """The last part of the path."""
        return os.path.basename(self._resolve()[1].rstrip("/"))

    @property
    def label(self) -> str:
        """The name of its outputs: the last part of the path, unless it was given."""
        return self._label or self.base

    def _resolve(self) -> tuple[FileSystem, str]:
        try:
            system, path = _resolve(self.name)
        except (pa.ArrowException, OSError, UnicodeError) as error:
            problem = hide_secrets(str(error), self.name)
            raise BatchError(f"{self}: {problem}") from None
        if "\0" in path:
            raise BatchError(f"{self}: no name of a file has NUL")
        return system, path

    def _target(self) -> tuple[FileSystem, bytes]:
        """The file system, and the path in its bytes."""
        system, path = self._resolve()
        is_local = isinstance(system, LocalFileSystem)
        return system, os.fsencode(path) if is_local else path.encode()

    def absolute(self) -> Location:
        """The location with an absolute path, for another process."""
        is_url = "://" in self.name
        return self if is_url else Location(os.path.abspath(self.name), self._label)

    def child(self, name: str) -> Location:
        """The file of that name in this folder."""
        is_url = "://" in self.name
        path, mark, query = self.name.partition("?" if is_url else "\0")
        name = quote(os.fsencode(name)) if is_url else name
        return Location(f"{path.rstrip('/') or '/'}/{name}{mark}{query}")

    def sibling(self, name: str) -> Location:
        """The file of that name in the folder that this one is in."""
        path, mark, query = self.name.partition("?" if "://" in self.name else "\0")
        return Location(f"{os.path.dirname(path) or '.'}{mark}{query}").child(name)

    @property
    def is_text(self) -> bool:
        """Whether the name is UTF-8."""
        return not _NO_UTF8.search(self.name)

    def _info(self) -> Any:
        system, path = self._target()
        try:
            return system.get_file_info(path)
        except pa.ArrowInvalid as error:  # a path like "s3:/file"
            raise BatchError(f"{self}: {error}") from None

    @property
    def exists(self) -> bool:
        """Whether the file or folder exists."""
        return bool(self._info().type != FileType.NotFound)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return bool(self._info().type == FileType.Directory)

    @property
    def is_stream(self) -> bool:
        """Whether it is a pipe or a device, which has no end or can be read once."""
        return bool(self._info().type == FileType.Unknown)

    @property
    def size(self) -> int:
        """Bytes of the file, or of the HTML files of the folder; 0 if unknown."""
        if self.is_folder:
            return sum(page.size for page in self.pages())
        return int(self._info().size or 0)

    @property
    def url(self) -> str:
        """The URL of the file, without keys and options of its file system."""
        if "://" in self.name:
            parts = urlsplit(self.name)
            place = parts.netloc.rpartition("@")[2]
            return urlunsplit(parts._replace(netloc=place, query="", fragment=""))
        return Path(os.path.abspath(self.name)).as_uri()

    def files(self) -> list[Location]:
        """The files of this folder, by name; none if it does not exist."""
        return [self.child(name) for name in self._names(recursive=False)]

    def pages(self) -> list[Location]:
        """The HTML files of this folder and its folders, by path, or this one.

        On local disks, links to folders are not followed: they may lead back up.
        """
        if not self.is_folder:
            return [self]
        names = self._names(recursive=True)
        return [self.child(name) for name in names if is_html_name(name)]

    def _names(self, *, recursive: bool) -> list[str]:
        """The paths of the folder's files from there."""
        system, path = self._resolve()
        if isinstance(system, LocalFileSystem):
            return sorted(_walk(path, recursive=recursive))
        selector = FileSelector(path, allow_not_found=True, recursive=recursive)
        found = system.get_file_info(selector)
        paths = (info.path for info in found if info.type == FileType.File)
        return sorted(posixpath.relpath(each, path) for each in paths)

    def open(self) -> io.BufferedReader:
        """Open the file for reading, anywhere in it."""
        system, path = self._target()
        return io.BufferedReader(system.open_input_file(path), _BUFFER_BYTES)

    def create(self) -> Any:
        """Open the file for writing, in a folder that is made if needed."""
        system, path = self._target()
        folder = os.path.dirname(path)
        if folder:
            system.create_dir(folder)
        return system.open_output_stream(path, compression=None)

    def move(self, target: Location) -> None:
        """Rename the file, once it is on the disk; an existing target is replaced."""
        system, path = self._target()
        if isinstance(system, LocalFileSystem):
            with open(path, "rb+") as file:
                os.fsync(file.fileno())
        system.move(path, target._target()[1])

    def delete(self) -> None:
        """Delete the file, if it exists."""
        system, path = self._target()
        if self.exists:
            system.delete_file(path)


def _walk(folder: str, *, recursive: bool) -> Iterator[str]:
    """The paths of the files in a local folder from there; none if it does not exist.

    FileSelector follows links to folders, and ends at a name that is not UTF-8.
    """
    for place, folders, files in os.walk(folder, onerror=_raise_unless_gone):
        if not recursive:
            folders.clear()
        paths = (Path(place, name) for name in files)
        yield from (p.relative_to(folder).as_posix() for p in paths if p.is_file())


def _raise_unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def is_html_name(name: str) -> bool:
    """Whether the path ends as those of HTML files do, and no part of it is hidden."""
    is_hidden = any(part.startswith(".") for part in name.split("/"))
    return name.lower().endswith(HTML_SUFFIXES) and not is_hidden


@lru_cache(64)
def _resolve(name: str) -> tuple[FileSystem, str]:
    if "://" not in name:
        return LocalFileSystem(), name
    system, path = FileSystem.from_uri(name)
    return system, path


def find_inputs(names: Iterable[str], is_known: Any) -> list[Location]:
    """The files that a command's arguments name, each once.

    A folder stands for the files in it that are not hidden and whose names *is_known*
    accepts, and for itself if it has HTML files; a local name may be a pattern. Files
    of the same name have their whole path as label, so that each has its own output.
    Raises :exc:`.BatchError` for a name without a file, or if two labels are the same.
    """
    named = {each.name: each for name in names for each in _expand(name, is_known)}
    counts = Counter(each.base for each in named.values())
    known: dict[str, Location] = {}
    for each in named.values():
        found = each if counts[each.base] == 1 else Location(each.name, _path_of(each))
        if other := known.get(found.label):
            raise BatchError(f"{other} and {each} have the same name: take two folders")
        known[found.label] = found
    return list(known.values())


def _path_of(location: Location) -> str:
    path = Path(location._resolve()[1])
    parts = path.relative_to(path.anchor).parts
    return "-".join(part for part in parts if part != "..")


def _expand(name: str, is_known: Any) -> list[Location]:
    location = Location(name)
    if location.is_folder:
        files = location.files()
        files = [
            each
            for each in files
            if each.base[0] not in "._"
            and not is_html_name(each.base)
            and is_known(each)
        ]
        if location.pages():
            files.append(location if location.base.strip(".") else location.absolute())
        if not files:
            raise BatchError(f"{location}: no files of a known format in this folder")
        return files
    if location.exists:
        return [_check(location)]
    if "://" not in name and (paths := sorted(glob.glob(name))):
        return [_check(Location(path)) for path in paths]
    raise BatchError(f"{location}: there is no such file")


def _check(location: Location) -> Location:
    if location.is_stream:
        problem = "a pipe or a device; write its bytes to a file first"
        raise BatchError(f"{location}: {problem}")
    return location
