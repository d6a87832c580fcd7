"""The contents of the zoo's sites, and their form in the markup of each software.

A file of ``contents`` is pandoc's Markdown with a head in YAML, or a ``.yaml`` table of
many pages: ``kind``, ``language`` and ``body`` of all, under ``pages`` what differs.
Boxes are fenced divs: ``::: {.note title="Heads up"}`` (also tip, warning, danger), and
``:::: {.tabs}`` around ``::: {.tab title="npm"}``. Nothing else is nested. Applications
with a database take contents as JSON.
"""

from __future__ import annotations

import random
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import yaml
from lxml import html as lxml_html

from .tools import pandoc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .content import Content


FOLDER: Final = Path(__file__).parent / "contents"
KINDS: Final = frozenset(
    "article documentation product thread wiki recipe landing about".split()
)
TYPES: Final = {
    "thread": "forum",
    "wiki": "article",
    "recipe": "article",
    "landing": "service",
    "about": "service",
}
HALVES: Final = ("train", "measure")
#: Gives halves that have about as many contents of every kind and language.
SALT: Final = 65
COMMON: Final = frozenset("kind language title author date tags body".split())
_BOX: Final = re.compile(r'^(:{3,})\s*(?:\{\.(\w+)(?:\s+title="([^"]*)")?\})?\s*$')
_TITLE: Final = re.compile(r'(?m)^(:{3,}) \{\.(\w+) title="([^"]*)"\}$')
_MARK: Final = re.compile(  # in DocBook a paragraph is an element
    r"(?:<para>\s*)?^[ ]*ZOOBOX([0-9a-f]+)OPEN$(?:\s*</para>)?(.*?)"
    r"(?:<para>\s*)?^[ ]*ZOOBOX\1CLOSE$(?:\s*</para>)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Content:
    """One content: *body* is Markdown, *data* what only its kind has.

    ``product``: price, currency, sku, brand, variants, specifications, reviews;
    ``thread``: posts (author, date, text); ``recipe``: ingredients, steps, minutes,
    servings. The body of a thread is empty.
    """

    name: str
    kind: str
    language: str
    title: str
    author: str
    date: str
    tags: tuple[str, ...]
    body: str
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """The name in addresses."""
        return self.name.replace("_", "-")

    @property
    def is_rtl(self) -> bool:
        return self.language in {"ar", "he", "fa"}

    @property
    def page_type(self) -> str:
        """The type of the page that holds it."""
        return TYPES.get(self.kind, self.kind)

    @property
    def source(self) -> str:
        """The whole content in pandoc's Markdown: the body, and its kind's data.

        Without the title. For software that knows no products, threads or recipes.
        """
        parts = [self.body.strip()]
        if self.kind == "recipe":
            parts += [_bullets(self.data["ingredients"]), _numbers(self.data["steps"])]
        if self.kind == "thread":
            parts += [
                f"## {post['author']}, {post['date']}\n\n{post['text'].strip()}"
                for post in self.data["posts"]
            ]
        if self.kind == "product":
            parts += [_table(self.data["specifications"].items())]
            parts += [_bullets(self.data.get("variants", ()))]
        return "\n\n".join(part for part in parts if part) + "\n"

    @property
    def plain(self) -> str:
        """The words of ``source``, to check the truth with."""
        tree = lxml_html.fromstring(f"<div>{to_html(self.source)}</div>")
        return " ".join(tree.itertext())

    def html(self) -> str:
        """The body as HTML; products, threads and recipes have more in ``data``."""
        return to_html(self.body)

    def markup(self, to: str, box: Callable[[str, str, str], str] | None = None) -> str:
        """``source`` in the markup *to* of pandoc: ``gfm``, ``rst``, ``mediawiki``.

        *box* gives the form of a box from its kind, its title and its text in *to*;
        without it pandoc writes boxes as it does. With it, ``markdown`` is the source
        itself but for the boxes.
        """
        return convert(self.source, to, box)


def to_html(markdown: str) -> str:
    """Markdown of the contents as HTML, without pandoc's colours of code."""
    markdown = _TITLE.sub(r"\1 {.\2}\n**\3**\n", markdown)
    return pandoc(markdown, "html", "--syntax-highlighting=none", "--wrap=none")


def convert(
    source: str, to: str, box: Callable[[str, str, str], str] | None = None
) -> str:
    """Markdown of the contents in the markup *to*; see :meth:`Content.markup`."""
    if box is None:
        return pandoc(source, to, "--wrap=none")
    if to == "rst":  # A hyphen alone in a cell would be an empty list.
        source = source.replace("| - ", "| – ")
    marked, boxes = _mark_boxes(source)
    text = marked if to == "markdown" else pandoc(marked, to, "--wrap=none")
    return _write_boxes(text, boxes, box)


def _mark_boxes(source: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """*source* with paragraphs for the fences of boxes, and kind and title of each."""
    lines, opened, boxes, in_code = [], [], {}, False
    for line in source.split("\n"):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        fence = None if in_code else _BOX.match(line)
        if fence is None:
            lines.append(line)
        elif fence[2]:
            key = f"{len(boxes):x}"
            boxes[key] = (fence[2], fence[3] or "")
            opened.append(key)
            lines += ["", f"ZOOBOX{key}OPEN", ""]
        else:
            lines += ["", f"ZOOBOX{opened.pop()}CLOSE", ""]
    return "\n".join(lines), boxes


def _write_boxes(
    text: str,
    boxes: Mapping[str, tuple[str, str]],
    box: Callable[[str, str, str], str],
) -> str:
    def write(match: re.Match[str]) -> str:
        return box(*boxes[match[1]], _write_boxes(match[2].strip("\n"), boxes, box))

    return _MARK.sub(write, text)


def html_box(kind: str, title: str, text: str) -> str:
    """A box for Markdown that has none: a ``div`` with its title in bold."""
    bold = f"**{title}**\n\n" if title else ""
    return f'<div class="{kind}">\n\n{bold}{text}\n\n</div>'


def indented(text: str, by: str = "    ") -> str:
    """*text* with *by* before every line that is not empty."""
    return re.sub(r"(?m)^(?=.)", by, text)


def _bullets(items: Iterable[Any]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _numbers(items: Iterable[Any]) -> str:
    return "\n".join(f"{k}. {item}" for k, item in enumerate(items, 1))


def _table(rows: Iterable[tuple[Any, Any]]) -> str:
    lines = [f"| {name} | {value} |" for name, value in rows]
    return "\n".join(["| | |", "|---|---|", *lines])


def load_contents(folder: Path = FOLDER) -> list[Content]:
    """All contents of *folder*, by name."""
    contents = []
    for path in sorted(folder.iterdir()):
        if path.suffix == ".md":
            head, body = (
                path.read_text("utf-8").removeprefix("---\n").split("\n---\n", 1)
            )
            contents.append(_content(path.stem, yaml.safe_load(head) | {"body": body}))
        elif path.suffix == ".yaml":
            contents += _expand(yaml.safe_load(path.read_text("utf-8")))
    return contents


def _expand(table: dict[str, Any]) -> list[Content]:
    """The pages of a table; ``$name`` in the common body is a value of the page."""
    body = Template(table.get("body", "$body"))
    common = {
        key: value for key, value in table.items() if key not in ("body", "pages")
    }
    pages = []
    for name, page in table["pages"].items():
        text = body.safe_substitute({"body": ""} | page)
        pages.append(_content(name, common | page | {"body": text}))
    return pages


def _content(name: str, values: dict[str, Any]) -> Content:
    if values["kind"] not in KINDS:
        raise ValueError(f"{name}: unknown kind {values['kind']!r}")
    return Content(
        name=name,
        kind=values["kind"],
        language=values.get("language", "en"),
        title=str(values["title"]),
        author=values.get("author", "Mara Lindqvist"),
        date=str(values.get("date", "2025-03-14")),
        tags=tuple(values.get("tags", ())),
        body=values["body"],
        data={key: value for key, value in values.items() if key not in COMMON},
    )


def half_of(content: Content) -> str:
    """The half of the software that may publish a content."""
    return HALVES[zlib.crc32(f"{SALT} {content.name}".encode()) % len(HALVES)]


def choose(
    contents: Iterable[Content], wanted: Mapping[str, int], half: str, seed: str
) -> list[Content]:
    """For each kind as many contents as *wanted*, of one *half* of all, by *seed*.

    Software that trains and software that measures never publish the same content.
    """
    by_kind: dict[str, list[Content]] = defaultdict(list)
    for content in sorted(contents, key=lambda content: content.name):
        by_kind[content.kind].append(content)
    chosen = []
    for kind, number in wanted.items():
        own = [content for content in by_kind[kind] if half_of(content) == half]
        chosen += random.Random(f"{seed} {kind}").sample(own, min(number, len(own)))
    return chosen


FORUMS: Final = ("House and garden", "Computers and bicycles", "Everything else")
SIGNATURES: Final = (
    "Measure twice, cut once.",
    "Sent from the shed",
    "-- All my opinions are my own, all my mistakes too",
    "NAS: 4 x 8 TB, UPS, and a cat",
    "",
    "",
)


def rich_html(content: Content) -> str:
    """The whole content as an editor would save it, titles of boxes in the text."""
    return to_html(content.markup("markdown", html_box))


def plain(markdown: str) -> str:
    """The words of Markdown."""
    return " ".join(lxml_html.fromstring(f"<div>{to_html(markdown)}</div>").itertext())


def of_kind(contents: Sequence[Content], *kinds: str) -> list[Content]:
    return [content for content in contents if content.kind in kinds]


def comments_on(content: Content, threads: Sequence[Content]) -> list[dict[str, Any]]:
    """Readers' comments on a content: plain posts of a thread in its language."""
    choice = random.Random(content.name)
    own = [thread for thread in threads if thread.language == content.language]
    if not own:
        return []
    thread = choice.choice(own)
    posts = [post for post in thread.data["posts"] if "```" not in post["text"]]
    number = min(len(posts), choice.randrange(7))
    return [
        {
            "author": post["author"],
            "date": str(post["date"])[:10],
            "text": plain(post["text"]),
        }
        for post in posts[:number]
    ]


def as_post(content: Content, threads: Sequence[Content]) -> dict[str, Any]:
    """An article with its comments, as JSON takes it."""
    return {
        "slug": content.slug,
        "title": content.title,
        "html": rich_html(content),
        "author": content.author,
        "date": content.date[:10],
        "tags": content.tags,
        "comments": comments_on(content, threads),
    }


def as_thread(content: Content) -> dict[str, Any]:
    """A thread as JSON takes it; some of its authors have a signature."""
    posts = [
        {**post, "date": str(post["date"])[:16], "text": post["text"].strip()}
        for post in content.data["posts"]
    ]
    authors = {post["author"] for post in posts}
    return {
        "slug": content.slug,
        "title": content.title,
        "forum": FORUMS[crc32(content.name.encode()) % len(FORUMS)],
        "language": content.language,
        "posts": posts,
        "signatures": {
            name: SIGNATURES[crc32(name.encode()) % len(SIGNATURES)] for name in authors
        },
    }


def as_product(content: Content) -> dict[str, Any]:
    """A product as ``sites/oscar_site.py`` takes it."""
    data = content.data
    return {
        "slug": content.slug,
        "title": content.title,
        "html": content.html(),
        "kind": data["brand"],
        "category": " > ".join(tag.title() for tag in content.tags) or "Other",
        "sku": data["sku"],
        "price": str(data["price"]),
        "currency": data["currency"],
        "variants": [str(variant) for variant in data.get("variants", ())],
        "specifications": [
            [f"a{number}", str(name), str(value)]
            for number, (name, value) in enumerate(data["specifications"].items())
        ],
        "reviews": [
            {**review, "title": re.split(r"[.,;!。]", review["text"])[0][:80]}
            for review in data.get("reviews", ())
        ],
    }


def plain_thread(content: Content) -> str:
    """The words of a thread's posts, without their authors and dates."""
    return " ".join(plain(post["text"]) for post in content.data["posts"])
