"""A small server for pages of this package: its policy, and refusals."""

from __future__ import annotations

import json
import os
import socketserver
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

SOCKET_SECONDS: Final = 30

HTML: Final = "text/html; charset=utf-8"
CSS: Final = "text/css; charset=utf-8"
JAVASCRIPT: Final = "text/javascript; charset=utf-8"
JSON: Final = "application/json"

_SAFE_SITES: Final = ("none", "same-origin")
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Refused(Exception):
    """A request that is not answered; it has a status and a reason."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class LocalServer(ThreadingHTTPServer):
    """A thread for each connection: browsers open some in advance."""

    daemon_threads = True
    # Elsewhere it would share a port that another program has.
    allow_reuse_address = os.name == "posix"

    def server_bind(self) -> None:
        """Bind, without the look-up of the machine's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print errors, but for a browser that has hung up."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def is_own(self, host: str) -> bool:
        """Whether a ``Host`` header names this server.

        A name that an attacker points at this machine (DNS rebinding) does not.
        """
        port = self.server_port
        return host in (f"127.0.0.1:{port}", f"localhost:{port}")


class LocalHandler(BaseHTTPRequestHandler):
    """Checks requests, and sends answers under a policy that loads nothing else."""

    server: LocalServer
    server_version = "scrapy-mainpage"
    sys_version = ""
    timeout = SOCKET_SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing: the command's output is the user's."""

    def check_origin(self) -> str:
        """Return the only ``Host``; raise :exc:`Refused` for requests of other sites.

        A link, as in a terminal that is a web page, may be followed.
        """
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or not self.server.is_own(hosts[0]):
            raise Refused(HTTPStatus.FORBIDDEN, "wrong Host")
        is_followed = self.command == "GET" and self._is_navigation
        is_own = self.headers.get("Sec-Fetch-Site", "none") in _SAFE_SITES
        if not (is_own or is_followed):
            raise Refused(HTTPStatus.FORBIDDEN, "a request of another site")
        return hosts[0]

    @property
    def _is_navigation(self) -> bool:
        """Whether a tab, and not a frame or script of a page, shows the answer."""
        return self.headers.get("Sec-Fetch-Dest") == "document"

    def refuse(self, status: HTTPStatus, reason: str) -> None:
        """Send the reason as JSON."""
        self.send(status, json.dumps({"error": reason}), JSON)

    def send(self, status: HTTPStatus, body: str, content_type: str) -> None:
        """Send an answer with the headers of the policy."""
        data = body.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
