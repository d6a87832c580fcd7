"""How large the indexes are that a batch of pages fills."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

from scrapy_mainpage.indexes import IndexDocument

from .indexes import ingest
from .indexplaces import places


def of_indexes(options: argparse.Namespace, documents: str) -> dict[str, int]:
    """The bytes of an index of each engine that can run here."""
    with Path(documents).open(encoding="utf-8") as lines:
        made = [IndexDocument.from_dict(json.loads(line)) for line in lines]
    sizes = {}
    with places(options) as there:
        for place in there.all():
            asyncio.run(ingest(place.url, made))
            size = place.size()
            if size is not None:
                sizes[place.engine] = size
    return sizes
