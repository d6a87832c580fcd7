"""Pages whose main content was derived by hand from the paper alone.

Alarte and Silva; the sections are those of the paper. With ``c=99`` all rated nodes are
candidates: the result depends on Algorithms 3 to 5 only.
"""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.algorithms.centroid import Centroid, rate
from tests.extraction.boxes import number_of, rendered
from tests.extraction.helpers import document_of, texts_of

S = "Seven words that stand for the story. "
SECTIONS = "<li><a href=/i>Other section i</a></li>" * 12
BARE = "".join(f"<a href=/{k}>Related {k}</a>" for k in range(9))


def main_texts(html: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = Centroid(**options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def story(inner: str) -> str:
    return (
        f"<div><div><div id=main><h1>T</h1><p>{S * 6}</p>{inner}"
        f"<p>{S * 6}</p><p>{S * 6}</p></div></div></div>"
    )


class TestGroupsOfLinks:
    """Section 3.5, Algorithm 5."""

    @pytest.mark.parametrize(
        "inner", [f"<ul>{SECTIONS}</ul>", f"<div id=rel>{BARE}</div>"]
    )
    def test_a_group_of_links_inside_is_removed_by_option(self, inner: str):
        clean = ["T", *[(S * 6).strip()] * 3]
        assert main_texts(story(inner), inner_groups=True) == clean
        assert len(main_texts(story(inner))) > len(clean)

    def test_links_with_images_are_no_group(self):
        teasers = "<li><a href=/i>Next <img src=i.png></a></li>" * 3
        texts = main_texts(story(f"<ul>{teasers}</ul>"), inner_groups=True)
        assert texts.count("Next") == 3

    def test_a_text_with_few_links_is_no_group(self):
        inner = f"<div>{BARE[: BARE.index('<a href=/7>')]}</div>"  # seven links
        assert any("Related" in t for t in main_texts(story(inner), inner_groups=True))

    def test_a_group_in_a_group_is_removed_once(self):
        inner = f"<div><div><ul>{SECTIONS}</ul></div></div>"
        assert len(main_texts(story(inner), inner_groups=True)) == 4

    def test_without_post_process_a_page_of_links_is_the_main_content(self):
        html = f"<div><div><div>{BARE}</div></div></div>"
        assert main_texts(html) == []
        assert main_texts(html, post_process=False) != []


class TestHidden:
    """Algorithms 3 and 4 read innerText, which is visible text."""

    HIDDEN = (
        "<div><div><div><div id=main>{}</div></div>"
        '<div id=hid style="display:none">{}</div></div></div>'
    )

    def test_hidden_elements_are_not_rated(self):
        html = self.HIDDEN.format(f"<p>{S * 6}</p>" * 3, f"<p>{S * 12}</p>" * 5)
        assert main_texts(html) == [(S * 6).strip()] * 3
        document = document_of(html)
        hid = number_of(document, "hid")
        space = Centroid().choose(document).space
        assert hid not in space.element
        assert hid in rate(document, 256).element

    def test_elements_hidden_by_a_style_sheet_are_not_rated(self):
        html = self.HIDDEN.replace(' style="display:none"', "")
        html = html.format(f"<p>{S * 6}</p>" * 3, f"<p>{S * 12}</p>" * 5)
        document, layout = rendered(html, display={"hid": "none"})
        hid = number_of(document, "hid")
        assert hid not in Centroid().choose(document, layout).space.element
        scores = Centroid().score(document, layout)
        assert texts_of(document, scores >= 0.5) == [(S * 6).strip()] * 3

    def test_hidden_text_does_not_make_an_ancestor_another_text(self):
        # innerText of both is S: the inner one is dropped.
        html = f"<div id=a><p hidden>x y z</p><div id=b>{S}</div></div>"
        document = document_of(f"<body><span><span>{html}</span></span></body>")
        chosen = Centroid(c=99).choose(document)
        assert [document.attribute(e, "id") for e in chosen.candidates] == ["a"]


class TestSelection:
    """Sections 3.4 and 3.1 (3)."""

    def chosen(self, html: str) -> list[str | None]:
        document = document_of(f"<body><span><span>{html}</span></span></body>")
        return [
            document.attribute(e, "id") for e in Centroid(c=99).choose(document).main
        ]

    def test_the_ancestor_with_the_image_is_chosen(self):
        # Algorithm 3: same text, so the outer one, with the image, remains.
        assert self.chosen(f"<div id=o><img src=a><div id=i>{S}</div></div>") == ["o"]

    def test_text_in_many_tags_loses_to_text_in_few(self):
        # 37 characters on 1 tag against 74 on 3; neither em nor span is rated.
        bold = f"<em>{S.strip()}</em>" * 2
        html = f"<div>x<div id=few>{S}</div></div><div>x<div id=many>{bold}</div></div>"
        assert self.chosen(html) == ["few"]

    def test_siblings_of_the_best_among_the_candidates_are_chosen(self):
        html = f"<div><div id=a>{S}</div><div id=b>{S * 2}</div></div>"
        assert self.chosen(html) == ["a", "b"]

    def test_a_tie_selects_all(self):
        html = f"<div>x<div id=a>{S}</div></div><div>x<div id=b>{S}</div></div>"
        assert self.chosen(html) == ["a", "b"]

    def test_a_gallery_without_text_has_no_main_content(self):
        # Algorithm 4: a ratio of 0 is not more than the first maximum, 0.
        assert self.chosen("<div id=g><img src=1><img src=2><img src=3></div>") == []

    def test_a_page_wider_than_deep_is_selected_as_a_whole(self):
        # Depth 1, three children of the body.
        assert len(main_texts(f"<body><p>{S}</p><p>{S}</p><p>x</p></body>")) == 3

    def test_a_page_as_deep_as_wide_is_not(self):
        # Depth 2, two children: both are candidates, and siblings.
        html = f"<body><div><p>{S}</p></div><p>x</p></body>"
        assert Centroid().choose(document_of(html)).candidates != ()
