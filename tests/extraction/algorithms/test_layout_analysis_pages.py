"""Pages whose main content was derived by hand from the paper alone.

Rae et al. 2018; the sections are those of the paper.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.layout_analysis import LayoutAnalysis
from scrapy_mainpage.extraction.algorithms.segmentation import sentences
from scrapy_mainpage.extraction.algorithms.segmentation.sentences import ParagraphJudge
from tests.extraction.boxes import number_of, rendered
from tests.extraction.helpers import texts_of

WINDOW = (1280, 900)
P = (
    "The system was tested on many pages. It found the content of most of them and it "
    "did not fail. "
)
REFERENCE = (
    "Smith A, Brown B. Water use in cities of the north. J Urban Plan. 2010; 3: 4-5."
)


@pytest.fixture
def tagger() -> None:
    pytest.importorskip("HanTa")
    pytest.importorskip("sentencex")


def main_texts(
    html: str, *boxes: object, lang: str = "en", **options: object
) -> list[str]:
    document, layout = rendered(f"<html lang={lang}>{html}", *boxes, window=WINDOW)
    return texts_of(document, LayoutAnalysis(**options).judge(document, layout).main)


def is_paragraph(text: str, lang: str = "en", **options: object) -> bool:
    return bool(main_texts(f"<p>{text}</p>", lang=lang, **options))


def has_blee(sentence: str, language: str) -> bool:
    """A tagger of a French dialect."""
    return language == "fr" and "Blee" in sentence


class TestSentences:
    """Section 3.3: two or more sentences, each with at least one verb."""

    @pytest.mark.parametrize("tagger_", [True, False], ids=["tagger", "lexicon"])
    @pytest.mark.parametrize(
        "text",
        [
            "We used the method of Smith et al. to measure the flow.",
            "We bought it from Acme B.V. in the north.",
            "The flow is shown in Fig. 3 and in Eq. 4 of the paper.",
            "They met Dr. Brown and Prof. Smith at J. R. Stone's house.",
            "Some of them, e.g. the small ones, were lost, i.e. never found.",
        ],
    )
    def test_an_abbreviation_ends_no_sentence(self, text: str, tagger_: bool):
        assert not is_paragraph(text, tagger=tagger_)
        assert is_paragraph(f"{text} It was cold.", tagger=tagger_)

    @pytest.mark.usefixtures("tagger")
    @pytest.mark.parametrize(
        "text",
        [
            "Home. News. Sport. Weather.",
            "Terms of Use. Privacy Policy. Site Map.",
            "A map of the site. The use of water. The weather of the day.",
            REFERENCE,
        ],
    )
    def test_nouns_that_may_be_verbs_are_none(self, text: str):
        assert not is_paragraph(text)
        # The lexicon knows forms, not their use.
        assert is_paragraph(text, tagger=False)

    @pytest.mark.usefixtures("tagger")
    @pytest.mark.parametrize(
        ("lang", "text", "paragraph"),
        [
            ("de", "Wir haben es gesehen. Es war gut.", True),
            ("de", "Wir haben es gesehen. Eine gute Sache.", False),
            ("nl", "Wij hebben het gezien. Het was goed.", True),
            ("nl", "Wij hebben het gezien. Een goede zaak.", False),
            # No tagger: five words, by the splitter.
            ("fr", "Nous avons vu tout cela. Ce fut une bonne journée.", True),
            ("fr", "Nous avons vu. Une belle journée.", False),
        ],
    )
    def test_other_languages(self, lang: str, text: str, paragraph: bool):
        assert is_paragraph(text, lang) is paragraph

    @pytest.mark.usefixtures("tagger")
    @pytest.mark.parametrize("text", ["We don't. They can’t.", "We've been. It's ok."])
    def test_contractions_hold_verbs(self, text: str):
        assert is_paragraph(text)

    @pytest.mark.usefixtures("tagger")
    @pytest.mark.parametrize("lang", ["en", "fr"])
    def test_another_tagger_can_be_plugged_in(self, lang: str):
        text = "Blee blah. Blee blah."
        path = f"{has_blee.__module__}.{has_blee.__name__}"
        assert not is_paragraph(text, lang)
        assert is_paragraph(text, lang, tagger=path) is (lang == "fr")
        with pytest.raises(ValueError, match="tagger 'no"):
            LayoutAnalysis(tagger="no.such")

    @pytest.mark.usefixtures("tagger")
    def test_words_to_tag_have_a_limit(self, monkeypatch: pytest.MonkeyPatch):
        nouns = f"<p>{'The weather map. ' * 3}</p><p>{REFERENCE}</p>"
        assert main_texts(nouns) == []
        monkeypatch.setattr(sentences, "MAX_TAGGED_WORDS", 5)
        assert main_texts(nouns) != []

    def test_without_the_extra_the_lexicon_decides(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(sentences, "_load_splitter", lambda: None)
        assert ParagraphJudge.load("en", 2, 5) is None
        assert is_paragraph("Home. News. Sport. Weather.")


class TestColumns:
    """Sections 3.1 and 3.2."""

    @pytest.mark.usefixtures("tagger")
    def test_references_do_not_outweigh_the_article(self):
        html = (
            f"<div id=m><h1>Title</h1><p>{P}</p><p>{P}</p></div>"
            f"<div id=a><h2>Cited by</h2><ol>{f'<li>{REFERENCE}</li>' * 20}</ol></div>"
        )
        boxes = {"m": (0, 0, 800, 400), "a": (800, 0, 400, 900)}
        assert main_texts(html, boxes) == ["Title", P.strip(), P.strip()]

    @pytest.mark.usefixtures("tagger")
    def test_text_beside_elements_has_a_box_of_its_own(self):
        """Three columns of 711, 109 and 90 pixels with 0.74, 0.14 and 0.11."""
        line = "We saw it and it was as good as one could wish for. " * 2
        html = (
            f"<div id=m>{line}<br><br>We saw it. It ran.<br><br>It sat. We left.</div>"
        )
        document, layout = rendered(
            f"<html lang=en>{html}", {"m": (0, 0, 1000, 120)}, window=WINDOW
        )
        m = number_of(document, "m")
        runs = np.flatnonzero(
            (document.runs.element == m) & (document.runs.end > document.runs.start)
        )
        assert document.runs.words[runs].tolist() == [26, 5, 4]
        box = [[0, 0, 711, 20], [0, 40, 109, 20], [0, 80, 90, 20]]
        layout = replace(layout, free_run=runs, free_box=np.array(box, np.float32))
        analysis = LayoutAnalysis().analyse(document, layout)
        score = [round(float(value), 2) for value in analysis.column_score]
        assert score[-3:] == [0.74, 0.14, 0.11]
        assert analysis.column is not None
        assert analysis.columns.box[analysis.column].tolist() == [0, 0, 711, 20]
