"""The feed's ops (docs/feed.md), on one column of one row group each: ``OPS[name](column, settings, name of the column)``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import xxhash

from penstock_testing.columns import BYTES, DECIMAL, FLOAT, WHOLE, BadRowGroup, Column


def fill(column: Column, settings: dict, name: str) -> Column:
    value = settings["value"]
    if isinstance(value, str):
        value = value.encode()
    if column.kind == DECIMAL:
        column = column.whole_or_float()
    if isinstance(value, float) and column.kind == WHOLE:
        column = column.exact_floats()
    if column.lost is not None and column.lost.any():
        raise BadRowGroup("a null list was padded before it was filled")
    if (column.kind == BYTES) != isinstance(value, bytes):
        raise BadRowGroup(f"can't fill {column.kind} with {value!r}")
    items = column.items.copy()
    if column.kind == WHOLE and items.dtype != object and not -(2**63) <= value < 2**63:
        items = items.astype(object)
    places = column.null.copy()
    if settings.get("nan") and column.kind == FLOAT:
        places |= np.isnan(items)
    items[places] = value
    levels = tuple(replace(level, null=np.zeros_like(level.null)) for level in column.levels)
    return replace(column, items=items, null=np.zeros_like(column.null), levels=levels)


def clip(column: Column, settings: dict, name: str) -> Column:
    low, high = settings.get("min"), settings.get("max")
    column = column.whole_or_float()
    if isinstance(low, float) or isinstance(high, float):
        column = column.exact_floats()
    items = column.items
    if column.kind == WHOLE:
        items = items.astype(object)
    with np.errstate(invalid="ignore"):
        below = items < low if low is not None else np.zeros(len(items), bool)
        above = items > high if high is not None else np.zeros(len(items), bool)
    below, above = below.astype(bool), above.astype(bool)
    items = items.copy()
    items[above] = high
    items[below] = low
    return column.mapped(_narrow(items) if column.kind == WHOLE else items, column.kind)


def log1p(column: Column, settings: dict, name: str) -> Column:
    column = column.floats()
    return column.mapped(strict_log1p(column.items), FLOAT)


def standardize(column: Column, settings: dict, name: str) -> Column:
    if "file" in settings:
        statistics = json.loads(Path(settings["file"]).read_text())["columns"].get(name)
    else:
        statistics = {"mean": settings["mean"][name], "std": settings["std"][name]} if name in settings["mean"] else None
    if statistics is None:
        return column
    column = column.floats()
    with np.errstate(all="ignore"):
        return column.mapped((column.items - float(statistics["mean"])) / float(statistics["std"]), FLOAT)


def bucketize(column: Column, settings: dict, name: str) -> Column:
    column = column.whole_or_float()
    items = column.items.astype(np.uint64) if column.items.dtype == object else column.items
    return column.mapped(np.searchsorted(np.array(settings["bounds"]), items, side="right").astype(np.int64), WHOLE)


def hash_(column: Column, settings: dict, name: str) -> Column:
    buckets, seed = settings["buckets"], settings.get("seed", 0)
    if column.kind == BYTES:
        data = column.items
    elif column.kind == WHOLE:
        data = [int(value % 2**64).to_bytes(8, "little") for value in column.items.tolist()]
    else:
        raise BadRowGroup(f"no hash of {column.kind}")
    places = [xxhash.xxh64_intdigest(value, seed) % buckets for value in data]
    return column.mapped(np.array(places, dtype=np.int64), WHOLE)


def vocabulary(column: Column, settings: dict, name: str) -> Column:
    values = settings.get("values")
    if values is None:
        text = Path(settings["file"]).read_bytes().decode()
        lines = text.split("\n")
        values = [line[:-1] if line.endswith("\r") else line for line in (lines[:-1] if lines[-1] == "" else lines)]
    if column.kind not in (WHOLE, BYTES):
        raise BadRowGroup(f"no vocabulary of {column.kind}")
    keys = [int(value) if column.kind == WHOLE else value.encode() for value in values]
    places = {key: place for place, key in enumerate(keys, 1)}
    unknown = settings.get("unknown", 0)
    return column.mapped(np.array([places.get(item, unknown) for item in column.items.tolist()], dtype=np.int64), WHOLE)


def unscaled(column: Column, settings: dict, name: str) -> Column:
    if column.kind != DECIMAL:
        raise BadRowGroup(f"nothing to unscale: {column.kind}")
    if len(column.items) and not -(2**63) <= min(column.items) <= max(column.items) < 2**63:
        raise BadRowGroup("an unscaled DECIMAL beyond 64 bits")
    return column.mapped(_narrow(column.items), WHOLE)


def pad(column: Column, settings: dict, name: str) -> Column:
    length, value = settings["length"], settings.get("value", 0)
    axes = tuple(length) if isinstance(length, list) else (length,)
    if column.kind == BYTES:
        value = value.encode() if isinstance(value, str) else b""
    else:
        column = column.exact_floats() if isinstance(value, float) else column.whole_or_float()
    return fixed(column, axes, value)


OPS = {
    "fill": fill,
    "clip": clip,
    "log1p": log1p,
    "standardize": standardize,
    "bucketize": bucketize,
    "hash": hash_,
    "vocabulary": vocabulary,
    "unscaled": unscaled,
    "pad": pad,
}


def fixed(column: Column, axes: tuple[int, ...], value: object = None) -> Column:
    """The column with its list axes made ``axes``: lists are cut or filled with ``value``, or, without one, must fit exactly."""
    if len(column.levels) != len(axes):
        raise BadRowGroup(f"{len(column.levels)} list axes, not {len(axes)}")
    place = np.arange(column.rows)  # of the item in its level; -1 for padding, -2 below a null list
    for level, axis in zip(column.levels, axes):
        lengths, null = np.append(level.lengths, 0), np.append(level.null, False)
        starts = np.cumsum(lengths) - lengths
        parent = np.where(place < 0, len(lengths) - 1, place)
        lost = null[parent] | (place == -2)
        length = lengths[parent]
        if value is None and (length[~lost] != axis).any():
            raise BadRowGroup(f"a list of {length[~lost & (length != axis)][0]} items, not {axis}")
        spread = starts[parent][:, None] + np.arange(axis)
        spread = np.where(np.arange(axis) < length[:, None], spread, -1)
        spread[lost] = -2
        place = spread.ravel()
    if value is None:
        value = b"" if column.kind == BYTES else 0
    items = np.append(column.items, np.array([value], dtype=column.items.dtype))
    pick = np.where(place < 0, len(items) - 1, place)
    null = np.append(column.null, False)[pick] | (place == -2)
    return replace(column, items=items[pick], null=null, given=np.append(column.given, False)[pick], levels=(), axes=axes, lost=place == -2)


def _narrow(items: np.ndarray) -> np.ndarray:
    """Whole numbers as int64 where all fit."""
    if len(items) and not (-(2**63) <= min(items) and max(items) < 2**63):
        return items
    return items.astype(np.int64)


def strict_log1p(x: np.ndarray) -> np.ndarray:
    """``StrictMath.log1p`` bit by bit.

    Java defines it as the algorithm of fdlibm 5.3's s_log1p.c: 1+x = 2^k (1+f) with 1+f within sqrt(2)/2 .. sqrt(2), a
    correction c for the rounding of 1+x, and a polynomial in s^2, s = f / (2+f). The polynomial's coefficients are that file's.
    """
    x = np.asarray(x, dtype=np.float64)
    with np.errstate(all="ignore"):
        small = (x < _from_high(0x3FDA827A)) & (x > -_from_high(0x3FD2BEC4))
        u = np.where(x < 2.0**53, 1.0 + x, x)
        exponent = (_high(u) >> 20) - 1023
        c = np.where(exponent > 0, 1.0 - (u - x), x - (u - 1.0)) / u
        c = np.where(x < 2.0**53, c, 0.0)
        fraction = _high(u) & 0xFFFFF
        halved = fraction >= 0x6A09E
        k = np.where(small, 0, exponent + halved).astype(np.float64)
        mantissa = u.view(np.int64) & ((1 << 52) - 1)
        normal = (mantissa | np.where(halved, 0x3FE, 0x3FF).astype(np.int64) << 52).view(np.float64)
        f = np.where(small, x, normal - 1.0)
        tiny_f = ~small & (np.where(halved, (0x100000 - fraction) >> 2, fraction) == 0)
        low = np.where(small, 0.0, k * 1.90821492927058770002e-10 + c)
        high = k * 6.93147180369123816490e-01
        half = 0.5 * f * f
        s = f / (2.0 + f)
        z = s * s
        r = np.zeros_like(z)
        for coefficient in (
            1.479819860511658591e-01,
            1.531383769920937332e-01,
            1.818357216161805012e-01,
            2.222219843214978396e-01,
            2.857142874366239149e-01,
            3.999999999940941908e-01,
            6.666666666666735130e-01,
        ):
            r = z * (coefficient + r)
        main = np.where(small, f - (half - s * (half + r)), high - ((half - (s * (half + r) + low)) - f))
        short = half * (1.0 - 0.66666666666666666 * f)
        near = np.where(f == 0.0, np.where(k == 0.0, 0.0, high + (c + k * 1.90821492927058770002e-10)), high - ((short - low) - f))
        near = np.where((k == 0.0) & (f != 0.0), f - short, near)
        result = np.where(tiny_f, near, main)
        result = np.where(np.abs(x) < 2.0**-29, x - x * x * 0.5, result)
        result = np.where(np.abs(x) < 2.0**-54, x, result)
        result = np.where(x == -1.0, -np.inf, np.where(x < -1.0, np.nan, result))
    return np.where(np.isnan(x) | np.isposinf(x), x, result)


def _high(values: np.ndarray) -> np.ndarray:
    return values.view(np.int64) >> 32


def _from_high(word: int) -> float:
    return float(np.array(word << 32, dtype=np.int64).view(np.float64))
