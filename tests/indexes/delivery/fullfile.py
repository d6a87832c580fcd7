"""Files on a full disk."""

from __future__ import annotations

import errno
from io import FileIO


def full(*args: object, **options: object) -> str:
    raise OSError(errno.ENOSPC, "No space left on device")


class FullFile(FileIO):
    """A file on a disk with little room."""

    room = 0

    def write(self, data: memoryview) -> int:  # type: ignore[override]
        left = self.room - self.tell()
        if left <= 0:
            full()
        return super().write(data[:left])
