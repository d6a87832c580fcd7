"""A site on loopback whose answers may take their time, or have no end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

ENDLESS = 10**9


@dataclass(frozen=True)
class Late:
    """An answer: after *delay* seconds, the *body* as often as *times* says.

    Before each repetition it waits for *pause* seconds. There is no length: the answer
    ends where the connection does.
    """

    body: bytes = b""
    delay: float = 0.0
    times: int = 1
    pause: float = 0.0
    content_type: str = "text/html; charset=utf-8"


@contextmanager
def serve(pages: dict[str, str | Late]) -> Iterator[str]:
    """Serve the pages on a free port of loopback until the block ends; the URL.

    A text is a page that is sent at once.
    """
    over = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = pages.get(self.path.partition("?")[0])
            reply = Late(found.encode()) if isinstance(found, str) else found
            if over.wait(reply.delay if reply else 0):
                return
            self.send_response(200 if reply else 404)
            if reply:
                self.send_header("Content-Type", reply.content_type)
            self.end_headers()
            self.send(reply or Late())

        do_POST = do_GET  # noqa: N815 - http.server names it

        def send(self, reply: Late) -> None:
            try:
                for _ in range(reply.times):
                    self.wfile.write(reply.body)
                    if over.wait(reply.pause):
                        return
            except OSError:
                pass  # The browser has gone.

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()
