"""Golden features: the features of the learned default on some pages of the corpus.

They are recorded with the corpus, by ``make golden``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import compute_features

from .corpus import golden_pages

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD = Path(__file__).with_name("features.json")
PAGES_OF_CORPUS = (
    "site-index.html",
    "site-docs-commands.html",
    "site-shop-storm-lantern.html",
    "site-zh-yanchang.html",
    "mkdocs-material-pitfalls.html",
)


def many(count: int, part: Callable[[int], str]) -> str:
    """A page of *count* parts by their number, each on a line of its own."""
    return "\n".join(map(part, range(count)))


FAR = "<p>x" * 400 + f"<article>{'<p>' + 'word ' * 20}</article>" + "<p>y" * 400
TYPES = ("Product", "ItemList", "QAPage", "Recipe", "Article", "Service")
MARKUP = """
<meta property=og:type content=article><header>Owls</header><aside>More</aside>
<table><tr><th>Owl<td><time>1 May</time></table><dl><dt>Owl<dd>A bird …</dl>
<dialog>Cookies</dialog><noscript>Script</noscript><p hidden>unseen</p>
<figure><img><figcaption>An owl</figcaption></figure><blockquote>Glue.</blockquote>
<a href=x>a link</a><p>a</p><span>a span</span><p>b</p><button>Buy</button><p>c</p>
<section>a section<div><h3><a href=x>Read on</a></h3><p>d</div></section>
<h4>Note:</h4><p>e <img></p><li><span>f<p>g</p>h</span><a href=x>i<p>j</p>k</a>
<footer>© Owls</footer>
"""
# Beyond the limits of distances, lengths and counts; and rare elements.
OTHER_PAGES = {
    "far": f"<title>Owls</title>{FAR}<h1>Owls</h1>{FAR}",
    "classes": many(900, lambda k: f"<p class='t{'abcdef'[k % 6] * (k % 50)}'>a {k}"),
    "texts": many(600, lambda k: f"<div class='{'xyz'[k % 3]}'><p>{k * 'a'}</div>"),
    "links": many(700, lambda k: f"<li><a href=x>{'ab'[k % 2] * (k % 40)} c</a>"),
    # Containers that repeat, as many as features look up to.
    "nested": many(
        4,
        lambda k: (
            "<div>" * 9
            + "".join(f"<p>{'w ' * 9 * (k + up)}{k}{up}</p></div>" for up in range(9))
        ),
    ),
    "rows": many(300, lambda k: f"<tr><td>{'w ' * (k % 30)}<td>{k}<td>."),
    "areas": many(60, lambda k: f"<p>{'w ' * 30}</p>" + "<a href=z></a>\n" * (k % 45)),
    "depth": "<div>a" * 120,
    "markup": "".join(
        f'<script type=application/ld+json>{{"@type": "{kind}"}}</script>'
        for kind in TYPES
    )
    + MARKUP,
}


def feature_pages() -> dict[str, str]:
    """The pages whose features are on record, by name."""
    corpus = golden_pages()
    return {name: corpus[name].decode() for name in PAGES_OF_CORPUS} | OTHER_PAGES


def feature_sums(html: str) -> dict[str, float]:
    """For each feature of a block one number of the page.

    A block's value counts by its place: values that change places are another sum.
    """
    document = document_of(html)
    place = 1 + np.arange(document.n_blocks) / document.n_blocks
    columns = compute_features(document)
    return {name: float(f"{column @ place:.5g}") for name, column in columns.items()}


def write() -> None:
    """Record the features anew."""
    lines = (
        f"{json.dumps(name)}: {json.dumps(feature_sums(html))}"
        for name, html in feature_pages().items()
    )
    RECORD.write_text("{{{}}}\n".format(",\n".join(lines)), "utf-8")


if __name__ == "__main__":
    write()
