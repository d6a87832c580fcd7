"""Codes in words: the warnings of a page, and why it or its item was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..page import Page

WARNINGS: Final = {
    "empty": "The response is empty.",
    "no_text": "The page has markup, but no text.",
    "unshown_text": "Most text is in elements that browsers do not show.",
    "private_font": "The text needs a font of the site: its characters mean nothing.",
    "no_main_content": "The algorithm found no main content on this page.",
    "login_form": "This seems to be a login form.",
    "error_page": "This seems to be an error page.",
    "directory_listing": "This seems to be a listing of a directory.",
    "wall": "The page asks to sign in, to subscribe or to consent.",
    "loading_only": "The page only says that its content is loading.",
    "frame_only": "The content is in a frame, another page.",
    "render_incomplete": "The page in the browser was still changing.",
    "challenge": "The site checks the browser: this is not the page.",
    "navigation_only": "Nothing but links was found: this seems to be navigation.",
    "content_left_out": "Much that may be main content was left out.",
    "encoding_suspect": "The text is unlikely in the declared encoding.",
    "outputs_cut": "Some of an output is left out: it would outgrow the page.",
    "too_large": "The page is larger than the limit, and was not read.",
    "large": "The page is large: its structured data was not all read.",
    "elements": "Too many elements: the page or a part was read as flat text.",
    "depth": "Nested too deeply: the page or a part was read as flat text.",
    "attributes": "Too many attributes: the page or a part was read as flat text.",
    "text_node": "A text is too long: it was divided into paragraphs.",
    "time": "The time for the page ran out: some steps were left out.",
    "rule_missed": "No main content where the site's rules say: the algorithm decided.",
    "bad_rules": "The file with the site's rules has an error: the algorithm decided.",
    "rule_too_costly": "The site's selectors take too long here: no rule counted.",
    "other_elements": "Rules or layout are of another tree: they did not count.",
    "no_layout": "The layout is not known: the default algorithm took over.",
    "no_paragraph": "No paragraph was found in the layout.",
    "no_verbs": "The verbs of the language are not known: sentences count by length.",
    "no_wrapper": "No element at the center of the page holds the main content.",
    "bad_headers": "The recorded headers could not be read.",
    "bad_encoding": "The recorded body breaks off, and was read up to there.",
}

REASONS: Final = {
    "head": "a HEAD request",
    "not_modified": "not modified since the last crawl",
    "disabled": "the request asked for no extraction",
    "TooFewWords": "too few words of main content",
    "LowConfidence": "too low a confidence",
    "UnwantedPageType": "another type of page",
    "UnwantedLanguage": "another language",
    "ExactDuplicate": "the text of another page",
    "NearDuplicate": "nearly the text of another page",
}
"""Why a page was skipped, or its item dropped."""


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
    if page.rules:
        facts.append(("rules", "; ".join(page.rules)))
    if page.render_reason is not None:
        done = "rendered" if page.rendered else "not rendered"
        facts.append((f"{done} by a browser", page.render_reason))
    return facts
