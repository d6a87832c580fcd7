"""From the algorithm's choice to a label per text block, for all blocks at once.

Main content gets its kind from the markup around it. The rest gets a boilerplate role:
from what the elements around it are called, from what it says, and from where it is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .labelling import label_blocks, label_main
    from .labels import LABELS
    from .signs import Signs

# Most crawls ask for no labels, and there is much to import for them.
_MODULES = {
    "LABELS": "labels",
    "Signs": "signs",
    "label_blocks": "labelling",
    "label_main": "labelling",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


__all__ = ["LABELS", "Signs", "label_blocks", "label_main"]
