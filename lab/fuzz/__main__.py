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

from . import build, plain, seeds
from .plain import Outcome

#: The share of the time that each target gets.
SHARES = {
    "document": 0.30,
    "extract": 0.33,
    "floods": 0.08,
    "pages": 0.11,
    "flattening": 0.06,
    "trees": 0.06,
    "twin": 0.06,
}
EXECUTED = re.compile(
    r"stat::number_of_executed_units:\s*(\d+)|^#(\d+)\t", re.MULTILINE
)
MAX_LENGTH = {
    "document": 8192,
    "extract": 4096,
    "floods": 2048,
    "pages": 64,
    "flattening": 4096,
    "trees": 2048,
    "twin": 2048,
}
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
    chosen = {name: SHARES[name] for name in options.targets or SHARES}
    whole = sum(chosen.values())
    times = {name: options.seconds * part / whole for name, part in chosen.items()}
    outcomes = all_plain(times) if options.plain else all_sanitised(times)
    if options.record:
        plain.add_to_table(outcomes)
    return int(any(outcome.findings for outcome in outcomes))


def all_plain(times: dict[str, float]) -> list[Outcome]:
    """Run the targets as they are, in this process."""
    folder = build.HOME / "seeds"
    print("fuzz: corpus of", seeds.make(folder), flush=True)
    corpus = [path.read_bytes() for path in sorted(folder.iterdir())]
    outcomes = []
    for name, seconds in times.items():
        found = build.HOME / "findings" / name
        outcomes.append(plain.run(name, corpus, seconds, found))
        say(outcomes[-1])
    return outcomes


def all_sanitised(times: dict[str, float]) -> list[Outcome]:
    """Build with sanitisers, and run the targets in processes of their own."""
    if not find_spec("atheris"):
        raise SystemExit("fuzz: atheris is missing (pip install atheris)")
    source = build.build()
    seeds.write_dictionary(build.HOME / "html.dict")
    print("fuzz: corpus of", seeds.make(build.HOME / "seeds"), flush=True)
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
    parser.add_argument("--plain", action="store_true", help="without sanitisers")
    parser.add_argument("--record", action="store_true", help="add to the docs' table")
    parser.add_argument("targets", nargs="*", choices=[[], *SHARES], metavar="TARGET")
    return parser.parse_args()


def run(target: str, source: Path, seconds: float) -> Outcome:
    """Fuzz a target for a number of seconds; findings do not end it."""
    outcome, began = Outcome(target), time.monotonic()
    found = build.HOME / "findings" / target
    found.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    while (left := seconds - (time.monotonic() - began)) > 1:
        log = build.HOME / f"{target}.log"
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
    corpus = build.HOME / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    line = [sys.executable, "-m", "lab.fuzz.driver", target, str(corpus)]
    if target not in ("pages", "trees"):
        line += [str(build.HOME / "seeds"), f"-dict={build.HOME / 'html.dict'}"]
    return [
        *line,
        f"-artifact_prefix={found}/",
        f"-max_total_time={seconds:.0f}",
        f"-max_len={MAX_LENGTH[target]}",
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
