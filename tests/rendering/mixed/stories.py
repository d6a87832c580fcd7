"""Invented texts: the main content of a page, known before the page is made."""

from __future__ import annotations

import random
from dataclasses import dataclass
from html import escape

from .vocabulary import Language

CODE_WORDS = "tide lamp loom jar pier marsh valve ledger kiln hull".split()


@dataclass(frozen=True)
class Part:
    """A block of content: its element, and its text.

    A list has a line per item, a table one per row, its cells between tabs.
    """

    tag: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def html(self) -> str:
        """The part as markup."""
        lines = [escape(line, quote=False) for line in self.lines]
        if self.tag == "ul":
            return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"
        if self.tag == "table":
            rows = ("</th><td>".join(line.split("\t")) for line in lines)
            return f"<table>{''.join(f'<tr><th>{r}</td></tr>' for r in rows)}</table>"
        text = "\n".join(lines)
        inner = {"pre": f"<code>{text}</code>", "blockquote": f"<p>{text}</p>"}
        return f"<{self.tag}>{inner.get(self.tag, text)}</{self.tag}>"

    @property
    def data(self) -> dict[str, object]:
        """The part as an API returns it."""
        return {"tag": self.tag, "lines": list(self.lines)}


@dataclass(frozen=True)
class Story:
    """A title and parts below it: the ground truth of a page."""

    language: Language
    title: str
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "\n".join([self.title, *(part.text for part in self.parts)])

    def html(self, start: int = 0, stop: int | None = None) -> str:
        """The markup of some of the parts."""
        return "\n".join(part.html for part in self.parts[start:stop])


class Writer:
    """Writes sentences and stories in a language; the same seed writes the same."""

    def __init__(self, language: Language, seed: int):
        self.language = language
        self.random = random.Random(f"{language.code} {seed}")

    def _filled(self, pattern: str) -> str:
        slots = {k: self.random.choice(v) for k, v in self.language.slots.items()}
        text = pattern.format(n=self.random.randrange(2, 9000), **slots)
        return text[:1].upper() + text[1:]

    def title(self) -> str:
        return self._filled(self.language.title)

    def sentence(self) -> str:
        return self._filled(self.random.choice(self.language.patterns))

    def sentences(self, words: int) -> str:
        """Sentences of at least *words* words."""
        found: list[str] = []
        while sum(map(length, found)) < words:
            found.append(self.sentence())
        return self.language.joint.join(found)

    def short(self) -> str:
        """A short sentence without a full stop: a heading, an item, a label."""
        return self._filled("{who}" + self.language.joint + "{did} {what}")

    def code(self) -> str:
        names = self.random.sample(CODE_WORDS, 4)
        number = self.random.randrange(2, 90)
        lines = [f"{names[0]} = open_{names[1]}(depth={number})"]
        lines += [
            f"for {names[2]} in {names[0]}.all():",
            f"    {names[2]}.{names[3]}()",
        ]
        return "\n".join(lines)

    def story(self, words: int, *, code: bool = False) -> Story:
        """A story of at least *words* words, with headings and lists if long."""
        parts: list[Part] = []
        count = 0
        while count < words:
            left = words - count
            parts += self._section(min(left, self.random.randrange(25, 95)), code)
            count = sum(length(part.text) for part in parts)
            if words - count > 60 and self.random.random() < 0.3:
                parts.append(Part("h2", (self.short(),)))
        return Story(self.language, self.title(), tuple(parts))

    def _section(self, words: int, code: bool) -> list[Part]:
        parts = [Part("p", (self.sentences(words),))]
        chance = self.random.random()
        if words > 30 and chance < 0.15:
            parts.append(Part("ul", tuple(self.sentence() for _ in range(3))))
        elif words > 30 and chance < 0.2:
            parts.append(Part("blockquote", (self.sentence(),)))
        elif code and chance < 0.6:
            parts.append(Part("pre", (self.code(),)))
        return parts

    def posts(self, words: int) -> Story:
        """A question and its answers: a paragraph each."""
        parts = []
        while sum(length(part.text) for part in parts) < words:
            size = self.random.randrange(15, 90)
            parts.append(Part("p", (self.sentences(size),)))
        return Story(self.language, self.title(), tuple(parts))

    def product(self, words: int) -> Story:
        """A description, a list of advantages, and a table of figures."""
        sizes = [words * 2 // 3, words // 3]
        prose = [Part("p", (self.sentences(size),)) for size in sizes]
        points = Part("ul", tuple(self.sentence() for _ in range(4)))
        rows = (f"{self.short()}\t{self.random.randrange(9, 999)} mm" for _ in range(5))
        parts = (prose[0], points, prose[1], Part("table", tuple(rows)))
        return Story(self.language, self.short(), parts)

    def cards(self, words: int) -> Story:
        """Titles with a sentence or two below each."""
        parts: list[Part] = []
        while sum(length(part.text) for part in parts) < words:
            teaser = self.sentences(self.random.randrange(12, 30))
            parts += [Part("h3", (self.title(),)), Part("p", (teaser,))]
        return Story(self.language, self.short(), tuple(parts))


def length(text: str) -> int:
    """Number of words; without blanks, two characters count as a word."""
    words = len(text.split())
    return max(words, len(text) // 2) if words * 15 < len(text) else words
