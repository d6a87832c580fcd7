"""What fuzzing has found, each with its smallest input."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.document import Context, read_tree
from scrapy_mainpage.extraction.parsing import parse_html
from scrapy_mainpage.extraction.writers.html import write_html
from tests.extraction.twin import plain, twin_of
from tests.extraction.writers.helpers import content_of


@pytest.mark.parametrize("page", ["<p role>a", "<p role=''>a", "<p role class id>a"])
def test_a_role_without_a_value_is_none(page: str) -> None:
    # A slice of the value was made, of a pointer that was none.
    root = parse_html(page)
    document = read_tree(root)
    assert plain(document) == twin_of(root)
    assert not document.elements.flags[-1] & (Context.MAIN | Context.NAVIGATION)


def test_text_outside_of_all_containers_is_a_paragraph() -> None:
    # A pointer to the container was made before it was known that there is one.
    assert write_html(content_of("a &#0; > b")) == "<p>a \ufffd &gt; b</p>"
