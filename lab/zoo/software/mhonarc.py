"""MHonArc: the archive of a mailing list, a page for each message."""

from __future__ import annotations

from datetime import datetime, timezone
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Final

from ..record import Page
from ..tools import fresh, need, pandoc, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"thread": 5}
MAX_PAGES: Final = 12
TRUTH: Final = "body > h1, body > pre"
ROLES: Final = {
    "byline": "h1 + hr + ul",
    "related": "//body/ul[li/strong[starts-with(., 'Follow-Up') or . = 'References']]",
    "pagination": "//body/a | //body/ul[li[starts-with(., 'Index')]]",
    "navigation": "//body/ul/li[starts-with(., 'Index')]",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    mhonarc = need("mhonarc", "mhonarc")
    site = fresh(folder / "site")
    messages = [
        (content, place, post)
        for content in contents
        for place, post in enumerate(content.data["posts"])
    ]
    write(site / "mbox", "".join(_message(*message) for message in messages))
    fresh(site / "out")
    run(
        mhonarc,
        "-quiet",
        "-nomultipg",
        "-outdir",
        "out",
        "mbox",
        cwd=site,
        LC_ALL="C.UTF-8",
    )
    for number, (content, place, _) in enumerate(messages[:MAX_PAGES]):
        path = f"/msg{number:05}.html"
        html = (site / "out" / path[1:]).read_bytes()
        yield Page(
            path=path,
            html=html,
            content=TRUTH,
            title=_subject(content, place),
            roles=ROLES,
            type="forum",
            language=content.language,
        )


def _message(content: Content, place: int, post: dict[str, Any]) -> str:
    """A message in the format of mailboxes."""
    date = datetime.strptime(str(post["date"])[:16], "%Y-%m-%d %H:%M")
    date = date.replace(tzinfo=timezone.utc)
    message = EmailMessage()
    message["From"] = f"{post['author']} <member{place}@quay.example>"
    message["To"] = "harbour@lists.example"
    message["Date"] = format_datetime(date)
    message["Subject"] = _subject(content, place)
    message["Message-ID"] = f"<{content.slug}.{place}@lists.example>"
    if place:
        message["In-Reply-To"] = f"<{content.slug}.{place - 1}@lists.example>"
    message.set_content(pandoc(post["text"], "plain"), cte="8bit")
    return f"From member{place}@quay.example {date.ctime()}\n{message}\n"


def _subject(content: Content, place: int) -> str:
    return f"Re: {content.title}" if place else content.title
