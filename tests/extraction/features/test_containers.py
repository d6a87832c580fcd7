"""What the elements around a block hold, worked out by hand on one small page."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values

LEVELS = 7

# Ten words in five blocks, seven of them unlinked.
PAGE = (
    "<body>"
    "<div><p><a href=x>Home page</a></p><p><a href=y>News</a></p></div>"  # 0, 1
    "<div><div><section>"
    "<h2>Title</h2>"  # 2
    "<p>one two three four</p>"  # 3
    "<p>five six</p>"  # 4
    "</section></div></div>"
    "</body>"
)
#: The div, the section and the body by themselves; elements of the subtree per word.
MENU = {
    "blocks": 2,
    "words": 3,
    "share": 0.3,
    "link_density": 1,
    "words_per_block": 1.5,
    "p_share": 1,
    "long_share": 0,
    "headings": 0,
    "elements_per_word": 5 / 3,
    "links": 1,
}
SECTION = {
    "blocks": 3,
    "words": 7,
    "share": 0.7,
    "link_density": 0,
    "words_per_block": 7 / 3,
    "p_share": 6 / 7,
    "long_share": 0,
    "headings": 1,
    "elements_per_word": 4 / 7,
    "links": 0,
}
BODY = {
    "blocks": 5,
    "words": 10,
    "share": 1,
    "link_density": 0.3,
    "words_per_block": 2,
    "p_share": 0.9,
    "long_share": 0,
    "headings": 1,
    "elements_per_word": 1.2,
    "links": 0.4,
}


#: What none of these holds.
NONE = dict.fromkeys(["images", "times", "buttons", "linked_headings"], 0)


def assert_ancestor(
    level: int, block: int, expected: dict[str, float], place: float
) -> None:
    columns = features_of(PAGE)
    found = {
        name.removeprefix(f"up{level}_"): float(columns[name][block])
        for name in columns
        if name.startswith(f"up{level}_")
    }
    assert found == pytest.approx(NONE | expected | {"place": place})


class TestAncestors:
    def test_up0_is_the_block_s_own_element(self) -> None:
        own = {
            "blocks": 1,
            "words": 4,
            "share": 0.4,
            "link_density": 0,
            "words_per_block": 4,
            "p_share": 1,
            "long_share": 0,
            "headings": 0,
            "elements_per_word": 1 / 4,
            "links": 0,
        }
        assert_ancestor(0, 3, own, place=0)

    def test_up1_is_the_parent(self) -> None:
        assert_ancestor(1, 0, MENU, place=0)
        assert_ancestor(1, 1, MENU, place=1 / 2)
        assert_ancestor(1, 2, SECTION, place=0)
        assert_ancestor(1, 4, SECTION, place=2 / 3)

    def test_up2_skips_the_ancestors_that_add_no_block(self) -> None:
        assert_ancestor(2, 1, BODY, place=1 / 5)
        assert_ancestor(2, 3, BODY, place=3 / 5)

    @pytest.mark.parametrize("level", range(3, LEVELS))
    def test_at_the_top_the_last_ancestor_is_repeated(self, level: int) -> None:
        assert_ancestor(level, 3, BODY, place=3 / 5)

    def test_seven_levels_are_looked_at(self) -> None:
        levels = {name[:3] for name in features_of(PAGE) if name.startswith("up")}
        assert levels == {f"up{level}" for level in range(7)}
        # Each division adds a block: block 9 is in the innermost.
        columns = features_of("<div>a" * 10)
        found = [values(columns, f"up{level}_blocks")[9] for level in range(LEVELS)]
        assert found == [1, 2, 3, 4, 5, 6, 7]

    def test_long_blocks_with_few_links_make_the_long_share(self) -> None:
        long, linked = "w " * 16, f"<a href=x>{'w ' * 9}</a>{'w ' * 9}"
        columns = features_of(f"<div><p>{long}<p>{linked}<p>{'w ' * 6}</div>")
        assert values(columns, "up0_long_share") == [1, 0, 0]
        assert values(columns, "up1_long_share") == [0.4, 0.4, 0.4]


class TestElements:
    # Three cards and a form, of two blocks each.
    CARDS = (
        "<main>"
        + "<section><h2><a href=x>One</a></h2><p>Two <img><time>3</time></p></section>"
        * 3
        + "<form><p>Four <input><input></p><button>five</button></form></main>"
    )

    @pytest.mark.parametrize(
        ("kind", "own", "card", "form", "page"),
        [
            ("links", [1, 0, 1, 0, 1, 0, 0, 0], 1 / 2, 0, 3 / 8),
            ("images", [0, 1, 0, 1, 0, 1, 0, 0], 1 / 2, 0, 3 / 8),
            ("times", [0, 1, 0, 1, 0, 1, 0, 0], 1 / 2, 0, 3 / 8),
            ("buttons", [0, 0, 0, 0, 0, 0, 2, 1], 0, 3 / 2, 3 / 8),
        ],
    )
    def test_elements_of_some_kinds_per_block(
        self, kind: str, own: list[float], card: float, form: float, page: float
    ) -> None:
        columns = features_of(self.CARDS)
        assert values(columns, f"up0_{kind}") == own
        assert values(columns, f"up1_{kind}") == [card] * 6 + [form] * 2
        assert values(columns, f"up2_{kind}") == [page] * 8

    def test_headings_that_are_links(self) -> None:
        columns = features_of(self.CARDS)
        assert values(columns, "up0_linked_headings") == [1, 0] * 3 + [0, 0]
        assert values(columns, "up1_linked_headings") == [1] * 6 + [0, 0]
        assert values(columns, "up2_linked_headings") == [3] * 8

    @pytest.mark.parametrize(
        ("heading", "linked"),
        [
            ("<h2><a href=x>One two</a></h2>", 1),
            ("<h2><a href=x>One</a> two</h2>", 0),
            ("<h2><a href=x>One two</a> three</h2>", 1),
            ("<h2>One</h2>", 0),
            ("<p><a href=x>One</a></p>", 0),
        ],
    )
    def test_a_heading_is_a_link_by_more_than_half(
        self, heading: str, linked: int
    ) -> None:
        assert values(features_of(heading), "up0_linked_headings") == [linked]


class TestHeaviest:
    def test_the_container_of_the_unlinked_words(self) -> None:
        columns = features_of(PAGE)
        assert values(columns, "plain_inside") == [0, 0, 1, 1, 1]
        assert values(columns, "plain_distance") == [-2, -1, 0, 0, 0]
        assert values(columns, "plain_place") == [-1, -1, 0, 0.33333, 0.66667]
        assert values(columns, "plain_link_density") == [0] * 5
        assert values(columns, "plain_share") == [1] * 5
        assert values(columns, "plain_depth") == [-1, -1, 1, 1, 1]

    def test_the_way_goes_on_while_a_child_holds_enough(self) -> None:
        # Of the 9 words in paragraphs the section has 6, and 4 of these one paragraph.
        columns = features_of(PAGE)
        assert values(columns, "p_words_inside") == [0, 0, 0, 1, 0]
        assert values(columns, "p_words_distance") == [-3, -2, -1, 0, 1]
        assert values(columns, "p_words_place") == [-1, -1, -1, 0, -1]
        assert values(columns, "p_words_share") == [0.44444] * 5
        assert values(columns, "p_words_depth") == [-1, -1, -1, 0, -1]

    @pytest.mark.parametrize("measure", ["long_words", "sentences"])
    def test_without_any_weight_it_is_the_whole_page(self, measure: str) -> None:
        columns = features_of(PAGE)
        assert values(columns, f"{measure}_inside") == [1] * 5
        assert values(columns, f"{measure}_distance") == [0] * 5
        assert values(columns, f"{measure}_place") == [0, 0.2, 0.4, 0.6, 0.8]
        assert values(columns, f"{measure}_link_density") == [0.3] * 5
        assert values(columns, f"{measure}_share") == [0] * 5
        # html, body, div, p; html, body, div, div, section, p
        assert values(columns, f"{measure}_depth") == [3, 3, 5, 5, 5]

    def test_distances_behind_the_container(self) -> None:
        columns = features_of(f"<p>a<div>{'w ' * 20}</div><p>b<p>c")
        assert values(columns, "long_words_distance") == [-1, 0, 1, 2]

    def test_the_first_of_two_that_weigh_the_same(self) -> None:
        # Neither holds three fifths: the page. A third gives way to the first.
        equal = features_of("<p>One. Two.<p>Three. Four.")
        assert values(equal, "sentences_inside") == [1, 1]
        html = "<div><p>One. Two. <p></div>" + "<p><a href=x>Three. Four. Five.</a>"
        assert values(features_of(html), "sentences_inside") == [1, 0]
