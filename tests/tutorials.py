"""The pages of docs/tutorial, run: files are written, commands run, outputs compared.

``python -m tests.tutorials`` runs all of them and writes their outputs anew. A line
``[...]`` in an output stands for any lines, and is never overwritten.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, indent

from .forking import start_scrapy
from .servers.java import QUICK_SPARK

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs/tutorial").glob("*.rst"))
PROJECT = ROOT / "example_project"
SHOWN_URL = "http://127.0.0.1:8000"
CUT = "[...]"
BLOCK = re.compile(
    r"^\.\. (?P<kind>code-block|literalinclude):: (?P<what>\S+)\n"
    r"(?:    :caption: (?P<caption>.*)\n)?(?:    :.*\n)*"
    r"(?P<body>(?:    .*\n|\n)*)",
    re.MULTILINE,
)
#: What only a shell understands.
SHELL = re.compile(r"[|<>$*&;]")
#: Lines of a command that takes more than ten seconds, as on a busy machine.
PROGRESS = re.compile(r"^.*\(\d+%, [\d:]+ left\)\n", re.MULTILINE)
#: Figures that differ from run to run: times, rates and scores.
VARYING = re.compile(r"\d+\.\d+(e-\d+)?|[\d,]+(?= pages/s)")


@contextmanager
def served_site() -> Iterator[str]:
    """The site of the example project at a free port."""
    command = [sys.executable, str(PROJECT / "localserver.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[1].rstrip("/,")
        yield url
        server.terminate()


def run_page(path: Path, folder: Path, url: str) -> list[tuple[str, str, str]]:
    """Run a tutorial in an empty folder; return command, shown and actual output."""
    (folder / "scrapy-mainpage").mkdir()
    (folder / "scrapy-mainpage/example_project").symlink_to(PROJECT)
    outputs = []
    for block in BLOCK.finditer(path.read_text("utf-8")):
        body = dedent(block["body"]).strip() + "\n"
        if block["kind"] == "literalinclude":
            text = (path.parent / block["what"]).resolve().read_text("utf-8")
            (folder / block["caption"]).write_text(text, "utf-8")
        elif block["what"] == "console":
            for step in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, shown = step.partition("\n")
                output = run(command.replace(SHOWN_URL, url), folder)
                outputs.append((command, shown, output.replace(url, SHOWN_URL)))
        elif block["caption"]:
            name = block["caption"].removeprefix("At the end of ")
            mode = "w" if name == block["caption"] else "a"
            with (folder / name).open(mode, encoding="utf-8") as file:
                file.write(body.replace(SHOWN_URL, url).replace(SHOWN_URL[7:], url[7:]))
    return outputs


def run(command: str, folder: Path) -> str:
    """The output of a shell command, with messages for people."""
    if command.startswith("scrapy ") and not SHELL.search(command):
        # The imports take longer than most commands.
        process = start_scrapy(shlex.split(command)[1:], folder)
        return trimmed(process.communicate(timeout=200)[1])
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, **QUICK_SPARK, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=200,
    )
    return trimmed(done.stdout)


def trimmed(output: str) -> str:
    """The output without blanks at the ends of lines, and without progress."""
    lines = [line.rstrip() for line in PROGRESS.sub("", output).splitlines()]
    return "".join(f"{line}\n" for line in lines)


def is_same(shown: str, output: str) -> bool:
    """Whether the output is the one shown, but for figures that vary and omissions."""
    shown, output = VARYING.sub("0.0", shown).strip(), VARYING.sub("0.0", output)
    pattern = ".*".join(re.escape(part.rstrip(" ")) for part in shown.split(CUT))
    return re.fullmatch(pattern, output.strip(), re.DOTALL) is not None


def main() -> None:
    """Write the outputs of all tutorials anew."""
    for path in PAGES:
        text = path.read_text("utf-8")
        with TemporaryDirectory() as folder, served_site() as url:
            for command, shown, output in run_page(path, Path(folder), url):
                if is_same(shown, output) and shown.strip() != CUT:
                    continue
                print(f"{path.name}: $ {command}\n{output}")
                old = indent(f"$ {command}\n{shown.rstrip()}", "    ")
                new = indent(f"$ {command}\n{output.rstrip()}", "    ")
                text = text.replace(old, new)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
