"""Python modules on the way of a page, from ``process_response`` to its row in SQLite.

``python -m lab.tools.modules_of_a_page`` crawls a page of a local server with default
settings and an index, and prints the modules of the package whose functions run in any
thread from the response to the row, and their number.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess

PACKAGE = str(Path(__file__).resolve().parents[2] / "scrapy_mainpage")
FIRST = "downloadermiddlewares.py", "process_response"
LAST = "indexes/sqlite.py", "_put"
TEXT = "<h2>Part {0}</h2><p>" + "Owls hunt at night, and hear a mouse {0}. " * 9
PAGE = """<!doctype html><html lang="en"><head><title>Owls | Birds</title>
<meta name="author" content="A. Smith"></head><body><nav><a href="/">Home</a></nav>
<main><h1>Owls</h1><p>By A. Smith, <time datetime="2026-05-02">2 May 2026</time></p>
{}</main><footer>Imprint</footer></body></html>"""


class PageSpider(Spider):
    """Yields an item with the URL; the rest of the document is the page's."""

    name = "page"

    def parse(self, response: Any) -> Any:
        yield {"url": response.url}


class Recorder:
    """Profile function of Python that notes the modules of the calls on the way."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._runs = False

    def __call__(self, frame: Any, event: str, _: object) -> None:
        """Note the module of a call."""
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            return
        place = code.co_filename[len(PACKAGE) + 1 :], code.co_name
        self._runs = self._runs or place == FIRST
        at_import = frame.f_back and frame.f_back.f_code.co_name == "<module>"
        # The bodies of modules and classes are not optimized.
        if self._runs and code.co_flags & inspect.CO_OPTIMIZED and not at_import:
            self.modules.add(place[0])
        if event == "return" and place == LAST:
            sys.setprofile(None)
            self._runs = False


def main() -> None:
    """Crawl, and print the modules."""
    recorder = Recorder()
    with tempfile.TemporaryDirectory() as folder:
        page = PAGE.format("".join(map(TEXT.format, range(9))))
        Path(folder, "page.html").write_text(page, "utf-8")
        handler = partial(SimpleHTTPRequestHandler, directory=folder)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        addons = {"scrapy_mainpage.Addon": 500}
        index = f"sqlite:///{folder}/pages.db"
        process = CrawlerProcess({"ADDONS": addons, "MAINPAGE_INDEX": index})
        url = f"http://127.0.0.1:{server.server_port}/page.html"
        process.crawl(PageSpider, start_urls=[url])
        threading.setprofile(recorder)
        sys.setprofile(recorder)
        process.start()
        server.shutdown()
    print(*sorted(recorder.modules), f"{len(recorder.modules)} modules", sep="\n")


if __name__ == "__main__":
    main()
