"""Boilerplate of pages: navigation, footer, banners, scripts, slots."""

from __future__ import annotations

import random
from html import escape
from textwrap import dedent

from .pages import Page

SECTIONS = ("news", "shop", "forum", "help", "about", "contact")


def document(page: Page, body: str, head: str = "", attributes: str = "") -> str:
    """A whole page."""
    words = page.words
    return (
        f'<!DOCTYPE html>\n<html lang="{page.story.language.code}">\n<head>\n'
        f'<meta charset="utf-8">\n<title>{page.title} | {words["home"]}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{head}\n</head>\n<body{attributes}>\n{body}\n</body>\n</html>\n"
    )


def menu(page: Page, name: str = "nav") -> str:
    """Navigation links, the same on all pages of a site."""
    items = "".join(
        f'<li class="{name}-item"><a href="#{section}">{page.words[section]}</a></li>'
        for section in SECTIONS
    )
    return f'<ul class="{name}-list">{items}</ul>'


def header(page: Page, name: str = "site-header") -> str:
    words = page.words
    return (
        f'<header class="{name}"><a class="logo" href="#home">{words["home"]}</a>'
        f"<nav>{menu(page)}</nav>"
        f'<form class="search" role="search"><input type="search" name="q" '
        f'placeholder="{words["search"]}"><button>{words["search"]}</button></form>'
        f'<a class="login" href="#login">{words["login"]}</a></header>'
    )


def footer(page: Page, name: str = "site-footer") -> str:
    words = page.words
    return (
        f'<footer class="{name}"><p>{words["slogan"]}</p><ul>'
        f'<li><a href="#privacy">{words["privacy"]}</a></li>'
        f'<li><a href="#terms">{words["terms"]}</a></li>'
        f'<li><a href="#contact">{words["contact"]}</a></li></ul>'
        "<p>© 1987–2026</p></footer>"
    )


def related(page: Page, name: str = "related") -> str:
    """Links to other pages of the mixed site."""
    items = "".join(
        f'<li><a href="{link["href"]}">{escape(link["text"])}</a></li>'
        for link in page.links
    )
    heading = page.words["related"]
    return f'<aside class="{name}"><h3>{heading}</h3><ul>{items}</ul></aside>'


def popular(page: Page, lines: int = 5) -> str:
    """A sidebar with teasers that appear on no other page."""
    writer = page.writer
    items = "".join(
        f'<li><a href="#p{k}">{escape(writer.title())}</a></li>' for k in range(lines)
    )
    return f'<div class="widget"><h4>{page.words["popular"]}</h4><ul>{items}</ul></div>'


def cookies(page: Page) -> str:
    """A consent banner in the markup."""
    words = page.words
    return (
        '<div id="cookie-consent" class="cookie-banner" role="dialog" '
        'style="position:fixed;bottom:0;left:0;right:0;background:#eee">'
        f'<p>{words["cookies"]}</p><button class="ok">{words["accept"]}</button>'
        f"<button>{words['reject']}</button></div>"
    )


def metrics(page: Page) -> str:
    """A snippet that counts visitors, and an image for those without scripts."""
    number = 10_000 + page.seed % 90_000
    return dedent(f"""\
        <script>
        window.visits=window.visits||[];visits.push(["site","M-{number}"],["page"]);
        (function(d,n){{var s=d.createElement(n),f=d.getElementsByTagName(n)[0];
        s.async=true;s.src="/third-party/metrics.js";f.parentNode.insertBefore(s,f);
        }})(document,"script");
        </script>
        <noscript><img src="/third-party/pixel.gif?site=M-{number}" height="1" width="1"
        alt="" style="display:none"></noscript>""")


def slot(page: Page, name: str) -> str:
    """An empty slot that a script fills with an advertisement later."""
    return (
        f'<div class="ad-slot" id="slot-{name}" data-text="{page.words["sale"]}"></div>'
        f'<script>(window.slots=window.slots||[]).push("slot-{name}")</script>'
    )


def advertise() -> str:
    return '<script async src="/third-party/ads.js"></script>'


def discussion(page: Page) -> str:
    """An empty container for comments from another service."""
    return dedent(f"""\
        <div id="disqus_thread"></div>
        <script>window.thread={{page:"{page.path}"}};</script>
        <script async src="/third-party/embed.js"></script>
        <noscript>{page.words["enable"]}</noscript>""")


def jquery(page: Page) -> str:
    """A library, and the usual few lines of script for the menus."""
    return dedent("""\
        <script src="/assets/library.min.js"></script>
        <script>
        $(function(){
          $(".nav-list").on("click",function(){$(this).toggleClass("open")});
          $("a[href^='http']").attr("rel","noopener");
          $(".search input").on("keyup",function(e){if(e.which===27){this.value=""}});
          $(".cookie-banner .ok").on("click",function(){$(".cookie-banner").remove()});
        });
        </script>""")


def weight(page: Page, kilobytes: int) -> str:
    """An inline script of that size, as tag managers and themes leave them."""
    return f"<script>{noise(page.seed, kilobytes)}</script>"


def noise(seed: int, kilobytes: int) -> str:
    """Functions that are never called, on one line, as minifiers write them."""
    chosen = random.Random(seed)
    found: list[str] = []
    size = 0
    while size < kilobytes * 1000:
        a, b, c = chosen.sample("abcdefghijkmnopqrstuvwxyz", 3)
        name, number = f"_{len(found):x}{a}", chosen.randrange(2, 99_999)
        found.append(
            chosen.choice(
                (
                    f"function {name}({b},{c}){{return {b}&&{c}?{b}[{c}]:{number}}}",
                    f"var {name}={{{a}:{number},{b}:!0,{c}:function(){{}}}};",
                    f"function {name}({a}){{for(var {b}=0;{b}<{a}.length;{b}++)"
                    f"if({a}[{b}]==={number})return{{k:{b},ok:!1}};return void 0}}",
                )
            )
        )
        size += len(found[-1])
    return "(function(){" + "".join(found) + "})();"
