"""Values out of scripts, whatever piece of a script is tried first."""

from __future__ import annotations

import json

import pytest

from scrapy_mainpage.extraction.structured import values
from scrapy_mainpage.extraction.structured.values import Budget, values_of

VALUE = {
    "title": 'A "day" out\n',
    "numbers": [1.5e-7, -12, True, None],
    "\u00e9": "\ud83d\ude00",
}
JSON = json.dumps(VALUE)
LINES = "\n" * 3 + "var a;" * 20
SCRIPTS = [
    f"{LINES} x = {JSON}; f({JSON}, 'more')",
    f"{LINES} x = {JSON[:-1]}; f({JSON})",
    f"{LINES} x = {JSON[:40]}",
    f"{LINES} x = [{JSON}, undefined, {{}}]; return {JSON}",
    f"{LINES} x = {{'a': {JSON}}}",
    f"{LINES} x = {json.dumps(JSON * 1)}; y = '{{\\x22a\\x22: 1}}'",
    f'{LINES} x = {{"a": -Infinity, "b": NaN, "c": truth}}; z = [[1, 2], {JSON}',
]


def read(script: str, budget: Budget) -> list[object]:
    return list(values_of(script, budget))


@pytest.mark.parametrize("script", SCRIPTS)
def test_where_the_piece_ends_that_is_tried_first_changes_nothing(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "PIECE", len(script))
    whole_budget = Budget()
    whole = read(script, whole_budget)
    for size in range(values.LONGEST_WORD, 120):
        monkeypatch.setattr(values, "PIECE", size)
        budget = Budget()
        assert repr(read(script, budget)) == repr(whole)
        assert budget == whole_budget


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('x={"a": 1}', [{"a": 1}]),
        ('f( [ "a" ] )', [["a"]]),
        ('return{"a": 1}', [{"a": 1}]),
        ('unreturn {"a": 1}', []),
        ('_return {"a": 1}', []),
        ('{b: {"a": 1}, r: ["r"]}', [{"a": 1}, ["r"]]),
        ('r {"a": 1}', []),
        ('x == {"a": [undefined,undefined , void 0]}', [{"a": [None] * 3}]),
    ],
)
def test_values_begin_where_they_are_assigned_passed_or_returned(
    script: str, found: list[object]
) -> None:
    assert read(script, Budget()) == found
