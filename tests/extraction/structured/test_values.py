"""Values out of scripts, and what is left of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.embedded._pruned import Source, Whole
from scrapy_mainpage.extraction.embedded.reader import Reader
from scrapy_mainpage.extraction.embedded.values import Budget, Values

from .helpers import FIRST, SECOND, TITLE

DECODER = json.JSONDecoder(strict=False)
ENTITIES = "One &amp; two, three &lt;i&gt;four&lt;/i&gt; " + "and so on " * 5
FRENCH = (
    "L'\u00e9t\u00e9, on go\u00fbte \u00e0 tout \u2014 m\u00eame aux m\u00fbres\u2026 "
    * 2
)
CHINESE = "\u8fd9\u662f\u4e00\u4e2a\u5f88\u957f\u7684\u53e5\u5b50\u3002" * 4
NODE = {
    "type": "paragraph",
    "text": "One two three four five six seven eight nine ten.",
}
STRINGS = [
    "",
    "a",
    "paragraph",
    "doc",
    "https://a.example/one/two/three?a=b&c=d&e=f&g=h&i=j&k=l&m=n&o=p&q=r",
    "color: red; margin: 0 auto; padding: 1px 2px 3px 4px 5px 6px. But no more",
    "no sentence at all but many many words that go on and on and on for ever",
    FIRST,
    f'"{FIRST}"\n\t\\ and / so on',
    f"<p>{SECOND}</p>",
    ENTITIES,
    FRENCH,
    CHINESE,
    FRENCH * 30,
    "Half of a pair: \ud83d. " + SECOND,
    "\u0130 \u0149 " * 5 + "and \u0390.  " * 3,
    TITLE,
    json.dumps({"body": FIRST, "list": [SECOND, NODE] * 9}),
    json.dumps([1, 2] * 100),
    "{" + FIRST * 3 + "}",
]
KEYS = (
    "type _type name style listItem children content text blocks data html value title "
    "Title headline label body post meta widgets t\u00eate"
).split()
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(STRINGS)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.sampled_from(KEYS), inner)
    ),
    max_leaves=25,
)


def keep(key: str) -> bool:
    """Nothing is unwanted."""
    return not isinstance(key, str)


def opened(value: Any) -> Any:
    return value.value() if isinstance(value, Whole) else value


def of_script(script: str, budget: Budget | None = None) -> list[object]:
    return [*map(opened, Values(budget or Budget(), keep).of_script(script))]


def texts_of(
    value: Any, *, whole: bool
) -> tuple[list[tuple[tuple[str, ...], str]], list[str]]:
    """Path and HTML of each text in *value*, and of those that are chosen."""
    reader = Reader(Budget(), lambda: TITLE)
    reader.read(value, None, whole=whole)  # type: ignore[arg-type]
    texts: list[object] = [(text.path, text.html) for text in reader.texts]
    return texts, [text.html for text in reader.chosen()]


@given(VALUES, st.booleans())
def test_what_is_left_of_a_value_has_the_texts_of_the_whole(
    value: Any, ascii_only: bool
) -> None:
    text = json.dumps({"page": value}, ensure_ascii=ascii_only)
    left = [*Reader(Budget(), str).values.of_script(text)] or [None]
    assert texts_of(left[0], whole=False) == texts_of(json.loads(text), whole=True)


@given(
    VALUES,
    st.integers(0),
    st.sampled_from(
        ['"', "{", "]", ",", "\\", "\\u00", "0", "-", "e", " ", "NaN", "tru"]
    ),
)
def test_what_is_no_json_to_python_is_none(value: Any, place: int, other: str) -> None:
    text = json.dumps(value)
    place %= len(text)
    for broken in (text[:place] + other + text[place + 1 :], text[:place]):
        try:
            end = DECODER.raw_decode(broken)[1]
        except ValueError:
            end = None
        is_value, _, behind = Source(broken, keep).value(0)
        assert (behind if is_value else None) == end


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
        ('x == {"a": [undefined,undefined , void 0, "%s"]}', [{"a": [FIRST]}]),
        ('x = {"a": 1, "b": [2, "three"]}', []),
        ('x = {"a": "%s"', []),
        ('x = {"a": {"b": "%s"}, c: 1}', [{"b": FIRST}]),
    ],
)
def test_values_begin_where_they_are_assigned_passed_or_returned(
    script: str, found: list[object]
) -> None:
    assert of_script(" " * 50 + script.replace("%s", FIRST)) == found


@pytest.mark.parametrize("start", ["x = ", "f(", "\nreturn  "])
def test_values_are_found_in_strings(start: str) -> None:
    value = {"a": FIRST, "b": ["\u00e9 and more"] * 20}
    text = json.dumps(value)
    address = text.replace("%", "%25").replace("{", "%7B").replace('"', "%22")
    single = text.replace("\\", "\\\\").replace('"', "\\x22").replace("'", "\\'")
    for literal in (json.dumps(text), f"'{single}'", f'"{address}"', f"'{address}'"):
        assert of_script(f"{start}{literal};") == [{"a": FIRST}]


def test_what_is_left_out_under_a_key() -> None:
    values = Values(Budget(), "meta".__eq__)
    text = json.dumps({"meta": {"a": FIRST}, "post": {"meta": FIRST, "b": FIRST}})
    assert list(values.of_script(text)) == [{"post": {"b": FIRST}}]


def test_a_title_stays_where_a_text_does() -> None:
    value = {"title": TITLE, "post": {"name": TITLE, "b": FIRST}, "c": {"label": "d"}}
    assert of_script(json.dumps(value)) == [
        {"post": {"b": FIRST, "name": TITLE}, "title": TITLE}
    ]


def test_rich_text_is_kept_whole() -> None:
    story = [{"type": "paragraph", "text": word} for word in "one two three".split()]
    other = [{"type": "sedan", "text": word} for word in "four five six".split()]
    (left,) = of_script(json.dumps({"a": story, "b": other}))
    assert isinstance(left, dict)
    assert {key: opened(value) for key, value in left.items()} == {"a": story}


def test_texts_that_are_referred_to_are_kept() -> None:
    values = Values(Budget(), keep, {"$1": FIRST})
    assert values.of_row(b'{"a": "$1", "b": "$2"} more') == {"a": "$1"}


def test_a_value_of_too_many_levels_ends_the_script() -> None:
    deep = '{"a":' * 250 + f'"{FIRST}"' + "}" * 250
    budget = Budget()
    script = f"x = {deep}; y = " + json.dumps({"a": FIRST})
    assert of_script(script, budget) == []
    assert budget.left <= Budget().left - len(deep)
