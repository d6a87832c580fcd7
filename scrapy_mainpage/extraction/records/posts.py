"""The posts of a page: of a thread, of questions and answers, of comments."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

from ...addresses import site_of
from ...label import Label
from ...records import Post
from ..document.document import read_tree
from ..labels import CODE
from ..output.text import write_text
from ..output.urls import IMAGE_SCHEMES as WEB_SCHEMES
from ..output.urls import clean_url
from ..output.writers import write_markdown
from ..parsing.tree import parse_html
from .bodies import MIN_PROSE, NOTHING, find_bodies, find_quotes, find_said, kept_blocks
from .choice import named_comments
from .declared_posts import complete, join, linked_posts, marked_posts
from .fields import find_accepted, find_authors, find_id, find_link
from .spots import DateReader, Spot, find_spots
from .threads import MAX_POSTS, MIN_POSTS, Known, Thread, find_thread
from .view import Span, View, cut_document, names_of

if TYPE_CHECKING:
    from ..declared.meta import Meta
    from ..document.document import Document
    from ..document.schema import Mask
    from .products import Content

_ESCAPED = re.compile(r"[\\`*_\[\]<>]")

MORE: Final = 1.5
"""So many times as many declared posts as seen ones replace these."""

_KINDS: Final = ("class", "itemtype", "itemprop")
_QUESTION = re.compile(r"question|frage\b|pregunta", re.IGNORECASE)


def find_posts(content: Content) -> tuple[Post, ...]:
    """The posts of the page in document order; empty if it has none.

    Those whose elements rules of the site found are all.
    """
    document, meta = content.document, content.declared.meta
    if ruled := content.ruled_records.get("posts"):
        view = View(document)
        thread = _divide_at(view, ruled)
        found, _ = _read_thread(view, thread, meta)
        return tuple(map(with_byline, found))
    declared = linked_posts(content.declared)
    seen = join(_seen_posts(content, meta), marked_posts(content.declared))
    # A page often declares the first few of its posts, or the first one twice.
    is_less = len(declared) < MORE * len(seen)
    posts = complete(seen, declared) if is_less else declared
    return tuple(with_byline(post) for post in posts)


def _seen_posts(content: Content, meta: Meta) -> list[Post]:
    document, known = content.document, content.post_templates
    spots = document.once(find_spots) if document.n_blocks > 1 else []
    if len(spots) < (MIN_POSTS if known is None else 1):
        return []
    view, site = View(document), site_of(content.url)
    thread = content.parts and content.parts.thread
    if thread is None:
        main = main_of(content)
        thread = find_thread(view, spots, main, lambda: known_of(content))
    if known is not None and not thread.spans:
        return _read_posts(view, *known.find(site, view, spots), frozenset(), meta)
    if not thread.spans:
        return []
    posts, bodies = _read_thread(view, thread, meta)
    if len(posts) < MIN_POSTS:
        return []
    if known is not None:
        known.learn(site, view, thread, bodies)
    return posts


def main_of(content: Content) -> Mask:
    """The blocks of main content, and those that names call comments on it."""
    return content.main | named_comments(content.document, content.main)


def known_of(content: Content) -> Known:
    """What says which records of a page are posts."""
    return Known(content.labels == CODE[Label.COMMENTS], content.page_types)


def _divide_at(view: View, elements: list[int]) -> Thread:
    """The records of *elements*, each with the first date in it, if there is one.

    One ends where the next begins, which may be a reply in it.
    """
    spots = sorted(view.document.once(find_spots), key=lambda spot: spot.element)
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
    return Thread(spans, dates, find_authors(view, spans, dates))


def _read_thread(
    view: View, thread: Thread, meta: Meta
) -> tuple[list[Post], list[int]]:
    """The posts of a thread, and the elements of all bodies."""
    spans, _, authors = thread
    said = find_said(view, spans, [author.name for author in authors])
    bodies = find_bodies(view, spans, said)
    return _read_posts(view, thread, bodies, said.repeated, meta), bodies


def _read_posts(
    view: View, thread: Thread, bodies: list[int], repeated: frozenset[str], meta: Meta
) -> list[Post]:
    """The posts that say more than what is *repeated*."""
    spans, spots, authors = thread
    dates = DateReader((spot.text for spot in spots), meta.language)
    posts: list[Post] = []
    accepted = find_accepted(view, spans)
    rows = zip(spans, spots, authors, bodies, strict=True)
    for span, spot, author, element in view.document.budget.each(rows):
        if element == NOTHING:
            continue
        body = _body_document(view, span, element)
        day = view.document.block_text(spot.block) if spot.block >= 0 else ""
        fields = {day, author.name or ""} - {""}
        kept = kept_blocks(body, repeated | fields)
        if not (text := write_text(body, kept)):
            continue
        link, name = find_link(view, span, spot), find_id(view, span)
        kinds = names_of(view.document, span.element, _KINDS)
        post = Post(
            id=name,
            url=_address(link or (name and f"#{name}"), meta),
            author=author.name,
            author_url=_address(author.href, meta),
            date=dates.read(spot),
            text=text,
            markdown=write_markdown(body, kept, meta.base),
            quotes=find_quotes(body, kept),
            is_question=not posts and bool(_QUESTION.search(kinds)),
            is_accepted=span in accepted,
            position=len(posts) + 1,
        )
        posts.append(post)
    return posts


def with_byline(post: Post) -> Post:
    """The post with a line of author and date above its Markdown."""
    if not post.byline:
        return post
    author = _ESCAPED.sub(r"\\\g<0>", post.author or "")
    parts = [author and f"**{author}**", post.date]
    line = ", ".join(filter(None, parts))
    return replace(post, markdown=f"{line}\n\n{post.markdown}")


def _address(href: str | None, meta: Meta) -> str | None:
    return clean_url(href, meta.base, WEB_SCHEMES) if href else None


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
