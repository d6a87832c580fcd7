"""The files that a command is given: by name, by pattern, by folder."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from pathlib import Path

from scrapy_mainpage.batch.errors import BatchError
from scrapy_mainpage.batch.sources.opening import format_of


def input_files(names: Iterable[str]) -> list[Path]:
    """The files, in the order of their names, each once.

    A folder stands for the files in it whose names say their format. Raises
    :exc:`.BatchError` for a name without a file, or two files of the same name.
    """
    found = dict.fromkeys(path for name in names for path in _files(name))
    _check_names(list(found))
    return list(found)


def _files(name: str) -> Sequence[Path]:
    path = Path(name)
    if path.is_dir():
        files = sorted(each for each in path.iterdir() if _is_input(each))
        if not files:
            raise BatchError(f"{name}: no files of a known format in this folder")
        return files
    if path.exists():
        return [path]
    if files := sorted(map(Path, glob.glob(name))):  # where the shell leaves it to us
        return files
    raise BatchError(f"{name}: there is no such file")


def _is_input(path: Path) -> bool:
    is_hidden = path.name.startswith((".", "_"))
    return path.is_file() and not is_hidden and format_of(path) is not None


def _check_names(paths: Sequence[Path]) -> None:
    """What is written is called as what is read."""
    known: dict[str, Path] = {}
    for path in paths:
        if other := known.get(path.name):
            raise BatchError(f"{other} and {path} have the same name: take two folders")
        known[path.name] = path
