"""``python -m lab.fuzz``: build with sanitisers, run the targets in turn, report."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from lab import ROOT

from . import checks, seeds
from .outcomes import Outcome, add_to_table

HOME = ROOT / "build" / "fuzz"
SOURCE = HOME / "source"
BUILT_FROM = ("setup.py", "pyproject.toml", "README.rst")
SANITISERS = "address,undefined"
FLAGS = (
    f"-fsanitize=fuzzer-no-link,{SANITISERS} -fno-sanitize-recover=undefined "
    "-fno-omit-frame-pointer -gline-tables-only -O1"
)
COMPILED = {".so", ".pyd", ".c", ".pyc"}


def build_sanitised() -> Path:
    """Copy what has changed, compile it, and return the folder to import it from."""
    if not shutil.which("clang"):
        raise SystemExit("fuzz: clang with its sanitisers is missing (as root: "
                         "apt-get install clang libclang-rt-dev)")  # fmt: skip
    _copy()
    environment = {
        **os.environ,
        "CC": "clang",
        "LDSHARED": "clang -shared",
        "CFLAGS": FLAGS,
    }
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    done = subprocess.run(
        command,
        cwd=SOURCE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"fuzz: the build failed:\n{done.stderr[-4000:]}")
    return SOURCE


def _copy() -> None:
    package = ROOT / "scrapy_mainpage"
    wanted = {
        path.relative_to(ROOT)
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in COMPILED
    }
    for path in (*wanted, *map(Path, BUILT_FROM)):
        _copy_changed(ROOT / path, SOURCE / path)
    for path in (SOURCE / "scrapy_mainpage").rglob("*"):
        if path.suffix in COMPILED:
            # A deleted module could still be imported.
            gone = path.with_name(path.name.partition(".")[0] + ".pyx")
            shared = path.name.startswith("_cython.")  # Cython writes its source
            if path.suffix != ".pyc" and not gone.exists() and not shared:
                path.unlink()
        elif path.is_file() and path.relative_to(SOURCE) not in wanted:
            path.unlink()


def _copy_changed(source: Path, copy: Path) -> None:
    if copy.exists() and copy.read_bytes() == source.read_bytes():
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)
    # Newer than what was compiled from it, whenever it was written.
    copy.touch()


#: The share of the time that each target gets, and the bytes of its inputs.
SHARES = {
    "document": (0.30, 8192),
    "extract": (0.41, 4096),
    "pages": (0.11, 64),
    "flattening": (0.06, 4096),
    "trees": (0.06, 2048),
    "reread": (0.06, 2048),
}
EXECUTED = re.compile(
    r"stat::number_of_executed_units:\s*(\d+)|^#(\d+)\t", re.MULTILINE
)
#: Python leaves much to the end of the process, and long backtraces take long.
OPTIONS = (
    "detect_leaks=0",
    "allocator_may_return_null=1",
    "detect_stack_use_after_return=0",
    "malloc_context_size=4",
    "quarantine_size_mb=64",
)
#: Seconds allowed for one input, with sanitisers on.
LONGEST = 30


def main() -> int:
    """Run the command line; 1 where anything was found."""
    options = arguments()
    if options.table:
        over = checks.table(options.table, options.step, is_recorded=options.record)
        return int(over > 0)
    chosen = {name: SHARES[name][0] for name in options.targets or SHARES}
    whole = sum(chosen.values())
    times = {name: options.seconds * part / whole for name, part in chosen.items()}
    outcomes = all_sanitised(times)
    if options.record:
        add_to_table(outcomes)
    return int(any(outcome.findings for outcome in outcomes))


def all_sanitised(times: dict[str, float]) -> list[Outcome]:
    """Build with sanitisers, and run the targets in processes of their own."""
    if not find_spec("atheris"):
        raise SystemExit("fuzz: atheris is missing (pip install atheris)")
    source = build_sanitised()
    seeds.write_dictionary(HOME / "html.dict")
    print("fuzz: corpus of", seeds.make(HOME / "seeds"), flush=True)
    return [run(name, source, seconds) for name, seconds in times.items()]


def say(outcome: Outcome) -> None:
    """Print the outcome of a target."""
    print(
        f"fuzz: {outcome.target}: {outcome.executions:,} executions "
        f"in {outcome.seconds:.0f} s, {len(outcome.findings)} findings",
        flush=True,
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="for all targets")
    parser.add_argument("--record", action="store_true", help="add to the docs' table")
    parser.add_argument("--table", type=int, nargs="+", metavar="BYTES",
                        help="measure pages of these sizes")  # fmt: skip
    parser.add_argument("--step", type=int, default=1, help="each Nth page of a kind")
    parser.add_argument("targets", nargs="*", choices=[[], *SHARES], metavar="TARGET")
    return parser.parse_args()


def run(target: str, source: Path, seconds: float) -> Outcome:
    """Fuzz a target for a number of seconds; findings do not end it."""
    outcome, began = Outcome(target), time.monotonic()
    found = HOME / "findings" / target
    found.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    while (left := seconds - (time.monotonic() - began)) > 1:
        log = HOME / f"{target}.log"
        with log.open("wb") as file:
            status = subprocess.run(
                command(target, found, left),
                cwd=source,
                env=environment(source),
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        text = log.read_text("utf-8", "replace")
        outcome.executions += executions(text)
        if status:
            shutil.copy(log, found / f"{time.time_ns()}.txt")
            print(excerpt(text), flush=True)
        if status and not executions(text):
            raise SystemExit(f"fuzz: {target} does not start: see {log}")
    outcome.seconds = time.monotonic() - began
    outcome.findings = sorted(set(found.iterdir()) - before)
    say(outcome)
    return outcome


def command(target: str, found: Path, seconds: float) -> list[str]:
    """The command line of a target's process."""
    corpus = HOME / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    line = [sys.executable, "-m", "lab.fuzz.driver", target, str(corpus)]
    if target not in ("pages", "trees"):
        line += [str(HOME / "seeds"), f"-dict={HOME / 'html.dict'}"]
    return [
        *line,
        f"-artifact_prefix={found}/",
        f"-max_total_time={seconds:.0f}",
        f"-max_len={SHARES[target][1]}",
        f"-timeout={LONGEST}",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
    ]


def environment(source: Path) -> dict[str, str]:
    """The environment: the sanitisers' runtime first, and the sanitised package."""
    spec = find_spec("atheris")
    assert spec is not None
    assert spec.origin is not None
    runtime = Path(spec.origin).parents[1] / "asan_with_fuzzer.so"
    return {
        **os.environ,
        "ASAN_OPTIONS": ":".join(OPTIONS),
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "LD_PRELOAD": str(runtime),
        # Its own allocator would hide what is read past an end.
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def executions(log: str) -> int:
    """The number of inputs that a run says it has executed."""
    numbers = [int(total or line) for total, line in EXECUTED.findall(log)]
    return max(numbers, default=0)


def excerpt(log: str) -> str:
    """The lines of a log about a finding."""
    start = re.search(r"=== Uncaught|==\d+==ERROR|runtime error|ERROR: lib", log)
    return log[max(0, start.start() - 200) :][:3000] if start else log[-3000:]


if __name__ == "__main__":
    sys.exit(main())
