"""Pages of the mixed site, and the templates that make them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from html import escape

from .stories import Story, Writer


class Kind(str, Enum):
    """Amount of main content in a page downloaded without a browser."""

    STATIC = "static"  # all of it
    SHELL = "shell"  # nothing
    HALF = "half"  # the boilerplate, and perhaps the beginning
    HUB = "hub"  # links to pages, hardly any main content

    def __str__(self) -> str:
        return self.value


@dataclass
class Page:
    """A page and its ground truth: the kind, and the text of its story.

    ``delay`` is the delay of its data in seconds, ``origin`` the origin of its host.
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
        """A new writer, for text outside the main content."""
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
        """The related pages as an API returns them."""
        return [{"href": page.url, "text": page.story.title} for page in self.related]

    @property
    def data(self) -> dict[str, object]:
        """The API response for a shell."""
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
    """Author and date."""
    day, month = 1 + page.seed % 28, 1 + page.seed % 12
    names = ("R. Okonjo", "Marit Lund", "T. Varga", "Ines Prado")
    return f"{names[page.seed % 4]} · {day:02}.{month:02}.2026"


@dataclass(frozen=True)
class Template:
    """A sort of pages; ``words`` are the minimum and maximum length of a story.

    ``share`` is its weight among the templates of the same kind.
    """

    name: str
    kind: Kind
    section: str
    share: int
    words: tuple[int, int]
    html: Callable[[Page], str]
    write: Callable[[Writer, int], Story] = Writer.story
