"""Passwords of an index appear in no file and no line of the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexFailure, IndexUnavailable
from scrapy_mainpage.redaction import hide_secrets

from .memory import Place, document, failing

URL = "postgresql://me:s%2Fcret%40word@host/pages?options=x&sslpassword=hush"
SECRETS = ["s%2Fcret%40word", "s/cret@word", "hush"]
SAYING = f"cannot reach {URL} as me with s/cret@word and s%2Fcret%40word, hush"


def written(folder: Path) -> str:
    """Contents and names of all files below the folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return "".join(f"{path}\n{path.read_bytes()!r}" for path in files)


@pytest.mark.parametrize(
    "exc",
    [
        IndexFailure("refused", SAYING),
        IndexUnavailable(URL, SAYING),
        RuntimeError(SAYING),
    ],
)
@pytest.mark.parametrize("has_outbox", [True, False])
def test_password_stays_secret(
    place: Place,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    exc: Exception,
    has_outbox: bool,
) -> None:
    place.url = URL
    place.memory.steps += [failing(exc)] * 9
    place.memory.closing.append(RuntimeError(SAYING))
    if not has_outbox:
        place.outbox.mkdir()
    place.run(document(0), document(1), retries=1)
    text = caplog.text + written(tmp_path)
    assert "me:***@host" in text
    for secret in SECRETS:
        assert secret not in text


@pytest.mark.parametrize(
    ("url", "text", "shown"),
    [
        ("sqlite:///a.db", "no room in a.db", "no room in a.db"),
        ("postgresql://me@host/p", "me has some", "*** has some"),
        ("redis://8a7f0c2e@host/0", "no user 8A7F0C2Ex", "no user ***x"),
        ("postgresql://me:@host/p", "me has no access", "*** has no access"),
        ("postgresql://me:pw@host/p", "login pw at [host]", "login *** at [host]"),
        ("opensearch://[bad", "any text", "any text"),
    ],
)
def test_only_secrets_are_hidden(url: str, text: str, shown: str) -> None:
    assert hide_secrets(text, url) == shown
