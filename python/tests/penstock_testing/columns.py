"""Columns of a row group as the feed's types (docs/feed.md): whole numbers, floats, decimals or bytes, in lists or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

WHOLE, FLOAT, DECIMAL, BYTES = "whole", "float", "decimal", "bytes"
_NANOS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}


class BadRowGroup(ValueError):
    """Content that breaks the feed."""


@dataclass(frozen=True)
class Level:
    """A list axis: for each parent the length of its list (0 for a null one), and whether it is null."""

    lengths: np.ndarray
    null: np.ndarray


@dataclass(frozen=True)
class Column:
    """The values of one column in one row group.

    ``items`` are int64, float64, or Python objects (``bytes``; whole numbers beyond int64 and decimals as ``int``); ``null`` and
    ``given`` (there was a value before any fill) have their shape [items]. ``levels`` are the list axes that no op has fixed yet,
    outermost first; once fixed, ``axes`` are their lengths, and ``lost`` marks the items of null lists.
    """

    rows: int
    kind: str
    items: np.ndarray
    null: np.ndarray
    given: np.ndarray
    levels: tuple[Level, ...] = ()
    axes: tuple[int, ...] = ()
    lost: np.ndarray | None = None
    scale: int = 0

    def mapped(self, items: np.ndarray, kind: str) -> Column:
        """The same places with other values."""
        return replace(self, items=items, kind=kind, scale=0)

    def whole_or_float(self) -> Column:
        """Decimals as the nearest float64; whole numbers and floats as they are."""
        if self.kind == BYTES:
            raise BadRowGroup("needs an op that makes numbers of bytes")
        if self.kind != DECIMAL:
            return self
        unit = 10**self.scale
        return self.mapped(np.array([value / unit for value in self.items], dtype=np.float64), FLOAT)

    def floats(self) -> Column:
        """Numbers as the nearest float64."""
        numbers = self.whole_or_float()
        return numbers.mapped(numbers.items.astype(np.float64), FLOAT)

    def exact_floats(self) -> Column:
        """Numbers as float64; a whole number beyond 2^53 on either side is an error."""
        numbers = self.whole_or_float()
        if numbers.kind == WHOLE:
            values = numbers.items[~numbers.null]
            if len(values) and (values.min() < -(2**53) or values.max() > 2**53):
                raise BadRowGroup("a whole number beyond 2^53 can't become float64")
        return numbers.floats()


def of_arrow(array: pa.Array | pa.ChunkedArray) -> Column:
    """The column that an Arrow array of a row group holds."""
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays([_plain(chunk) for chunk in array.chunks]) if array.num_chunks else pa.array([], array.type)
    array = _plain(array)
    rows = len(array)
    levels = []
    while pa.types.is_list(array.type) or pa.types.is_large_list(array.type) or pa.types.is_fixed_size_list(array.type):
        null = _nulls(array)
        lengths = pc.list_value_length(array).to_numpy(zero_copy_only=False)
        levels.append(Level(np.where(null, 0, np.nan_to_num(lengths)).astype(np.int64), null))
        array = _plain(array.flatten())
    null = _nulls(array)
    kind, items, scale = _values(array, null)
    return Column(rows, kind, items, null, ~null, tuple(levels), scale=scale)


def constant(rows: int, value: int | bytes | None, kind: str) -> Column:
    """A column that has one value, or null, in every row."""
    null = np.full(rows, value is None)
    if kind == BYTES:
        items = np.array([value or b""] * rows, dtype=object)
    else:
        items = np.full(rows, value or 0, dtype=np.int64)
    return Column(rows, kind, items, null, ~null)


def _plain(array: pa.Array) -> pa.Array:
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    return array.dictionary_decode() if isinstance(array, pa.DictionaryArray) else array


def _nulls(array: pa.Array) -> np.ndarray:
    return array.is_null().to_numpy(zero_copy_only=False).astype(bool)


def _values(array: pa.Array, null: np.ndarray) -> tuple[str, np.ndarray, int]:
    kind = array.type
    if pa.types.is_floating(kind):
        values = array.to_numpy(zero_copy_only=False).astype(np.float64)
        return FLOAT, np.where(null, 0.0, values), 0
    if pa.types.is_decimal(kind):
        return DECIMAL, _objects([0 if value is None else _unscaled(value, kind.scale) for value in array.to_pylist()]), kind.scale
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        array = array.cast(pa.large_binary())
    if pa.types.is_binary(array.type) or pa.types.is_large_binary(array.type) or pa.types.is_fixed_size_binary(array.type):
        return BYTES, _objects([value or b"" for value in array.to_pylist()]), 0
    if pa.types.is_uint64(kind):
        return WHOLE, _objects([value or 0 for value in array.to_pylist()]), 0
    if pa.types.is_boolean(kind):
        return WHOLE, array.cast(pa.int8()).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64), 0
    if pa.types.is_integer(kind):
        return WHOLE, array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64), 0
    if pa.types.is_date(kind):
        return WHOLE, _int64(array.cast(pa.date32()).cast(pa.int32())), 0
    if pa.types.is_time(kind) or pa.types.is_timestamp(kind):
        values = _int64(array.cast(pa.int32()) if pa.types.is_time32(kind) else array.cast(pa.int64()))
        nanos = _NANOS[kind.unit]
        return WHOLE, values * (nanos // 1_000) if nanos > 1 else values // 1_000, 0
    raise BadRowGroup(f"no such type in a feed: {kind}")


def _int64(array: pa.Array) -> np.ndarray:
    return array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)


def _unscaled(value, scale: int) -> int:
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits)) or "0") * 10 ** (exponent + scale)
    return -number if sign else number


def _objects(values: list) -> np.ndarray:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made
