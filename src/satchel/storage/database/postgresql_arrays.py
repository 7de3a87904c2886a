"""Encodes columns as PostgreSQL's binary arrays. Pure.

The driver formats arrays as text, value by value, which takes longer than the server's writing of
the rows.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from satchel.storage.database.contract import Value

_LENGTH = struct.Struct("!i").pack
_NUMBER = struct.Struct("!iq").pack
_NONE = _LENGTH(-1)
_NUMBERS, _TEXTS, _BYTES = 20, 25, 17


class PackedArray(bytes):
    """An array as PostgreSQL sends and takes it."""

    __slots__ = ()


class PackedNumbers(PackedArray):
    """An array of 64-bit integers."""

    __slots__ = ()


class PackedTexts(PackedArray):
    """An array of texts."""

    __slots__ = ()


class PackedBytes(PackedArray):
    """An array of byte strings."""

    __slots__ = ()


def packed(column: Sequence[Value]) -> PackedArray:
    """Encode a column whose values are all integers, texts or bytes, or None.

    Raises `UnicodeError` for a lone surrogate, and `TypeError` for other types.
    """
    first = next((value for value in column if value is not None), None)
    if isinstance(first, str):
        texts = [value if value is None else value.encode() for value in column]  # type: ignore[union-attr]
        return PackedTexts(_joined(_TEXTS, texts))
    if isinstance(first, bytes):
        return PackedBytes(_joined(_BYTES, column))  # type: ignore[arg-type]
    if first is None or isinstance(first, int):
        parts = [_NONE if value is None else _NUMBER(8, value) for value in column]
        return PackedNumbers(_head(_NUMBERS, column) + b"".join(parts))
    raise TypeError(f"no column of {type(first).__name__} is written as an array")


def _joined(kind: int, values: Sequence[bytes | None]) -> bytes:
    parts = [_head(kind, values)]
    for value in values:
        if value is None:
            parts.append(_NONE)
        else:
            parts += (_LENGTH(len(value)), value)
    return b"".join(parts)


def _head(kind: int, values: Sequence[object]) -> bytes:
    return struct.pack("!iiiii", 1, any(value is None for value in values), kind, len(values), 1)
