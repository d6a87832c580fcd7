"""What a worker is asked to do, and what it answers: plain data on both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pickle import PickleBuffer
from typing import TYPE_CHECKING, Any

from ..extraction.parsing.limits import Limits

if TYPE_CHECKING:
    from scrapy.http import HtmlResponse

    from ..extraction.document.layout import Layout
    from ..page import Page
    from ..rendering.detection.need import Judgement


@dataclass(frozen=True)
class Setup:
    """What a worker's extractor is made of; ``limit`` is in seconds for a page.

    ``attributes`` are those of pages that are made as well, as somebody will ask.
    """

    algorithm: str
    options: Mapping[str, Any]
    structured_data: bool
    limit: float
    attributes: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Task:
    """A response to extract, with what its tree is made of and no more.

    ``encoding`` is what the response was told, not what it would find out, as that can
    take long. ``judging``: whether the static page needs a browser is asked, too.
    """

    url: str
    content_type: bytes | None
    encoding: str | None
    body: PickleBuffer
    layout: Layout | None = None
    judging: bool = False

    @classmethod
    def of(
        cls, response: HtmlResponse, layout: Layout | None, *, judging: bool
    ) -> Task:
        """Make the task of a response."""
        return cls(
            response.url,
            response.headers.get(b"Content-Type"),
            response._encoding,
            PickleBuffer(response.body),
            layout,
            judging,
        )

    def response(self) -> HtmlResponse:
        """Make the response whose tree is that of the response of the crawl."""
        from scrapy.http import HtmlResponse

        from ..crawl.pages import keep_layout

        said = {} if self.content_type is None else {b"Content-Type": self.content_type}
        response = HtmlResponse(
            self.url, headers=said, body=bytes(self.body), encoding=self.encoding
        )
        if self.layout is not None:
            keep_layout(response, self.layout)
        return response


@dataclass(frozen=True)
class Failure:
    """An error of the type *name*; *details* are its traceback."""

    name: str
    details: str


@dataclass(frozen=True)
class Answer:
    """A page, or why there is none; ``seconds`` is what the worker took.

    ``made`` are attributes that were made, ``judgement`` is what ``judging`` asks for.
    """

    page: Page | Failure
    made: Mapping[str, Any] = field(default_factory=dict)
    judgement: Judgement | Failure | None = None
    seconds: float = 0.0
