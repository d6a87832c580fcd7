"""The centroid algorithm on small trees with ratios computed by hand.

Alarte and Silva; the sections, algorithms and definitions are those of the paper.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import centroid as module
from scrapy_mainpage.extraction.algorithms.centroid import (
    Centroid,
    is_shallow,
    rate,
    rated_elements,
)
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import (
    lists_of_links,
    text_lengths,
)
from tests.extraction.algorithms.impressions import names
from tests.extraction.boxes import number_of, rendered
from tests.extraction.helpers import document_of, texts_of

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

SENTENCE = "Seven words that stand for the story. "


def ratios(html: str, function: str, *arguments: int) -> dict[str, float]:
    """A ratio of the elements with an id, before it is standardised."""
    document = document_of(html)
    values = getattr(module, function)(document, *arguments)
    return {
        name: round(float(values[e]), 6)
        for e in range(document.n_elements)
        if (name := document.attribute(e, "id"))
    }


def every_run(document: Document) -> np.ndarray:
    return np.ones(len(document.runs.kind), bool)


def main_texts(html: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = Centroid(**options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def links(number: int, text: str = "x") -> str:
    return "".join(f'<a href="/{k}">{text}</a> ' for k in range(number))


class TestRated:
    """Section 3.1: which elements are rated."""

    def test_elements_that_are_no_leaves_are_rated(self):
        document = document_of(
            "<div id=d><p id=p>x</p><p id=empty></p><img id=i><ul id=u><li id=l>y</ul>"
            "<div id=blank> </div></div>"
        )
        assert names(document, rated_elements(document)) == ["d", "p", "u", "l"]

    @pytest.mark.parametrize(
        "tag", "a nav span em script header h1 h2 h3 h4 h5 iframe".split()
    )
    def test_tags_that_cannot_be_the_main_content_are_not(self, tag: str):
        document = document_of(f"<div><{tag} id=x href=1>y</{tag}></div>")
        assert names(document, rated_elements(document)) == ["div"]

    @pytest.mark.parametrize("tag", "footer aside h6 style b table form".split())
    def test_all_other_tags_are(self, tag: str):
        html = f"<div><{tag} id=x><tr><td>y</{tag}></div>"
        document = document_of(html)
        assert "x" in names(document, rated_elements(document))

    def test_nothing_outside_of_the_body_is(self):
        document = document_of(
            "<html><head><title>t</title><style>s</style><noscript>n</noscript></head>"
            "<body><p>x</p></body></html>"
        )
        assert names(document, rated_elements(document)) == ["p"]


class TestRatios:
    """Definition 3.1, each ratio as it is before it is standardised."""

    def test_words_count_by_their_distance(self):
        # A text's distance to its own element is 1.
        html = "<div id=d>one two<p id=p>a b c d</p><ul id=u><li id=l>e f g</ul></div>"
        assert ratios(html, "_word_ratio") == {
            "d": 2 / 1 + 4 / 2 + 3 / 3,
            "p": 4,
            "u": 3 / 2,
            "l": 3,
        }

    def test_words_in_links_do_not_count(self):
        html = (
            "<p id=p>one <a href=1>two <b>three</b></a> <a name=x>four</a> "
            "<b>five</b></p>"
        )
        assert ratios(html, "_word_ratio") == {"p": 1 + 1 / 2}

    def test_the_more_links_the_lower_the_hyperlink_ratio(self):
        html = (
            "<div id=d><p id=p>x</p><ul id=u><li id=l><a href=1 id=a>x</a>"
            "<li><a href=2>y</a><li><a name=z>no link</a></ul></div>"
        )
        assert ratios(html, "_hyperlink_ratio") == {
            "d": 0.5,
            "p": 1,
            "u": 0.5,
            "l": 1,
            "a": 1,
        }

    def test_more_than_two_children(self):
        html = (
            "<div id=d><p id=two>x<b>y</b></p><p id=three>x<b>y</b>z</p> </div>"
            "<p id=br>x<br>y</p><p id=blanks> <b>x</b> <i>y</i> </p>"
        )
        assert ratios(html, "_children_ratio") == {
            "d": 0,
            "two": 0,
            "three": 1,
            "br": 1,
            "blanks": 0,
        }

    def test_the_position_is_counted_from_the_body(self):
        # body 0, a 1, b 2, c 3, d 4, its text 5: the upper half ends at 2.5.
        html = "<div id=a><div id=b><div id=c><div id=d>x</div></div></div></div>"
        assert ratios(html, "_position_ratio") == {
            "a": 1,
            "b": 1,
            "c": round(5 / 3 - 1, 6),
            "d": 0.25,
        }

    def test_exactly_half_of_the_depth_is_the_upper_half(self):
        # a 1, b 2, c 3, its text 4
        html = "<div id=a><div id=b><div id=c>x</div></div></div>"
        assert ratios(html, "_position_ratio") == {
            "a": 1,
            "b": 1,
            "c": round(4 / 3 - 1, 6),
        }


class TestSpace:
    """Sections 3.2 and 3.3: standardised ratios, the centroid, the distances."""

    def test_a_space_computed_by_hand(self):
        # body 0 | div 1 | p 2, texts at 3; the upper half ends at 1.5.
        document = document_of("<div><p>a b</p><p>c d e f</p></div>")
        space = rate(document)
        assert names(document, space.element) == ["div", "p", "p"]
        # Words 3, 2, 4: mean 3, deviation sqrt(2 / 3).
        words = sqrt(3 / 2)
        assert space.ratio[:, 0] == pytest.approx([0, -words, words])
        # Links and children are the same everywhere.
        assert space.ratio[:, 1].tolist() == space.ratio[:, 2].tolist() == [0, 0, 0]
        # Position 1, 1/2, 1/2: mean 2/3, deviation sqrt(1 / 18).
        assert space.ratio[:, 3] == pytest.approx([sqrt(2), -sqrt(0.5), -sqrt(0.5)])
        assert space.distance == pytest.approx([sqrt(2), sqrt(2), sqrt(2)])

    def test_ratios_without_a_deviation_are_zero(self):
        document = document_of("<div></div><p>x</p><p>y</p>")
        space = rate(document)
        assert space.ratio.tolist() == [[0] * 4, [0] * 4]
        assert space.distance.tolist() == [0, 0]

    def test_a_mean_that_is_rounded_makes_no_deviation(self):
        # Ten links in each: the mean of three times 0.1 is not 0.1 in floating point.
        html = f"<p>{links(10)}</p>" * 3
        assert np.full(3, 0.1).std() > 0
        space = rate(document_of(html))
        assert space.ratio[:, 1].tolist() == [0, 0, 0]

    def test_the_centroid_is_at_zero(self):
        document = document_of(
            f"<div><p>{SENTENCE}</p><p>x {links(3)}</p><ul><li>y<li>z</ul></div>"
        )
        assert rate(document).ratio.mean(axis=0) == pytest.approx([0, 0, 0, 0])

    @pytest.mark.parametrize("html", ["", "<html></html>", "<body></body>", "<p></p>"])
    def test_a_page_without_text_has_an_empty_space(self, html: str):
        assert rate(document_of(html)).ratio.shape == (0, 4)


class TestShallow:
    """Section 3.1, third criterion: less deep than the body has children."""

    @pytest.mark.parametrize(
        ("html", "shallow"),
        [
            ("<p>x</p>", False),  # 1 deep, 1 wide
            ("<p>x</p><p>y</p>", True),  # 1 and 2
            ("<p>x</p><div><p>y</p></div>", False),  # 2 and 2
            ("<p>x</p><p>y</p><div><p>z</p></div>", True),  # 2 and 3
            ("<p>x</p><h1>y</h1><nav>z</nav><hr><p></p>", False),  # 1 and 1
            ("<p>x</p><div><nav><span>y</span></nav></div>", True),  # 1 and 2
            ("", False),
            ("just text", False),
        ],
    )
    def test_depth_and_width_are_counted_in_rated_elements(
        self, html: str, shallow: bool
    ):
        # The parser puts text of its own into a paragraph, as the first child.
        assert is_shallow(document_of(f"<body>{html}</body>")) is shallow

    def test_all_of_a_shallow_page_is_main_content(self):
        html = "<body><h1>Old</h1>text<p>one</p>more<p>two</p><p hidden>no</p></body>"
        assert main_texts(html) == ["Old", "text", "one", "more", "two"]
        document = document_of(html)
        choice = Centroid().choose(document)
        assert choice.candidates == ()
        assert names(document, choice.main) == ["body"]


class TestCandidates:
    """Section 3.3 and algorithms 2 and 3."""

    def test_the_c_farthest_are_the_candidates(self):
        document = document_of(
            f"<div id=o><div id=m><p id=p>{SENTENCE * 9}</p><p>x</p><p>y</p></div>"
            "</div>"
        )
        space = rate(document)
        order = np.argsort(-space.distance, kind="stable")
        for c in (1, 2, 5):
            candidates = Centroid(c=c).choose(document).candidates
            farthest = space.element[order[:c]].tolist()
            assert set(candidates) <= set(farthest)
        assert len(Centroid(c=1).choose(document).candidates) == 1

    def test_fewer_rated_elements_than_c(self):
        document = document_of("<div><p>one two</p><p>three</p></div>")
        assert len(Centroid(c=50).choose(document).candidates) == 3

    def test_of_equally_far_elements_the_first_ones_are_candidates(self):
        # All three are sqrt(2) away: see TestSpace.
        document = document_of("<div><p id=p>a b</p><p>c d e f</p></div>")
        candidates = Centroid(c=2).choose(document).candidates
        assert names(document, candidates) == ["div", "p"]


class TestChoice:
    """Algorithms 3 and 4 together: with ``c=99`` all rated elements are candidates."""

    @pytest.mark.parametrize(
        ("html", "chosen"),
        [
            # The same text: the outer one, with the image, remains.
            (f"<div id=a><img src=a><div id=b>{SENTENCE}</div></div>", "a"),
            (f"<div id=a><p hidden>x y z</p><div id=b>{SENTENCE}</div></div>", "a"),
            # 37 characters on 1 tag against 74 on 3; neither em nor span is rated.
            (
                f"<div>x<div id=a>{SENTENCE}</div></div>"
                f"<div>x<div id=b>{f'<em>{SENTENCE.strip()}</em>' * 2}</div></div>",
                "a",
            ),
            # A tie, and a sibling of the best among the candidates
            (
                f"<div>x<div id=a>{SENTENCE}</div></div>"
                f"<div>x<div id=b>{SENTENCE}</div></div>",
                "ab",
            ),
            (f"<div><p id=a>{SENTENCE}</p><p id=b>{SENTENCE * 2}</p></div>", "ab"),
            # 3 characters of 6 bytes, and 4 of as many.
            ("<div>x<div id=a>абв</div></div><div>x<div id=b>abcd</div></div>", "b"),
            # A ratio of 0 is not more than the first maximum, 0.
            ("<div id=a><img src=1><img src=2><img src=3></div>", ""),
        ],
    )
    def test_the_elements_with_the_most_text_per_tag(self, html: str, chosen: str):
        document = document_of(f"<body><span><span>{html}</span></span></body>")
        assert names(document, Centroid(c=99).choose(document).main) == list(chosen)

    @pytest.mark.parametrize("style", ["hidden", ""])
    def test_hidden_elements_are_not_rated(self, style: str):
        part = f"<p>{SENTENCE * 6}</p>"
        document, layout = rendered(
            f"<div><div><div><div>{part * 3}</div></div><div id=h {style}>{part * 5}"
            "</div></div></div>",
            display={} if style else {"h": "none"},
        )
        given = None if style else layout
        h = number_of(document, "h")
        assert h not in Centroid().choose(document, given).space.element
        assert h in rate(document).element
        scores = Centroid().score(document, given)
        assert texts_of(document, scores >= 0.5) == [(SENTENCE * 6).strip()] * 3


class TestPostProcessing:
    """Algorithm 5: groups of links are not main content."""

    EIGHT = links(8).replace("> ", ">")

    def wrapped(self, inside: str) -> str:
        """A page where only ``#d``, or its children, are rated and have text."""
        return f"<body><span><span><div id=d>{inside}</div></span></span></body>"

    def chosen(self, inside: str, **options: object) -> list[str]:
        document = document_of(self.wrapped(inside))
        return names(document, Centroid(**options).choose(document).main)

    def test_eight_links_and_little_else(self):
        # Eight letters in links, and the seven blanks between them.
        document = document_of(self.wrapped(links(8)))
        d = number_of(document, "d")
        text, unlinked = text_lengths(document, every_run(document))
        assert (text[d], unlinked[d]) == (15, 7)
        assert self.chosen(links(8)) == []
        assert self.chosen(links(7)) == ["d"]

    @pytest.mark.parametrize(("characters", "kept"), [(15, False), (16, True)])
    def test_the_text_around_the_links_saves_them(self, characters: int, kept: bool):
        # 23 / 15 is more than 1.5, 24 / 16 is not.
        inside = "w" * characters + self.EIGHT
        assert self.chosen(inside) == (["d"] if kept else [])

    def test_nothing_but_links(self):
        document = document_of(self.wrapped(self.EIGHT))
        text, unlinked = text_lengths(document, every_run(document))
        d = number_of(document, "d")
        assert (text[d], unlinked[d]) == (8, 0)
        assert self.chosen(self.EIGHT) == []

    @pytest.mark.parametrize("around", ["{}", "<div><div>{}</div></div>"])
    @pytest.mark.parametrize(
        "group",
        [f"<ul>{'<li><a href=/i>A section</a></li>' * 12}</ul>", f"<p>{links(9)}</p>"],
    )
    def test_a_group_inside_is_removed_by_option(self, group: str, around: str):
        part = f"<p>{SENTENCE * 6}</p>"
        html = (
            f"<div><div><div>{part}{around.format(group)}{part * 2}</div></div></div>"
        )
        clean = [(SENTENCE * 6).strip()] * 3
        assert main_texts(html, inner_groups=True) == clean
        assert len(main_texts(html)) > len(clean)

    @pytest.mark.parametrize(
        ("children", "kept"),
        [
            ("<p><a href=1>one</a></p><p><a href=2>two</a></p>", False),
            ("<p><a href=1>one</a></p><p>two</p>", True),
            ("<p><a href=1>one</a></p><p><a href=2>2</a><a href=3>3</a></p>", True),
            ("<p><a href=1>one</a></p><b><a href=2>two</a></b>", True),
            ("<p><a href=1>one</a></p><p><a href=2>two<img></a></p>", True),
            ("<p><a href=1>one</a></p><p><i>two</i></p>", True),
            ("only text", True),
        ],
    )
    def test_a_list_of_links(self, children: str, kept: bool):
        document = document_of(self.wrapped(children))
        d = number_of(document, "d")
        assert bool(lists_of_links(document)[d]) is not kept


class TestCentroid:
    def test_the_story_is_the_main_content(self):
        story = "".join(f"<p>{SENTENCE * 3}</p>" for _ in range(4))
        menu = "".join(f"<li><a href=/{k}>Menu</a></li>" for k in range(9))
        html = (
            f"<body><div><div><ul>{menu}</ul></div><div><div id=story>{story}</div>"
            f"</div></div></body>"
        )
        document = document_of(html)
        assert names(document, Centroid(c=1).choose(document).main) == ["story"]
        assert main_texts(html, c=1) == [(SENTENCE * 3).strip()] * 4

    @pytest.mark.parametrize("html", ["", "<html></html>", "<body></body>", "<p> </p>"])
    def test_a_page_without_text_has_no_main_content(self, html: str):
        document = document_of(html)
        assert Centroid().score(document).shape == (0,)
        assert Centroid().choose(document).main == ()

    def test_hidden_text_counts_for_nothing(self):
        html = "<body><div>Seen by all <b hidden>by none</b></div></body>"
        document = document_of(html)
        scores = Centroid().score(document)
        assert scores.tolist() == [1]


class TestOptions:
    """Every option changes the result."""

    def test_tr_and_hr(self):
        html = f"<body><span><div>{links(8)}</div></span></body>"
        assert main_texts(html) == []
        assert main_texts(html, hr=8) != []
        assert main_texts(html, tr=15 / 7) != []
        assert main_texts(html, post_process=False) != []
