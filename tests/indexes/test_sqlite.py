"""SQLite only: its file, limits and locks."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrapy_mainpage.indexes import (
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    Passage,
    open_index,
)
from scrapy_mainpage.indexes import sqlite_file as sqlitefile

from .helpers import found, put


@contextmanager
def as_another_user() -> Iterator[None]:
    """Be a user to whom the rights of a file apply; to root they do not."""
    user = os.geteuid()
    os.seteuid(user or 65_534)
    try:
        yield
    finally:
        os.seteuid(user)


class TestSqlite:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return tmp_path / "site.db"

    @pytest.fixture
    def file_url(self, file: Path) -> str:
        return f"sqlite:///{file.as_posix()}"

    @pytest.mark.parametrize("read_only", [True, False])
    def test_file_that_is_no_database_is_left_alone(
        self, file: Path, file_url: str, read_only: bool
    ) -> None:
        file.write_bytes(b"not a database, but rather more than a header " * 100)
        before = file.read_bytes()
        with pytest.raises(IndexUnavailable, match="not a database"):
            open_index(file_url, read_only=read_only)
        assert file.read_bytes() == before

    @pytest.mark.parametrize("read_only", [True, False])
    def test_database_of_another_program_is_left_alone(
        self, file: Path, file_url: str, read_only: bool
    ) -> None:
        theirs = sqlite3.connect(file)
        theirs.execute("CREATE TABLE documents (url TEXT)")
        theirs.commit()
        theirs.close()
        before = file.read_bytes()
        with pytest.raises(IndexUnavailable, match="not an index of scrapy-mainpage"):
            open_index(file_url, read_only=read_only)
        assert file.read_bytes() == before

    def test_other_schema_version_is_named(self, file: Path, file_url: str) -> None:
        open_index(file_url).close()
        newer = sqlite3.connect(file)
        newer.execute("PRAGMA user_version = 99")
        newer.close()
        with pytest.raises(IndexUnavailable, match=r"schema version 99.* version 7"):
            open_index(file_url)

    @pytest.mark.skipif(sys.platform == "win32", reason="files have other rights there")
    def test_a_file_that_may_not_be_written_or_read_is_one_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            url, file = f"sqlite:///{folder}/site.db", Path(folder, "site.db")
            with open_index(url) as index:
                put(index, "words")
                assert found(index, "words") == ["0"]
            for rights, message in ((0o444, "readonly"), (0o000, "unable to open")):
                file.chmod(rights)
                with (
                    as_another_user(),
                    pytest.raises(IndexUnavailable, match=message) as caught,
                ):
                    open_index(url)
                assert "\n" not in str(caught.value)
            with as_another_user(), pytest.raises(IndexUnavailable, match="unable"):
                open_index(url, read_only=True)
            file.chmod(0o444)
            with as_another_user(), open_index(url, read_only=True) as index:
                assert found(index, "words") == ["0"]

    def test_a_file_that_stays_locked_is_one_line(
        self, file: Path, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlitefile, "BUSY_TIMEOUT", 0.0)
        open_index(file_url).close()
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(IndexUnavailable, match="is locked") as caught:
            open_index(file_url)
        assert "\n" not in str(caught.value)
        other.close()
        open_index(file_url).close()

    def test_python_without_fts5_is_told_so(
        self, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlitefile, "_HAS_FTS5", "SELECT 1 WHERE 0")
        with pytest.raises(IndexUnavailable, match="built without FTS5"):
            open_index(file_url)

    @pytest.mark.parametrize("rest", ["", "//", "///", "//x", "///\0", "///:memory:"])
    def test_url_without_a_file_is_refused(self, rest: str) -> None:
        with pytest.raises(IndexUnavailable, match="names no file"):
            open_index(f"sqlite:{rest}")

    def test_any_name_is_taken_as_it_is(self, tmp_path: Path) -> None:
        name = "a b%20#é"
        open_index(f"sqlite:///{(tmp_path / name).as_posix()}").close()
        assert os.listdir(tmp_path) == [name]

    def test_missing_directory_is_named(self, tmp_path: Path) -> None:
        missing = tmp_path / "missing"
        with pytest.raises(IndexUnavailable, match="no directory") as caught:
            open_index(f"sqlite:///{(missing / 'x').as_posix()}")
        assert str(missing) in str(caught.value)
        assert not missing.exists()

    def test_empty_file_becomes_an_index_but_not_for_readers(
        self, file: Path, file_url: str
    ) -> None:
        file.touch()
        with pytest.raises(IndexUnavailable, match="not an index"):
            open_index(file_url, read_only=True)
        with open_index(file_url) as index:
            put(index, "words")
            assert found(index, "words") == ["0"]

    @pytest.mark.skipif(
        sys.version_info < (3, 11), reason="Connection.setlimit is of Python 3.11"
    )
    def test_document_that_is_too_big_fails_for_good(
        self, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connect = sqlite3.connect

        def limited(*args: object, **kwargs: object) -> sqlite3.Connection:
            connection = connect(*args, **kwargs)  # type: ignore[call-overload]
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 100_000)
            return connection  # type: ignore[no-any-return]

        monkeypatch.setattr(sqlite3, "connect", limited)
        with open_index(file_url) as index:
            documents = [
                IndexDocument(f"u/{number}", "words " * length)
                for number, length in enumerate((1, 50_000, 2))
            ]
            with pytest.raises(IndexFailure) as caught:
                index.put_many(documents)
            assert (caught.value.reason, caught.value.retryable) == ("too_big", False)
            assert found(index, "words") == []

    def test_write_that_another_writer_keeps_out_fails_as_locked(
        self, file: Path, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlitefile, "BUSY_TIMEOUT", 0.0)
        with open_index(file_url) as index:
            other = sqlite3.connect(file, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(IndexFailure) as caught:
                put(index, "words")
            assert caught.value.reason == "locked"
            other.execute("ROLLBACK")
            other.close()
            put(index, "words")
            assert found(index, "words") == ["0"]

    def test_full_disk_fails_as_such_and_keeps_what_was_there(
        self, file: Path, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connect = sqlite3.connect

        def small(*args: object, **kwargs: object) -> sqlite3.Connection:
            connection = connect(*args, **kwargs)  # type: ignore[call-overload]
            connection.execute("PRAGMA max_page_count = 40")
            return connection  # type: ignore[no-any-return]

        monkeypatch.setattr(sqlite3, "connect", small)
        with open_index(file_url) as index:
            put(index, "small")
            large = " ".join(f"word{number}" for number in range(50_000))
            with pytest.raises(IndexFailure) as caught:
                index.put_many([IndexDocument("u/large", large)])
            assert caught.value.reason == "disk_full"
            assert found(index, "small") == ["0"]
            assert found(index, "word7") == []

    def test_index_in_a_folder_without_write_permission_is_searched(
        self, file: Path, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with open_index(file_url) as index:
            put(index, "words")
        connect = sqlite3.connect

        def denied(name: str, **kwargs: object) -> sqlite3.Connection:
            # The answer of SQLite there; tests may run as root, who can write anywhere.
            if "immutable=1" not in name:
                raise sqlite3.OperationalError("unable to open database file")
            return connect(name, **kwargs)  # type: ignore[call-overload,no-any-return]

        monkeypatch.setattr(sqlite3, "connect", denied)
        monkeypatch.setattr(sqlitefile.os, "access", lambda path, mode: False)
        with open_index(file_url, read_only=True) as index:
            assert found(index, "words") == ["0"]

    @pytest.mark.skipif(sys.platform == "win32", reason="open files stay there")
    def test_a_deleted_file_takes_no_documents(self, file: Path, file_url: str) -> None:
        with open_index(file_url) as index:
            put(index, "river")
            file.unlink()
            with pytest.raises(IndexFailure) as failure:
                put(index, "mill")
        assert failure.value.reason == "index_missing"
        assert not failure.value.retryable

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE search_content SET c3 = x'00ff'",
            "UPDATE search_content SET c3 = 7",
            "UPDATE documents SET sections = '['",
            "UPDATE documents SET title = CAST(x'ff' AS TEXT)",
            "UPDATE documents SET weight = 'x'",
            f"UPDATE documents SET sections = '{'[' * 100_000}'",
            "UPDATE passages SET heading = x'00ff'",
            "UPDATE passages SET path = '['",
            "DROP TABLE passages",
        ],
    )
    def test_rows_that_are_broken_fail_as_the_index_does(
        self, file: Path, file_url: str, damage: str
    ) -> None:
        with open_index(file_url) as index:
            passages = (Passage("p", 0, "some words", path=("a", "b")),)
            index.put_many([IndexDocument("u", "some words", passages=passages)])
        with sqlite3.connect(file) as connection:
            connection.execute(damage)
        connection.close()
        with open_index(file_url, read_only=True) as index:
            with pytest.raises(IndexFailure) as caught:
                print(index.search("words"), list(index.search("some", passages=True)))
            assert "\n" not in str(caught.value)
            assert caught.value.reason in ("corrupt", "database_error")

    def test_any_limit_of_a_search_is_one(self, file_url: str) -> None:
        with open_index(file_url) as index:
            put(index, "some words")
            for limit in (1, 2**31, 2**63, 10**30):
                assert len(index.search("words", limit=limit)) == 1
