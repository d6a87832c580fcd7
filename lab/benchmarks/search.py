"""Search of documentations: known items by names, misspelt, inflected, cut.

The queries are made of the pages' own headings, entries (``dt``, ``tr``, names in code)
and anchors, read from the HTML without the extraction. Each name leads to one page.
Half of the documentations are for tuning, the figures count on the others.

``questions.tsv`` has written questions: the address of a page, the fragment of its
section, and a question in words of a person who does not know the heading. They were
written from the pages' contents, before any search for them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from math import log2
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from lxml import html

from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import LabelledPage
from scrapy_mainpage.indexes import (
    Hit,
    Index,
    IndexDocument,
    IndexUnavailable,
    engine_of,
    open_index,
)
from scrapy_mainpage.indexes.embedders import Embedder, EmbedderError, make_embedder
from scrapy_mainpage.indexes.passages import PassageSplitter
from scrapy_mainpage.pipelines.index_documents import DocumentMaker

from .pages import sampled_sets

SET = "documentation"
OF_EACH = 30
"""Queries of each kind and documentation, at most."""
PASSAGES = 100_000
KINDS = ("heading", "entry", "anchor", "misspelt", "inflected", "prefix")
HEADER = ["queries", "n", "right page first", "MRR@10", "section in first three"]
LIMIT = 10

_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(
    r"^(?:(?:chapter|appendix|section)\s+)?[\dA-Z]+(?:\.\d+)*\.?\s+", re.IGNORECASE
)
_HUMAN = re.compile(r"[A-Za-z]{3,}(?:[-_.:A-Za-z]*[A-Za-z])?")
_SIGNATURE = re.compile(r"([A-Za-z_][\w.:]+) ?\(.*\)")
_NAMED = re.compile(r"(?:\S+ )*?([\w.:]+)(?:\s*\(.*|\s*¶?)", re.DOTALL)


@dataclass(frozen=True)
class Item:
    """A name that leads to one place: its page, and the anchors that lead to it."""

    kind: str
    query: str
    url: str
    anchors: frozenset[str]


def run(options: argparse.Namespace) -> list[Table]:
    pages = [
        page
        for data_set in sampled_sets(options.data, None)
        if data_set.name == SET
        for page in data_set.pages
    ]
    if not pages:
        print(f"no search: no set {SET} in {options.data}")
        return []
    sites = sorted({site_of(page.url) for page in pages})
    tuned = set(sites[::2])
    items = list(known_items(pages))
    documents = list(documents_of(pages))
    tables = []
    with TemporaryDirectory() as folder, running_postgresql() as server:
        urls = [f"sqlite:///{Path(folder).as_posix()}/sqlite", *options.index]
        if server is not None:
            urls.append(server.database("search"))
        for url in urls:
            engine = url.partition(":")[0]
            with closing(open_index(url)) as index:
                index.put_many(documents)
                for half, chosen in (("tuned", tuned), ("other", set(sites) - tuned)):
                    asked = [item for item in items if site_of(item.url) in chosen]
                    tables.append(measure(f"{engine}, {half} half", index, asked))
                asked = list(questions_about(documents))
                name = f"{engine}, questions"
                tables.append(measure_questions(name, index, asked))
            if engine == "sqlite" and (model := model_of()):
                with closing(open_index(url, embedder=model)) as index:
                    index.embed()
                    for mode in ("vector", "hybrid"):
                        name = f"{engine}, questions, {mode}, {model.name}"
                        found = measure_questions(name, index, asked, mode=mode)
                        tables.append(found)
        tables.append(measure_many(Path(folder) / "many", documents, items))
    return tables


def model_of() -> Embedder | None:
    """The model for the questions, if it is installed."""
    try:
        return make_embedder("wordllama")
    except EmbedderError as exc:
        print(f"no searches by meaning: {exc}")
        return None


def site_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def documents_of(pages: Iterable[LabelledPage]) -> Iterator[IndexDocument]:
    """The pages as a crawl indexes them, with passages."""
    maker = DocumentMaker(splitter=PassageSplitter(200))
    for page in pages:
        found = maker.make({"url": page.url}, extract(page.html(), url=page.url))
        if isinstance(found, IndexDocument):
            yield found


def measure(title: str, index: Index, items: Sequence[Item]) -> Table:
    """The figures of each kind of query, then of all names and of all."""
    results = {item: ranks(index, item) for item in items}
    table = Table(title, HEADER)
    groups = [(kind, [kind]) for kind in KINDS]
    for name, kinds in [*groups, ("names", KINDS[:3]), ("all", KINDS)]:
        found = [rank for item, rank in results.items() if item.kind in kinds]
        if found:
            page = np.array([rank for rank, _ in found])
            section = [inside for _, inside in found if inside is not None]
            reciprocal = np.where(page > 0, 1 / np.maximum(page, 1), 0)
            shares = ((page == 1).mean(), reciprocal.mean(), np.mean(section))
            table.rows.append([name, len(found), *map(float, shares)])
    return table


def ranks(index: Index, item: Item) -> tuple[int, bool | None]:
    """The rank of the right page (0: none), and whether its section is among three.

    ``None`` where the page offers no anchor for it.
    """
    hits = index.search(item.query, limit=LIMIT)
    urls = [hit.url for hit in hits]
    rank = urls.index(item.url) + 1 if item.url in urls else 0
    if not item.anchors:
        return rank, None
    return rank, any(is_place(place, item) for place in places(hits)[:3])


def places(hits: Iterable[Hit]) -> list[tuple[str, str | None]]:
    """The sections in the order in which a reader meets them."""
    return [(hit.url, part.anchor) for hit in hits for part in hit.sections or (hit,)]


def is_place(place: tuple[str, str | None], item: Item) -> bool:
    return place[0] == item.url and place[1] in item.anchors


def known_items(pages: Sequence[LabelledPage]) -> Iterator[Item]:
    """Queries for names that only one page has."""
    names = [name for page in pages for name in names_of(page)]
    owners = defaultdict(set)
    for item in names:
        owners[plain(item.query)].add(item.url)
    choose = random.Random(3)
    choose.shuffle(names)
    vocabulary = {w.lower() for page in pages for w in _WORD.findall(page.text or "")}
    counts: Counter[tuple[str, str]] = Counter()
    seen = set()
    for item in names:
        key = plain(item.query)
        if len(owners[key]) > 1 or key in seen:
            continue
        seen.add(key)
        for made in (item, *variants(item, choose, vocabulary)):
            place = (made.kind, site_of(made.url))
            counts[place] += 1
            if counts[place] <= OF_EACH:
                yield made


def names_of(page: LabelledPage) -> Iterator[Item]:
    """The headings, entries and anchors in the main content."""
    tree = html.document_fromstring(page.html())
    path = getattr(page, "content", None)
    roots = tree.xpath(path) if path else [tree]
    for element in (each for root in roots for each in root.iter()):
        if not isinstance(element.tag, str):
            continue
        text = " ".join(element.text_content().split()).strip("¶#§◆ ")
        anchors = frozenset(anchors_of(element))
        if re.fullmatch("h[1-6]", element.tag):
            name = _NUMBER.sub("", text)
            if match := _SIGNATURE.search(name):
                yield Item("entry", match[1], page.url, anchors)
            elif 3 <= len(name) <= 80 and _WORD.search(name):
                yield Item("heading", name, page.url, anchors)
                yield from anchor_items(page.url, anchors, text)
        elif element.tag in ("dt", "tr") and anchors and len(text) < 300:
            head = text if element.tag == "dt" else cell_of(element)
            match = _NAMED.fullmatch(head)
            if match and len(match[1]) >= 3 and _WORD.search(match[1]):
                yield Item("entry", match[1], page.url, anchors)


def cell_of(row: Any) -> str:
    return " ".join(row[0].text_content().split()) if len(row) else ""


def anchors_of(element: Any) -> Iterator[str]:
    """The fragments that lead to the element, or to what begins with it."""
    for each in element.iter():
        if isinstance(each.tag, str):
            yield from filter(None, (each.get("id"), each.get("name")))
    before = element.getprevious()
    while (
        before is not None and before.tag == "a" and not before.text_content().strip()
    ):
        yield from filter(None, (before.get("id"), before.get("name")))
        before = before.getprevious()
    outer = element
    while outer.getparent() is not None and outer.getparent().tag != "body":
        inner, outer = outer, outer.getparent()
        first = next((each for each in outer if isinstance(each.tag, str)), None)
        if first is not inner or (outer.text or "").strip():
            break
        yield from filter(None, (outer.get("id"),))


def anchor_items(url: str, anchors: frozenset[str], text: str) -> Iterator[Item]:
    """The words of anchors that a person named, with words of the heading."""
    known = set(plain(text).split())
    for anchor in sorted(anchors):
        words = plain(anchor.replace("_", " ").replace("-", " "))
        if "top of page" in words:
            continue  # of a generator
        if _HUMAN.fullmatch(anchor) and len(words) > 4 and set(words.split()) & known:
            yield Item("anchor", words, url, anchors)


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def variants(item: Item, choose: random.Random, vocabulary: set[str]) -> Iterator[Item]:
    """The query misspelt, inflected and cut, where it has a word for that."""
    words = [word for word in _WORD.findall(item.query) if len(word) >= 5]
    words = [word for word in words if word.isascii() and word[1:].islower()]
    if item.kind != "heading" or not words:
        return
    word = choose.choice(words)
    makers = {
        "misspelt": lambda: misspell(word, choose),
        "inflected": lambda: inflect(word),
    }
    for kind, make in makers.items():
        changed = make()
        if changed and changed.lower() not in vocabulary:
            query = item.query.replace(word, changed, 1)
            yield Item(kind, query, item.url, item.anchors)
    last = _WORD.findall(item.query)[-1]
    if len(last) >= 5 and item.query.endswith(last):
        cut = item.query[: len(item.query) - len(last) // 2]
        yield Item("prefix", cut, item.url, item.anchors)


def misspell(word: str, choose: random.Random) -> str:
    """One edit within the word: a letter lost, doubled, changed, or two swapped."""
    at = choose.randrange(1, len(word) - 1)
    edits = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + choose.choice("aeinorst") + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    )
    changed = choose.choice(edits)
    return changed if changed != word else ""


def inflect(word: str) -> str:
    """Another form of an English word, by its ending."""
    rules = (
        ("ies", "y"), ("ying", "ies"), ("ing", "ed"), ("sses", "ss"), ("ss", "sses"),
        ("us", ""), ("ses", ""), ("s", ""), ("tion", "tions"), ("ed", "ing"),
        ("y", ""), ("", "s"),
    )  # fmt: skip
    for old, new in rules:
        if word.endswith(old):
            return word[: len(word) - len(old)] + new if new or old == "s" else ""
    return ""


def measure_many(
    path: Path, documents: list[IndexDocument], items: list[Item]
) -> Table:
    """Processor time and size of an index of very many passages of the same texts."""
    count = sum(len(document.passages) for document in documents)
    text = 0
    choose = random.Random(4)
    with closing(open_index(f"sqlite:///{path.as_posix()}")) as index:
        for copy in range(PASSAGES // count + 1):
            made = []
            for document in documents:
                words = document.text.split(" ")
                url = f"{document.url}?{copy}"
                passages = tuple(
                    part._replace(id=f"{copy}-{part.id}") for part in document.passages
                )
                body = f"{document.text} {' '.join(choose.choices(words, k=20))}"
                parts = tuple(
                    part._replace(anchor=f"{part.anchor}-{copy}")
                    for part in document.sections
                )
                copied = replace(document, url=url, text=body, sections=parts)
                made.append(replace(copied, passages=passages))
                text += len(body.encode())
            index.put_many(made)
        times: dict[bool, list[float]] = {False: [], True: []}
        for item in choose.sample(items, min(len(items), 150)):
            for passages, spent in times.items():
                began = process_time()
                index.search(item.query, passages=passages)
                spent.append(process_time() - began)
    header = ["", "median ms", "p95 ms", "bytes of index per byte of text"]
    table = Table(f"SQLite, {PASSAGES:,} passages or more", header)
    for passages, spent in times.items():
        figures = [1000 * float(x) for x in np.percentile(spent, [50, 95])]
        name = "passages" if passages else "pages"
        table.rows.append([name, *figures, bytes_of(path) / text])
    return table


def running_postgresql() -> AbstractContextManager[Any]:
    """A server; nothing, with a message, where none is installed."""
    from tests.servers import postgres

    try:
        engine_of("postgresql://x")
    except IndexUnavailable as exc:
        print(f"no postgresql: {exc.reason}")
        return nullcontext()
    if postgres.find_postgresql() is None:
        print("no postgresql: no server is installed")
        return nullcontext()
    return postgres.running_server()


def bytes_of(path: Path) -> int:
    """The size of a file and of those beside it that belong to it."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))


# --- Questions

FILE = Path(__file__).with_name("questions.tsv")
QUESTIONS_HEADER = ["hits", "n", "nDCG@10", "right page first", "section in three"]


class Question(NamedTuple):
    """A question, and the page, fragment and heading of the section that answers it."""

    text: str
    url: str
    anchor: str
    heading: str


def questions_about(documents: Sequence[IndexDocument]) -> Iterator[Question]:
    """The questions whose sections are in the documents."""
    headings = {
        (document.url, section.anchor): section.heading
        for document in documents
        for section in document.sections
    }
    for line in FILE.read_text("utf-8").splitlines():
        address, anchor, text = line.split("\t")
        url = f"http://{address}"
        if (url, anchor) in headings:
            yield Question(text, url, anchor, headings[url, anchor])


def measure_questions(
    title: str, index: Index, questions: Sequence[Question], **options: Any
) -> Table:
    """How high the right sections are among pages and among passages.

    *options* are those of a search. One section is right: nDCG is 1 / log2(1 + rank).
    """
    table = Table(title, QUESTIONS_HEADER)
    for passages in (False, True):
        ranks = [rank_of(index, each, passages, options) for each in questions]
        gains = [1 / log2(1 + rank) if 0 < rank <= 10 else 0.0 for rank, _ in ranks]
        pages = [is_first for _, is_first in ranks]
        first = [0 < rank <= 3 for rank, _ in ranks]
        shares = (sum(each) / len(ranks) for each in (gains, pages, first))
        name = "passages" if passages else "pages, with their sections"
        table.rows.append([name, len(ranks), *shares])
    return table


def rank_of(
    index: Index, question: Question, passages: bool, options: dict[str, Any]
) -> tuple[int, bool]:
    """The rank of the section (0: none), and whether its page is the first hit's."""
    found = index.search(question.text, limit=LIMIT, passages=passages, **options)
    places = list(dict.fromkeys(question_places(found, question)))
    rank = places.index("right") + 1 if "right" in places else 0
    return rank, bool(found) and found[0].url == question.url


def question_places(hits: Sequence[Hit], question: Question) -> Iterator[object]:
    """The sections in the order in which a reader meets them."""
    for hit in hits:
        parts = hit.sections or (hit.passage,)
        for part in parts:
            anchor = part.anchor if part else None
            # A passage of short sections has the headings of all of them in its text.
            text = hit.passage.text if hit.passage else ""
            is_here = anchor == question.anchor or question.heading in text
            is_right = hit.url == question.url and is_here
            yield "right" if is_right else (hit.url, anchor or text or None)
