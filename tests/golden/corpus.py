"""Golden corpus: every output of the extraction for sixty pages of the project's own.

The pages are those of the example project's site and of the recorded layouts. A wanted
change of extraction is recorded anew with ``make golden``; a reviewer reads the
difference of the JSON files.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_mainpage import extract
from tests import layouts

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "pages"
SITE = Path(__file__).parents[2] / "example_project" / "site"
# Pages of all themes would say the same again: each page once, themes in turn.
RECORDED_PAGES = 35
SHOP_PAGES = {"index.html", "hammock.html"}


def golden_pages() -> dict[str, bytes]:
    """The pages' bytes by name."""
    pages = {
        "site-" + path.relative_to(SITE).as_posix().replace("/", "-"): path.read_bytes()
        for path in sorted(SITE.rglob("*.html"))
        if "sailcloth" not in path.parts or path.name in SHOP_PAGES
    }
    pages.update(_recorded_pages())
    return pages


def _recorded_pages() -> Iterator[tuple[str, bytes]]:
    themes = layouts.themes()
    sites = [layouts.load(theme) for theme in themes]
    turns = max(map(len, sites))
    chosen = (
        (theme, site[(turn + shift) % len(site)])
        for turn in range(turns)
        for shift, (theme, site) in enumerate(zip(themes, sites, strict=True))
        if turn < len(site)
    )
    for (theme, page), _ in zip(chosen, range(RECORDED_PAGES), strict=False):
        yield f"{theme}-{page.name}.html", page.html.encode()


def outputs(name: str, html: bytes) -> dict[str, Any]:
    """Text, Markdown, HTML, labels, metadata, sections and links of one page."""
    page = extract(html, url=f"https://golden.example/{name}")
    return {
        "page_type": page.page_type,
        "confidence": None if page.confidence is None else round(page.confidence, 2),
        "warnings": list(page.warnings),
        "words": [page.words, page.words_total],
        "metadata": page.metadata.as_dict(),
        "text": page.text.split("\n"),
        "markdown": page.markdown.split("\n"),
        "html": page.html.split("\n"),
        "blocks": [f"{block.label}: {block.text[:60]}" for block in page.blocks],
        "sections": [
            asdict(section) | {"text": len(section.text), "path": [*section.path]}
            for section in page.sections
        ],
        "links": [f"{link.label} {link.url} {link.text}" for link in page.all_links],
        "media": [asdict(item) for item in page.media],
    }


def write() -> None:
    """Record the corpus anew."""
    FOLDER.mkdir(exist_ok=True)
    pages = golden_pages()
    for old in FOLDER.glob("*.json"):
        if old.stem not in pages:
            old.unlink()
    for name, html in pages.items():
        text = json.dumps(outputs(name, html), ensure_ascii=False, indent=1)
        (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write()
