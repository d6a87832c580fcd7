"""Many of a kind: elements, links, tables, declarations of the head, comments."""

from __future__ import annotations

from typing import Final

from .making import ARTICLE, SENTENCE, Make, flood, nested, numbered, single

FLOODS: Final[dict[str, Make]] = {
    "table rows": numbered(
        "<tr><td>{0}</td><td>Mill {0}</td><td>river</td></tr>", ARTICLE + "<table>"
    ),
    "table cells": flood("<td>a", ARTICLE + "<table><tr>"),
    "table spans": flood("<td colspan=1000 rowspan=65534>a", ARTICLE + "<table><tr>"),
    "header cells": flood("<th scope=col>a</th>", ARTICLE + "<table><tr>"),
    "captions": flood("<caption>a</caption>", ARTICLE + "<table>"),
    "tables": flood("<table><tr><td>a</table>"),
    "elements": flood("<i></i>"),
    "paragraphs": flood("<p>a"),
    "paragraphs of words": flood("<p>river mill</p>"),
    "breaks": flood("<br>"),
    "breaks with text": flood("a<br>"),
    "rules": flood("<hr>"),
    "images": numbered("<img src={0}.png alt=river>"),
    "pictures": numbered(
        "<picture><source srcset='{0}.webp 2x'><img src={0}.png></picture>"
    ),
    "long srcsets": single(ARTICLE + "<img srcset='", "a.png 2x, ", "'>"),
    "links": numbered("<a href=/{0}>river</a> "),
    "links in items": numbered("<li><a href=/{0}>river</a></li>", ARTICLE + "<ul>"),
    "items": flood("<li>river mill", ARTICLE + "<ul>"),
    "definitions": flood("<dt>a<dd>b", ARTICLE + "<dl>"),
    "options": flood("<option>river", ARTICLE + "<select>"),
    "options without select": flood("<option>river</option>"),
    "inputs": flood("<input value=river>"),
    "forms": flood("<form>river</form>"),
    "headings": flood(
        "".join(f"<h{k}>River {k}</h{k}><p>{SENTENCE}</p>" for k in range(1, 7)), ""
    ),
    "empty headings": flood("<h2></h2>"),
    "tag names": numbered("<t{0}>a</t{0}>"),
    "attribute names": numbered("<p a{0}=b>a"),
    "class names": numbered("<p class='a{0} b{0}'>a"),
    "ids": numbered("<p id=a{0}>a"),
    "one id again": flood("<p id=a>river"),
    "metas": numbered("<meta name=a{0} content=b>", "", ARTICLE),
    "metas of one kind": flood("<meta property=og:title content=river>", "", ARTICLE),
    "authors": flood("<meta name=author content='Ann Miller'>", "", ARTICLE),
    "times": flood("<time datetime=2024-05-06T07:08:09Z>May 6</time> "),
    "base addresses": flood("<base href=http://a.example/>"),
    "link elements": numbered("<link rel=canonical href=/{0}>", "", ARTICLE),
    "items of microdata": flood(
        "<div itemscope itemtype=http://schema.org/Article>"
        "<span itemprop=name>a</span></div>"
    ),
    "microdata in microdata": nested("div itemscope itemprop=x", "a "),
    "iframes": flood("<iframe src=x></iframe>"),
    "videos": flood("<video src=x>river</video>"),
    "templates": flood("<template shadowrootmode=open><p>river</template>"),
    "noscripts": flood("<noscript><p>river mill</p></noscript>"),
    "framesets": flood("<frameset><frame src=x>", ""),
    "end tags": flood("</p>"),
    "unknown end tags": flood("</x>"),
    "breaks as end tags": flood("</br>"),
    "text and end tags": flood("a</x>"),
    "text and comments": flood("a<!--b-->"),
    "comments": flood("<!-- river -->"),
    "conditional comments": flood("<!--[if IE]><p>river<![endif]-->"),
    "scripts": flood("<script>var a = '<p>river</p>';</script>"),
    "styles": flood("<style>p { color: red }</style>"),
    "script comments": flood("<script><!--<script>"),
    "buttons": flood("<button>river</button>"),
    "rubies": flood("<ruby>a<rp>(<rt>b<rp>)</ruby>"),
    "svg": flood("<svg><path d='M0 0'/><text>a</text></svg>"),
    "math": flood("<math><mi>a</mi><mo>=</mo></math>"),
    "cells of one digit": flood("<tr><td>1<td>2", ARTICLE + "<table>"),
    "rows without cells": flood("<tr>", ARTICLE + "<table>"),
    "bodies of tables": flood("<tbody><tr><td>river</tbody>", ARTICLE + "<table>"),
    "columns": flood("<col span=1000>", ARTICLE + "<table><colgroup>"),
    "tables in cells": flood("<td><table><td>a</table>", ARTICLE + "<table><tr>"),
    "paragraphs in cells": flood("<td><p>a", ARTICLE + "<table><tr>"),
    "paragraphs of a class": flood("<p class=a>a"),
    "divisions": flood("<div>a</div>"),
    "divisions in divisions": flood("<div><div><div>a</div></div></div>"),
    "one-word items of links": flood("<li><a href=x>a</a>", ARTICLE + "<ul>"),
    "lists": flood("<ul><li>a</ul>"),
    "lists in items": flood("<li>a<ul><li>b</ul>", ARTICLE + "<ul>"),
    "footnotes": numbered("river<sup><a href=#fn{0} id=r{0}>[{0}]</a></sup> "),
    "headings with anchors": numbered("<h2 id=h{0}>River <a href=#h{0}>#</a></h2>a"),
    "headings of all levels": flood(
        "<h1>a</h1><h6>b</h6><h3>c</h3><h2>d</h2><h5>e</h5>"
    ),
    "emphasis": flood("<b>river</b> <i>mill</i> "),
    "code": flood("<code>river</code> "),
    "blocks of code": flood("<pre><code class=language-c>a = b;\n</code></pre>"),
    "quotes": flood("<blockquote cite=x><p>river</blockquote>"),
    "figures": numbered(
        "<figure><img src={0}.png alt=a><figcaption>river</figcaption></figure>"
    ),
    "details": flood("<details><summary>river</summary>mill</details>"),
    "areas of maps": flood("<map><area href=x alt=river></map>"),
    "audio with sources": flood("<audio><source src=a.mp3><track src=b></audio>"),
    "embedded objects": flood("<object data=x><param name=a value=b>river</object>"),
    "frames with documents": flood('<iframe srcdoc="<p>river</p><script>"></iframe>'),
    "frames with text": flood("<iframe><p>river</p></iframe>"),
    "progress and meters": flood("<meter value=1>a</meter><progress>b</progress>"),
    "custom elements": flood("<my-river><slot name=a>mill</slot></my-river>"),
    "posts": numbered(
        "<div class=post id=p{0}><div class=author>ann{0}</div>"
        "<div class=date>2024-05-06</div><div class=body>river mill</div></div>"
    ),
    "comments of readers": numbered(
        "<li class=comment id=c{0}><cite>ann{0}</cite> <p>river mill</p></li>",
        ARTICLE + "<ol class=commentlist>",
    ),
    "products": numbered(
        "<div class=product><h3><a href=/p{0}>Mill {0}</a></h3><span class=price>$ {0}"
        "</span></div>"
    ),
    "areas": flood(
        "<nav><a href=x>river</a></nav><aside>mill</aside><footer>a</footer>"
    ),
    "articles": flood("<article><h2>River</h2><p>mill</p></article>"),
    "mains": flood("<main>river mill</main>"),
    "bylines": flood("<p class=byline>By Ann Miller</p>"),
    "classes of authors": numbered("<p class='author a{0}'>river mill old"),
    "rules with text": flood("a<hr>"),
    "authors by rel": numbered("<a rel=author href=/a{0}>Ann Miller {0}</a> "),
    "dates in the text": numbered("<p class=date>May 6, 2024, {0}:00</p>"),
    "times of many days": numbered("<time datetime=2024-05-06T07:08:09+{0}>a</time> "),
    "metas of dates": numbered(
        "<meta property=article:published_time content=2024-05-06T{0}>", "", ARTICLE
    ),
    "metas of images": numbered(
        "<meta property=og:image content=/i{0}.png>", "", ARTICLE
    ),
    "metas of keywords": single(
        "<meta name=keywords content='", "river, mill, ", f"'>{ARTICLE}"
    ),
    "metas of tags": numbered("<meta property=article:tag content=a{0}>", "", ARTICLE),
    "metas of refreshes": flood(
        "<meta http-equiv=refresh content='0;url=/x'>", "", ARTICLE
    ),
    "metas of encodings": flood("<meta charset=x>", "", ARTICLE),
    "alternate languages": numbered(
        "<link rel=alternate hreflang=x{0} href=/{0}>", "", ARTICLE
    ),
    "titles": flood("<title>River</title>", "", ARTICLE),
    "titles in svg": flood("<svg><title>River</title></svg>"),
    "breadcrumbs": flood(
        "<nav class=breadcrumb><ol><li><a href=/>Home</a><li>River</ol></nav>"
    ),
    "tags without names": flood("<>river</>"),
    "closing tags of nothing": flood("</>"),
    "ends of the page": flood("</html><p>river"),
    "stray ends": flood("</a></b></i></table></select></form>a"),
    "comments that end at once": flood("<!-->a<!--->b"),
    "comments of dashes": single(ARTICLE + "<!", "-"),
    "comments in comments": flood("<!-- <!-- river -->"),
    "comments that end oddly": flood("<!-- river --!>"),
    "bogus comments": flood("<!river><?mill></ old>"),
    "sections of cdata": flood("<![CDATA[river]]>"),
    "sections of cdata in svg": flood("<svg><![CDATA[<p>river]]></svg>"),
    "declarations of XML": flood("<?xml version='1.0'?>"),
    "declarations of types": flood("<!DOCTYPE html PUBLIC 'a' 'b'>"),
    "entities of a type": single(
        "<!DOCTYPE html [", "<!ENTITY a '&b;'>", f"]>{ARTICLE}"
    ),
    "server-side marks": flood("<% river %> <? mill ?> {{ old }} "),
}
