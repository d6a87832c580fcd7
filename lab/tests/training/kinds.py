"""Labelled pages with regular layouts, for the tests of the training."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.training.training_pages import TrainingPage
from tests.evaluation.sets import FOOTER, MENU, sentences, write_set
from tests.extraction.helpers import document_of

Rows = npt.NDArray[np.float32]

SITES, PAGES_A_SITE = 8, 5


def article(topic: str) -> tuple[str, str]:
    """A page of a magazine and its main content."""
    aside = f"<aside><p>{sentences('other things', 3)}</p></aside>"
    html = (
        f"<title>On {topic}</title>{MENU}<article><h1>On {topic}</h1>"
        f"<p>{sentences(topic, 5)}</p><p>{sentences(topic, 3)}</p></article>{aside}"
    )
    return (
        html + FOOTER,
        f"On {topic}\n\n{sentences(topic, 5)}\n\n{sentences(topic, 3)}",
    )


def thread(topic: str) -> tuple[str, str]:
    """A page of a forum and its main content: all posts."""
    posts = [f"Post {k} says: {sentences(topic, 2)}" for k in range(4)]
    rows = "".join(
        f"<div class=post><span class=author>User {k}</span><div>{post}</div></div>"
        for k, post in enumerate(posts)
    )
    return f"<title>{topic}</title>{MENU}<h2>{topic}</h2>{rows}{FOOTER}", "\n\n".join(
        posts
    )


def write_kinds(folder: Path, noise: bool = True) -> Path:
    """A set of 40 pages of two kinds of sites; with *noise* every seventh gold is cut
    after its first sentence.
    """
    labels, html = [], {}
    for k in range(SITES * PAGES_A_SITE):
        site, topic = k % SITES, f"topic{k}"
        kind = ("article", "forum")[site % 2]
        html[f"p{k}"], text = (article if kind == "article" else thread)(topic)
        labels.append(
            {
                "id": f"p{k}",
                "url": f"https://www.site{site}.example/{topic}",
                "type": kind,
                "text": text.split(". ")[0] if noise and k % 7 == 6 else text,
            }
        )
    return write_set(folder, labels, **html)


def page_of(
    rows: Rows, main: npt.NDArray[np.bool_], site: str = "a", **more: Any
) -> TrainingPage:
    """A page with one word per block, or those of *tokens*."""
    n = len(rows)
    tokens = more.get("tokens", [Counter(["word"])] * n)
    html = "".join(f"<p>{' '.join(own.elements())}" for own in tokens)
    values = {
        "set_name": "set",
        "type": "",
        "site": site,
        "rows": rows,
        "main": main,
        "tokens": tokens,
        "gold": Counter({"word": int(main.sum())}),
        "probability": np.full(n, 0.5),
        "document": document_of(html),
    }
    return TrainingPage(**(values | more))
