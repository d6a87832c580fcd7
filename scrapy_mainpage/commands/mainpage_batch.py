"""``scrapy mainpage-batch INPUT... --output DIR``: the pages of archives, extracted.

Imported at every call of ``scrapy``, so the modules of the run are imported in ``run``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    INTERRUPTED,
    NOT_POSSIBLE,
    ToolCommand,
    index_url,
    show,
)

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.commands.batch_run import Work
    from scrapy_mainpage.settings import Settings

_EXTRAS: Final = {"local": "batch", "spark": "spark", "ray": "ray"}
"""Engines, and the extra that each needs."""

INDEX_SETTING: Final = "MAINPAGE_INDEX"
FIELDS: Final = ("url", "html", "headers", "crawled_at")

#: Columns on request, and their content.
EXTRA: Final = {
    "blocks": "every text block with its label",
    "comments": "the text of the comments",
    "html": "the main content as HTML",
    "links": "the links in the main content",
    "markdown": "the main content as Markdown",
    "media": "images, video and audio in the main content",
    "sections": "the main content in parts, each with its heading",
}


class Command(ToolCommand):
    """Extract the pages in WARC files, Parquet files, feeds and folders of HTML files.

    Exit code 0 if every file was read to its end, 1 if not, 2 if nothing was done, 130
    after Ctrl-C.
    """

    arguments = "[options] <input> ..."
    summary = "Extract the pages of WARC files, Parquet files, feeds or folders of HTML"
    description = (
        "Extract the pages in WARC files, Parquet files with a column of HTML, or "
        "feeds with such a field; a folder stands for the files in it, and for all "
        "HTML files in it and its folders, which become one output. Inputs and "
        "output may be local or URLs of an object store, such as s3://bucket/key. "
        "The pages of each file go into a Parquet file of its name, in its place "
        "only when complete: the same call again resumes a run that was stopped. "
        "A page that cannot be read or extracted is a row with an error. The "
        "project's settings of the extraction apply."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add("--output", metavar="DIR", help="folder or URL for the Parquet files")
        add(
            "--index",
            metavar="INDEX",
            action="append",
            help=f"file (SQLite) or URL of an index to fill, or {INDEX_SETTING} for "
            "that setting; may be given several times (engine local)",
        )
        add(
            "--scope",
            metavar="NAME",
            help="the inputs are all pages of this scope: what is in none of them "
            "leaves the indexes, as MAINPAGE_SWEEP says (needs MAINPAGE_STATE)",
        )
        add(
            "--engine",
            choices=_EXTRAS,
            default="local",
            help="what runs the conversion (default: local, processes of this machine)",
        )
        add(
            "--processes",
            type=int,
            metavar="N",
            help="number of processes (default: one for each processor)",
        )
        add("--address", metavar="URL", help="address of the engine's cluster")
        add(
            "--format",
            choices=("warc", "parquet", "feed", "html"),
            help="format of the input (default: by its name)",
        )
        add(
            "--field",
            metavar="NAME=COLUMN",
            action="append",
            default=[],
            help=f"column or field of the input that holds {', '.join(FIELDS[:-1])} or "
            f"{FIELDS[-1]}; may be given several times",
        )
        for name, what in EXTRA.items():
            add(f"--{name}", action="store_true", help=f"add a column: {what}")
        add(
            "--overwrite",
            action="store_true",
            help="convert again the files that are done",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert the files, print the counts, and set the exit code."""
        _check(args, opts)
        try:
            from scrapy_mainpage.batch.locations import BatchError
            from scrapy_mainpage.commands.batch_run import BatchRun

            if opts.engine != "local":
                import_module({"spark": "pyspark"}.get(opts.engine, opts.engine))
        except ModuleNotFoundError as error:
            self.end_without(_EXTRAS[opts.engine], error)
            return
        from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable
        from scrapy_mainpage.indexes.embedders import EmbedderError
        from scrapy_mainpage.memory import MemoryUnavailable
        from scrapy_mainpage.processes.worker import WorkerNotStarted

        settings = self.read_settings()
        if opts.scope and not settings.state:
            raise UsageError("--scope: MAINPAGE_STATE is needed")
        try:
            run = BatchRun(settings, _make_work(settings, opts))
            run.run(args)
        except (BatchError, IndexUnavailable, MemoryUnavailable, OSError) as error:
            self.end(NOT_POSSIBLE, str(error))
        except WorkerNotStarted as error:
            last = str(error).strip().splitlines()[-1]
            self.end(NOT_POSSIBLE, f"no process can be started: {last}")
        except (EmbedderError, IndexFailure) as error:
            self.end(NOT_POSSIBLE, f"MAINPAGE_EMBEDDER={settings.embedder}: {error}")
        except KeyboardInterrupt:
            self.end(INTERRUPTED, "stopped; the same call again goes on with the rest")
        else:
            show(run.report())
            if not run.is_complete:
                nothing = run.unreadable and not run.files
                self.exitcode = NOT_POSSIBLE if nothing else INCOMPLETE


def _check(args: list[str], opts: argparse.Namespace) -> None:
    if not args or "" in args:
        raise UsageError("an input is needed: files or folders")
    if not opts.output and not opts.index:
        raise UsageError("--output DIR is needed, or --index INDEX, or both")
    if opts.scope is not None and not (opts.scope and opts.index):
        raise UsageError("--scope NAME goes with --index INDEX")
    if opts.engine != "local" and (opts.index or not opts.output):
        raise UsageError(f"--engine {opts.engine} writes files only: --output DIR")
    if opts.engine == "local" and opts.address:
        raise UsageError("--address goes with --engine spark or ray")
    if opts.processes is not None and opts.processes < 1:
        raise UsageError("--processes: 1 or more")


def _fields(options: list[str]) -> dict[str, str]:
    pairs = dict(each.partition("=")[::2] for each in options)
    for name, column in pairs.items():
        if name not in FIELDS or not column:
            raise UsageError(f"--field {name}: NAME=COLUMN of {', '.join(FIELDS)}")
    return pairs


def _indexes(names: list[str] | None, settings: Settings) -> tuple[str, ...]:
    urls: list[str] = []
    for name in names or ():
        if name == INDEX_SETTING and not settings.index:
            raise UsageError(f"--index {INDEX_SETTING}: it is not set")
        urls += settings.index if name == INDEX_SETTING else [index_url(name)]
    return tuple(dict.fromkeys(urls))


def _make_work(settings: Settings, opts: argparse.Namespace) -> Work:
    import os

    from scrapy_mainpage.batch.convert import Conversion
    from scrapy_mainpage.batch.extract import Extraction
    from scrapy_mainpage.batch.sources import Opening
    from scrapy_mainpage.commands.batch_run import Work
    from scrapy_mainpage.pipelines.index_documents import DocumentMaker

    indexes = _indexes(opts.index, settings)
    extra = tuple(name for name in EXTRA if getattr(opts, name))
    extraction = Extraction(
        extra,
        settings.algorithm,
        settings.options,
        settings.extraction,
        DocumentMaker.from_settings(settings) if indexes else None,
    )
    options = {
        "extra": extra,
        "algorithm": settings.algorithm,
        "options": {name: str(value) for name, value in settings.options.items()},
    }
    opening = Opening(opts.format, _fields(opts.field), settings.max_size)
    processes = opts.processes or (os.cpu_count() if opts.engine == "local" else None)
    return Work(
        Conversion(extraction, opening, opts.output, options=options),
        indexes,
        opts.engine,
        processes,
        opts.address,
        opts.overwrite,
        opts.scope,
    )
