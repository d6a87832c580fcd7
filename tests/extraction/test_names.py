"""Names of classes and ids: the compiled reader against the one in Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES
from scrapy_mainpage.extraction.labels import names
from scrapy_mainpage.extraction.labels._names import NameReader
from scrapy_mainpage.extraction.labels.namebook import NETWORKS, WORDS
from scrapy_mainpage.extraction.labels.states import State

KNOWN = sorted({word for words in WORDS.values() for word in words.split()})
CASES = [str.lower, str.upper, str.title]
SEPARATORS = ["", "", "-", "_", "--", "__", "-_", ".", "7", "X", "a"]

pieces = st.tuples(
    st.sampled_from([*KNOWN, *sorted(NETWORKS)]),
    st.sampled_from(CASES),
    st.sampled_from(SEPARATORS),
).map(lambda drawn: drawn[1](drawn[0]) + drawn[2])
made = st.lists(pieces, max_size=8).map("".join)
any_name = st.text(st.characters(max_codepoint=127), max_size=120)


def compiled(name: str, is_id: bool) -> int:
    return names.classify(ATTRIBUTE_CODES["id" if is_id else "class"], name.encode())


@given(made | any_name, st.booleans())
def test_compiled_reader_says_what_the_one_in_python_does(
    name: str, is_id: bool
) -> None:
    assert compiled(name, is_id) == names.bits_of_parts(name[:80], is_id=is_id)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("comment-list", State.COMMENTS),
        ("siteFooter", State.FOOTER),
        ("NavBar", State.NAVIGATION),
        ("nav1bar", State.NAVIGATION),
        ("facebook", State.SHARE),
    ],
)
def test_names_say_what_something_is(name: str, state: State) -> None:
    assert compiled(name, False) & state.bit


def test_long_id_is_read_at_its_ends_only() -> None:
    assert compiled("how-to-write-comments-that-help", True) == 0
    assert compiled("how-to-write-comments-that-help", False) & State.COMMENTS.bit


def test_name_that_is_not_ascii_is_read_in_python() -> None:
    name = "комментарии-comments"
    assert compiled(name, False) == names.bits_of_parts(name)
    reader = NameReader(
        {}, (), 0, longest_row=2, most_with_network=2, long_id=4, least_camel=4
    )
    assert reader.read(name.encode(), False) is None
    assert reader.read(b"", False) == 0
