"""The steps of an extraction one by one, as they follow each other in the package.

All that knows how the package goes from a response to a page stands here: who moves a
step moves it here, too.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scrapy.http import HtmlResponse
from scrapy_mainpage.extraction.learned._selection import scores_of

from scrapy_mainpage.crawl.pages import make_page, over_limits
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.embedded import complete
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.learned.features._features import compute
from scrapy_mainpage.extraction.learned.forest import SAME_TEXT
from scrapy_mainpage.extraction.learned.learned import Learned, load_forest
from scrapy_mainpage.extraction.output.text import write_text
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.page import Page

from .speedpages import SpeedPage

ALGORITHM = Learned()
#: Made once, as a crawl makes it.
EXTRACTOR = Extractor(ALGORITHM)


@dataclass
class Work:
    """What the steps hand on to each other."""

    response: HtmlResponse
    made: dict[str, Any] = field(default_factory=dict)


Step = Callable[[Work], object]


def begin(page: SpeedPage) -> Work:
    headers = {"Content-Type": "text/html"}
    return Work(HtmlResponse(page.url, headers=headers, body=page.body))


def decode(work: Work) -> None:
    """To text, as the response does."""
    assert work.response.text is not None


def parse(work: Work) -> None:
    """To a tree, as the response's selector does."""
    work.made["root"] = work.response.selector.root


def read_bytes(work: Work) -> None:
    """To UTF-8 within all limits, as bytes are read that no response holds."""
    work.made["fitted"] = EXTRACTOR.fitted(work.response.body)


def parse_bytes(work: Work) -> None:
    parse_html(work.made["fitted"].page)


def survey(work: Work) -> None:
    """Whether the page may be parsed at all: what a response is asked before."""
    over_limits(work.response, EXTRACTOR.limits)


def document(work: Work) -> None:
    work.made["document"] = read_tree(work.made["root"])


def features(work: Work) -> None:
    """All of them; an extraction hands them to the trees part by part."""
    work.made["matrix"] = compute(work.made["document"], load_forest(None).table)


def trees(work: Work) -> None:
    work.made["sums"] = load_forest(None).quick.predict(work.made["matrix"])


def choice(work: Work) -> None:
    made = work.made
    forest, document = load_forest(None), made["document"]
    flags = document.blocks.flags
    scores = scores_of(made["sums"], forest.slope, forest.offset, flags)
    copied = (made["matrix"][SAME_TEXT] > 1).view("uint8")
    made["verdict"] = ALGORITHM.judge_scores(document, scores, copied)


def text(work: Work) -> None:
    write_text(work.made["document"], work.made["verdict"].main)


def without_structured_data(work: Work) -> None:
    work.made["page"] = EXTRACTOR.extract_document(work.made["document"])


def structured_data(work: Work) -> None:
    complete(work.made["page"], work.made["root"], ALGORITHM)


def extract(work: Work) -> None:
    """All of it, from a response that was parsed to the text."""
    assert make_page(work.response, EXTRACTOR).text is not None


#: What comes before the extraction, and is the spider's as well.
BEFORE: dict[str, Step] = {"decode": decode, "parse": parse}

#: What is done instead where there is no response.
WITHOUT_RESPONSE: dict[str, Step] = {"decode": read_bytes, "parse": parse_bytes}

#: What every page costs.
STEPS: dict[str, Step] = {
    "survey": survey,
    "document": document,
    "features": features,
    "trees": trees,
    "choice of blocks": choice,
    "text": text,
    "structured data": structured_data,
}

#: What has to be there for a step, and is not part of it.
NEEDED: dict[str, Step] = {"structured data": without_structured_data}


def _labels(page: Page) -> object:
    return page._content.labels if page._content else None


#: What is made when it is asked for, each from a page of which nothing was.
ON_DEMAND: dict[str, Callable[[Page], object]] = {
    "page type": lambda page: page.page_type,
    "labels": _labels,
    "blocks": lambda page: page.blocks,
    "Markdown": lambda page: page.markdown,
    "HTML": lambda page: page.html,
    "sections": lambda page: page.sections,
    "comments": lambda page: page.comments,
    "links": lambda page: page.all_links,
    "media": lambda page: page.media,
    "metadata": lambda page: page.metadata,
    "pickle": pickle.dumps,
}


def untouched(work: Work) -> Page:
    """A page of which nothing was made yet that is made on demand."""
    return make_page(work.response, EXTRACTOR)
