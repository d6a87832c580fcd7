"""A real PostgreSQL server for tests: on loopback, with temporary data.

``lab/tools/setup.sh`` finds the server through this file, so it imports the standard
library only.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any
from urllib.parse import quote

#: Folders of the server's programs in packages, which are seldom in the PATH.
PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/libexec/postgresql*",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/usr/local/pgsql/bin",
)

#: Several times faster: survives a killed process, but not a power cut.
OPTIONS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "50",
    "log_min_messages": "fatal",
}

USER, PASSWORD = "postgres", "p%ss/w0rd@:?"
SECONDS = 60


def find_postgresql() -> str | None:
    """The newest folder with the programs ``initdb`` and ``postgres``."""
    in_path = [
        Path(name).resolve().parent for name in [shutil.which("postgres")] if name
    ]
    others = sorted(
        (folder for place in PLACES for folder in glob(place)),
        key=lambda name: [int(number) for number in re.findall(r"\d+", name)],
        reverse=True,
    )
    for folder in (*in_path, *map(Path, others)):
        if all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres")):
            return str(folder)
    return None


class PostgresServer:
    """A server with its data in a new folder, which other users may enter."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._programs = Path(find_postgresql() or "")
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._databases: set[str] = set()
        self._as_user = _other_user()
        if self._as_user:
            os.chown(folder, self._as_user["user"], self._as_user["group"])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._make()

    def _make(self) -> None:
        """Create the data; connections through TCP need the password."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder) as file:
            file.write(PASSWORD)
            file.flush()
            os.chmod(file.name, 0o644)
            options = [f"--pwfile={file.name}", "--no-locale", "--encoding=UTF8"]
            options += ["--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync"]
            command = [self._programs / "initdb", "-D", self._data, "-U", USER]
            subprocess.run(
                [*map(str, command), *options],
                check=True,
                capture_output=True,
                cwd=self.folder,
                **self._as_user,
            )

    def start(self) -> None:
        """Start the server, also after :meth:`kill`; return when it answers."""
        options = {**OPTIONS, "port": self.port, "listen_addresses": "127.0.0.1"}
        options["unix_socket_directories"] = self.folder
        command: list[Any] = [self._programs / "postgres", "-D", self._data]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.folder, **self._as_user
            )
        self._wait()

    def _wait(self) -> None:
        import psycopg

        deadline = time.monotonic() + SECONDS
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                over = time.monotonic() > deadline or not self.is_running
                if over:
                    self.kill()
                    raise RuntimeError(self._log.read_text()[-2_000:]) from None
            time.sleep(0.05)

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stop the server and its connections."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """End the server and its processes at once, as a power cut does."""
        if self._process is None:
            return
        if self.is_running:
            self._process.send_signal(signal.SIGSTOP)  # it starts no more processes
            children = _children(self._process.pid)
            self._process.kill()
            for child in children:
                _kill(child)
            self._process.wait()
            while any(map(_is_alive, children)):
                time.sleep(0.01)
        self._process = None

    def url(self, database: str, *, user: str = USER, password: str = PASSWORD) -> str:
        """The URL of a database, as the engine takes it."""
        place = f"127.0.0.1:{self.port}/{database}"
        return f"postgresql://{user}:{quote(password, safe='')}@{place}"

    def database(self, name: str, options: str = "ENCODING 'UTF8' LOCALE 'C'") -> str:
        """The URL of a database, created with these options if it does not exist."""
        if name not in self._databases:
            self.execute(f"CREATE DATABASE {name} TEMPLATE template0 {options}")
            self._databases.add(name)
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run a statement as superuser; return its rows."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """Run a server during the block, with its data in a new temporary folder."""
    # Not pytest's own folder: other users may not enter it, and its name is too long
    # for a socket in it.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    try:
        folder.chmod(0o755)
        server = PostgresServer(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _other_user() -> dict[str, Any]:
    """Arguments to run a process as another user: the server refuses to run as root."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise RuntimeError("a server that root starts needs a user: postgres or nobody")


def _children(parent: int) -> list[int]:
    command = ["ps", "-A", "-o", "pid=,ppid="]
    if Path("/proc/self/stat").exists():  # ps is not everywhere
        stats = [_stat(Path(name)) for name in glob("/proc/[0-9]*/stat")]
        return [pid for pid, ppid in stats if ppid == parent]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    pairs = [tuple(map(int, line.split())) for line in lines]
    return [pid for pid, ppid in pairs if ppid == parent]


def _stat(path: Path) -> tuple[int, int]:
    """Ids of a process and of its parent; zeros if it has just ended."""
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return 0, 0
    return int(text.split()[0]), int(text.rpartition(")")[2].split()[1])


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def _is_alive(process: int) -> bool:
    """Whether the process runs; a zombie, which may never be reaped, does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    try:
        return not stat.exists() or " Z " not in stat.read_text(errors="replace")
    except OSError:
        return False
