"""The certificate's arithmetic: sums of row hashes modulo 2^64, for the order and for the values.

Everything is vectorised over ``uint64`` arrays. XXH64 is computed for all rows of a tensor at once (its rows have one length),
so that NumPy is all that is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from penstock.checks import Problems

__all__ = ["Digest", "mix", "order_digest", "values_digest", "xxh64_rows"]

Words = NDArray[np.uint64]

_WORD = 1 << 64
_FIRST = 0x9E3779B97F4A7C15
_SECOND = 0xC2B2AE3D27D4EB4F
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True)
class Digest:
    """Two sums modulo 2^64. The digest of a whole is the sum of its parts' digests; ``str`` gives the 32 hex digits."""

    first: int = 0
    second: int = 0

    def __add__(self, other: Digest) -> Digest:
        return Digest((self.first + other.first) % _WORD, (self.second + other.second) % _WORD)

    def __str__(self) -> str:
        return f"{self.first:016x}{self.second:016x}"

    @staticmethod
    def total(parts: Iterable[Digest]) -> Digest:
        """The digest of a whole from those of its parts (of none: zero)."""
        return sum(parts, Digest())

    @staticmethod
    def parse(text: str) -> Digest:
        """The digest that 32 lower-case hex digits write; raises ``OrderError`` for any other text."""
        with Problems("") as problems:
            text = problems.hexadecimal("digest", text, 32)
        return Digest(int(text[:16], 16), int(text[16:], 16))


def mix(values: ArrayLike) -> Words:
    """SplitMix64's finaliser of each of ``values`` (whole numbers >= 0, below 2^64); same shape, ``uint64``."""
    z = np.asarray(values, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = (z ^ (z >> np.uint64(30))) * _MIX_1
        z = (z ^ (z >> np.uint64(27))) * _MIX_2
    mixed: Words = z ^ (z >> np.uint64(31))
    return mixed


def _hash_sum(constant: int, epoch: int, positions: Words, last: Words) -> int:
    of_epoch = mix([(constant + epoch) % _WORD])
    return int(np.sum(mix(mix(of_epoch + positions) + last), dtype=np.uint64))


def _digest(epoch: int, positions: ArrayLike, last: Words) -> Digest:
    with Problems("") as problems:
        epoch = problems.whole("epoch", epoch, 0, 1 << 32)
        places = np.asarray(positions)
        if places.shape != last.shape or places.ndim != 1:
            problems.add(f"must be one for each row: positions of shape {list(places.shape)}, rows of shape {list(last.shape)}")
        elif places.size and places.dtype.kind not in "iu":
            problems.add(f"must be whole numbers: positions of dtype {places.dtype}")
    words = places.astype(np.uint64)
    return Digest(_hash_sum(_FIRST, epoch, words, last), _hash_sum(_SECOND, epoch, words, last))


def order_digest(epoch: int, positions: ArrayLike, rows: ArrayLike) -> Digest:
    """The order digest of delivered rows.

    ``positions`` and ``rows`` are whole numbers [n]: each row's position in its epoch and its number in the catalog.
    """
    return _digest(epoch, positions, np.asarray(rows).astype(np.uint64))


def values_digest(epoch: int, positions: ArrayLike, tensors: Sequence[ArrayLike], valid: ArrayLike) -> Digest:
    """The values digest of delivered rows.

    ``tensors`` holds an array [n, ...] for each tensor of the feed, in its order, a mask right after its tensor;
    ``positions`` is [n] whole numbers and ``valid`` [n] bools. Raises ``OrderError`` where the row counts differ.
    """
    marks = np.asarray(valid)
    arrays = [np.asarray(tensor) for tensor in tensors]
    with Problems("") as problems:
        if marks.ndim != 1 or marks.dtype != np.bool_:
            problems.add(f"must be bool [rows]: valid is {marks.dtype} {list(marks.shape)}")
        for k, array in enumerate(arrays):
            if array.ndim < 1 or array.shape[:1] != marks.shape[:1]:
                problems.add(f"must have as many rows as valid, which is {list(marks.shape)}: tensor {k} is {list(array.shape)}")
            elif array.dtype.kind not in "biuf":
                problems.add(f"must be numbers or bools: tensor {k} is {array.dtype}")
    value = mix(marks.astype(np.uint64))
    for k, array in enumerate(arrays):
        value = mix(value + xxh64_rows(_row_bytes(array), k))
    return _digest(epoch, positions, value)


def _row_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The little-endian row-major bytes of an array [rows, ...], as [rows, bytes]."""
    ordered = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    width = ordered.dtype.itemsize * int(np.prod(ordered.shape[1:], dtype=np.int64))
    return ordered.reshape(-1).view(np.uint8).reshape(ordered.shape[0], width)


_P1 = np.uint64(0x9E3779B185EBCA87)
_P2 = np.uint64(0xC2B2AE3D27D4EB4F)
_P3 = np.uint64(0x165667B19E3779F9)
_P4 = np.uint64(0x85EBCA77C2B2AE63)
_P5 = np.uint64(0x27D4EB2F165667C5)


def _rotate(z: Words, bits: int) -> Words:
    rotated: Words = (z << np.uint64(bits)) | (z >> np.uint64(64 - bits))
    return rotated


def _round(accumulator: Words, word: Words) -> Words:
    rounded: Words = _rotate(accumulator + word * _P2, 31) * _P1
    return rounded


def _words(data: NDArray[np.uint8], dtype: str) -> Words:
    return np.ascontiguousarray(data).view(dtype).astype(np.uint64)


def xxh64_rows(data: NDArray[np.uint8], seed: int = 0) -> Words:
    """XXH64 of each row of ``data`` (uint8 [rows, bytes]) with ``seed`` (below 2^64), as uint64 [rows].

    Written from the xxHash specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
    """
    if data.ndim != 2 or data.dtype != np.uint8:
        raise Problems.one(f"must be uint8 [rows, bytes]: data is {data.dtype} {list(data.shape)}")
    rows, length = data.shape
    start = np.full(rows, seed % _WORD, dtype=np.uint64)
    striped, worded = length - length % 32, length - length % 8
    if striped:
        lanes = np.stack([start + _P1 + _P2, start + _P2, start, start - _P1])
        stripes = _words(data[:, :striped], "<u8").reshape(rows, striped // 32, 4)
        for i in range(striped // 32):
            lanes = _round(lanes, stripes[:, i, :].T)
        h = _rotate(lanes[0], 1) + _rotate(lanes[1], 7) + _rotate(lanes[2], 12) + _rotate(lanes[3], 18)
        for lane in lanes:
            h = (h ^ _round(np.zeros_like(lane), lane)) * _P1 + _P4
    else:
        h = start + _P5
    h = h + np.uint64(length)
    for at in range(striped, worded, 8):
        h = h ^ _round(np.zeros_like(h), _words(data[:, at : at + 8], "<u8")[:, 0])
        h = _rotate(h, 27) * _P1 + _P4
    at = worded
    if length - at >= 4:
        h = h ^ (_words(data[:, at : at + 4], "<u4")[:, 0] * _P1)
        h = _rotate(h, 23) * _P2 + _P3
        at += 4
    for i in range(at, length):
        h = h ^ (data[:, i].astype(np.uint64) * _P5)
        h = _rotate(h, 11) * _P1
    h = (h ^ (h >> np.uint64(33))) * _P2
    h = (h ^ (h >> np.uint64(29))) * _P3
    hashed: Words = h ^ (h >> np.uint64(32))
    return hashed
