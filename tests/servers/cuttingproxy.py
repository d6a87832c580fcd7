"""A proxy that cuts connections between a client and a server, at a chosen moment."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from types import TracebackType

_AT_ONCE = 65_536


class CuttingProxy:
    """Passes on data to and from a port of loopback.

    ``cut(b"COMMIT", ...)`` resets the connection over which the client sends these
    bytes next: before the server sees them, or after it has answered.
    """

    def __init__(self, port: int):
        self._server = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._lock = threading.Lock()
        self._mark, self._left, self._is_applied = b"", 0, False
        self.cuts = 0
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []

    def cut(self, mark: bytes, *, times: int, is_applied: bool) -> None:
        with self._lock:
            self._mark, self._left, self._is_applied = mark, times, is_applied

    def __enter__(self) -> CuttingProxy:
        self._start(self._accept)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._threads[0].join()
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in self._sockets:
            each.close()

    def _start(self, target: object, *args: socket.socket) -> None:
        thread = threading.Thread(target=target, args=args)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self._sockets.append(client)
            try:
                server = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                _reset(client)
                continue
            self._sockets.append(server)
            answered = _Answered()
            self._start(self._pass_requests, client, server, answered)
            self._start(self._pass_answers, server, client, answered)

    def _pass_requests(
        self, client: socket.socket, server: socket.socket, answered: _Answered
    ) -> None:
        while data := _received(client):
            if self._is_to_cut(data):
                if self._is_applied:
                    answered.is_kept_back = True
                    with suppress(OSError):
                        server.sendall(data)
                    answered.wait()
                _reset(client)
                break
            with suppress(OSError):
                server.sendall(data)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _is_to_cut(self, data: bytes) -> bool:
        with self._lock:
            if not self._left or self._mark not in data:
                return False
            self._left -= 1
            self.cuts += 1
            return True

    def _pass_answers(
        self, server: socket.socket, client: socket.socket, answered: _Answered
    ) -> None:
        while data := _received(server):
            if answered.is_kept_back:
                answered.set()
                continue
            with suppress(OSError):
                client.sendall(data)
        answered.set()
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)


class _Answered(threading.Event):
    """Whether the server has sent the answer that the client will not get."""

    is_kept_back = False


def _received(source: socket.socket) -> bytes:
    try:
        return source.recv(_AT_ONCE)
    except OSError:
        return b""


def _reset(client: socket.socket) -> None:
    """Let the client see a reset, no orderly end."""
    with suppress(OSError):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.shutdown(socket.SHUT_RD)
        client.close()
