"""The recorded layouts as sets of labelled pages.

``python -m lab.tests.evaluation.rendered DIR`` writes a set for each size of the
browser's window, with the site's theme as the page's type: there algorithms that need a
layout are measured.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from tests.layouts import WINDOWS, RecordedPage, load, themes


def write_sets(folder: Path, names: list[str] | None = None) -> list[Path]:
    """Write the sets below *folder*, of the sites *names* or of all; their folders."""
    return [write_set(folder, size, names or themes()) for size in WINDOWS]


def write_set(folder: Path, window: tuple[int, int], names: list[str]) -> Path:
    target = folder / f"rendered-{window[0]}x{window[1]}"
    (target / "html").mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps(write_page(target / "html", theme, page), ensure_ascii=False)
        for theme in names
        for page in load(theme, window)
    ]
    (target / "pages.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return target


def write_page(folder: Path, theme: str, page: RecordedPage) -> dict[str, str]:
    """Write the page's files; its label."""
    name = f"{theme}-{page.name}".replace("/", "-")
    files = {"html": page.html, "layout.json": page.layout_json}
    for suffix, text in files.items():
        packed = gzip.compress(text.encode("utf-8"), mtime=0)
        (folder / f"{name}.{suffix}.gz").write_bytes(packed)
    url = f"http://{theme}.example/{page.name}"
    return {"id": name, "url": url, "text": page.truth, "type": theme}


if __name__ == "__main__":
    for path in write_sets(Path(sys.argv[1])):
        print(path)
