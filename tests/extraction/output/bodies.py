"""Bodies of pages whose texts would be active as HTML, and a judge of what renderers
make of their Markdown."""

from __future__ import annotations

import random
import re
from html import escape
from typing import Any
from urllib.parse import urlsplit

from lxml import html as lxml_html
from lxml.html import defs

from scrapy_mainpage import Page
from scrapy_mainpage.extraction.algorithms import get_algorithm
from scrapy_mainpage.extraction.extractor import Extractor

EXTRACTOR = Extractor(get_algorithm("semantic-markup"))
RIVER = "<p>The river runs through old towns and under bridges, past mills.</p>"

ACTIVE = (
    "<img src=x onerror=alert(1)>", "<script>alert(1)</script>",
    "</p><script>alert(1)</script>", "<svg/onload=alert(1)>", "<x onclick=alert(1)>",
    "<a href=javascript:alert(1)>x</a>", "<javascript:alert(1)>",
    "<http://evil.example>", "<!--><img src=x onerror=alert(1)>",
    "<?a <img src=x onerror=alert(1)>?>", "&lt;img src=x onerror=alert(1)&gt;",
    "[x](javascript:alert(1))", "![x](javascript:alert(1))", "[x]: javascript:alert(1)",
    "[x]", "![x][x]", "{: onerror=alert(1) }", "{onerror=alert(1)}",
    '" onerror="alert(1)', "' onload='alert(1)", "http://](http://evil.example/a.png)",
    "![x](http://evil.example/a.png)", "![x][y]\n\n[y]: http://evil.example/a.png",
    "<link rel=stylesheet href=http://evil.example/>", "<iframe src=//evil.example/>",
    "<style>@import 'http://evil.example/'</style>", "x", "x-1", "river", "](",
    "](javascript:alert(1))",
)  # fmt: skip
#: What may begin or end something beside code, links, emphasis and cells.
GLUE = (
    "", "", "", " ", " ", "\n", "\n\n", "\t", "\n    ", "See ", "\\", "\\\\", "\\\\\\",
    "`", "``", "``` ", "```\n", "~~~\n", "*", "**", "***", "_", "__", "~", "~~", "^",
    "==", "||", "|", "\\|", "|---|\n", "$", "$$", "\\(", "\\[", "#", "# ", "* ", "- ",
    "1. ", "> ", "===\n", ":::", "[", "[a", "[^1]", "[^1]: ", "- [ ] ", "![", "!", "](",
    "](<", "]", "][", "]: ", ")", "(", "<", "<b", "<div>", ">", "&", "&lt", "&#60;",
    "&amp;lt;", "&gt;", "{", "}", "{{", "{:", ":", ":x:", "@", "-->", "<!--", "]]>",
    "\u00a0", "\u2028", "www.a.com", "www.a.com/(", "http://a.com/", "http://a.com/<",
    "https://a.com/`", "ftp://a.com/*", "a@b.com", "mailto:a@b.com", "xmpp:a@b.com/",
    "HTTPS://A.com", "http://a.com/?a=$", "http://[", "a", "é", "1", "*a ",
)  # fmt: skip
SPANS = (
    "<code>{}</code>", "<code>{}</code>", "<code>{}</code>", "<kbd>{}</kbd>",
    "<samp>{}</samp>", "<em>{}</em>", "<i>{}</i>x", "<strong>{}</strong>", "<b>{}</b>",
    "<del>{}</del>", "<s>{}</s>", "<sup>{}</sup>", "<sub>{}</sub>", "<a href=/x>{}</a>",
    "<a href='http://a.com/?{}'>x</a>", "<a href='/x()' title='{}'>{}</a>",
    "<img src='/a.png' alt='{}'>", "<img src='/a.png?{}' alt='{}' title='{}'>",
    "<video src='/{}' title='{}'></video>", "<br>{}", "<img class=latex alt='${}$'>",
    "<sup><a href='#fn1' class=footnote>{}</a></sup>", "${}$", "\\({}\\)", "$${}$$",
)  # fmt: skip
BLOCKS = (
    "<p>{}</p>", "<p>{}</p>", "<p>{} and {} and {}</p>", "<h2>{}</h2>",
    "<ul><li>{}<li>{}</ul>", "<ol><li>{}<ul><li>{}</ul></ol>",
    "<table><tr><th>{}<th>b<tr><td>{}<td>{}</table>",
    "<table><tr><td><pre>{}</pre><td>{}</table>", "<blockquote><p>{}</p></blockquote>",
    "<dl><dt>{}<dd>{}</dl>", "<pre>{}</pre>",
    "<pre class=language-html>a\n\n{}\n\n\n    {}\n</pre>",
    "<ul><li>a<pre>{}\n\n{}</pre><li><pre>{}</pre></ul>",
    "<ol><li>a<ol><li>b<pre>{}</pre><ul><li><pre>{}</pre></ul></ol></ol>",
    "<blockquote><pre>{}\n\n{}</pre><ul><li><pre>{}</pre></ul></blockquote>",
    "<ul><li>a<ul><li>b<pre>{}\n\n{}</pre></ul></ul>", "<ul><li>a</ul><pre>{}</pre>",
    "<dl><dt>a<dd><pre>{}</pre></dl>", "<details><summary>{}</summary>{}</details>",
    "<figure><img src=/a.png alt='{}'><figcaption>{}</figcaption></figure>",
    "<p>a <script type=math/tex></script><img class=latex alt='{}'> and {}</p>",
    "<p>{}<script src=mathjax.js></script></p>", "<div>{}<br>{}<br><br>{}</div>",
)  # fmt: skip

#: What renderers write of Markdown, and other elements that only format.
TAGS = frozenset(
    "p br a code pre em strong del s sup sub mark ins u h1 h2 h3 h4 h5 h6 ul ol li b i "
    "table thead tbody tr th td blockquote hr div span section dl dt dd input".split()
)
ATTRIBUTES = frozenset(
    "href title alt class id align start type checked disabled rel role lang".split()
)
#: Elements that HTML knows, beside those and images.
KNOWN = (defs.tags | {"svg", "math", "embed", "template", "dialog", "portal"}) - {"img"}
#: Attributes that say something without a value.
ALONE = frozenset(
    "autofocus autoplay contenteditable hidden inert popover src srcdoc style".split()
)
#: Of an attribute that can mean something.
NAME = re.compile(r"[\w:.-]+").fullmatch
STYLES = (  # of tasks, by showdown
    "list-style-type: none;",
    "margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;",
)
SCHEMES = frozenset(("", "http", "https", "ftp", "mailto", "tel", "xmpp"))
SCRIPTS = frozenset(("javascript", "vbscript", "livescript", "data"))


def body(seed: int) -> str:
    """The body of the page number *seed*: a few blocks of texts, spans and what is
    between them."""
    choose = random.Random(seed)
    blocks = (
        _filled(choose.choice(BLOCKS), choose, 2)
        for _ in range(choose.choice((1, 1, 2, 4)))
    )
    return choose.choice(("", "\n", RIVER)).join(blocks)


def _filled(template: str, choose: random.Random, depth: int) -> str:
    first, *others = template.split("{}")
    made = first
    for part in others:
        is_value = made.rfind("<") > made.rfind(">")  # of an attribute: no elements
        made += _inline(choose, 0 if is_value else depth) + part
    return made


def _inline(choose: random.Random, depth: int) -> str:
    made = []
    for _ in range(choose.choice((1, 2, 3, 5))):
        if depth and choose.random() < 0.4:
            made.append(_filled(choose.choice(SPANS), choose, depth - 1))
        else:
            made.append(escape(choose.choice(choose.choice((ACTIVE, GLUE, GLUE)))))
    return "".join(made)


def extracted(content: str) -> Page:
    """The extraction of a page with that content between two paragraphs."""
    html = f"<article>{RIVER}{content}{RIVER}</article>"
    return EXTRACTOR.extract(html, url="http://h/")


class Judge:
    """Finds what the HTML of a page's Markdown has beyond its sanitised content."""

    def __init__(self, own: str) -> None:
        elements = _elements(own)
        self.tags = TAGS | {str(each.tag) for each in elements}
        self.names = ATTRIBUTES | {name for each in elements for name in each.attrib}
        self.sources = {_address(each.get("src", "")) for each in elements}
        self.links = {_address(each.get("href", "")) for each in elements}

    def active_parts(self, html: str) -> list[str]:
        """The elements, attributes and addresses that are not the page's.

        Some do nothing: an element or attribute that HTML cannot know, as of
        ``vector<int>``, a link of an unknown scheme whose address is its text, as of
        ``<std::string>``, and a picture at the address of a script.
        """
        found = []
        for each in _elements(html):
            if not isinstance(each.tag, str) or (
                each.tag in KNOWN and each.tag not in self.tags
            ):
                found.append(str(each.tag))
            for name, value in each.attrib.items():
                if name == "src" and each.tag == "img":
                    is_script = _scheme(value) == "javascript"
                    allowed = is_script or _address(value) in self.sources
                elif name == "href":
                    scheme = _scheme(value)
                    is_shown = scheme not in SCRIPTS and each.text_content() == value
                    allowed = (
                        scheme in SCHEMES or is_shown or _address(value) in self.links
                    )
                else:
                    allowed = (
                        name in self.names
                        or not NAME(name)
                        or value in STYLES
                        or not (value or name in ALONE)
                    )
                if not allowed:
                    found.append(f"{name}={value}")
        return found


def _elements(html: str) -> list[Any]:
    """The elements, but for those of KaTeX."""
    tree: Any = lxml_html.fromstring(f"<div>{html}</div>")
    for each in (*tree.find_class("katex"), *tree.find_class("katex-error")):
        each.drop_tree()
    return list(tree.iter())


def _scheme(value: str) -> str:
    head, colon, _ = "".join(value.split()).partition(":")
    return head.lower() if colon and head.replace("+", "").isalnum() else ""


def _address(value: str) -> str:
    """The scheme and the host; the rest renderers quote in their ways."""
    return "//".join(urlsplit(value.strip())[:2])
