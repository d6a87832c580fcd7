"""Records, as posts, cards and paragraphs are, worked out by hand."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values


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


class TestMeans:
    """What is the same for all blocks in the records of one group."""

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
    def test_over_the_records(self, prefix: str, name: str, number: float) -> None:
        expected = [round(number, 5)] * 6 + [-1]
        assert record(name, prefix) == pytest.approx(expected, abs=1e-5)


class TestPlaces:
    def test_the_record_among_the_others(self) -> None:
        assert record("index") == [0, 0, 1, 1, 2, 2, -1]
        assert record("index_share") == [
            pytest.approx(x / 3 if x >= 0 else x, abs=1e-5)
            for x in (0, 0, 1, 1, 2, 2, -1)
        ]

    def test_the_block_in_its_record(self) -> None:
        assert record("place") == [0, 0.5] * 3 + [-1]
        assert record("up") == [1] * 6 + [-1]
        assert record("own_words") == [3, 3, 5, 5, 7, 7, -1]
        assert record("word_share") == [
            pytest.approx(x, abs=1e-5)
            for x in (1 / 3, 2 / 3, 1 / 5, 4 / 5, 1 / 7, 6 / 7, -1)
        ]
        assert record("own_link_density") == [
            pytest.approx(x, abs=1e-5)
            for x in (1 / 3, 1 / 3, 1 / 5, 1 / 5, 1 / 7, 1 / 7, -1)
        ]

    def test_blocks_at_its_place_and_how_many_of_their_texts_differ(self) -> None:
        assert record("field") == [1] * 6 + [-1]
        # Two names of three are different, and all of the texts.
        assert record("distinct") == [
            pytest.approx(x, abs=1e-5) for x in (2 / 3, 1, 2 / 3, 1, 2 / 3, 1, -1)
        ]

    def test_fields_that_only_some_records_have(self) -> None:
        page = "<li><b>a</b><div>b</div>" + "<li>c<p>d" * 3
        columns = features_of(f"<ul>{page}</ul>")
        # The items' own texts; a division in one of four; paragraphs in three.
        assert values(columns, "record_field") == [1, 0.25] + [1, 0.75] * 3


def counts(page: str) -> list[float]:
    return values(features_of(f"<body>{page}"), "record_count")


class TestWhatARecordIs:
    def test_two_are_too_few(self) -> None:
        assert counts("<ul><li>a<li>b</ul>") == [-1, -1]
        assert counts("<ul><li>a<li>b<li>c</ul>") == [3, 3, 3]

    def test_they_have_one_parent(self) -> None:
        assert counts("<ul><li>a<li>b</ul><ol><li>c<li>d</ol>") == [-1] * 4
        assert counts("<div><p>a<p>b<p>c</div><div><p>d<p>e<p>f<p>g</div>") == [
            *[3] * 3,
            *[4] * 4,
        ]

    def test_they_need_not_follow_each_other(self) -> None:
        assert counts("<p>a<h2>b</h2><p>c<h2>d</h2><p>e") == [3, -1, 3, -1, 3]

    def test_they_have_the_same_usual_classes(self) -> None:
        page = "<p class=x>a<p class=x>b<p class=x>c<p>d<p class='one'>e<p class=two>f"
        assert counts(page) == [3] * 6
        assert counts("<p class=x>a<p class=x>b<p>c") == [3] * 3
        assert counts("<p class=x>a" * 3 + "<p>b") == [3, 3, 3, -1]

    def test_empty_ones_count_and_are_none(self) -> None:
        columns = features_of("<div>a</div><div></div><div>b</div>")
        assert values(columns, "record_count") == [3, 3]
        assert values(columns, "record_filled") == [pytest.approx(2 / 3, abs=1e-5)] * 2
        assert values(columns, "record_index") == [0, 2]

    def test_the_nearest_one_counts(self) -> None:
        inner = "<div><p>a</p><p>b</p><p>c</p></div>"
        columns = features_of(f"<main>{inner * 3}</main>")
        assert values(columns, "record_words") == [1] * 9
        assert values(columns, "wide_record_words") == [3] * 9

    def test_wide_ones_have_two_blocks_on_average(self) -> None:
        pairs = "<div><h2>a</h2><p>b</p></div>"
        wide = features_of(f"<main>{pairs * 3}</main>")
        assert values(wide, "wide_record_count") == [3] * 6
        less = features_of(f"<main>{pairs * 2}<div><p>c</p></div></main>")
        assert values(less, "wide_record_count") == [-1] * 5
        assert values(less, "record_count") == [3] * 5


def test_without_records_everything_is_minus_one() -> None:
    columns = features_of("<p>a<h1>b</h1>")
    names = [name for name in columns if name.startswith(("record_", "wide_record_"))]
    assert len(names) == 42
    assert all(values(columns, name) == [-1, -1] for name in names)
