"""Articles, lists of articles, and threads."""

from __future__ import annotations

from typing import Any

from zyte_common_items import (
    Article,
    ArticleFromList,
    ArticleList,
    Audio,
    Author,
    ForumThread,
    SocialMediaPost,
    Topic,
    Video,
)

from ..items import is_thread
from .shops import shows_products
from .values import addresses, image, images, media, moment, probability


def make_article(page: Any) -> Article:
    """The page with its main content; any page is made into one."""
    declared = page.metadata
    changed = moment(declared.date_modified)
    videos = [Video(url=url) for url in media(page, "video")]
    audios = [Audio(url=url) for url in media(page, "audio")]
    return Article(
        **addresses(page),
        headline=page.title,
        description=declared.description,
        authors=_authors(declared.authors),
        # Without a date of publication the item has that of the last change.
        datePublished=moment(declared.date_published) or changed,
        dateModified=changed,
        inLanguage=_language(page),
        articleBody=page.text.strip() or None,
        articleBodyHtml=page.html or None,
        mainImage=image(declared.image),
        images=images(media(page, "image")),
        videos=videos or None,
        audios=audios or None,
        metadata=probability(page, "article"),
    )


def _authors(names: tuple[str, ...]) -> list[Author] | None:
    return [Author(name=name, nameRaw=name) for name in names] or None


def _language(page: Any) -> str | None:
    return page.language.split("-")[0] if page.language else None


def make_article_list(page: Any) -> ArticleList | None:
    """The entries of the page, unless they are products."""
    if not page.entries or shows_products(page):
        return None
    articles = [
        ArticleFromList(
            headline=entry.name,
            url=entry.url,
            articleBody=entry.summary,
            mainImage=image(entry.image),
            authors=_authors((entry.author,) if entry.author else ()),
            datePublished=moment(entry.date),
            datePublishedRaw=entry.date,
            inLanguage=_language(page),
            metadata=probability(page, "listing"),
        )
        for entry in page.entries
    ]
    return ArticleList(**addresses(page), articles=articles)


def make_thread(page: Any) -> ForumThread | None:
    """The posts of the page, unless they are comments on something else."""
    if not is_thread(page):
        return None
    posts = [
        SocialMediaPost(
            url=post.url or page.url,
            postId=post.id,
            text=post.text,
            datePublished=moment(post.date),
            metadata=probability(page, "forum"),
        )
        for post in page.posts
    ]
    topic = Topic(name=page.title) if page.title else None
    return ForumThread(url=page.url, topic=topic, posts=posts)
