"""Record connections to a port of this machine that no page may reach."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread

SECRET = "What only a neighbour of the listener may read: heron 5521."
_BODY = f"<!DOCTYPE html><title>Inside</title><p>{SECRET}</p>".encode()
_REPLY = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n"
    b"Access-Control-Allow-Headers: *\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


@dataclass
class Visit:
    """A connection or a datagram."""

    protocol: str
    """``"tcp"`` or ``"udp"``."""
    address: str
    """The address of this machine that it reached."""
    data: bytes = b""
    """The first bytes received; empty if it only connected."""

    @property
    def path(self) -> str:
        """Path of an HTTP request; empty for anything else."""
        line = self.data.partition(b"\r\n")[0].split()
        return line[1].decode() if len(line) == 3 else ""


@dataclass
class Listener:
    """A port on all loopback addresses, TCP and UDP. It answers HTTP with `SECRET`.

    ``visits`` is complete after the block.
    """

    port: int
    sockets: list[socket.socket]
    visits: list[Visit] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """Paths of the HTTP requests."""
        return [visit.path for visit in list(self.visits) if visit.path]

    def run(self, wake: socket.socket) -> None:
        """Note and answer visits until data arrives at *wake*."""
        with selectors.DefaultSelector() as selector, ExitStack() as opened:
            for sock in (wake, *self.sockets):
                selector.register(sock, selectors.EVENT_READ)
            while True:
                ready = [key for key, _ in selector.select()]
                # Visits that came before the stop request are noted as well.
                for key in ready:
                    if key.fileobj is not wake:
                        self._take(key, selector, opened)
                if [key.fileobj for key in ready] == [wake]:
                    return

    def _take(
        self,
        key: selectors.SelectorKey,
        selector: selectors.BaseSelector,
        opened: ExitStack,
    ) -> None:
        sock, visit = key.fileobj, key.data
        assert isinstance(sock, socket.socket)
        with suppress(OSError):  # gone again
            if visit:  # a connection that we took
                selector.unregister(sock)
                with sock:
                    visit.data = sock.recv(65536)
                    sock.sendall(_REPLY)
            elif sock.type == socket.SOCK_DGRAM:
                self._note("udp", sock).data = sock.recv(65536)
            else:
                connection = opened.enter_context(sock.accept()[0])
                visit = self._note("tcp", connection)
                selector.register(connection, selectors.EVENT_READ, visit)

    def _note(self, protocol: str, sock: socket.socket) -> Visit:
        self.visits.append(Visit(protocol, sock.getsockname()[0]))
        return self.visits[-1]


@contextmanager
def listen() -> Iterator[Listener]:
    """Listen until the block ends on a port that is free with every protocol."""
    with ExitStack() as stack:
        listener = Listener(*_bind(stack))
        ours, theirs = socket.socketpair()
        with ours, theirs:
            thread = Thread(target=listener.run, args=(theirs,))
            thread.start()
            try:
                yield listener
            finally:
                ours.send(b".")
                thread.join()


def _bind(stack: ExitStack) -> tuple[int, list[socket.socket]]:
    for _ in range(50):
        with ExitStack() as attempt:
            try:
                sockets = _bind_all(attempt)
            except OSError:  # the port is taken with another protocol
                continue
            stack.enter_context(attempt.pop_all())
            return sockets[0].getsockname()[1], sockets
    raise OSError("no port is free with TCP and UDP")


def _bind_all(stack: ExitStack) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    port = 0
    for address in ("127.0.0.1", *(("::1",) if has_ipv6() else ())):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            sock = stack.enter_context(socket.socket(family, kind))
            sock.bind((address, port))
            port = port or sock.getsockname()[1]
            sock.setblocking(False)
            if kind == socket.SOCK_STREAM:
                sock.listen(128)
            sockets.append(sock)
    return sockets


def has_ipv6() -> bool:
    """Whether this machine has the loopback address of IPv6."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True
