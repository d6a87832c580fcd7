"""From HTML to content with all blocks as main content, or those a test names."""

from __future__ import annotations

import numpy as np

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.extraction.result import Extraction
from scrapy_mainpage.extraction.title_rule import TitleFinder
from tests.extraction.helpers import block_texts

URL = "https://example.com/blog/post.html"


def content_of(
    html: str, url: str | None = URL, boilerplate: tuple[str, ...] = ()
) -> Extraction:
    """The content of *html*; blocks with a text in *boilerplate* are not main."""
    document = read_tree(parse_html(html))
    texts = block_texts(document)
    main = np.array([text not in boilerplate for text in texts], bool)
    scores = main.astype(np.float32)
    title = TitleFinder(document).find_block(main)
    return Extraction(document, url, scores, main, title)


def markdown(html: str, boilerplate: tuple[str, ...] = ()) -> str:
    """The Markdown of :func:`content_of`."""
    return content_of(html, boilerplate=boilerplate).markdown()


def squeezed(text: str) -> str:
    """The text with its blanks normalised."""
    return " ".join(text.split())
