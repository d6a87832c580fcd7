"""``python -m lab.training MODEL DATA --output DIR``: train a shipped model.

``MODEL`` is ``learned``, ``text-block-context``, ``roles`` or ``fields``; ``DATA`` is a
folder of sets of labelled pages. ``make models`` trains all of them into the package.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.benchmarks.metadata import judge, labelled_pages
from lab.evaluation.run import sample
from scrapy_mainpage.evaluation.datasets import load_sets, site_of

from . import fields, learned, roles, text_block_context

TEXTS = "multilingual-article,multilingual-forum,multilingual-news,wcxb-dev,world-news"
SETS = {
    "learned": f"documentation,multilingual-segments,{TEXTS},zoo-train",
    "text-block-context": TEXTS,
    "roles": None,  # all: the labels name the pages
    "fields": TEXTS.removesuffix(",world-news") + ",multilingual-segments",
}
"""The sets of the data that each shipped model is trained on."""

FOLDER = Path(__file__).parent / "labelled"
"""Labels of text blocks, see :mod:`lab.training.roles`."""

MEASURED = ("tuned", "held-out", "rare")
"""The files of it whose blocks ``make benchmark ARGS=labels`` measures."""


def main(args: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.training", description=__doc__)
    parser.add_argument("model", choices=SETS)
    parser.add_argument("data", type=Path, help="folder of sets of labelled pages")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=8, help="of the cross-validation")
    parser.add_argument("--licence", default="not stated", help="of the data")
    parser.add_argument("--sets", help="others than those of the shipped model")
    parser.add_argument("--limit", type=int, help="pages of each set, for a trial")
    options = parser.parse_args(args)
    sets = load_sets(options.data, options.sets or SETS[options.model])
    if options.limit:
        sets = [sample(data_set, options.limit) for data_set in sets]
    output, folds, licence = options.output, options.folds, options.licence
    if options.model == "learned":
        print(learned.train(sets, output, folds, licence))
    elif options.model == "text-block-context":
        for segmentation in ("boilerpipe", "paper"):
            print(text_block_context.train(sets, segmentation, output, folds, licence))
    elif options.model == "fields":
        labelled = [*labelled_pages(options.data)]
        hosts = {site_of(row["url"] or "") for _, row, _ in labelled} - {""}
        print(fields.train(sets, frozenset(hosts), output))
        shares = fields.source_shares(fields.judged_values(labelled, judge))
        fields.add_sources(shares, output)
    else:
        read, *measured = [FOLDER / f"{name}.jsonl" for name in ("read", *MEASURED)]
        roles.train(sets, [read], measured, output)


if __name__ == "__main__":
    main()
