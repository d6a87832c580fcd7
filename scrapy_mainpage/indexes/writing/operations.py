"""What is done to an index, as one thing that can be kept in a line of a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..documents import IndexDocument

if TYPE_CHECKING:
    # typing.Self requires Python 3.11
    from typing_extensions import Self


class Operation(NamedTuple):
    """A document to be put into the index, or none: take out the one of that URL."""

    url: str
    document: IndexDocument | None = None

    @classmethod
    def put(cls, document: IndexDocument) -> Self:
        """The operation that puts the document."""
        storable = document.storable()
        return cls(storable.url, storable)

    @property
    def size(self) -> int:
        """About how many bytes it is long."""
        return self.document.size if self.document else len(self.url)

    def as_dict(self) -> dict[str, Any]:
        """The operation as plain data for JSON."""
        if self.document is None:
            return {"delete": self.url}
        return {"document": self.document.as_dict()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The operation that :meth:`as_dict` made the data of.

        Raises :exc:`ValueError` for data that is none.
        """
        try:
            if "delete" in data:
                return cls(str(data["delete"]))
            return cls.put(IndexDocument.from_dict(data["document"]))
        except (AttributeError, KeyError, TypeError) as exc:
            raise ValueError(f"no document and no URL to delete: {exc!r}") from exc


def as_line(data: dict[str, Any]) -> bytes:
    """The data as a line of JSON."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
