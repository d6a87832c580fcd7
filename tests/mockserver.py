"""A small site on loopback, served from a thread of the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import (
    BaseHTTPRequestHandler,
    SimpleHTTPRequestHandler,
    ThreadingHTTPServer,
)
from pathlib import Path
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

SENTENCE = (
    "The {n}. paragraph about {topic} says in plain words what a reader came here for, "
    "with a comma, a full stop, and nothing to click on. It goes on for a while. "
)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # A browser opens more connections at once than the standard library's five.
    request_queue_size = 128


class FileHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def folder_served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder; gives the address, with a slash at its end."""
    server = Server(("127.0.0.1", 0), partial(FileHandler, directory=str(folder)))
    with running(server):
        yield f"http://127.0.0.1:{server.server_port}/"


@contextmanager
def running(server: BaseServer) -> Iterator[None]:
    """Run a server in a thread until the block ends, and close it."""
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def article(topic: str, *, paragraphs: int = 6, main: str = "", links: str = "") -> str:
    """A page with an article between navigation, sidebar and footer."""
    text = "".join(
        f"<p>{SENTENCE.format(n=n, topic=topic) * 2}</p>" for n in range(paragraphs)
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>All about {topic}</title></head>
<body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li>
<li><a href="/contact">Contact</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><article><h1>All about {topic}</h1>{text}{main}</article></main>
<aside class="sidebar ads"><ul><li><a href="/ad1">Buy now</a></li></ul></aside>
{links}
<footer class="footer"><a href="/imprint">Imprint</a> <a href="/terms">Terms</a>
</footer>
</body></html>"""


@dataclass
class Reply:
    """An answer of the server."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def html(text: str, *, status: int = 200, content_type: str = "text/html") -> Reply:
    return Reply(text.encode(), status, {"Content-Type": content_type})


def redirect(path: str) -> Reply:
    return Reply(status=302, headers={"Location": path})


Answer = Reply | Callable[[int], Reply]


@dataclass
class Site:
    """The pages by path. An answer may be a function of how often it was asked for."""

    pages: dict[str, Answer]
    url: str = ""
    requests: Counter[str] = field(default_factory=Counter)

    def answer(self, path: str, tag: str | None) -> Reply:
        self.requests[path] += 1
        found = self.pages.get(path, Reply(b"not here", 404))
        return found if isinstance(found, Reply) else found(self.requests[path])


_Site = TypeVar("_Site")


def serve(pages: dict[str, Answer]) -> AbstractContextManager[Site]:
    """Serve the pages on a free port of loopback until the block ends."""
    return served(Site(pages))


@contextmanager
def served(site: _Site) -> Iterator[_Site]:

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            reply = site.answer(self.path, self.headers["If-None-Match"])
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)

        do_HEAD = do_GET  # noqa: N815 - http.server names it

        def log_message(self, *args: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    with running(server):
        yield site
