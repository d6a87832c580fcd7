"""Pages to correct, and requests of the server as no browser would make them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from scrapy_mainpage.correct.correction import PageToCorrect
from scrapy_mainpage.correct.server import Server
from scrapy_mainpage.correct.session import Session
from scrapy_mainpage.extraction.extractor import Extractor
from tests.mockserver import article, running

URL = "https://www.example.com/trains"


def read_page(html: str = "", url: str = URL, **options: Any) -> PageToCorrect:
    """A page as the learned default extracts it; an article without *html*."""
    body = (html or article("trains")).encode()
    return PageToCorrect.read(url, body, None, Extractor(**options))


def as_sent(page: PageToCorrect, *flipped: int, **more: Any) -> dict[str, Any]:
    """What the page sends: the extraction with some blocks flipped."""
    main = page.content.main.copy()
    for block in flipped:
        main[block] = not main[block]
    marks = "".join(map(str, main.astype(int).tolist()))
    return {"main": marks, "fields": {}, **more}


@dataclass
class Client:
    """Asks a server in plain HTTP, with any header, also wrong ones."""

    server: Server

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> tuple[int, HTTPResponse, str]:
        """The status, the answer and its text; *path* is below the secret one."""
        if not path.startswith("/"):
            path = f"/{self.server.token}/{path}"
        connection = HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        pairs = list(headers.items() if isinstance(headers, Mapping) else headers)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if "host" not in {name.lower() for name, _ in pairs}:
            connection.putheader("Host", self.host)
        for name, value in pairs:
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer, text

    def post(self, path: str, data: object, **changed: str) -> tuple[int, str]:
        """A request as the page's own script makes it, with *changed* headers."""
        body = json.dumps(data).encode()
        headers = {
            "Origin": f"http://{self.host}",
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        changes = {name.replace("_", "-"): value for name, value in changed.items()}
        merged = {k: v for k, v in (headers | changes).items() if v}
        status, _, text = self.ask("POST", path, body, merged)
        return status, text


@contextmanager
def serve(folder: Path, *pages: PageToCorrect) -> Iterator[Server]:
    """A server of the correcting page, until the block ends."""
    rules_folder = folder.parent / "mainpage-rules"
    server = Server(Session(pages, folder, rules_folder, Extractor()))
    with running(server):
        yield server
