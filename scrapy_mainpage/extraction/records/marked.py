"""Posts that a page marks for schema.org in its elements: microdata."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...records import Post
from ..metadata.dates import normalise_date
from ..metadata.microdata import read_items
from ..output.text import write_text
from ..output.writers import write_markdown
from .bodies import find_quotes, kept_blocks
from .view import cut_document

if TYPE_CHECKING:
    from ..document.document import Document
    from ..metadata.declarations import Declarations
    from ..metadata.microdata import Item

MIN_MARKED: Final = 2
POST_TYPES: Final = frozenset(
    "DiscussionForumPosting SocialMediaPosting Comment UserComments Question "
    "Answer".split()
)
_ANSWERS: Final = frozenset({"Question", "Answer"})
_COMMENTS: Final = frozenset({"Comment", "UserComments"})


def marked_posts(document: Document, declared: Declarations) -> list[Post]:
    """The posts that microdata marks, in the order of the page; none for one alone.

    A list of frequent questions is none: nobody asked them, at no time. Comments below
    answers are none of a question's posts.
    """
    if not any(name.encode() in document.values for name in POST_TYPES):
        return []
    posts: list[Post] = []
    for item in read_items(document):
        if post := _read(document, item, declared) if _is_post(item) else None:
            posts.append(replace(post, position=len(posts) + 1))
    told = sum(bool(post.author or post.date) for post in posts)
    return posts if told >= max(MIN_MARKED, len(posts) / 2) else []


def _is_post(item: Item) -> bool:
    is_comment = not item.types.isdisjoint(_COMMENTS)
    refused = {"FAQPage"} | (_ANSWERS if is_comment else set())
    around = (outer.types for outer in item.around())
    return bool(item.types & POST_TYPES) and all(map(refused.isdisjoint, around))


def _read(document: Document, item: Item, declared: Declarations) -> Post | None:
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
