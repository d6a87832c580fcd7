"""The main content, and a label for every text block, of every page that Scrapy crawls.

The names are loaded on first use: ``import scrapy_mainpage`` imports nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from .addon import Addon
    from .crawl.pages import mainpage
    from .label import Label
    from .page import Block, Page
    from .rules import SiteRules

    __version__: str

__all__ = ["Addon", "Block", "Label", "Page", "__version__", "extract", "mainpage"]

_MODULES = {
    "Addon": "addon",
    "Block": "page",
    "Label": "label",
    "Page": "page",
    "mainpage": "crawl.pages",
}

#: Of :func:`extract`, in the order of its arguments.
_DEFAULTS: tuple[Any, ...] = None, True, "auto", False, None, {}


def extract(
    html: bytes | str,
    *,
    url: str | None = None,
    algorithm: str | None = None,
    encoding: str | None = None,
    structured_data: bool = True,
    title_in_text: str = "auto",
    detect_encoding: bool = False,
    rules: str | Path | SiteRules | None = None,
    **options: Any,
) -> Page:
    """Return the :class:`Page` of an HTML document, without Scrapy.

    ``url`` is the base of relative links. ``encoding`` is the one that the server
    declared for bytes, if any. ``algorithm`` names the algorithm, the default one if
    ``None``; ``options`` are the algorithm's own, such as ``favor="precision"`` of the
    default one. With ``structured_data`` a page with little text is completed from the
    data in its scripts. ``title_in_text`` is the rule for the title: ``"auto"`` (the
    page's own heading is part of the text), ``"always"`` or ``"never"``. With
    ``detect_encoding`` a declared encoding that makes the text unlikely is replaced by
    the detected one. ``rules`` are :doc:`site rules </usage/rules>`: a folder of them,
    a file, or the rules themselves. Raises :exc:`ValueError` for an unknown algorithm,
    option or rule, :exc:`OSError` for rules that cannot be read, and :exc:`TypeError`
    for anything but HTML, such as a response or a path.
    """
    from .extraction.extractor import Extractor, default_extractor

    if (
        algorithm,
        structured_data,
        title_in_text,
        detect_encoding,
        rules,
        options,
    ) == _DEFAULTS:
        return default_extractor().extract(html, url=url, encoding=encoding)
    from .extraction.algorithms import DEFAULT_ALGORITHM
    from .rules.rule_book import RuleBook

    extractor = Extractor(
        algorithm or DEFAULT_ALGORITHM,
        options,
        structured_data=structured_data,
        title_in_text=title_in_text,
        detect_encoding=detect_encoding,
        rules=None if rules is None else RuleBook(rules),
    )
    return extractor.extract(html, url=url, encoding=encoding)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("scrapy-mainpage")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
