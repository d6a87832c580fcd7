"""A site of which some pages need a browser: 60 static, 20 shells, 20 half-static.

The shells are routes of the React application. The half-static pages come with their
title and first paragraph, and fetch the rest. ``KINDS`` and ``TRUTHS`` say by path of
which kind a page is and what its main text is; ``/`` links to all of them.
"""

from __future__ import annotations

from . import seeds, texts
from .server import Answer, html

NUMBERS = {"static": 60, "shell": 20, "half": 20}

# Static pages have scripts too, that change nothing of what they say.
_MENU = """
const top_link = document.createElement("button");
top_link.textContent = "Top";
top_link.onclick = () => scrollTo(0, 0);
document.querySelector("footer").append(top_link);
"""

_REST = """
fetch(location.pathname + "/rest").then(answer => answer.text()).then(rest => {
  document.getElementById("rest").outerHTML = rest;
});
"""


def _topic(kind: str, number: int) -> str:
    return f"{kind} pier {number}"


def _paths(kind: str) -> list[str]:
    if kind == "shell":
        return list(seeds.TRUTHS)[: NUMBERS[kind]]
    return [f"/{kind}/{number}" for number in range(1, NUMBERS[kind] + 1)]


def _half(topic: str) -> tuple[str, str]:
    """The main part of a half-static page as it comes, and what it fetches."""
    first, *others = texts.paragraphs(topic, 6)
    came = f"<h1>{texts.title(topic)}</h1><p>{first}</p><div id=rest>Loading …</div>"
    return f"<article>{came}</article>", "".join(f"<p>{text}</p>" for text in others)


def _kinds() -> dict[str, str]:
    return {path: kind for kind in NUMBERS for path in _paths(kind)}


def _truths() -> dict[str, str]:
    found = {path: seeds.TRUTHS[path] for path in _paths("shell")}
    for kind in ("static", "half"):
        for number, path in enumerate(_paths(kind), 1):
            found[path] = texts.truth(_topic(kind, number), 6)
    return found


def pages() -> dict[str, Answer]:
    """What the server answers by path, with the index and all that pages fetch."""
    found = seeds.pages()
    for number, path in enumerate(_paths("static"), 1):
        topic = _topic("static", number)
        main = texts.article(topic, 6)
        found[path] = html(texts.page(main, topic=topic, script=_MENU))
    for number, path in enumerate(_paths("half"), 1):
        topic = _topic("half", number)
        main, rest = _half(topic)
        found[path] = html(texts.page(main, topic=topic, script=_REST))
        found[f"{path}/rest"] = html(rest)
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in KINDS)
    found["/"] = html(texts.page(f"<ul>{links}</ul>", topic="all piers"))
    return found


KINDS = _kinds()
TRUTHS = _truths()
