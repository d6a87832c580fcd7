"""Posts that a page marks for schema.org in its elements: microdata."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ...records import Post
from ..document.tags import ATTRIBUTE_CODES
from ..metadata.dates import normalise_date
from ..metadata.declarations import attributes_by_element
from ..metadata.plaintext import clean, element_text
from ..output.text import write_text
from ..output.writers import write_markdown
from .bodies import find_quotes, kept_blocks
from .view import cut_document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..metadata.declarations import Declarations

    Values = dict[str, str]

MIN_MARKED: Final = 2
POST_TYPES: Final = frozenset(
    {"DiscussionForumPosting", "SocialMediaPosting", "Comment", "UserComments"}
    | {"Question", "Answer"}
)
_QUESTIONS: Final = "FAQPage"
_ANSWERS: Final = frozenset({"Question", "Answer"})
_COMMENTS: Final = frozenset({"Comment", "UserComments"})
_BODY: Final = frozenset({"text", "articleBody", "commentText"})
_DATE: Final = frozenset({"dateCreated", "datePublished", "commentTime"})
_AUTHOR: Final = frozenset({"author", "creator"})


@dataclass
class _Item:
    """An item with its element, and what is read of it."""

    element: int
    types: frozenset[str]
    role: frozenset[str]
    outer: _Item | None
    body: int = -1
    author: str | None = None
    author_url: str | None = None
    date: str | None = None
    url: str | None = None

    @property
    def is_post(self) -> bool:
        return not self.types.isdisjoint(POST_TYPES)


def marked_posts(document: Document, declared: Declarations) -> list[Post]:
    """The posts that microdata marks, in the order of the page; none for one alone.

    A list of frequent questions is none: nobody asked them, at no time. Comments below
    answers are none of a question's posts.
    """
    if not any(name.encode() in document.values for name in POST_TYPES):
        return []
    posts: list[Post] = []
    for item in _items(document, declared):
        if post := _read(document, item, declared) if item.is_post else None:
            posts.append(replace(post, position=len(posts) + 1))
    told = sum(bool(post.author or post.date) for post in posts)
    return posts if told >= max(MIN_MARKED, len(posts) / 2) else []


def _items(document: Document, declared: Declarations) -> Iterator[_Item]:
    """All items in document order, with what their properties say."""
    attributes = document.attributes
    codes = [ATTRIBUTE_CODES["itemprop"], ATTRIBUTE_CODES["itemtype"]]
    wanted = np.zeros(document.n_elements, bool)
    wanted[attributes.element[np.isin(attributes.name, codes)]] = True
    found: list[_Item] = []
    item: _Item | None = None
    for element, values in sorted(attributes_by_element(document, wanted).items()):
        while item and int(document.elements.end[item.element]) <= element:
            item = item.outer
        names = frozenset(values.get("itemprop", "").split())
        if kinds := values.get("itemtype"):
            types = frozenset(kind.rpartition("/")[2] for kind in kinds.split())
            item = _Item(element, types, names, item)
            found.append(item)
        elif item:
            _add(document, declared, item, element, names, values)
    yield from found


def _add(
    document: Document,
    declared: Declarations,
    item: _Item,
    element: int,
    names: frozenset[str],
    values: Values,
) -> None:
    """Read a property of an *item*; a person's name is that of the post around."""
    person = item.outer if item.outer and item.role & _AUTHOR else None
    if person and "name" in names:
        person.author = person.author or _value(document, element, values)
    if person and names & {"name", "url"}:
        person.author_url = person.author_url or declared.absolute(values.get("href"))
    if names & _BODY and item.body < 0:
        item.body = element
    if names & _DATE and not item.date:
        item.date = normalise_date(_value(document, element, values))
    if names & _AUTHOR and not item.author:
        item.author = _value(document, element, values)
        item.author_url = declared.absolute(values.get("href"))
    if "url" in names and not item.url:
        item.url = declared.absolute(values.get("href") or values.get("content"))


def _value(document: Document, element: int, values: Values) -> str | None:
    for name in ("content", "datetime"):
        if text := clean(values.get(name)):
            return text
    return element_text(document, element) or None


def _read(document: Document, item: _Item, declared: Declarations) -> Post | None:
    """The post of an item; ``None`` without a text, and for frequent questions."""
    outer, is_comment = item.outer, not item.types.isdisjoint(_COMMENTS)
    while outer:
        if _QUESTIONS in outer.types or (is_comment and outer.types & _ANSWERS):
            return None
        outer = outer.outer
    if item.body < 0 or int(document.elements.owner[item.body]) != item.body:
        return None
    part = cut_document(document, item.body)
    kept = kept_blocks(part)
    if not (text := write_text(part, kept)):
        return None
    fragment = (item.url or "").partition("#")[2]
    return Post(
        id=fragment or document.attribute(item.element, "id"),
        url=item.url,
        author=item.author,
        author_url=item.author_url,
        date=item.date,
        text=text,
        markdown=write_markdown(part, kept, declared.base),
        quotes=find_quotes(part),
        is_question="Question" in item.types,
        is_accepted="acceptedAnswer" in item.role,
    )
