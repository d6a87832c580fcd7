"""Places of a page that the package reads by patterns, with texts to fill in."""

from __future__ import annotations

from typing import Final

_ITEM = "<div itemscope itemtype=http://schema.org/Article>"
_PRODUCT = "<div itemscope itemtype=http://schema.org/Product>"
_RECIPE = "<div itemscope itemtype=http://schema.org/Recipe>"
_JSON = '<script type=application/ld+json>{{"@type": "Article", '

SLOTS: Final = {
    "title": "<title>{}</title>",
    "title and heading": "<title>{0}</title><h1>{0}</h1>",
    "title of a site": "<meta property=og:site_name content='x'><title>x {} x</title>",
    "site name": "<meta property=og:site_name content='{0}'><title>a - {0}</title>",
    "shared title": "<meta property=og:title content='{}'><title>x</title>",
    "author": "<meta name=author content='{}'>",
    "byline": "<p class=author>{}</p>",
    "byline by": "<p class=byline>By {}</p>",
    "rel author": "<a rel=author href=x>{}</a>",
    "published": "<meta property=article:published_time content='{}'>",
    "time": "<time datetime='{0}'>{0}</time>",
    "date": "<p class=date>{}</p>",
    "description": "<meta name=description content='{}'>",
    "language": "<html lang='{}'>",
    "content language": "<meta http-equiv=content-language content='{}'>",
    "canonical": "<link rel=canonical href='{}'>",
    "canonical host": "<link rel=canonical href='http://{}/'>",
    "base": "<base href='{}'><a href=x>a</a>",
    "address": "<p>River <a href='{}'>mill</a></p>",
    "image": "<p>River <img src='{}' alt=x></p>",
    "sources": "<p>River <img srcset='{}' alt=x></p>",
    "alternative": "<p>River <img src=x.png alt='{}'></p>",
    "heading": "<h2>{}</h2><p>River",
    "heading with anchor": "<h2 id='{0}'>River <a href='#{0}'>{0}</a></h2><p>River",
    "class": "<div class='{}'><p>River</div>",
    "id": "<div id='{}'><p>River</div>",
    "role": "<div role='{}'><p>River</div>",
    "style": "<div style='{}'><p>River</div>",
    "code language": "<pre class='language-{0}'><code class='{0}'>river</code></pre>",
    "paragraph": "<p>{}</p>",
    "preformatted": "<pre>{}</pre>",
    "item": "<ul><li>{}</li></ul>",
    "cell": "<table><tr><td>{}</td><td>a</td></tr></table>",
    "link": "<p>River <a href=/x>{}</a></p>",
    "navigation": "<nav><a href=/x>{}</a></nav>",
    "footer": "<footer>{}</footer>",
    "script": "<script>{}</script>",
    "script value": "<script>var a = {}</script>",
    "script string": "<script>var a = '{}</script>",
    "state": "<script>window.__INITIAL_STATE__ = {{'a': {}</script>",
    "state in quotes": '<script>window.__DATA__ = JSON.parse("{}</script>',
    "hydration": "<script id=__NEXT_DATA__ type=application/json>{}</script>",
    "hydration value": '<script type=application/json>{{"body": "{}"}}</script>',
    "flight": '<script>self.__next_f.push([1,"{}"])</script>',
    "json": "<script type=application/ld+json>{}</script>",
    "json body": _JSON + '"headline": "x", "articleBody": "{}"}}</script>',
    "json author": _JSON + '"author": "{0}", "datePublished": "{0}"}}</script>',
    "script type": "<script type='{}'>a</script>",
    "microdata": _ITEM + "<p itemprop='{0}'>{0}</div>",
    "microdata body": _ITEM + "<meta itemprop=articleBody content='{}'></div>",
    "offer": _PRODUCT + "<b itemprop=name>x</b><b itemprop=price>{0}</b>{0}</div>",
    "price": "<main><h1>Mill</h1><p class=price>{0}</p><button>Buy</button></main>",
    "post": 4 * "<div class=post><b class=author>{0}</b><i>{0}</i><p>River</p></div>",
    "entry": "<dl>" + 4 * "<dt>{0}</dt><dd>{0}</dd>" + "</dl>",
    "recipe": _RECIPE
    + "<p itemprop=recipeIngredient>{0}<p itemprop=cookTime>{0}</div>",
    "next page": "<a rel=next href='?p={0}'>{0}</a>",
    "pages": 4 * "<a class=page href='/list/{0}?page=2'>{0}</a>",
    "search form": "<form role=search action='{0}'><input name='{0}'></form>",
    "noscript": "<noscript>{}</noscript>",
    "comment": "<!--{}--><p>River",
}

UNITS: Final = (
    *"a0 -|:.,/@([{<&#*_`=%!~^$+;?",
    "\\\\", "\u00a0", "\n", "\t\n", "\ue000", "\u00b6", "\u2026", "\u4e2d", "\u00e9",
    "a ", "A ", "Ann ", " - ", " | ", ": ", "...", " page 1", "1/2", " powered by",
    "by ",
    "a@", "a@b.", "http:", "http://a", "www.", "a.", "a-", "2024-05", "2024", "May 6 ",
    "12:00 ", "(a", "[a]", "[](", "![", "{{", "{%", "}}", "&amp;", "&lt;p&gt;",
    "../", "%20", "a, ", "a 2x, ", ", ", "1. ", "- ", "# ", "> ", "``", "**a",
    "{a:", "[{", "',", "\\'", '\\"', "\\\\u0041", "0:[", "0:T1,", "/*", "//", "forum ",
    "en-", "data:", "javascript:", "&nbsp;", "<p>", "</p>", "<br>", "\u202e", "e\u0301",
)  # fmt: skip


def page(slot: str, unit: str, size: int) -> str:
    """A page with *unit* again and again, in all *size* characters, at *slot*."""
    text = unit * (size // len(unit))
    if not text.strip() or unit == "&nbsp;":
        text = f"x{text}x"  # at its ends, blanks are gone at once
    filled = SLOTS[slot].format(text)
    return f"{filled}<p>A river runs through old towns and under bridges.</p>"
