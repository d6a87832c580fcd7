"""What is done to an index, as one thing that can be kept in a line of a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..documents import INDEX_FIELDS, IndexDocument, storable_text

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

    @classmethod
    def delete(cls, url: str) -> Self:
        """The operation that takes the document of that URL out."""
        return cls(storable_text(url))

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
                return cls.delete(data["delete"])
            document = IndexDocument.from_dict(data["document"])
            _check(document)
            return cls.put(document)
        except (AttributeError, KeyError, TypeError) as exc:
            raise ValueError(f"no document and no URL to delete: {exc!r}") from exc


def _check(document: IndexDocument) -> None:
    """Raise :exc:`TypeError` for fields that are no texts: files are edited by hand."""
    for name in INDEX_FIELDS:
        value = getattr(document, name)
        is_optional = name not in {"url", "text"}
        if not isinstance(value, str) and not (is_optional and value is None):
            raise TypeError(f"{name} is no text: {value!r:.80}")


def as_line(data: dict[str, Any]) -> bytes:
    """The data as a line of JSON."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
