"""A local object store that speaks the protocol of S3 (moto)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

STORE = {
    "AWS_ACCESS_KEY_ID": "owl",
    "AWS_SECRET_ACCESS_KEY": "owl",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture(scope="session")
def store_server() -> Iterator[int]:
    """The port of the store."""
    pytest.importorskip("moto.server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(600):
                assert process.poll() is None
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield port
        finally:
            process.kill()


@pytest.fixture
def store(store_server: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a folder in the store."""
    for name, value in STORE.items():
        monkeypatch.setenv(name, value)
    options = f"endpoint_override=127.0.0.1:{store_server}&scheme=http"
    bucket = f"owls-{os.urandom(4).hex()}"
    return f"s3://{bucket}/pages?{options}&allow_bucket_creation=true"
