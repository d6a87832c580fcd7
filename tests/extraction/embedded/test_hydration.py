from __future__ import annotations

import json
from html import escape
from typing import Any

import pytest

from .helpers import (
    FIRST,
    OTHER,
    SECOND,
    STORY,
    THIRD,
    TITLE,
    added,
    data,
    extract,
    script,
    shell,
)  # fmt: skip

BODY = "".join(f"<p>{text}</p>" for text in STORY)
STATE: dict[str, Any] = {
    "config": {"cookieText": {"body": f"Cookies, anyone? {OTHER}"}},
    "translations": {"en": {"description": OTHER}},
    "page": {
        "id": "3f2b8c9e-0d5a-4a51-9d6c-2b5b8a3f1c22",
        "title": TITLE,
        "css": "body{margin:0;padding:0}a{color:red}" * 9,
        "image": "https://cdn.a.example/pots/1200x800/the-round-pot.jpg?auto=format",
        "body": BODY,
        "related": [{"title": "Mill", "body": f"<p>{OTHER}</p>"}],
    },
}


def whole(page_text: str) -> bool:
    """Whether the three paragraphs are all there is."""
    return page_text == "\n\n".join(STORY)


def as_flight(value: Any) -> str:
    """The pushes of a page by React's server components: a row in three parts."""
    text = "\n".join(STORY)
    rows = f'0:["$","div",null,{{}}]\n1:I[5,[],"x"]\n2:T{len(text.encode()):x},{text}'
    rows += (
        f"3:{json.dumps(value).replace(json.dumps(BODY), chr(34) + '$2' + chr(34))}\n"
    )
    cuts = [rows[:9], rows[9:90], rows[90:]]
    pushes = (f"self.__next_f.push({json.dumps([1, cut])})" for cut in cuts)
    return "".join(map(script, pushes))


def put(flat: list[Any], item: Any, *, keyed: bool) -> int:
    """Append *item* to a list of places; keys may be places too."""
    place = len(flat)
    flat.append(item)
    if isinstance(item, dict):
        flat[place] = {
            f"_{put(flat, key, keyed=True)}" if keyed else key: put(
                flat, inner, keyed=keyed
            )
            for key, inner in item.items()
        }
    elif isinstance(item, list):
        flat[place] = [put(flat, inner, keyed=keyed) for inner in item]
    return place


def as_devalue(value: Any) -> str:
    """The list of places that Nuxt writes."""
    flat: list[Any] = [["ShallowReactive", 1]]
    put(flat, value, keyed=False)
    return data(flat, id="__NUXT_DATA__")


def as_stream(value: Any) -> str:
    """The list of places that React Router enqueues; keys are places too."""
    flat: list[Any] = []
    put(flat, value, keyed=True)
    text = json.dumps(json.dumps(flat))
    return script(f"window.__reactRouterContext.streamController.enqueue({text});")


DUMP = json.dumps(STATE).replace("</", "<\\/")
FORMS = {
    "next": data({"props": {"pageProps": STATE}}, id="__NEXT_DATA__"),
    "flight": as_flight(STATE),
    "nuxt": as_devalue(STATE),
    "react router": as_stream(STATE),
    "assigned": script(f"var a = 1; window.__INITIAL_STATE__ = {DUMP};\nrun(a)"),
    "undefined": script(
        f'window.__STATE__={{"x":undefined,"y":[1,undefined],"z":{DUMP}}}'
    ),
    "parsed": script(f"window.__PRELOADED_STATE__ = JSON.parse({json.dumps(DUMP)});"),
    "nested": data({"body": json.dumps({"body": json.dumps(STATE)})}),
    "attribute": f'<div data-page="{escape(json.dumps(STATE))}"></div>',
}


@pytest.mark.parametrize("form", FORMS)
def test_the_text_that_stands_with_the_title_is_found(form: str):
    page = extract(shell(FORMS[form]))
    assert whole(page.text)
    assert page.sources == ("hydration",)
    assert page.words == page.words_total > 60


def test_a_row_of_server_components_names_its_script():
    page = extract(shell(as_flight(STATE)))
    assert {block.xpath for block in page.blocks} == {"/html[1]/body[1]/script[3]"}


def test_markup_in_the_data_is_sanitised():
    body = f"<p onclick=x()>{FIRST}</p><script>evil()</script><!-- <p>{SECOND}</p>"
    post = {"title": TITLE, "blocks": [{"body": body}, {"body": f"<p>{THIRD}"}]}
    page = extract(shell(data({"post": post})))
    assert page.text == f"{FIRST}\n\n{THIRD}"
    assert page.html == f"<p>{FIRST}</p>\n<p>{THIRD}</p>"


def test_without_a_title_one_long_text_is_found():
    texts = [*STORY, OTHER]
    state = {"a": {"name": "x"}, "article": {"content": "\n\n".join(texts)}}
    assert extract(shell(data(state))).text == "\n\n".join(texts)


def test_without_a_title_a_list_of_many_things_is_none():
    items = [{"name": f"Pot {n}", "description": f"{n}. {FIRST}"} for n in range(20)]
    page = extract(shell(data({"products": items})))
    assert (page.text, page.sources) == ("", ())


def test_a_short_text_without_a_title_is_none():
    assert extract(shell(data({"content": f"{FIRST} {SECOND}"}))).text == ""


@pytest.mark.parametrize(
    "state",
    [
        {"i18n": {"content": " ".join(STORY * 3)}},
        {"cookieConsent": {"text": " ".join(STORY * 3)}},
        {"content": "a:hover{color:#fff;margin:0 auto;padding:1px 2px 3px 4px}" * 40},
        {"content": "https://a.example/one/two?three=four " * 40},
        {"description": " ".join(f"word{n}" for n in range(300))},
        {"message": "Hello {name}! " + " ".join(STORY)},
        {"content": " ".join(STORY).replace(" ", "%20") * 3},
    ],
    ids=["i18n", "consent", "css", "addresses", "no sentence", "gaps", "encoded"],
)
def test_what_is_no_prose_of_the_page(state: dict[str, Any]):
    assert extract(shell(data(state))).text == ""


def test_a_thread_has_all_of_its_posts_in_order():
    posts = [{"id": n, "cooked": f"<p>{text}</p>"} for n, text in enumerate(STORY)]
    topic = {"title": TITLE, "post_stream": {"posts": posts}}
    state = {"topic_1": json.dumps(topic)}
    body = f'<div data-preloaded="{escape(json.dumps(state))}"></div>'
    assert whole(extract(shell(body=body)).text)


def test_chinese_sentences_count_by_their_characters():
    text = "先用热水温壶，再放茶叶。水要刚开，盖上盖子等四分钟。" * 6
    state = {"文章": {"标题": "泡茶", "content": text}}
    assert extract(shell(data(state), title="泡茶")).text == text


def test_a_page_with_enough_text_is_left_alone():
    shown = "<article>" + "".join(f"<p>{text}</p>" for text in STORY * 2) + "</article>"
    state = {"post": {"title": TITLE, "body": f"<p>{OTHER}</p>" * 9}}
    page = extract(shell(data(state), body=shown))
    assert page.sources == ("document",)
    assert OTHER not in page.text


def test_a_bit_of_text_is_not_outweighed_by_a_smaller_bit():
    shown = f"<article><p>{FIRST}</p><p>{SECOND}</p></article>"
    state = {"post": {"title": TITLE, "body": OTHER}}
    assert extract(shell(data(state), body=shown)).sources == ("document",)


def test_scripts_that_are_no_data_are_not_read():
    state = json.dumps(STATE).replace("<", "\\u003c")
    page = extract(shell(script(state, type="text/x-handlebars")))
    assert page.text == ""


def test_the_paragraphs_of_two_scripts_are_not_repeated():
    state = {"post": {"title": TITLE, "body": BODY}}
    page = extract(shell(data(state), data({"copy": state})))
    assert added(page) == STORY
