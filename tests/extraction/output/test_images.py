"""Pictures of the content, with and without their captions; counters of visits."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.output._main_tree import complete_units
from scrapy_mainpage.extraction.output._signs import Signs
from scrapy_mainpage.extraction.parsing.tree import parse_html

from .helpers import content_of

AROUND = "<p>The river rises in the hills.</p>{0}<p>It runs to the sea.</p>"


def images_of(html: str, boilerplate: tuple[str, ...] = ()) -> list[str]:
    """The addresses of the images between two paragraphs, in HTML and in media."""
    content = content_of(AROUND.format(html), boilerplate=boilerplate)
    found = re.findall('<img src="(.*?)"', content.html())
    assert {*found} == {media.url for media in content.media()}
    return [url.removeprefix("https://example.com/") for url in found]


FIGURE = "<figure><img src=/a.jpg><figcaption>Photo: GH</figcaption></figure>"


@pytest.mark.parametrize(
    "html",
    [
        FIGURE,
        "<div class=wp-caption><img src=/a.jpg><p class=small>Photo: GH</div>",
        "<div><div><img src=/a.jpg></div><p class=caption>Photo: GH</p></div>",
    ],
)
def test_a_picture_between_main_content_has_its_caption(html: str) -> None:
    document = read_tree(parse_html(AROUND.format(html).encode()))
    main = np.array([True, *[False] * (document.n_blocks - 2), True])
    assert complete_units(Signs(document), main).all()


def test_pictures_of_other_pages_and_behind_the_text_do_not() -> None:
    teaser = FIGURE.replace("<img src=/a.jpg>", "<a href=/b><img src=/a.jpg></a>")
    assert images_of(teaser, ("Photo: GH",)) == []
    behind = content_of(AROUND.format("") + FIGURE, boilerplate=("Photo: GH",))
    assert behind.media() == ()


@pytest.mark.parametrize(
    "html",
    [
        '<noscript><p><img src="//s.test/piwik.php?idsite=3" alt=""></p></noscript>',
        '<noscript><img src="https://s.test/watch/123" alt=""></noscript>',
        '<img src="https://pixel.test/b.gif?v=1">',
        '<img src="/1px.gif">',
    ],
)
def test_counters_are_no_images(html: str) -> None:
    assert images_of(html) == []


@pytest.mark.parametrize(
    ("frame", "is_shown"),
    [
        ("src=https://player.test/v/9", True),
        ("src=https://harbour.test/maps/quay", True),
        ("src=https://harbour.test/tides.html", True),
        ("src='https://tags.test/ns.html?id=GTM-1'", False),
        ("src=https://network.test/plugins/like.php?x", False),
        ("src=https://network.test/widgets/tweet_button.html", False),
        ("src=https://ads.test/video/9", False),
        ("src=https://harbour.test/x title='3rd party ad content'", False),
    ],
)
def test_frames_are_media_unless_they_advertise(frame: str, is_shown: bool) -> None:
    found = content_of(AROUND.format(f"<iframe {frame}></iframe>")).media()
    assert len(found) == is_shown


def test_icons_without_words_are_no_images() -> None:
    assert images_of("<img src=/icon-quay.png><img src=/lexicon.png>") == [
        "lexicon.png"
    ]
    assert images_of("<img src=/icon-quay.png alt=Quay>") == ["icon-quay.png"]


LAZY = "<img class=lazy src='data:image/gif;base64,R0' data-src=/a-1024.jpg>"
PLAIN = "<noscript><img src=/a.jpg></noscript>"


@pytest.mark.parametrize("html", [LAZY + PLAIN, PLAIN + LAZY])
def test_a_lazy_image_and_its_copy_without_scripts_are_one(html: str) -> None:
    assert len(images_of(f"<figure>{html}</figure>")) == 1
    assert len(images_of(f"<p><a href=/b.jpg>{html}</a>")) == 1


def test_other_images_beside_one_without_scripts_stay() -> None:
    other = "<img src=/b.jpg>"
    assert images_of(f"<figure>{other}{PLAIN}</figure>") == ["b.jpg", "a.jpg"]
    assert images_of("<img src=/a.jpg><img src=/a-2.jpg>") == ["a.jpg", "a-2.jpg"]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>By <img src=/a.png alt=A>", "By ![A](https://example.com/a.png)"),
        (
            "<p><img src=/a.png><img src=/b.png>",
            "![](https://example.com/a.png) ![](https://example.com/b.png)",
        ),
        ("<p><b><img src=/a.png alt=A></b>", "![A](https://example.com/a.png)"),
        ("<p>see <a href=#>here</a> and <a href=#!>there</a>", "see here and there"),
    ],
)
def test_blanks_and_marks_around_images(html: str, markdown: str) -> None:
    assert content_of(f"{html}<p>end").markdown() == f"{markdown}\n\nend"


def test_what_a_script_loads_is_shown_whatever_its_name() -> None:
    assert images_of("<img src=data:a data-src=/lazy.jpg>") == ["lazy.jpg"]
    assert images_of("<img src=data:a nitro-lazy-src=/lazy.jpg>") == ["lazy.jpg"]
    assert images_of("<img src=data:a data-srcset='/a.jpg 2x, /b.jpg'>") == ["a.jpg"]
    assert images_of("<img src=/lazy.jpg>") == []


FIGURE = "<figure>{}<figcaption>The old pier in winter</figcaption></figure>"


def test_of_two_sizes_in_a_figure_the_second_is_kept() -> None:
    small, large = "<img src=/max/30/p.jpg>", "<img data-src=/max/800/p.jpg>"
    images = images_of(FIGURE.format(small + large))
    assert images == ["max/800/p.jpg"]
    other = "<img src=/max/800/q.jpg>"
    assert len(images_of(FIGURE.format(small + other))) == 2


def test_a_placeholder_in_a_link_to_a_picture_is_the_picture() -> None:
    image = "<a href=/pier.jpg><img src=/lazy_placeholder.gif alt=Pier></a>"
    assert images_of(f"<p>{image}</p>") == ["pier.jpg"]
    page = image.replace("pier.jpg", "pier.html")
    assert images_of(f"<p>{page}</p>") == []


def test_a_photograph_of_lazy_loading_is_no_placeholder() -> None:
    assert images_of("<p><img src=/9-lazy-loaded-scripts.jpeg></p>")
    assert not images_of("<p><img src=/lazy-placeholder.jpg></p>")


@pytest.mark.parametrize(
    ("frame", "is_shown"),
    [
        ("src=/news/latest.html", False),
        ("src=https://tide.example.com/box.html", False),
        ("src=/map.html title='The harbour'", True),
        ("src=https://example.org/map.html", True),
    ],
)
def test_a_frame_of_the_own_site_needs_a_title(frame: str, is_shown: bool) -> None:
    found = content_of(AROUND.format(f"<iframe {frame}></iframe>")).media()
    assert len(found) == is_shown


def test_a_frame_beside_the_content_needs_a_title() -> None:
    frame = "<iframe src=https://example.org/box.html {0}></iframe>"
    html = AROUND.format("") + frame
    assert content_of(html.format("")).media() == ()
    assert len(content_of(html.format("title=Map")).media()) == 1


@pytest.mark.parametrize(
    ("target", "is_shown"),
    [
        ("https://net.test/s?u=https%3A%2F%2Fexample.com%2Fblog%2Fpost.html", False),
        ("https://net.test/s?v=1&u=http://example.com/blog/post.html%3Fa=1", False),
        ("https://net.test/s?u=https://example.com/blog/other.html", True),
        ("/gallery?of=https://example.com/blog/post.html", True),
    ],
)
def test_buttons_that_share_the_page_are_no_images(target: str, is_shown: bool) -> None:
    assert len(images_of(f"<a href='{target}'><img src=/a.png></a>")) == is_shown


def test_a_picture_is_shown_once() -> None:
    picture, between = "<div><img src=/a.png></div>", "<p>By the quay.</p>"
    assert images_of(picture + between + picture) == ["a.png"]
    named = picture.replace("src", "alt=Quay src")
    assert images_of(named + named) == ["a.png"]
    assert len(images_of(named + between + named)) == 2


def test_marks_in_cells_and_pictures_of_links_are_shown_again() -> None:
    row = "<tr><th>Tar<td><img src=/tick.png><td><img src=/tick.png>"
    assert images_of(f"<table>{row}{row}</table>").count("tick.png") == 4
    cards = [f"<div><a href=/{n}><img src=/a.png></a></div><p>Rope" for n in "bc"]
    assert images_of("".join(cards)) == ["a.png"] * 2
