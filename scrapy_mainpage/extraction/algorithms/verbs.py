"""Which words are verbs, where a language has a list of them."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files


@cache
def english_verbs() -> frozenset[bytes]:
    """The inflected forms of English verbs, in lower case."""
    models = files("scrapy_mainpage.extraction") / "weights"
    data = models.joinpath("english_verbs.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).split())


def verbs_of(language: str | None) -> frozenset[bytes] | None:
    """The verb forms of *language* (a BCP 47 tag); ``None`` where there is no list."""
    is_english = language is not None and language.split("-")[0] == "en"
    return english_verbs() if is_english else None
