"""Posts that a page declares: threads, questions with answers, comments."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ...records import Post
from ..declared import Node
from ..document.document import read_tree
from ..output.text import write_text
from ..output.writers import write_markdown
from ..title_rule import letters
from .bodies import find_quotes, kept_blocks
from .spots import DateReader
from .threads import MAX_POSTS
from .view import cut_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..declared import Declared
    from ..document.document import Document
    from ..document.schema import Mask
    from ..parsing.budget import Budget

COPY_WORK: Final = 50
"""Of an element of a body, in units of the budget."""

_INNER: Final = ("acceptedAnswer", "suggestedAnswer", "comment")
_START: Final = 60
MIN_MARKED: Final = 2
POST_TYPES: Final = frozenset(
    "DiscussionForumPosting SocialMediaPosting Comment UserComments Question "
    "Answer".split()
)
_ANSWERS: Final = frozenset({"Question", "Answer"})
_COMMENTS: Final = frozenset({"Comment", "UserComments"})
_BODIES: Final = ("text", "articleBody", "commentText")


def linked_posts(declared: Declared) -> list[Post]:
    """The posts of the page's JSON-LD, in its order; those without a text are left out.

    A list of frequent questions is none: nobody asked them, at no time.
    """
    nodes = _with_replies(declared.linked)
    return _read_all(nodes, declared.document.budget, least=1)


def _with_replies(nodes: list[Node]) -> Iterator[Node]:
    """The *nodes*, each before its answers and comments."""
    for node in nodes:
        if not node.is_a(("FAQPage",)):
            yield node
            yield from (each for each in node.below(*_INNER) if isinstance(each, Node))


def marked_posts(declared: Declared) -> list[Post]:
    """The posts that elements mark, in the order of the page; none for one alone.

    Comments below answers are none of a question's posts.
    """
    items = filter(_is_said, declared.marked)
    return _read_all(items, declared.document.budget, least=MIN_MARKED)


def _is_said(node: Node) -> bool:
    refused = {"FAQPage"} | (_ANSWERS if node.is_a(_COMMENTS) else set())
    return all(map(refused.isdisjoint, node.around))


def _read_all(nodes: Iterable[Node], budget: Budget, least: int) -> list[Post]:
    """The posts of *nodes*, if *least* of them and half of all have author or date."""
    own = [node for node in budget.each(nodes) if node.is_a(POST_TYPES)][:MAX_POSTS]
    places = sorted(node.element for node in own)
    language = own[0].page.meta.language if own else None
    dates = DateReader((), language)
    posts = [*filter(None, (_read(node, places, dates, budget) for node in own))]
    told = sum(bool(post.author or post.date) for post in posts)
    if told < max(least, len(posts) / 2):
        return []
    return [replace(post, position=place) for place, post in enumerate(posts, 1)]


def _read(
    node: Node, places: list[int], dates: DateReader, budget: Budget
) -> Post | None:
    """The post of a node, without those at other *places* in it; ``None`` for none."""
    place = node.place(*_BODIES)
    if (part := _body(node, place, budget)) is None:
        return None
    kept = kept_blocks(part)
    if place >= 0:
        kept &= _is_own(node.page.document, place, places)
    if not (text := write_text(part, kept)):
        return None
    person = node.first_inner("author", "creator")
    url, document = node.address("url"), node.page.document
    name = document.attribute(node.element, "id") if place >= 0 else None
    return Post(
        id=(url or "").partition("#")[2] or name,
        url=url,
        author=person.first("name") or node.first("author", "creator"),
        author_url=person.address("url", "name") or node.address("author"),
        date=dates.normalise(node.first("datePublished", "dateCreated", "commentTime")),
        text=text,
        markdown=write_markdown(part, kept, node.page.meta.base),
        quotes=find_quotes(part, kept),
        is_question=node.is_a(("Question",)),
        is_accepted="acceptedAnswer" in node.role,
    )


def _is_own(document: Document, body: int, places: list[int]) -> Mask:
    """The blocks of a *body* that are in none of the posts that begin inside of it."""
    columns = document.elements
    first, end = int(columns.first_block[body]), int(columns.end[body])
    own = np.ones(int(columns.end_block[body]) - first, bool)
    at = bisect_right(places, body)
    while at < len(places) and (inner := places[at]) < end:
        own[columns.first_block[inner] - first : columns.end_block[inner] - first] = 0
        at = bisect_right(places, int(columns.end[inner]) - 1)
    return own


def _body(node: Node, element: int, budget: Budget) -> Document | None:
    """The body of a post: an *element* of the page, else HTML in a text of JSON-LD."""
    if element >= 0:
        document = node.page.document
        size = int(document.elements.end[element]) - element
        is_owner = int(document.elements.owner[element]) == element
        is_read = is_owner and budget.spend(COPY_WORK * size)
        return cut_document(document, element) if is_read else None
    text = next((each for each in node.values(*_BODIES) if each), None)
    if not isinstance(text, str):
        return None
    return read_tree(budget.parse(f"<div>{text}</div>"), budget)


def complete(posts: list[Post], declared: list[Post]) -> list[Post]:
    """The *posts* with what the *declared* ones of the same texts know of them."""
    known = {_start(post): post for post in declared}
    pairs = ((post, known.get(_start(post))) for post in posts)
    return [_joined(post, other, post) if other else post for post, other in pairs]


def join(posts: list[Post], marked: list[Post]) -> list[Post]:
    """The *posts* with what only *marked* ones of the same texts know of them.

    If there are as many marked ones or more, and others among them, it is these.
    """
    seen = {_start(post) for post in posts}
    known = {_start(post): post for post in marked}
    if len(marked) >= len(posts) and not known.keys() <= seen:
        return complete(marked, posts)
    pairs = ((post, known.get(_start(post))) for post in posts)
    return [_joined(post, post, other) if other else post for post, other in pairs]


def _start(post: Post) -> str:
    return letters(post.text[: 2 * _START])[:_START]


def _joined(post: Post, first: Post, second: Post) -> Post:
    """A *post* with author and date of the *first* that has them."""
    return replace(
        post,
        url=post.url or first.url or second.url,
        author=first.author or second.author,
        author_url=post.author_url or first.author_url or second.author_url,
        date=first.date or second.date,
        is_question=first.is_question or second.is_question,
        is_accepted=first.is_accepted or second.is_accepted,
    )
