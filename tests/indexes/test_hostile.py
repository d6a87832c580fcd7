"""Hostile queries and texts, with every engine."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.indexes import BlockingIndex, IndexDocument

from .helpers import found, put

#: Characters that end a phrase in a query.
QUOTES = dict.fromkeys(map(ord, '"“”„‟«»＂'))


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
            "nothing & everything | !void",
            "nothing <-> void",
            "'nothing':*A",
            "nothing~2",
            "nothing^5",
            "text:/.*/",
            "[a TO z]",
            "{* TO *}",
            "*:*",
            "_exists_:text",
            "text: IN [a b]",
            "%",
            "_",
            '{"match_all": {}}',
            "${jndi:ldap://x}",
            "\\",
            "\u200b",
            "\u202e",
            "\ufeff",
            "\ufe0f",
        ],
    )
    def test_query_without_a_match_finds_nothing(
        self, index: BlockingIndex, query: str
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
            "plain & words",
            "plain | words",
            "plain <-> words",
            "plain !words",
            "plain:* words:A",
            "'plain' 'words'",
            "plain && words || title",
            "+plain +words",
            "plain~ words~2",
            "plain^10 words",
            "title:(plain words)",
            "[plain TO words]",
            "{plain TO words}",
            "/plain/ words?",
            "plain\\ words",
            "title: IN [plain words]",
            "$plain% _words_",
            "(plain words",
        ],
    )
    def test_syntax_of_an_engine_is_read_as_words(
        self, index: BlockingIndex, query: str
    ) -> None:
        phrases = "near plain words; title words; title plain; plain 10; words 2"
        put(index, f"{phrases}; title in plain and words to words a")
        assert found(index, query) == ["0"]

    @settings(
        max_examples=150,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(query=st.text(max_size=40) | st.text('ab"*-^():{}\\% \x00天', max_size=40))
    def test_no_query_raises(self, index: BlockingIndex, query: str) -> None:
        index.put_many([IndexDocument("u", "a b ab 天")])
        for hit in index.search(query):
            assert hit.url == "u"

    @settings(
        max_examples=150,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(text=st.text(max_size=80))
    def test_any_text_is_indexed_and_found(
        self, index: BlockingIndex, text: str
    ) -> None:
        index.put_many([IndexDocument("u", f"{text} needle", title=text)])
        assert found(index, "needle") == ["u"]

    @settings(
        max_examples=100,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(text=st.text(st.characters(), min_size=1, max_size=20))
    def test_text_with_a_word_is_found_by_itself_as_a_phrase(
        self, index: BlockingIndex, text: str
    ) -> None:
        phrase = text.translate(QUOTES)
        index.put_many([IndexDocument("u", f"before {phrase} after", title="t")])
        query = f'"before {phrase} after"'
        assert found(index, query) == ["u"]

    @pytest.mark.parametrize("query", ["again", "again agai*", '"again again"'])
    def test_word_that_comes_a_hundred_thousand_times_is_found_and_shown(
        self, index: BlockingIndex, query: str
    ) -> None:
        put(index, "again " * 100_000)
        (hit,) = index.search(query)
        assert hit.snippet.count("**") > 1
        assert len(hit.snippet) < 1_000
