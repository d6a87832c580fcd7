"""Text that browsers show is read, other text is said to be missing."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

import pytest
from scrapy.http import HtmlResponse

from scrapy_mainpage import extract, mainpage
from scrapy_mainpage.text.words import count_words
from tests.browser import open_page

TEXTS = {
    "A": "The river rises in the hills above the old mill and runs to the sea.",
    "B": "In spring the meadows along its banks are flooded, and herons stand there.",
    "C": "The first bridge was built in the year 1204 by monks of the market town.",
}
A, B, C = (f"<p>{text}</p>" for text in TEXTS.values())

HIDING = (
    "audio video canvas select iframe textarea template noframes noembed title datalist"
).split()
SHOWING = "track object svg map applet source param embed picture frame math".split()

HIDDEN = {
    **{f"unclosed {tag}": f"<body>{A}<{tag} src=x>{B}{C}" for tag in HIDING},
    **{f"only {tag}": f"<body><{tag}>{A}{B}{C}</{tag}>" for tag in HIDING},
    "a frameset": f"<frameset cols=50%><frame src=a><noframes>{A}{B}{C}</noframes>",
}
SHOWN = {
    **{f"unclosed {tag}": f"<body>{A}<{tag} src=x>{B}{C}" for tag in SHOWING},
    **{f"only {tag}": f"<body><{tag}>{A}{B}{C}</{tag}>" for tag in SHOWING},
    **{f"{tag} inside": f"<body>{A}<{tag}>{B}</{tag}>{C}" for tag in SHOWING},
    **{f"{tag} in div": f"<div>{A}<{tag}></div>{B}{C}" for tag in ("audio", "canvas")},
    "foreign object": f"{A}<svg><foreignObject>{B}</foreignObject></svg>{C}",
    "svg in svg": f"{A}<svg><g><svg><text>x</text>{B}</svg></g></svg>{C}",
    "a second document": f"<html><body>{A}</body></html><html><body>{B}{C}</html>",
    "a second doctype": (
        f"<!doctype html><html><title>x</title><body>{A}</body></html>"
        f"<!doctype html><html><head><title>y</title></head><body>{B}{C}</body></html>"
    ),
}
READ = """onload = () => {
  const shown = [...document.querySelectorAll("iframe")].map(
    (frame) => (frame.contentDocument.body ?? {}).innerText ?? "");
  document.body.textContent = "";
  document.body.append("JSON" + JSON.stringify(shown) + "END");
}"""


def found(text: str) -> str:
    """The letters of the texts that are in *text*."""
    return "".join(name for name, each in TEXTS.items() if each in text)


@pytest.mark.parametrize("name", SHOWN)
def test_text_that_browsers_show_is_read(name: str) -> None:
    page = extract(SHOWN[name])
    assert found(page.text) == "ABC"
    assert "unshown_text" not in page.warnings


@pytest.mark.parametrize("name", HIDDEN)
def test_text_that_browsers_do_not_show_is_said_to_be_missing(name: str) -> None:
    page = extract(HIDDEN[name])
    assert found(page.text) in ("", "A")
    assert "unshown_text" in page.warnings
    assert ("no_text" in page.warnings) == (not page.text)


def test_that_is_what_a_browser_shows(requirement: Callable[[str], str]) -> None:
    pages = {**SHOWN, **{f"hidden {name}": page for name, page in HIDDEN.items()}}
    frames = "".join(
        f'<iframe srcdoc="{html.escape(page)}"></iframe>' for page in pages.values()
    )
    source = f"<!doctype html><body>{frames}<script>{READ}</script>"
    dom = open_page(requirement("browser"), source, "--virtual-time-budget=3000").dom
    texts = re.search("JSON(.*)END", dom, re.DOTALL)
    assert texts is not None
    shown = json.loads(html.unescape(texts[1]))
    assert {name: found(text) for name, text in zip(pages, shown, strict=True)} == {
        name: found(extract(page).text) for name, page in pages.items()
    }


FORM = "<select>" + "<option>Country with a name" * 99 + "</select>"


@pytest.mark.parametrize(
    "ordinary",
    [
        f"<title>{'River ' * 60}</title><p>x",
        f"{A}<form>{FORM}<textarea>Your message</textarea></form>",
        f"{A}<object><param name=a value=b></object>",
        f"{A}<svg><title>River</title><style>{'a{b:c}' * 99}</style><path d=x></svg>",
        f"{A * 40}<template>{B * 40}</template>",
    ],
)
def test_of_ordinary_pages_nothing_is_said(ordinary: str) -> None:
    assert "unshown_text" not in extract(ordinary).warnings


def test_titles_and_words_of_drawings_stay_theirs() -> None:
    page = extract(f"{A}<svg><title>Icon</title><text>Axis</text>{B}</svg>{C}")
    assert page.title != "Icon"
    assert "Axis" not in page.text


def test_a_fallback_of_an_object_is_not_read() -> None:
    page = extract(f"{A}<object data=/a.pdf>{B}</object>{C}")
    assert found(page.text) == "AC"


@pytest.mark.parametrize("first", [0xE000, 0xF100, 0xF0000, 0x100000])
def test_a_font_of_the_site_is_said(first: int) -> None:
    letters = {ord(c): first + ord(c) for c in "abcdefghijklmnopqrstuvwxyz"}
    text = B.removeprefix("<p>").translate(letters)
    assert "private_font" in extract(f"<h1>River</h1><p>{text}").warnings
    icons = f"<i>{chr(first)}</i> river, mill and sea "
    assert "private_font" not in extract(f"<p>{icons * 30}").warnings


LINES = (
    "The river rises in the hills above the old mill and runs for forty miles.",
    "In spring the meadows along its banks are flooded, and herons stand in them.",
)
ARTICLE = f"<article>{''.join(f'<p>{text}</p>' for text in LINES)}</article>"
FIRST = f"<html><body><div><p>{LINES[1]}</p></div></body></html>"


@pytest.mark.parametrize(
    "html",
    [
        f"{FIRST}<div>{ARTICLE}</div>",
        f"{FIRST}<!-- a -->{ARTICLE}",
        f"{FIRST}<html><head><title>a</title></head><body>{ARTICLE}</body></html>",
        f"<html><head></head></html>{ARTICLE}",
        f"<html></html>{LINES[0]}<p>{LINES[1]}",
        f"{FIRST}{ARTICLE}{LINES[1]}",
        f"{FIRST}{FIRST}{ARTICLE}",
        f"<div>a</div></body>{ARTICLE}",
        f"<html></html>\x01a\x1f\x0cb\x7f\ufffe{ARTICLE}",
        f"{FIRST}\x01{ARTICLE}\x02\x01</html>\x03<p>",
    ],
)
def test_text_behind_an_early_end_is_there(html: str) -> None:
    assert LINES[0] in extract(html).text
    response = HtmlResponse("http://a.example/", body=html.encode(), encoding="utf-8")
    before = response.selector.get()
    page = mainpage(response)
    assert page is not None
    assert LINES[0] in page.text
    assert response.selector.get() == before


SENTENCES = {
    "Thai": "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย",
    "Khmer": "ភ្នំពេញជារាជធានីនិងទីក្រុងធំជាងគេបំផុតរបស់ព្រះរាជាណាចក្រកម្ពុជា",
    "Lao": "ວຽງຈັນເປັນນະຄອນຫຼວງແລະເມືອງໃຫຍ່ທີ່ສຸດຂອງປະເທດລາວ",
    "Burmese": "ရန်ကုန်မြို့သည်မြန်မာနိုင်ငံ၏အကြီးဆုံးမြို့ဖြစ်သည်",
    "Tibetan": "ལྷ་ས་ནི་བོད་ཀྱི་རྒྱལ་ས་ཡིན",
}


@pytest.mark.parametrize("script", SENTENCES)
def test_words_are_counted_without_blanks_between_them(script: str) -> None:
    sentence = SENTENCES[script]
    page = extract(f"<nav><a href=/>Home</a></nav><h1>{sentence[:9]}</h1><p>{sentence}")
    assert sentence in page.text
    assert page.words == sum(map(count_words, page.text.split()))
    assert page.words_total >= len(sentence) / 15
