"""Files and folders on local disks and in object stores, by fsspec."""

from __future__ import annotations

import glob
import io
import os
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from ..redaction import redacted

HTML_SUFFIXES: Final = (".html", ".htm", ".xhtml")

_BUFFER_BYTES: Final = 1 << 20
"""Read at once: in an object store each read is a request."""


class BatchError(Exception):
    """A file that cannot be read at all, or a run that cannot begin.

    Anything less is a row with an error.
    """


@dataclass(frozen=True)
class Location:
    """A file or folder: a path, or a URL such as ``s3://bucket/folder/file``.

    *label* is the name of its outputs, without one the last part of the path. Methods
    raise ``OSError`` where the file system does, and :exc:`.BatchError` for a name
    that cannot be one. ``str()`` hides passwords in a URL.
    """

    name: str
    label: str = ""

    def __str__(self) -> str:
        return redacted(self.name) if self._is_url else self.name

    @property
    def _is_url(self) -> bool:
        return "://" in self.name

    @property
    def _place(self) -> tuple[Any, str]:
        """The file system, and the path there."""
        if "\0" in self.name:
            raise BatchError(f"{self}: no name of a file has NUL")
        if not self._is_url:
            return LocalFileSystem(), os.path.abspath(self.name)
        try:
            # Other processes write, too: a list of files that was kept would be old.
            system, path = url_to_fs(self.name, use_listings_cache=False)
        except (ImportError, OSError, ValueError) as error:
            raise BatchError(f"{self}: {error}") from None
        return system, path

    @property
    def base(self) -> str:
        """The last part of the path."""
        return os.path.basename(self.name.rstrip("/"))

    @property
    def url(self) -> str:
        """The URL of the file."""
        return str(self) if self._is_url else Path(os.path.abspath(self.name)).as_uri()

    def child(self, name: str) -> Location:
        """The file of that name in this folder."""
        return Location(f"{self.name.rstrip('/')}/{name}")

    def absolute(self) -> Location:
        """The location with an absolute path, for another process."""
        return self if self._is_url else replace(self, name=os.path.abspath(self.name))

    @property
    def info(self) -> dict[str, Any]:
        """What the file system knows of it; empty if it does not exist."""
        system, path = self._place
        try:
            found: dict[str, Any] = system.info(path)
        except FileNotFoundError:
            return {}
        return found

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.info.get("type") == "directory"

    @property
    def size(self) -> int:
        """Bytes of the file, or of the HTML files of the folder; 0 if unknown."""
        if self.is_folder:
            return sum(page.size for page in self.pages())
        return self.info.get("size") or 0

    def files(self, depth: int | None = 1) -> list[Location]:
        """The files of this folder, and so deep below it, by path.

        On local disks, links to folders are not followed: they may lead back up.
        """
        if not self.is_folder:
            return []
        system, path = self._place
        # A folder that cannot be read must not look empty.
        options = {"on_error": "raise"} if isinstance(system, LocalFileSystem) else {}
        found = system.find(path, maxdepth=depth, detail=True, **options)
        return [
            self.child(posixpath.relpath(name, path))
            for name, info in sorted(found.items())
            if info["type"] == "file" or (info.get("islink") and system.isfile(name))
        ]

    def pages(self) -> list[Location]:
        """The HTML files of this folder and its folders, by path, or this one."""
        if not self.is_folder:
            return [self]
        start = len(self.child("").name)
        return [each for each in self.files(None) if is_html_name(each.name[start:])]

    def open(self) -> io.BufferedReader:
        """Open the file for reading, anywhere in it."""
        system, path = self._place
        return io.BufferedReader(system.open(path, "rb"), _BUFFER_BYTES)

    def create(self) -> Any:
        """Open the file for writing, in a folder that is made if needed."""
        system, path = self._place
        system.makedirs(os.path.dirname(path), exist_ok=True)
        return system.open(path, "wb")

    def move(self, target: Location) -> None:
        """Rename the file, once it is on the disk; an existing target is replaced."""
        system, path = self._place
        goal = target._place[1]
        if not isinstance(system, LocalFileSystem):
            system.cp_file(path, goal)
            return
        with open(path, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(path, goal)

    def delete(self) -> None:
        """Delete the file, if it exists."""
        system, path = self._place
        if self.info:
            system.rm_file(path)


def is_html_name(name: str) -> bool:
    """Whether the path ends as those of HTML files do, and no part of it is hidden."""
    is_hidden = any(part.startswith(".") for part in name.split("/"))
    return name.lower().endswith(HTML_SUFFIXES) and not is_hidden


def find_inputs(
    names: Iterable[str], is_known: Callable[[Location], Any]
) -> list[Location]:
    """The files that a command's arguments name, each once and with its label.

    A folder stands for the files in it that are not hidden and whose names *is_known*
    accepts, and for itself if it has HTML files; a local name may be a pattern. Files
    of the same name have their whole path as label, so that each has its own output.
    Raises :exc:`.BatchError` for a name without a file, or if two labels are the same.
    """
    named = {each.name: each for name in names for each in _expand(name, is_known)}
    counts = Counter(each.base for each in named.values())
    known: dict[str, Location] = {}
    for each in named.values():
        label = each.base if counts[each.base] == 1 else _path_label(each.name)
        if other := known.get(label):
            raise BatchError(f"{other} and {each} have the same name: take two folders")
        known[label] = replace(each, label=label)
    return list(known.values())


def _path_label(name: str) -> str:
    path = Path(name.partition("://")[2] or name)
    parts = path.relative_to(path.anchor).parts
    return "-".join(part for part in parts if part != "..")


def _expand(name: str, is_known: Callable[[Location], Any]) -> list[Location]:
    location = Location(name)
    kind = location.info.get("type")
    if kind == "directory":
        shown = [each for each in location.files() if each.base[0] not in "._"]
        found = [x for x in shown if is_known(x) and not is_html_name(x.base)]
        if location.pages():
            is_named = location.base.strip(".")
            found.append(location if is_named else location.absolute())
        if not found:
            raise BatchError(f"{location}: no files of a known format in this folder")
    elif kind == "other":
        raise BatchError(
            f"{location}: a pipe or a device; write its bytes to a file first"
        )
    elif kind:
        found = [location]
    else:
        paths = [] if "://" in name else sorted({*glob.glob(name)} - {name})
        found = [each for path in paths for each in _expand(path, is_known)]
        if not found:
            raise BatchError(f"{location}: there is no such file")
    return found
