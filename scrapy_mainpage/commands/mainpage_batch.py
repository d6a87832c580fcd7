"""``scrapy mainpage-batch INPUT... --output DIR``: the pages of archives, extracted.

Imported at every call of ``scrapy``, so what the work needs is imported in ``run``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

    from scrapy_mainpage.settings import Settings

    from .batching.run import BatchRun
    from .batching.writing import Work

INCOMPLETE = 1
NOT_POSSIBLE = 2
INTERRUPTED = 130

ENGINES: Final = ("local", "spark", "ray")
INDEX_SETTING: Final = "MAINPAGE_INDEX"
FIELDS: Final = ("url", "html", "headers", "crawled_at")

#: Columns that come when they are asked for, and what they hold.
EXTRA: Final = {
    "blocks": "every text block with its label",
    "comments": "the text of the comments",
    "html": "the main content as HTML",
    "links": "the links in the main content",
    "markdown": "the main content as Markdown",
    "media": "images, video and audio in the main content",
    "sections": "the main content in parts, each with its heading",
}


class Command(ScrapyCommand):
    """Extracts the pages in WARC files, Parquet files and feeds.

    Exit code 0 if every file was read to its end, 1 if not, 2 if nothing could be
    done, 130 after Ctrl-C.
    """

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return what stands after the command's name."""
        return "[options] <input> ..."

    def short_desc(self) -> str:
        """Return the line in the list of commands."""
        return "Extract the pages of WARC files, Parquet files or feeds"

    def long_desc(self) -> str:
        """Return the help."""
        return (
            "Extract the pages in WARC files, Parquet files with a column of HTML, or "
            "feeds with such a field; a folder stands for the files in it. The pages "
            "of each file go into a Parquet file of its name, which is there when it "
            "is whole: a run that was stopped goes on where it is called again. What "
            "cannot be read or extracted is a row that says why. The project's "
            "settings of the extraction hold here, too."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        add = parser.add_argument
        add("--output", metavar="DIR", help="folder for the Parquet files")
        add(
            "--index",
            metavar="INDEX",
            action="append",
            help="file (SQLite), folder (tantivy) or URL of an index to fill, or "
            f"{INDEX_SETTING} for what that setting says; may be given several times "
            "(engine local)",
        )
        add(
            "--engine",
            choices=ENGINES,
            default="local",
            help="what shares out the work (default: local, processes of this machine)",
        )
        add(
            "--processes",
            type=int,
            metavar="N",
            help="how many processes (default: one for each processor)",
        )
        add("--address", metavar="URL", help="where the engine's cluster is")
        add(
            "--format",
            choices=("warc", "parquet", "feed"),
            help="format of the input (default: as its name says)",
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
            help="do again what is done; else it is passed over",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Work the files off, say what came of it, and set the exit code."""
        _check(args, opts)
        from scrapy_mainpage.batch.errors import BatchError
        from scrapy_mainpage.batch.needs import need

        try:
            need("batch" if opts.engine == "local" else opts.engine)
        except BatchError as error:
            self._end(NOT_POSSIBLE, str(error))
            return
        from scrapy_mainpage.indexes import IndexUnavailable

        from .batching.inputs import input_files
        from .batching.run import BatchRun

        settings = self._settings()
        try:
            work = _work(settings, opts)
            run = BatchRun(settings, work)
            run.run(input_files(args))
        except (BatchError, IndexUnavailable, OSError) as error:
            self._end(NOT_POSSIBLE, str(error))
        except KeyboardInterrupt:
            self._end(INTERRUPTED, "stopped; the same call again goes on with the rest")
        else:
            self._tell(run)

    def _settings(self) -> Settings:
        from scrapy_mainpage.settings import Settings

        assert self.settings is not None
        return Settings.from_settings(self.settings)

    def _tell(self, run: BatchRun) -> None:
        from .output import show

        show(run.outcome.report())
        if run.outcome.unreadable or not run.is_indexed:
            nothing = run.outcome.unreadable and not run.outcome.files
            self.exitcode = NOT_POSSIBLE if nothing else INCOMPLETE

    def _end(self, exitcode: int, message: str) -> None:
        self.exitcode = exitcode
        print(f"scrapy mainpage-batch: {message}", file=sys.stderr)


def _check(args: list[str], opts: argparse.Namespace) -> None:
    if not args or "" in args:
        raise UsageError("an input is needed: files or folders")
    if not opts.output and not opts.index:
        raise UsageError("--output DIR is needed, or --index INDEX, or both")
    if opts.engine != "local" and (opts.index or not opts.output):
        raise UsageError(f"--engine {opts.engine} writes files only: --output DIR")
    if opts.engine == "local" and opts.address:
        raise UsageError("--address goes with --engine spark or ray")
    if opts.processes is not None and opts.processes < 1:
        raise UsageError("--processes: 1 or more")


def _fields(given: list[str]) -> dict[str, str]:
    pairs = dict(each.partition("=")[::2] for each in given)
    for name, column in pairs.items():
        if name not in FIELDS or not column:
            raise UsageError(f"--field {name}: NAME=COLUMN of {', '.join(FIELDS)}")
    return pairs


def _indexes(names: list[str] | None, settings: Settings) -> tuple[str, ...]:
    from .indexurls import index_url

    urls: list[str] = []
    for name in names or ():
        if name == INDEX_SETTING and not settings.index:
            raise UsageError(f"--index {INDEX_SETTING}: it is not set")
        urls += settings.index if name == INDEX_SETTING else [index_url(name)]
    return tuple(dict.fromkeys(urls))


def _work(settings: Settings, opts: argparse.Namespace) -> Work:
    import os
    import pickle

    from scrapy_mainpage.batch.converting import Conversion
    from scrapy_mainpage.batch.extracting import Extraction
    from scrapy_mainpage.batch.sources import Opening
    from scrapy_mainpage.batch.worker import Setup
    from scrapy_mainpage.pipelines.index_documents import DocumentMaker
    from scrapy_mainpage.settings import SettingsError

    from .batching.writing import Work

    indexes = _indexes(opts.index, settings)
    extra = tuple(name for name in EXTRA if getattr(opts, name))
    documents = DocumentMaker.from_settings(settings) if indexes else None
    extraction = Extraction(
        extra,
        settings.algorithm,
        settings.options,
        settings.structured_data,
        settings.limits,
        documents,
    )
    try:
        pickle.dumps(extraction)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        problem = f"{error}; allowed here: what can be pickled"
        value = settings.algorithm_options
        raise SettingsError("MAINPAGE_ALGORITHM_OPTIONS", value, problem) from None
    opening = Opening(opts.format, _fields(opts.field), settings.max_size)
    setup = Setup(extraction, opening, settings.processes_timeout)
    making = {
        "extra": extra,
        "algorithm": settings.algorithm,
        "options": {name: str(value) for name, value in settings.options.items()},
    }
    folder = Path(opts.output) if opts.output else None
    processes = opts.processes or (os.cpu_count() if opts.engine == "local" else None)
    return Work(
        Conversion(setup, folder or Path(), making),
        folder,
        indexes,
        opts.engine,
        processes,
        opts.address,
        opts.overwrite,
    )
