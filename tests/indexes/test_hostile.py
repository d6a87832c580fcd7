"""Hostile queries and texts, with every engine."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.indexes import Index, IndexDocument
from scrapy_mainpage.indexes.query import Query, parse_query

from .helpers import found, put

#: Characters that end a phrase in a query.
QUOTES = dict.fromkeys(map(ord, '"“”„‟«»＂'))

NO_MATCH = [
    "", " ", '"', '""', '"" *', "*", "-", "--", "- -", "^", "(((", "{title}: x", "\x00",
    '"\x00', "\ud800", "?!?", "AND", "NOT", "NEAR(", "a" * 100_000, "天" * 100_000,
    "x " * 100_000, "(" * 100_000, "'; DROP TABLE documents; --",
    "nothing & everything | !void", "nothing <-> void", "'nothing':*A", "nothing~2",
    "nothing^5", "text:/.*/", "[a TO z]", "{* TO *}", "*:*", "_exists_:text",
    "text: IN [a b]", "%", "_", '{"match_all": {}}', "${jndi:ldap://x}", "\\", "\u200b",
    "\u202e", "\ufeff", "\ufe0f",
]  # fmt: skip

#: Syntax of the engines around words of the page.
SYNTAX = [
    "near(plain, words)", "title:words", "plain AND words", "plain + words", "^plain",
    "plain; words --", '"plain" "words', "plain & words", "plain | words",
    "plain <-> words", "plain !words", "plain:* words:A", "'plain' 'words'",
    "plain && words || title", "+plain +words", "plain~ words~2", "plain^10 words",
    "title:(plain words)", "[plain TO words]", "{plain TO words}", "/plain/ words?",
    "plain\\ words", "title: IN [plain words]", "$plain% _words_", "(plain words",
]  # fmt: skip


def test_a_word_that_is_repeated_is_looked_up_once_and_stays_in_the_name() -> None:
    query = Query(tuple(parse_query("walla " * 1000)))
    assert [term.text for term in query.wanted] == ["walla"]
    assert query.words.split() == ["walla"] * len(query.terms)


GENERATED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


class TestHostileQueries:
    def test_query_without_a_match_finds_nothing(self, index: Index) -> None:
        put(index, "plain words")
        for query in NO_MATCH:
            assert index.search(query) == [], query[:20]
        assert found(index, "plain") == ["0"]

    def test_syntax_of_an_engine_is_read_as_words(self, index: Index) -> None:
        phrases = "near plain words; title words; title plain; plain 10; words 2"
        put(index, f"{phrases}; title in plain and words to words a")
        for query in SYNTAX:
            assert found(index, query) == ["0"], query

    @GENERATED
    @given(query=st.text(max_size=40) | st.text('ab"*-^():{}\\% \x00天', max_size=40))
    def test_no_query_raises(self, index: Index, query: str) -> None:
        if not list(index.urls()):
            index.put_many([IndexDocument("u", "a b ab 天")])
        for hit in index.search(query):
            assert hit.url == "u"

    @GENERATED
    @given(text=st.text(st.characters(), min_size=1, max_size=80))
    def test_any_text_is_found_by_a_word_and_by_itself_as_a_phrase(
        self, index: Index, text: str
    ) -> None:
        phrase = text.translate(QUOTES)
        index.put_many([IndexDocument("u", f"before {phrase} after", title=text)])
        assert found(index, "after") == ["u"]
        assert found(index, f'"before {phrase} after"') == ["u"]

    def test_word_that_comes_fifty_thousand_times_is_found_and_shown(
        self, index: Index
    ) -> None:
        put(index, "again " * 50_000)
        for query in ("again", "again agai*", '"again again"'):
            (hit,) = index.search(query)
            assert hit.snippet.count("**") > 1
            assert len(hit.snippet) < 1_000
