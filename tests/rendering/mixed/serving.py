"""The server of the mixed site: pages, their delayed data, and their scripts."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .furniture import noise
from .pages import Page
from .shells import BUNDLES

CLIENT = Path(__file__).parent / "client"
#: The parts of each script file, and its kilobytes of unused code.
ASSETS = {
    "library.min.js": (("library.min.js",), 80),
    "hydrate.js": (("hydrate.js",), 110),
    "takeover.js": (("takeover.js",), 140),
    "reviews.js": (("reviews.js",), 4),
    "skeleton.js": (("app.js", "skeleton.js"), 20),
    "swap.js": (("swap.js",), 12),
    "metrics.js": (("metrics.js",), 25),
    "ads.js": (("ads.js",), 60),
    "embed.js": (("embed.js",), 30),
    "theme.css": (("theme.css",), 0),
}
KILOBYTES = 150
LATER = 0.2  # seconds, for comments and for the second piece of a text
PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def bundle(name: str) -> str:
    """The script of a shell: the runtime, and the call that starts it."""
    config = json.dumps(BUNDLES[name])
    call = f"start({config});"
    if name == "component":
        call = (
            'customElements.define("story-reader",class extends HTMLElement{'
            f"connectedCallback(){{start({config},this)}}}});"
        )
    elif name == "inline":
        call = (
            "const e={};self.chunk_7f[0][1][12](e,(tag,lines)=>({tag,lines}));"
            f"start({config},null,e.exports);"
        )
    runtime = (CLIENT / "app.js").read_text("utf-8")
    return f"{noise(len(name), KILOBYTES)}\n(function(){{{runtime}\n{call}}})();"


def assets() -> dict[str, bytes]:
    """Scripts and styles by name."""
    found = {f"bundle-{name}.js": bundle(name) for name in BUNDLES}
    for name, (files, kilobytes) in ASSETS.items():
        code = "\n".join((CLIENT / file).read_text("utf-8") for file in files)
        found[name] = (noise(len(name), kilobytes) if kilobytes else "") + code
    return {name: text.encode() for name, text in found.items()}


def fragment(page: Page, start: str) -> str:
    """A piece of the text as markup: ``title`` (all), ``2`` (from), ``2-3``."""
    if start == "title":
        return f"<h1>{page.title}</h1>{page.story.html()}"
    first, _, end = start.partition("-")
    return page.story.html(int(first), int(end) if end else None)


class MixedServer:
    """Answers by path; counts requests by path, by host and in total."""

    def __init__(self, pages: dict[str, Page]):
        self.pages = pages
        self.requests: Counter[str] = Counter()
        self._assets = assets()
        self._lock = Lock()

    def answer(self, target: str) -> tuple[bytes, str] | None:
        """Body and content type; ``None`` for an unknown path."""
        url = urlsplit(target)
        with self._lock:
            self.requests[url.path] += 1
        if page := self.pages.get(url.path):
            return page.template.html(page).encode(), "text/html"
        first, _, rest = url.path.lstrip("/").partition("/")
        if first in ("assets", "third-party") and rest in self._assets:
            return self._assets[rest], TYPES[rest.rsplit(".", 1)[1]]
        if first == "img" or rest == "pixel.gif":
            return PIXEL, TYPES["svg"]
        if (first, rest) in (("api", "beat"), ("third-party", "collect")):
            return b"{}", "application/json"
        page = self.pages.get("/" + rest)
        return self._data(page, first, url.query) if page else None

    def _data(self, page: Page, name: str, query: str) -> tuple[bytes, str] | None:
        if name == "api":
            time.sleep(page.delay)
            return _json(page.data)
        if name == "fragment":
            start = parse_qs(query)["from"][0]
            time.sleep(LATER if start.isdigit() and start != "0" else page.delay)
            return fragment(page, start).encode(), "text/html"
        if name in ("comments", "reviews"):
            time.sleep(LATER)
            words, writer = page.words, page.writer
            return _json([words["thanks"], writer.sentences(20), words["agree"]])
        return None


def _json(data: object) -> tuple[bytes, str]:
    return json.dumps(data).encode(), "application/json"


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of browsers that hang up."""


def _handler(server: MixedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # otherwise the body waits until the headers are acknowledged

        def do_GET(self) -> None:
            found = server.answer(self.path)
            body, kind = found or (b"not here", "text/plain")
            self.send_response(200 if found else 404)
            charset = "; charset=utf-8" if kind.startswith("text/") else ""
            self.send_header("Content-Type", kind + charset)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    return Handler


@contextmanager
def listening(server: MixedServer, addresses: list[str]) -> Iterator[list[str]]:
    """Listen on a free port of each address during the block; yield the origins."""
    with ExitStack() as stack:
        origins = []
        for address in addresses:
            listener = _Listener((address, 0), _handler(server))
            thread = Thread(target=listener.serve_forever, args=(0.05,), daemon=True)
            thread.start()
            stack.callback(listener.server_close)
            stack.callback(thread.join)
            stack.callback(listener.shutdown)
            origins.append(f"http://{address}:{listener.server_port}")
        yield origins
