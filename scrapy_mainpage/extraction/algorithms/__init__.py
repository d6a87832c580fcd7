"""The registry of algorithms: names of classes, imported on first use."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .algorithm import Algorithm, LayoutRequired

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_ALGORITHM: Final = "learned"

_HERE: Final = __name__
_CLASSES: Final = {
    "centroid": f"{_HERE}.centroid.Centroid",
    "danag": f"{_HERE}.danag.Danag",
    "first-impression": f"{_HERE}.first_impression.FirstImpression",
    "layout-analysis": f"{_HERE}.layout_analysis.LayoutAnalysis",
    "text-block-context": f"{_HERE}.text_block_context.TextBlockContext",
    "learned": "scrapy_mainpage.extraction.learned.learned.Learned",
    "semantic-markup": f"{_HERE}.semantic_markup.SemanticMarkup",
}


class AlgorithmError(ValueError):
    """An unknown algorithm or option."""


def available() -> list[str]:
    """The names of the algorithms of this package."""
    return sorted(_CLASSES)


def get_algorithm(name: str, options: Mapping[str, Any] | None = None) -> Algorithm:
    """Create the algorithm *name* with *options*.

    *name* is one of :func:`available`, or the import path of an :class:`Algorithm`
    subclass. Raises :exc:`AlgorithmError`, in one line, for an
    unknown name or option.
    """
    cls = _load(name)
    try:
        return cls(**(options or {}))
    except (TypeError, ValueError) as error:
        reason = str(error).replace(f"{cls.__name__}.__init__() ", "")
        raise AlgorithmError(
            f"algorithm {name!r} does not take the options {dict(options or {})!r}: "
            f"{reason}; allowed: {_options_of(cls)}"
        ) from None


def _load(name: str) -> type[Algorithm]:
    path = _CLASSES.get(name, name if isinstance(name, str) else "")
    module, _, attribute = path.rpartition(".")
    try:
        cls = getattr(import_module(module), attribute) if module else None
    except (ImportError, AttributeError):
        cls = None
    if not (isinstance(cls, type) and issubclass(cls, Algorithm)):
        raise AlgorithmError(
            f"unknown algorithm {name!r}; allowed: {', '.join(available())}, or the "
            "import path of an Algorithm subclass"
        )
    return cls


def _options_of(cls: type[Algorithm]) -> str:
    names = sorted(field.name for field in fields(cls)) if is_dataclass(cls) else ()
    return ", ".join(names) or "none"


__all__ = [
    "DEFAULT_ALGORITHM",
    "Algorithm",
    "AlgorithmError",
    "LayoutRequired",
    "available",
    "get_algorithm",
]
