"""Hardware counters of the processor, where the kernel offers them (Linux)."""

from __future__ import annotations

import ctypes
import os
import platform
import struct

#: Configurations of ``PERF_TYPE_HARDWARE`` in the manual page of ``perf_event_open``.
EVENTS = {"cycles": 0, "instructions": 1, "cache misses": 3, "branch misses": 5}

_SYSTEM_CALL = {"x86_64": 298, "aarch64": 241}
_HARDWARE = 0
_ATTRIBUTES = struct.Struct("=IIQQQQQIIQQ")
_USER_MODE_ONLY = 1 << 5 | 1 << 6


class Counters:
    """Counts of this thread; ``names`` is empty where none are to be had."""

    def __init__(
        self, events: dict[str, int] | None = None, kind: int = _HARDWARE
    ) -> None:
        events = EVENTS if events is None else events
        opened = {name: _open(kind, config) for name, config in events.items()}
        self._files = {name: file for name, file in opened.items() if file >= 0}
        self.names = tuple(self._files)

    def read(self) -> list[int]:
        """The counts so far, in the order of ``names``."""
        return [int.from_bytes(os.read(f, 8), "little") for f in self._files.values()]


def _open(kind: int, config: int) -> int:
    """The file of a counter that runs; -1 where the machine has none."""
    call = _SYSTEM_CALL.get(platform.machine())
    if platform.system() != "Linux" or call is None:
        return -1
    size = _ATTRIBUTES.size
    attributes = _ATTRIBUTES.pack(
        kind, size, config, 0, 0, 0, _USER_MODE_ONLY, 0, 0, 0, 0
    )
    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(call, attributes, 0, -1, -1, 0))
