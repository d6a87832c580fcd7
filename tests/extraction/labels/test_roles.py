"""The role of each block that is not main content, on small pages of many languages."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest

from scrapy_mainpage.extraction.labels import LABELS
from scrapy_mainpage.extraction.labels.labelling import label_blocks
from scrapy_mainpage.label import MAIN_LABELS, Label
from tests.extraction.helpers import block_texts, document_of, evidence_of

STORY = "".join(
    f'<p class="s">The miller of Tarn{k} ground oats by lantern light, and the wheel '
    f"turned slowly while the river froze around its {k} wooden teeth.</p>"
    for k in range(6)
)
TEXT = f"<h1>The mill of Tarn</h1>{STORY}"


def labels_of(
    body: str, *, page_type: str | None = None, head: str = "", every: bool = False
) -> dict[str, Label]:
    """The label of each text of a page; main content is the story, or all there is."""
    document = document_of(f"<html><head>{head}</head><body>{body}</body></html>")
    texts = block_texts(document)
    main = np.array([every or "miller" in text for text in texts], bool)
    codes, _ = label_blocks(evidence_of(document, main), lambda: page_type)
    return {text: LABELS[code] for text, code in zip(texts, codes, strict=True)}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Accept all cookies", Label.CONSENT),
        ("© 2024 The Tarn Mill Trust", Label.LEGAL),
        ("Impressum", Label.LEGAL),
        ("Política de privacidad", Label.LEGAL),
        ("Все права защищены", Label.LEGAL),
        ("版权所有", Label.LEGAL),
        ("Share on Facebook", Label.SHARE),
        ("Auf Facebook teilen", Label.SHARE),
        ("Поделиться", Label.SHARE),
        ("分享到", Label.SHARE),
        ("12 comments", Label.COMMENTS),
        ("Kommentare", Label.COMMENTS),
        ("Оставить комментарий", Label.COMMENTS),
        ("评论", Label.COMMENTS),
        ("Related articles", Label.RELATED),
        ("Lesen Sie auch", Label.RELATED),
        ("Читайте также", Label.RELATED),
        ("相关阅读", Label.RELATED),
        ("Διαβάστε επίσης", Label.RELATED),
        ("Advertisement", Label.ADVERTISEMENT),
        ("ANZEIGE", Label.ADVERTISEMENT),
        ("Реклама", Label.ADVERTISEMENT),
        ("广告", Label.ADVERTISEMENT),
        ("Subscribe to our newsletter", Label.FORM),
        ("Back to top", Label.NAVIGATION),
        ("Zum Inhalt springen", Label.NAVIGATION),
    ],
)
def test_conventional_words_tell_the_role_of_a_block_that_nothing_else_tells(
    text: str, role: Label
) -> None:
    assert labels_of(f"{TEXT}<div>{text}</div>")[text] is role


@pytest.mark.parametrize(
    ("markup", "role"),
    [
        ("nav", Label.NAVIGATION),
        ("div role=navigation", Label.NAVIGATION),
        ("footer", Label.FOOTER),
        ("div role=contentinfo", Label.FOOTER),
        ("div class=fusszeile", Label.FOOTER),
        ("form", Label.FORM),
        ("div id=newsletter-box", Label.FORM),
        ("div class=cookie-banner", Label.CONSENT),
        ("div id=onetrust-banner-sdk", Label.CONSENT),
        ("div class=ad-slot", Label.ADVERTISEMENT),
        ("div class=werbung", Label.ADVERTISEMENT),
        ("div id=comments", Label.COMMENTS),
        ("div class=comentarios", Label.COMMENTS),
        ("div itemprop=comment", Label.COMMENTS),
        ("div class=related-posts", Label.RELATED),
        ("div class=relacionadas", Label.RELATED),
        ("div class=author-name", Label.BYLINE),
        ("div class=wp-block-post-terms", Label.BYLINE),
        ("div itemprop=datePublished", Label.BYLINE),
        ("div class=pagination", Label.PAGINATION),
    ],
)
def test_names_of_elements_tell_their_role(markup: str, role: Label) -> None:
    tag = markup.split()[0]
    assert labels_of(f"{TEXT}<{markup}><p>Wooden</p></{tag}>")["Wooden"] is role


@pytest.mark.parametrize("markup", ["header", "div role=banner", "div class=masthead"])
def test_a_header_is_above_the_text(markup: str) -> None:
    part = f"<{markup}><p>Wooden</p></{markup.split()[0]}>"
    assert labels_of(part + TEXT)["Wooden"] is Label.HEADER
    assert labels_of(TEXT + part)["Wooden"] is not Label.HEADER


def test_a_consent_dialog_by_its_name_is_sure_unless_it_is_the_page() -> None:
    words = "<p>Wooden</p>"
    body = f"<div id=onetrust-banner>{words}</div>"
    assert labels_of(TEXT + body)["Wooden"] is Label.CONSENT
    document = document_of(f"<div class=cookies>{TEXT}{words}</div>")
    main = np.array(["miller" in text for text in block_texts(document)])
    assert (label_blocks(evidence_of(document, main))[1][~main] < 1).all()


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ("<footer><nav><ul><li>Wooden</ul></nav></footer>", Label.FOOTER),
        ("<aside><nav><ul><li>Wooden</ul></nav></aside>", Label.NAVIGATION),
        ("<div id=comments><form><p>Wooden</form></div>", Label.COMMENTS),
        ("<div class=consent><form><p>Wooden</form></div>", Label.CONSENT),
        ("<nav><form><p>Wooden</form></nav>", Label.FORM),
        ("<nav class=related><p>Wooden</nav>", Label.NAVIGATION),
        ("<div role=navigation class=related><p>Wooden</div>", Label.NAVIGATION),
    ],
)
def test_of_nested_parts_the_one_that_a_reader_sees_counts(
    body: str, role: Label
) -> None:
    assert labels_of(TEXT + body)["Wooden"] is role


@pytest.mark.parametrize("word", ["Facebook", "Teilen", "Поделиться", "分享"])
@pytest.mark.parametrize(
    "around", ["<div class=shareBar>", "<footer><div class=social>"]
)
def test_links_of_a_named_part_to_share_are_share(around: str, word: str) -> None:
    body = f"{TEXT}{around}<a href=/x>{word}</a></div>"
    assert labels_of(body)[word] is Label.SHARE


def test_a_heading_tells_the_role_of_the_part_that_it_heads() -> None:
    teasers = "<h3>Siehe auch</h3><p>Mühlen im Winter</p><p>Das Eis am Wehr</p>"
    labels = labels_of(f"{TEXT}<div><h3>Weitere Artikel</h3>{teasers}</div>")
    assert labels["Siehe auch"] is Label.RELATED
    labels = labels_of(
        f"<div>{TEXT}<h2>3 Kommentare</h2><div><p>Hübsch.</p></div></div>"
    )
    assert labels["Hübsch."] is Label.COMMENTS


def test_links_of_a_title_s_length_are_related_and_short_ones_navigation() -> None:
    long = "".join(
        f"<li><a href=/{k}>How the {k} ferrymen crossed the sound</a>" for k in range(4)
    )
    short = "".join(f"<li><a href=/{k}>Ferry {k}</a>" for k in range(4))
    labels = labels_of(
        f"<div><ol>{short}</ol></div>{TEXT}<aside><ul>{long}</ul></aside>"
    )
    assert labels["How the 2 ferrymen crossed the sound"] is Label.RELATED
    assert labels["Ferry 2"] is Label.NAVIGATION


@pytest.mark.parametrize(
    "trail",
    [
        "<a href=/>Home</a> &gt; <a href=/m>Mills</a> &gt; Tarn",
        "<a href=/>Startseite</a> » <a href=/m>Mühlen</a>",
        "<a href=/>首页</a> > <a href=/m>新闻</a> > 正文",
        "<a href=/a>Rivers</a> / <a href=/m>Mills</a> / <a href=/t>Tarn</a>",
    ],
)
def test_a_chain_of_links_above_the_text_is_a_breadcrumb(trail: str) -> None:
    assert Label.BREADCRUMB in labels_of(f"<div>{trail}</div>{TEXT}").values()


@pytest.mark.parametrize(
    "row", ["<a href=/2>Next »</a>",
            "<a href=/2>下一页</a>", "<a href=/2>Следующая страница</a>"],
)  # fmt: skip
def test_numbers_and_next_with_links_are_pagination(row: str) -> None:
    assert Label.PAGINATION in labels_of(f"{TEXT}<div>{row}</div>").values()


@pytest.mark.parametrize(
    "line",
    ["By Ada Moss, 3 March 2024", "Von Ada Moss", "2024-03-03 10:15 来源：磨坊报",
     "Автор: Ада Мосс", "Publié le 3 mars 2024"],
)  # fmt: skip
def test_date_and_author_near_the_title_are_the_byline(line: str) -> None:
    body = f"<h1>The mill of Tarn</h1><div>{line}</div>{STORY}"
    assert labels_of(body)[line] is Label.BYLINE


def test_what_a_text_is_filed_under_is_the_byline() -> None:
    body = f"{TEXT}<p>Tags: <a href=/t>mills</a>, <a href=/t>winter</a></p>"
    assert labels_of(body)["Tags: mills, winter"] is Label.BYLINE


def test_sign_in_belongs_to_the_header_it_stands_in() -> None:
    labels = labels_of(f"<header><nav><a href=/l>Log in</a></nav></header>{TEXT}")
    assert labels["Log in"] is Label.HEADER


def test_a_box_that_speaks_of_cookies_is_consent_with_its_buttons() -> None:
    words = (
        "This site uses cookies to remember which of the mills you have seen before."
    )
    body = f"{TEXT}<div><p>{words}</p><p>Ok</p></div>"
    labels = labels_of(body)
    assert labels[words] is labels["Ok"] is Label.CONSENT


def test_links_stand_side_by_side_without_blanks() -> None:
    links = "<a href=/1>Impressum</a><a href=/2>Datenschutz</a><a href=/3>AGB</a>"
    labels = labels_of(f"{TEXT}<footer><div>{links}</div></footer>")
    assert labels["Impressum Datenschutz AGB"] is Label.LEGAL


FORUM = (
    "<div class=post><div class=author>Ada Moss</div><p>A miller asks here.</div>"
    "<div class=comment><div class=author>Bo Reed</div>"
    "<p>Another miller answers.<div>Reply</div></div>"
)


def test_a_forum_s_comments_are_what_the_main_content_says_they_are() -> None:
    labels = labels_of(FORUM, page_type="forum")
    assert labels["Another miller answers."] is Label.PARAGRAPH
    assert labels["Reply"] is Label.COMMENTS


def test_what_kind_of_page_it_is_is_asked_only_where_it_matters() -> None:
    asked = Mock(return_value="article")
    for body, times in [(f"<nav>Menu</nav>{TEXT}", 0), (TEXT + FORUM, 1)]:
        document = document_of(body)
        main = np.zeros(document.n_blocks, bool)
        label_blocks(evidence_of(document, main), asked)
        assert asked.call_count == times


@pytest.mark.parametrize("every", [True, False])
def test_main_content_alone_decides_who_has_a_kind_and_who_a_role(every: bool) -> None:
    labels = labels_of(f"<nav>Menu</nav>{TEXT}<footer>© 2024</footer>", every=every)
    for text, label in labels.items():
        assert (label in MAIN_LABELS) == (every or "miller" in text)


@pytest.mark.parametrize("html", ["", "<html></html>", "<body><img src=a></body>"])
def test_a_page_without_text_has_no_labels(html: str) -> None:
    document = document_of(html or "<html></html>")
    main = np.zeros(document.n_blocks, bool)
    assert len(label_blocks(evidence_of(document, main))[0]) == 0


def test_ten_thousand_blocks_each_get_a_label_the_same_each_time() -> None:
    rows = "".join(
        f"<div class='w{k} related'><h3>Related {k}</h3><p>Comments</p>"
        f"<a href=/{k}>{k}</a> &gt; © </div>"
        for k in range(3400)
    )
    document = document_of(f"<body>{rows}</body>")
    assert document.n_blocks > 10_000
    main = np.arange(document.n_blocks) % 7 == 0
    first, again = (label_blocks(evidence_of(document, main))[0] for _ in range(2))
    assert len(first) == document.n_blocks
    assert (first == again).all()


def test_odd_bytes_and_endless_names_do_no_harm() -> None:
    name = "nav-" * 3000
    body = (
        f"<div class='{name}' itemprop='{'x' * 9000}'>\ud83c\udf0d\ufffd 9\u0663</div>"
    )
    assert len(
        labels_of(TEXT + body.encode("utf-16", "surrogatepass").decode("utf-16"))
    )


def test_deep_nesting_hands_the_role_down() -> None:
    body = "<nav>" + "<div>" * 200 + "Wooden" + "</div>" * 200 + "</nav>"
    assert labels_of(TEXT + body)["Wooden"] is Label.NAVIGATION
