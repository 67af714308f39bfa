"""What a feed delivers, worked out from docs/feed.md and docs/order.md with PyArrow and NumPy, to judge what the product delivers.

It knows all of the feed but the ops ``decode`` and ``class``, and takes a correct feed file for granted: it judges values, not
feeds. Errors of content are :class:`BadRowGroup`; with ``bad_row_group: quarantine`` their rows are zero and not valid.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from penstock.order import Digest, Order, values_digest
from penstock_testing import feed_yaml
from penstock_testing.columns import FLOAT, BadRowGroup, Column
from penstock_testing.dataset import Dataset, RowGroup
from penstock_testing.ops import OPS, fixed


@dataclass(frozen=True)
class Batches:
    """Rows of consecutive steps, end to end: ``tensors`` by name [rows, ...], ``row`` and ``position`` int64 [rows], ``valid`` bool."""

    epoch: int
    tensors: dict[str, np.ndarray]
    row: np.ndarray
    position: np.ndarray
    valid: np.ndarray
    order_digest: Digest

    @property
    def values_digest(self) -> Digest:
        """The values digest of these rows."""
        return values_digest(self.epoch, self.position, list(self.tensors.values()), self.valid)


class Oracle:
    """A feed, given as its file's value; ``replace`` is a pair of path prefixes, see :class:`Dataset`."""

    def __init__(self, feed: dict, replace: tuple[str, str] = ("file:", "")) -> None:
        assert set(feed) == {"penstock", "dataset", "order", "tensors"}, list(feed)
        self._dataset = Dataset(feed["dataset"], replace)
        self._quarantines = feed["dataset"].get("bad_row_group", "fail") == "quarantine"
        self._tensors = [_Tensor(name, settings, self._dataset.names) for name, settings in feed["tensors"].items()]
        counts = [group.rows for group in self._dataset.row_groups]
        self.order = Order(counts, **{key: value for key, value in feed["order"].items() if key != "epochs"})
        self._starts = np.cumsum(counts) - counts
        self._made: dict[int, dict[str, np.ndarray] | None] = {}

    def batches(self, epoch: int, start: int, stop: int) -> Batches:
        """Steps start up to, not including, stop of an epoch."""
        rows, valid = (array.ravel() for array in self.order.global_batches(epoch, start, stop))
        groups = np.searchsorted(self._starts, rows, side="right") - 1
        made = {int(group): self._row_group(int(group)) for group in np.unique(groups)}
        good = [tensors for tensors in made.values() if tensors is not None]
        assert good, "no row group of these steps can be read"
        tensors = {name: np.zeros((len(rows), *array.shape[1:]), array.dtype) for name, array in good[0].items()}
        valid = valid.copy()
        for group, values in made.items():
            places = np.flatnonzero(groups == group)
            if values is None:
                valid[places] = False
            else:
                for name, tensor in tensors.items():
                    tensor[places] = values[name][rows[places] - self._starts[group]]
        digest = self.order.order_digest(epoch, (start, stop))
        return Batches(epoch, tensors, rows, self.order.positions(start, stop), valid, digest)

    def close(self) -> None:
        """Closes the dataset's files."""
        self._dataset.close()

    def _row_group(self, number: int) -> dict[str, np.ndarray] | None:
        """All tensors of a row group, masks right after theirs; None if it is bad and the feed puts such in quarantine."""
        if number not in self._made:
            group = self._dataset.row_groups[number]
            try:
                self._made[number] = {name: array for tensor in self._tensors for name, array in tensor.arrays(self._dataset, group)}
            except (BadRowGroup, pa.ArrowException, OSError) as error:
                if not self._quarantines:
                    raise BadRowGroup(f"{group.path} row group {group.number}: {error}") from error
                self._made[number] = None
        return self._made[number]


class _Tensor:
    def __init__(self, name: str, settings: dict, names: Sequence[str]) -> None:
        assert set(settings) <= {"column", "columns", "dtype", "ops", "shape", "mask"}, settings
        self.name = name
        self._stacked = "columns" in settings
        self._columns = _taken(settings["columns"], names) if self._stacked else [settings["column"]]
        self._dtype = np.dtype(settings["dtype"])
        self._shape = tuple(settings["shape"]) if "shape" in settings else None
        self._mask = settings.get("mask", False)
        self._ops = [_op(op) for op in settings.get("ops", [])]

    def arrays(self, dataset: Dataset, group: RowGroup) -> list[tuple[str, np.ndarray]]:
        """The tensor of a row group, and its mask if it has one."""
        values, masks = [], []
        for name in self._columns:
            value, mask = self._one(dataset.column(group, name), name)
            values.append(value)
            masks.append(mask)
        made = [(self.name, np.stack(values, axis=1) if self._stacked else values[0])]
        if self._mask:
            made.append((self.name + "_mask", np.stack(masks, axis=1) if self._stacked else masks[0]))
        return made

    def _one(self, column: Column, name: str) -> tuple[np.ndarray, np.ndarray]:
        for op, settings in self._ops:
            only = settings.get("columns")
            if only is None or any(fnmatch.fnmatchcase(name, pattern) for pattern in only):
                column = OPS[op](column, settings, name)
        column = column.whole_or_float()
        if self._shape is not None and not column.axes:
            column = fixed(column, self._shape)
        if column.levels or (self._shape is not None and column.axes != self._shape):
            raise BadRowGroup(f"column {name}: items of shape {column.axes}, not {self._shape}")
        if column.null.any() and not self._mask:
            raise BadRowGroup(f"column {name}: null at item {np.flatnonzero(column.null)[0]}")
        items = np.where(column.null, column.items.dtype.type(0) if column.items.dtype != object else 0, column.items)
        shape = (column.rows, *column.axes)
        return cast(items, column.kind, self._dtype).reshape(shape), column.given.reshape(shape)


def cast(items: np.ndarray, kind: str, dtype: np.dtype) -> np.ndarray:
    """Whole numbers or floats as ``dtype``: exact, or rounded once to a float; anything else is a :class:`BadRowGroup`."""
    if dtype.kind == "f":
        source = items.astype(np.uint64) if items.dtype == object else items
        with np.errstate(over="ignore", invalid="ignore"):
            made = (source.astype(np.float64) if dtype == np.float16 else source).astype(dtype)
        if kind == FLOAT:
            made[np.isnan(items)] = np.nan
        bad = np.isinf(made) & (np.isfinite(items) if kind == FLOAT else True)
    else:
        low, high = (0, 1) if dtype == np.bool_ else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
        if kind == FLOAT:
            bad = ~np.isfinite(items) | (np.trunc(items) != items) | (items < float(low)) | (items >= float(high + 1))
        else:
            bad = ((items < low) | (items > high)).astype(bool)
        made = np.where(bad, 0, items).astype(dtype)
    if bad.any():
        raise BadRowGroup(f"{items[bad][0]} does not fit {dtype}")
    return made


def _taken(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    taken: list[str] = []
    for pattern in patterns:
        if set(pattern) & set("*?["):
            found = [name for name in names if fnmatch.fnmatchcase(name, pattern) and name not in taken]
            assert found, f"nothing matches: {pattern}"
            taken += found
        else:
            taken.append(pattern)
    return taken


def _op(op: str | dict) -> tuple[str, dict]:
    name, settings = (op, {}) if isinstance(op, str) else next(iter(op.items()))
    assert name in OPS, f"not known here: {name}"
    if name == "fill" and not isinstance(settings, dict):
        settings = {"value": settings}
    return name, settings or {}


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the batches of some steps as ``.npy`` files and prints their digests as JSON."""
    parser = argparse.ArgumentParser(description="What a feed delivers, worked out with PyArrow and NumPy.")
    parser.add_argument("feed", type=Path)
    parser.add_argument("step_from", type=int)
    parser.add_argument("step_to", type=int, help="not included; 0: the end of the epoch")
    parser.add_argument("epoch", type=int)
    parser.add_argument("out", type=Path, help="folder for <tensor>.npy, row.npy, position.npy and valid.npy")
    parser.add_argument("--replace", metavar="FROM=TO", default="file:=", help="look for paths that start with FROM at TO instead")
    given = parser.parse_args(arguments)
    before, _, after = given.replace.partition("=")
    oracle = Oracle(feed_yaml.read(given.feed.read_bytes()), (before, after))
    stop = given.step_to or oracle.order.steps
    batches = oracle.batches(given.epoch, given.step_from, stop)
    oracle.close()
    given.out.mkdir(parents=True, exist_ok=True)
    for name, array in {**batches.tensors, "row": batches.row, "position": batches.position, "valid": batches.valid}.items():
        np.save(given.out / f"{name}.npy", array)
    print(
        json.dumps(
            {
                "order_digest": str(batches.order_digest),
                "values_digest": str(batches.values_digest),
                "steps": stop - given.step_from,
                "epoch_steps": oracle.order.steps,
                "tensors": [
                    {"name": name, "dtype": str(array.dtype), "shape": list(array.shape)} for name, array in batches.tensors.items()
                ],
            }
        )
    )
    return 0
