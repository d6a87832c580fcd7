from __future__ import annotations

from .helpers import FIRST, SECOND, added, extract, shell

ITEM = '<div itemscope itemtype="https://schema.org/Product">{}</div>'


def test_a_description_in_an_attribute():
    body = ITEM.format(f'<meta itemprop="description" content="{FIRST}"><b>Pot</b>')
    page = extract(shell(body=body))
    assert added(page) == [FIRST]
    assert page.sources == ("microdata",)
    assert page.blocks[-1].xpath == "/html[1]/body[1]/div[1]/meta[1]"


def test_a_description_that_is_shown_is_not_repeated():
    meta = f'<meta itemprop="description" content="{FIRST}">'
    page = extract(shell(body=ITEM.format(f"{meta}<article><p>{FIRST}</p></article>")))
    assert page.text == FIRST
    assert page.sources == ("document",)


def test_an_article_has_a_body_and_no_description():
    body = (
        '<div itemscope itemtype="https://schema.org/Article">'
        f'<meta itemprop="description" content="{FIRST}">'
        f'<meta itemprop="articleBody" content="{SECOND}"></div>'
    )
    assert added(extract(shell(body=body))) == [SECOND]
