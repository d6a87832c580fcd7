"""An invented documentation site of many pages, served on loopback."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests import mockserver
from tests.mockserver import Answer, Reply, Site, html
from tests.pipelines.copies import Writer
from tests.waiting import Gate

CHAPTERS = 12
COPIED = 7
"""Interval of pages with copies: one for printing, and one older version."""


class DocSite:
    """Chapters of pages, each linked from its chapter and from its neighbours.

    ``paths`` are the paths of all pages, ``groups`` those of pages with the same text
    or nearly so. The home page and the chapters have texts of their own.
    """

    def __init__(self, pages: int = 1000, seed: int = 9):
        self.pages: dict[str, bytes] = {}
        self.groups: list[frozenset[str]] = []
        self.size = pages
        self._writer, self._random = Writer(seed), random.Random(seed)
        chapters: dict[int, list[str]] = {n: [] for n in range(CHAPTERS)}
        for number in range(pages):
            chapter = number % CHAPTERS
            chapters[chapter] += self._add_page(number, f"/docs/{chapter}/")
        for chapter, links in chapters.items():
            self._add(f"/docs/{chapter}/", self._writer.prose(120), links)
        self._add(
            "/docs/", self._writer.prose(150), [f"/docs/{n}/" for n in range(CHAPTERS)]
        )

    @property
    def paths(self) -> set[str]:
        return set(self.pages)

    def _add_page(self, number: int, folder: str) -> list[str]:
        text = self._writer.prose(160)
        near = [number - CHAPTERS, number + CHAPTERS]
        neighbours = [f"{folder}page-{n}.html" for n in near if 0 <= n < self.size]
        main = f"{folder}page-{number}.html"
        links = [main]
        if number % COPIED == 0:
            links += [f"{folder}print-{number}.html", f"{folder}v1-page-{number}.html"]
            self.groups.append(frozenset(links))
            self._add(links[1], text, ["/docs/"])
            self._add(links[2], self._edited(text), ["/docs/", main])
        self._add(main, text, ["/docs/", folder, *neighbours])
        return links

    def _edited(self, text: str) -> str:
        """Replace every twentieth word of the text."""
        words = text.split()
        for place in range(0, len(words), 20):
            words[place] = self._random.choice(words)
        return " ".join(words)

    def _add(self, path: str, text: str, links: list[str]) -> None:
        listed = "".join(f'<li><a href="{link}">{link}</a>' for link in links)
        half = len(text) // 2
        self.pages[path] = (
            f"<!DOCTYPE html><title>{path}</title><nav><ul>{listed}</ul></nav>"
            f"<main><h1>{path}</h1><p>{text[:half]}<p>{text[half:]}</main>"
        ).encode()


@dataclass
class Gated(Site):
    """Pages whose requests go through a gate."""

    gate: Gate = field(default_factory=Gate)

    def answer(self, path: str, tag: str | None) -> Reply:
        reply = super().answer(path, tag)
        self.gate.enter()
        return reply


@contextmanager
def served(
    site: DocSite, gate: Gate | None = None
) -> Iterator[tuple[str, Counter[str]]]:
    """Serve the site, as the *gate* lets requests through.

    Yields its URL and the number of requests by path.
    """
    pages: dict[str, Answer] = {
        path: html(body.decode()) for path, body in site.pages.items()
    }
    with mockserver.served(Gated(pages, gate=gate or Gate())) as running:
        yield f"{running.url}/docs/", running.requests
