"""A block's own features, its place and its page, worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.learned.features import weights
from tests.extraction.features.helpers import features_of, told, value, values
from tests.extraction.helpers import document_of


class TestWords:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("Three small words", 3),
            ("你好世界", 2),  # four characters
            ("大家好", 1.5),
            ("我用 Linux", 2),
            ("ひらがな と カタカナ", 4.5),
            ("한국어", 1.5),
            ("—", 0),
        ],
    )
    def test_a_cjk_character_weighs_half_a_word(self, text: str, words: float) -> None:
        assert weights(document_of(f"<p>{text}")).tolist() == [words]
        assert value(f"<p>{text}", "words") == words

    def test_counts_and_shares_of_a_sentence(self) -> None:
        html = "<p>In 2024, <a href=x>Anna Ek</a> left, <b>alone</b>. She won 10!"
        columns = features_of(html)
        expected = {
            "words": 9,
            "chars": 41,
            "word_length": 41 / 9,
            "link_density": 2 / 9,
            "strong_density": 1 / 9,
            "cjk_share": 0,
            "sentences": 2,
            "words_per_sentence": 4.5,
            "commas_per_word": 2 / 9,
            "digit_share": 6 / 41,
            "capital_share": 4 / 41,
            "ends_sentence": 1,
            "runs": 5,
            "images": 0,
            "breaks": 0,
            "heading": 0,
        }
        found = {name: columns[name].tolist() for name in expected}
        assert found == {
            name: [pytest.approx(number)] for name, number in expected.items()
        }

    def test_densities_count_cjk_characters_as_words(self) -> None:
        html = "<p>你好 <a href=x>世界</a> <b>ab</b>"
        assert value(html, "link_density") == 0.4
        assert value(html, "strong_density") == 0.2
        assert value(html, "cjk_share") == 0.8

    def test_a_block_without_words_divides_by_one(self) -> None:
        columns = features_of("<p>* * *")
        assert value("<p>* * *", "word_length") == 5
        assert [columns[name].tolist() for name in ("words", "link_density")] == [
            [0],
            [0],
        ]

    def test_images_and_breaks_inside_of_blocks_are_counted(self) -> None:
        columns = features_of(
            "<img><p>a<img>b<br>c<br>d<img><p>e<div><img></div><p>f<br>"
        )
        assert values(columns, "images") == [2, 0, 0]
        assert values(columns, "breaks") == [2, 0, 1]

    def test_headings_have_their_level(self) -> None:
        columns = features_of("<h1>a</h1><h2><span>b</span></h2><p>c<h6>d</h6>")
        assert values(columns, "heading") == [1, 2, 0, 6]


# What the last characters of a block say: sentence, colon, ellipsis or nothing.
ENDINGS = [
    ("Done.", "sentence"),
    ("Done!", "sentence"),
    ("Done?", "sentence"),
    ("Done?!", "sentence"),
    ("Done:", "colon"),
    ("Done;", ""),
    ("Done,", ""),
    ("Done", ""),
    ("Done...", "ellipsis"),
    ("Done..", "ellipsis"),
    ("Done…", "ellipsis"),
    # Closing quotation marks and brackets
    ('He said: "Done."', "sentence"),
    ("He said: 'Done.'", "sentence"),
    ("He said: “Done.”", "sentence"),
    ("He said: ‘Done.’", "sentence"),
    ("(Done.)", "sentence"),
    ("[Done.]", "sentence"),
    ('("Done!")', "sentence"),
    ("He said “Done”", ""),
    ('As follows ("these"):', "colon"),
    ("(Done…)", "ellipsis"),
    ("“Done…”", "ellipsis"),
    # Chinese and Japanese
    ("你好。", "sentence"),
    ("你好！", "sentence"),
    ("你好？", "sentence"),
    ("如下：", "colon"),
    ("你好，", ""),
    ("“你好。”", "sentence"),
    ("你好", ""),
    # Arabic, Persian, Urdu
    ("هل هذا كتاب؟", "sentence"),
    ("یہ کتاب ہے۔", "sentence"),
    ("نعم؛", ""),
    ("نعم.", "sentence"),
    # The same last bytes as a mark has
    ("Я", ""),
    ("ϟ", ""),
    ("①", ""),
    # Nothing but marks
    (".", "sentence"),
    (":", "colon"),
    ('"', ""),
    ("..", "ellipsis"),
    ("…", "ellipsis"),
    ("。", "sentence"),
    ("؟", "sentence"),
    ("۔)", "sentence"),
    ("”", ""),
    ('.")', "sentence"),
]


@pytest.mark.parametrize(("text", "ending"), ENDINGS)
def test_how_a_block_ends(text: str, ending: str) -> None:
    columns = features_of(f"<p>Before.<p>{text}<p>After")
    found = [told(columns, "ends_")[i] for i in range(3)]
    assert found == [["sentence"], [ending] if ending else [], []]


class TestTagsAndContexts:
    def test_the_tag_is_that_of_the_block_level_element(self) -> None:
        columns = features_of(
            "<p><b>a</b><ul><li><a href=x>b</a></ul><table><tr><td>c<th>d</table>"
            "<x-y>e</x-y>"
        )
        assert told(columns, "tag_")[:4] == [["p"], ["li"], ["td"], ["th"]]
        assert told(columns, "tag_")[4] == []  # body's own text

    def test_contexts_by_elements_roles_and_styles(self) -> None:
        columns = features_of(
            "<nav><ul><li>a</ul></nav><main><article><p>b<blockquote>c</blockquote>"
            "</article></main><div role=contentinfo>d</div><div style='display:none'>e"
            "</div><aside><pre><code>f</code></pre></aside><header><form>g</form>"
            "</header><figure><figcaption>h</figcaption></figure>"
        )
        # `told` would find the names of link texts' contexts in any order.
        assert [set(names) for names in told(columns, "in_")] == [
            {"navigation", "list"},
            {"main", "article"},
            {"main", "article", "quote"},
            {"footer"},
            {"hidden"},
            {"aside", "pre", "code"},
            {"header", "form"},
            {"caption"},
        ]

    def test_only_what_all_of_the_text_stands_in_counts(self) -> None:
        assert told(features_of("<p><code>a</code> b<p><code>c</code>"), "in_") == [
            [],
            ["code"],
        ]


SECTIONS = (
    "<p>one two"  # 0
    "<h2>Three four five</h2>"  # 1
    "<p>six"  # 2
    "<p>seven <a href=x>eight</a>"  # 3
    "<h1>Nine</h1>"  # 4
    "<h3>Ten</h3>"  # 5
    "<p>eleven twelve"  # 6
)


class TestPlace:
    def test_distances_to_headings(self) -> None:
        columns = features_of(SECTIONS)
        assert values(columns, "since_heading") == [99, 0, 1, 2, 0, 0, 1]
        assert values(columns, "until_heading") == [1, 0, 2, 1, 0, 0, 1]
        assert values(columns, "heading_level_above") == [7, 2, 2, 2, 1, 3, 3]
        assert values(columns, "from_h1") == [-4, -3, -2, -1, 0, 1, 2]

    def test_sections_reach_from_a_heading_to_the_next(self) -> None:
        columns = features_of(SECTIONS)
        # A heading's own section ends with itself; before the first it is the rest.
        assert values(columns, "section_words") == [2, 3, 6, 6, 1, 1, 3]
        assert values(columns, "section_plain") == [2, 3, 5, 5, 1, 1, 3]

    def test_a_page_without_headings(self) -> None:
        columns = features_of("<p>a b<p>c")
        assert values(columns, "since_heading") == [99, 99]
        assert values(columns, "until_heading") == [2, 1]
        assert values(columns, "heading_level_above") == [7, 7]
        assert values(columns, "section_words") == [3, 3]
        assert values(columns, "from_h1") == [-999, -999]

    def test_far_headings_are_99_blocks_away(self) -> None:
        columns = features_of("<p>a" * 150 + "<h2>b</h2>")
        assert values(columns, "until_heading")[50:53] == [99, 99, 98]

    def test_rank_and_shares_of_what_came_before(self) -> None:
        columns = features_of("<p>a b<p><a href=x>c</a><p>d")
        assert values(columns, "rank") == [0, 1, 2]
        assert values(columns, "rank_share") == [0, 0.33333, 0.66667]
        assert values(columns, "rank_from_end") == [3, 2, 1]
        assert values(columns, "words_before_share") == [0, 0.5, 0.75]
        assert values(columns, "plain_before_share") == [0, 0.66667, 0.66667]

    def test_depth_is_that_of_the_block_level_element(self) -> None:
        columns = features_of("<p><b><i>a</i></b><div><div>b</div></div>")
        assert values(columns, "depth") == [2, 3]

    def test_gaps_are_the_tags_and_texts_between(self) -> None:
        # </p><p> | </p><div><img><div><p> (an image has no end tag)
        columns = features_of("<p>a</p><p>b</p><div><img><div><p>c</p></div></div>")
        assert values(columns, "gap_before") == [0, 3, 6]
        assert values(columns, "gap_after") == [3, 6, 0]

    def test_a_block_alone_has_no_gaps(self) -> None:
        columns = features_of("<p>a")
        assert values(columns, "gap_before") == values(columns, "gap_after") == [0]


class TestPage:
    def test_the_page_is_the_same_for_each_block(self) -> None:
        html = (
            f"<main><article><h1>Title</h1><p>{'word ' * 16}.<p>你好。 <img></article>"
            "</main><ul><li><a href=x>one two</a><li>three</ul><table><tr><td>4</table>"
            "<time>5</time>"
        )
        columns = features_of(html)
        expected = {
            "page_words": 1 + 16 + 1 + 2 + 1 + 1 + 1,
            "page_blocks": 7,
            "page_link_density": 2 / 24,
            "page_long_share": 16 / 23,
            "page_sentences_per_block": 2 / 7,
            "page_cjk_share": 2 / 24,
            # html head? body main article h1 p p img ul li a li table tr td time
            "page_elements_per_word": document_of(html).n_elements / 23,
            "page_articles": 1,
            "page_mains": 1,
            "page_paragraphs": 2,
            "page_items": 2,
            "page_images": 1,
            "page_tables": 1,
            "page_headings": 1,
            "page_times": 1,
        }
        found = {name: set(values(columns, name)) for name in expected}
        assert found == {name: {round(v, 5)} for name, v in expected.items()}
        assert {name for name in columns if name.startswith("page_")} - set(
            expected
        ) == {
            "page_type_article",
            "page_type_product",
            "page_type_list",
            "page_type_forum",
            "page_type_organisation",
            "page_type_recipe",
            "page_og_article",
        }

    def test_a_block_of_15_words_is_not_long(self) -> None:
        assert value(f"<p>{'w ' * 15}", "page_long_share") == 0
        assert value(f"<p>{'w ' * 16}", "page_long_share") == 1
