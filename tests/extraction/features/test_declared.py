"""The page's title against its blocks, and the types it declares."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, told, value, values


class TestTitle:
    def test_the_title_s_words_in_a_block_and_the_block_s_in_the_title(self) -> None:
        columns = features_of(
            "<title>Hide glue and epoxy | Harbour</title>"
            "<h1>HIDE GLUE, and EPOXY!</h1><p>glue of 1 kind<p>None<p>—"
        )
        assert values(columns, "title_share") == [1, 0.25, 0, 0]
        assert values(columns, "title_found") == [0.8, 0.2, 0, 0]

    def test_letters_beyond_ascii_are_parts_of_words(self) -> None:
        columns = features_of("<title>Çay été 修理</title><p>Çay<p>ay<p>ÉTÉ été<p>修理")
        # Only ASCII letters are taken in lower case.
        assert values(columns, "title_share") == [1, 0, 0.5, 1]
        assert values(columns, "title_found") == [
            pytest.approx(1 / 3, abs=1e-5),
            0,
            pytest.approx(1 / 3, abs=1e-5),
            pytest.approx(1 / 3, abs=1e-5),
        ]

    def test_words_are_not_found_in_longer_ones(self) -> None:
        assert value("<title>glue</title><p>glues unglue glu", "title_share") == 0

    @pytest.mark.parametrize("title", ["", "<title></title>", "<title> - </title>"])
    def test_without_a_title(self, title: str) -> None:
        assert value(f"{title}<p>a word", "title_share") == 0
        assert value(f"{title}<p>a word", "title_found") == 0

    def test_the_first_title_counts(self) -> None:
        html = "<title>one</title><body><title>two</title><p>one<p>two"
        assert values(features_of(html), "title_share") == [1, 0]

    def test_an_image_s_title_and_a_script_are_no_titles(self) -> None:
        html = (
            "<script type=application/ld+json>one</script><title>two</title>"
            "<svg><title>three</title></svg><p>one<p>two<p>three"
        )
        assert values(features_of(html), "title_share") == [0, 1, 0]

    def test_of_a_long_title_64_words_count(self) -> None:
        title = " ".join(f"w{k}" for k in range(100))
        columns = features_of(f"<title>{title}</title><p>w63<p>w64")
        assert values(columns, "title_share") == [1, 0]
        assert values(columns, "title_found") == [round(1 / 64, 5), 0]
        assert values(columns, "title_words") == [64, 64]


DESCRIBED = "<meta name=description content='{}'><p>one two<p>two three four five<p>six"


class TestDescription:
    def test_the_words_shared_with_the_description(self) -> None:
        columns = features_of(DESCRIBED.format("One, two: THREE!"))
        assert values(columns, "description_share") == [1, 0.5, 0]
        assert values(columns, "description_found") == [0.66667, 0.66667, 0]
        assert values(columns, "description_words") == [3] * 3

    @pytest.mark.parametrize(
        ("head", "words"),
        [
            ("", 0),
            ("<meta name=description>", 0),
            ("<meta name=description content=''>", 0),
            ("<meta name=description content='a b'>", 2),
            ("<meta name=Description content='a b'>", 2),
            ("<meta property=og:description content='a b'>", 2),
            ("<meta name=OG:Description content='a b'>", 2),
            ("<meta name=descriptions content='a b'>", 0),
            ("<meta name=twitter:description content='a b'>", 0),
            ("<meta content=description name='a b'>", 0),
            # The longest of all
            (
                "<meta name=description content=a>"
                "<meta property=og:description content='a b c'>"
                "<meta name=description content='a b'>",
                3,
            ),
            ("<meta name=description content='你好 世界'>", 2),
        ],
    )
    def test_where_it_is_declared(self, head: str, words: int) -> None:
        assert value(f"{head}<p>x", "description_words") == words


def ld(json: str) -> str:
    return f"<script type=application/ld+json>{json}</script>"


class TestSchemaTypes:
    @pytest.mark.parametrize(
        ("html", "found"),
        [
            (ld('{"@type":"NewsArticle"}'), ["article"]),
            (ld('{"@type" : "QAPage"}'), ["forum"]),
            (ld('{"@type": "FAQPage", "x": {"@type": "Offer"}}'), "product recipe"),
            (ld('{"@type": "ItemList"}') + ld('{"@type": "Service"}'), ""),
            (ld('{"@context": "https://schema.org/", "@type": "Thing"}'), ""),
            (ld('{"type": "Article"}'), ""),
            ("<div itemscope itemtype=https://schema.org/Product>", ["product"]),
            ("<div itemscope itemtype=http://schema.org/BlogPosting>", ["article"]),
            ("<div itemscope itemtype=https://example.org/Product>", ""),
            ("<p>schema.org/Product</p>", ""),
            ("<script>{'@type': 'Article'}</script>", ""),
        ],
    )
    def test_json_ld_and_microdata(self, html: str, found: str | list[str]) -> None:
        columns = features_of(f"{html}<p>a")
        expected = found if isinstance(found, list) else found.split()
        if "ItemList" in html:
            expected = ["list", "organisation"]
        assert told(columns, "page_type_")[-1] == expected


class TestOpenGraph:
    @pytest.mark.parametrize(
        ("html", "article"),
        [
            ("<meta property=og:type content=article>", 1),
            ("<meta content=article property=og:type>", 1),
            ("<meta name=og:type content='news.article'>", 1),
            ("<meta property=og:type content=website>", 0),
            ("<meta property=OG:Type content=article>", 1),
            ("<meta property=og:type>", 0),
            ("<meta property=og:type content=''>", 0),
            ("<meta property=og:title content=article>", 0),
            ("", 0),
            # The words are also said elsewhere.
            ("<title>On og:type</title><meta property=og:type content=article>", 1),
            ("<title>On og:type</title><meta name=x content=article>", 0),
            ("<meta name=x content=article><title>On og:type</title>", 0),
            ("<meta name=description content='og:type article'>", 0),
            ("<meta name=og:type:x content=article>", 0),
            ("<p class=og:type content=article>", 0),
            (
                "<meta property=og:type content=website>"
                "<meta property=og:type content=article>",
                0,
            ),
        ],
    )
    def test_the_type_article(self, html: str, article: int) -> None:
        assert values(features_of(f"{html}<p>a"), "page_og_article")[-1] == article
