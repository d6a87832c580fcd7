"""Structure and texts that repeat, worked out by hand."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values

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


def test_blocks_at_the_same_path_of_tags_and_classes() -> None:
    columns = features_of(LIST)
    assert values(columns, "class_path_count") == [2, 2, 2, 1, 2]
    assert values(columns, "class_path_block_share") == [0.4, 0.4, 0.4, 0.2, 0.4]
    assert values(columns, "class_path_mean_words") == [1.5, 1.5, 1, 3, 1]


@pytest.mark.parametrize(
    ("first", "second", "paths", "class_paths"),
    [
        ("<div><p>a</div>", "<div><p>b</div>", 2, 2),
        ("<div><p>a</div>", "<div><div><p>b</div></div>", 1, 1),
        ("<div><p>a</div>", "<section><p>b</section>", 1, 1),
        ("<div class=x><p>a</div>", "<div class=y><p>b</div>", 2, 1),
        ("<div class='x y'><p>a</div>", "<div class='y x'><p>b</div>", 2, 2),
        ("<div id=x><p>a</div>", "<div id=y><p>b</div>", 2, 2),
        ("<div class=x1><p>a</div>", "<div class=X2><p>b</div>", 2, 2),
        ("<div><p class=x>a</div>", "<div class=x><p>b</div>", 2, 1),
        ("<x-a>a</x-a><hr>", "<x-b>b</x-b><hr>", 2, 2),  # both the body's
    ],
)
def test_paths_from_the_root(
    first: str, second: str, paths: int, class_paths: int
) -> None:
    columns = features_of(f"<body>{first}{second}")
    assert values(columns, "path_count") == [paths] * 2
    assert values(columns, "class_path_count") == [class_paths] * 2


def test_the_same_text() -> None:
    columns = features_of(
        "<p>Read more<p>READ  MORE<p>Read more 2<p>read<br>m<b>ore</b><p>Read mor"
    )
    assert values(columns, "same_text") == [4, 4, 4, 4, 1]


def test_copies_and_how_far_the_first_one_is() -> None:
    columns = features_of("<p>One<p>Two<p>one<p>three<p>ONE 1<p>Two")
    assert values(columns, "same_text") == [3, 2, 3, 1, 3, 2]
    assert values(columns, "copy_number") == [0, 0, 1, 0, 2, 1]
    assert values(columns, "copy_distance") == [0, 0, 2, 0, 4, 4]


def test_the_same_text_beyond_ascii() -> None:
    columns = features_of("<p>読む<p>読む 3<p>Über uns<p>über uns<p>Über Uns")
    assert values(columns, "same_text") == [2, 2, 2, 1, 2]


def test_numbers_alone_are_all_the_same_text() -> None:
    assert values(features_of("<p>1<p>2 3<p>4.5<p>a"), "same_text") == [2, 2, 1, 1]


def test_a_page_without_words() -> None:
    columns = features_of("<p>*<p>-")
    assert values(columns, "path_word_share") == [0, 0]
    assert values(columns, "path_mean_words") == [0, 0]
    assert values(columns, "same_text") == [1, 1]
