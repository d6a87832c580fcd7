"""The results as one HTML page that needs nothing else and runs nothing."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from .measure import NOT_READ
from .plots import colours, plot_distribution, plot_groups
from .specs import PERFECT_BLOCKS, REFERENCES
from .summary import LANGUAGE, MEANS, POOLED, SET, TYPE
from .worst import MAIN_MEASURES, report_path, worst_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from .measure import Row
    from .summary import Summary

_SHOWN: Final = 10
_FAILURES: Final = 200

#: The columns: what stands above them, and the measures below it.
_HEADS: Final = {
    "words": {"P": "precision", "R": "recall", "F1": "f1"},
    "LCS": {"F1": "lcs_f1", "F0.5": "lcs_f05"},
    "text blocks": {"F1": "text_nodes_f1", "F0.5": "text_nodes_f05"},
    "DOM nodes": {"F1": "nodes_f1"},
    "block words": {"F1": "zones_f1"},
    "main class": {"P": "blocks_precision", "R": "blocks_recall", "F1": "blocks_f1"},
    "snippets": {"with": "snippets_with", "without": "snippets_without"},
}


@dataclass(frozen=True)
class Facts:
    """What is said at the top: how the results were made, and what was left out."""

    command: str
    version: str
    date: str
    skipped: tuple[str, ...] = ()


def write_webpage(
    rows: Sequence[Row], summaries: Sequence[Summary], facts: Facts, folder: Path
) -> str:
    """The page; visual reports that *folder* holds are linked to."""
    colour = colours(list(dict.fromkeys(s.algorithm for s in summaries)))
    names = list(dict.fromkeys(s.set for s in summaries))
    body = [_head(facts, names), _overview(summaries, names, colour)]
    for name in names:
        own = [s for s in summaries if s.set == name]
        own_rows = [row for row in rows if row.set == name]
        body += _set_section(name, own, own_rows, colour, folder)
    body.append(_failures(rows))
    return _TEMPLATE.format(style=_style(), body="\n".join(body))


_TEMPLATE: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Main content: evaluation</title><style>{style}</style></head>
<body>
{body}
</body></html>
"""


def _style() -> str:
    return files(__package__).joinpath("webpage.css").read_text("utf-8")


def _head(facts: Facts, names: Sequence[str]) -> str:
    links = "".join(f'<a href="#{_anchor(n)}">{escape(n)}</a>' for n in names)
    skipped = "".join(f"<li>{escape(line)}</li>" for line in facts.skipped)
    return (
        "<h1>Main content: evaluation</h1>"
        f'<p class="facts">{escape(facts.date)} · scrapy-mainpage '
        f"{escape(facts.version)} · <code>{escape(facts.command)}</code></p>"
        f"<nav>{links}</nav>"
        + (f'<ul class="skipped">{skipped}</ul>' if skipped else "")
    )


def _overview(
    summaries: Sequence[Summary], names: Sequence[str], colour: Mapping[str, str]
) -> str:
    """F1 of every algorithm on every set."""
    value = {(s.set, s.algorithm): _main_value(s) for s in summaries if s.kind == SET}
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    best = dict.fromkeys(names, 0.0)
    for (name, algorithm), found in value.items():
        if found is not None and algorithm not in REFERENCES:
            best[name] = max(best[name], found)
    rows = []
    for algorithm in colour:
        mark = {} if algorithm in REFERENCES else best
        cells = "".join(_cell(value.get((n, algorithm)), mark.get(n)) for n in names)
        rows.append(_row(algorithm, cells, colour))
    return "<h3>F1 of words; of snippets where the text is not known</h3>" + _scrolling(
        [f"<tr><th></th>{head}</tr>", *rows]
    )


def _main_value(summary: Summary) -> float | None:
    found = (summary.measures.get(m) for m in MAIN_MEASURES)
    return next((value for value in found if value is not None), None)


def _set_section(
    name: str,
    summaries: Sequence[Summary],
    rows: Sequence[Row],
    colour: Mapping[str, str],
    folder: Path,
) -> Iterator[str]:
    measured = [m for m in MAIN_MEASURES if any(m in s.measures for s in summaries)]
    yield f'<h2 id="{_anchor(name)}">{escape(name)}</h2>'
    yield _table([s for s in summaries if s.kind == SET], colour)
    for kind in (TYPE, LANGUAGE):
        groups = [s for s in summaries if s.kind == kind]
        if groups and measured:
            yield f"<h3>{MAIN_MEASURES[measured[0]]} by {kind}</h3>"
            yield _image(plot_groups(groups, measured[0], colour), f"bars by {kind}")
            yield _details(f"all measures by {kind}", _table(groups, colour))
    scores = _scores(rows)
    if scores:
        yield "<h3>Distribution of F1</h3>"
        yield _image(plot_distribution(scores, colour), "distribution of F1")
    for algorithm in colour:
        if algorithm not in REFERENCES:
            yield _worst(algorithm, rows, folder)


def _scores(rows: Sequence[Row]) -> dict[str, list[float]]:
    scores: dict[str, list[float]] = {}
    for row in rows:
        if "f1" in row.measures:
            scores.setdefault(row.algorithm, []).append(row.measures["f1"])
    return scores


def _table(summaries: Sequence[Summary], colour: Mapping[str, str]) -> str:
    known = {measure for s in summaries for measure in s.measures}
    heads = {
        title: {name: m for name, m in columns.items() if m in known}
        for title, columns in _HEADS.items()
    }
    above = "".join(
        f'<th colspan="{len(columns)}">{title}</th>'
        for title, columns in heads.items()
        if columns
    )
    measures = [m for columns in heads.values() for m in columns.values()]
    below = "".join(
        f'<th title="{(MEANS | POOLED)[m]}">{name}</th>'
        for columns in heads.values()
        for name, m in columns.items()
    )
    lines = [f"<tr><th></th><th></th><th></th><th></th>{above}</tr>"]
    lines.append(f"<tr><th></th><th>pages</th><th>failed</th><th>ms</th>{below}</tr>")
    for group in dict.fromkeys(s.group for s in summaries):
        members = [s for s in summaries if s.group == group]
        if members[0].kind != SET:
            title = f'<td colspan="{4 + len(measures)}">{escape(group)}</td>'
            lines.append(f'<tr class="group">{title}</tr>')
        lines += _lines(members, measures, colour)
    return _scrolling(lines)


def _scrolling(lines: Iterable[str]) -> str:
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def _lines(
    summaries: Sequence[Summary], measures: Sequence[str], colour: Mapping[str, str]
) -> Iterator[str]:
    best = {
        m: max(
            (s.measures.get(m, 0) for s in summaries if s.algorithm not in REFERENCES),
            default=None,
        )
        for m in measures
    }
    for s in summaries:
        numbers = (
            f"<td>{s.pages}</td><td>{s.failed or ''}</td><td>{s.milliseconds:.1f}</td>"
        )
        mark = {} if s.algorithm in REFERENCES else best
        cells = "".join(_cell(s.measures.get(m), mark.get(m)) for m in measures)
        yield _row(s.algorithm, numbers + cells, colour)


def _row(algorithm: str, cells: str, colour: Mapping[str, str]) -> str:
    kind = ' class="reference"' if algorithm in REFERENCES else ""
    dot = f'<span class="dot" style="background:{colour[algorithm]}"></span>'
    return f"<tr{kind}><td>{dot}{escape(algorithm)}</td>{cells}</tr>"


def _cell(value: float | None, best: float | None = None) -> str:
    if value is None:
        return "<td></td>"
    mark = ' class="best"' if value and value == best else ""
    return f"<td{mark}>{value:.3f}</td>"


def _worst(algorithm: str, rows: Sequence[Row], folder: Path) -> str:
    ceiling = {
        row.page: row.measures.get("f1")
        for row in rows
        if row.algorithm == PERFECT_BLOCKS
    }
    lines = []
    for row in worst_pages(rows, algorithm, _SHOWN):
        numbers = (
            *(row.measures.get(name) for name in ("f1", "precision", "recall")),
            ceiling.get(row.page),
        )
        cells = "".join(map(_cell, numbers))
        lines.append(f"<tr>{_page_cells(row, folder)}{cells}</tr>")
    if not lines:
        return ""
    head = (
        '<tr><th>page</th><th class="text">address</th><th class="text">type</th>'
        "<th>F1</th><th>P</th><th>R</th><th>perfect blocks</th></tr>"
    )
    return _details(f"worst pages of {algorithm}", _scrolling([head, *lines]))


def _page_cells(row: Row, folder: Path) -> str:
    report = report_path(row)
    name = escape(row.page[:40])
    if (folder / report).is_file():
        name = f'<a href="{quote(report.as_posix())}">{name}</a>'
    return (
        f'<td>{name}</td><td class="text">{_address(row.url)}</td>'
        f'<td class="text">{escape(row.type)}</td>'
    )


def _address(url: str) -> str:
    """The address, as a link if a click on it only opens a page."""
    text = escape(url)
    if not url.lower().startswith(("http://", "https://")):
        return text
    return f'<a href="{text}" rel="noopener noreferrer">{text}</a>'


def _failures(rows: Iterable[Row]) -> str:
    failed = [row for row in rows if row.error]
    if not failed:
        return ""
    lines = [
        "".join(f'<td class="text">{escape(text)}</td>' for text in texts)
        for row in failed[:_FAILURES]
        for texts in [(row.set, row.page[:40], row.algorithm, row.error)]
    ]
    unread = sum(row.error.startswith(NOT_READ) for row in failed)
    return (
        f"<h2>Failures</h2><p>{len(failed)} results failed, {unread} of them since the "
        f"page could not be read. The first {_FAILURES}:</p>"
        + _scrolling(f"<tr>{line}</tr>" for line in lines)
    )


def _details(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def _image(svg: str, alt: str) -> str:
    data = base64.b64encode(svg.encode()).decode("ascii")
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}">'


def _anchor(name: str) -> str:
    return "set-" + quote(name, safe="")


__all__ = ["Facts", "write_webpage"]
