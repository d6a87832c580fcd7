"""Generated pages with the markup that features read, in any order and number."""

from __future__ import annotations

from html import escape

from hypothesis import strategies as st

WORDS = (
    "owl Owl GLUE glue harbour 12 3.5 a é Éa 你好 読む。 ひらがな한국어 — * x_y don’t"
).split()
MARKS = [*" .:!?…。：！؟,，", "...", '."', "!)", "”", "<br>", "<img>", "\n"]

words = st.sampled_from(WORDS)
repeated = st.builds(lambda word, n: f"{word} " * n, words, st.integers(1, 40))
plain = st.lists(words | st.sampled_from(MARKS), max_size=6).map(" ".join)
inline = st.one_of(
    plain,
    plain,
    repeated,
    repeated.map(lambda text: f"{text}."),
    plain.map("<a href=x>{}</a>".format),
    repeated.map("<a href=/a/long/address>{}</a>".format),
    plain.map("<b>{}</b>".format),
    plain.map("<span style='display:none'>{}</span>".format),
    plain.map("<code>{}</code> <time>1</time>".format),
    st.sampled_from(["<img>", "<br>", "<input>", "<button>Buy</button>", "<hr>"]),
)
# Few texts over and over, so that some repeat.
texts = st.lists(inline, max_size=3).map(" ".join) | st.sampled_from(
    ["Read more", "READ more 2", "owl glue", "12", "One. Two. Three."]
)

CLASSES = "post post-12 POST-7 card nav x y x1 12 \x01a a".split()
NAMED = st.lists(st.sampled_from(CLASSES), max_size=3).map(" ".join)
extra = st.one_of(
    st.just(""),
    NAMED.map(" class='{}'".format),
    NAMED.map(" class='{}' id=main role=main".format),
    st.sampled_from([" hidden", " style='display:none'", " id=x2", " role=navigation"]),
    st.sampled_from(["Product", "Article", "Thing", "ItemList"]).map(
        " itemscope itemtype=https://schema.org/{}".format
    ),
)
INNER = (
    "p p p p h1 h2 h3 h4 h6 li li td th dt dd blockquote pre figcaption button div span"
    " code"
).split()
OUTER = (
    "div div section ul article main nav header footer aside table tr form dl figure"
    " dialog noscript a"
).split()


def element(tag: str, more: str, inside: str) -> str:
    return f"<{tag}{' href=x' * (tag == 'a')}{more}>{inside}</{tag}>"


leaves = st.builds(element, st.sampled_from(INNER), extra, texts)
alike = st.builds(
    lambda tag, more, inside: "".join(element(tag, more, own) for own in inside),
    st.sampled_from("li p tr div section article".split()),
    extra,
    st.lists(texts | leaves, min_size=3, max_size=5),
)


def around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Containers of some parts, once or with copies of themselves beside them."""
    inside = st.lists(inner | texts, min_size=1, max_size=4).map("".join)
    return st.builds(
        lambda tag, more, parts, times: element(tag, more, parts) * times,
        st.sampled_from(OUTER),
        extra,
        inside,
        st.sampled_from([1, 1, 1, 3]),
    )


parts = st.recursive(leaves | alike, around, max_leaves=12)
bodies = st.builds(
    lambda first, depth, rest: f"{first}{'<div>a' * depth}{''.join(rest)}",
    parts,
    st.sampled_from([0, 0, 0, 8]),
    st.lists(parts, min_size=1, max_size=7),
)

# Types in all shapes, sound ones and torn ones.
PIECES = [
    *('"@type"', '"@type"', ":", " : ", '"', '"', "\n", "     ", '""', "@type", "{"),
    *("Article", "Product", "QAPage", "Recipe", "ItemList", "Service", "Thing", "_"),
    *("schema.org/", "https://schema.org/Offer", "schema.org", "/", "x" * 39, '"@type'),
    *('{"@type":"NewsArticle"}', '{"@type" : "HowTo"}', "article", "owl glue 12"),
]
saying = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
said = saying.map(lambda text: escape(text, quote=True))
NAMES = (
    "description og:description OG:Description og:type og:type og:Type keywords"
).split()
metas = st.builds(
    lambda key, name, content: f'<meta {key}="{name}"{content}>',
    st.sampled_from(["name", "property"]),
    st.sampled_from(NAMES),
    st.just("") | st.one_of(said, plain.map(escape)).map(' content="{}"'.format),
)
TYPES = (
    "Article BlogPosting Product Offer ItemList OfferCatalog QAPage Question Service"
    " Corporation Recipe HowTo Thing Articles"
).split()
heads = st.lists(
    st.one_of(
        metas,
        st.sampled_from(["article", "website", "my.article"]).map(
            "<meta property=og:type content={}>".format
        ),
        st.sampled_from(TYPES).map(
            '<script type=application/ld+json>{{"@type": "{}"}}</script>'.format
        ),
        plain.map('<meta name=description content="{}">'.format),
        st.one_of(plain, repeated).map("<title>{}</title>".format),
        saying.map("<script type=application/ld+json>{}</script>".format),
        said.map("<div itemtype='{}'>a</div>".format),
        st.lists(words, min_size=60, max_size=70).map(
            lambda all_words: f"<title>{' '.join(all_words)}</title>"
        ),
    ),
    max_size=4,
).map("".join)

#: Declarations, then the parts of a page.
pages = st.builds("{}<body>{}".format, heads, bodies)
