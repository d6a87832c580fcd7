"""Errors raised when the compiled pass does not match the installed lxml."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from lxml import etree

from scrapy_mainpage.extraction.document import _walk, lxml_abi
from scrapy_mainpage.extraction.document.lxml_abi import LxmlMismatch, check, load_walk

REMEDY = "rebuild it with «pip install --force-reinstall"


def stand_in(**changes: Any) -> Any:
    names = ("BUILT_FOR_LXML", "BUILT_FOR_LIBXML", "element_size", "walk")
    return SimpleNamespace(**{n: getattr(_walk, n) for n in names} | changes)


def message_of(walk: Any) -> str:
    with pytest.raises(LxmlMismatch) as caught:
        check(walk)
    assert issubclass(LxmlMismatch, ImportError)
    return str(caught.value)


def failing_import(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the import of the compiled pass end in *error*."""

    def fail(*args: Any) -> Any:
        raise error

    monkeypatch.setattr(lxml_abi, "import_module", fail)


def test_the_build_at_hand_fits() -> None:
    assert load_walk() is _walk
    check(_walk)


def test_elements_of_another_size() -> None:
    message = message_of(stand_in(element_size=lambda: 1, BUILT_FOR_LXML="9.8.7"))
    assert "was built for lxml 9.8.7" in message
    assert f"the installed lxml {etree.__version__} (libxml2 " in message
    assert "its objects differ in size" in message
    assert REMEDY in message
    assert "\n" not in message


def test_another_libxml2() -> None:
    message = message_of(stand_in(BUILT_FOR_LIBXML="3.0.1"))
    assert "was built for libxml2 3.0.1" in message
    assert "its nodes may differ" in message


@pytest.mark.parametrize(
    "page", ["<p/>", "<div><p class='a b'>Zwei Wort</p><i/><i/></div>"]
)
def test_a_page_that_is_misread(page: str) -> None:
    other = _walk.walk(etree.fromstring(page))
    message = message_of(stand_in(walk=lambda root: other, BUILT_FOR_LXML="6.0.0"))
    assert "was built for lxml 6.0.0" in message
    assert "a test page was misread" in message


def test_a_compiled_module_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "scrapy_mainpage.extraction.document._walk"
    failing_import(monkeypatch, ModuleNotFoundError("No module", name=name))
    with pytest.raises(LxmlMismatch, match="compiled part is missing: install"):
        load_walk()


def test_another_missing_module_is_not_taken_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing_import(monkeypatch, ModuleNotFoundError("No module", name="numpy"))
    with pytest.raises(ModuleNotFoundError, match="No module") as caught:
        load_walk()
    assert not isinstance(caught.value, LxmlMismatch)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("lxml.etree._Element size changed, may indicate binary trouble"),
        ImportError("undefined symbol: xmlFoo"),
    ],
)
def test_a_module_that_does_not_load(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    failing_import(monkeypatch, error)
    with pytest.raises(LxmlMismatch) as caught:
        load_walk()
    assert str(error) in str(caught.value)
    assert REMEDY in str(caught.value)


def test_the_message_reaches_who_imports_the_package() -> None:
    """In a fresh interpreter, with the compiled module hidden."""
    program = (
        "import sys\n"
        "sys.modules['scrapy_mainpage.extraction.document._walk'] = None\n"
        "import scrapy_mainpage.extraction.document.document\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "LxmlMismatch: scrapy_mainpage's compiled part is missing" in done.stderr
