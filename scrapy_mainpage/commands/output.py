"""What the command writes: a page in one of several forms, to a file or to stdout."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_mainpage.page import Page

FORMATS = ("text", "markdown", "html", "json", "blocks")


class NoPageError(Exception):
    """There is no page to show; the message says why."""


def write(text: str, output: str | None) -> None:
    """Write the text to the file, to standard output for ``None`` and ``-``."""
    data = text.rstrip("\n").encode("utf-8", "replace") + b"\n"
    if output is None or output == "-":
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            _end_output()
        return
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise NoPageError(f"{output}: {error.strerror or error}") from None


def show(text: str) -> None:
    """Print the text; ``?`` stands for what standard output has no code for."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "replace").decode(encoding), flush=True)
    except BrokenPipeError:
        _end_output()


def _end_output() -> None:
    """Write nothing more: the reader, such as head, has seen enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def render(page: Page, form: str) -> str:
    """Return the page in one of :data:`FORMATS`."""
    if form == "json":
        import json

        return json.dumps(page.as_dict(blocks=True), ensure_ascii=False, indent=2)
    if form == "blocks":
        return blocks_table(page)
    text: str = getattr(page, form)
    return text


def blocks_table(page: Page) -> str:
    """Return a table of the page's text blocks, one line each."""
    rows = [("LABEL", "SCORE", "WORDS", "LINKS", "SOURCE", "XPATH", "TEXT")]
    rows += [
        (
            block.label.value,
            f"{block.score:.2f}",
            str(block.words),
            f"{block.link_density:.2f}",
            block.source,
            block.xpath,
            _beginning(block.text),
        )
        for block in page.blocks
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    widths[5] = min(widths[5], 60)  # a block deep down must not move all the others
    return "\n".join(_row(row, widths) for row in rows)


def _row(row: tuple[str, ...], widths: list[int]) -> str:
    label, *numbers, source, xpath, text = row
    cells = [label.ljust(widths[0])]
    cells += [
        cell.rjust(width) for cell, width in zip(numbers, widths[1:4], strict=True)
    ]
    cells += [source.ljust(widths[4]), xpath.ljust(widths[5]), text]
    return "  ".join(cells).rstrip()


def _beginning(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
