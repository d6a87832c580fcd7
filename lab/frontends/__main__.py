"""``python -m lab.frontends [--only NAME ...]``: build, crawl and judge front ends.

Prints what a crawl with ``MAINPAGE_RENDER = "auto"`` found of each, and the sums.
"""

from __future__ import annotations

import argparse
import mimetypes
import sys
from pathlib import Path

from lab.crawls import crawl
from lab.server import Answer, served
from lab.tables import Table
from lab.zoo.tools import ToolError
from scrapy_mainpage.evaluation.scores import score_words, tokenize

from .build import FrontEnd, build, names

MIN_F1 = 0.95
FOUND = ["", "pages", "reached", "rendered", "missed", "needless", "right", "seconds"]


class BuiltSite:
    """The files of a front end; an application's first page for every other path."""

    def __init__(self, front_end: FrontEnd) -> None:
        self.folder = front_end.folder
        self.is_application = front_end.routes == "history"

    def answer(self, path: str, headers: dict[str, str], asked: int) -> Answer:
        del headers, asked
        if self.is_application and "." not in Path(path).name:
            path = "/index.html"
        file = self.folder / path[1:]
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return Answer(404)
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return Answer(200, file.read_bytes(), {"Content-Type": kind})


def judge(front_end: FrontEnd) -> list[float]:
    """The figures of a crawl, in the order of ``FOUND``."""
    with served(BuiltSite(front_end)) as (_, url):
        crawled = crawl({"MAINPAGE_RENDER": "auto"}, url=f"{url}/")
    items = {item["url"].removeprefix(url): item for item in crawled.items}
    paths = front_end.paths()
    rendered = sum(item["rendered"] for item in items.values())
    right = 0
    for path, page in paths.items():
        gold = tokenize(" ".join([page["title"], *page["paragraphs"]]))
        found = tokenize(items[path]["text"]) if path in items else []
        right += score_words(found, gold).f1 >= MIN_F1
    missed = len(paths) + 1 - rendered if front_end.needs else 0
    needless = 0 if front_end.needs else rendered
    reached = sum(path in items for path in paths)
    counts = [len(paths), reached, rendered, missed, needless, right]
    return [*counts, crawled.seconds]


def main() -> int:
    """Print the table; the exit code says whether all was built."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.frontends", description=__doc__
    )
    parser.add_argument("--only", nargs="+", choices=names(), default=names())
    table, failed = Table("crawled", FOUND), 0
    for name in parser.parse_args().only:
        try:
            table.rows.append([name, *judge(build(name))])
        except ToolError as error:
            failed = 1
            print(f"{name}: {error}", file=sys.stderr)
            continue
        print(table.rows[-1], flush=True)
    total = [sum(row[at] for row in table.rows) for at in range(1, len(FOUND))]
    table.rows.append(["all", *total])
    print(table)
    return failed


if __name__ == "__main__":
    sys.exit(main())
