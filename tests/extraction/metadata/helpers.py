"""Heads and bodies of pages, and the metadata read from them."""

from __future__ import annotations

import json
from typing import Any

from scrapy_mainpage.page import Metadata
from tests.extraction.helpers import metadata_of

URL = "https://www.gardenpost.example/2021/moss"


def read(head: str = "", body: str = "", url: str | None = URL) -> Metadata:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return metadata_of(html, url)


def script(data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<script type="application/ld+json">{text}</script>'


def meta(**values: str) -> str:
    return "".join(
        f'<meta name="{name}" content="{text}">' for name, text in values.items()
    )


def og(name: str, text: str) -> str:
    return f'<meta property="{name}" content="{text}">'
