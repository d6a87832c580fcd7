"""What class names and ids in a shop say of its elements."""

from __future__ import annotations

from enum import IntFlag
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..labels._words import WordTable
from ..labels.names import NAMING, rows_of
from ..vocabulary import read_words

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Bits


Name = IntFlag(
    "Name",
    "PRICE OLD OTHER RELATED CODE BRAND INSTOCK OUTSTOCK RATING PRODUCT CENTS "
    "BREADCRUMB",
    start=1 << 40,
)
"""What a name calls its element: the sections of the vocabulary.

``OLD`` is what was asked before, ``OTHER`` an amount that is no price of a thing,
``RELATED`` what is about other products.
"""


@cache
def _table() -> WordTable:
    trails = read_words("class_names")["breadcrumb"]
    rows = rows_of("product_names", lambda section: int(Name[section.upper()]))
    for word in trails:
        rows[word] = rows.get(word, 0) | int(Name.BREADCRUMB)
    return WordTable(rows)


def read_names(document: Document) -> Bits:
    """Per element the bits of what its class and id say."""
    tokens, bits = document.tokens, np.zeros(document.n_elements, np.uint64)
    columns = tokens.attribute, tokens.element, tokens.start, tokens.end
    _table().add_bits(document.values, NAMING, *columns, bits)
    return bits


def bits_of_word(word: str) -> int:
    """What one *word* of a name or address says."""
    return _table().bits_of(word.encode())
