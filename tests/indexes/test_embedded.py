"""The embedded engines: the file or folder that their URL names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import IndexUnavailable, open_index

from .helpers import found, put

EMBEDDED = ("sqlite", "tantivy")


@pytest.fixture(params=EMBEDDED)
def scheme(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param


@pytest.mark.parametrize("rest", ["", "//", "///", "//x", "///\0"])
def test_url_without_a_path_is_refused(scheme: str, rest: str) -> None:
    with pytest.raises(IndexUnavailable, match=r"names no (file|folder)"):
        open_index(f"{scheme}:{rest}")


def test_database_in_memory_is_refused() -> None:
    with pytest.raises(IndexUnavailable, match="names no file"):
        open_index("sqlite:///:memory:")


def test_any_name_is_taken_as_it_is(scheme: str, tmp_path: Path) -> None:
    name = "a b%20#é"
    open_index(f"{scheme}:///{(tmp_path / name).as_posix()}").close()
    assert os.listdir(tmp_path) == [name]


def test_missing_directory_is_named(scheme: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(IndexUnavailable, match="no directory") as caught:
        open_index(f"{scheme}:///{(missing / 'x').as_posix()}")
    assert str(missing) in str(caught.value)
    assert not missing.exists()


def test_empty_file_or_folder_becomes_an_index_but_not_for_readers(
    scheme: str, tmp_path: Path
) -> None:
    path = tmp_path / "site"
    path.touch() if scheme == "sqlite" else path.mkdir()
    url = f"{scheme}:///{path.as_posix()}"
    with pytest.raises(IndexUnavailable, match="not an index"):
        open_index(url, read_only=True)
    with open_index(url) as index:
        put(index, "words")
        assert found(index, "words") == ["0"]
