"""PostgreSQL only: locales, long texts, plans, failing servers, URLs."""

from __future__ import annotations

import logging
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    open_index,
)
from scrapy_mainpage.indexes.postgresql import PostgresqlIndex, vector_of
from scrapy_mainpage.indexes.query import Query, parse_query

from ..servers.postgres import PASSWORD, PostgresServer
from .helpers import found, put

LOCALES = {
    "c": "ENCODING 'UTF8' LOCALE 'C'",
    "utf8": "ENCODING 'UTF8' LOCALE 'C.UTF-8'",
}


@pytest.fixture
def url(postgresql_url: str) -> str:
    return postgresql_url


def rows(url: str, statement: str) -> list[tuple[object, ...]]:
    """The rows of a statement; ``$`` in it stands for the schema of the index."""
    place, _, schema = url.partition("?schema=")
    with psycopg.connect(place, autocommit=True) as connection:
        cursor = connection.execute(statement.replace("$", schema))
        return cursor.fetchall() if cursor.description else []


class TestLocales:
    @pytest.fixture(params=list(LOCALES))
    def place(
        self, request: pytest.FixtureRequest, postgres_server: PostgresServer
    ) -> str:
        try:
            return postgres_server.database(request.param, LOCALES[request.param])
        except psycopg.Error as exc:  # an old system has no UTF-8 locale of C
            pytest.skip(str(exc))

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(text=st.text(max_size=60) | st.text("aé1e5-.x_0ßς:/@'\\", max_size=20))
    def test_server_reads_each_word_as_one_word(self, place: str, text: str) -> None:
        words: set[str] = set()
        made = vector_of([(text, "A")], words)[0]
        with psycopg.connect(place) as connection:
            statement = "SELECT unnest(tsvector_to_array(%s::tsvector))"
            lexemes = connection.execute(statement, [made]).fetchall()
        assert {lexeme for (lexeme,) in lexemes} == words

    def test_other_encodings_are_refused(self, postgres_server: PostgresServer) -> None:
        place = postgres_server.database("latin", "ENCODING 'LATIN1' LOCALE 'C'")
        with pytest.raises(IndexUnavailable, match="LATIN1, and an index needs UTF8"):
            open_index(place)


class TestLongTexts:
    def test_words_are_found_anywhere_and_phrases_by_their_words(
        self, index: Index
    ) -> None:
        text = " ".join(f"word{number}" for number in range(30_000))
        long = IndexDocument("u/long", text, "Title")
        index.put_many([long, IndexDocument("u/short", "word1 title")])
        for query, pages in {
            '"word7 word8 word9"': ["long"],
            '"word29000 word29001"': ["long"],
            "word1 word29999": ["long", "short"],
            "title word1 -word29999": ["short"],
        }.items():
            assert sorted(found(index, query)) == pages

    def test_more_than_a_vector_holds_is_left_out(self, index: Index) -> None:
        text = " ".join(f"long{'x' * 20}{number}" for number in range(60_000))
        put(index, f"needle {text}")
        assert found(index, "needle") == ["0"]


class TestPlans:
    def test_searches_use_the_inverted_index(self, url: str) -> None:
        filler = "filler words of a document that nobody looks for"
        numbers = range(4_000)
        with open_index(url) as index:
            index.put_many(
                [
                    *(IndexDocument(f"u/{n}", f"{filler} {n}") for n in numbers),
                    IndexDocument("u/n", "a needle in word5", language="en"),
                ]
            )
        rows(url, "ANALYZE $.documents")
        for query in ("needle", "needle word5", '"needle in"', "need*", "in -needle"):
            plan = self.plan(url, query)
            assert "Bitmap Index Scan on documents_words_idx" in plan
            assert "Seq Scan" not in plan

    def plan(self, url: str, query: str) -> str:
        """Return the server's plan of a search."""
        with open_index(url) as index:
            assert isinstance(index, PostgresqlIndex)
            values: dict[str, Any] = {}
            matched = index._filtered(Query(tuple(parse_query(query))), values)
            lines = index._rows(f"EXPLAIN {matched}", values)
            return "\n".join(line for (line,) in lines)


class TestServerThatEnds:
    def test_server_that_is_down_fails_to_be_tried_again(
        self,
        url: str,
        postgres_server: PostgresServer,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        with open_index(f"{url}&connect_timeout=30") as index:
            put(index, "before")
            postgres_server.kill()
            try:
                with pytest.raises(IndexFailure) as caught:
                    put(index, "lost", "lost")
            finally:
                postgres_server.start()
            assert caught.value.reason in {"connection_lost", "unreachable"}
            assert caught.value.retryable
            assert "\n" not in str(caught.value)
            assert PASSWORD not in str(caught.value)
            put(index, "before", "after")
            assert found(index, "after") == ["1"]
        assert [each for each in caplog.records if each.levelno > logging.INFO] == []

    @pytest.mark.parametrize(
        ("code", "reason"),
        [("53100", "disk_full"), ("25006", "read_only"), ("58030", "disk_error")],
    )
    def test_what_the_server_refuses_for_now_is_tried_again(
        self, url: str, postgres_server: PostgresServer, code: str, reason: str
    ) -> None:
        body = f"BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END"
        made = f"() RETURNS trigger LANGUAGE plpgsql AS $x${body}$x$"
        schema = url.partition("schema=")[2]
        with open_index(url) as index:
            put(index, "words")
            postgres_server.execute(f"CREATE FUNCTION {schema}.f{made}", "indexes")
            when = "BEFORE INSERT OR UPDATE ON $.documents EXECUTE FUNCTION $.f()"
            rows(url, f"CREATE TRIGGER refusing {when}")
            with pytest.raises(IndexFailure) as caught:
                put(index, "more")
            assert (caught.value.reason, caught.value.retryable) == (reason, True)
            rows(url, "DROP TRIGGER refusing ON $.documents")
            put(index, "more")

    def test_new_index_on_a_server_that_is_read_only_is_one_line(
        self, url: str
    ) -> None:
        options = "options=-c%20default_transaction_read_only%3Don"
        with pytest.raises(IndexUnavailable, match="read-only transaction") as caught:
            open_index(f"{url}&{options}")
        assert "\n" not in str(caught.value)

    def test_pages_on_the_disk_that_are_broken_fail_for_good(
        self, url: str, postgres_server: PostgresServer
    ) -> None:
        with open_index(url) as index:
            put(index, "words")
        ((place,),) = rows(url, "SELECT pg_relation_filepath('$.documents')")
        rows(url, "CHECKPOINT")
        postgres_server.stop()
        file = postgres_server.folder / "data" / str(place)
        file.write_bytes(b"x" * file.stat().st_size)
        postgres_server.start()
        with open_index(url) as index:
            for call in (lambda: found(index, "words"), lambda: put(index, "words")):
                with pytest.raises(IndexFailure, match="invalid page") as caught:
                    call()
                assert (caught.value.reason, caught.value.retryable) == (
                    "corrupt",
                    False,
                )
                assert "\n" not in str(caught.value)

    def test_session_that_the_server_ends_fails_to_be_tried_again(
        self, url: str, postgres_server: PostgresServer
    ) -> None:
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event"

        with open_index(url) as index, ThreadPoolExecutor(1) as thread:
            index.put_many([IndexDocument("u", "words")])
            with psycopg.connect(url.partition("?")[0]) as other:
                other.execute(rows_locked(url))
                task = thread.submit(index.put_many, [DOCUMENT])
                while not postgres_server.execute(f"{end} = 'transactionid'"):
                    time.sleep(0.01)
                with pytest.raises(IndexFailure) as caught:
                    task.result()
            assert caught.value.retryable
            assert not index.put_many([DOCUMENT])
            assert len(index.search("other")) == 1

    def test_login_that_is_taken_away_is_not_tried_again(
        self, postgres_server: PostgresServer
    ) -> None:
        postgres_server.database("logins")
        postgres_server.execute("CREATE ROLE guest LOGIN PASSWORD 'secret'")
        postgres_server.execute("GRANT CREATE ON DATABASE logins TO guest")
        place = postgres_server.url("logins", user="guest", password="secret")
        with open_index(f"{place}?connect_timeout=30") as index:
            put(index, "words")
            postgres_server.execute("ALTER ROLE guest PASSWORD 'other'")
            end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
            postgres_server.execute(f"{end} usename = 'guest'")
            with pytest.raises(IndexFailure) as caught:
                put(index, "words")
            assert (caught.value.reason, caught.value.retryable) == ("refused", False)
            assert "secret" not in str(caught.value)


DOCUMENT = IndexDocument("u", "other words")


def rows_locked(url: str) -> str:
    return f"SELECT * FROM {url.partition('schema=')[2]}.documents FOR UPDATE"


class TestRejections:
    def test_value_that_the_server_refuses_is_told_apart(self, url: str) -> None:
        with open_index(url) as index:
            rows(url, "ALTER TABLE $.documents ADD CHECK (author <> 'nobody')")
            good = [IndexDocument(f"u/{n}", "words", author="me") for n in range(3)]
            bad = IndexDocument("u/bad", "words", author="nobody")
            with pytest.raises(IndexFailure) as caught:
                index.put_many([good[0], bad, *good[1:]])
            assert (caught.value.reason, caught.value.retryable) == (
                "unsupported",
                False,
            )
            assert not index.put_many(good)
            assert sorted(found(index, "words")) == ["0", "1", "2"]

    def test_tables_that_are_gone_are_not_tried_again(self, url: str) -> None:
        with open_index(url) as index:
            rows(url, "DROP SCHEMA $ CASCADE")
            for call in (lambda: put(index, "words"), lambda: index.search("words")):
                with pytest.raises(IndexFailure) as caught:
                    call()
                assert caught.value.reason == "no_tables"
                assert not caught.value.retryable


class TestOpening:
    def refusal(self, url: str, *, read_only: bool = False) -> str:
        with pytest.raises(IndexUnavailable) as caught:
            open_index(url, read_only=read_only)
        message = str(caught.value)
        assert "\n" not in message
        assert PASSWORD not in message
        assert "secret" not in message
        return message

    def test_wrong_password(self, postgres_server: PostgresServer) -> None:
        url = postgres_server.url("postgres", password="secret")
        assert "authentication failed" in self.refusal(url)

    def test_server_that_says_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            url = f"postgresql://me:secret@127.0.0.1:{port}/x?connect_timeout=2"
            assert "timeout" in self.refusal(url)

    @pytest.mark.parametrize(
        "url",
        [
            "postgresql://me:secret%zz@localhost/x",
            "postgresql://me:secret@localhost/x?nonsense=1",
            "postgresql://me:secret@[::1/x",
            "postgresql://localhost/x?connect_timeout=soon&password=secret",
            "postgresql://localhost/x?schema=",
            f"postgresql://localhost/x?schema={'ü' * 32}",
            "postgresql://localhost/x?schema=a%00b",
        ],
    )
    def test_url_that_is_wrong(self, url: str) -> None:
        self.refusal(url)

    def test_other_version(self, url: str) -> None:
        open_index(url).close()
        rows(url, "UPDATE $.mainpage_index SET version = 99")
        for read_only in (False, True):
            message = self.refusal(url, read_only=read_only)
            assert "schema version 99" in message
            assert "reads version 5" in message

    def test_tables_of_another_program_are_left_alone(self, url: str) -> None:
        rows(url, "CREATE SCHEMA $")
        rows(url, "CREATE TABLE $.documents (url text)")
        for read_only in (False, True):
            message = self.refusal(url, read_only=read_only)
            assert "tables of another program: documents" in message
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = '$'"
        assert rows(url, tables) == [(1,)]

    def test_schemas_are_indexes_of_their_own(
        self, postgres_server: PostgresServer
    ) -> None:
        place = postgres_server.database("schemas")
        names = ("", "?schema=Other%20%22one%22", "?connect_timeout=30&schema=x;%27--")
        for number, name in enumerate(names):
            with open_index(place + name) as index:
                put(index, f"number{number}")
                assert found(index, "number*") == ["0"]
                assert found(index, f"number{number}") == ["0"]
        statement = (
            "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|info|pub)'"
        )
        made = {name for (name,) in postgres_server.execute(statement, "schemas")}
        assert made == {"mainpage", 'Other "one"', "x;'--"}

    def test_socket_of_the_machine_is_a_host(
        self, postgres_server: PostgresServer
    ) -> None:
        postgres_server.database("sockets")
        place = f"host={postgres_server.folder}&port={postgres_server.port}"
        url = f"postgresql://?{place}&dbname=sockets&user=postgres&schema=other"
        with open_index(url) as index:
            put(index, "words")
            assert found(index, "words") == ["0"]

    def test_reader_needs_the_right_to_read_only(
        self, url: str, postgres_server: PostgresServer
    ) -> None:
        with open_index(url) as index:
            put(index, "words")
        name = url.partition("schema=")[2]
        rows(url, "DROP ROLE IF EXISTS reader")
        rows(url, "CREATE ROLE reader LOGIN PASSWORD 'secret'")
        rows(url, "GRANT USAGE ON SCHEMA $ TO reader")
        rows(url, "GRANT SELECT ON ALL TABLES IN SCHEMA $ TO reader")
        place = postgres_server.url("indexes", user="reader", password="secret")
        with open_index(f"{place}?schema={name}", read_only=True) as index:
            assert found(index, "words") == ["0"]
        with open_index(f"{place}?schema={name}") as index:
            with pytest.raises(IndexFailure) as caught:
                put(index, "more")
            assert caught.value.reason == "no_permission"
            assert not caught.value.retryable
        assert "permission denied" in self.refusal(f"{place}?schema=new")
        rows(url, "DROP OWNED BY reader")

    def test_writers_of_the_same_pages_do_not_wait_for_each_other(
        self, url: str
    ) -> None:
        documents = [
            IndexDocument(f"u/{number}", "words", language=language)
            for number, language in enumerate(["en", "de", "fr", None] * 10)
        ]

        def put_some(step: int) -> None:
            with open_index(url) as own:
                assert not own.put_many(documents[::step])

        with open_index(url) as index, ThreadPoolExecutor(8) as threads:
            assert [*threads.map(put_some, (1, -1) * 4)] == [None] * 8
            assert len(list(index.urls())) == 40
