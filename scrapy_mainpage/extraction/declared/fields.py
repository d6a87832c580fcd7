"""Fields of a page by the names that vocabularies have for them, the best first."""

from __future__ import annotations

from typing import Final

PROPERTIES: Final = {
    "title": ("headline", "name", "title"),
    "language": ("inLanguage",),
    "author": ("author", "creator"),
    "date_published": ("datePublished",),
    "date_created": ("dateCreated",),
    "date_modified": ("dateModified",),
    "description": ("description",),
    "image": ("image",),
    "site_name": ("publisher",),
}
"""Properties of schema.org, of which a thing says the first that it has."""

INSIDE: Final = {
    "language": ("alternateName", "name"),
    "image": ("url", "contentUrl", "@id"),
}
"""What is taken of a thing that is a value, but for its name."""

META: Final = {
    "title": (
        "og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title",
    ),
    "language": (
        "http-equiv:content-language", "content-language", "og:locale", "dc.language",
        "dcterms.language", "language",
    ),
    "author": (
        "article:author", "og:author", "author", "dc.creator", "dcterms.creator",
        "dc:creator", "dcterms:creator", "citation_author", "parsely-author",
        "sailthru.author", "byl", "book:author", "dc.contributor.author", "authors",
    ),
    "date_published": (
        "article:published_time", "og:article:published_time", "datepublished",
        "date_published", "publishdate", "publish-date", "publish_date", "published",
        "published_time", "pubdate", "article:published", "article.published",
        "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued",
        "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "dc:date",
        "citation_publication_date", "citation_date", "date", "displaydate",
        "cxenseparse:publishtime", "cxenseparse:recs:publishtime",
        "article:create_time", "article_date_original",
        "og:published_time", "og:pubdate", "video:release_date", "book:release_date",
    ),
    "date_created": (),
    "date_modified": (
        "article:modified_time", "og:article:modified_time", "og:updated_time",
        "datemodified", "date_modified", "dcterms.modified", "dc.date.modified",
        "article:modified", "modified", "last-modified", "lastmod", "lastmodified",
        "article:updated_time", "http-equiv:last-modified", "revised",
    ),
    "description": (
        "og:description", "description", "twitter:description", "dc.description",
        "dcterms.description",
    ),
    "image": (
        "og:image:secure_url", "og:image", "og:image:url", "twitter:image",
        "twitter:image:src",
    ),
    "site_name": (
        "og:site_name", "application-name", "apple-mobile-web-app-title", "publisher",
    ),
}  # fmt: skip
"""Names of meta elements."""

META_FIRST: Final = frozenset({"language", "description", "image", "site_name"})
"""Fields that meta elements say of the page; things, of what it is about."""
