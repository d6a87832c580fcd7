"""A threaded HTTP/1.1 server on loopback: late answers, streams, and a log."""

from __future__ import annotations

import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from typing import Any
from urllib.parse import urlsplit

from tests import mockserver


@dataclass(frozen=True)
class Request:
    """A request: ``path`` with its query, and the number of earlier ones for it."""

    path: str
    headers: Message
    earlier: int


@dataclass
class Reply(mockserver.Reply):
    """An answer of the server.

    It waits *delay* seconds before it sends anything. With *stream* the body is its
    output, a chunk at a time with *pause* seconds between two, until it ends or
    either side hangs up.
    """

    delay: float = 0
    stream: Callable[[], Iterable[bytes]] | None = None
    pause: float = 0


Answer = mockserver.Reply | Callable[[Request], mockserver.Reply]


def text(body: str, content_type: str, **options: Any) -> Reply:
    return Reply(body.encode(), headers={"Content-Type": content_type}, **options)


def html(body: str, **options: Any) -> Reply:
    return text(body, "text/html; charset=utf-8", **options)


def redirect(url: str, status: int = 302) -> Reply:
    return Reply(status=status, headers={"Location": url})


@dataclass
class Site:
    """The pages by path, and all requests in order of arrival.

    A path is looked up with its query first, then without it.
    """

    pages: Mapping[str, Answer]
    url: str = ""
    log: list[Request] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)
    closing: Event = field(default_factory=Event)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def requests(self) -> Counter[str]:
        """Number of requests for each path, without queries."""
        return Counter(urlsplit(request.path).path for request in list(self.log))

    def answer(self, path: str, headers: Message) -> mockserver.Reply:
        with self.lock:
            request = Request(path, headers, self.seen[path])
            self.seen[path] += 1
            self.log.append(request)
        found = self.pages.get(path) or self.pages.get(urlsplit(path).path)
        if found is None:
            return Reply(b"not here", 404, {"Content-Type": "text/plain"})
        return found if isinstance(found, mockserver.Reply) else found(request)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        site = self.server.site
        reply = site.answer(self.path, self.headers)
        if isinstance(reply, Reply) and reply.delay and site.closing.wait(reply.delay):
            self.close_connection = True
        elif isinstance(reply, Reply) and reply.stream:
            self.send_stream(reply, reply.stream)
        else:
            self.send(reply)

    do_GET = do_HEAD = do_POST = do_OPTIONS = answer  # noqa: N815 - http.server's names

    def send_head(self, reply: mockserver.Reply, **more: str) -> None:
        self.send_response(reply.status)
        for name, value in {**reply.headers, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def send(self, reply: mockserver.Reply) -> None:
        self.send_head(reply, **{"Content-Length": str(len(reply.body))})
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def send_stream(self, reply: Reply, stream: Callable[[], Iterable[bytes]]) -> None:
        self.send_head(reply, **{"Transfer-Encoding": "chunked"})
        if self.command == "HEAD":
            return
        for chunk in stream():
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            if self.server.site.closing.wait(reply.pause):
                self.close_connection = True
                return
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *args: object) -> None:
        pass


class _Server(mockserver.Server):
    daemon_threads = False  # closing waits for them

    def __init__(self, site: Site):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site
        self.open: set[socket.socket] = set()
        site.url = f"http://127.0.0.1:{self.server_port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.site.lock:
            self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self.site.lock:
            self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that hang up; any other error fails the test."""
        error = sys.exc_info()[1]
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            self.site.errors.append(error)

    def server_close(self) -> None:
        """End all waits for a client or for a delayed answer, and close."""
        self.site.closing.set()
        with self.site.lock:
            for connection in self.open:
                with suppress(OSError):  # the client was first
                    connection.shutdown(socket.SHUT_RDWR)
        super().server_close()


@contextmanager
def serve(pages: Mapping[str, Answer]) -> Iterator[Site]:
    """Serve the pages on a free port of 127.0.0.1 until the block ends.

    Errors raised by answers are raised then.
    """
    site = Site(pages)
    with mockserver.running(_Server(site)):
        yield site
    for error in site.errors:
        raise error
