"""``python -m lab.training MODEL DATA --output DIR``: train a shipped model.

``MODEL`` is ``learned``, ``text-block-context``, ``roles``, ``fields``, ``posts``,
``entries`` or ``products``;
``DATA`` is a folder of sets of labelled pages. ``make models`` trains all of them into
the package.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.benchmarks.metadata import labelled_pages
from lab.evaluation.run import sample
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    SEGMENTATIONS,
)

from . import (
    entries,
    fields,
    known_blocks,
    learned,
    posts,
    products,
    roles,
    text_block_context,
)

TEXTS = "multilingual-article,multilingual-forum,multilingual-news,wcxb-dev,world-news"
OTHERS = "documentation,multilingual-segments"
SETS = {
    "learned": f"{OTHERS},{TEXTS},listings,recipes,zoo-train",
    "text-block-context": TEXTS,
    "roles": f"{OTHERS},{TEXTS}",
    "entries": f"listings,{TEXTS}",
    "fields": "multilingual-article,multilingual-forum,multilingual-segments,wcxb-dev",
    "posts": "wcxb-dev",
    "products": f"{OTHERS},{TEXTS}",
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
    if options.model == "entries":
        print(entries.train(options.data, options.output, options.folds))
        return
    names = (options.sets or SETS[options.model]).split(",")
    known = [name for name in names if name in known_blocks.SETS]
    sets = load_sets(options.data, ",".join(n for n in names if n not in known))
    if options.limit:
        sets = [sample(data_set, options.limit) for data_set in sets]
    output, folds, licence = options.output, options.folds, options.licence
    if options.model == "learned":
        more = [*known_blocks.read_known(options.data, known, options.limit)]
        print(learned.train(sets, more, output, folds, licence))
    elif options.model == "text-block-context":
        for segmentation in SEGMENTATIONS:
            print(text_block_context.train(sets, segmentation, output, folds, licence))
    elif options.model == "products":
        print(products.train(sets, output, folds))
    elif options.model == "posts":
        print(posts.train(options.data, output))
    elif options.model == "fields":
        read_pages = [*labelled_pages(options.data)]
        print(fields.train(sets, options.data, read_pages, output, folds))
    else:
        read, *measured = [FOLDER / f"{name}.jsonl" for name in ("read", *MEASURED)]
        roles.train(sets, [read], measured, output)


if __name__ == "__main__":
    main()
