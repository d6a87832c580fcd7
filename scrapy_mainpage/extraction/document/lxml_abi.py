"""Check that the installed lxml fits the one the compiled pass was built for.

The pass reads the structures of lxml and libxml2 directly. A mismatch has to end in a
message that says what to do, not in a crash.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from types import ModuleType

_REMEDY = (
    "rebuild it with «pip install --force-reinstall --no-cache-dir --no-binary "
    "scrapy-mainpage scrapy-mainpage», or install an lxml it was built for"
)


class LxmlMismatch(ImportError):
    """The installed lxml does not fit the compiled document pass."""


def load_walk() -> ModuleType:
    """Import the compiled pass and check that it fits.

    Raises :exc:`LxmlMismatch` with one line that says what to do.
    """
    try:
        walk = import_module("._walk", __package__)
    except ModuleNotFoundError as error:
        if (error.name or "").rpartition(".")[2] != "_walk":
            raise
        raise LxmlMismatch(
            "scrapy_mainpage's compiled part is missing: install the package with "
            "pip (a C compiler is needed where there is no wheel)"
        ) from None
    except (ImportError, ValueError) as error:
        # Cython checks the size of lxml's classes on import.
        raise LxmlMismatch(_message("another build", str(error))) from None
    check(walk)
    return walk


def check(walk: ModuleType) -> None:
    """Compare versions and sizes, then read a tiny tree as proof."""
    built = walk.BUILT_FOR_LXML
    if etree._Element.__basicsize__ != walk.element_size():
        raise LxmlMismatch(_message(f"lxml {built}", "its objects differ in size"))
    if etree.LIBXML_VERSION[0] != int(walk.BUILT_FOR_LIBXML.split(".")[0]):
        # The layout of nodes has been the same through all of libxml2 2.
        raise LxmlMismatch(
            _message(f"libxml2 {walk.BUILT_FOR_LIBXML}", "its nodes may differ")
        )
    if not _reads_correctly(walk):
        raise LxmlMismatch(_message(f"lxml {built}", "a test page was misread"))


def _reads_correctly(walk: ModuleType) -> bool:
    root = etree.fromstring('<div><p class="a b">Ein <b>Wort</b></p><br/></div>')
    (elements, blocks, _, _, tokens, _), text, *_ = walk.walk(root)
    return bool(
        elements.shape[1] == 4
        and blocks.shape[1] == 1
        and tokens.shape[1] == 2
        and text == b"Ein Wort"
    )


def _message(wanted: str, reason: str) -> str:
    return (
        f"scrapy_mainpage was built for {wanted} and cannot use the installed lxml "
        f"{etree.__version__} (libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))}): "
        f"{reason}; {_REMEDY}"
    )
