"""Detection of static pages that need a browser: shells, halves, look-alikes."""

from __future__ import annotations

import random

import pytest
from lxml.html import tostring

from scrapy_mainpage import Page
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.rendering.need import Judgement, Need, judge

WORDS = (
    "harbour granite lantern orchard willow kettle meadow copper timber ribbon sparrow "
    "quarry velvet anchor marble cotton ladder pepper saddle thunder basket candle "
    "winter summer river bridge tower garden mirror pocket".split()
)
EXTRACTOR = Extractor()
BUNDLE = '<script type="module" src="/assets/index-4f2a91.js"></script>'
JQUERY = '<script src="/js/jquery-3.7.min.js"></script>'
ANALYTICS = (
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>'
    "<script>window.dataLayer=[];function gtag(){dataLayer.push(arguments)}</script>"
)
HEADER = (
    '<header><a href="/">Northwind</a><nav><a href="/a">Products</a> '
    '<a href="/b">Company</a> <a href="/c">Careers</a></nav></header>'
)
FOOTER = '<footer><p>Northwind Ltd</p><a href="/imprint">Imprint</a></footer>'


def prose(words: int, seed: int = 1) -> str:
    """*words* words in paragraphs of sentences."""
    chosen = random.Random(seed)
    sentences = []
    for _ in range(words // 12):
        sentence = " ".join(chosen.choice(WORDS) for _ in range(12))
        sentences.append(f"{sentence.capitalize()}, and so on.")
    groups = [sentences[k : k + 4] for k in range(0, len(sentences), 4)]
    return "".join(f"<p>{' '.join(group)}</p>" for group in groups)


def around(main: str, scripts: str = BUNDLE) -> str:
    """A page with a static header and footer around *main*."""
    return f"<body>{HEADER}{main}{FOOTER}{scripts}</body>"


def judged(html: str) -> Judgement:
    root = parse_html(f"<html><head><title>A page</title></head>{html}</html>")
    return judge(root, EXTRACTOR.extract_tree(root, url="http://a.example/p"))


ARTICLE = f"<main><article><h1>The lantern</h1>{prose(500)}</article></main>"

SHELLS = {
    "react": '<body><div id="root"></div>' + BUNDLE,
    "gatsby": '<body><div id="___gatsby"><div id="gatsby-focus-wrapper"></div></div>'
    + BUNDLE,
    "ember": '<body class="ember-application">' + BUNDLE + BUNDLE,
    "svelte": '<body><div style="display: contents" class="svelte-host"></div>'
    + BUNDLE,
    "blazor": '<body><div id="app"><svg class="loading-progress"></svg></div>'
    '<script src="_framework/blazor.webassembly.js"></script>',
    "flutter": '<body><script src="flutter_bootstrap.js" async></script>',
    "web-component": "<body><my-storefront></my-storefront>" + BUNDLE,
    "odd-name": '<body><div id="zq"></div>' + BUNDLE,
    "class-alone": '<body><div class="k2x"></div>' + BUNDLE,
    "noscript": "<body><noscript>You need to enable JavaScript to run this app."
    '</noscript><div id="x7"></div>' + BUNDLE,
    "noscript-russian": "<body><noscript>Включите JavaScript, чтобы продолжить"
    '</noscript><div class="k"></div>' + BUNDLE,
    "loading-german": '<body><div id="x"><p>Inhalt wird geladen …</p></div>' + BUNDLE,
    "loading-chinese": '<body><div id="x">加载中...</div>' + BUNDLE,
    "spinner": '<body><div id="page"><div class="spinner"></div></div>' + BUNDLE,
    "inline-code": '<body><div id="k"></div><script>fetch("/d.json").then(r=>r.json())'
    '.then(d=>{document.getElementById("k").innerHTML=d.html})</script>',
    "body-filled": "<body><script>fetch('/d').then(r=>r.text())"
    ".then(t=>document.body.append(t))</script>",
    "templates": '<body><div id="list"><h1>{{ title }}</h1><p>{{ text }}</p></div>'
    + BUNDLE,
    "redirect": "<body><script>location.replace('/en/')</script>",
    "frame-around": around('<div id="story"></div>'),
    "empty-main": around("<main></main>"),
    "empty-table": around('<h1>Staff</h1><table><tbody id="rows"></tbody></table>')
    + "<script>fetch('/s').then(d=>document.querySelector('#rows').append(d))"
    "</script>",
    "htmx": around('<h1>Notes</h1><section hx-get="/notes/7" hx-trigger="load">'),
    "turbo": around('<h1>Notes</h1><turbo-frame id="n" src="/notes/7"></turbo-frame>'),
    "busy": around('<h1>Notes</h1><div id="n" aria-busy="true"></div>'),
}


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_needs_a_browser(name: str) -> None:
    assert judged(SHELLS[name]).need is Need.YES


TEASER = f"<h1>The lantern</h1>{prose(48)}"
INTRO = f"<h1>The lantern</h1>{prose(150)}"
LOADER = "<script>fetch('/rest').then(r=>r.text()).then(t=>{%s})</script>"

HALVES = {
    "teaser": around(f'<main>{TEASER}<div id="zz9"></div></main>'),
    "intro": around(f'<main>{INTRO}<section id="more-of-it"></section></main>'),
    "intro-without-main": around(f'<div class="w">{INTRO}<div id="rest"></div></div>'),
    "intro-loading": around(
        f'<main>{INTRO}<div class="b1">Loading…</div></main>', BUNDLE
    ),
    "intro-loading-french": around(
        f'<main>{INTRO}<div class="b1">Chargement en cours…</div></main>'
    ),
    "intro-busy": around(f'<main>{INTRO}<div class="b" aria-busy="true"></div></main>'),
    "intro-fragment": around(
        f'<main>{INTRO}<include-fragment src="/rest"></include-fragment></main>'
    ),
    "intro-address": around(f'<main>{INTRO}<div data-url="/x/3"></div></main>'),
    "intro-htmx": around(f'<main>{INTRO}<div hx-get="/x" hx-trigger="load"></div>'),
    "filled-by-id": around(
        f'<main>{INTRO}<div id="q1"></div></main>',
        LOADER % "document.getElementById('q1').innerHTML=t",
    ),
    "filled-by-class": around(
        f'<main>{INTRO}<div class="article-rest"></div></main>',
        LOADER % "document.querySelector('.article-rest').innerHTML=t",
    ),
    "comments-alone": around(
        '<h1>The lantern</h1><div class="entry-content"></div>'
        f'<section id="comments"><h2>Comments</h2>{prose(90)}</section>',
        LOADER % "document.querySelector('.entry-content').innerHTML=t",
    ),
    "alpine-list": around(
        f"<main>{TEASER}<ul x-data=list><template x-for='a in all'><li x-text=a>"
        "</template></ul><button>Load more</button></main>"
    ),
    "alpine-beside-a-heading": around(
        "<main><h1>The lantern</h1><template x-for='a in all'><p x-text=a></template>"
        "</main><p>We use cookies to count visits.</p>"
    ),
    "htmx-revealed": around(
        f"<main>{TEASER}<p>We use cookies.<div hx-get=/x hx-trigger=revealed></div>"
    ),
    "livewire": around(f"<main>{TEASER}<div wire:init=load></div></main>"),
    "stimulus": around(
        f"<main>{TEASER}<div data-controller=loader data-loader-url-value=/x></div>"
    ),
    "unpoly": around(f"<main>{TEASER}<div class=b1 up-defer up-href=/x></div></main>"),
    "long-intro": around(
        f'<main><h1>The lantern</h1>{prose(480)}<div id="article-rest"></div></main>'
    ),
}


@pytest.mark.parametrize("name", HALVES)
def test_a_half_static_page_may_need_a_browser(name: str) -> None:
    assert judged(HALVES[name]).need is not Need.NO


TRAPS = {
    "advertisement": '<div id="div-gpt-ad-1"></div><div class="ad-slot"></div>',
    "comments": '<div id="disqus_thread"></div>',
    "consent": '<div id="cookie-banner"></div>',
    "map": '<div id="map"></div>',
    "video": '<div id="video-player"></div>',
    "carousel": '<div id="carousel"></div>',
    "modal": '<div id="modal-root"></div>',
    "facebook": '<div id="fb-root"></div>',
    "spacer": '<div class="clearfix"></div><div class="clear" id="sep"></div>',
    "related": '<div id="related-posts"></div>',
    "newsletter": '<div id="newsletter-signup"></div>',
    "toast": '<div id="toast-container"></div>',
    "teleports": '<div id="teleports"></div>',
    "alpine-messages": "<div class=toasts><template x-for='t in all'><p x-text=t>"
    "</template></div>",
    "alpine-basket": "<header><template x-if=open><p>Basket</template></header>",
    "htmx-click": "<p hx-get=/x hx-trigger=click>Show the rest of it</p>",
    "hidden-notice": "<p style='display: none'>Loading...</p>",
}
SHORT = (
    "<main><h1>Contact</h1><p>Northwind Ltd, 4 Mill Lane, Harbour Town. Call us from "
    "nine to five, or write a letter; we answer within two days.</p>%s</main>"
)


@pytest.mark.parametrize("name", TRAPS)
@pytest.mark.parametrize("long", [True, False], ids=["long", "short"])
def test_what_is_no_main_content_is_not_waited_for(name: str, long: bool) -> None:
    main = ARTICLE.replace("</article>", f"{TRAPS[name]}</article>")
    html = around(main if long else SHORT % TRAPS[name], JQUERY + ANALYTICS + BUNDLE)
    assert judged(html).need is Need.NO


COMPLETE = {
    "no-script": f"<body>{ARTICLE}",
    "no-script-root": '<body><div id="root"></div>',
    "libraries": around(ARTICLE, JQUERY + ANALYTICS),
    "rendered-react": f'<body><div id="root">{HEADER}{ARTICLE}{FOOTER}</div>{BUNDLE}',
    "rendered-next": f'<body><div id="__next">{ARTICLE}</div>{BUNDLE}'
    '<script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>',
    "contact": around(SHORT % ""),
    "not-found": around("<main><h1>404</h1><p>There is no such page here.</p></main>"),
    "login": around(
        '<main><h1>Sign in</h1><form><label>Name <input name="n"></label>'
        '<label>Password <input type="password"></label><button>Go</button></form>'
    ),
    "listing": around(
        "<main><ul>"
        + "".join(f'<li><a href="/{k}">{WORDS[k]} {k}</a></li>' for k in range(30))
        + "</ul></main>"
    ),
    "tracking-pixel": around(
        SHORT % '<noscript><img src="/pixel.gif" alt=""></noscript>'
    ),
    "notice": f"<body><noscript>Please enable JavaScript.</noscript>{ARTICLE}{BUNDLE}",
    "template-words": around(
        ARTICLE.replace("</article>", "<pre>{{ value }}</pre></article>")
    ),
    "only-data": '<body><main></main><script type="application/json">{"a":1}</script>',
}


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_page_needs_no_browser(name: str) -> None:
    assert judged(COMPLETE[name]).need is Need.NO


def test_content_in_json_ld_needs_no_browser() -> None:
    body = " ".join(prose(300).replace("<p>", "").split("</p>"))
    data = (
        '<script type="application/ld+json">{"@context":"https://schema.org",'
        f'"@type":"Article","headline":"The lantern","articleBody":"{body}"}}</script>'
    )
    found = judged(f'<body><div id="root"></div>{data}{BUNDLE}')
    assert found == Judgement(Need.NO, "hydration_data")


def test_the_text_of_a_noscript_element_needs_no_browser() -> None:
    html = f'<body><div id="root"></div><noscript>{prose(250)}</noscript>{BUNDLE}'
    assert judged(html) == Judgement(Need.NO, "noscript_content")


def test_places_name_what_is_to_be_filled() -> None:
    html = around('<div id="story-1204" class="lead wide"></div>')
    assert judged(html).places == ("div#story-0.lead",)


def test_places_are_sorted_short_and_few() -> None:
    boxes = "".join(f'<div id="part{c}"></div>' for c in "zyxwv")
    places = judged(around(f'{boxes}<div id="{"n" * 200}"></div>')).places
    assert places == tuple(sorted(places))
    assert 1 <= len(places) <= 3
    assert max(map(len, places)) < 60


def test_a_page_that_was_not_extracted_needs_no_browser() -> None:
    root = parse_html(SHELLS["react"])
    found = judge(root, Page.empty("http://a.example/", "empty"))
    assert found == Judgement(Need.NO, "no_page")


ODD = {
    "frameset": '<frameset><frame src="a.html"></frameset><script src="/a.js">',
    "no-body": "<head><script src='/a.js'></script></head>",
    "nothing": "<html></html>",
    "text-alone": "Just a text.",
    "comment": "<!-- nothing --><script>1</script>",
    "odd-tags": "<body><a:b><c:d id='x'/></a:b><x- id='y'></x-><script>1</script>",
    "odd-names": "<body><div id='{[(\\' class='\x01 日本 #.'></div><script>1</script>",
    "deep": "<body>" + "<div id='d'>" * 2000 + "<script>1</script>",
    "wide": "<body>" + "<div id='w'></div>" * 20_000 + "<script>1</script>",
    "long-script": f"<body><div id='x'></div><script>{'a.b(c);' * 200_000}</script>",
    "templates": "<body><p>" + "{{ a " * 5000 + "</p><script>1</script>",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_trees_are_judged_too(name: str) -> None:
    root = parse_html(ODD[name])
    assert judge(root, EXTRACTOR.extract_tree(root)).need in Need


def test_the_tree_is_only_read() -> None:
    root = parse_html(HALVES["intro-busy"])
    before = tostring(root)
    judge(root, EXTRACTOR.extract_tree(root))
    assert tostring(root) == before


def test_a_script_that_may_lead_on_does_not_make_a_page_incomplete() -> None:
    script = "<script>function go(u){window.location.href = u}</script>"
    assert judged(around(SHORT % "", script + BUNDLE)).need is Need.NO
