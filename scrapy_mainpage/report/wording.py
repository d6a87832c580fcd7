"""Codes in words: the warnings of a page, and why it was rendered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..page import Page

WARNINGS: Final = {
    "empty": "The response is empty.",
    "no_text": "The page has markup, but no text.",
    "no_main_content": "The algorithm found no main content on this page.",
    "login_form": "This seems to be a login form.",
    "error_page": "This seems to be an error page.",
    "directory_listing": "This seems to be a listing of a directory.",
    "encoding_suspect": "The text is unlikely in the declared encoding.",
    "addresses": "The links and images are too long: some are left out.",
    "too_large": "The page is larger than the limit, and was not read.",
    "large": "The page is large: its structured data was not read.",
    "elements": "The page has too many elements: it was read as flat text.",
    "depth": "The page is nested too deeply: it was read as flat text.",
    "attributes": "An element has too many attributes: the page was read as flat text.",
    "text_node": "A text is too long: it was divided into paragraphs.",
    "time": "The time for the page ran out: some steps were left out.",
    "no_layout": "The layout is not known: the default algorithm took over.",
    "no_paragraph": "No paragraph was found in the layout.",
    "no_verbs": "The verbs of the language are not known: sentences count by length.",
    "no_wrapper": "No element at the center of the page holds the main content.",
    "bad_headers": "The recorded headers could not be read.",
}


def explain_warning(code: str) -> str:
    """The sentence for a warning *code*; the code itself where there is none.

    >>> explain_warning("no_text"), explain_warning("failed:ValueError")
    ('The page has markup, but no text.', 'The extraction failed: ValueError.')
    """
    if code.startswith("failed:"):
        return f"The extraction failed: {code.removeprefix('failed:')}."
    return WARNINGS.get(code, code)


def describe_origin(page: Page) -> list[tuple[str, str]]:
    """What made the main content: names and values, for one line."""
    facts = [
        ("algorithm", page.algorithm or "none"),
        ("page type", page.page_type or "not predicted"),
        ("source", ", ".join(page.sources) or "none"),
    ]
    if page.render_reason is not None:
        done = "rendered" if page.rendered else "not rendered"
        facts.append((f"{done} by a browser", page.render_reason))
    return facts
