"""Threads are main content as a whole: each post, no panel, no long copy of a post."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.algorithms.danag import Danag
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.output.writers import write_markdown
from scrapy_mainpage.extraction.records.choice import PageKind, complete_thread

from .test_posts import TALK, URL, long_thread, post, thread


def page_kind(document: Document, **types: float) -> PageKind:
    return PageKind(Danag(), document, lambda: types)


PANEL = ("Joined:", "2 Jan 2015", "1,043", "joiner77")
LONG = " ".join(
    f"The chair number {k} of the school was glued with {kind} in the year {1900 + k}"
    for k, kind in enumerate("hide bone fish casein starch resin epoxy".split())
)
SHORT = ("Agreed.", "Same here", "Thanks!", "Which one?", "Yes, it does")


def text_of(*bodies: str) -> str:
    rows = zip("Ann Ben Cleo Dora Emil Finn Gita Hugo".split(), bodies, strict=False)
    posts = (
        post(k, name, f"{k + 3} May 2021, 10:15", body)
        for k, (name, body) in enumerate(rows)
    )
    return extract(thread("".join(posts)), url=URL).text


def test_short_posts_are_main_content() -> None:
    text = text_of(TALK[0][2], *SHORT, TALK[1][2])
    assert [said for said in SHORT if said not in text] == []


def test_panels_are_not() -> None:
    text = text_of(TALK[0][2], TALK[1][2], TALK[2][2])
    assert [line for line in PANEL if line in text.splitlines()] == []


def test_titles_stay() -> None:
    titles = ("Glue for an old chair", "Clamps for a round table", "Shellac", "Wax")
    posts = [
        post(k, *row).replace(
            "<div class=panel>", f"<h2><a href=/{k}>{title}</a></h2><div class=panel>"
        )
        for k, (row, title) in enumerate(zip(TALK, titles, strict=True))
    ]
    html = thread("".join(posts)).replace("<h1>Glue for an old chair</h1>", "")
    text = extract(html.replace("h2", "h1", 2), url=URL).text
    assert [title for title in titles if title not in text.splitlines()] == []


@pytest.mark.parametrize("tag", ["blockquote", "div class=bbcode_quote"])
def test_long_quotes_of_the_page_are_not_added(tag: str) -> None:
    quote = f"<{tag}>Ann wrote: {LONG}</{tag.split()[0]}>"
    bodies = (LONG, f"{quote}{TALK[1][2]}", TALK[2][2], SHORT[0])
    rows = "".join(
        post(k, f"Author{k}", f"{k + 3} May 2021, 10:15", body)
        for k, body in enumerate(bodies)
    )
    document = extract(thread(rows), url=URL)._extraction.document
    texts = [document.block_text(block) for block in range(document.n_blocks)]
    main = np.array([text in {LONG, TALK[1][2], TALK[2][2]} for text in texts])
    chosen = complete_thread(document, main, page_kind(document)).main
    added = [text for text, new in zip(texts, chosen & ~main, strict=True) if new]
    assert added == [SHORT[0]]


def test_short_quotes_say_what_a_post_answers() -> None:
    quote = "<blockquote>Ann wrote: does it need to be clamped?</blockquote>"
    text = text_of(TALK[0][2], f"{quote}No.", TALK[1][2], TALK[2][2])
    assert "Ann wrote: does it need to be clamped?" in text
    assert "No." in text.splitlines()


def test_quotes_of_other_pages_stay() -> None:
    text = text_of(TALK[0][2], f"<blockquote>{LONG}</blockquote>{SHORT[0]}", TALK[1][2])
    assert "casein" in text


def test_thread_in_a_form() -> None:
    """Forums wrap their posts in a form for moderators."""
    rows = "".join(
        post(k, f"Author{k}", f"{k + 3} May 2021, 10:15", body)
        for k, body in enumerate((TALK[0][2], *SHORT, TALK[1][2]))
    )
    text = extract(thread(f"<form action=/moderate>{rows}</form>"), url=URL).text
    assert [said for said in SHORT if said not in text] == []


def test_signatures_are_not_said() -> None:
    sign = "<div class=signature>Owls are not what they seem to be</div>"
    assert "Owls" not in text_of(*(row[2] + sign for row in TALK))


def test_lines_that_some_say_again_are_not_the_body() -> None:
    sign = f"</div><div class=below>{LONG[:200]}</div><div>"
    text = text_of(*(row[2] + sign * (k < 2) for k, row in enumerate(TALK)))
    assert [line for line in PANEL if line in text.splitlines()] == []


def test_paragraphs_of_a_short_and_of_a_long_post() -> None:
    long = f"<p>{TALK[0][2]}</p><p>{SHORT[0]}</p><p>{TALK[1][2]}</p>"
    text = text_of(
        long, f"<p>{SHORT[1]}</p>", f"<p>{SHORT[2]}</p>", f"<p>{SHORT[3]}</p>"
    )
    assert [said for said in SHORT[:4] if said not in text] == []


def test_posts_without_a_name_on_a_page_of_a_forum() -> None:
    """Authors and dates say what they are, where the page is likeliest a forum's."""
    html = thread("".join(post(k, *row) for k, row in enumerate(TALK)))
    for name in ("class='post' ", "class=panel", "class=thread"):
        html = html.replace(name, "class=part ")
    document = extract(html, url=URL)._extraction.document
    texts = [document.block_text(block) for block in range(document.n_blocks)]
    said = [row[2] for row in TALK]
    main = np.array([text in said[1:] for text in texts])
    assert said[0] not in _chosen(
        texts, complete_thread(document, main, page_kind(document)).main
    )
    found = complete_thread(document, main, page_kind(document, forum=0.9))
    assert said[0] in _chosen(texts, found.main)
    assert [texts[block] for block in found.posts] == said


def _chosen(texts: list[str], mask: np.ndarray) -> list[str]:
    return [text for text, chosen in zip(texts, mask, strict=True) if chosen]


def test_a_rule_between_posts() -> None:
    page = extract(
        thread("".join(post(k, *row) for k, row in enumerate(TALK))), url=URL
    )
    assert page.markdown.count("\n\n---\n\n") == len(TALK) - 1
    assert page.html.count("<hr>") == len(TALK) - 1
    assert "---" not in page.text
    first, *others = page.markdown.split("\n\n---\n\n")
    assert TALK[0][2] in first
    assert [row[2] in said for row, said in zip(TALK[1:], others, strict=True)] == (
        [True] * (len(TALK) - 1)
    )


def test_articles_are_as_they_were() -> None:
    """Several dated teasers below an article whose template says post."""
    day = "<div class=post-teaser><time>{} May 2021</time><a href=/{}>{}</a></div>"
    teasers = "".join(day.format(k + 1, k, row[2]) for k, row in enumerate(TALK))
    paragraphs = "".join(f"<p>{body}</p>" for _, _, body in TALK)
    html = (
        "<title>Glues</title><body><nav><a href=/>Home</a></nav><article class=post>"
        f"<h1>Glues</h1><div class=post-content>{paragraphs}<p>{LONG}</p></div>"
        "</article>"
        f"<aside class=related><h2>More posts</h2>{teasers}</aside>"
    )
    text = extract(html, url="https://blog.example/glues").text
    assert text.count(TALK[0][2]) == 1
    assert LONG in text


def test_a_long_thread_is_whole() -> None:
    text = extract(long_thread(900), url=URL).text
    assert "User 3" not in text
    assert [k for k in range(900) if f" {k} {k * k}" not in text] == []


def test_comments_below_an_answer_are_not_the_answer() -> None:
    remark = (
        "<div class=comment><a class=comment-user href=/users/{0}>Critic{0}</a> said "
        "on <span class=day>{0} June 2021</span>: I tried that, it did not hold.</div>"
    )
    rows = "".join(
        f"<div class='{'answer' if k else 'question'}'><div class=body>{body}</div>"
        f"<div class=user><a href='/users/{name}'>{name}</a> "
        f"<time>{k + 3} May 2021</time></div>"
        f"<div class=comments>{remark.format(k + 1)}{remark.format(k + 5)}</div>"
        "</div>"
        for k, (name, _, body) in enumerate(TALK)
    )
    page = extract(thread(rows), url=URL)
    assert [found.text for found in page.posts] == [body for _, _, body in TALK]
    assert page.posts[0].is_question


ARTICLE = "".join(
    f"<p>The pier number {k} was built of oak in the year {1900 + k}, and its beams "
    "have rotted since then wherever rain could stand for more than a day or two.</p>"
    for k in range(6)
)
REMARK = "I do not believe a word of what they say about the beams."
COMMENTS = "".join(
    f"<li><div class=a>{name}</div><time>{k} May 2026</time><p>{REMARK}</p></li>"
    for k, name in enumerate(("Gus", "Mo", "Lise"), 5)
)


def text_of_article(body: str) -> str:
    html = f"<title>The old pier</title><h1>The old pier</h1>{body}"
    return extract(html, url="https://gazette.example/pier").text


@pytest.mark.parametrize(
    "part",
    [
        f"<section id=comments><h2>3 comments</h2><ol>{COMMENTS}</ol></section>",
        f"<ol class=commentlist>{COMMENTS}</ol>",
        f"<div id=disqus_thread><ul>{COMMENTS}</ul></div>",
    ],
)
def test_comments_in_an_article_are_not_its_text(part: str) -> None:
    text = text_of_article(f"<article>{ARTICLE}{part}</article>")
    assert "number 5" in text
    assert REMARK not in text


def test_what_code_calls_a_comment_is_text() -> None:
    code = "<pre><span class=comment># said in code</span>\nx = 1</pre>"
    assert "# said in code" in text_of_article(
        f"<article>{ARTICLE}{code}{ARTICLE}</article>"
    )


def test_a_table_of_posts_is_no_table() -> None:
    """Also with a row that names its columns, and a table in each post."""
    row = "<tr><td>{}<td><table><tr><td>{}</table>"
    rows = "".join(row.format(name, said) for name, _, said in TALK)
    html = f"<table><tr><th>Author<th>Message{rows}</table>"
    document = extract(html)._extraction.document
    texts = [document.block_text(block) for block in range(document.n_blocks)]
    said = {row[2] for row in TALK}
    main = np.array([text in said or text in ("Author", "Message") for text in texts])
    posts = tuple(block for block, text in enumerate(texts) if text in said)
    assert "| Author | Message |" in write_markdown(document, main)
    markdown = write_markdown(document, main, posts=posts)
    assert "|" not in markdown
    assert markdown.count("\n\n---\n\n") == len(TALK) - 1
