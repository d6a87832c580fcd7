"""JSON values in scripts."""

from __future__ import annotations

import json

import pytest

from scrapy_mainpage.extraction.embedded.values import JsonScanner
from scrapy_mainpage.extraction.parsing.budget import Budget

from .helpers import FIRST


def find(script: str) -> list[object]:
    return [*JsonScanner(Budget(size=len(script))).find(script)]


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('x={"a": "%s"}', [{"a": FIRST}]),
        ('f( [ "%s" ] )', [[FIRST]]),
        ('return{"a": "%s"}', [{"a": FIRST}]),
        ('$return{"a": "%s"}', [{"a": FIRST}]),
        ('unreturn {"a": "%s"}', []),
        ('_return {"a": "%s"}', []),
        ('\u00e9return {"a": "%s"}', []),
        ('{b: {"a": "%s"}, r: ["%s"]}', [{"a": FIRST}, [FIRST]]),
        ('r {"a": "%s"}', []),
        ('= [1, "%s"]; y = [["%s"]]', [[[FIRST]]]),
        ('x = {"a": "%s"', []),
        ('x = {"a": {"b": "%s"}, c: 1}', [{"b": FIRST}]),
    ],
)
def test_values_begin_where_they_are_assigned_passed_or_returned(
    script: str, found: list[object]
) -> None:
    assert find(" " * 50 + script.replace("%s", FIRST)) == found


@pytest.mark.parametrize("start", ["x = ", "f(", "\nreturn  "])
def test_values_are_found_in_strings(start: str) -> None:
    value = {"a": FIRST, "b": ["\u00e9 and more"] * 20}
    text = json.dumps(value)
    assert find(f"{start}{json.dumps(text)};") == [value]


def test_a_script_that_is_json_is_one_value() -> None:
    text = json.dumps({"a": {"b": FIRST}})
    assert find(f"\n{text} ;") == [{"a": {"b": FIRST}}]


def test_a_value_far_into_a_script_is_found() -> None:
    script = 'f({"a": b});' * 10_000 + f'x = {{"a": "{FIRST}"}}'
    assert find(script) == [{"a": FIRST}]


def test_a_value_of_too_many_levels_ends_the_script() -> None:
    deep = '{"a":' * 100_000 + f'"{FIRST}"' + "}" * 100_000
    script = f"x = {deep}; y = " + json.dumps({"a": FIRST})
    budget = Budget(size=len(script))
    before = budget.left
    assert [*JsonScanner(budget).find(script)] == []
    assert budget.left <= before - len(deep)


def test_decoding_ends_with_the_budget() -> None:
    budget = Budget(size=100_000)
    before = budget.left
    script = "x = " + ('{"a":' + json.dumps(FIRST * 8) + "};x = ") * 20_000
    assert sum(1 for _ in JsonScanner(budget).find(script)) <= before // 1000
    assert budget.left < 0
    assert budget.reasons == ("large",)


def test_starts_that_all_fail_at_the_end_are_not_tried_for_ever() -> None:
    budget = Budget()
    before = budget.left
    script = 'a = {"a":' * 3_000 + '"' + "x" * 100_000
    assert [*JsonScanner(budget).find(script)] == []
    assert budget.left < before
