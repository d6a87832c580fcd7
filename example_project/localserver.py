"""HTTP server of the bundled site, on loopback.

``python example_project/localserver.py`` serves it at port 8000, or at the given one.
"""

from __future__ import annotations

import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from types import TracebackType

    # typing.Self requires Python 3.11
    from typing_extensions import Self

SITE = Path(__file__).parent / "site"
REDIRECTS = {"/old-blog": "/blog/"}
#: Files in the folder that are not part of the site.
HIDDEN = {"/truth.json"}
#: Most of the site is in UTF-8; the forum is older than that.
LEGACY_CHARSETS = {"forum": "iso-8859-1"}


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files with their charset, answers redirects, lists no folders."""

    protocol_version = "HTTP/1.1"

    def send_head(self) -> Any:
        """Answer a request, as the base class does for files."""
        path = self.path.partition("?")[0]
        if path in REDIRECTS:
            return self._redirect(REDIRECTS[path])
        if path in HIDDEN:
            return self.send_error(HTTPStatus.NOT_FOUND)
        return super().send_head()

    def _redirect(self, target: str) -> None:
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def list_directory(self, path: Any) -> BinaryIO | None:  # type: ignore[override]
        """Answer that a folder without an index page does not exist."""
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def guess_type(self, path: Any) -> str:
        """Return the content type, with the charset of text."""
        kind = super().guess_type(path)
        if not kind.startswith("text/"):
            return kind
        charset = LEGACY_CHARSETS.get(Path(path).parent.name, "utf-8")
        return f"{kind}; charset={charset}"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Print nothing: the demo prints the crawl."""


class SiteServer:
    """A context manager that serves the site at ``url``, by default on a free port."""

    def __init__(self, directory: Path = SITE, port: int = 0):
        handler = partial(SiteHandler, directory=str(directory))
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        # Leaving the block waits for the next poll.
        polling = {"poll_interval": 0.05}
        self._thread = Thread(
            target=self._server.serve_forever, kwargs=polling, daemon=True
        )

    @property
    def url(self) -> str:
        """The URL of the start page."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def join(self) -> None:
        """Wait until the server is shut down, or until Ctrl-C."""
        self._thread.join()


if __name__ == "__main__":
    with SiteServer(port=int(sys.argv[1]) if sys.argv[1:] else 8000) as server:
        print(f"Serving {server.url}, Ctrl-C ends", flush=True)
        try:
            server.join()
        except KeyboardInterrupt:
            print()
