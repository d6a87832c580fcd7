"""The server of the correcting page: on loopback, for one user, with a secret path.

Each request needs the token in its path and one of two ``Host`` headers, so that a name
that an attacker points at this machine (DNS rebinding) gets nothing; a POST needs the
``Origin`` of the page as well.
"""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from secrets import compare_digest, token_urlsafe
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..local_server import (
    CSS,
    HTML,
    JAVASCRIPT,
    JSON,
    LocalHandler,
    LocalServer,
    Refused,
)
from .session import NotThere

if TYPE_CHECKING:
    from .session import Session

MAX_BODY_BYTES: Final = 4 * 2**20

_TOKEN_BYTES: Final = 24


class Server(LocalServer):
    """Serves a session of corrections until it is done, one request at a time."""

    def __init__(self, session: Session) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.session = session
        self.token = token_urlsafe(_TOKEN_BYTES)
        self.lock = Lock()

    @property
    def url(self) -> str:
        """The address of the page that lists all pages."""
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def stop(self) -> None:
        """End ``serve_forever``, from any thread."""
        Thread(target=self.shutdown).start()


class Handler(LocalHandler):
    """Checks a request, and has the session answer it."""

    server: Server

    _GET: ClassVar[dict[str, tuple[str, str]]] = {
        r"": ("overview", HTML),
        r"page/(\d{1,6})": ("page", HTML),
        r"rules/([\w.-]{1,253})": ("rules", HTML),
        r"correct\.css": ("style", CSS),
        r"correct\.js": ("script", JAVASCRIPT),
    }
    _POST: ClassVar[dict[str, tuple[str, str]]] = {
        r"save/(\d{1,6})": ("save", JSON),
        r"text/(\d{1,6})": ("text", JSON),
        r"try/([\w.-]{1,253})": ("try_rules", JSON),
        r"rules/([\w.-]{1,253})": ("write_rules", JSON),
        r"done": ("end", JSON),
    }
    """The method of the session for each path, and the type of its answer."""

    def do_GET(self) -> None:  # noqa: N802
        """Answer with a page, the style sheet or the script."""
        self._answer(self._GET)

    def do_POST(self) -> None:  # noqa: N802
        """Save a correction, or end."""
        self._answer(self._POST)

    def _answer(self, routes: dict[str, tuple[str, str]]) -> None:
        try:
            self._check_origin()
            name, arguments, content_type = self._find(routes)
            if content_type == JSON:
                arguments = (*arguments, self._read_json())
            with self.server.lock:
                body = getattr(self.server.session, name)(*arguments)
        except Refused as refused:
            self.refuse(refused.status, str(refused))
        except NotThere:
            self.refuse(HTTPStatus.NOT_FOUND, "no such page")
        except ValueError as error:
            self.refuse(HTTPStatus.BAD_REQUEST, str(error))
        except OSError as error:
            reason = f"{error.filename}: {error.strerror}"
            self.refuse(HTTPStatus.INTERNAL_SERVER_ERROR, reason)
        else:
            text = json.dumps(body) if content_type == JSON else body
            self.send(HTTPStatus.OK, text, content_type)
            if self.server.session.is_ended:  # only now: the process ends with it
                self.server.stop()

    def _check_origin(self) -> None:
        host = self.check_origin()
        if self.command == "POST" and self.headers.get_all("Origin") != [
            f"http://{host}"
        ]:
            raise Refused(HTTPStatus.FORBIDDEN, "wrong Origin")

    def _find(
        self, routes: dict[str, tuple[str, str]]
    ) -> tuple[str, tuple[Any, ...], str]:
        """The method of the session for the path, its arguments, and the type."""
        token, slash, path = self.path.removeprefix("/").partition("/")
        if slash and compare_digest(token.encode(), self.server.token.encode()):
            for pattern, (name, content_type) in routes.items():
                if match := re.fullmatch(pattern, path):
                    found = (int(v) if v.isdigit() else v for v in match.groups())
                    return name, tuple(found), content_type
        raise Refused(HTTPStatus.NOT_FOUND, "no such page")

    def _read_json(self) -> Any:
        if self.headers.get("Content-Type") != JSON:
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
