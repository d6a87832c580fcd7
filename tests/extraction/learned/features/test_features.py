"""The meaning of each family of features, worked out by hand on small pages."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.learned.features import count_weighted_words
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import features_of, told, value, values


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
def test_a_cjk_character_weighs_half_a_word(text: str, words: float) -> None:
    assert count_weighted_words(document_of(f"<p>{text}")).tolist() == [words]
    assert value(f"<p>{text}", "words") == words


def test_counts_and_shares_of_a_sentence() -> None:
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
    assert found == {name: [pytest.approx(number)] for name, number in expected.items()}


# Kind of a block's last characters: sentence, colon, ellipsis or nothing.
ENDINGS = [
    ("Done?!", "sentence"),
    ("Done:", "colon"),
    ("Done,", ""),
    ("Done...", "ellipsis"),
    ("Done…", "ellipsis"),
    ('He said: "Done."', "sentence"),
    ("He said: ‘Done.’", "sentence"),
    ("He said “Done”", ""),
    ("(Done…)", "ellipsis"),
    ("如下：", "colon"),
    ("“你好。”", "sentence"),
    ("هل هذا كتاب؟", "sentence"),
    ("یہ کتاب ہے۔", "sentence"),
    # The same last bytes as a mark has
    ("①", ""),
    ("۔)", "sentence"),
]


@pytest.mark.parametrize(("text", "ending"), ENDINGS)
def test_how_a_block_ends(text: str, ending: str) -> None:
    columns = features_of(f"<p>Before.<p>{text}<p>After")
    found = [told(columns, "ends_")[i] for i in range(3)]
    assert found == [["sentence"], [ending] if ending else [], []]


def test_contexts_by_elements_roles_and_styles() -> None:
    columns = features_of(
        "<nav><ul><li>a</ul></nav><main><article><p>b<blockquote>c</blockquote>"
        "</article></main><div role=contentinfo>d</div><div id=e style='display:none'>e"
        "</div><aside><pre><code>f</code></pre></aside><header><form>g</form>"
        "</header><figure><figcaption>h</figcaption></figure>"
    )
    # Sets, as the order of the contexts' names does not matter.
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


SECTIONS = (
    "<p>one two"  # 0
    "<h2>Three four five</h2>"  # 1
    "<p>six"  # 2
    "<p>seven <a href=x>eight</a>"  # 3
    "<h1>Nine</h1>"  # 4
    "<h3>Ten</h3>"  # 5
    "<p>eleven twelve"  # 6
)


def test_distances_to_headings() -> None:
    columns = features_of(SECTIONS)
    assert values(columns, "since_heading") == [99, 0, 1, 2, 0, 0, 1]
    assert values(columns, "until_heading") == [1, 0, 2, 1, 0, 0, 1]
    assert values(columns, "heading_level_above") == [7, 2, 2, 2, 1, 3, 3]
    assert values(columns, "from_h1") == [-4, -3, -2, -1, 0, 1, 2]


def test_rank_and_shares_of_what_came_before() -> None:
    columns = features_of("<p>a b<p><a href=x>c</a><p>d")
    assert values(columns, "rank") == [0, 1, 2]
    assert values(columns, "rank_share") == [0, 0.33333, 0.66667]
    assert values(columns, "rank_from_end") == [3, 2, 1]
    assert values(columns, "words_before_share") == [0, 0.5, 0.75]
    assert values(columns, "plain_before_share") == [0, 0.66667, 0.66667]


FIVE = "<p>a<p>b b<p>c c c<h2>d d d d</h2><li><a href=x>e e e e e.</a>"


def test_neighbours_have_the_values_of_the_blocks_there() -> None:
    columns = features_of(FIVE)
    assert values(columns, "words_-1") == [0, 1, 2, 3, 4]
    assert values(columns, "words_-2") == [0, 0, 1, 2, 3]
    assert values(columns, "words_+1") == [2, 3, 4, 5, 0]
    assert values(columns, "words_+2") == [3, 4, 5, 0, 0]
    assert values(columns, "heading_+1") == [0, 0, 2, 0, 0]
    assert values(columns, "link_density_+2") == [0, 0, 1, 0, 0]
    assert values(columns, "ends_sentence_+1") == [0, 0, 0, 1, 0]
    assert values(columns, "tag_li_-1") == [0, 0, 0, 0, 0]


def test_means_are_over_what_the_window_holds_of_the_page() -> None:
    columns = features_of(FIVE)
    assert values(columns, "words_mean1") == [1.5, 2, 3, 4, 4.5]
    assert values(columns, "words_mean3") == [2.5, 3, 3, 3, 3.5]
    assert values(columns, "words_mean6") == [3, 3, 3, 3, 3]
    assert values(columns, "heading_mean1") == [0, 0, 0.66667, 0.66667, 1]
    assert values(columns, "tag_p_mean1") == [1, 1, 0.66667, 0.33333, 0]


# Ten words in five blocks, seven of them unlinked.
CONTAINERS = (
    "<body>"
    "<div><p><a href=x>Home page</a></p><p><a href=y>News</a></p></div>"  # 0, 1
    "<div><div><section>"
    "<h2>Title</h2>"  # 2
    "<p>one two three four</p>"  # 3
    "<p>five six</p>"  # 4
    "</section></div></div>"
    "</body>"
)


def test_ancestors_that_add_blocks() -> None:
    columns = features_of(CONTAINERS)
    assert values(columns, "up0_words") == [2, 1, 1, 4, 2]
    assert values(columns, "up1_words") == [3, 3, 7, 7, 7]
    assert values(columns, "up2_words") == [10] * 5
    assert values(columns, "up1_link_density") == [1, 1, 0, 0, 0]
    assert values(columns, "up2_headings") == values(columns, "up6_headings") == [1] * 5
    assert values(columns, "up1_place") == [0, 0.5, 0, 0.33333, 0.66667]


def test_the_container_of_the_unlinked_words() -> None:
    columns = features_of(CONTAINERS)
    assert values(columns, "plain_inside") == [0, 0, 1, 1, 1]
    assert values(columns, "plain_distance") == [-2, -1, 0, 0, 0]
    assert values(columns, "plain_place") == [-1, -1, 0, 0.33333, 0.66667]
    assert values(columns, "plain_link_density") == [0] * 5
    assert values(columns, "plain_share") == [1] * 5
    assert values(columns, "plain_depth") == [-1, -1, 1, 1, 1]


LIST = (
    "<ul><li class='a b'>one<li class='b a'>two words<li>three</ul><p>six words more"
    "</p><ul><li>four</ul>"
)


def test_blocks_at_the_same_path_of_tags() -> None:
    columns = features_of(LIST)
    assert values(columns, "path_count") == [4, 4, 4, 1, 4]
    assert values(columns, "path_block_share") == [0.8, 0.8, 0.8, 0.2, 0.8]
    assert values(columns, "path_word_share") == [0.625, 0.625, 0.625, 0.375, 0.625]
    assert values(columns, "path_mean_words") == [1.25, 1.25, 1.25, 3, 1.25]


def test_copies_and_how_far_the_first_one_is() -> None:
    columns = features_of("<p>One<p>Two<p>one<p>three<p>ONE 1<p>Two")
    assert values(columns, "same_text") == [3, 2, 3, 1, 3, 2]
    assert values(columns, "copy_number") == [0, 0, 1, 0, 2, 1]
    assert values(columns, "copy_distance") == [0, 0, 2, 0, 4, 4]


def posts(count: int) -> str:
    """Posts with a class of their own, a name and two texts each."""
    return "".join(
        f"<div class='post my-{'abcdef'[k]}'><p><a href=x>Name</a><div class=body>"
        f"<p>{'word ' * (k + 1)}</div></div>"
        for k in range(count)
    )


def test_what_blocks_at_like_places_hold_together() -> None:
    columns = features_of(f"<main>{posts(3)}</main><p>Footer of three words here")
    # The names; the texts of 1, 2 and 3 words; the last of 5. Words of the page: 14.
    names, texts, last = [0, 2, 4], [1, 3, 5], [6]
    expected = {
        "group2_count": {"names": 3, "texts": 3, "last": 1},
        "group2_word_share": {"names": 3 / 14, "texts": 6 / 14, "last": 5 / 14},
        "group2_mean_words": {"names": 1, "texts": 2, "last": 5},
        "group2_link_density": {"names": 1, "texts": 0, "last": 0},
    }
    for name, numbers in expected.items():
        for other in (name, name.replace("2", "4")):
            found = values(columns, other)
            assert [found[k] for k in names] == [round(numbers["names"], 5)] * 3
            assert [found[k] for k in texts] == [round(numbers["texts"], 5)] * 3
            assert [found[k] for k in last] == [round(numbers["last"], 5)]


LONG = "w " * 10


# Paragraphs of 10, 10, 3 and 4 words under an article, of 9 elsewhere.
BODIES = (
    "<div><p>one two</p><p>three</p></div>"  # 0, 1
    "<div><article>"
    f"<p>{LONG}</p>"  # 2
    "<h2>A heading of five words</h2>"  # 3
    "<p>a b c</p>"  # 4: of the group, but too short to mark it
    f"<p>{LONG}</p>"  # 5
    "<p>a b c d</p>"  # 6
    "</article></div>"
    f"<div><p>{'v ' * 9}</p></div>"  # 7
)


def test_the_longer_blocks_of_the_group_with_the_most_prose() -> None:
    columns = features_of(BODIES)
    assert values(columns, "body_is") == [0, 0, 1, 0, 0, 1, 1, 0]
    assert values(columns, "body_count") == [3] * 8
    # Blocks of more than 8 words are prose: 20 of 44 words.
    assert values(columns, "body_share") == [round(20 / 44, 5)] * 8


def test_distances_within_and_beyond() -> None:
    columns = features_of(BODIES)
    assert values(columns, "body_since") == [300, 300, 0, 1, 2, 0, 0, 1]
    assert values(columns, "body_until") == [2, 1, 0, 2, 1, 0, 0, 300]
    assert values(columns, "body_beyond") == [-2, -1, 0, 0, 0, 0, 0, 1]


def test_word_density_counts_the_full_lines_of_80_characters() -> None:
    # 15 words of 5 characters and their blanks are 74: a line holds 16 of 4.
    line = "word " * 40
    columns = features_of(f"<p>one two<p>{line}<p>three")
    assert values(columns, "word_density") == [2, 16, 1]
    assert values(columns, "word_density_before") == [0, 2, 16]
    assert values(columns, "word_density_after") == [16, 1, 0]


def test_the_title_s_words_in_a_block_and_the_block_s_in_the_title() -> None:
    columns = features_of(
        "<title>Hide glue and epoxy | Harbour</title>"
        "<h1>HIDE GLUE, and EPOXY!</h1><p>glue of 1 kind<p>None<p>—"
    )
    assert values(columns, "title_share") == [1, 0.25, 0, 0]
    assert values(columns, "title_found") == [0.8, 0.2, 0, 0]


DESCRIBED = "<meta name=description content='{}'><p>one two<p>two three four five<p>six"


def test_the_words_shared_with_the_description() -> None:
    columns = features_of(DESCRIBED.format("One, two: THREE!"))
    assert values(columns, "description_share") == [1, 0.5, 0]
    assert values(columns, "description_found") == [0.66667, 0.66667, 0]
    assert values(columns, "description_words") == [3] * 3


HEADINGS = (
    "<title>Owls of the north</title>"
    "<p>Home <a href=x>News</a>"  # 0
    "<h1>Owls of the north</h1>"  # 1
    "<p>Text"  # 2
    "<h2><a href=x>Read on</a> now</h2>"  # 3
    "<p>More <b>text</b>"  # 4
)


def test_the_heading_above_a_block_is_a_heading_s_own() -> None:
    columns = features_of(HEADINGS)
    assert values(columns, "section_number") == [0, 1, 1, 2, 2]
    assert values(columns, "heading_above_words") == [-1, 4, 4, 3, 3]
    assert values(columns, "heading_above_links") == [-1, 0, 0, 0.66667, 0.66667]
    assert values(columns, "heading_above_title") == [-1, 1, 1, 0, 0]


def test_distances_to_the_title_in_the_text() -> None:
    assert values(features_of(HEADINGS), "from_title") == [-1, 0, 1, 2, 3]


def card(name: str, words: int, more: str = "") -> str:
    return (
        f"<section class=card><h3><a href=x>{name}</a></h3><p>{'w ' * words}{more}</p>"
        "</section>"
    )


# Three cards of two blocks: 1 + 2, 1 + 4 and 1 + 6 words; a footer of 4.
CARDS = (
    f"<main>{card('One', 2)}{card('Two', 4, '<img>')}{card('One', 6, '<time></time>')}"
    "</main><p>a b c d</p>"
)


def record(name: str, prefix: str = "record") -> list[float]:
    return values(features_of(CARDS), f"{prefix}_{name}")


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("count", 3),
        ("words", 5),
        # Of 3, 5 and 7: the root of 8 / 3, over the mean.
        ("spread", (8 / 3) ** 0.5 / 5),
        ("blocks", 2),
        ("link_density", 3 / 15),
        ("page_share", 15 / 19),
        ("links", 1),
        ("filled", 1),
        ("headings", 1),
        ("linked_headings", 1),
        ("images", 1 / 3),
        ("times", 1 / 3),
    ],
)
@pytest.mark.parametrize("prefix", ["record", "wide_record"])
def test_over_the_records(prefix: str, name: str, number: float) -> None:
    expected = [round(number, 5)] * 6 + [-1]
    assert record(name, prefix) == pytest.approx(expected, abs=1e-5)


def test_blocks_at_its_place_and_how_many_of_their_texts_differ() -> None:
    assert record("field") == [1] * 6 + [-1]
    # Two names of three are different, and all of the texts.
    assert record("distinct") == [
        pytest.approx(x, abs=1e-5) for x in (2 / 3, 1, 2 / 3, 1, 2 / 3, 1, -1)
    ]


def counts(page: str) -> list[float]:
    return values(features_of(f"<body>{page}"), "record_count")


def test_two_are_too_few() -> None:
    assert counts("<ul><li>a<li>b</ul>") == [-1, -1]
    assert counts("<ul><li>a<li>b<li>c</ul>") == [3, 3, 3]


def test_they_have_the_same_usual_classes() -> None:
    page = "<p class=x>a<p class=x>b<p class=x>c<p>d<p class='one'>e<p class=two>f"
    assert counts(page) == [3] * 6
    assert counts("<p class=x>a<p class=x>b<p>c") == [3] * 3
    assert counts("<p class=x>a" * 3 + "<p>b") == [3, 3, 3, -1]


def test_without_records_everything_is_minus_one() -> None:
    columns = features_of("<p>a<h1>b</h1>")
    names = [name for name in columns if name.startswith(("record_", "wide_record_"))]
    assert len(names) == 42
    assert all(values(columns, name) == [-1, -1] for name in names)


def ld(json: str) -> str:
    return f"<script type=application/ld+json>{json}</script>"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (ld('{"@type":"NewsArticle"}'), "article"),
        (ld('{"@type" : "QAPage"}'), "forum"),
        (ld('{"@type": "FAQPage", "x": {"@type": "Offer"}}'), "product recipe"),
        (ld('{"@type": "ItemList"}') + ld('{"@type": "Service"}'), "list organisation"),
        (ld('{"@context": "https://schema.org/", "@type": "Thing"}'), ""),
        (ld('{"type": "Article"}'), ""),
        ("<div itemscope itemtype=https://schema.org/Product>", "product"),
        ("<div itemscope itemtype=https://example.org/Product>", ""),
        # A name ends where its value ends.
        ("<meta content=schema.org/><meta content=Offer>", ""),
        (ld('"@type":"Offer') + "<title>'\"'</title>", ""),
        (ld('"@type"@type":"Article"'), "article"),
        (f"<meta content=schema.org/Offer{'x' * 36}>", ""),
        ("<meta content=schema.org/Offer><p class=s>", "product"),
        ("<p>schema.org/Product</p>", ""),
    ],
)
def test_types_in_json_ld_and_microdata(html: str, found: str) -> None:
    assert told(features_of(f"{html}<p>a"), "page_type_")[-1] == found.split()


@pytest.mark.parametrize(
    ("html", "article"),
    [
        ("<meta property=og:type content=article>", 1),
        ("<meta name=OG:Type content='news.article'>", 1),
        ("<meta property=og:type content=website>", 0),
        ("<meta property=og:title content=article>", 0),
        ("<title>On og:type</title><meta name=x content=article>", 0),
        ("<meta property=og:type><meta property=og:type content=article>", 0),
    ],
)
def test_the_open_graph_type(html: str, article: int) -> None:
    assert values(features_of(f"{html}<p>a"), "page_og_article")[-1] == article
