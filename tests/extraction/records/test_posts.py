"""The posts of threads, answers and comments on pages that are written here."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from scrapy.exporters import JsonItemExporter

from scrapy_mainpage import Page, extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.records.post_templates import PostTemplates
from scrapy_mainpage.records import Post, Quote
from scrapy_mainpage.setting_readers import page_attributes

URL = "https://forum.example/threads/glue.12/"

TALK = (
    ("Ann Mill", "3 May 2021, 10:15", "Which glue holds an old chair that was "
     "mended twice before, and does it need to be clamped over night?"),
    ("joiner77", "3 May 2021, 11:40", "Hide glue, warmed in a water bath, because "
     "it can be opened again with heat when the next joint gives way."),
    ("Ann Mill", "4 May 2021, 08:02", "Thank you. I scraped the old glue off and "
     "let the joint dry for a day before the clamps came off."),
    ("Rosa", "13 May 2021, 19:30", "Do not use the yellow glue from the shop on "
     "antiques, as no one can take the chair apart after it."),
)  # fmt: skip

WORDS = "the joint of a chair opens slowly when the room is warm and dry".split()


def post(k: int, author: str, day: str, body: str) -> str:
    name = author.replace(" ", "-").lower()
    return (
        f"<div class='post' id=p{100 + k}><div class=panel><a class=username "
        f"href='/members/{name}.{k}/'>{author}</a><dl><dt>Joined:<dd>2 Jan 2015"
        f"<dt>Posts:<dd>1,{k}43</dl></div><div class=date><a href='#p{100 + k}'>{day}"
        f"</a></div><div class=content>{body}</div><div class=signature>Owls are "
        "not what they seem to be, says the carpenter</div><div><a href='/quote'>Quote"
        "</a> <a href='/report'>Report</a></div></div>"
    )


def thread(posts: str) -> str:
    return (
        "<html lang=en><title>Glue for an old chair - Forum</title><body>"
        "<nav><a href=/>Home</a> <a href=/new>New posts</a></nav>"
        f"<h1>Glue for an old chair</h1><div class=thread>{posts}</div>"
        "<form class=reply><p>Write your reply below, and please be kind to the others."
        "<textarea></textarea></form><footer>Forum of joiners</footer>"
    )


def talk(rows: tuple[tuple[str, str, str], ...] = TALK) -> Page:
    rows_of_posts = (post(k, *row) for k, row in enumerate(rows))
    return extract(thread("".join(rows_of_posts)), url=URL)


def test_posts_of_a_thread() -> None:
    posts = talk().posts
    assert [found.author for found in posts] == [row[0] for row in TALK]
    assert [found.text for found in posts] == [row[2] for row in TALK]
    assert [found.position for found in posts] == [1, 2, 3, 4]
    assert posts[0].date == "2021-05-03T10:15"
    assert posts[1].author_url == "https://forum.example/members/joiner77.1/"
    assert posts[1].id == "p101"
    assert posts[1].url == URL + "#p101"


def test_date_of_joining_is_not_the_date_of_a_post() -> None:
    assert not any(found.date == "2015-01-02" for found in talk().posts)


def test_markdown_begins_with_author_and_date() -> None:
    first = talk().posts[0]
    assert first.markdown == f"**Ann Mill**, 2021-05-03T10:15\n\n{first.text}"
    assert first.to_text() == TALK[0][2]
    assert first.to_text(byline=True) == f"Ann Mill, 2021-05-03T10:15\n{TALK[0][2]}"


def test_markup_of_a_name_is_escaped() -> None:
    rows = (("a_b*c*", *TALK[0][1:]), *TALK[1:])
    assert talk(rows).posts[0].markdown.startswith(r"**a\_b\*c\***, 2021")


@pytest.mark.parametrize(
    "quote",
    [
        "<blockquote><p>joiner77 wrote:</p><p>warmed in a water bath</blockquote>",
        "<p>joiner77 said:</p><blockquote><p>warmed in a water bath</p></blockquote>",
    ],
)
def test_quotes_carry_whom_they_quote(quote: str) -> None:
    day, body = TALK[2][1:]
    rows = (*TALK[:2], ("Ann Mill", day, f"{quote}<p>{body}"), TALK[3])
    assert talk(rows).posts[2].quotes == (Quote("warmed in a water bath", "joiner77"),)


def test_numbers_are_read_in_the_order_of_another_date() -> None:
    days = ("05/03/2021", "05/03/2021", "05/04/2021", "05/13/2021")
    rows = tuple((a, day, b) for (a, _, b), day in zip(TALK, days, strict=True))
    assert [found.date for found in talk(rows).posts] == [
        "2021-05-03", "2021-05-03", "2021-05-04", "2021-05-13",
    ]  # fmt: skip


def test_a_date_without_a_year_is_as_it_is_written() -> None:
    days = ("5 days ago", "4 days ago", "3 days ago", "yesterday at 10:15")
    rows = tuple((a, day, b) for (a, _, b), day in zip(TALK, days, strict=True))
    assert [found.date for found in talk(rows).posts] == list(days)


def test_posts_in_rows_of_a_table() -> None:
    rows = "".join(
        f"<tr><td class=author><b>{author}</b><td class=when>Posted: {day}"
        f"<tr class=body><td>Joiner<td class=msg>{body}"
        for author, day, body in TALK
    )
    posts = extract(thread(f"<table class=posts>{rows}</table>"), url=URL).posts
    assert [found.text for found in posts] == [row[2] for row in TALK]
    assert [found.author for found in posts] == [row[0] for row in TALK]


def test_posts_in_boxes_of_a_style_sheet() -> None:
    """Bootstrap calls each box a card, that of a post and that of a teaser."""
    rows = "".join(
        f"<div class='my-3 card post'><div class=card-body><h4>Re: Glue</h4><p>By: "
        f"<a href='/member/profile/{k}/'>{author}</a> on {day}</p>"
        f"<div class=post-content><p>{body}</p></div></div></div>"
        for k, (author, day, body) in enumerate(TALK)
    )
    posts = extract(thread(rows), url=URL).posts
    assert [found.author for found in posts] == [row[0] for row in TALK]


def test_code_below_a_paragraph_is_part_of_the_post() -> None:
    codes = ("heat(glue, 60)", "wait(clamp, hours=9)", "", "")
    rows = tuple(
        (author, day, f"<p>{body}</p>" + (code and f"<pre><code>{code}</code></pre>"))
        for (author, day, body), code in zip(TALK, codes, strict=True)
    )
    for found, code in zip(talk(rows).posts, codes, strict=True):
        assert found.text.endswith(code or ".")


def comments(names: str = "comment") -> str:
    text = "".join(
        f"<p>{' '.join(WORDS[k:] + WORDS[:k])}, and {k} more joints of it have to be "
        "mended before the winter comes and the room is heated again.</p>"
        for k in range(9)
    )
    found = "".join(
        f"<li class={names} id=comment-{k}><cite class=author>{author}</cite> "
        f"<time datetime='2021-05-0{k + 1}T10:00'>{day}</time><p>{body}"
        f"<ul>{'<li>' * (k > 9)}</ul></li>"
        for k, (author, day, body) in enumerate(TALK)
    )
    return (
        f"<title>Chairs</title><article><h1>Chairs</h1>{text}</article>"
        f"<section id=comments><h2>Comments</h2><ol>{found}</ol></section>"
    )


def test_comments_below_an_article() -> None:
    page = extract(comments(), url="https://example.com/chairs")
    assert [found.author for found in page.posts] == [row[0] for row in TALK]
    assert page.posts[3].text == TALK[3][2]
    assert page.posts[3].date == "2021-05-04T10:00"


@pytest.mark.parametrize("place", ["{}", "</li><div class=children>{}</div>"])
def test_nested_comments_are_posts_of_their_own(place: str) -> None:
    body = TALK[1][2]
    inner = place.format(
        "<ul><li class='comment reply'><cite class=author>Mole</cite> "
        "<time datetime='2021-05-09T10:00'>9 May 2021</time><p>It smells of horses, "
        "which nobody in my house can bear for longer than a day.</ul>"
    )
    html = comments().replace(body, body + inner)
    posts = extract(html, url="https://example.com/chairs").posts
    assert [found.author for found in posts] == [
        "Ann Mill", "joiner77", "Mole", "Ann Mill", "Rosa",
    ]  # fmt: skip
    assert posts[1].text == body


def test_teasers_are_no_posts() -> None:
    cards = "".join(
        f"<div class=card><h2><a href=/{k}>The {WORDS[k]} of "
        f"a {WORDS[-k]} chair</a></h2>"
        f"<span class=author>{author}</span> <time datetime=2021-05-0{k}>{day}</time>"
        f"<p>{body}</div>"
        for k, (author, day, body) in enumerate(TALK, 1)
    )
    assert extract(f"<title>News</title><main>{cards}</main>").posts == ()


ROWS = (
    "<li class='row post'><dl><dt><a class=topictitle href=/t/{k}>{title}</a><div>by "
    "<a class=username href=/user/{k}>{author}</a>, {day}</div></dt><dd>{k} Replies"
    "<dd>Last post by <a class=username href=/user/9>Rosa</a> {day}</dd></dl></li>",
    "<li class=row><a href=/t/{k}>{title}</a><p>Started by <a href=/user/{k}>{author}"
    "</a></p><p>Replies: {k}<br>Views: 9{k}</p><p>{day}<br>by Rosa</p></li>",
    "<li class=thread><h3><a href=/t/{k}>{title}</a></h3><p><b>{author}</b>, {day}</p>"
    "<p>{start} ...</p><p>{k} antwoorden, laatste van <b>Rosa</b> op {day}</p></li>",
)


@pytest.mark.parametrize("count", [4, 20])
@pytest.mark.parametrize("row", ROWS)
def test_topics_of_a_forum_are_no_posts(row: str, count: int) -> None:
    rows = "".join(
        row.format(
            k=k, author=TALK[k % 4][0], day=f"{k + 1} May 2021, 10:{k + 10}",
            title=" ".join((WORDS * 2)[k : k + 4 + k % 3]), start=TALK[k % 4][2][:50],
        )
        for k in range(count)
    )  # fmt: skip
    html = thread(f"<ul class=topics>{rows}</ul>").replace(
        "class=reply", "class=search"
    )
    assert extract(html, url="https://forum.example/f/2").posts == ()


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>3 May 2021",
        "<p>Ann, 3 May 2021<p>Rosa, 4 May 2021",
        comments().split("<sec")[0],
    ],
)
def test_pages_without_posts(html: str) -> None:
    assert extract(html).posts == ()


ANSWERS = {
    "@type": "QAPage",
    "mainEntity": {
        "@type": "Question",
        "text": TALK[0][2],
        "author": {"name": "Ann Mill"},
        "datePublished": "2021-05-03",
        "acceptedAnswer": {
            "@type": "Answer",
            "text": f"<p>{TALK[1][2]}</p>",
            "author": [{"name": "joiner77", "url": "/u/7"}],
            "url": URL + "#a1",
        },
        "suggestedAnswer": [{"@type": "Answer", "text": TALK[3][2]}],
    },
}


def test_declared_answers() -> None:
    script = f"<script type=application/ld+json>{json.dumps(ANSWERS)}</script>"
    question, accepted, other = extract(script + "<p>Loading", url=URL).posts
    assert question.is_question
    assert not question.is_accepted
    assert accepted.is_accepted
    assert accepted == Post(
        "a1", URL + "#a1", "joiner77", "https://forum.example/u/7", None, TALK[1][2],
        f"**joiner77**\n\n{TALK[1][2]}", (), False, True, 2,
    )  # fmt: skip
    assert other.position == 3


def test_declared_fields_complete_what_is_seen() -> None:
    node = {
        "@type": "DiscussionForumPosting",
        "text": TALK[0][2],
        "author": {"@type": "Person", "name": "Ann K. Mill"},
        "datePublished": "2021-05-03T10:15:30+02:00",
    }
    rows = "".join(post(k, *row) for k, row in enumerate(TALK))
    script = f"<script type=application/ld+json>{json.dumps(node)}</script>"
    posts = extract(thread(rows + script), url=URL).posts
    assert len(posts) == 4
    assert posts[0].author == "Ann K. Mill"
    assert posts[0].date == "2021-05-03T10:15:30+02:00"


@pytest.mark.parametrize(
    "node", ["[[[[", '{"@type": 5}', '{"@type": "Comment", "text": []}']
)
def test_broken_declarations(node: str) -> None:
    html = f"<script type=application/ld+json>{node} Comment</script><p>a"
    assert extract(html).posts == ()


def long_thread(count: int) -> str:
    return thread(
        "".join(
            post(k, f"User {k % 7}", "3 May 2021", f"{' '.join(WORDS)} {k} {k * k}")
            for k in range(count)
        )
    )


def test_posts_are_bounded() -> None:
    assert len(extract(long_thread(1200), url=URL).posts) == 1000


def test_posts_fill_a_field_of_items_in_feeds() -> None:
    assert "posts" in page_attributes()
    file = BytesIO()
    exporter = JsonItemExporter(file)
    exporter.start_exporting()
    exporter.export_item({"talk": talk().posts})
    exporter.finish_exporting()
    (item,) = json.loads(file.getvalue())
    assert item["talk"][1]["author"] == "joiner77"
    assert item["talk"][1]["quotes"] == []


def answer(k: int, text: str, mark: str = "", body: str = "") -> str:
    author, day, _ = TALK[k]
    return (
        f"<div class='answer {mark}' id=a{k}>{body}<a class=username href=/users/{k}>"
        f"{author}</a> <span class=date>{day}</span><div class=text>{text}</div>"
        "<button class=accept>Accept</button></div>"
    )


@pytest.mark.parametrize(
    ("mark", "body"),
    [
        ("accepted-answer", ""),
        ("", "<i class='icon best-answer'></i>"),
        ("", "<p>Best answer</p>"),
        ("", "<p>✓ Lösung</p>"),
    ],
)
def test_accepted_answer_by_class_or_line(mark: str, body: str) -> None:
    rows = [(k, row[2]) for k, row in enumerate(TALK)]
    html = "".join(
        answer(k, text, *((mark, body) if k == 2 else ("", ""))) for k, text in rows
    )
    posts = extract(thread(html), url=URL).posts
    assert [found.is_accepted for found in posts] == [False, False, True, False]


def test_a_mark_that_all_answers_have_is_a_button() -> None:
    html = "".join(
        answer(k, row[2], "", "<i class=accepted-answer></i>")
        for k, row in enumerate(TALK)
    )
    posts = extract(thread(html), url=URL).posts
    assert len(posts) == 4
    assert not any(found.is_accepted for found in posts)


def marked(kind: str, role: str, k: int, inner: str = "") -> str:
    author, _, text = TALK[k]
    return (
        f"<div itemscope itemtype=https://schema.org/{kind} itemprop={role} id=m{k}>"
        f"<div itemprop=text><p>{text}</p></div><span itemprop=author itemscope "
        f"itemtype=https://schema.org/Person><a itemprop=url href=/users/{k}><b "
        f"itemprop=name>{author}</b></a></span><meta itemprop=dateCreated "
        f"content=2021-05-0{k + 1}T10:00>{inner}</div>"
    )


def test_posts_of_microdata() -> None:
    comment = marked("Comment", "comment", 3)
    answers = marked("Answer", "acceptedAnswer", 1, comment)
    answers += marked("Answer", "suggestedAnswer", 2)
    html = thread(marked("Question", "mainEntity", 0, answers))
    posts = extract(html, url=URL).posts
    assert [found.author for found in posts] == [row[0] for row in TALK[:3]]
    assert [found.text for found in posts] == [row[2] for row in TALK[:3]]
    assert [found.is_question for found in posts] == [True, False, False]
    assert [found.is_accepted for found in posts] == [False, True, False]
    assert posts[1].date == "2021-05-02T10:00"
    assert posts[1].author_url == "https://forum.example/users/1"


def test_names_that_begin_as_a_month() -> None:
    names = ("janjan", "marcus", "Zoe", "Maya")
    pairs = zip(names, TALK, strict=True)
    posts = talk(tuple((n, f"{n} 5/21/2021", text) for n, (*_, text) in pairs)).posts
    assert [(each.author, each.date) for each in posts] == [
        (name, "2021-05-21") for name in names
    ]


def test_frequent_questions_of_microdata_are_no_posts() -> None:
    entries = "".join(
        f"<div itemscope itemprop=mainEntity itemtype=https://schema.org/Question><h3 "
        f"itemprop=name>Question {k}?</h3><div itemscope itemprop=acceptedAnswer "
        f"itemtype=https://schema.org/Answer><p itemprop=text>{row[2]}</p></div></div>"
        for k, row in enumerate(TALK)
    )
    for kind in ("FAQPage", "WebPage"):
        html = f"<div itemscope itemtype=https://schema.org/{kind}>{entries}</div>"
        assert extract(thread(html), url=URL).posts == ()


def test_authors_in_linked_headings_are_no_teasers() -> None:
    mails = "".join(
        f"<div class={'even odd'.split()[k % 2]}><div class=email><h2><a href="
        f"/archives/users/{k}/>{author}</a></h2><div class=date>{day}</div><div "
        f"class=email-body><p>{text}</p></div></div></div>"
        for k, (author, day, text) in enumerate(TALK)
    )
    page = extract(thread(f"<div class=replies>{mails}</div>"), url=URL)
    assert [found.author for found in page.posts] == [row[0] for row in TALK]


def test_a_post_alone_has_the_template_of_the_posts_of_its_site() -> None:
    extractor = Extractor()
    alone = thread(post(0, *TALK[1]))
    topics = thread(
        "".join(f"<li><a href=/t/{k}>{WORDS[k]}</a> 3 May" for k in range(9))
    )
    assert extractor.extract(alone, url=URL).posts == ()
    extractor.post_templates = PostTemplates()
    whole = thread("".join(post(k, *row) for k, row in enumerate(TALK)))
    assert len(extractor.extract(whole, url=URL).posts) == len(TALK)
    (found,) = extractor.extract(alone, url=URL + "?page=2").posts
    assert (found.author, found.text) == (TALK[1][0], TALK[1][2])
    assert found.date == "2021-05-03T11:40"
    assert extractor.extract(topics, url=URL).posts == ()
    nameless = alone.replace(TALK[1][0], "")
    assert extractor.extract(nameless, url=URL).posts == ()
    assert extractor.extract(alone, url="https://other.example/1").posts == ()


@pytest.mark.parametrize("tag", ["x-post", "span"])
def test_posts_in_elements_that_are_no_blocks(tag: str) -> None:
    rows = "".join(
        f"<{tag} class=post id=p{k}><div><a href=/user/{k}>{author}</a></div><div "
        f"class=date>{day}</div><div>{body}</div><div>{body[:50]}</div></{tag}>"
        for k, (author, day, body) in enumerate(TALK)
    )
    posts = extract(thread(rows), url=URL).posts
    texts = [f"{body}\n\n{body[:50].strip()}" for _, _, body in TALK]
    assert [found.text for found in posts] == texts
