"""Objects through a pipe: a pickle, and the arrays beside it as they lie in memory."""

from __future__ import annotations

import copyreg
import pickle
import struct
from dataclasses import fields
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from ..extraction.document.document import Document

_COUNT = struct.Struct("<I")


class _Pickler(pickle.Pickler):
    """Leaves arrays out of the pickle, and documents as they are.

    A document is packed small to be kept; packing it takes longer than all the rest.
    """

    def __init__(self, file: BinaryIO, buffers: list[pickle.PickleBuffer]):
        from ..extraction.document.document import Document

        super().__init__(file, 5, buffer_callback=buffers.append)
        self.dispatch_table = {**copyreg.dispatch_table, Document: _reduced}


def _reduced(document: Document) -> tuple[type[Document], tuple[Any, ...]]:
    values = (getattr(document, item.name) for item in fields(document))
    return type(document), tuple(values)


def send(file: BinaryIO, message: object) -> None:
    """Write a message that :func:`receive` reads. Raises ``OSError``."""
    buffers: list[pickle.PickleBuffer] = []
    stream = BytesIO()
    _Pickler(stream, buffers).dump(message)
    parts = [stream.getbuffer(), *(buffer.raw() for buffer in buffers)]
    sizes = struct.pack(f"<{len(parts)}Q", *(part.nbytes for part in parts))
    file.writelines((_COUNT.pack(len(parts)), sizes, *parts))
    file.flush()


def receive(file: BinaryIO) -> Any:
    """Wait for a message and return it.

    Raises ``EOFError`` if there will be none, ``OSError`` for a broken pipe.
    """
    (count,) = _COUNT.unpack(_read(file, _COUNT.size))
    sizes = struct.unpack(f"<{count}Q", _read(file, 8 * count))
    head, *buffers = [_read(file, size) for size in sizes]
    return pickle.loads(head, buffers=buffers)


def _read(file: BinaryIO, size: int) -> bytearray:
    data = bytearray(size)
    if file.readinto(data) < size:  # type: ignore[attr-defined]
        raise EOFError
    return data
