"""Snippets of hits, with every engine."""

from __future__ import annotations

from scrapy_mainpage.indexes import Index

from .helpers import put

#: Texts in a page that an engine could take for its own marks.
FAKES = [
    "<b>fake</b>", "<em>fake</em>", "<mark>fake</mark>", "\x01fake\x02", "\x02fake\x03",
    "\ue000fake\ue001", "\ue000\ue001\ue002\ue003\uf8ff", "\ufdd0fake\ufdd1",
    "\ufffefake\uffff", "\U000f0000fake\U000f0001", "⟦fake⟧", "\u200bfake\u200b",
    "StartSel=<,StopSel=>",
]  # fmt: skip
MARKS = [("", ""), ('"', "\\"), ("$1", "\\1"), ("%", "é"), ("\x03", "\x02")]


class TestSnippets:
    def test_marks_are_the_callers_and_stand_around_each_match(
        self, index: Index
    ) -> None:
        put(index, "Pages have main content and more; content counts.")
        (hit,) = index.search("content", highlight=("<b>", "</b>"))
        assert hit.snippet == (
            "Pages have main <b>content</b> and more; <b>content</b> counts."
        )

    def test_snippet_is_one_line_from_around_the_match(self, index: Index) -> None:
        put(index, "start\n" * 200 + "a\n\nneedle\there\n" + "end\n" * 200)
        (hit,) = index.search("needle")
        assert "a · **needle** here · end" in hit.snippet
        assert "\n" not in hit.snippet
        assert len(hit.snippet.split()) < 140

    def test_headings_do_not_run_into_the_text(self, index: Index) -> None:
        text = "Easy to Use\n\nDocusaurus was made.\n\nIt is (new)\n- small\nOr is it?"
        put(index, text)
        (hit,) = index.search("easy")
        assert hit.snippet == (
            "**Easy** to Use · Docusaurus was made. It is (new) · - small · Or is it?"
        )
        (hit,) = index.search("use")
        assert "Easy to **Use** · Docusaurus" in hit.snippet

    def test_marks_of_an_engine_in_a_page_are_not_marks(self, index: Index) -> None:
        for fake in FAKES:
            put(index, f"{fake} and a true one")
            (hit,) = index.search("true", highlight=("{{", "}}"))
            assert hit.snippet.count("{{") == hit.snippet.count("}}") == 1
            assert hit.snippet.endswith("and a {{true}} one")
        put(index, "\x02fake\x03 \x1b[31mred\x00 \x9bend true")
        (hit,) = index.search("true", highlight=("<", ">"))
        assert hit.snippet == "fake [31mred end <true>"

    def test_marks_may_be_any_text(self, index: Index) -> None:
        put(index, "one true word")
        for start, end in MARKS:
            (hit,) = index.search("true", highlight=(start, end))
            assert hit.snippet == f"one {start}true{end} word"

    def test_snippet_shows_several_words_of_the_query(self, index: Index) -> None:
        filler = "filler " * 300
        put(index, f"{filler} alpha {filler} alpha beta {filler} beta {filler}")
        (hit,) = index.search("alpha beta")
        assert "**alpha** **beta**" in hit.snippet

    def test_prefix_marks_the_whole_word(self, index: Index) -> None:
        put(index, "Polite crawlers wait.")
        assert index.search("crawl*")[0].snippet == "Polite **crawlers** wait."
        assert index.search('"polite crawl"*')[0].snippet == "**Polite crawlers** wait."

    def test_excluded_word_is_not_marked(self, index: Index) -> None:
        put(index, "tea with lemon")
        assert index.search("tea -milk")[0].snippet == "**tea** with lemon"
