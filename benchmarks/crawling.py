"""A site on loopback, and crawls of it with the spider of the example project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ROOT = Path(__file__).parents[1]
PROJECT = ROOT / "example_project"
#: Loopback needs no delays, and every page belongs in the index.
SETTINGS = {
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "DEBUG",
    "MAINPAGE_DUPLICATES_ENABLED": False,
    "MAINPAGE_FILTER_ENABLED": False,
    "METAREFRESH_ENABLED": False,
}
STAT = re.compile(r"'([\w/.-]+)': (\d[\d.]*)[,}]")
TIMEOUT_SECONDS = 1200.0


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report errors other than closed connections."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve(pages: Mapping[str, bytes]) -> Iterator[str]:
    """Serve pages by path, as HTML without a charset; gives the site's URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Without it, the body waits for the acknowledgement of the headers.
        wbufsize = -1

        def do_GET(self) -> None:
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *args: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Crawl:
    """A crawl in a process of its own, with its index and log *name* in *folder*."""

    def __init__(
        self, folder: Path, name: str, url: str, settings: Mapping[str, object]
    ):
        self._log = folder / f"{name}.log"
        own = {"LOG_FILE": self._log, "MAINPAGE_INDEX": f"sqlite:///{folder}/site.db"}
        command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={url}"]
        for key, value in {**SETTINGS, **own, **settings}.items():
            command += ["-s", f"{key}={value}"]
        path = os.pathsep.join([str(ROOT), str(PROJECT)])
        environment = {"PYTHONPATH": path, "SCRAPY_SETTINGS_MODULE": "example.settings"}
        self._process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}
        )

    @property
    def log(self) -> str:
        if not self._log.exists():
            return ""
        return self._log.read_text("utf-8", "replace")

    @property
    def stats(self) -> dict[str, float]:
        """The numeric statistics of Scrapy, from the end of the log."""
        return {name: float(value) for name, value in STAT.findall(self.log)}

    def end(self) -> None:
        """Wait for the process to end."""
        try:
            self._process.wait(timeout=TIMEOUT_SECONDS)
        finally:
            self._process.kill()


def uncaught(crawl: Crawl) -> int:
    """The number of errors in Scrapy, in Twisted and in the plugin."""
    failed = sum(
        count
        for name, count in crawl.stats.items()
        if name.startswith(("mainpage/failed", "mainpage/index/failed", "spider_exc"))
    )
    unhandled = re.findall(r"^Traceback|Unhandled", crawl.log, re.MULTILINE)
    return int(failed) + len(unhandled)
