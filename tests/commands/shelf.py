"""An engine in memory for ``scrapy mainpage-index``, run in this process."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from scrapy_mainpage import indexes
from scrapy_mainpage.commands.mainpage_index import Command
from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexUnavailable,
    Rejection,
    open_index,
)
from scrapy_mainpage.indexes.base import ENGINES, Engine
from tests.commands.helpers import CommandRunner

SHELF = "shelf://me:geheim@host/a"
SHOWN = "shelf://me:***@host/a"

Run = Callable[..., tuple[int, str, str]]


class Shelf(Index):
    """An engine that keeps documents in memory and refuses the word "poison"."""

    documents: ClassVar[dict[str, str]] = {}
    gate: ClassVar[threading.Event]
    on_put: ClassVar[Callable[[], None] | None] = None

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Shelf:
        if "down" in url:
            raise IndexUnavailable(url, "nobody is there")
        return cls()

    def _put(self, documents: Sequence[IndexDocument]) -> list[Rejection]:
        self.gate.wait()
        if self.on_put is not None:
            type(self).on_put()
        good = {item.url: item.text for item in documents if "poison" not in item.text}
        self.documents.update(good)
        return [
            Rejection(item.url, "poison", "It is\npoison.")
            for item in documents
            if item.url not in good
        ]

    def _delete(self, urls: Sequence[str]) -> int:
        return sum(self.documents.pop(url, None) is not None for url in urls)

    def urls(self) -> Iterator[str]:
        yield from self.documents

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Content of the engine of these tests; the working directory is empty."""
    monkeypatch.chdir(tmp_path)
    engine = Engine("shelf", "Shelf", "shelf:...")
    monkeypatch.setitem(ENGINES, "shelf", engine)
    module = sys.modules[__name__]
    monkeypatch.setitem(sys.modules, f"{indexes.__name__}.shelf", module)
    Shelf.documents.clear()
    Shelf.gate = threading.Event()
    Shelf.gate.set()
    yield Shelf.documents
    Shelf.gate.set()
    Shelf.on_put = None


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; return exit code, standard output and standard error."""

    def run_command(*args: object, **settings: Any) -> tuple[int, str, str]:
        given = {f"MAINPAGE_{name}": value for name, value in settings.items()}
        return CommandRunner(Command, capsys, **given)(*args)

    return run_command


def write(items: Sequence[object], name: str = "items.jsonl") -> str:
    """Write a feed; items other than dictionaries are raw lines."""
    lines = [item if isinstance(item, str) else json.dumps(item) for item in items]
    Path(name).write_text("".join(f"{line}\n" for line in lines))
    return name


def items(*texts: str) -> list[dict[str, str]]:
    """Items with these texts and the URLs https://e/1, https://e/2, ..."""
    return [
        {"url": f"https://e/{number}", "text": text}
        for number, text in enumerate(texts, 1)
    ]


def found(url: str, query: str) -> list[str]:
    with open_index(url, read_only=True) as index:
        return [hit.url for hit in index.search(query)]
