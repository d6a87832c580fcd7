"""A post alone on its page, found by the template that the site's threads have.

A question without an answer and the last page of a thread show one post, and nothing
repeats. What the posts of a site's other pages have in common is kept for a crawl.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from .fields import find_author
from .threads import NO_THREAD, Thread
from .view import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .spots import Spot
    from .view import View

    Key = tuple[str, str]

MAX_HOSTS: Final = 1000
MAX_TEMPLATES: Final = 8
"""Templates of a host: questions and answers, first posts and others."""

MAX_READ: Final = 50
"""Posts of a thread whose templates are read."""


class Template(NamedTuple):
    """Tag and classes of a post, and of what holds its text, date and author."""

    record: Key
    body: Key
    date: Key
    author: object


class PostTemplates:
    """The templates of posts that a crawl has seen, by host; those seen last."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, dict[Template, None]] = OrderedDict()

    def learn(self, host: str, view: View, thread: Thread, bodies: list[int]) -> None:
        """Keep the templates of the posts of a *thread*."""
        known = self._hosts.setdefault(host, {})
        self._hosts.move_to_end(host)
        known.update(dict.fromkeys(islice(_templates(view, thread, bodies), MAX_READ)))
        for old in [*known][:-MAX_TEMPLATES]:
            del known[old]
        if len(self._hosts) > MAX_HOSTS:
            self._hosts.popitem(last=False)

    def find(
        self, host: str, view: View, spots: Iterable[Spot]
    ) -> tuple[Thread, list[int]]:
        """The only post of a page of the *host* and its body.

        None where several may be it.
        """
        templates = self._hosts.get(host, {})
        found: dict[Span, tuple[Spot, Template]] = {}
        for template in templates:
            for span, spot in _records(view, template, spots):
                found.setdefault(span, (spot, template))
        if len(found) != 1:
            return NO_THREAD, []
        ((span, (spot, known)),) = found.items()
        author = find_author(view, span, spot, known.author)
        inside = range(span.element, view.end[span.element])
        bodies = [each for each in inside if view.key(each) == known.body][:1]
        if not (author.name and bodies):
            return NO_THREAD, []
        return Thread([span], [spot], [author]), bodies


def _templates(view: View, thread: Thread, bodies: list[int]) -> Iterator[Template]:
    """The templates of the posts with author and body, whose elements have classes."""
    for span, spot, author, body in zip(*thread, bodies, strict=True):
        record = view.key(span.element)
        if author.kind and body >= 0 and record[1]:
            date = view.key(spot.element)
            yield Template(record, view.key(body), date, author.kind)


def _records(
    view: View, template: Template, spots: Iterable[Spot]
) -> Iterator[tuple[Span, Spot]]:
    """The records around dates that are those of a *template*, each with the first."""
    for spot in spots:
        element = spot.element if view.key(spot.element) == template.date else -1
        while element >= 0 and view.key(element) != template.record:
            element = view.parent[element]
        if element >= 0:
            first, end = view.first_block[element], view.end_block[element]
            yield Span(element, first, end), spot
