"""A crawl of real pages: whole; stopped by SIGINT and resumed; killed and repeated."""

from __future__ import annotations

import argparse
import gzip
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from .crawling import Crawl, Site, indexed_texts, is_sound, journalled, serve, uncaught
from .pages import TIMED_SET, generated
from .tables import Table

#: The pages link to pages that are not there: the crawl ends at those it is given.
DEPTH = {"DEPTH_LIMIT": 1}
HEADER = [
    "", "reported", "lost", "missing", "doubles", "asked twice", "sound", "errors",
]  # fmt: skip
FIGURES = [
    "", "served", "extracted", "indexed", "no text", "errors", "seconds", "ms/page",
]  # fmt: skip


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served_pages(options.data, options.pages)
    with serve(pages) as site, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, wanted = whole_crawl(site, subfolder(folder, "whole"))
        stops = Table(f"stopped crawls of {what}: pages", HEADER)
        stops.rows.append(resumed(site, subfolder(folder, "resumed"), wanted))
        for k in range(options.kills):
            stops.rows.append(killed(site, subfolder(folder, f"killed-{k}"), wanted, k))
    whole.title = f"crawl of {what}"
    return [whole, stops]


def subfolder(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def served_pages(data: Path, most: int) -> tuple[str, dict[str, bytes]]:
    """What the pages are, and the pages by path with one that links to them all."""
    folder = data / TIMED_SET
    what = f"pages of {TIMED_SET}"
    if (folder / "pages.jsonl").exists():
        with (folder / "pages.jsonl").open(encoding="utf-8") as file:
            names = [json.loads(line)["id"] for line in file]
        chosen = random.Random(2).sample(names, min(most, len(names)))
        packed = {name: folder / "html" / f"{name}.html.gz" for name in chosen}
        pages = {
            f"/page/{name}": gzip.decompress(path.read_bytes())
            for name, path in packed.items()
        }
    else:
        what = f"GENERATED pages: {folder} is not there"
        pages = {f"/page/{k}": generated(20, seed=k).encode() for k in range(most)}
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in pages)
    start = f"<!DOCTYPE html><title>All</title><p>All pages.</p><ul>{links}</ul>"
    return f"{len(pages)} {what}", {"/": start.encode(), **pages}


def whole_crawl(site: Site, folder: Path) -> tuple[Table, set[str]]:
    """The figures of a crawl that nothing disturbs, and the URLs in its index."""
    started = time.perf_counter()
    crawl = Crawl(folder, "crawl", site.url + "/", DEPTH)
    crawl.end()
    seconds = time.perf_counter() - started
    stats = crawl.stats
    urls = {url for url, _ in indexed_texts(folder)}
    extracted = stats.get("mainpage/extracted", 0)
    row = [
        "whole",
        len(site.pages),
        int(extracted),
        len(urls),
        int(stats.get("mainpage/index/skipped/no_text", 0)),
        uncaught(crawl),
        seconds,
        1000 * stats.get("mainpage/time", 0) / max(1, extracted),
    ]
    return Table("", FIGURES, [row]), urls


def resumed(site: Site, folder: Path, wanted: set[str]) -> list[object]:
    """Stop with SIGINT in the middle, go on with the same JOBDIR."""
    settings = {**DEPTH, "JOBDIR": folder / "job"}
    site.hold(len(site.pages) // 2)
    first = Crawl(folder, "first", site.url + "/", settings)
    first.wait_for(site.held.is_set)
    first.interrupt()
    site.release()
    first.end()
    reported = [url for url in first.reported if url in wanted]
    lost = set(reported) - {url for url, _ in indexed_texts(folder)}
    second = Crawl(folder, "second", site.url + "/", settings)
    second.end()
    again = sum(n > 1 for path, n in site.requests.items() if path in site.pages)
    return outcome("SIGINT", folder, wanted, reported, lost, again, [first, second])


def killed(site: Site, folder: Path, wanted: set[str], seed: int) -> list[object]:
    """Stop with SIGKILL at a random moment, run the crawl again."""
    chance = random.Random(seed)
    first = Crawl(folder, "first", site.url + "/", DEPTH)
    pages = chance.randrange(1, max(2, len(wanted) - 20))
    first.wait_for(lambda: len(first.reported) >= pages)
    time.sleep(chance.random() / 20)
    first.kill()
    reported = [url for url in first.reported if url in wanted]
    sound = is_sound(folder)
    lost = set(reported) - {url for url, _ in indexed_texts(folder)}
    lost -= journalled(folder)
    second = Crawl(folder, "second", site.url + "/", DEPTH)
    second.end()
    row = outcome("SIGKILL", folder, wanted, reported, lost, "-", [first, second])
    row[HEADER.index("sound")] = sound and row[HEADER.index("sound")]
    return row


def outcome(
    name: str,
    folder: Path,
    wanted: set[str],
    reported: list[str],
    lost: set[str],
    again: object,
    crawls: list[Crawl],
) -> list[object]:
    """A row: how much was reported at the stop and lost, and how the crawl ended."""
    found = Counter(url for url, _ in indexed_texts(folder))
    return [
        name,
        len(reported),
        len(lost),
        len(wanted - found.keys()),
        sum(found.values()) - len(found) + len(found.keys() - wanted),
        again,
        is_sound(folder),
        sum(map(uncaught, crawls)),
    ]
