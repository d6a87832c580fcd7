"""A site on loopback, and crawls of it with the spider of the example project."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

ROOT = Path(__file__).parents[1]
PROJECT = ROOT / "example_project"
#: Nobody needs to be spared on loopback, and every page is wanted in the index.
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
SCRAPED = re.compile(r"Scraped from <200 (\S+)>$", re.MULTILINE)
WAIT = 120.0


class Site:
    """What is served, at which URL, and how often each path was asked for."""

    def __init__(self, pages: Mapping[str, bytes]):
        self.pages = pages
        self.url = ""
        self.requests: Counter[str] = Counter()
        self.held = Event()
        self._released = Event()
        self._limit = sys.maxsize
        self._lock = Lock()

    def hold(self, limit: int) -> None:
        """Answer that many requests and keep the others waiting, ``held`` then."""
        self.requests.clear()
        self._limit = limit

    def release(self) -> None:
        """Answer all that wait, and all that come."""
        self._limit = sys.maxsize
        self._released.set()

    def answer(self, path: str) -> bytes | None:
        """Return the body of a page; none if there is no such page."""
        with self._lock:
            self.requests[path] += 1
            wait = self.requests.total() > self._limit
        if wait:
            self.held.set()
            self._released.wait(WAIT)
        return self.pages.get(path)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what went wrong, unless it is that a crawl was killed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve(pages: Mapping[str, bytes]) -> Iterator[Site]:
    """Serve the pages by path, as HTML without a charset, until the block ends."""
    site = Site(pages)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Without it, the body waits for the acknowledgement of the headers.
        wbufsize = -1

        def do_GET(self) -> None:
            body = site.answer(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *args: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Crawl:
    """A crawl in a process of its own, with its log and index in *folder*.

    Crawls of one folder share its index; each has its own log, named *name*.
    """

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
    def reported(self) -> list[str]:
        """The URLs of the pages whose items have passed all pipelines."""
        return SCRAPED.findall(self.log)

    @property
    def stats(self) -> dict[str, float]:
        """The numbers among Scrapy's statistics, from the end of the log."""
        return {name: float(value) for name, value in STAT.findall(self.log)}

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds, or the crawl has ended."""
        limit = time.monotonic() + WAIT
        while not condition() and self._process.poll() is None:
            if time.monotonic() > limit:
                self.kill()
                raise TimeoutError(f"nothing came of it: see {self._log}")
            time.sleep(0.005)

    def interrupt(self) -> None:
        """Ask the crawl to stop, as Ctrl-C does, and wait until it knows."""
        self._process.send_signal(signal.SIGINT)
        self.wait_for(lambda: "Received SIGINT" in self.log)

    def kill(self) -> None:
        """End the process without a word."""
        self._process.kill()
        self.end()

    def end(self) -> None:
        """Wait for the process to end."""
        try:
            self._process.wait(timeout=10 * WAIT)
        finally:
            self._process.kill()


def uncaught(crawl: Crawl) -> int:
    """How many errors there were in Scrapy, in Twisted and in the plugin."""
    failed = sum(
        count
        for name, count in crawl.stats.items()
        if name.startswith(("mainpage/failed", "mainpage/index/failed", "spider_exc"))
    )
    unhandled = re.findall(r"^Traceback|Unhandled", crawl.log, re.MULTILINE)
    return int(failed) + len(unhandled)


def is_sound(folder: Path) -> bool:
    """Whether SQLite and FTS5 find nothing wrong with the index."""
    with closing(sqlite3.connect(folder / "site.db")) as database:
        (verdict,) = database.execute("PRAGMA integrity_check").fetchone()
        try:
            database.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        except sqlite3.DatabaseError:
            return False
        ids = [
            {key for (key,) in database.execute(query)}
            for query in ("SELECT id FROM documents", "SELECT rowid FROM search")
        ]
    return bool(verdict == "ok" and ids[0] == ids[1])


def journalled(folder: Path) -> set[str]:
    """The URLs of the documents that wait in the journal for the next crawl."""
    found = set()
    for file in folder.glob(".scrapy/mainpage/index/**/*.jsonl"):
        for line in file.read_bytes().splitlines():
            with suppress(ValueError):  # a line that was not finished
                found.add(json.loads(line)["document"]["url"])
    return found


def indexed_texts(folder: Path) -> list[tuple[str, str]]:
    """URL and text of every document of the index."""
    with closing(sqlite3.connect(folder / "site.db")) as database:
        return database.execute(
            "SELECT url, text FROM documents JOIN search ON id = search.rowid"
        ).fetchall()
