"""What every engine must do, through the interface; then what SQLite adds.

Another engine joins by a line in ``ENGINES``: a function that gives an index's URL.
"""

from __future__ import annotations

import pickle
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.indexes import (
    BlockingIndex as Index,
)
from scrapy_mainpage.indexes import (
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    open_index,
    sqlitefile,
)
from scrapy_mainpage.indexes.errors import URL_FORMS

ENGINES: dict[str, Callable[[Path], str]] = {
    "sqlite": lambda folder: f"sqlite:///{(folder / 'site.db').as_posix()}",
}

WRITER = """
import sys
from scrapy_mainpage.indexes import IndexDocument, open_index

url, name, count = sys.argv[1:]
with open_index(url) as index:
    for number in range(int(count)):
        page = f"https://example.com/{name}/{number}"
        index.put_many([IndexDocument(page, f"shared words by{name} page{number}")])
        print(page, flush=True)
"""


@pytest.fixture(params=list(ENGINES))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ENGINES[request.param](tmp_path)


@pytest.fixture
def index(url: str) -> Iterator[Index]:
    with open_index(url) as opened:
        yield opened


def put(index: Index, *texts: str, title: str | None = None) -> None:
    """Index the texts as pages /0, /1, ..."""
    index.put_many(
        [
            IndexDocument(f"https://example.com/{number}", text, title=title)
            for number, text in enumerate(texts)
        ]
    )


def found(index: Index, query: str) -> list[str]:
    """What ends the URLs of the hits, in order of rank."""
    return [hit.url.rpartition("/")[2] for hit in index.search(query)]


def writer(url: str, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, url, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


class TestWrites:
    def test_document_is_found_by_a_word_of_text_title_or_description(
        self, index: Index
    ) -> None:
        index.put_many(
            [IndexDocument("https://a.example/", "body", "heading", "summary")]
        )
        for word in ("body", "heading", "summary"):
            assert [hit.url for hit in index.search(word)] == ["https://a.example/"]

    def test_hit_carries_what_was_indexed(self, index: Index) -> None:
        document = IndexDocument(
            "https://docs.example.com/a",
            "some words",
            title="A title",
            language="de",
            page_type="article",
            author="A. Author",
            date_published="2026-01-02",
            crawled_at="2026-01-03T00:00:00+00:00",
        )
        index.put_many([document])
        (hit,) = index.search("words")
        for name in (
            "url",
            "title",
            "language",
            "page_type",
            "author",
            "date_published",
            "crawled_at",
            "site",
        ):
            assert getattr(hit, name) == getattr(document, name)
        assert hit.site == "docs.example.com"
        assert pickle.loads(pickle.dumps(hit)) == hit

    def test_same_url_replaces_the_document(self, index: Index) -> None:
        put(index, "old words", title="old title")
        put(index, "new text")
        assert found(index, "old") == []
        (hit,) = index.search("new")
        assert hit.title is None
        assert list(index.urls()) == ["https://example.com/0"]

    def test_same_url_twice_in_one_call_keeps_the_last(self, index: Index) -> None:
        index.put_many([IndexDocument("u", "first"), IndexDocument("u", "second")])
        assert (found(index, "first"), found(index, "second")) == ([], ["u"])

    def test_deleted_document_is_gone_and_others_stay(self, index: Index) -> None:
        put(index, "same words", "same words")
        gone = ["https://example.com/0", "https://example.com/unknown"]
        assert index.delete(gone) == 1
        assert index.delete(gone) == 0
        assert found(index, "words") == ["1"]
        assert list(index.urls()) == ["https://example.com/1"]

    def test_nothing_is_a_valid_batch(self, index: Index) -> None:
        index.put_many([])
        assert list(index.urls()) == []

    def test_documents_are_there_after_reopening(self, url: str) -> None:
        with open_index(url) as first:
            put(first, "kept")
        with open_index(url) as second:
            assert found(second, "kept") == ["0"]

    def test_document_of_a_megabyte_is_found_by_its_last_word(
        self, index: Index
    ) -> None:
        words = " ".join(f"word{number % 5000}" for number in range(130_000))
        assert len(words) > 1_000_000
        put(index, f"{words} needle in the haystack", "other")
        (hit,) = index.search("needle")
        assert "**needle** in the haystack" in hit.snippet
        assert len(hit.snippet) < 1_000

    def test_closed_index_fails_with_a_reason(self, index: Index) -> None:
        index.close()
        index.close()
        with pytest.raises(IndexFailure) as caught:
            put(index, "late")
        assert caught.value.reason == "closed"


class TestQueries:
    def test_every_word_must_be_there(self, index: Index) -> None:
        put(index, "apples and pears", "apples", "pears")
        assert found(index, "pears apples") == ["0"]

    def test_phrase_needs_the_words_side_by_side(self, index: Index) -> None:
        put(index, "the main content of a page", "content that is main")
        assert found(index, '"main content"') == ["0"]
        assert found(index, "“main content”") == ["0"]
        assert sorted(found(index, "main content")) == ["0", "1"]

    def test_unfinished_phrase_is_a_phrase(self, index: Index) -> None:
        put(index, "main content", "content main")
        assert found(index, '"main content') == ["0"]

    def test_prefix_finds_longer_words(self, index: Index) -> None:
        put(index, "crawling", "crawlers", "scrawl")
        assert sorted(found(index, "crawl*")) == ["0", "1"]
        assert found(index, "crawl") == []

    def test_prefix_ends_a_phrase(self, index: Index) -> None:
        put(index, "polite crawlers", "crawlers are polite")
        assert found(index, '"polite crawl"*') == ["0"]

    def test_excluded_word_or_phrase_takes_documents_out(self, index: Index) -> None:
        put(index, "tea with milk", "tea with lemon", "tea with oat milk")
        assert found(index, "tea -milk") == ["1"]
        assert sorted(found(index, 'tea -"oat milk"')) == ["0", "1"]

    def test_hyphen_inside_a_word_excludes_nothing(self, index: Index) -> None:
        put(index, "a well-known fact")
        assert found(index, "well-known") == ["0"]

    def test_exclusion_alone_finds_nothing(self, index: Index) -> None:
        put(index, "tea")
        assert found(index, "-milk") == []

    def test_case_and_diacritics_do_not_matter(self, index: Index) -> None:
        put(index, "Café in ÅNGSTRÖM, Việt Nam")
        for query in ("cafe", "CAFÉ", "ångström", "angstrom", "viet", "cafe\u0301"):
            assert found(index, query) == ["0"], query

    def test_title_weighs_more_than_text(self, index: Index) -> None:
        index.put_many(
            [
                IndexDocument("https://e/text", "zebra zebra and others", "animals"),
                IndexDocument("https://e/title", "animals and others", "zebra"),
                *(IndexDocument(f"https://e/{n}", "filler", "t") for n in range(8)),
            ]
        )
        assert found(index, "zebra") == ["title", "text"]

    def test_more_mentions_rank_higher(self, index: Index) -> None:
        fill = ["filler words stand here"] * 8
        put(index, "one owl, then other birds", "owl, owl and owl: birds", *fill)
        hits = index.search("owl")
        assert [hit.url[-1] for hit in hits] == ["1", "0"]
        assert hits[0].score > hits[1].score

    def test_limit_cuts_the_hits_off(self, index: Index) -> None:
        put(index, *["same"] * 5)
        assert len(index.search("same", limit=3)) == 3
        assert index.search("same", limit=0) == []


class TestSnippets:
    def test_marks_are_the_callers_and_stand_around_each_match(
        self, index: Index
    ) -> None:
        put(index, "Pages have main content and more; content counts.")
        (hit,) = index.search("content", highlight=("<b>", "</b>"))
        assert hit.snippet == (
            "Pages have main <b>content</b> and more; <b>content</b> counts."
        )

    def test_phrase_is_one_match(self, index: Index) -> None:
        put(index, "Pages have main content and more.")
        (hit,) = index.search('"main content"')
        assert hit.snippet == "Pages have **main content** and more."

    def test_snippet_is_one_line_from_around_the_match(self, index: Index) -> None:
        put(index, "start\n" * 200 + "a\n\nneedle\there\n" + "end\n" * 200)
        (hit,) = index.search("needle")
        assert "a **needle** here" in hit.snippet
        assert "\n" not in hit.snippet
        assert len(hit.snippet.split()) < 70

    def test_page_cannot_fake_marks_or_terminal_codes(self, index: Index) -> None:
        put(index, "\x02fake\x03 \x1b[31mred\x00 \x9bend true")
        (hit,) = index.search("true", highlight=("<", ">"))
        assert hit.snippet == "fake [31mred end <true>"

    def test_match_in_the_title_only_shows_how_the_text_begins(
        self, index: Index
    ) -> None:
        put(index, "The text begins here.", title="Needle")
        (hit,) = index.search("needle")
        assert hit.snippet == "The text begins here."


class TestUnicode:
    @pytest.mark.parametrize(
        ("text", "query", "marked"),
        [
            ("今天天气很好，我们写爬虫", "气", "今天天**气**很好，我们写爬虫"),
            ("今天天气很好，我们写爬虫", "天气", "今天**天气**很好，我们写爬虫"),
            ("今天天气很好，我们写爬虫", "写爬虫", "今天天气很好，我们**写爬虫**"),
            ("用Python语言写", "python", "用**Python**语言写"),
            ("用Python语言写", "语言", "用Python**语言**写"),
            ("東京タワーへ行く", "タワー", "東京**タワー**へ行く"),
            ("한국은 아름답다", "한국", "**한국**은 아름답다"),
            ("𠮷野家で食べる", "𠮷野", "**𠮷野**家で食べる"),
            ("ภาษาไทยง่ายมาก", "ไทย", "ภาษา**ไทย**ง่ายมาก"),
            ("مُحَمَّد قرأ الكتاب", "محمد", "**محمد** قرأ الكتاب"),
            ("محمد قرأ الكتاب", "مُحَمَّد", "**محمد** قرأ الكتاب"),
            ("שָׁלוֹם לכולם", "שלום", "**שלום** לכולם"),
            ("हिन्दी भाषा", "हिन्दी", "**हिन्दी** भाषा"),
            ("Άλφα και βήτα", "αλφα", "**Άλφα** και βήτα"),
            ("Зелёный лес", "зеленый", "**Зелёный** лес"),
            ("Fu\u00adß\u00adball heute", "fußball", "**Fußball** heute"),
            ("ＡＢＣ株式会社", "abc", "**ABC**株式会社"),
            ("party🎉tonight", "🎉", "party**🎉**tonight"),
            ("party🎉tonight", "party", "**party**🎉tonight"),
            ("Scrapy™ rocks", "scrapy", "**Scrapy**™ rocks"),
        ],
    )
    def test_word_of_any_script_is_found_and_marked(
        self, index: Index, text: str, query: str, marked: str
    ) -> None:
        put(index, text, "something else, 别的, อื่น, آخر")
        assert [hit.snippet for hit in index.search(query)] == [marked]

    @pytest.mark.parametrize(
        ("text", "query"),
        [("今天天气", "气天"), ("हिन्दी", "हिन"), ("ภาษาไทย", "ไทยภาษา"), ("🎉", "🎊")],
    )
    def test_word_that_is_not_there_is_not_found(
        self, index: Index, text: str, query: str
    ) -> None:
        put(index, text)
        assert found(index, query) == []

    def test_title_is_given_back_as_it_was(self, index: Index) -> None:
        put(index, "正文", title="今天天气很好 ＡＢＣ")
        assert index.search("天气")[0].title == "今天天气很好 ＡＢＣ"

    def test_half_a_surrogate_pair_does_no_harm(self, index: Index) -> None:
        index.put_many([IndexDocument("u/\ud800", "bad \udfff text", "t\ud800")])
        assert [hit.title for hit in index.search("bad \ud800")] == ["t?"]
        assert index.delete(["u/\ud800"]) == 1


class TestHostileQueries:
    @pytest.mark.parametrize(
        "query",
        [
            "",
            " ",
            '"',
            '""',
            '"" *',
            "*",
            "-",
            "--",
            "- -",
            "^",
            "(((",
            "{title}: x",
            "\x00",
            '"\x00',
            "\ud800",
            "?!?",
            "AND",
            "NOT",
            "NEAR(",
            "a" * 100_000,
            "天" * 100_000,
            "x " * 100_000,
            "(" * 100_000,
            "'; DROP TABLE documents; --",
        ],
    )
    def test_query_without_a_match_finds_nothing(
        self, index: Index, query: str
    ) -> None:
        put(index, "plain words")
        assert index.search(query) == []
        assert found(index, "plain") == ["0"]

    @pytest.mark.parametrize(
        "query",
        [
            "near(plain, words)",
            "title:words",
            "plain AND words",
            "plain + words",
            "^plain",
            "plain; words --",
            '"plain" "words',
        ],
    )
    def test_syntax_of_an_engine_is_read_as_words(
        self, index: Index, query: str
    ) -> None:
        put(index, "near plain words; title words; plain and words")
        assert found(index, query) == ["0"]

    @settings(
        max_examples=150,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(query=st.text(max_size=40) | st.text('ab"*-^():{}\\% \x00天', max_size=40))
    def test_no_query_raises(self, index: Index, query: str) -> None:
        index.put_many([IndexDocument("u", "a b ab 天")])
        for hit in index.search(query):
            assert hit.url == "u"

    @settings(
        max_examples=150,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(text=st.text(max_size=80))
    def test_any_text_is_indexed_and_found(self, index: Index, text: str) -> None:
        index.put_many([IndexDocument("u", f"{text} needle", title=text)])
        assert found(index, "needle") == ["u"]


class TestProcesses:
    def test_two_writers_at_once_lose_nothing(self, url: str) -> None:
        writers = [writer(url, name, 60) for name in ("one", "two")]
        outputs = [process.communicate()[0].split() for process in writers]
        assert [process.returncode for process in writers] == [0, 0]
        with open_index(url) as index:
            assert sorted(index.urls()) == sorted(outputs[0] + outputs[1])
            assert len(index.search("shared", limit=500)) == 120

    def test_search_sees_what_another_process_has_written(self, url: str) -> None:
        with open_index(url) as index:
            process = writer(url, "other", 3)
            process.communicate()
            assert len(index.search("byother")) == 3

    @pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
    def test_killed_writer_leaves_every_reported_document(self, url: str) -> None:
        for name in ("first", "second"):
            process = writer(url, name, 1_000_000)
            assert process.stdout is not None
            reported = [process.stdout.readline().strip() for _ in range(40)]
            process.kill()
            reported += process.communicate()[0].split()
            assert process.returncode == -signal.SIGKILL
            with open_index(url, read_only=True) as index:
                kept = set(index.urls())
                assert kept.issuperset(reported)
                hits = index.search(f"by{name}", limit=len(kept) + 1)
                assert {hit.url for hit in hits} == {
                    page for page in kept if f"/{name}/" in page
                }
        with open_index(url) as index:
            put(index, "works on")
            assert found(index, '"works on"') == ["0"]


class TestOpening:
    @pytest.mark.parametrize("url", ["", "site.db", "nosuch:///x", "sqlite", "://"])
    def test_unknown_url_names_itself_and_what_is_allowed(self, url: str) -> None:
        with pytest.raises(IndexUnavailable) as caught:
            open_index(url)
        assert isinstance(caught.value, ValueError)
        assert repr(url) in str(caught.value)
        assert URL_FORMS["sqlite"] in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_read_only_index_is_searched_and_not_written(self, url: str) -> None:
        with open_index(url) as index:
            put(index, "words")
        with open_index(url, read_only=True) as index:
            assert found(index, "words") == ["0"]
            with pytest.raises(IndexFailure) as caught:
                put(index, "more")
            assert caught.value.reason == "read_only"
            assert found(index, "words") == ["0"]

    def test_missing_index_opened_read_only_is_an_error_and_stays_missing(
        self, url: str, tmp_path: Path
    ) -> None:
        with pytest.raises(IndexUnavailable, match="no such"):
            open_index(url, read_only=True)
        assert list(tmp_path.iterdir()) == []


class TestSqlite:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return tmp_path / "site.db"

    @pytest.fixture
    def file_url(self, file: Path) -> str:
        return f"sqlite:///{file.as_posix()}"

    @pytest.mark.parametrize(
        "url",
        ["sqlite:", "sqlite://", "sqlite:///", "sqlite://x.db", "sqlite:///:memory:"],
    )
    def test_url_without_a_file_is_refused(self, url: str) -> None:
        with pytest.raises(IndexUnavailable, match="names no file"):
            open_index(url)

    def test_three_slashes_are_relative_to_the_working_directory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        open_index("sqlite:///here.db").close()
        assert [path.name for path in tmp_path.iterdir()] == ["here.db"]

    def test_any_file_name_is_taken_as_it_is(self, tmp_path: Path) -> None:
        name = "a b%20#é.db"
        open_index(f"sqlite:///{(tmp_path / name).as_posix()}").close()
        assert [path.name for path in tmp_path.iterdir()] == [name]

    @pytest.mark.parametrize("read_only", [True, False])
    def test_impossible_file_name_is_refused(
        self, tmp_path: Path, read_only: bool
    ) -> None:
        url = f"sqlite:///{tmp_path.as_posix()}/a\0b.db"
        with pytest.raises(IndexUnavailable):
            open_index(url, read_only=read_only)

    def test_missing_directory_is_named(self, tmp_path: Path) -> None:
        folder = tmp_path / "missing"
        with pytest.raises(IndexUnavailable, match="no directory") as caught:
            open_index(f"sqlite:///{(folder / 'x.db').as_posix()}")
        assert str(folder) in str(caught.value)

    @pytest.mark.parametrize("read_only", [True, False])
    def test_directory_is_not_an_index(self, tmp_path: Path, read_only: bool) -> None:
        with pytest.raises(IndexUnavailable):
            open_index(f"sqlite:///{tmp_path.as_posix()}", read_only=read_only)

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
        with pytest.raises(IndexUnavailable, match=r"schema version 99.* version 2"):
            open_index(file_url)

    def test_empty_file_becomes_an_index_but_is_none_to_a_reader(
        self, file: Path, file_url: str
    ) -> None:
        file.touch()
        with pytest.raises(IndexUnavailable, match="not an index"):
            open_index(file_url, read_only=True)
        with open_index(file_url) as index:
            put(index, "words")
            assert found(index, "words") == ["0"]

    def test_python_without_fts5_is_told_so(
        self, file_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlitefile, "_FTS5", "no such module")
        with pytest.raises(IndexUnavailable, match="built without FTS5"):
            open_index(file_url)

    @pytest.mark.parametrize("read_only", [True, False])
    def test_closing_leaves_one_file(
        self, tmp_path: Path, file_url: str, read_only: bool
    ) -> None:
        open_index(file_url).close()
        with open_index(file_url, read_only=read_only) as index:
            index.search("x")
        assert [path.name for path in tmp_path.iterdir()] == ["site.db"]

    def test_value_that_sqlite_cannot_hold_is_rejected_alone(
        self, file_url: str
    ) -> None:
        with open_index(file_url) as index:
            bad = IndexDocument("u/1", "words", author=object())  # type: ignore[arg-type]
            good = [IndexDocument(f"u/{name}", "words") for name in ("0", "2")]
            (rejection,) = index.put_many([good[0], bad, good[1]])
            assert (rejection.url, rejection.reason) == ("u/1", "unsupported")
            assert not rejection.retryable
            assert sorted(found(index, "words")) == ["0", "2"]
            assert list(index.urls()) == ["u/0", "u/2"]

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
            # As SQLite answers there; root, who may run the tests, may write anywhere.
            if "immutable=1" not in name:
                raise sqlite3.OperationalError("unable to open database file")
            return connect(name, **kwargs)  # type: ignore[call-overload,no-any-return]

        monkeypatch.setattr(sqlite3, "connect", denied)
        monkeypatch.setattr(sqlitefile.os, "access", lambda path, mode: False)
        with open_index(file_url, read_only=True) as index:
            assert found(index, "words") == ["0"]

    def test_index_is_sound_after_a_thousand_upserts(
        self, file: Path, file_url: str
    ) -> None:
        with open_index(file_url) as index:
            for number in range(1_000):
                index.put_many([IndexDocument(f"u/{number % 50}", f"n{number} 天气")])
            assert len(index.search("天气", limit=100)) == 50
        check = sqlite3.connect(file)
        assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        check.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        check.close()
