"""Training of the model of boilerplate roles, on text blocks labelled by reading.

A file of labels (``lab/training/labelled``) has a line for each block, or for each
page, whose ``labels`` are those of its blocks in order: ``navigation*15`` for fifteen,
``*`` for one without a label. A page whose blocks have changed since is left out: its
``text`` is the begin of their SHA-256. On a page of each site that is not measured, the
model is also trained on its own guesses, where it is sure of them, and on small made-up
pages.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.gold import element_blocks, gold_blocks
from lab.training.boosting import site_folds
from scrapy_mainpage.evaluation.datasets import LabelledPage, read_document
from scrapy_mainpage.extraction.algorithms import DEFAULT_ALGORITHM, get_algorithm
from scrapy_mainpage.extraction.labels import CODE, LABELS
from scrapy_mainpage.extraction.labels.labelling import ROLES, LabelEvidence
from scrapy_mainpage.extraction.learned.page_types import FORUM
from scrapy_mainpage.extraction.title_rule import TitleFinder
from scrapy_mainpage.label import Label

from .role_model import (
    COLUMNS,
    RoleWeights,
    cross_fit,
    fit_trees,
    read_slots,
    save_words,
)
from .small_pages import keep_parts, make_plain_page, remove_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from scrapy_mainpage.evaluation.datasets import DataSet
    from scrapy_mainpage.extraction.document.document import Document

    Key = tuple[str, str]
    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.intp]
    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]
    Slots = npt.NDArray[np.int32]

FOLDS: Final = 3
WORD_FOLDS: Final = 4
"""Of sites: the words of a block are weighed by what the blocks of other folds say."""

MAX_LIKE_BLOCKS: Final = 2
"""Blocks of one parent, tag and role that are drawn: a list is one case."""

PARTS: Final = 2
"""Times that each page is cut to a few of its parts."""

PART_WEIGHT: Final = 0.4
NAMELESS_WEIGHT: Final = 0.2
"""Of the blocks of partial pages, and of those without names of elements."""

GUESS_WEIGHT: Final = 0.6
MIN_GUESS_MARGIN: Final = 0.6
"""Of the blocks of pages that nobody labelled: the model's own first guess, if sure."""

PLAIN_PAGES: Final = 1_500
PLAIN_WEIGHT: Final = 0.05
"""Made-up pages with few parts, and their weight as a share of that of all others."""


@dataclass
class Sample:
    """Blocks drawn from a page or a part of it: their features, roles, and weights.

    The features of words are made from the *slots* of the words, given their weights.
    """

    site: str
    rows: Rows
    slots: Slots
    roles: Ints
    weights: Floats
    is_whole: bool = True


def site_name(page: LabelledPage) -> str:
    """The page's site, by its name in the set if it has no address."""
    return page.site or page.id.rpartition("-")[0]


def read_labels(files: Iterable[Path]) -> dict[Key, dict[int, Label]]:
    """The labels of blocks by set and page, from lines of blocks and of pages."""
    found: dict[Key, dict[int, Label]] = defaultdict(dict)
    for file in files:
        for row in map(json.loads, file.read_text().splitlines()):
            own = found[row["set"], row["page"]]
            if "labels" in row:
                own.update(_read_runs(row["labels"]))
            else:
                own[row["block"]] = Label(row["label"])
    return found


def _read_runs(labels: str) -> Iterator[tuple[int, Label]]:
    """The labelled blocks of a page and their labels."""
    first = 0
    for run in labels.split():
        name, _, number = run.partition("*")
        after = first + int(number or 1)
        for block in range(first, after) if name else ():
            yield block, Label(name)
        first = after


def find_changed(
    files: Iterable[Path], pages: Mapping[Key, LabelledPage]
) -> Iterator[Key]:
    """The labelled pages whose text blocks are not those that were labelled."""
    for file in files:
        for row in map(json.loads, file.read_text().splitlines()):
            key = row["set"], row["page"]
            if "labels" in row and key in pages:
                document = read_document(pages[key].html())
                texts = map(document.block_text, range(document.n_blocks))
                found = sha256("\n".join(texts).encode()).hexdigest()
                if not found.startswith(row["text"]):
                    yield key


def main_masks(page: LabelledPage, document: Document) -> tuple[Mask, Mask]:
    """The blocks of main content by the set, if it tells them, and by the default."""
    predicted = np.array(get_algorithm(DEFAULT_ALGORITHM).judge(document).main)
    if page.content:
        return np.array(element_blocks(page.html(), page.content, page.drop)), predicted
    if page.text is not None:
        return np.array(gold_blocks(document, page.text)), predicted
    return predicted.copy(), predicted


def read_evidence(document: Document, main: Mask) -> LabelEvidence:
    """The evidence of a page for the labels, given its main content."""
    return LabelEvidence(document, main, TitleFinder(document).find_block(main))


def read_samples(
    set_name: str, page: LabelledPage, labels: dict[int, Label]
) -> list[Sample]:
    """The labelled blocks of *page*, with the true main content and the predicted.

    The same again without names of elements, and of parts of the page.
    """
    html = page.html()
    document = read_document(html)
    main, predicted = main_masks(page, document)
    for block, label in labels.items():
        main[block] = label.is_main
    name, forum = set_name + page.id, FORUM in (page.type, set_name.rpartition("-")[2])

    def read(
        document: Document,
        main: Mask,
        own: dict[int, Label],
        weight: float,
        *,
        is_whole: bool = False,
    ) -> Sample:
        at = np.array([b for b, label in own.items() if not label.is_main], np.int32)
        roles = np.array([ROLES.index(CODE[own[b]]) for b in at.tolist()], np.intp)
        at, roles, weights = _draw(document, at, roles, name)
        evidence = read_evidence(document, main)
        is_forum = forum and evidence.may_have_comments
        rows = evidence.features(at, forum=is_forum).T
        slots = read_slots(document)[at]
        return Sample(site_name(page), rows, slots, roles, weights * weight, is_whole)

    samples = [
        read(document, mask, labels, 0.5, is_whole=True) for mask in (main, predicted)
    ]
    nameless = remove_names(html)
    if nameless.n_blocks == document.n_blocks:
        samples.append(read(nameless, main, labels, NAMELESS_WEIGHT))
    draw = np.random.RandomState(sum(name.encode()))
    for _ in range(PARTS):
        if part := keep_parts(html, main, labels, draw):
            partial, kept = part
            own = {k: labels[b] for k, b in enumerate(kept.tolist()) if b in labels}
            samples.append(read(partial, main[kept], own, PART_WEIGHT))
    return samples


def _draw(
    document: Any, at: npt.NDArray[np.int32], roles: Ints, seed: str
) -> tuple[npt.NDArray[np.int32], Ints, Floats]:
    """At most some blocks of one parent, tag and role, and the weights of those.

    The blocks of a role on a page weigh the root of their number together.
    """
    elements, element = document.elements, document.blocks.element[at]
    draw = np.random.RandomState(sum(seed.encode()))
    order = draw.permutation(len(at))
    seen: dict[tuple[int, int, int], int] = defaultdict(int)
    keys = list(
        zip(
            elements.parent[element].tolist(),
            elements.tag[element].tolist(),
            roles.tolist(),
            strict=True,
        )
    )
    drawn = []
    for k in order.tolist():
        seen[keys[k]] += 1
        if seen[keys[k]] <= MAX_LIKE_BLOCKS:
            drawn.append(k)
    chosen = np.array(sorted(drawn), np.intp)
    number = np.bincount(roles, minlength=len(ROLES))
    like = np.array([seen[keys[k]] for k in chosen.tolist()], np.float64)
    weights = np.maximum(like / MAX_LIKE_BLOCKS, 1)
    return at[chosen], roles[chosen], weights / np.sqrt(number[roles[chosen]])


def make_samples(weight: float) -> list[Sample]:
    """The blocks of made-up pages, which have the *weight* together."""
    draw, samples = np.random.RandomState(PLAIN_PAGES), []
    for _ in range(PLAIN_PAGES):
        document, labels = make_plain_page(draw)
        main = np.array([label.is_main for label in labels])
        at = np.flatnonzero(~main).astype(np.int32)
        rows = read_evidence(document, main).features(at, forum=False).T
        roles = np.array([ROLES.index(CODE[labels[k]]) for k in at.tolist()], np.intp)
        slots = read_slots(document)[at]
        samples.append(Sample("plain", rows, slots, roles, np.ones(len(at)), False))
    total = sum(len(sample.weights) for sample in samples)
    return [replace(s, weights=s.weights * (weight / total)) for s in samples]


def fit(samples: Sequence[Sample]) -> RoleWeights:
    """A model of all *samples*."""
    fold_of = site_folds([sample.site for sample in samples], WORD_FOLDS)
    words, table = cross_fit(
        [sample.slots for sample in samples],
        [sample.roles for sample in samples],
        [sample.weights for sample in samples],
        fold_of,
        # Parts of pages and made-up pages have no words of their own.
        [sample.is_whole for sample in samples],
    )
    for sample, own in zip(samples, words, strict=True):
        sample.rows[:, COLUMNS] = own
    trees = fit_trees(
        np.concatenate([sample.rows for sample in samples]),
        np.concatenate([sample.roles for sample in samples]),
        np.concatenate([sample.weights for sample in samples]),
    )
    return RoleWeights(table, trees)


def cross_validate(samples: Sequence[Sample]) -> Floats:
    """Weights by true and given role, for sites that a model never saw."""
    fold_of = site_folds([sample.site for sample in samples], FOLDS)
    pairs = np.zeros((len(ROLES), len(ROLES)))
    for fold in range(FOLDS):
        model = fit([s for s, k in zip(samples, fold_of, strict=True) if k != fold])
        for sample, own in zip(samples, fold_of, strict=True):
            if own != fold or not sample.is_whole:
                continue
            given = model.predict(sample.rows, sample.slots).argmax(axis=0)
            np.add.at(pairs, (sample.roles, given), sample.weights)
    return pairs


def guess_labels(model: RoleWeights, page: LabelledPage) -> dict[int, Label]:
    """The roles that *model* is sure of, of the blocks that are not main content."""
    document = read_document(page.html())
    main, predicted = main_masks(page, document)
    rest = np.flatnonzero(~(main | predicted)).astype(np.int32)
    rows = read_evidence(document, main).features(rest, forum=False).T
    found = model.predict(rows, read_slots(document)[rest])
    second, first = np.sort(found, axis=0)[-2:]
    best = found.argmax(axis=0)
    sure = np.flatnonzero(first - second >= MIN_GUESS_MARGIN)
    return {int(rest[k]): LABELS[ROLES[best[k]]] for k in sure.tolist()}


def read_guesses(
    model: RoleWeights,
    pages: Iterable[tuple[Key, LabelledPage]],
    known: dict[Key, dict[int, Label]],
) -> Iterator[Sample]:
    """The roles that *model* is sure of, of blocks of *pages* without a known label."""
    for key, page in pages:
        own = known.get(key, {})
        guesses = guess_labels(model, page).items()
        new = {block: label for block, label in guesses if block not in own}
        sample, *_ = read_samples(key[0], page, new)
        yield replace(sample, weights=sample.weights * GUESS_WEIGHT)


def train(
    sets: list[DataSet], labels: list[Path], measured: list[Path], output: Path
) -> None:
    """Write ``roles.npz`` and ``role_words.npz`` into the folder *output*.

    *labels* and *measured* are files of labels; no guess is made on a site of the
    latter. Prints the cross-validation by site.
    """
    output.mkdir(parents=True, exist_ok=True)  # before the work, which is long
    pages = {(each.name, page.id): page for each in sets for page in each.pages}
    known = read_labels(labels)
    for key in find_changed(labels, pages):
        print("left out, as its blocks have changed:", *key)
        del known[key]
    samples = [
        sample
        for key in known
        if key in pages
        for sample in read_samples(key[0], pages[key], known[key])
    ]
    print_scores(cross_validate(samples))
    done = {site_name(pages[key]) for key in read_labels(measured) if key in pages}
    more = {site_name(pages[key]): key for key in [*pages, *known] if key in pages}
    chosen = [(key, pages[key]) for site, key in more.items() if site not in done]
    samples += read_guesses(fit(samples), chosen, known)
    weight = float(sum(sample.weights.sum() for sample in samples))
    samples += make_samples(PLAIN_WEIGHT * weight)
    model = fit(samples)
    np.savez_compressed(output / "roles.npz", **asdict(model.trees))
    save_words(model.words, output / "role_words.npz")


def print_scores(pairs: Floats) -> None:
    """The F of each role and of all, from weights by true and given role."""
    right = np.diag(pairs)
    score = 2 * right / np.maximum(pairs.sum(axis=0) + pairs.sum(axis=1), 1e-9)
    for code, f, n in zip(ROLES, score, pairs.sum(axis=1), strict=True):
        print(f"{LABELS[code]:15} F {f:.3f}  weight {n:.0f}")
    print(f"accuracy {right.sum() / pairs.sum():.3f}, mean F {score.mean():.3f}")
