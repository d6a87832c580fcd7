"""Small sets of labelled pages, written for the tests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

MENU = "<nav><ul><li><a href='/'>Home</a></li><li><a href='/n'>News</a></li></ul></nav>"
FOOTER = "<footer><p>All rights reserved, also those that nobody knows of.</p></footer>"


def sentences(topic: str, count: int = 6) -> str:
    return " ".join(f"Sentence {i} tells what {topic} is about." for i in range(count))


def article(topic: str) -> str:
    """A page with a menu, an article and a footer."""
    return (
        f"<html lang='en'><body>{MENU}<article><h1>On {topic}</h1>"
        f"<p>{sentences(topic)}</p></article>{FOOTER}</body></html>"
    )


def label(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "url": f"https://www.{name}.example/page", **more}


def article_label(name: str, **more: Any) -> dict[str, Any]:
    return label(name, text=f"On {name}\n\n{sentences(name)}", **more)


def write_set(folder: Path, labels: list[dict[str, Any]], **html: str) -> Path:
    """A set with a page for each label: *html* by id, else an article on the id."""
    (folder / "html").mkdir(parents=True)
    lines = [json.dumps(each, ensure_ascii=False) for each in labels]
    (folder / "pages.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    for each in labels:
        page = html.get(each["id"], article(each["id"])).encode()
        path = folder / "html" / f"{each['id']}.html.gz"
        path.write_bytes(gzip.compress(page))
    return folder
