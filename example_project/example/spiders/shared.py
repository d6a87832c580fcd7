"""A spider that reads a whole site together with others: one crawl, many workers."""

from __future__ import annotations

import os
import socket
from typing import Any

from example.spiders.site import SiteSpider


class SharedSpider(SiteSpider):
    """The spider ``site`` for as many workers as you like, on one machine or on many.

    Start each with the same command, at any time::

        scrapy crawl shared -a url=https://example.com/docs/

    They share a queue in Redis and, with ``MAINPAGE_STATE = "postgresql://..."``, the
    memory of pages and texts. One may be killed: the others crawl its pending
    requests. It needs: ``pip install "scrapy-mainpage[shared,postgresql]"``.
    """

    name = "shared"
    custom_settings = {
        # The prefix is the name of the crawl: another one begins a new crawl.
        "MAINPAGE_SHARED": "redis://localhost:6379/0?prefix=example",
        # Which of several copies is kept does not depend on who was first.
        "MAINPAGE_DUPLICATES_KEEP": "canonical",
        # Every worker writes its own file.
        "FEEDS": {"items-%(worker)s.jsonl": {"format": "jsonlines"}},
    }

    def __init__(self, url: str | None = None, **kwargs: Any):
        super().__init__(url, **kwargs)
        self.mainpage_scope = f"shared {url}"  # one for all workers
        self.worker = f"{socket.gethostname()}-{os.getpid()}"
