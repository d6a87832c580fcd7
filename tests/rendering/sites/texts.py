"""Invented texts, different for each topic, so that no pages repeat each other."""

from __future__ import annotations

from random import Random

_WHO = """the harbour master|a retired surveyor|the night baker|our youngest volunteer
|the bell founder|a visiting engineer|the lock keeper|two sisters from the mill
|the schoolteacher|a careful stranger|the ropemaker|the archivist""".split("|")
_DID = """measured|described|repaired|drew|forgot|questioned|catalogued|weighed
|photographed|defended|rebuilt|listened to""".split("|")
_WHAT = """the wooden crane|a row of copper pipes|the second staircase|an unfinished map
|the tide gauge|forty ledgers|the lamp above the gate|a cracked millstone
|the oldest ferry|a box of keys|the weathervane|the stone ramp""".split("|")
_WHEN = """before the first frost|in a single afternoon|for eleven years
|while the river was low|after everybody had left|on the longest day
|between two storms|without asking anyone|with borrowed tools
|as soon as the road was dry""".split("|")
_SO = """which explains the odd numbers in the margin
|and the bill was never found|so the old path is closed to carts
|because nobody trusted the clock|and most of it still works today
|which is more than the plans had promised
|although the council had voted against it
|and the children know the story by heart
|so that even a small boat can pass|which made the newspaper twice""".split("|")


def sentence(random: Random, topic: str) -> str:
    who, did, what, when, so = (
        random.choice(words).strip() for words in (_WHO, _DID, _WHAT, _WHEN, _SO)
    )
    start = f"In the matter of {topic}, {who}" if random.random() < 0.25 else who
    return f"{start[0].upper()}{start[1:]} {did} {what} {when}, {so}."


def paragraphs(topic: str, number: int = 4, sentences: int = 4) -> list[str]:
    """*number* paragraphs about the *topic*; always the same for the same topic."""
    random = Random(topic)
    return [
        " ".join(sentence(random, topic) for _ in range(sentences))
        for _ in range(number)
    ]


def title(topic: str) -> str:
    return f"A short history of {topic}"


def truth(topic: str, number: int = 4) -> str:
    """The main text of a page with that title and those paragraphs."""
    return "\n".join([title(topic), *paragraphs(topic, number)])


def article(topic: str, number: int = 4) -> str:
    """The same as HTML."""
    body = "".join(f"<p>{text}</p>" for text in paragraphs(topic, number))
    return f"<article><h1>{title(topic)}</h1>{body}</article>"


def page(main: str, *, topic: str, script: str = "", head: str = "") -> str:
    """A page with *main* between menu, sidebar and footer, its *script* at the end."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title(topic)}</title>{head}
<style>body {{ max-width: 50em; margin: auto; font: 18px/1.5 serif }}</style></head>
<body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/boats">Boats</a></li>
<li><a href="/tides">Tides</a></li><li><a href="/contact">Contact</a></li></ul></nav>
<main id="main">{main}</main>
<aside><ul><li><a href="/shop">Buy a calendar</a></li></ul></aside>
<footer><a href="/imprint">Imprint</a> <a href="/terms">Terms</a></footer>
<script>{script}</script>
</body></html>"""
