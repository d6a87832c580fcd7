"""A small file system, for tests of full disks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


class SmallDisk:
    """A file system in memory, mounted on a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def mount(self, size: str) -> None:
        """Raises :exc:`subprocess.CalledProcessError` if this user may not."""
        self._run("mount", "-t", "tmpfs", "-o", f"size={size},mode=777", "tmpfs")

    def resize(self, size: str) -> None:
        self._run("mount", "-o", f"remount,size={size}")

    def unmount(self) -> None:
        self._run("umount")

    def _run(self, *command: str) -> None:
        prefix = () if os.geteuid() == 0 else ("sudo", "-n")
        subprocess.run(
            [*prefix, *command, str(self.folder)], check=True, capture_output=True
        )


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[SmallDisk]:
    disk = SmallDisk(folder)
    folder.mkdir()
    disk.mount(size)
    try:
        yield disk
    finally:
        disk.unmount()


@cache
def find_small_disk() -> str | None:
    """The program that mounts, if this user may mount file systems."""
    if sys.platform != "linux":
        return None
    folder = Path(tempfile.mkdtemp())
    try:
        with small_disk(folder / "disk", "1m"):
            return shutil.which("mount")
    except (OSError, subprocess.CalledProcessError):
        return None
    finally:
        shutil.rmtree(folder)
