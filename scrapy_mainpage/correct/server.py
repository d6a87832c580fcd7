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
from .session import NotThere, read_script, read_style

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
        r"text/(\d{1,6})": "_text",
        r"draft/([\w.-]{1,253})": "_edit_rules",
        r"rules/([\w.-]{1,253})": "_write_rules",
        r"done": "_done",
    }

    def do_GET(self) -> None:  # noqa: N802
        """Answer with a page, the style sheet or the script."""
        self._answer(self._GET)

    def do_POST(self) -> None:  # noqa: N802
        """Save a correction, or end."""
        self._answer(self._POST)

    def _answer(self, routes: dict[str, str]) -> None:
        try:
            self._check_origin()
            action, arguments = self._find(routes)
            with self.server.lock:
                body, content_type = action(*arguments)
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
            self.send(HTTPStatus.OK, body, content_type)
            if self._is_last:  # only now: the process ends with the server
                self.server.stop()

    def _check_origin(self) -> None:
        host = self.check_origin()
        if self.command == "POST" and self.headers.get_all("Origin") != [
            f"http://{host}"
        ]:
            raise Refused(HTTPStatus.FORBIDDEN, "wrong Origin")

    def _find(self, routes: dict[str, str]) -> tuple[Any, tuple[str, ...]]:
        """The method for the path, and its arguments."""
        token, slash, path = self.path.removeprefix("/").partition("/")
        if slash and compare_digest(token.encode(), self.server.token.encode()):
            for pattern, name in routes.items():
                if match := re.fullmatch(pattern, path):
                    return getattr(self, name), match.groups()
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

    def _overview(self) -> tuple[str, str]:
        return self.server.session.overview(), HTML

    def _page(self, number: str) -> tuple[str, str]:
        return self.server.session.page(int(number)), HTML

    def _rules(self, site: str) -> tuple[str, str]:
        return self.server.session.rules(site), HTML

    def _style(self) -> tuple[str, str]:
        return read_style(), CSS

    def _script(self) -> tuple[str, str]:
        return read_script(), JAVASCRIPT

    def _save(self, number: str) -> tuple[str, str]:
        following = self.server.session.save(int(number), self._read_json())
        return json.dumps({"next": following}), JSON

    def _write_rules(self, site: str) -> tuple[str, str]:
        message = self.server.session.write_rules(site, self._read_json())
        return json.dumps({"message": message}), JSON

    def _edit_rules(self, site: str) -> tuple[str, str]:
        following = self.server.session.edit_rules(site, self._read_json())
        return json.dumps({"next": following}), JSON

    def _text(self, number: str) -> tuple[str, str]:
        text = self.server.session.text(int(number), self._read_json())
        return json.dumps({"text": text}), JSON

    def _done(self) -> tuple[str, str]:
        self._read_json()
        self._is_last = True
        return json.dumps({"message": "Ended. This page can be closed."}), JSON
