"""Layout analysis on pages with boxes and words counted by hand.

Rae et al. 2018; the sections are those of the paper.
"""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import LayoutRequired
from scrapy_mainpage.extraction.algorithms.layout_analysis import (
    ColumnAnalysis,
    LayoutAnalysis,
    english_verbs,
    verbs_of,
)
from scrapy_mainpage.extraction.algorithms.segmentation._sentences import (
    count_sentences,
)
from tests.extraction.boxes import rendered
from tests.extraction.helpers import document_of, texts_of

TEN = "She saw a dog. It ran to the old house."  # ten words, two sentences
SEVEN = "She saw dogs. They ran to houses."
SIX = "She saw dogs. They ran home."
FIVE = "She saw. It ran away."
FOUR = "She saw. It ran."
THREE = "Run. It ran."

LEFT, RIGHT = (0, 0, 200, 500), (300, 0, 700, 500)


def analyse(html: str, *arguments: object, **options: object) -> ColumnAnalysis:
    document, layout = rendered(f"<html lang=en>{html}", *arguments, **options)
    return LayoutAnalysis(tagger=False).analyse(document, layout)


def main_texts(html: str, *arguments: object, **options: object) -> list[str]:
    document, layout = rendered(html, *arguments)
    verdict = LayoutAnalysis(**{"tagger": False, **options}).judge(document, layout)
    return texts_of(document, verdict.main)


def sentences(*texts: str, verbs: bool = True, least_words: int = 5) -> int:
    """The sentences of one zone with a run for each of the *texts*."""
    data = [text.encode() for text in texts]
    end = np.cumsum([len(text) for text in data]).astype(np.int32)
    start = np.concatenate(([0], end[:-1])).astype(np.int32)
    one = np.zeros(len(data), np.int32)
    known = english_verbs() if verbs else None
    counts = count_sentences(
        b"".join(data), start, end, one, one, 1, known, least_words
    )
    return int(counts[0])


class TestSentences:
    """Section 3.3: a sentence is required to contain at least one verb."""

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("", 0),
            ("The owl", 0),
            ("The dog ran", 1),
            ("The dog ran. The owl", 1),
            ("The dog ran. The cat sat.", 2),
            ("The dog ran! Has it? It has...", 3),
            ('"The dog ran." It said: "I sat."', 2),
            ("(The dog ran.) It sat.", 2),
            ("Version 2.14 of the package is good.", 1),
            ("It RAN. It Sat.", 2),
            ("It ran.It sat.", 1),
            ("The «dog» ran… It sat.", 2),
            ("The dog isn't there. Dogs aren’t.", 2),
            ("You're there. They've one. I'm one.", 3),
            ("The “dog” (ran) there.", 1),
            ("Of the. In the. By a.", 0),
        ],
    )
    def test_sentences_with_a_verb_count(self, text: str, count: int):
        assert sentences(text) == count

    def test_a_sentence_goes_on_over_inline_tags(self):
        assert sentences("The dog ", "ran", " away. It", " sat.") == 2
        assert sentences("It ran.", " It sat.") == 2
        assert sentences("It ran.", "It sat.") == 1

    def test_blanks_alone_between_two_tags_end_a_sentence(self):
        assert analyse("<p><b>It ran.</b> <i>It sat.</i></p>").paragraph.any()
        assert not analyse("<p><b>It ran.</b><i>It sat.</i></p>").paragraph.any()

    def test_a_sentence_ends_with_its_table_cell(self):
        html = "<table><tr><td>It ran.<td>It sat.</table>"
        assert analyse(html).paragraph.tolist() == [True]
        html = "<table><tr><td>It ran<td>It sat</table>"
        assert analyse(html).paragraph.tolist() == [False]

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("Hunde laufen sehr gerne weit. Katzen laufen nicht.", 1),
            ("Hunde laufen sehr gerne weit. Katzen mögen das gar nicht.", 2),
            ("eins zwei - drei – vier", 0),
            ("eins zwei - drei – vier fünf", 1),
        ],
    )
    def test_without_verbs_five_words_are_a_sentence(self, text: str, count: int):
        assert sentences(text, verbs=False) == count

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("今日は雨です。明日は晴れます。", 2),  # 6 and 7 characters
            ("今日は雨。明日は晴れます。", 1),  # 4 and 7 characters
            ("「今日は雨です。」明日は晴れます！本当ですか？", 3),
            ("一、二、三、四。", 0),  # punctuation is not a word
            ("一、二、三、四、五。", 1),
            ("가나다 가가가가가。", 1),  # 8 Hangul syllables
            ("가가가가.", 0),
            ("가가가가가.", 1),
        ],
    )
    def test_cjk_sentences_end_without_a_blank(self, text: str, count: int):
        assert sentences(text, verbs=False) == count

    def test_combining_marks_do_not_divide_words(self):
        assert sentences("हिन्दी में चार शब्द।", verbs=False, least_words=4) == 1
        assert sentences("हिन्दी में चार शब्द।", verbs=False, least_words=5) == 0

    def test_malformed_bytes_are_no_words(self):
        data = b"\xff\xfe\xe3 ran\xc3"
        zero, end = np.zeros(1, np.int32), np.array([len(data)], np.int32)
        counts = count_sentences(data, zero, end, zero, zero, 1, english_verbs(), 5)
        assert counts.tolist() == [1]

    def test_only_english_has_a_list(self):
        assert verbs_of("en") == verbs_of("en-gb") == english_verbs()
        assert verbs_of("de") is verbs_of("") is verbs_of(None) is None
        assert verbs_of("eng") is None


class TestParagraphs:
    """Section 3.3: leaf zones with two or more sentences."""

    def test_a_zone_with_two_sentences_is_a_paragraph(self):
        analysis = analyse(f"<p>{TEN}</p><p>It ran home.</p><p>The owl.</p>")
        assert analysis.paragraph.tolist() == [False, True, False, False]

    def test_the_score_is_the_share_of_the_words_in_paragraphs(self):
        html = f"<div><p>{SIX}</p><p>No sentence here</p></div><p>{FOUR}</p>"
        analysis = analyse(html)
        # body | div | p | p | p
        assert analysis.zone_score.tolist() == [1, 0.6, 0.6, 0, 0.4]

    def test_hidden_text_makes_no_paragraph(self):
        html = f"<p id=a>{TEN}</p><p>{FOUR}</p>"
        analysis = analyse(html, display={"a": "none"})
        assert analysis.paragraph.tolist() == [True]  # the body is all there is
        assert analysis.zone_score.tolist() == [1]

    def test_a_language_without_verbs_says_so(self):
        german = "Der Hund läuft gerne weit. Die Katze sitzt im Haus."
        for html in (f"<html lang=de><p>{german}</p>", f"<p>{german}</p>"):
            document, layout = rendered(html)
            verdict = LayoutAnalysis(tagger=False).judge(document, layout)
            assert verdict.main.all()
            assert verdict.warnings == ("no_verbs",)

    @pytest.mark.parametrize("lang", ["en", "EN", " en_US ", "en-GB"])
    def test_english_pages_need_verbs(self, lang: str):
        nouns = "The owl of a big city. The giraffe of a small city."
        document, layout = rendered(f'<html lang="{lang}"><p>{nouns}</p>')
        verdict = LayoutAnalysis(tagger=False).judge(document, layout)
        assert not verdict.main.any()
        assert verdict.warnings == ("no_paragraph",)


class TestSearch:
    """Section 3.3: the column tree is traversed from the top."""

    def test_the_column_with_the_paragraphs_is_the_main_content(self):
        html = f"<ul id=a><li>Home<li>News</ul><div id=b><h1>Dogs</h1><p>{TEN}</div>"
        boxes = {"a": LEFT, "b": RIGHT}
        assert main_texts(f"<html lang=en>{html}", boxes) == ["Dogs", TEN]

    def test_columns_above_the_main_content_lose_nothing(self):
        html = f"<nav id=a>Home</nav><div id=b><p>{TEN}</p><p>{TEN}</p></div>"
        analysis = analyse(html, {"a": LEFT, "b": RIGHT})
        # body | nav | div; the p are as wide as the div
        assert analysis.column_score.tolist() == [1, 0, 1, 1]
        assert analysis.columns.stays.tolist() == [True, True, True, False]
        assert analysis.path == (0, 2)
        assert analysis.column == 2

    @pytest.mark.parametrize(
        ("left", "right", "scores", "path", "column"),
        [
            # The body loses 0.3, exactly delta; the right column all its 0.7.
            (THREE, SEVEN, [1, 0.3, 0.7], (0, 2), 2),
            (FOUR, SIX, [1, 0.4, 0.6], (0, 2), 0),
            # Of equally good children the first is followed.
            (FOUR, FOUR, [1, 0.5, 0.5], (0, 1), 0),
        ],
    )
    def test_a_loss_of_more_than_delta_ends_the_search(
        self,
        left: str,
        right: str,
        scores: list[float],
        path: tuple[int, ...],
        column: int,
    ):
        html = f"<div id=a><p>{left}</div><div id=b><p>{right}</div>"
        analysis = analyse(html, {"a": LEFT, "b": RIGHT})
        assert analysis.column_score.tolist() == pytest.approx(scores, abs=1e-4)
        assert (analysis.path, analysis.column) == (path, column)

    def test_the_loss_of_a_leaf_is_its_own_score(self):
        analysis = analyse(f"<p>{TEN}</p>")
        assert (analysis.path, analysis.column) == ((0,), 0)

    def test_equal_numbers_of_words_are_a_tie(self):
        # 10 and 3 + 7 of 23 words; as shares 3 / 23 + 7 / 23 is rounded up.
        html = (
            f"<div id=a><p>{TEN}</p></div><div id=b><p>{THREE}</p><p>{SEVEN}</p></div>"
            f"<p id=c>{THREE}</p>"
        )
        boxes = {"a": (0, 0, 300, 9), "b": (350, 0, 300, 9), "c": (700, 0, 300, 9)}
        analysis = analyse(html, boxes)
        assert 3 / 23 + 7 / 23 > 10 / 23
        assert analysis.column_score[1] == analysis.column_score[3] == 10 / 23
        assert analysis.path[:2] == (0, 1)

    def test_the_fallback_on_a_page(self):
        # The right column, and in it the column further right, lose a quarter each.
        html = (
            f"<p id=a>{FOUR}</p><div id=b><p id=c>{FOUR}</p><div id=d>"
            f"<p id=e>{FOUR}</p><p id=f>{FOUR}</p></div></div>"
        )
        boxes = {
            "a": (0, 0, 100, 50),
            "b": (200, 0, 800, 500),
            "c": (200, 0, 100, 50),
            "d": (400, 0, 600, 500),
            "e": (400, 0, 200, 50),
            "f": (700, 0, 300, 50),
        }
        analysis = analyse(html, boxes)
        # body | a | b | c | d | e | f
        assert analysis.column_score.tolist() == [1, 0.25, 0.75, 0.25, 0.5, 0.25, 0.25]
        assert analysis.path == (0, 2, 4, 5)
        assert analysis.column == 4
        assert main_texts(f"<html lang=en>{html}", boxes) == [FOUR, FOUR]


class TestVerdict:
    def test_without_a_paragraph_there_is_no_main_content(self):
        html = "<html lang=en><p>Home</p><p>It ran.</p>"
        document, layout = rendered(html)
        verdict = LayoutAnalysis(tagger=False).judge(document, layout)
        assert verdict.scores.tolist() == [0, 0]
        assert verdict.warnings == ("no_paragraph",)
        assert LayoutAnalysis(tagger=False).analyse(document, layout).column is None

    def test_all_of_the_column_is_main_content_and_nothing_hidden(self):
        html = (
            f"<html lang=en><div id=a>Menu</div><div id=b><p>{TEN}</p>"
            "<p id=c>secret</p><ul><li>one</ul></div>"
        )
        document, layout = rendered(
            html, {"a": LEFT, "b": RIGHT}, display={"c": "none"}
        )
        verdict = LayoutAnalysis(tagger=False).judge(document, layout)
        assert texts_of(document, verdict.main) == [TEN, "one"]

    def test_a_block_that_is_half_hidden_has_a_part_of_the_score(self):
        html = f"<html lang=en><p>{FIVE} <b id=x>{FIVE}</b></p>"
        document, layout = rendered(html, display={"x": "none"})
        scores = LayoutAnalysis(tagger=False).score(document, layout)
        assert scores.tolist() == pytest.approx([0.5], abs=1e-3)

    @pytest.mark.parametrize("html", ["", "<html></html>", "<body></body>", "<p> </p>"])
    def test_a_page_without_text_has_no_main_content(self, html: str):
        document, layout = rendered(html)
        verdict = LayoutAnalysis(tagger=False).judge(document, layout)
        assert verdict.scores.shape == (0,)
        assert verdict.warnings == ("no_verbs", "no_paragraph")

    @pytest.mark.parametrize("html", ["", f"<p>{TEN}</p>"])
    def test_a_layout_is_needed(self, html: str):
        with pytest.raises(LayoutRequired, match="'layout-analysis' needs the layout"):
            LayoutAnalysis(tagger=False).judge(document_of(html))


class TestOptions:
    """Every option changes the result."""

    PAGE = f"<html lang=en><div id=a><p>{FOUR}</div><div id=b><p>{SIX}</div>"
    BOXES = {"a": LEFT, "b": RIGHT}

    def test_delta(self):
        assert main_texts(self.PAGE, self.BOXES) == [FOUR, SIX]
        assert main_texts(self.PAGE, self.BOXES, delta=0.4) == [SIX]

    def test_tolerance(self):
        # As wide as the page but for 150 pixels on the left.
        boxes = {"a": (0, 0, 1000, 100), "b": (150, 100, 850, 400)}
        assert main_texts(self.PAGE, boxes, delta=0.5) == [SIX]
        assert main_texts(self.PAGE, boxes, delta=0.5, tolerance=0.15) == [FOUR, SIX]

    @pytest.mark.parametrize(("score", "texts"), [(0.5, [SIX]), (0.7, [FOUR, SIX])])
    def test_fallback_score(self, score: float, texts: list[str]):
        options = {"delta": 0.6, "fallback_score": score}
        assert main_texts(self.PAGE, self.BOXES, **options) == texts

    def test_sentences(self):
        html = "<html lang=en><p>She saw one dog.</p>"
        assert main_texts(html) == []
        assert main_texts(html, sentences=1) == ["She saw one dog."]

    def test_least_words(self):
        html = "<html lang=de><p>Es war einmal. Es war nicht.</p>"
        assert main_texts(html) == []
        assert main_texts(html, least_words=3) == ["Es war einmal. Es war nicht."]
