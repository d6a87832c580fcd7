"""A page of the mixed site, and a template that such pages are made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from html import escape

from .stories import Story, Writer


class Kind(str, Enum):
    """What a download without a browser holds of a page's main content."""

    STATIC = "static"  # all of it
    SHELL = "shell"  # nothing
    HALF = "half"  # the page around it, and perhaps how it begins
    HUB = "hub"  # links to pages, and no main content to speak of

    def __str__(self) -> str:
        return self.value


@dataclass
class Page:
    """A page and its truth: the kind, and the text of its story.

    ``delay`` is how long its data takes, in seconds. ``origin`` is that of its host.
    """

    path: str
    template: Template
    story: Story
    seed: int
    delay: float
    related: list[Page] = field(default_factory=list)
    origin: str = ""

    @property
    def kind(self) -> Kind:
        return self.template.kind

    @property
    def url(self) -> str:
        return self.origin + self.path

    @property
    def writer(self) -> Writer:
        """Writes what is not main content; anew for each call."""
        return Writer(self.story.language, -self.seed - 1)

    @property
    def words(self) -> dict[str, str]:
        return self.story.language.words

    @property
    def title(self) -> str:
        """The title as markup."""
        return escape(self.story.title)

    @property
    def links(self) -> list[dict[str, str]]:
        """The related pages as an API has them."""
        return [{"href": page.url, "text": page.story.title} for page in self.related]

    @property
    def data(self) -> dict[str, object]:
        """What the API of a shell answers."""
        names = ("news", "shop", "forum", "help", "about", "contact")
        return {
            "title": self.story.title,
            "parts": [part.data for part in self.story.parts],
            "links": self.links,
            "nav": [self.words[name] for name in names],
            "footer": [self.words[name] for name in ("slogan", "privacy", "terms")],
            "related": self.words["related"],
            "byline": byline(self),
        }


def byline(page: Page) -> str:
    """Who and when."""
    day, month = 1 + page.seed % 28, 1 + page.seed % 12
    names = ("R. Okonjo", "Marit Lund", "T. Varga", "Ines Prado")
    return f"{names[page.seed % 4]} · {day:02}.{month:02}.2026"


@dataclass(frozen=True)
class Template:
    """How pages of one sort are made; ``words`` are the least and the most of a story.

    ``share`` is how many of the pages of its kind there are, compared to others.
    """

    name: str
    kind: Kind
    section: str
    share: int
    words: tuple[int, int]
    html: Callable[[Page], str]
    write: Callable[[Writer, int], Story] = Writer.story
