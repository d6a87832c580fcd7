"""A made site that the default gets wrong: short facts above long stories of others."""

from __future__ import annotations

from typing import NamedTuple


class Light(NamedTuple):
    """A lighthouse of the register: its name, who entered it and when, and facts."""

    name: str
    author: str
    date: str
    facts: dict[str, str]
    note: str


HOST = "lights.example"
LIGHTS = (
    Light(
        "Skerry Point",
        "Mairi Lowe",
        "3 May 2026",
        {"Lit": "1811", "Height": "35 m", "Colour": "white, two red bands",
         "Signal": "two flashes in 10 s", "Range": "18 sea miles",
         "Keepers": "until 1989", "Fog horn": "stopped in 2005"},
        "Open to visitors on Sundays.",
    ),
    Light(
        "Low Haven",
        "Tom Arden",
        "9 May 2026",
        {"Lit": "1856", "Height": "21 m", "Colour": "grey stone",
         "Signal": "fixed green", "Range": "7 sea miles",
         "Keepers": "until 1962", "Fog horn": "none"},
        "The stair is closed after rain.",
    ),
    Light(
        "The Anvil",
        "Mairi Lowe",
        "1 June 2026",
        {"Lit": "1902", "Height": "44 m", "Colour": "black and white",
         "Signal": "one flash in 5 s", "Range": "22 sea miles",
         "Keepers": "until 1995", "Fog horn": "every 60 s"},
        "No landing place at low tide.",
    ),
)  # fmt: skip
STORIES = (
    ("A winter on the rock", "The relief boat came on the ninth of December and not "
     "again before the end of January. We had flour for six weeks and a goat that gave "
     "no milk. On the worst night the spray went over the lantern, and we wound the "
     "clockwork by hand in turns of twenty minutes until it was light."),
    ("How a lens is cleaned", "Rottenstone first, then spirits of wine, then a soft "
     "leather that is used for nothing else. A lens of the first order has more than a "
     "thousand prisms, and each of them is wiped on every face. A keeper who began in "
     "the morning was done by the time he had to light the lamp."),
)  # fmt: skip


def make_pages() -> dict[str, str]:
    """HTML by URL."""
    return {
        f"https://{HOST}/{light.name.lower().replace(' ', '-')}": _page(light)
        for light in LIGHTS
    }


def _page(light: Light) -> str:
    facts = "".join(
        f'<div class="fact"><span class="name">{name}</span> <span>{value}</span></div>'
        for name, value in light.facts.items()
    )
    stories = "".join(
        f'<div class="story"><h3>{title}</h3><p>{text}</p><p>'
        f'<a href="/journal">Read the whole story</a></p></div>'
        for title, text in STORIES
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><title>{light.name} – Register of lights</title></head><body>
<div class="bar"><a href="/">Register</a> <a href="/map">Map</a>
<a href="/journal">Journal</a></div>
<div class="record"><h1>{light.name}</h1><div class="by">{light.author}</div>
<div class="day">{light.date}</div>{facts}
<div class="note">{light.note}</div></div>
<div class="journal"><h2>From our journal</h2>{stories}</div>
<div class="end">Register of lights, a society of volunteers. <a href="/terms">Terms</a>
</div></body></html>"""
