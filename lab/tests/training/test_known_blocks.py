"""Pages of which some main blocks are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lab.training.known_blocks import is_line, read_known

if TYPE_CHECKING:
    from pathlib import Path

LINES = {"2 cups of flour", "mix it well and bake it for an hour in the oven"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    recipe = {
        "id": "bread",
        "url": "bakery.example",
        "ingredients": ["2 cups of flour", "Salt"],
        "instructions_list": ["Mix it."],
    }
    listing = {
        "id": "shop",
        "records": [["/html/body/ul/li[1]"], ["/html/body/ul/li[2]"]],
    }
    unknown = {"id": "court", "entries": []}
    body = "<ul><li><h2>A lamp</h2>€ 9<li><h2>A desk</h2>€ 80</ul>"
    save(
        tmp_path / "recipes",
        [recipe],
        "<p>2 Cups of flour<p>salt<p>Mix it.<p>Salt and pepper",
    )
    save(tmp_path / "listings", [listing, unknown], f"<p>Our shop{body}")
    return tmp_path


def save(folder: Path, rows: list[dict[str, Any]], body: str) -> None:
    (folder / "html").mkdir(parents=True)
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    for row in rows:
        (folder / "html" / f"{row['id']}.html").write_text(f"<body>{body}")


def test_lines_of_recipes_are_main_and_of_the_rest_nothing_is_known(data: Path) -> None:
    (page,) = read_known(data, ["recipes"])
    assert page.main.tolist() == [True, True, True, False]
    assert page.known is not None
    assert page.known.tolist() == page.main.tolist()
    assert page.site == "bakery.example"
    assert page.weight.tolist()[3] == 0
    assert page.is_part


def test_the_address_of_a_recipe_may_be_whole(data: Path) -> None:
    rows = data / "recipes" / "pages.jsonl"
    rows.write_text(rows.read_text().replace("bakery", "https://www.bakery"))
    assert [page.site for page in read_known(data, ["recipes"])] == ["bakery.example"]


def test_blocks_in_records_are_main_and_each_listing_is_a_site(data: Path) -> None:
    (page,) = read_known(data, ["listings"])
    assert page.site == "shop"
    assert page.main.tolist() == [False, True, True, True, True]


def test_no_more_pages_than_asked_for_are_read(data: Path) -> None:
    assert [*read_known(data, ["recipes", "listings"], 0)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 cups of flour", True),
        ("flour", False),
        ("", False),
        ("mix it well and bake it for an hour", True),
        ("1 mix it well and bake it for an hour in the oven", True),
        ("read how to mix it well " * 9 + "bake it for an hour in the oven", False),
    ],
)
def test_a_line_is_a_block_or_most_of_one(text: str, *, expected: bool) -> None:
    assert is_line(text, LINES) is expected
