"""Locks on files: between processes, and between the crawls of one process.

The system releases them with the process that held them, however it ends.
"""

from __future__ import annotations

import errno
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAUSE: Final = 0.01
_TAKEN: Final = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}


def try_lock(file: IO[bytes]) -> bool:
    """Lock the open file; return whether nobody else has it. Closing it unlocks it.

    Raises :exc:`OSError` where the file system has no locks.
    """
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as exc:
        if exc.errno in _TAKEN:
            return False
        raise
    return True


@contextmanager
def locked(path: Path, patience: float = 30.0) -> Iterator[None]:
    """Hold the lock of that file, which is made if there is none.

    Raises :exc:`TimeoutError` when another holds it for longer than *patience* seconds,
    and :exc:`OSError` where there can be none.
    """
    deadline = time.monotonic() + patience
    with path.open("ab") as file:
        while not try_lock(file):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} stays locked")
            time.sleep(_PAUSE)
        yield
