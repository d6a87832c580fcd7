"""The server of the correcting page: on loopback, for one user, with a secret path.

Each request needs the token in its path and one of two ``Host`` headers, so that a name
that an attacker points at this machine (DNS rebinding) gets nothing; a POST needs the
``Origin`` of the page as well.
"""

from __future__ import annotations

import json
import re
import socketserver
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import compare_digest, token_urlsafe
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ClassVar, Final

from .session import NotThere, read_script, read_style

if TYPE_CHECKING:
    from .session import Session

MAX_BODY_BYTES: Final = 4 * 2**20
SOCKET_SECONDS: Final = 30

_TOKEN_BYTES: Final = 24
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json"
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


class Server(ThreadingHTTPServer):
    """Serves a session of corrections until it is done.

    Browsers open connections in advance, so that each has a thread; requests are
    answered one at a time.
    """

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, session: Session) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.session = session
        self.token = token_urlsafe(_TOKEN_BYTES)
        self.lock = Lock()

    def server_bind(self) -> None:
        """Bind, without the look-up of the machine's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print errors, but for a browser that has hung up."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address of the page that lists all pages."""
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def stop(self) -> None:
        """End ``serve_forever``, from any thread."""
        Thread(target=self.shutdown).start()


class Handler(BaseHTTPRequestHandler):
    """Checks a request, and has the session answer it."""

    server: Server
    server_version = "scrapy-mainpage"
    sys_version = ""
    timeout = SOCKET_SECONDS
    _is_last = False

    _GET: ClassVar = {
        r"": "_overview",
        r"page/(\d{1,6})": "_page",
        r"rules/([\w.-]{1,253})": "_rules",
        r"correct\.css": "_style",
        r"correct\.js": "_script",
    }
    _POST: ClassVar = {
        r"save/(\d{1,6})": "_save",
        r"rules/([\w.-]{1,253})": "_write_rules",
        r"done": "_done",
    }

    def do_GET(self) -> None:
        """Answer with a page, the style sheet or the script."""
        self._answer(self._GET)

    def do_POST(self) -> None:
        """Save a correction, or end."""
        self._answer(self._POST)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing: the command's output is the user's."""

    def _answer(self, routes: dict[str, str]) -> None:
        try:
            self._check_origin()
            action, arguments = self._find(routes)
            with self.server.lock:
                body, content_type = action(*arguments)
        except Refused as refused:
            self._refuse(refused.status, str(refused))
        except NotThere:
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
        except ValueError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except OSError as error:
            reason = f"{error.filename}: {error.strerror}"
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, reason)
        else:
            self._send(HTTPStatus.OK, body, content_type)
            if self._is_last:  # only now: the process ends with the server
                self.server.stop()

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self._send(status, json.dumps({"error": reason}), _JSON)

    def _check_origin(self) -> None:
        hosts = self.headers.get_all("Host") or []
        port = self.server.server_port
        if hosts not in ([f"127.0.0.1:{port}"], [f"localhost:{port}"]):
            raise Refused(HTTPStatus.FORBIDDEN, "wrong Host")
        # A link with the token, as in a terminal that is a web page, may be followed.
        is_followed = self.command == "GET" and self._is_navigation
        is_own = self.headers.get("Sec-Fetch-Site", "none") in _SAFE_SITES
        if not (is_own or is_followed):
            raise Refused(HTTPStatus.FORBIDDEN, "a request of another site")
        if self.command == "POST" and self.headers.get_all("Origin") != [
            f"http://{hosts[0]}"
        ]:
            raise Refused(HTTPStatus.FORBIDDEN, "wrong Origin")

    @property
    def _is_navigation(self) -> bool:
        """Whether a tab, and not a frame or script of a page, shows the answer."""
        return self.headers.get("Sec-Fetch-Dest") == "document"

    def _find(self, routes: dict[str, str]) -> tuple[Any, tuple[str, ...]]:
        """The method for the path, and its arguments."""
        token, slash, path = self.path.removeprefix("/").partition("/")
        if slash and compare_digest(token.encode(), self.server.token.encode()):
            for pattern, name in routes.items():
                if match := re.fullmatch(pattern, path):
                    return getattr(self, name), match.groups()
        raise Refused(HTTPStatus.NOT_FOUND, "no such page")

    def _send(self, status: HTTPStatus, body: str, content_type: str) -> None:
        data = body.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _read_json(self) -> Any:
        if self.headers.get("Content-Type") != _JSON:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not JSON")
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"\d{1,12}", length):
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "no length")
        if int(length) > MAX_BODY_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long")
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise Refused(HTTPStatus.BAD_REQUEST, "not JSON") from None

    def _overview(self) -> tuple[str, str]:
        return self.server.session.overview(), _HTML

    def _page(self, number: str) -> tuple[str, str]:
        return self.server.session.page(int(number)), _HTML

    def _rules(self, site: str) -> tuple[str, str]:
        return self.server.session.rules(site), _HTML

    def _style(self) -> tuple[str, str]:
        return read_style(), "text/css; charset=utf-8"

    def _script(self) -> tuple[str, str]:
        return read_script(), "text/javascript; charset=utf-8"

    def _save(self, number: str) -> tuple[str, str]:
        following = self.server.session.save(int(number), self._read_json())
        return json.dumps({"next": following}), _JSON

    def _write_rules(self, site: str) -> tuple[str, str]:
        self._read_json()
        message = self.server.session.write_rules(site)
        return json.dumps({"message": message}), _JSON

    def _done(self) -> tuple[str, str]:
        self._read_json()
        self._is_last = True
        return json.dumps({"message": "Ended. This page can be closed."}), _JSON
