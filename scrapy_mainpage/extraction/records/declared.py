"""Posts that a page declares: threads, questions with answers, comments.

In JSON-LD, or marked for schema.org in its elements (microdata).
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ...records import Post
from ..document.document import read_tree
from ..metadata.dates import normalise_date
from ..metadata.jsonld import parse_scripts, types_of
from ..metadata.microdata import read_items
from ..metadata.plaintext import clean
from ..output.text import write_text
from ..output.writers import write_markdown
from ..title_rule import letters
from .bodies import find_quotes, kept_blocks
from .view import cut_document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from ..metadata.jsonld import Node
    from ..metadata.microdata import Item
    from ..parsing.budget import Budget

MAX_NODES: Final = 5000
MAX_DECLARED: Final = 1000
MAX_CHARACTERS: Final = 100_000
"""Characters of the text of one post."""

_POSTS: Final = frozenset(
    {"DiscussionForumPosting", "SocialMediaPosting", "Comment", "Question", "Answer"}
)
_INNER: Final = (
    "@graph", "mainEntity", "mainEntityOfPage", "acceptedAnswer", "suggestedAnswer",
    "comment",
)  # fmt: skip
_START: Final = 60
MIN_MARKED: Final = 2
POST_TYPES: Final = frozenset(
    "DiscussionForumPosting SocialMediaPosting Comment UserComments Question "
    "Answer".split()
)
_ANSWERS: Final = frozenset({"Question", "Answer"})
_COMMENTS: Final = frozenset({"Comment", "UserComments"})


def declared_posts(document: Document, declared: Declarations) -> list[Post]:
    """The posts of the page's JSON-LD, in its order; those without a text are left out.

    A list of frequent questions is none: nobody asked them.
    """
    if not any(
        "Posting" in s or "Comment" in s or "QAPage" in s for s in _scripts(document)
    ):
        return []
    queue: deque[tuple[Any, bool]] = deque()
    budget = document.budget.renew()
    for values in parse_scripts(_scripts(document), budget):
        queue.extend((value, False) for value in values)
    posts: list[Post] = []
    for _ in range(MAX_NODES):
        if not queue or len(posts) == MAX_DECLARED:
            break
        value, accepted = queue.popleft()
        if isinstance(value, list):
            queue.extendleft(
                (item, accepted) for item in reversed(value[:MAX_DECLARED])
            )
        elif isinstance(value, dict) and "FAQPage" not in types_of(value):
            if post := _read(value, declared, budget, accepted=accepted):
                posts.append(replace(post, position=len(posts) + 1))
            inner = [
                (value[key], key == "acceptedAnswer") for key in _INNER if key in value
            ]
            queue.extendleft(reversed(inner))
    return posts


def _scripts(document: Document) -> Iterator[str]:
    return islice(document.head_texts("script"), 100)


def _read(
    node: Node, declared: Declarations, budget: Budget, *, accepted: bool
) -> Post | None:
    types = set(types_of(node))
    text = next((node[k] for k in ("text", "articleBody") if node.get(k)), None)
    if not types & _POSTS or not isinstance(text, str):
        return None
    part = read_tree(budget.parse(f"<div>{text[:MAX_CHARACTERS]}</div>"), budget)
    kept = part.blocks.words >= 0
    written = write_text(part, kept)
    if not written:
        return None
    author = _first(node.get("author"))
    url = declared.absolute(node.get("url"))
    person = author if isinstance(author, dict) else {"name": author}
    return Post(
        id=(url or "").partition("#")[2] or None,
        url=url,
        author=clean(_first(person.get("name"))),
        author_url=declared.absolute(person.get("url")),
        date=normalise_date(node.get("datePublished") or node.get("dateCreated")),
        text=written,
        markdown=write_markdown(part, kept, declared.base),
        is_question="Question" in types,
        is_accepted=accepted,
    )


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


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


def marked_posts(document: Document, declared: Declarations) -> list[Post]:
    """The posts that microdata marks, in the order of the page; none for one alone.

    A list of frequent questions is none: nobody asked them, at no time. Comments below
    answers are none of a question's posts.
    """
    if not any(name.encode() in document.values for name in POST_TYPES):
        return []
    posts: list[Post] = []
    for item in read_items(document):
        if post := _read_item(document, item, declared) if _is_post(item) else None:
            posts.append(replace(post, position=len(posts) + 1))
    told = sum(bool(post.author or post.date) for post in posts)
    return posts if told >= max(MIN_MARKED, len(posts) / 2) else []


def _is_post(item: Item) -> bool:
    is_comment = not item.types.isdisjoint(_COMMENTS)
    refused = {"FAQPage"} | (_ANSWERS if is_comment else set())
    around = (outer.types for outer in item.around())
    return bool(item.types & POST_TYPES) and all(map(refused.isdisjoint, around))


def _read_item(document: Document, item: Item, declared: Declarations) -> Post | None:
    """The post of an item; ``None`` without a text in an element of its own."""
    body = item.place("text", "articleBody", "commentText")
    if body < 0 or int(document.elements.owner[body]) != body:
        return None
    part = cut_document(document, body)
    kept = kept_blocks(part)
    if not (text := write_text(part, kept)):
        return None
    person = item.inner("author", "creator")
    url = declared.absolute(item.address("url"))
    fragment = (url or "").partition("#")[2]
    href = person.address("url", "name") if person else item.address("author")
    return Post(
        id=fragment or document.attribute(item.element, "id"),
        url=url,
        author=person.text("name") if person else item.text("author", "creator"),
        author_url=declared.absolute(href),
        date=normalise_date(item.text("dateCreated", "datePublished", "commentTime")),
        text=text,
        markdown=write_markdown(part, kept, declared.base),
        quotes=find_quotes(part),
        is_question="Question" in item.types,
        is_accepted="acceptedAnswer" in item.role,
    )
