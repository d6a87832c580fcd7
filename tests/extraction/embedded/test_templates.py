from __future__ import annotations

from html import escape

from parsel import Selector

import scrapy_mainpage

from .helpers import FIRST, SECOND, STORY, added, extract, shell

ARTICLE = "<article>" + "".join(f"<p>{text}</p>" for text in STORY) + "</article>"


def test_a_declarative_shadow_root_is_content():
    html = shell(
        body=f"<x-page><template shadowrootmode=open>{ARTICLE}<nav>Menu</nav>"
        "</template></x-page>"
    )
    page = extract(html)
    assert page.text == "\n\n".join(STORY)
    assert page.sources == ("template",)
    (holder,) = Selector(text=html).root.xpath(page.blocks[0].xpath)
    assert holder.tag == "template"


def test_a_shadow_root_in_a_shadow_root_is_read_once():
    inner = f"<x-text><template shadowrootmode=open>{ARTICLE}</template></x-text>"
    body = f"<x-page><template shadowrootmode=open><p>{FIRST}</p>{inner}</template>"
    assert added(extract(shell(body=body))) == STORY


def test_entries_of_a_shadow_root_that_differ_in_a_number_are_all_content():
    entry = (
        "<p>Entry %d of the list was written on a rainy day by the keeper of it.</p>"
    )
    root = f"<template shadowrootmode=open>{''.join(entry % n for n in range(10))}"
    body = f"<main><h1>List</h1><x-list>{root}</template></x-list></main>"
    page = scrapy_mainpage.extract(shell(body=body))
    assert page.text.count("Entry ") == 10


def test_a_template_that_a_script_fills_is_not():
    body = f"<template><article><p>{FIRST}</p><p>{SECOND}</p></article></template>"
    assert extract(shell(body=body)).text == ""


def test_a_document_in_the_attribute_of_a_frame_is_content():
    document = escape(f"<!DOCTYPE html><nav><a href=/>Menu</a></nav>{ARTICLE}")
    html = shell(body=f'<div><iframe srcdoc="{document}">None</iframe></div>')
    page = extract(html)
    assert page.text == "\n\n".join(STORY)
    assert page.sources == ("frame",)
    assert page.warnings == ()
    (holder,) = Selector(text=html).root.xpath(page.blocks[0].xpath)
    assert holder.tag == "iframe"


def test_frames_in_a_frame_are_not_read():
    document = ARTICLE
    for _ in range(3):
        document = f'<iframe srcdoc="{escape(document)}"></iframe>'
    assert extract(shell(body=document)).text == ""
