"""The public extractors of main content on the same pages, by the same measure.

The shipped model of ``learned`` has seen most of the pages. Of those sets the scores
in its card are shown, which cross-validation by site gave; only a set that it has not
seen is measured with it. Results are kept: a second run measures what is new.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from scrapy_mainpage.evaluation.results import ResultsFile, row_key
from tqdm import tqdm
from w3lib.encoding import html_to_unicode

from scrapy_mainpage.evaluation import metrics, tokens
from scrapy_mainpage.evaluation.datasets import (
    DataSet,
    DataSetError,
    LabelledPage,
    load_sets,
    read_document,
)
from scrapy_mainpage.evaluation.evaluate import sample
from scrapy_mainpage.evaluation.measure import Row, text_measures
from scrapy_mainpage.extraction.metadata import read_metadata

from .guarded import Guarded, guarded
from .modelcard import ModelCard, learned_card
from .peerlist import LEARNED, OWN, PEERS, Peer
from .peertables import peer_tables
from .tables import Table

FOLDER = "peers"
RESULTS = "results.jsonl"
LANGUAGES = {"Greek": "el", "Russian": "ru", "Polish": "pl", "English": "en"}
ENGLISH_SET = "wcxb-dev"


@dataclass(frozen=True)
class Job:
    """An extractor on a page, and the key that its result is kept under."""

    key: str
    set: str
    page: LabelledPage
    peer: Peer


def run(options: argparse.Namespace) -> list[Table]:
    try:
        whole = load_sets(options.data)
    except DataSetError as error:
        return [Table(f"NOTHING MEASURED: {error}", [""])]
    most = options.pages
    sets = whole if most is None else [sample(each, most) for each in whole]
    card, peers = learned_card(), [each for each in PEERS if each.version is not None]
    jobs = [*all_jobs(sets, (*peers, *OWN), card)]
    results = kept_results(options.results / FOLDER)
    measure([job for job in jobs if job.key not in results.rows], results)
    rows = [results.rows[job.key] for job in jobs]
    missing = [each for each in PEERS if each.version is None]
    return peer_tables(rows, whole, (*peers, *OWN), missing, card, date.today())


def kept_results(folder: Path) -> ResultsFile:
    folder.mkdir(parents=True, exist_ok=True)
    return ResultsFile(folder / RESULTS)


def all_jobs(
    sets: Iterable[DataSet], peers: Iterable[Peer], card: ModelCard
) -> Iterator[Job]:
    """Every extractor on every page, and the model on the pages new to it.

    An extractor has all pages of a set one after the other.
    """
    measure_digest = _measure_digest()
    for group in sets:
        unseen = () if card.has_seen(group.name) else (LEARNED,)
        for peer in (*peers, *unseen):
            for page in group.pages:
                key = row_key(f"{group.name} {measure_digest}", page, peer)
                yield Job(key, group.name, page, peer)


def _measure_digest() -> str:
    """A hash of the code of the measure."""
    code = [Path(module.__file__).read_bytes() for module in (metrics, tokens)]
    return hashlib.sha256(b"".join(code)).hexdigest()[:16]


def measure(jobs: list[Job], results: ResultsFile) -> None:
    """Measure all *jobs* and keep their rows, each as soon as it is there."""
    bar = tqdm(total=len(jobs), unit="page", disable=None)
    while jobs:
        first = jobs[0]
        own = [j for j in jobs if (j.set, j.peer) == (first.set, first.peer)]
        jobs = [j for j in jobs if (j.set, j.peer) != (first.set, first.peer)]
        bar.set_description(f"{first.peer.label}, {first.set}")
        with guarded(first.peer.extract) as call:
            for job in own:
                results.add([measured(job, call)])
                bar.update()
    bar.close()


def measured(job: Job, call: Guarded) -> Row:
    """The row of a page; where there is no answer, as if nothing was extracted."""
    page, raw = job.page, job.page.html()
    row = Row(
        job.key, job.set, page.id, page.url, page.type, page.language, job.peer.label
    )
    row = replace(row, language=language_of(job.set, page, raw))
    html = html_to_unicode(None, raw, default_encoding="utf-8")[1]
    answer = call(html.encode("utf-8", "replace").decode("utf-8"), row.language)
    return replace(
        row,
        words=len(tokens.tokenize(answer.text)),
        seconds=round(answer.seconds, 6),
        error=answer.error,
        measures=text_measures(page, answer.text),
    )


def language_of(name: str, page: LabelledPage, raw: bytes) -> str:
    """The page's language as the set knows it, or else as the page declares it."""
    known = "en" if name == ENGLISH_SET else page.language or LANGUAGES.get(page.type)
    if known:
        return known
    declared = read_metadata(read_document(raw), page.url).language
    return (declared or "").partition("-")[0]
