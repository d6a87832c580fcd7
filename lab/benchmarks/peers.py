"""Word F1 of the public extractors of main content, on the labelled sets.

The shipped model of ``learned`` has seen most of the pages. For those sets its row has
the cross-validated scores of its card; only on a set that it has not seen is it
measured. Pages of other extractors that fail, crash or take over a minute count as
empty.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from statistics import fmean

from tqdm import tqdm
from w3lib.encoding import html_to_unicode

from lab.evaluation.element_truth import read_content
from lab.evaluation.extractors import OURS, PUBLIC, PublicExtractor, own
from lab.evaluation.structure import score_structure
from lab.evaluation.summary import STRUCTURE, STRUCTURE_HEADS
from scrapy_mainpage.evaluation.datasets import DataSet, LabelledPage, read_document
from scrapy_mainpage.evaluation.scores import text_measures
from scrapy_mainpage.extraction.metadata.reader import MetadataReader
from scrapy_mainpage.processes import Pool
from scrapy_mainpage.processes.worker import ProcessError

from .comparison import ALL, CROSS_VALIDATED, ModelCard, learned_card
from .pages import sampled_sets
from .tables import Table

#: text-block-context is left out: its trees have seen the pages.
OWN = tuple(own(name) for name in ("centroid", "danag", "semantic-markup"))
LANGUAGES = {"Greek": "el", "Russian": "ru", "Polish": "pl", "English": "en"}
ENGLISH_SET = "wcxb-dev"
TIMEOUT_SECONDS = 60.0
#: Pages that a type needs for a column of its own.
MIN_PAGES = 20
SNIPPETS = {"with": "snippets_with", "without": "snippets_without", "F1": "snippets_f1"}

#: Measures of a page by set, type and extractor.
Scores = dict[tuple[str, str, str], list[dict[str, float]]]


def run(options: argparse.Namespace) -> list[Table]:
    sets = sampled_sets(options.data, options.pages)
    if not sets:
        return [Table(f"peers: NOTHING MEASURED, no set in {options.data}", [""])]
    card = learned_card()
    extractors = [*(each for each in PUBLIC if each.version is not None), *OWN]
    scores: Scores = defaultdict(list)
    failed: dict[str, int] = defaultdict(int)
    for data_set in sets:
        has_elements = any(page.content for page in data_set.pages)
        unseen = [own(OURS)] if has_elements or not card.has_seen(data_set.name) else []
        for extractor in (*extractors, *unseen):
            for page, measures, error in measure(data_set, extractor):
                for group in {ALL, page.type}:
                    scores[data_set.name, group, extractor.label].append(measures)
                failed[extractor.label] += bool(error)
    labels = [each.label for each in extractors]
    return [
        sets_table([each for each in sets if has_texts(each)], labels, scores, card),
        *(
            types_table(each, labels, scores, card)
            for each in sets
            if has_texts(each) and len(types_of(each)) > 1
        ),
        *(
            structure_table(each, [OURS, *labels], scores)
            for each in sets
            if any(page.content for page in each.pages)
        ),
        *(snippets_table(each, labels, scores) for each in sets if not has_texts(each)),
        versions_table(extractors, failed),
    ]


def measure(
    data_set: DataSet, extractor: PublicExtractor
) -> Iterator[tuple[LabelledPage, dict[str, float], str]]:
    """The measures of each page of a set, and the error if there was one."""
    with Pool(1, prepare, extractor.label, TIMEOUT_SECONDS) as pool:
        for page in tqdm(data_set.pages, desc=extractor.label, disable=None):
            raw = page.html()
            html = html_to_unicode(None, raw, default_encoding="utf-8")[1]
            html = html.encode("utf-8", "replace").decode("utf-8")
            task = html, language_of(data_set.name, page, raw), bool(page.content)
            (text, markdown), error = ("", None), ""
            try:
                text, markdown = pool.submit(task).result().answer
            except ProcessError as failure:
                error = failure.reason
            measures = text_measures(page, text)
            if page.content:
                content = read_content(raw, page.content, page.drop)
                measures |= score_structure(content, text, markdown).counts
            yield page, measures, error


def prepare(label: str) -> Callable[[tuple[str, str, bool]], tuple[str, str | None]]:
    """The extractor of a worker, without logs and warnings: text and Markdown."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    public = {each.label: each for each in PUBLIC}
    extractor = public.get(label) or own(label)

    def run_task(task: tuple[str, str, bool]) -> tuple[str, str | None]:
        html, language, needs_markdown = task
        text = extractor.extract(html, language)
        if not needs_markdown or extractor.to_markdown is None:
            return text, None
        return text, extractor.to_markdown(html, language)

    return run_task


def language_of(name: str, page: LabelledPage, raw: bytes) -> str:
    """The page's language as the set knows it, or else as the page declares it."""
    known = "en" if name == ENGLISH_SET else page.language or LANGUAGES.get(page.type)
    if known:
        return known
    declared = MetadataReader(read_document(raw), page.url).language
    return (declared or "").partition("-")[0]


def has_texts(data_set: DataSet) -> bool:
    return any(page.text is not None for page in data_set.pages)


def mean_f1(scores: Scores, name: str, group: str, label: str) -> float | str:
    found = scores.get((name, group, label))
    return fmean(each["f1"] for each in found) if found else ""


def row_of_ours(
    columns: list[tuple[str, str, int]], scores: Scores, card: ModelCard
) -> list[float | str]:
    """Cross-validated F1 of the default, or measured where the set is new to it."""
    row: list[float | str] = [CROSS_VALIDATED]
    for name, group, pages in columns:
        if card.has_seen(name):
            f1 = card.f1(name, group, pages)
            row.append("" if f1 is None else f1)
        else:
            row.append(mean_f1(scores, name, group, OURS))
    return row


def filled(
    table: Table,
    columns: list[tuple[str, str, int]],
    labels: list[str],
    scores: Scores,
    card: ModelCard,
) -> Table:
    table.rows.append(row_of_ours(columns, scores, card))
    for label in labels:
        cells = [mean_f1(scores, name, group, label) for name, group, _ in columns]
        table.rows.append([label, *cells])
    return table


def sets_table(
    sets: list[DataSet], labels: list[str], scores: Scores, card: ModelCard
) -> Table:
    columns = [(each.name, ALL, len(each.pages)) for each in sets]
    header = ["", *(f"{name} ({pages})" for name, _, pages in columns)]
    title = "word F1, mean over the pages of each set"
    table = Table(title, header, name="evaluation-peers")
    return filled(table, columns, labels, scores, card)


def types_of(data_set: DataSet) -> dict[str, int]:
    """Pages by type, largest first, without small types."""
    counts = Counter(page.type for page in data_set.pages)
    return {kind: n for kind, n in counts.most_common() if n >= MIN_PAGES}


def types_table(
    data_set: DataSet, labels: list[str], scores: Scores, card: ModelCard
) -> Table:
    columns = [(data_set.name, *each) for each in types_of(data_set).items()]
    header = ["", *(f"{kind} ({pages})" for _, kind, pages in columns)]
    name = f"evaluation-peers-{data_set.name}"
    table = Table(f"word F1, {data_set.name}", header, name=name)
    return filled(table, columns, labels, scores, card)


def snippets_table(data_set: DataSet, labels: list[str], scores: Scores) -> Table:
    """Shares of the snippets that are taken and left out as they should be."""
    header = [f"{len(data_set.pages)} pages", *SNIPPETS]
    name = f"evaluation-peers-{data_set.name}"
    table = Table(f"snippets, {data_set.name}", header, name=name)
    card = learned_card()
    if card.snippets and card.has_seen(data_set.name):
        table.rows.append([CROSS_VALIDATED, *card.snippets])
    for label in labels:
        found = scores[data_set.name, ALL, label]
        cells = [fmean(each.get(m, 0.0) for each in found) for m in SNIPPETS.values()]
        table.rows.append([label, *cells])
    return table


def structure_table(data_set: DataSet, labels: list[str], scores: Scores) -> Table:
    """Shares of the tables, code, lists and headings that come out whole.

    The default is measured with the shipped model, also where it has seen the pages.
    """
    header = [f"{len(data_set.pages)} pages", *STRUCTURE_HEADS.values()]
    name = f"evaluation-peers-{data_set.name}-structure"
    table = Table(f"structure, {data_set.name}", header, name=name)
    for label in labels:
        found = scores[data_set.name, ALL, label]
        total: Counter[str] = Counter()
        for each in found:
            total.update(each)
        shares = [
            total[name] / total[share.of] if total[share.of] else ""
            for name, share in STRUCTURE.items()
        ]
        table.rows.append([label, fmean(each["f1"] for each in found), *shares])
    return table


def versions_table(extractors: list[PublicExtractor], failed: dict[str, int]) -> Table:
    """Versions, settings and failures."""
    header = [f"measured {date.today()}", "version", "settings", "failed"]
    table = Table("extractors", header, name="evaluation-peers-versions")
    for each in extractors:
        row = [each.label, each.version, each.settings, failed[each.label]]
        table.rows.append(row)
    for each in PUBLIC:
        if each.version is None:
            said = f"NOT INSTALLED: pip install {each.package}"
            table.rows.append([each.label, "", said, 0])
    return table
