"""What the site puts around a text: a first shell, one with small edits, a redesign."""

from __future__ import annotations

from collections.abc import Callable, Sequence

#: Title, main content, elements of the head, links of the menu, related links -> page.
Shell = Callable[[str, str, str, Sequence[str], Sequence[str]], str]


def _links(paths: Sequence[str]) -> str:
    return "".join(f'<li><a href="{to}">{to.split("?")[0]}</a></li>' for to in paths)


def first(
    title: str, main: str, head: str, menu: Sequence[str], related: Sequence[str]
) -> str:
    """Header with menu, article, related links, footer."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} - Records'
        f'</title>{head}</head><body><header class="site-header"><nav><ul class="menu">'
        f"{_links(menu)}</ul></nav></header><main><article>{main}</article></main>"
        f'<aside class="related"><h2>Related</h2><ul>{_links(related)}</ul></aside>'
        '<footer class="site-footer"><p>Copyright 2026 Records. All rights reserved.'
        "</p></footer></body></html>"
    )


def edited(
    title: str, main: str, head: str, menu: Sequence[str], related: Sequence[str]
) -> str:
    """The first shell with a banner, a build number and another year."""
    banner = '<div class="cookie-banner"><p>We use cookies.</p><a href=#>OK</a></div>'
    page = first(title, main, head, menu, related)
    page = page.replace("<header", f"{banner}<header", 1)
    page = page.replace("Copyright 2026", "Copyright 2027")
    return page.replace("</body>", '<script src="/app.js?build=7"></script></body>')


def redesigned(
    title: str, main: str, head: str, menu: Sequence[str], related: Sequence[str]
) -> str:
    """Other elements, names and order: sidebar first, text in ``div`` elements."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} - Records'
        f'</title>{head}<link rel="stylesheet" href="/2.css"></head><body class="new">'
        f'<div id="top-bar"><a href="/">Records</a><form role="search"><input name="q">'
        f'</form></div><div class="sidebar"><ul>{_links(menu)}</ul></div>'
        f'<div class="content-wrapper"><div class="post-body">{main}</div>'
        f'<div class="see-also"><h3>See also</h3><ul>{_links(related)}</ul></div></div>'
        '<div class="bottom"><p>Copyright 2026 Records. All rights reserved.</p></div>'
        "</body></html>"
    )


SHELLS: tuple[Shell, ...] = (first, edited, redesigned)
