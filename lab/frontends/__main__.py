"""``python -m lab.frontends [--only NAME ...]``: build, crawl and judge front ends.

Prints a table of what was built, one of what a crawl with ``MAINPAGE_RENDER = "auto"``
found, and the sums. ``--static`` compares the time of the front ends that need
no browser with that of a crawl without one.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lab.benchmarks.tables import Table
from lab.crawls import crawl
from lab.zoo.tools import ToolError
from scrapy_mainpage.evaluation.scores import score_words, tokenize

from .build import FrontEnd, build, names

MIN_F1 = 0.95
BUILT = ["", "package", "version", "routes", "needs", "KB", "KB of scripts"]
FOUND = ["", "pages", "reached", "rendered", "missed", "needless", "right", "seconds"]


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder; *is_application*: its first page for every other path."""

    def __init__(self, *args: Any, is_application: bool, **kwargs: Any):
        self.is_application = is_application
        super().__init__(*args, **kwargs)

    def translate_path(self, path: str) -> str:
        found = super().translate_path(path)
        if self.is_application and "." not in Path(found).name:
            return super().translate_path("/index.html")
        return found

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(front_end: FrontEnd) -> Iterator[str]:
    """Serve a front end; its address."""
    handler = partial(
        Handler,
        directory=str(front_end.folder),
        is_application=front_end.routes == "history",
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def judge(front_end: FrontEnd, mode: str = "auto") -> tuple[list[int], float]:
    """The counts of a crawl in the order of ``FOUND``, and its seconds."""
    settings = {"MAINPAGE_RENDER": mode}
    with serving(front_end) as url:
        crawled = crawl(f"{url}/", settings)
        items = {key.removeprefix(url): item for key, item in crawled.items.items()}
    paths = front_end.paths()
    reached = [items[path] for path in paths if path in items]
    rendered = sum(item["rendered"] for item in items.values())
    right = 0
    for path, page in paths.items():
        gold = tokenize(" ".join([page["title"], *page["paragraphs"]]))
        found = tokenize(items[path]["text"]) if path in items else []
        right += score_words(found, gold).f1 >= MIN_F1
    missed = len(paths) + 1 - rendered if front_end.needs else 0
    needless = 0 if front_end.needs else rendered
    counts = [len(paths), len(reached), rendered, missed, needless, right]
    return counts, crawled.seconds


def main() -> int:
    """Print the tables; the exit code says whether all was built."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.frontends", description=__doc__
    )
    parser.add_argument("--only", nargs="+", choices=names(), default=names())
    parser.add_argument("--static", action="store_true")
    options = parser.parse_args()
    built, found = Table("built", BUILT), Table("crawled", FOUND)
    failed = []
    for name in options.only:
        try:
            made = build(name)
        except ToolError as error:
            failed.append(name)
            print(f"{name}: {error}", file=sys.stderr)
            continue
        sizes = made.size // 1024, made.scripts // 1024
        needs = "yes" if made.needs else "no"
        built.rows.append(
            [name, made.package, made.version, made.routes, needs, *sizes]
        )
        counts, seconds = judge(made)
        found.rows.append([name, *counts, seconds])
        print(found.rows[-1], flush=True)
        if options.static and not made.needs:
            print(name, "never:", judge(made, "never")[1], flush=True)
    total = [sum(row[at] for row in found.rows) for at in range(1, len(FOUND))]
    found.rows.append(["all", *total])
    print(built, found, sep="\n\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
