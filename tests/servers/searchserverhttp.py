"""HTTP of the fake search server: requests, answers, broken connections."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

#: Status, body and media type.
Answer = tuple[int, Any, str]


class RefusedError(Exception):
    """A request or operation that the server refuses: type, reason and status."""

    def __init__(self, kind: str, reason: str, status: int = 400):
        super().__init__(kind, reason, status)
        self.kind, self.reason, self.status = kind, reason, status


@dataclass
class Request:
    """A received request."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        try:
            data = json.loads(self.body)
        except ValueError:
            raise RefusedError("parse_exception", "not JSON") from None
        if not isinstance(data, dict):
            raise RefusedError("parse_exception", "not an object")
        return data


@dataclass
class Fault:
    """A failure of the next requests with this end of the path."""

    path: str
    times: int = 1
    status: int = 0
    body: Any = None
    content_type: str = "application/json; charset=UTF-8"
    resets: bool = False
    is_applied: bool = False
    waits: threading.Event | None = None


class HttpServer(ThreadingHTTPServer):
    """An HTTP server that also closes connections kept alive by clients."""

    daemon_threads = True

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._connections: set[socket.socket] = set()

    def finish_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().finish_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that hang up, such as killed ones."""

    def close_all(self) -> None:
        for connection in list(self._connections):
            with suppress(OSError):  # closed by the client
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    answered: Callable[[Request], Answer | None]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_any(self) -> None:
        parts = urlsplit(self.path)
        request = Request(
            self.command,
            unquote(parts.path),
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(int(self.headers.get("content-length", 0))),
        )
        answer = type(self).answered(request)
        if answer is None:
            # Without linger the client gets "connection reset by peer".
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.close_connection = True
            self.connection.close()
            return
        status, body, content_type = answer
        data = body if isinstance(body, str) else json.dumps(body) if body else ""
        payload = data.encode()
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_any  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing: tests read ``requests``."""
