"""Recipes whose lists the page shows: without a declaration, or with half of one."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scrapy_mainpage
from scrapy_mainpage import Page

AMOUNTS = ("250 g flour", "2 eggs", "a pinch of salt", "1 cup of milk")
STEPS = (
    "Whisk the eggs with the milk until they are foamy.",
    "Add the flour and the salt, and leave it for an hour.",
    "Bake thin cakes in a hot pan, two minutes on each side.",
)


def items(lines: tuple[str, ...]) -> str:
    return "".join(f"<li>{line}" for line in lines)


def page(body: str, node: dict[str, Any] | None = None, title: str = "Cakes") -> Page:
    script = (
        json.dumps({"@context": "https://schema.org", "@type": "Recipe", **node})
        if node
        else "{}"
    )
    return scrapy_mainpage.extract(
        f"<title>{title}</title><script type='application/ld+json'>{script}</script>"
        f"<body><main><h1>{title}</h1><p>My aunt baked them on every Sunday.</p>{body}"
        "<h2>Notes</h2><p>They keep for a day, no longer.</p></main>"
    )


SHOWN = {
    "headings": f"<h2>Ingredients</h2><ul>{items(AMOUNTS)}</ul>"
    f"<h2>Method</h2><ol>{items(STEPS)}</ol>",
    "paragraphs": f"<p>Zutaten:</p><ul>{items(AMOUNTS)}</ul><p>Zubereitung:</p>"
    + "".join(f"<p>{step}</p>" for step in STEPS),
    "lines": f"<h3>Ingrédients pour 4 personnes</h3><p>{'<br>'.join(AMOUNTS)}</p>"
    f"<h3>Préparation</h3><p>{'<br>'.join(STEPS)}</p>",
    "boxes": "<h2>材料</h2><ul>"
    + "".join(f"<li><input type=checkbox><b>{a}</b>" for a in AMOUNTS)
    + f"</ul><h2>作り方</h2><ol>{items(STEPS)}</ol>",
    "numbered": f"<h2>Ingredientes</h2><ul>{items(AMOUNTS)}</ul>"
    + "".join(f"<h3>Paso {n}</h3><p>{step}</p>" for n, step in enumerate(STEPS, 1)),
}


@pytest.mark.parametrize("body", SHOWN.values(), ids=SHOWN)
def test_a_recipe_without_a_declaration(body: str) -> None:
    recipe = page("<p>Serves 4</p>" + body).recipe
    assert recipe is not None
    assert recipe.name == "Cakes"
    assert recipe.ingredients == AMOUNTS
    assert recipe.instructions == STEPS


def test_names_of_parts_are_among_the_steps() -> None:
    body = (
        f"<h2>Ingredients</h2><h3>Dough</h3><ul>{items(AMOUNTS)}</ul>"
        "<h3>Glaze</h3><ul><li>1 lemon<li>100 g sugar</ul><h2>Directions</h2>"
        f"<h3>Dough</h3><ol>{items(STEPS)}</ol><h3>Glaze</h3><ol><li>Stir it.</ol>"
    )
    recipe = page(body).recipe
    assert recipe is not None
    assert recipe.ingredients == (*AMOUNTS, "1 lemon", "100 g sugar")
    assert recipe.instructions == ("Dough", *STEPS, "Glaze", "Stir it.")


@pytest.mark.parametrize(
    "body",
    [
        f"<h2>Method</h2><ol>{items(STEPS)}</ol>",
        f"<h2>Ingredients</h2><ul>{items(AMOUNTS)}</ul>",
        "<h2>Ingredients</h2><ul><li>Aqua<li>Glycerin<li>Parfum<li>Linalool</ul>"
        "<h2>Directions</h2><p>Massage it into wet hair, then rinse it out.</p>",
    ],
    ids=["steps", "ingredients", "shampoo"],
)
def test_half_a_recipe_is_none(body: str) -> None:
    assert page(body).recipe is None


def test_the_list_divides_what_one_declared_text_holds() -> None:
    node = {"name": "Cakes", "recipeIngredient": " ".join(AMOUNTS)}
    recipe = page(
        SHOWN["headings"], node | {"recipeInstructions": " ".join(STEPS)}
    ).recipe
    assert recipe is not None
    assert recipe.ingredients == AMOUNTS
    assert recipe.instructions == STEPS


def test_one_declared_step_that_the_page_tells_otherwise_stays() -> None:
    node = {"recipeIngredient": [*AMOUNTS], "recipeInstructions": "Mix, rest and bake."}
    recipe = page(SHOWN["headings"], node).recipe
    assert recipe is not None
    assert recipe.instructions == ("Mix, rest and bake.",)


def test_facts_stand_in_lines_of_many_forms() -> None:
    facts = "<p>Prep time 1:15 h</p><p>Cook time</p><p>20 min</p><p>Serves 6</p>"
    recipe = page(facts + SHOWN["headings"]).recipe
    assert recipe is not None
    assert (recipe.prep_time, recipe.cook_time) == ("PT1H15M", "PT20M")
    assert (recipe.servings, recipe.total_time) == ("6", "PT1H35M")
