"""A Redis server of the tests, on a free port of loopback."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path
from time import sleep


def find_redis() -> str | None:
    """The path of the server's program, if it is installed."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


class RedisServer:
    """A server with a password that keeps nothing on disk.

    ``start`` after ``kill`` starts it on the same port, without its data.
    """

    def __init__(self, folder: Path, program: str):
        self.folder = folder
        self.program = program
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._log = Path(folder, "redis.log")

    @property
    def url(self) -> str:
        return f"redis://:secret@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        while not self._answers():
            if self._process is None:
                self._launch()
            elif self._process.poll() is not None:
                if "already in use" not in (log := self._log.read_text()):
                    raise RuntimeError(log)
                self.port = _free_port()  # another process was faster
                self._launch()
            sleep(0.01)

    def _launch(self) -> None:
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.folder),
            "save": "",
            "appendonly": "no",
            "requirepass": "secret",
        }
        arguments = [part for k, v in options.items() for part in (f"--{k}", v)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [self.program, *arguments], stdout=log, stderr=log
            )

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    stop = kill

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"AUTH secret\r\n")
                return connection.recv(100).startswith(b"+OK")
        except OSError:
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
