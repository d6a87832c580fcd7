"""Records of a page: posts, answers and comments; the other pages of a listing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation in a post; ``author`` is whom it quotes, where the post says so."""

    text: str
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """One post of a thread, one answer to a question, or one comment.

    ``position`` counts from 1 in the order of the page. ``date`` is in ISO 8601, or as
    it is written where no year can be read from it ("3 days ago"). ``text`` is without
    the author's panel, buttons and signature. ``markdown`` begins with a line of author
    and date. ``id`` is the fragment that leads to the post.
    """

    id: str | None = None
    url: str | None = None
    author: str | None = None
    author_url: str | None = None
    date: str | None = None
    text: str = ""
    markdown: str = ""
    quotes: tuple[Quote, ...] = ()
    is_question: bool = False
    is_accepted: bool = False
    position: int = 1

    @property
    def byline(self) -> str:
        """The author and the date in one line; empty without both."""
        return ", ".join(filter(None, (self.author, self.date)))

    def to_text(self, *, byline: bool = False) -> str:
        """The text, below a line of author and date if *byline*."""
        return "\n".join(filter(None, (self.byline if byline else "", self.text)))


@dataclass(frozen=True, slots=True)
class Pagination:
    """The other pages of a listing, a thread or an archive, as absolute addresses.

    ``next_page`` and ``previous_page`` are the targets of links that say so, by a word,
    an arrow or a mark of the template; "older posts" lead to the previous page, unless
    their arrow or mark says the contrary. ``page_links`` are all of them, the numbered
    ones as well, each once in the order of the page, without fragments.
    """

    next_page: str | None = None
    previous_page: str | None = None
    page_links: tuple[str, ...] = ()
