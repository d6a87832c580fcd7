"""Programs, packages and servers that the zoo runs, kept in one folder between runs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


TOOLS: Final = Path(
    os.environ.get("ZOO_TOOLS", Path.home() / ".cache" / "scrapy-mainpage-zoo")
)
TIMEOUT_S: Final = 900


class ToolError(RuntimeError):
    """A program is missing or failed; the message ends with its last words."""


def run(
    *command: str | Path, cwd: Path | None = None, text: str = "", **env: str
) -> str:
    """What *command* prints, given *text*; raises :exc:`ToolError` if it fails."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            input=text,
            env=os.environ | env,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{command[0]}: {error}") from error
    if done.returncode:
        last = (done.stdout + done.stderr).strip()[-1500:]
        raise ToolError(f"{' '.join(map(str, command))}: {done.returncode}\n{last}")
    return done.stdout


def need(program: str, package: str) -> str:
    """The path of *program*, which the Debian package *package* installs."""
    path = shutil.which(program)
    if path is None:
        raise ToolError(f"{program} is missing: apt-get install {package}")
    return path


def python(name: str, *packages: str) -> Path:
    """The ``bin`` of the virtual environment *name*, with *packages* of PyPI."""
    folder = TOOLS / "python" / name
    done = folder / "done"
    wanted = " ".join(packages)
    if not done.is_file() or done.read_text() != wanted:
        run(sys.executable, "-m", "venv", folder)
        run(folder / "bin" / "python", "-m", "pip", "install", "-q", *packages)
        done.write_text(wanted)
    return folder / "bin"


def npm(folder: Path, *packages: str) -> Path:
    """Install *packages* of npm below *folder*; the folder of their programs."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "npm-done"
    wanted = " ".join(packages)
    if not done.is_file() or done.read_text() != wanted:
        if not (folder / "package.json").is_file():
            (folder / "package.json").write_text('{"private": true}')
        flags = ("--no-audit", "--no-fund", "--prefer-offline")
        run("npm", "install", *flags, *packages, cwd=folder)
        done.write_text(wanted)
    return folder / "node_modules" / ".bin"


def write(path: Path, text: str) -> None:
    """Write *text* to *path*, and make its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def fresh(folder: Path) -> Path:
    """*folder*, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@cache
def _pandoc() -> Path:
    code = "import pypandoc; print(pypandoc.get_pandoc_path())"
    bin_folder = python("pandoc", "pypandoc_binary==1.17")
    return Path(run(bin_folder / "python", "-c", code).strip())


@cache
def pandoc(text: str, to: str, *options: str) -> str:
    """Pandoc's Markdown *text* in the markup *to*."""
    return run(_pandoc(), "-f", "markdown", "-t", to, *options, text=text)


#: Settings and fillings of the applications, run by their own interpreters.
SITES: Final = Path(__file__).parent / "sites"
START_S: Final = 600
STOP_S: Final = 20
PAGE_S: Final = 300


def free_port() -> int:
    """A port of the loopback that nothing listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(
    *command: str | Path, log: Path, port: int, cwd: Path | None = None, **env: str
) -> Iterator[None]:
    """Run a server until *port* answers, and end it and its children afterwards."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=os.environ | env,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait(process, port, log)
            yield
        finally:
            _stop(process)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    last = log.read_text("utf-8", "replace")[-1500:]
    raise ToolError(f"{process.args!r} does not listen to {port}\n{last}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a server and its children, which are a group of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@dataclass(frozen=True)
class Site:
    """A site served at *port*, which its readers know as ``https://NAME.example``."""

    name: str
    port: int = field(default_factory=free_port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> bytes:
        """The page at *path* with its public addresses; raises :exc:`ToolError`."""
        url = self.url + path
        request = urllib.request.Request(url, headers=headers)  # loopback
        try:
            with urllib.request.urlopen(request, timeout=PAGE_S) as response:
                page: bytes = response.read()
        except urllib.error.URLError as error:
            raise ToolError(f"{url}: {error}") from error
        public = f"{self.name}.example"
        page = page.replace(self.url.encode(), f"https://{public}".encode())
        return page.replace(self.url[7:].encode(), public.encode())


def debian(*packages: str) -> Path:
    """The files of Debian packages, unpacked below a folder without an installation."""
    folder = TOOLS / "debian" / "-".join(packages)[:80]
    done = folder / "done"
    if not done.is_file():
        need("dpkg", "dpkg")
        folder.mkdir(parents=True, exist_ok=True)
        run("apt-get", "download", *packages, cwd=folder)
        for package in sorted(folder.glob("*.deb")):
            run("dpkg", "-x", package, folder)
        done.touch()
    return folder


@contextmanager
def mariadb(folder: Path) -> Iterator[Path]:
    """An empty MariaDB server; yields its socket, where root needs no password."""
    data, server = folder / "mariadb", need("mariadbd", "mariadb-server")
    path, port, log = folder / "mariadb.sock", free_port(), folder / "mariadb.log"
    run(
        need("mariadb-install-db", "mariadb-server"),
        "--no-defaults",
        "--user=root",
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
        f"--datadir={data}",
    )
    flags = ("--no-defaults", "--user=root", "--bind-address=127.0.0.1")
    places = (f"--datadir={data}", f"--socket={path}", f"--port={port}")
    with serving(server, *flags, *places, log=log, port=port):
        yield path


@contextmanager
def django(
    name: str, folder: Path, packages: Sequence[str], contents: object, **env: str
) -> Iterator[tuple[Site, dict[str, str]]]:
    """The site of ``sites/NAME_site.py`` filled with *contents*, and its paths."""
    interpreter = python(name, *packages) / "python"
    script = SITES / f"{name}_site.py"
    env |= {"ZOO_HOME": str(fresh(folder / "home"))}
    said = run(interpreter, script, "fill", cwd=None, text=json.dumps(contents), **env)
    made = json.loads(said.splitlines()[-1])
    paths = {key: quote(path, safe="/%?=&") for key, path in made.items()}
    site = Site(name)
    command = (interpreter, script, "serve", str(site.port))
    with serving(*command, log=folder / "server.log", port=site.port, cwd=None, **env):
        yield site, paths
