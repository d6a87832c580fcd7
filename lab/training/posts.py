"""Training of the model that tells threads from lists of topics: ``posts.json``.

The examples are the groups of dated records of each page. Those of a thread hold most
of what people marked; those of other pages hold none of it. Lists of topics and threads
of forum software that no set has were written by a program with made-up words.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from lab.benchmarks.pages import labelled_rows
from scrapy_mainpage import extract
from scrapy_mainpage.extraction.records.posts import known_of, main_of
from scrapy_mainpage.extraction.records.spots import find_spots
from scrapy_mainpage.extraction.records.threadgate import Records, thread_features
from scrapy_mainpage.extraction.records.threads import find_records
from scrapy_mainpage.extraction.records.view import View

WRITTEN: Final = Path(__file__).parent / "labelled" / "forums.jsonl.gz"
SETS: Final = "threads wcxb-dev multilingual-forum listings pagination".split()
TYPED: Final = ("forum:", "listing:", "talk:")
UNTYPED_WEIGHT: Final = 2.0
"""Of each example once more without the page's type, which may be wrong: the types of
the pages of wcxb-dev are of a model that has seen them."""

THREADS_WEIGHT: Final = 3.0
PENALTY: Final = 1.0
SHIFT: Final = 0.5
"""Added to the odds of records without titles: a thread that is missed costs more."""

LEAST: Final = 0.6
MOST: Final = 0.1
"""Share of the marked words that posts hold at least, and other records at most."""

PRECISE: Final = 0.4
"""Share of the words of posts that are marked, at least."""

_WORD: Final = re.compile(r"\w+")
_SAID: Final = re.compile("comment|repl|review", re.IGNORECASE)


class Example(NamedTuple):
    """The features of a group of records, whether they are posts, and its weight."""

    features: list[str]
    is_thread: bool
    host: str
    weight: float


def train(data: Path, output: Path) -> str:
    """Write the model; return a line on it."""
    examples = [*read_examples(data)]
    model = fit(examples)
    text = json.dumps(model, indent=0) + "\n"
    (output / "posts.json").write_text(text, "utf-8")
    return f"posts: {len(examples)} groups, {len(model['weights'])} weights"


def read_examples(data: Path) -> Iterator[Example]:
    """The examples of the sets of *data*, and of what a program wrote."""
    for name in SETS:
        for row, body in labelled_rows(data / name):
            yield from _examples(name, row, body)
    for line in gzip.decompress(WRITTEN.read_bytes()).splitlines():
        row = json.loads(line)
        yield from _examples("written", row, row["html"])


def _examples(name: str, row: dict[str, Any], html: bytes | str) -> Iterator[Example]:
    url = row.get("url") or ""
    content = extract(html, url=url)._extraction
    if content is None or not content.document.n_blocks:
        return
    host = (urlsplit(url).hostname or row["id"]).removeprefix("www.")
    weight = THREADS_WEIGHT if name == "threads" else 1.0
    gold = _gold(name, row)
    view, spots = View(content.document), find_spots(content.document)
    main = main_of(content)
    for _, records in find_records(view, spots, main, lambda: known_of(content)):
        is_thread = _judge(name, row, gold, records)
        if is_thread is not None:
            yield Example([*thread_features(records)], is_thread, host, weight)


def _gold(name: str, row: dict[str, Any]) -> Counter[str]:
    if name == "threads":
        return _words(" ".join(post["text"] for post in row["posts"]))
    is_forum = row.get("type", "forum") == "forum" and name != "listings"
    return _words(row.get("text") or "") if is_forum else Counter()


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _judge(
    name: str, row: dict[str, Any], gold: Counter[str], records: Records
) -> bool | None:
    """Whether records are posts; ``None`` where the labels do not say it."""
    document, spans = records.view.document, records.spans
    names = document.attribute(spans[-1].element, "class") or ""
    if not gold and name != "written":
        if row.get("type") == "article" and "comment" in names.lower().split():
            return True
        is_open = _SAID.search(names) or (name == "pagination" and "post" in names)
        return None if is_open else False
    texts = (document.block_text(b) for s in spans for b in range(s.first, s.end))
    own = _words(" ".join(texts))
    both = (own & gold).total()
    held = both / max(gold.total(), 1)
    if held > LEAST and both > PRECISE * own.total():
        return True
    return False if held < MOST else None


def fit(examples: list[Example]) -> dict[str, Any]:
    """The weights of a logistic regression; hosts with many pages weigh less."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    hosts = Counter(each.host for each in examples)
    rows, right, weights = [], [], []
    for factor in (1.0, UNTYPED_WEIGHT):
        for each in examples:
            kept = [
                name
                for name in each.features
                if factor == 1 or not name.removeprefix("titled ").startswith(TYPED)
            ]
            rows.append(dict.fromkeys(kept, 1))
            right.append(each.is_thread)
            weights.append(factor * each.weight / hosts[each.host] ** 0.5)
    vectors = DictVectorizer()
    model = LogisticRegression(C=PENALTY, max_iter=2000)
    model.fit(vectors.fit_transform(rows), right, sample_weight=weights)
    pairs = zip(vectors.feature_names_, model.coef_[0].tolist(), strict=True)
    found = {name: round(weight, 2) for name, weight in pairs}
    for name in ("titles:0", "titles:1", "titles:2"):
        found[name] = round(found.get(name, 0) + SHIFT, 2)
    return {"intercept": round(float(model.intercept_[0]), 2), "weights": found}
