"""Text that browsers show is there, however odd the markup around it is."""

from __future__ import annotations

import pytest
from scrapy.http import HtmlResponse

from scrapy_mainpage import extract, mainpage
from scrapy_mainpage.text.words import count_words

TEXTS = (
    "The river rises in the hills above the old mill and runs for forty miles.",
    "In spring the meadows along its banks are flooded, and herons stand in them.",
)
ARTICLE = f"<article>{''.join(f'<p>{text}</p>' for text in TEXTS)}</article>"
FIRST = f"<html><body><div><p>{TEXTS[1]}</p></div></body></html>"


@pytest.mark.parametrize(
    "html",
    [
        f"{FIRST}<div>{ARTICLE}</div>",
        f"{FIRST}<!-- a -->{ARTICLE}",
        f"{FIRST}<html><head><title>a</title></head><body>{ARTICLE}</body></html>",
        f"<html><head></head></html>{ARTICLE}",
        f"<html></html>{TEXTS[0]}<p>{TEXTS[1]}",
        f"{FIRST}{ARTICLE}{TEXTS[1]}",
        f"{FIRST}{FIRST}{ARTICLE}",
        f"<div>a</div></body>{ARTICLE}",
        f"<html></html>\x01a\x1f\x0cb\x7f\ufffe{ARTICLE}",
        f"{FIRST}\x01{ARTICLE}\x02\x01</html>\x03<p>",
    ],
)
def test_text_behind_an_early_end_is_there(html: str) -> None:
    assert TEXTS[0] in extract(html).text
    response = HtmlResponse("http://a.example/", body=html.encode(), encoding="utf-8")
    before = response.selector.get()
    page = mainpage(response)
    assert page is not None
    assert TEXTS[0] in page.text
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
