"""``scrapy mainpage-batch INPUT... --output DIR``: the pages of archives, extracted.

Imported at every call of ``scrapy``, so the modules of the run are imported in ``run``.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import UsageError

from scrapy_mainpage.commands.cli import (
    INCOMPLETE,
    INTERRUPTED,
    NOT_POSSIBLE,
    CommandError,
    ToolCommand,
    show,
)

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.batch.convert import Conversion
    from scrapy_mainpage.settings import Settings

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

    Exit code 0 if every file and record was read to its end, 1 if not, 2 if nothing was
    done, 130 after Ctrl-C.
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

    values = (
        ("--output", "DIR", "folder or URL for the Parquet files"),
        ("--address", "URL", "address of the engine's cluster"),
    )
    lists = (("--field", "NAME=COLUMN", f"column of the input: {', '.join(FIELDS)}"),)
    flags = (
        *((f"--{name}", f"add a column: {what}") for name, what in EXTRA.items()),
        ("--overwrite", "convert again the files that are done"),
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        engine = "what runs the conversion (default: local, processes of this machine)"
        add("--engine", choices=("local", "spark", "ray"), default="local", help=engine)
        count = "number of processes (default: one for each processor)"
        add("--processes", type=int, metavar="N", help=count)
        form = "format of the input (default: by its name)"
        add("--format", choices=("warc", "parquet", "feed", "html"), help=form)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert the files, print the counts, and set the exit code."""
        _check(args, opts)
        # Asked for before the files are read.
        import_module({"spark": "pyspark", "ray": "ray"}.get(opts.engine, "fastwarc"))
        from scrapy_mainpage.commands.batch_run import BatchRun
        from scrapy_mainpage.processes.worker import WorkerNotStarted

        run = BatchRun(_conversion(self.read_settings(), opts))
        count = opts.processes or (os.cpu_count() if opts.engine == "local" else None)
        try:
            sources = run.find(args, overwrite=opts.overwrite)
            run.run(sources, opts.engine, count, opts.address)
        except WorkerNotStarted as error:
            last = str(error).strip().splitlines()[-1]
            raise CommandError(f"no process can be started: {last}") from error
        except KeyboardInterrupt:
            self.end(INTERRUPTED, "stopped; the same call again goes on with the rest")
            return
        show(run.report())
        if not run.is_complete:
            self.exitcode = INCOMPLETE if run.files else NOT_POSSIBLE


def _check(args: list[str], opts: argparse.Namespace) -> None:
    if not args or "" in args:
        raise UsageError("an input is needed: files or folders")
    if not opts.output:
        raise UsageError("--output DIR is needed")
    if opts.engine == "local" and opts.address:
        raise UsageError("--address goes with --engine spark or ray")
    if opts.processes is not None and opts.processes < 1:
        raise UsageError("--processes: 1 or more")


def _columns(options: list[str]) -> dict[str, str]:
    pairs = dict(each.partition("=")[::2] for each in options)
    for name, column in pairs.items():
        if name not in FIELDS or not column:
            raise UsageError(f"--field {name}: NAME=COLUMN of {', '.join(FIELDS)}")
    return pairs


def _conversion(settings: Settings, opts: argparse.Namespace) -> Conversion:
    from scrapy_mainpage.batch.convert import Conversion
    from scrapy_mainpage.batch.extract import Extraction

    extra = tuple(name for name in EXTRA if getattr(opts, name))
    columns = _columns(opts.field)
    return Conversion(
        Extraction(extra, settings.algorithm, settings.options, settings.extraction),
        opts.output,
        {"form": opts.format, "columns": columns, "max_size": settings.max_size},
    )
