"""Authors and dates in lines, links and addresses that a reader sees at the title."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.metadata.candidates import Places
from scrapy_mainpage.extraction.metadata.persons import find_persons
from tests.extraction.helpers import document_of, metadata_of

TEXT = "<p>" + "The river is wide here. " * 20 + "</p>"


def page(byline: str, above: str = "") -> str:
    return f"<main>{above}<h1>The old mill is sold</h1>{byline}{TEXT}</main>"


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("<p><a href=/author/ann-mill/>Ann Mill</a></p>", "Ann Mill"),
        ("<p><a href=/staff/1>Ann Mill</a>, <a href=/staff/2>Bo Dike</a></p>",
         "Ann Mill; Bo Dike"),
        ("<address>Ann Mill</address>", "Ann Mill"),
        ("<address>12 Mill Lane, 4020 Riverton</address>", None),
        ("<p>Autor: Joanna Mill. Data: 3.1.2012</p>", "Joanna Mill"),
        ("<h2>A house of stone</h2><p><a href=/author/x>Ann Mill</a></p>", "Ann Mill"),
        ("<p>a</p><h2>A dam</h2><p><a href=/author/x>Ann Mill</a></p>", None),
        ("<p><a href=/author/all>All our authors of today</a></p>", None),
        ("<p><a href=/author/x class=author>See full bio</a></p>", None),
        # Between pictures and buttons
        ("<p>Save</p>" * 2 + "<p class=byline>By Ann Mill, Bo Dike and Cy Weir</p>",
         "Ann Mill; Bo Dike; Cy Weir"),
        ("<p>Save</p>" * 5 + "<p>Seen: a play by Ann Mill</p>", None),
    ],
)  # fmt: skip
def test_an_author_below_the_title(byline: str, author: str | None) -> None:
    found = metadata_of(page(byline))
    assert found.author == author
    assert found.authors == (tuple(author.split("; ")) if author else ())


CHINESE = (
    "<html><head><title>河边的老磨坊今天卖掉了_新闻_河网</title></head><body>"
    "<div>河网</div><div>首页</div><div>河边的老磨坊今天卖掉了</div>{}"
    "<p>" + "河流在这里很宽，人们住在河边。" * 20 + "</p></body></html>"
)


@pytest.mark.parametrize(
    ("line", "author", "day"),
    [
        ("2005年3月21日11:21 作者：王小明", "王小明", "2005-03-21T11:21"),
        ("发布时间：2005-03-21 11:21:05 来源：河网", None, "2005-03-21T11:21:05"),
        ("2005-03-21 11:21更新 来源：转载文章", None, "2005-03-21T11:21"),
        ("文/王小明、李大河", "王小明; 李大河", None),
        ("论文：河边的老磨坊", None, None),
        ("阅读10544次", None, None),
        ("作者：王小明 来源：河网", "王小明", None),
        ("本报记者：王小明 台北報導", "王小明", None),
    ],
)
def test_a_line_of_an_old_chinese_page(
    line: str, author: str | None, day: str | None
) -> None:
    found = metadata_of(CHINESE.format(f"<div>{line}</div>"))
    assert found.author == author
    assert found.date_published == day


@pytest.mark.parametrize(
    ("last", "author"),
    [
        ("<p>田里的水稻已经收割完毕，农民们都很高兴。（记者 王小明）</p>", "王小明"),
        (
            "<p>田里的水稻已经收割完毕，农民们都很高兴。（李明 张晓丽）</p>",
            "李明; 张晓丽",
        ),
        ("<p>田里的水稻已经收割完毕。</p><p>（责任编辑：陈水生）</p>", "陈水生"),
        ("<p>田里的水稻已经收割完毕。</p><p>执笔人：刘一山 周文</p>", "刘一山; 周文"),
        ("<p>河西日报记者 赵田 河西报道</p><p>田里的水稻已经收割完毕。</p>", "赵田"),
        ("<p>田里的水稻已经收割完毕。（全文）</p>", None),
        ("<p>田里的水稻已经收割完毕。（见图）</p>", None),
        ("<p>田里的水稻已经收割完毕。</p><p>责任编辑：admin</p>", None),
    ],
)
def test_reporters_and_editors_at_the_end_of_chinese_pages(
    last: str, author: str | None
) -> None:
    assert metadata_of(CHINESE.format(last)).author == author


def test_views_beside_a_date() -> None:
    html = CHINESE.format("<div>2004-12-10 阅读10544次</div>")
    assert metadata_of(html).date_published == "2004-12-10"


def test_a_day_said_again_below() -> None:
    again = "<p>Moss grows.</p>" * 3 + "<p>By the editors, 30 October 2020</p>"
    html = page("<p>by Ann Mill 30 October 2020 at 7:18</p>", again)
    assert (metadata_of(html).date_published or "")[:10] == "2020-10-30"


def test_dates_of_many_posts_are_not_that_of_the_page() -> None:
    lines = "".join(
        f"<div>发布时间：2005-03-{day} 来源：河网</div>" for day in (13, 12, 11)
    )
    assert metadata_of(CHINESE.format(lines)).date_published is None


def test_a_published_date_in_japanese() -> None:
    html = page("<p>公開日: 2019年04月13日 09時00分</p>", "<p>令和1年4月</p>")
    assert (metadata_of(html).date_published or "")[:10] == "2019-04-13"


LONG = "The old mill at the river was bought by a joiner from the town yesterday. " * 4


@pytest.mark.parametrize(
    ("above", "day"),
    [
        ("<p>Mill news</p><p>3 May 2021 14:05</p><p>by the editors of this page</p>",
         "2021-05-03T14:05"),
        ("<p>3 May 2021</p><p>Print</p><p>Send</p><p>3 May 2021</p>", "2021-05-03"),
        ("<p>4 May 2021</p><p>Print</p><p>3 May 2021</p>", None),
        ("<footer><p>3 May 2021</p></footer>", None),
    ],
)  # fmt: skip
def test_the_only_day_above_the_text(above: str, day: str | None) -> None:
    html = f"<html lang=en><title>Mill</title><body><p>Home</p>{above}<p>{LONG}</p>"
    assert metadata_of(html).date_published == day


def test_names_are_sought_where_a_form_a_word_or_a_class_says_one() -> None:
    lines = "<p>old mills here</p><p>by annmill</p><p class=author>bodike</p>"
    document = document_of(page(f"{lines}<p>Ann Mill</p><p>3 comments</p>"))
    found = find_persons(document, Places(document))
    assert [each.text for each in found] == ["annmill", "bodike", "Ann Mill"]


def test_the_site_is_no_author_beside_a_person() -> None:
    head = '<meta property="og:site_name" content="Mill Post">'
    head += (
        '<meta name=author content="Mill Post"><meta name=author content="신현주 기자">'
    )
    assert metadata_of(f"<head>{head}</head>{page('')}").author == "신현주"
