"""Near-duplicates of the main text: precision and recall, by kind of copy."""

from __future__ import annotations

import argparse
import html
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from zlib import crc32

from lxml import etree
from lxml.html import fragment_fromstring
from w3lib.encoding import html_to_unicode

from scrapy_mainpage.duplicates.entry import Entry
from scrapy_mainpage.duplicates.fingerprint import Fingerprint
from scrapy_mainpage.evaluation.datasets import DataSetError, load_sets
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.memory.texts import TextMemory

from .tables import Table

MIN_WORDS = 30
#: Shared word pairs that make two pages copies of each other.
MIN_SHARED_PAIRS = 0.35
#: A run of words on more pages than this is a phrase of the site.
MAX_PAGES_OF_RUN = 20

_extractor = Extractor()


@dataclass(frozen=True)
class Original:
    """A page, what was extracted of it, and where its main content stands."""

    url: str
    site: str
    source: str
    text: str
    content: str
    place: str
    title: str


@dataclass(frozen=True)
class Sample:
    """A page as the crawl sees it: *group* is that of the page and its copies."""

    group: int
    kind: str
    url: str
    text: str
    title: str


def originals(data: Path) -> list[Original]:
    """The pages of all sets that are no copies of others."""
    pages = (page for data_set in load_sets(data) for page in data_set.pages)
    read = (_read(page.url, page.site, page.html()) for page in pages)
    return _without_natural_copies([original for original in read if original])


def _read(url: str, site: str, source: bytes) -> Original | None:
    page = _extractor.extract(source, url=url)
    if page.words < MIN_WORDS:
        return None
    paths = [b.xpath for b in page.blocks if b.is_main and b.source == "document"]
    place = _common_path(paths)
    decoded = html_to_unicode(None, source, default_encoding="utf-8")[1]
    return Original(url, site, decoded, page.text, page.html, place, page.title or "")


def _common_path(paths: Sequence[str]) -> str:
    steps = [path.split("/") for path in paths]
    common = []
    for level in zip(*steps, strict=False):
        if len(set(level)) > 1:
            break
        common.append(level[0])
    return "/".join(common)


def _without_natural_copies(pages: list[Original]) -> list[Original]:
    words = [
        re.findall(r"[\u3040-\u9fff]|[^\W\u3040-\u9fff]+", p.text.lower())
        for p in pages
    ]
    runs: dict[int, list[int]] = defaultdict(list)
    for number, page_words in enumerate(words):
        for run in set(zip(page_words, page_words[1:], page_words[2:], strict=False)):
            runs[hash(run)].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in runs.values():
        if 1 < len(numbers) <= MAX_PAGES_OF_RUN:
            shared.update(combinations(numbers, 2))
    copies: set[int] = set()
    for (a, b), count in sorted(shared.items()):
        if count < 5 or a in copies or b in copies:
            continue
        pairs_a, pairs_b = (
            set(zip(words[k], words[k][1:], strict=False)) for k in (a, b)
        )
        if len(pairs_a & pairs_b) >= MIN_SHARED_PAIRS * len(pairs_a | pairs_b):
            copies.add(b)
    return [page for number, page in enumerate(pages) if number not in copies]


def half_of(site: str) -> int:
    """Which half of the sites it is in: 0 to tune with, 1 to report on."""
    return crc32(site.encode()) & 1


def with_copies(pages: list[Original], count: int, seed: int = 1) -> list[Sample]:
    """So many pages, half of them copies of the others, in any order."""
    choose = random.Random(seed)
    pages = choose.sample(pages, min(count // 2, len(pages)))
    words = [word for page in pages for word in page.text.split()[:200]]
    hosts = [page for page in pages if page.place.count("/") >= 3]
    kinds: dict[str, Callable[[Original], str | None]] = {
        "exact": lambda page: page.source,
        "re-templated": lambda page: _placed(choose.choice(hosts), page.content),
        "edited": lambda page: _edited_page(page, words, choose),
    }
    samples = [
        Sample(k, "original", p.url, p.text, p.title) for k, p in enumerate(pages)
    ]
    names = list(kinds)
    for k, page in enumerate(pages):
        kind = names[k % len(names)]
        source = kinds[kind](page)
        if source is not None:
            url = f"https://copy.example/{k}"
            made = _extractor.extract(source, url=url)
            text = page.text if kind == "exact" else made.text
            samples.append(Sample(k, kind, url, text, made.title or ""))
    choose.shuffle(samples)
    return samples


def _placed(host: Original, content: str) -> str | None:
    """The host's page with other main content."""
    root = parse_html(host.source)
    found = root.xpath(host.place) if host.place.count("/") > 1 else []
    if not found:
        return None
    place = found[0]
    # Scripts may hold the host's own main content.
    etree.strip_elements(root, "script", with_tail=False)
    for child in list(place):
        place.remove(child)
    place.text = None
    place.append(fragment_fromstring(content, create_parent="div"))
    return etree.tostring(root, encoding="unicode", method="html")


def _edited_page(page: Original, words: list[str], choose: random.Random) -> str | None:
    text = edited(page.text, words, choose)
    lines = (html.escape(line) for line in text.split("\n") if line.strip())
    return _placed(page, "".join(f"<p>{line}</p>" for line in lines))


def edited(text: str, words: Sequence[str], choose: random.Random) -> str:
    """A tenth of the text changed: words, or sentences, or some of both."""
    share = choose.choice([(0.1, 0.0), (0.0, 0.1), (0.05, 0.05)])
    text = "\n".join(
        _sentences_changed(line, share[1], choose) for line in text.split("\n")
    )
    return "\n".join(
        _words_changed(line, share[0], words, choose) for line in text.split("\n")
    )


def _sentences_changed(line: str, share: float, choose: random.Random) -> str:
    sentences = re.split(r"(?<=[.!?。！？])\s*", line) if share else [line]
    kept = [s for s in sentences if choose.random() >= share]
    if len(kept) > 2 and choose.random() < share * 3:
        kept.insert(choose.randrange(len(kept)), kept.pop(choose.randrange(len(kept))))
    return " ".join(kept)


def _words_changed(
    line: str, share: float, words: Sequence[str], choose: random.Random
) -> str:
    if not share:
        return line
    spaced = line.count(" ") * 12 > len(line)
    units = line.split() if spaced else list(line)
    changed = (_unit_changed(unit, share, words, choose, spaced) for unit in units)
    return (" " if spaced else "").join(part for part in changed if part)


def _unit_changed(
    unit: str, share: float, words: Sequence[str], choose: random.Random, spaced: bool
) -> str:
    if choose.random() >= share:
        return unit
    other = choose.choice(words)
    other = other if spaced else other[:1]
    both = f"{unit} {other}" if spaced else unit + other
    return choose.choice([other, both, ""])


COUNT = 2000  # pages, half of them copies
THRESHOLDS = (0.75, 0.8, 0.82, 0.85, 0.9)
KINDS = ("exact", "re-templated", "edited")
HALVES = ("tuned with", "reported on")


def run(options: argparse.Namespace) -> list[Table]:
    return [quality(options.data)]


def quality(data: Path) -> Table:
    """Precision and recall, on one half of the sites and on the other."""
    header = ["sites", "threshold", "pages", "precision", "recall", *KINDS]
    table = Table("copies of pages: precision, recall, and recall by kind", header)
    try:
        pages = originals(data)
    except DataSetError:
        table.title += f": NOTHING MEASURED, no set in {data}"
        return table
    for half, name in enumerate(HALVES):
        ours = [page for page in pages if half_of(page.site) == half]
        samples = with_copies(ours, COUNT)
        for threshold in THRESHOLDS:
            table.rows.append(
                [name, threshold, len(samples), *scores(samples, threshold)]
            )
    return table


def scores(samples: list[Sample], threshold: float) -> list[float]:
    """Precision, recall, and the recall of each kind of copy.

    A page is a copy if one of its group came before it; the kind of a pair is that of
    the copy, also where the copy came first and the original is dropped.
    """
    kinds = {s.group: s.kind for s in samples if s.kind != "original"}
    seen: set[int] = set()
    found: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    wrong = 0
    for sample, dropped in zip(samples, dropped_pages(samples, threshold), strict=True):
        if sample.group in seen:
            copies[kinds[sample.group]] += 1
            found[kinds[sample.group]] += dropped
        else:
            wrong += dropped
        seen.add(sample.group)
    right = found.total()
    by_kind = [found[kind] / max(1, copies[kind]) for kind in KINDS]
    return [right / max(1, right + wrong), right / max(1, copies.total()), *by_kind]


def dropped_pages(samples: list[Sample], threshold: float) -> list[bool]:
    """Whether each page is dropped as a copy."""
    memory = TextMemory.of_process()
    memory.open()

    def is_dropped(sample: Sample) -> bool:
        made = Fingerprint.of(sample.text, f"{sample.title} {sample.url}")
        if made is None:
            return False
        entry = Entry.of(made, sample.url)
        findings = memory.find(entry, threshold)
        if findings.matches:
            return True
        key = memory.claim(entry, findings)
        assert key is not None
        memory.settle(key, entry)
        return False

    dropped = [is_dropped(sample) for sample in samples]
    memory.close()
    return dropped
