"""What a page declares of its own content is content where the page shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.rules import RuleBook

STORY = (
    "<p>"
    + "The kitchen was warm, and the dough had risen all night long. " * 8
    + "</p>"
)
LINES = ("2 cups flour", "1 pinch of salt", "3 eggs", "1 pinch of salt")
STEPS = ("Stir the flour into the eggs, slowly.", "Bake all of it until it is brown.")


def page_of(body: str, *things: dict[str, object]) -> str:
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(each)}</script>'
        for each in things
    )
    return (
        f"<title>Bread</title>{scripts}<article><h1>Bread</h1>{STORY}</article>{body}"
    )


RECIPE = {
    "@type": "Recipe",
    "name": "Bread",
    "author": {"@type": "Person", "name": "Ann Baker"},
    "recipeIngredient": LINES,
    "recipeInstructions": [{"@type": "HowToStep", "text": text} for text in STEPS],
    "prepTime": "PT00H00M00S",
    "cookTime": "PT40M",
}
CARD = """<form><ul>{}</ul></form>"""
ITEM = '<li><label><input type="checkbox"><span>{}</span> <span>{}</span></label></li>'


def test_ingredients_and_steps_that_a_page_shows_are_content() -> None:
    items = [ITEM.format(*line.split(" ", 1)) for line in LINES]
    items.insert(2, "<li>For the glaze</li>")
    steps = "".join(
        f"<div><div>{k}</div><p>{text}</p></div>" for k, text in enumerate(STEPS)
    )
    body = CARD.format("".join(items)) + f"<div class='sidebar'>{steps}</div>"
    text = extract(page_of(body, RECIPE)).text
    assert all(line in text for line in (*LINES, *STEPS, "For the glaze"))


def test_microdata_declare_lines_too() -> None:
    items = "".join(f'<li itemprop="recipeIngredient">{line}</li>' for line in LINES)
    body = (
        f'<form itemscope itemtype="https://schema.org/Recipe"><ul>{items}</ul></form>'
    )
    assert all(line in extract(page_of(body)).text for line in LINES)


@pytest.mark.parametrize("where", ["hidden", 'style="display:none"'])
def test_hidden_lines_are_no_content(where: str) -> None:
    body = f"<form {where}><ul><li>Two cups of secret flour</li></ul></form>"
    recipe = {**RECIPE, "recipeIngredient": ["Two cups of secret flour"]}
    assert "secret" not in extract(page_of(body, recipe)).text


@pytest.mark.parametrize("chosen", [True, False])
def test_an_answer_goes_with_its_question(chosen: bool) -> None:
    ask, answer = "May it rise for two nights?", "Yes, where it is cold."
    thing = {"@type": "Question", "name": ask, "acceptedAnswer": {"text": answer}}
    faq = f"<div><button>{ask}</button><div class='panel'>{answer}</div></div>"
    body = page_of(
        "" if chosen else f"<footer>{faq}</footer>",
        {"@type": "FAQPage", "mainEntity": [thing]},
    )
    if chosen:  # the question stands among the text, its answer in a box of a form
        asked = f"<p>{ask}</p><form><button>{answer}</button></form>{STORY[:-9]}.</p>"
        body = body.replace("</article>", f"{asked}</article>")
    text = extract(body).text
    assert (ask in text, answer in text) == (chosen, chosen)


def test_recipe_keeps_lines_said_twice_and_its_author() -> None:
    recipe = extract(page_of("", RECIPE)).recipe
    assert recipe is not None
    assert recipe.ingredients == LINES
    assert (recipe.author, recipe.prep_time, recipe.cook_time) == (
        "Ann Baker",
        None,
        "PT40M",
    )


def test_many_equal_lines_take_no_time() -> None:
    body = "<p>salt</p>" * 20_000
    recipe = {**RECIPE, "recipeIngredient": ["salt", "saltsalt"] * 5_000}
    assert "salt" in extract(page_of(body, recipe)).text


def test_a_rule_that_drops_lines_decides(tmp_path: Path) -> None:
    (tmp_path / "a.example.toml").write_text('drop = [".own"]\n')
    body = CARD.format("".join(f"<li class=own>{line}</li>" for line in LINES))
    extractor = Extractor(rules=RuleBook(tmp_path))
    page = extractor.extract(page_of(body, RECIPE), url="https://a.example/b")
    assert "2 cups flour" not in page.text
    assert "2 cups flour" in extract(page_of(body, RECIPE)).text
