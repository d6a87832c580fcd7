"""A small site that changes between crawls, and the crawls of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path
from typing import Any

import scrapy
from scrapy.linkextractors import LinkExtractor

from scrapy_mainpage.indexes import open_index
from tests import crawling
from tests.mockserver import Reply, article, html
from tests.waiting import Gate


@dataclass
class Site:
    """Articles by path, all linked from "/"; ``replies`` answer in place of them.

    Those of ``untagged`` have no ``ETag``.

    ``asked`` are the requests of the last crawl: path and status of the answer. They
    are answered as ``gate`` lets them through.
    """

    topics: dict[str, str] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    unlinked: set[str] = field(default_factory=set)
    untagged: set[str] = field(default_factory=set)
    asked: list[tuple[str, int]] = field(default_factory=list)
    url: str = ""
    gate: Gate = field(default_factory=Gate)

    def answer(self, path: str, etag: str | None) -> Reply:
        reply = self.replies.get(path) or self._page(path)
        tag = f'"{sha1(reply.body).hexdigest()[:12]}"'
        if reply.status == 200 and path not in self.untagged:
            reply = Reply(reply.body, 200, {**reply.headers, "ETag": tag})
            if etag == tag:
                reply = Reply(b"", 304, reply.headers)
        self.asked.append((path, reply.status))
        self.gate.enter()
        return reply

    def _page(self, path: str) -> Reply:
        if path == "/":
            linked = [p for p in self.topics if p not in self.unlinked]
            links = "".join(f'<p><a href="{p}">{p}</a></p>' for p in linked)
            return html(f"<html><body><main>{links}</main></body></html>")
        if path not in self.topics:
            return Reply(b"not here", 404)
        text = article(self.topics[path])
        return html(text.replace("</head>", f"{self.heads.get(path, '')}</head>"))

    def statuses(self, path: str) -> list[int]:
        return [status for asked, status in self.asked if asked == path]


def make_site(count: int = 12) -> Site:
    return Site({f"/page{n}": f"subject number {n}" for n in range(count)})


class ArticleSpider(scrapy.Spider):
    """Follows every link; an item for each page but the first."""

    name = "articles"

    def __init__(self, url: str):
        super().__init__(start_urls=[f"{url}/"], allowed_domains=["127.0.0.1"])
        self.links = LinkExtractor(restrict_css="main")

    def parse(self, response: scrapy.http.Response) -> Any:
        if not response.url.endswith("/"):
            yield {"url": response.url}
        for link in self.links.extract_links(response):
            yield response.follow(link)


@dataclass
class Crawls:
    """Crawls of the site, one after another, with one state and one index."""

    site: Site
    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def index(self) -> str:
        return f"sqlite:///{self.folder / 'site.db'}"

    def all_settings(self, **settings: Any) -> dict[str, Any]:
        return {
            "MAINPAGE_INDEX": self.index,
            "MAINPAGE_STATE": str(self.folder / "state.db"),
            "MAINPAGE_SWEEP": "delete",
            "MAINPAGE_SWEEP_SHARE": 0.5,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "RETRY_TIMES": 0,
            **self.settings,
            **settings,
        }

    #: How the crawl is run: see :func:`tests.crawling.main`.
    process: str = "async"

    def start(
        self,
        spider: type = ArticleSpider,
        folder: Path | None = None,
        **settings: Any,
    ) -> Any:
        name = f"{spider.__module__}.{spider.__name__}"
        self.site.asked.clear()
        values = self.all_settings(**settings)
        how = {"process": self.process, "url": self.site.url}
        return crawling.start(name, folder or self.folder, values, **how)

    def crawl(self, spider: type = ArticleSpider, **settings: Any) -> crawling.Crawl:
        found = crawling.finish(self.start(spider, **settings), self.folder)
        assert "Traceback" not in found.log, found.log
        return found

    def indexed(self) -> list[str]:
        """The paths of the indexed pages."""
        with open_index(self.index, read_only=True) as index:
            return sorted(url.removeprefix(self.site.url) for url in index.urls())

    def search(self, query: str) -> list[str]:
        with open_index(self.index, read_only=True) as index:
            return [hit.url.removeprefix(self.site.url) for hit in index.search(query)]
