"""Templates of pages that are empty until a script builds them."""

from __future__ import annotations

import json
from typing import Any

from .furniture import document, metrics, weight
from .pages import Kind, Page, Template
from .statics import manual
from .stories import Writer

#: How each bundle shows the data of a page: see ``client/app.js``.
BUNDLES: dict[str, dict[str, Any]] = {
    "react": {
        "mount": "#root",
        "first": "/api/beat",
        "names": {
            "layout": "App_layout__3xQvB",
            "header": "TopBar_bar__kk12P",
            "main": "StoryPage_main__Zr0aL",
            "body": "StoryPage_body__1mVbe",
            "title": "StoryPage_title__qPq9s",
            "byline": "StoryPage_by__77aTe",
            "related": "MoreStories_box__0Lk3d",
            "footer": "SiteFooter_foot__Hh8s2",
        },
    },
    "vue": {
        "mount": "#app",
        "mark": "data-v-5f1c92aa",
        "tags": {"main": "section", "aside": "div"},
        "names": {"main": "story", "body": "story__content", "related": "teasers"},
        "pause": 80,
    },
    "angular": {
        "mount": "app-root",
        "mark": "_ngcontent-serverapp-c42",
        "tags": {"header": "app-header", "footer": "app-footer", "main": "app-story"},
        "beat": 800,
    },
    "component": {"names": {"body": "prose", "main": "reader"}},
    "inline": {
        "mount": "#c-7f3a91",
        "tags": {"main": "div", "aside": "div", "header": "div", "nav": "div"},
        "names": {"main": "pane-a", "body": "pane-a-in", "related": "pane-b"},
        "pause": 250,
    },
    "body": {"mount": "body", "tags": {"main": "article"}},
    "splash": {"mount": "#main-view", "hide": "#loader", "pause": 120},
}


def react(page: Page) -> str:
    """An empty root; the page has the words of the interface, but not the text."""
    config = {"api": "/api", "build": f"{page.seed:x}", "labels": dict(page.words)}
    text = json.dumps(config, ensure_ascii=False).replace("</", "<\\/")
    return document(
        page,
        f"<noscript>{page.words['script']}</noscript>"
        f'<div id="root"></div><script>window.__CONFIG__={text};</script>',
        '<script defer src="/assets/bundle-react.js"></script>'
        '<link rel="stylesheet" href="/assets/theme.css">',
    )


def vue(page: Page) -> str:
    """An empty container and a lot of inline script."""
    return document(
        page,
        '<div id="app"></div><script type="module" src="/assets/bundle-vue.js">'
        f"</script>{metrics(page)}{weight(page, 25)}",
        '<link rel="modulepreload" href="/assets/bundle-vue.js">',
    )


def angular(page: Page) -> str:
    """A root with a spinner, and styles for it in the head."""
    loading = page.words["loading"]
    return document(
        page,
        f'<app-root><div class="spinner" aria-busy="true">{loading}</div></app-root>'
        '<script src="/assets/bundle-angular.js" type="module"></script>',
        '<base href="/"><style>.spinner{margin:20vh auto;width:60px;height:60px;'
        "border:4px solid #ccc;border-top-color:#0a5;border-radius:50%}"
        "@keyframes turn{to{transform:rotate(1turn)}}</style>",
    )


def component(page: Page) -> str:
    """An element that a script defines, beside another one."""
    return document(
        page,
        f'<story-reader data-src="{page.path}"></story-reader><site-banner>'
        '</site-banner><script src="/assets/bundle-component.js" async></script>',
    )


def inline(page: Page) -> str:
    """A container with an odd name; the text is in a script, as calls that show it."""
    calls = ",".join(
        f"t({json.dumps(part.tag)},{json.dumps(list(part.lines))})"
        for part in page.story.parts
    )
    around = {k: v for k, v in page.data.items() if k != "parts"}
    chunk = (
        "(self.chunk_7f=self.chunk_7f||[]).push([[3],{12:function(e,t){"
        f"e.exports=Object.assign({json.dumps(around)},{{parts:[{calls}]}})"
        "}}])"
    ).replace("</", "<\\/")
    return document(
        page,
        f'<div id="c-7f3a91" class="h-full"></div><script>{chunk}</script>'
        '<script src="/assets/bundle-inline.js"></script>'
        f"<noscript><p>{page.words['script']}</p></noscript>",
    )


def body(page: Page) -> str:
    """Not even a container."""
    return document(page, "", '<script src="/assets/bundle-body.js" defer></script>')


def splash(page: Page) -> str:
    """A splash screen with a logo and a sentence while the page loads."""
    words = page.words
    return document(
        page,
        f'<div id="loader" class="splash"><img src="/img/logo.svg" alt="">'
        f"<p>{words['home']}</p><p>{words['wait']}</p></div>"
        '<div id="main-view" hidden></div>'
        '<script src="/assets/bundle-splash.js"></script>'
        f"{metrics(page)}<noscript>{words['script']}</noscript>",
    )


SHELL = Kind.SHELL
TEMPLATES = (
    Template("react", SHELL, "app", 4, (120, 600), react),
    Template("vue", SHELL, "shop", 3, (80, 300), vue, Writer.product),
    Template("angular", SHELL, "portal", 3, (150, 600), angular),
    Template("component", SHELL, "reader", 3, (120, 500), component, manual),
    Template("inline", SHELL, "stories", 3, (100, 400), inline),
    Template("body", SHELL, "live", 2, (80, 400), body),
    Template("splash", SHELL, "guide", 2, (120, 500), splash, manual),
)
