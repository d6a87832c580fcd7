"""The posts of a page: of a thread, of questions and answers, of comments."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ...records import Post
from ..document.document import read_tree
from ..labels import CODE
from ..metadata.declarations import read_declarations
from ..output.text import write_text
from ..output.urls import IMAGE_SCHEMES as WEB_SCHEMES
from ..output.urls import clean_url
from ..output.writers import write_markdown
from ..parsing.tree import parse_html
from .bodies import MIN_PROSE, NOTHING, find_bodies, find_quotes, find_said, kept_blocks
from .declared import complete, declared_posts, join, marked_posts
from .fields import find_accepted, find_authors, find_id, find_link
from .messages import find_message
from .pagegate import LISTINGS
from .spots import DateReader, Spot, find_spots, language_of
from .threads import MAX_POSTS, MIN_POSTS, Thread, find_thread, is_named
from .view import Span, View, cut_document, names_of

if TYPE_CHECKING:
    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from .products import Content

_ESCAPED = re.compile(r"[\\`*_\[\]<>]")

FORUM: Final = "forum"
MIN_FORUM: Final = 0.3
MIN_LISTING: Final = 0.6
"""Probability that a page is a listing, from which on only comments are posts."""

MORE: Final = 1.5
"""So many times as many declared posts as seen ones replace these."""

MIN_TALK: Final = 5
"""Posts of a talk whose markup does not say that they are posts."""

MIN_AUTHORS: Final = 0.5
"""Share of posts with an author: records without one are no posts."""

_KINDS: Final = ("class", "itemtype", "itemprop")
_QUESTION = re.compile(r"question|frage\b|pregunta", re.IGNORECASE)


def find_posts(content: Content) -> tuple[Post, ...]:
    """The posts of the page in document order; empty if it has none.

    Those whose elements rules of the site found are all.
    """
    document = content.document
    declarations = read_declarations(document, content.url)
    if ruled := content.ruled_records.get("posts"):
        view = View(document)
        thread = _divide_at(view, ruled)
        found = _read_posts(view, thread, declarations, forum=True, is_ruled=True)
        return tuple(map(with_byline, found))
    declared = declared_posts(document, declarations)
    marked = marked_posts(document, declarations)
    seen = _seen_posts(content, declarations)
    seen = join(seen, marked)
    # A page often declares the first few of its posts, or the first one twice.
    is_less = len(declared) < MORE * len(seen)
    posts = complete(seen, declared) if is_less else declared
    if not posts:
        dates = DateReader((), language_of(declarations.language))
        posts = [*filter(None, [find_message(document, declarations, dates)])]
    return tuple(with_byline(post) for post in posts)


def _seen_posts(content: Content, declared: Declarations) -> list[Post]:
    document = content.document
    spots = find_spots(document) if document.n_blocks > 1 else []
    if len(spots) < MIN_POSTS:
        return []
    view = View(document)
    forum = content.page_types.get(FORUM, 0.0) >= MIN_FORUM
    chosen = np.asarray(content.main, bool)
    listing = sum(content.page_types.get(name, 0.0) for name in LISTINGS)
    if listing >= MIN_LISTING:  # what it lists has dates, too
        chosen = content.labels == CODE[Label.COMMENTS]
    elif not forum:
        chosen = chosen | (content.labels == CODE[Label.COMMENTS])
    thread = find_thread(view, spots, chosen, forum=forum)
    return _read_posts(view, thread, declared, forum=forum)


def _divide_at(view: View, elements: list[int]) -> Thread:
    """The records of *elements*, each with the first date in it, if there is one.

    One ends where the next begins, which may be a reply in it.
    """
    spots = sorted(find_spots(view.document), key=lambda spot: spot.element)
    places = [spot.element for spot in spots]
    spans, dates = [], []
    nexts = [*elements[1:], len(view.end)][:MAX_POSTS]
    for element, after in zip(elements, nexts, strict=False):
        first, end = view.first_block[element], view.end_block[element]
        if after < view.end[element]:
            end = view.first_block[after]
        spans.append(Span(element, first, end))
        place = bisect_left(places, element)
        is_dated = place < len(spots) and places[place] < min(after, view.end[element])
        dates.append(spots[place] if is_dated else Spot(element, -1, ""))
    return Thread(spans, dates)


def _read_posts(
    view: View,
    thread: Thread,
    declared: Declarations,
    *,
    forum: bool,
    is_ruled: bool = False,
) -> list[Post]:
    spans, spots = thread
    if not spans:
        return []
    authors = find_authors(view, spans, spots)
    names = Counter(a.name for a in authors if a.name and (forum or a.is_sure))
    if names.total() < MIN_AUTHORS * len(spans) and not is_ruled:
        return []
    # Several wrote, and some of them again.
    is_talk = names.total() >= MIN_TALK and 1 < len(names) < names.total()
    if not (forum or is_named(view, spans) or is_talk):
        return []
    dates = DateReader((spot.text for spot in spots), language_of(declared.language))
    posts: list[Post] = []
    said = find_said(view, spans, [author.name for author in authors])
    bodies = find_bodies(view, spans, said)
    accepted = find_accepted(view, spans)
    for span, spot, author, element in zip(spans, spots, authors, bodies, strict=True):
        if element == NOTHING:
            continue
        body = _body_document(view, span, element)
        fields = {_block_text(view, spot.block), author.name or ""} - {""}
        kept = kept_blocks(body, said.repeated | fields)
        if not (text := write_text(body, kept)):
            continue
        link, name = find_link(view, span, spot), find_id(view, span)
        kinds = names_of(view.document, span.element, _KINDS)
        post = Post(
            id=name,
            url=_address(link or (name and f"#{name}"), declared),
            author=author.name,
            author_url=_address(author.href, declared),
            date=dates.read(spot),
            text=text,
            markdown=write_markdown(body, kept, declared.base),
            quotes=find_quotes(body),
            is_question=not posts and bool(_QUESTION.search(kinds)),
            is_accepted=span in accepted,
            position=len(posts) + 1,
        )
        posts.append(post)
    return posts if len(posts) > 1 or is_ruled else []


def with_byline(post: Post) -> Post:
    """The post with a line of author and date above its Markdown."""
    if not post.byline:
        return post
    author = _ESCAPED.sub(r"\\\g<0>", post.author or "")
    parts = [author and f"**{author}**", post.date]
    line = ", ".join(filter(None, parts))
    return replace(post, markdown=f"{line}\n\n{post.markdown}")


def _block_text(view: View, block: int) -> str:
    return view.document.block_text(block) if block >= 0 else ""


def _address(href: str | None, declared: Declarations) -> str | None:
    return clean_url(href, declared.base, WEB_SCHEMES) if href else None


def _body_document(view: View, span: Span, element: int) -> Document:
    """The body of a post as a document; of its longer texts where none holds it."""
    if element >= 0:
        return cut_document(view.document, element)
    texts = [
        view.document.block_text(block)
        for block in range(span.first, span.end)
        if view.prose_in(block, block + 1) >= MIN_PROSE
    ]
    html = "".join(f"<p>{escape(text)}</p>" for text in texts)
    return read_tree(parse_html(html.encode() or b"<p>"))
