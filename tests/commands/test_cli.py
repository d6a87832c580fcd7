"""Parts that the commands share: imports, progress, log, signals, plain text."""

from __future__ import annotations

import io
import json
import logging
import re
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_mainpage.commands import (
    cli,
    mainpage,
    mainpage_evaluate,
    mainpage_index,
    mainpage_search,
    mainpage_state,
    mainpage_sweep,
)
from scrapy_mainpage.commands.cli import Progress, interruptible
from scrapy_mainpage.indexes import IndexDocument, open_index
from scrapy_mainpage.indexes.outbox import Operation, Outbox
from scrapy_mainpage.memory import open_memory
from scrapy_mainpage.pipelines.index import outbox_path
from tests.evaluation.sets import article_label, write_set

from .helpers import CommandRunner


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_a_line_with_the_time_that_is_left() -> None:
    stream = Terminal()
    with Progress(stream) as progress:
        progress.show("5 items", 0.5)
        assert stream.getvalue().endswith("\r5 items (50%, 0:00:00 left)")
        logging.getLogger("scrapy_mainpage.owls").warning("a line that stays")
        assert stream.getvalue().endswith("\ra line that stays\n")
        progress.show("many items" * 100)
        assert len(stream.getvalue().rpartition("\r")[2]) < 100
    assert stream.getvalue().endswith("\r")


def test_a_file_has_lines() -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.show("5 items", 0.5)
        progress.show("6 items")
    assert stream.getvalue() == "5 items (50%, 0:00:00 left)\n6 items\n"


def test_progress_is_due_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_FILE_PAUSE_SECONDS", 0.0)
    assert not Progress(Terminal()).is_due
    assert Progress(io.StringIO()).is_due


def test_the_log_shows_warnings() -> None:
    stream = io.StringIO()
    logger = logging.getLogger("scrapy_mainpage.owls")
    with Progress(stream):
        logger.info("no")
        logger.warning("yes: %s", 1)
    logger.warning("too late")
    assert stream.getvalue() == "yes: 1\n"


def interrupted(number: signal.Signals, then: Callable[[], object]) -> None:
    try:
        signal.raise_signal(number)
    finally:
        then()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_interrupt_as_ctrl_c_does(number: signal.Signals) -> None:
    former = signal.getsignal(number)
    for then in (str, threading.Lock().release):  # as a wait ends that is interrupted
        with pytest.raises(KeyboardInterrupt), interruptible():
            interrupted(number, then)
        assert signal.getsignal(number) is former


#: A window's title, a screen that is cleared, the same by C1, a bell, a line upwards,
#: text turned around.
EVIL = "owl\x1b]0;a\x07\x1b[2J\x9b2J\x7f\x08\u202eb\u2066c\u2028d\x85"
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
URL = f"https://e.example/{EVIL}"
STATE, INDEX = "state.db", "site.db"
COMMANDS = {
    module.__name__.rpartition(".")[2]: module.Command
    for module in (mainpage, mainpage_evaluate, mainpage_index, mainpage_search,
                   mainpage_state, mainpage_sweep)
}  # fmt: skip
PAGE = "".join(f"<p>The river {EVIL} runs through old towns {n}.</p>" for n in range(9))
DATA = {
    "@type": "Product",
    "name": f"Kettle {EVIL}",
    "sku": EVIL,
    "offers": {"price": 9},
}
HTML = (
    f"<html lang='{EVIL}'><title>{EVIL}</title><link rel=canonical href='/{EVIL}'>"
    f"<script type=application/ld+json>{json.dumps(DATA)}</script><h1>River {EVIL}</h1>"
    f"{PAGE}<pre>{EVIL}</pre><a href='/{EVIL}' title='{EVIL}'>{EVIL}</a>"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of what hostile sites have said."""
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text(HTML, "utf-8")
    Path("empty.html").write_text(f"<title>{EVIL}</title>", "utf-8")
    document = IndexDocument(URL, f"the river {EVIL}", f"River {EVIL}", author=EVIL)
    with open_index(f"sqlite:///{INDEX}") as index:
        index.put_many([document])
    items = [{"url": URL, "text": EVIL}, {"url": EVIL, "text": EVIL}, {EVIL: EVIL}]
    lines = [*map(json.dumps, items), f'{{"{EVIL}', json.dumps(EVIL)]
    Path(f"{EVIL}items.jsonl").write_text("\n".join(lines), "utf-8")
    outbox = Outbox(outbox_path())
    outbox.end(
        f"sqlite:///{EVIL}/none.db", [], [(Operation(URL, document), EVIL, EVIL)]
    )
    outbox.close()
    memory = open_memory(STATE)
    scope = memory.scope(f"spider {EVIL}")
    run = memory.begin_run(scope)
    run.reason, run.counts = EVIL, {"sweep": {"refused": [EVIL]}, "missing": {EVIL: 1}}
    memory.put_run(run)
    row = memory.page(scope, URL)
    row.outcome = row.reason = row.canonical = row.verdict = EVIL
    memory.put(row)
    memory.close()
    write_set(tmp_path / "data" / "texts", [article_label("owls", type=EVIL)])
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="not names of files there")
@pytest.mark.parametrize(
    "line",
    [
        *(f"mainpage page.html --format={form}" for form in mainpage.FORMATS),
        "mainpage empty.html",
        f"mainpage {EVIL}.html",
        "mainpage_search site.db river",
        "mainpage_search --json site.db river",
        "mainpage_search --facet author site.db river",
        "mainpage_search site.db \x1bzebra",
        f"mainpage_search {EVIL}.db river",
        f"mainpage_index {EVIL}items.jsonl --to=new.db",
        f"mainpage_index {EVIL}items.jsonl --records=docsearch",
        "mainpage_index --dead-letters",
        "mainpage_index --retry",
        f"mainpage_index {EVIL}.jsonl --to=new.db",
        "mainpage_state",
        "mainpage_state --json",
        f"mainpage_state {URL}",
        f"mainpage_state --json {URL}",
        f"mainpage_state https://e.example/{EVIL}unknown",
        "mainpage_sweep",
        "mainpage_evaluate data --algorithms=danag",
        f"mainpage_evaluate data --algorithms=danag --rules={EVIL}",
    ],
    ids=ascii,
)
def test_no_command_prints_what_a_terminal_obeys(
    folder: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = line.split(" ")
    settings = {"MAINPAGE_STATE": STATE, "MAINPAGE_INDEX": INDEX}
    _, out, said = CommandRunner(COMMANDS[name], capsys, **settings)(*arguments)
    assert out + said
    assert not OBEYED.search(out + said), ascii(out + said)
