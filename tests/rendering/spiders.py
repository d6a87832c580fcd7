"""Spiders and components of the rendered crawls."""

from __future__ import annotations

from typing import Any

import scrapy
from scrapy.downloadermiddlewares import cookies
from tldextract import TLDExtract

from scrapy_mainpage.crawl import rendered_requests

# Use the bundled list of public suffixes: tests must not download a newer one.
cookies._split_domain = TLDExtract(
    include_psl_private_domains=True, suffix_list_urls=(), cache_dir=None
)


class VisitSpider(scrapy.Spider):
    """Visits pages and, with ``follow``, all links of their main content.

    ``visits`` are paths, or pairs of a path and the arguments of its request. With
    ``in_turn`` each is visited after the answer to the one before. ``max_size`` is the
    limit of rendered pages.
    """

    name = "visit"
    handle_httpstatus_list = (404, 500)

    def __init__(
        self,
        site: str,
        visits: list[Any],
        follow: bool = False,
        in_turn: bool = False,
        max_size: int = rendered_requests.MAX_SIZE,
    ):
        super().__init__()
        rendered_requests.MAX_SIZE = max_size  # type: ignore[misc]
        self.site, self.follow, self.in_turn = site, follow, in_turn
        self.visits = [one if isinstance(one, list) else [one, {}] for one in visits]

    async def start(self) -> Any:
        for request in self.requests(self.visits[:1] if self.in_turn else self.visits):
            yield request

    def requests(self, visits: list[Any]) -> Any:
        for path, options in visits:
            yield scrapy.Request(self.site + path, **options)

    def parse(self, response: scrapy.http.Response) -> Any:
        if (page := response.meta.get("mainpage")) is None:
            return
        yield {
            "url": response.url.removeprefix(self.site),
            "status": response.status,
            "text": page.text,
            "rendered": page.rendered,
            "reason": page.render_reason,
            "warnings": list(page.warnings),
            "boxes": sum(block.box is not None for block in page.blocks),
            "redirects": [
                url.removeprefix(self.site)
                for url in response.meta.get("redirect_urls", [])
            ],
        }
        if self.follow:
            layout = {"mainpage_layout": response.meta.get("mainpage_layout", False)}
            yield from response.follow_all(css="main a", meta=layout)
        if self.in_turn:
            del self.visits[:1]
            yield from self.requests(self.visits[:1])
